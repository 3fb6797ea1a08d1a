package serve

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

var pictures = flag.Bool("pictures", false, "take the pictures of the documents anew")

// The pictures of the documents show pages of the example memory, at two widths, light and dark.
// They are taken anew by `make pictures`; otherwise the test checks that they are there and small.
func TestPictures(t *testing.T) {
	base := ""
	for _, p := range []struct {
		name, address string
		look
	}{
		{"errors", "", look{width: 1060, height: 900}},
		{"graph", lockGraph + "&to=a1d39fe", look{width: 1060, height: 900, dark: true}},
		{"session", lockSession, look{width: 390, height: 844}},
		{"choices", "choices", look{width: 390, height: 844, dark: true}},
	} {
		file := "../../docs/pictures/" + p.name + ".png"
		if *pictures {
			b := open(t, p.look)
			if base == "" {
				base = served(t, exampleMemory(t), "harbord")
			}
			b.visit(base + p.address)
			b.until(`document.readyState == "complete" && (!document.querySelector(".graph-box") || ` + drawnFacts + ` > 0)`)
			must(t, os.WriteFile(file, small(t, run(b, chromedp.CaptureScreenshot())), 0o644))
		}
		data, err := os.ReadFile(file)
		if err != nil || len(data) > 60_000 {
			t.Errorf("%s: %d bytes, %v", file, len(data), err)
			continue
		}
		if c, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width != int(p.width) || c.Height != int(p.height) {
			t.Errorf("%s: %d × %d, %v", file, c.Width, c.Height, err)
		}
	}
}

// small is a picture with its commonest 256 colours.
func small(t *testing.T, data []byte) []byte {
	img, err := png.Decode(bytes.NewReader(data))
	must(t, err)
	count := map[color.Color]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			count[img.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return cmp.Compare(count[b], count[a]) })
	out := image.NewPaletted(img.Bounds(), colours[:min(len(colours), 256)])
	draw.Draw(out, out.Bounds(), img, image.Point{}, draw.Src)
	var b bytes.Buffer
	must(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, out))
	return b.Bytes()
}
