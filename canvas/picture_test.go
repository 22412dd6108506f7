package canvas

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPictures writes pictures for a person to look at into the folder named by
// CAIRN_PICTURES; without it, there is nothing to do.
func TestPictures(t *testing.T) {
	dir := os.Getenv("CAIRN_PICTURES")
	if dir == "" {
		t.Skip("CAIRN_PICTURES is not set")
	}
	for name, m := range map[string]Model{
		"path": pathModel(), "weighed": weighedModel(), "borders": bordersModel(), "three": threeHopModel(), "claim": claimModel(), "pair": {Layered: true, Nodes: claimModel().Nodes[:2], Edges: []Edge{{ID: "1", From: 0, To: 1, Label: "capital of", Tag: "T1"}}}, "star20": starModel(20), "star60": starModel(60), "conjunction": conjunctionModel(),
		"asthma": asthmaModel(), "odd-layered": oddModel(true), "odd-force": oddModel(false), "web60": webModel(60), "web500": webModel(500), "web15": webModel(15),
	} {
		p := pictureOf(t, m)
		for theme, colours := range map[string]Palette{"-light": LightPalette(), "-dark": DarkPalette()} {
			file := filepath.Join(dir, name+theme)
			png, err := os.Create(file + ".png")
			if err != nil {
				t.Fatal(err)
			}
			if err := p.WritePNG(png, colours); err != nil {
				t.Error(err)
			}
			if err := png.Close(); err != nil {
				t.Error(err)
			}
			svg, err := os.Create(file + ".svg")
			if err != nil {
				t.Fatal(err)
			}
			if err := p.WriteSVG(svg, colours); err != nil {
				t.Error(err)
			}
			if err := svg.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
