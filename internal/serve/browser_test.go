package serve

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	devpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chromium is one headless browser for all tests, which TestMain ends.
var chromium struct {
	once sync.Once
	ctx  context.Context
	err  error
	end  func()
}

var errNoBrowser = errors.New("no chromium is installed, so nothing is looked at in a browser")

func startChromium() {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		chromium.err = errNoBrowser
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WindowSize(1280, 900))
	if os.Getuid() == 0 { // as root it has no sandbox
		options = append(options, chromedp.NoSandbox)
	}
	ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
	chromium.ctx, _ = chromedp.NewContext(ctx)
	chromium.err, chromium.end = chromedp.Do(chromium.ctx), end
}

// tab is a tab of the browser. It notes all that a page must not do.
type tab struct {
	testing.TB
	ctx  context.Context
	mu   sync.Mutex
	did  []string // that it must not do
	host string   // the one that it may ask
}

// look is how a tab shows pages.
type look struct {
	width, height int64
	dark          bool
	noScript      bool
}

var (
	desk  = look{width: 1280, height: 900}
	phone = look{width: 390, height: 844, dark: true}
)

// open opens a tab. What pages in it do wrong fails the test.
func open(t testing.TB, l look) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes many seconds, so -short leaves it out")
	}
	chromium.once.Do(startChromium)
	if errors.Is(chromium.err, errNoBrowser) {
		t.Skip(chromium.err)
	}
	if chromium.err != nil {
		t.Fatal(chromium.err)
	}
	ctx, end := chromedp.NewContext(chromium.ctx)
	t.Cleanup(end)
	b := &tab{TB: t, ctx: ctx}
	must(t, chromedp.Listen(ctx, b.notice))
	scheme := map[bool]string{true: "dark", false: "light"}[l.dark]
	command(b, network.Enable, network.EnableParams{})
	command(b, log.Enable, cdp.Empty{})
	command(b, devpage.Enable, devpage.EnableParams{})
	command(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: l.width, Height: l.height, DeviceScaleFactor: 1, Mobile: l.width < 600})
	command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	command(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: l.noScript})
	t.Cleanup(b.check)
	return b
}

// command gives the browser a command for the tab.
func command[P, R any](b *tab, c cdp.Command[P, R], p P) {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, c, p); err != nil {
		b.Fatal(err)
	}
}

func (b *tab) notice(event any) {
	what := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		u, err := url.Parse(e.Request.URL)
		b.mu.Lock()
		own := err == nil && (u.Scheme == "data" || u.Scheme == "file" && b.host == "" || u.Scheme == "http" && u.Host == b.host)
		b.mu.Unlock()
		if !own {
			what = "asked for " + e.Request.URL
		}
	case *runtime.EventConsoleAPICalled:
		for _, arg := range e.Args {
			what += fmt.Sprintf("wrote to the console: %s ", arg.Value)
		}
	case *runtime.EventExceptionThrown:
		what = "threw " + e.ExceptionDetails.Text + " " + fmt.Sprint(e.ExceptionDetails.Exception)
	case *log.EventEntryAdded:
		what = fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
	case *devpage.EventJavascriptDialogOpening:
		what = "opened a dialog: " + e.Message
	}
	if what != "" {
		b.mu.Lock()
		b.did = append(b.did, what)
		b.mu.Unlock()
	}
}

// check fails the test for what pages did since the last check.
func (b *tab) check() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, what := range b.did {
		b.Errorf("a page %s", what)
	}
	b.did = nil
}

// visit opens an address.
func (b *tab) visit(address string) {
	b.Helper()
	if u, err := url.Parse(address); err == nil {
		b.mu.Lock()
		b.host = u.Host
		b.mu.Unlock()
	}
	run(b, chromedp.Navigate(address))
}

// mostWait is how long a test waits for a page.
const mostWait = 60 * time.Second

func run[V any](b *tab, a chromedp.Action[V]) V {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, mostWait)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	must(b, err)
	return v
}

// eval returns what an expression gives.
func eval[V any](b *tab, expression string) V {
	b.Helper()
	return run(b, chromedp.Evaluate[V](expression, chromedp.EvalAwaitPromise))
}

// until waits until an expression is true, also over a change of the page.
func (b *tab) until(expression string) {
	b.Helper()
	for end := time.Now().Add(mostWait); ; time.Sleep(30 * time.Millisecond) {
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if err == nil && ok {
			return
		}
		if time.Now().After(end) {
			b.Fatalf("waiting for %s: %v; the page:\n%.3000s", expression, err, eval[string](b, "document.body.innerText"))
		}
	}
}

//go:embed testdata/axe.min.js
var axe string

// accessible fails the test for violations that axe finds.
func (b *tab) accessible() {
	b.Helper()
	eval[chromedp.Void](b, axe)
	found := eval[[]string](b, `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.flatMap(v => v.nodes.map(n =>
		v.id + ": " + n.html.slice(0, 200) + " " + n.failureSummary)))`)
	if len(found) > 0 {
		b.Errorf("%d violations of accessibility at %s:\n%s", len(found), eval[string](b, "location.hash || location.pathname.slice(34)"), strings.Join(found[:min(len(found), 8)], "\n"))
	}
}

// fits fails the test if the page is wider than the screen, or in the other colours.
func (b *tab) fits(l look) {
	b.Helper()
	wide := eval[[]string](b, `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
		.filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 100)).slice(0, 5)`)
	if len(wide) > 0 {
		b.Errorf("wider than %d: %q", l.width, wide)
	}
	light := eval[float64](b, `getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, c) => a + +c, 0) / 765`)
	if l.dark != (light < .5) {
		b.Errorf("dark %v, but the background is %.0f %% light", l.dark, 100*light)
	}
}
