package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"episodes/internal/ask"
	"episodes/internal/serve"
)

func (a *app) serveCommand() *cobra.Command {
	var listen string
	var private, open bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the memory as pages in your browser, on this machine alone",
		Example: `  episodes serve --open
  episodes serve --private              # with your private sessions
  episodes serve --listen 127.0.0.1:8080`,
		Long: `Prints a link and answers until it is interrupted. The pages show which errors came back and what
ended them, each session with the lines of its log, choices, lessons, and what agents were told. They
change nothing. The link has a key that is made anew each time: whoever has it, on this machine, can read
the pages until the command ends. Only addresses of this machine are accepted.`,
		Args:        takesNothing,
		Annotations: exits(graphExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.serve(cmd, listen, private, open) },
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:0", "`ADDRESS` of this machine to listen on; port 0: a free one")
	f.BoolVar(&private, "private", false, "show the private sessions, too")
	f.BoolVar(&open, "open", false, "open the link in your browser")
	return cmd
}

func (a *app) serve(cmd *cobra.Command, listen string, private, open bool) error {
	debug.SetGCPercent(50) // it may live for a day
	debug.SetMemoryLimit(112 << 20)
	o, err := a.options(cmd)
	if err != nil {
		return err
	}
	o.Shared, o.NameAuthors, o.Unreviewed, o.Working, o.Progress = !private, true, false, nil, nil
	m, err := ask.Open(o) // what fails, fails here rather than on a page
	if err != nil {
		return err
	}
	m.Close()
	l, err := serve.Listen(listen)
	if err != nil {
		return err
	}
	defer l.Close()
	s := serve.New(serve.Options{Memory: o, Name: filepath.Base(o.Location.Root), Trouble: a.say,
		Explain: a.explain(cmd)}, l.Addr())
	data := map[string]string{"url": s.URL()}
	if err := a.answer(cmd, result{data: data, text: s.URL()}); err != nil {
		return err
	}
	if open {
		file, err := linkFile(s.URL())
		if err == nil {
			defer os.RemoveAll(filepath.Dir(file))
			err = openInBrowser(file)
		}
		if err != nil {
			a.say(fmt.Sprintf("the browser was not opened: %v", err))
		}
	}
	a.note("answering until interrupted (Ctrl-C)")
	return s.Serve(cmd.Context(), l)
}

// linkFile makes a file, in a folder of its own, that leads a browser to a link. Other users of the machine can
// read the arguments of the program that opens it, but not the file.
func linkFile(link string) (string, error) {
	dir, err := os.MkdirTemp("", "episodes-serve-") // 0700
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "open.html")
	text := fmt.Sprintf("<!doctype html><meta charset=\"utf-8\"><title>episodes</title><meta http-equiv=\"refresh\" content=\"0; url=%s\"><a href=\"%[1]s\">The pages of this memory</a>\n", link)
	return file, os.WriteFile(file, []byte(text), 0o600)
}

// openInBrowser opens a file of ours with the platform's own program.
func openInBrowser(file string) error {
	name, args := "xdg-open", []string{file}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", file}
	}
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		return err
	}
	go func() { _ = c.Wait() }()
	return nil
}
