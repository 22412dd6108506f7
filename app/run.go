// Package app is Cairn's window: panels over the engine, and what wires them.
//
// Everything slow runs in jobs and comes back to the UI goroutine in one place
// (jobs.go). Words and rows come from package present, the picture from package
// canvas. Only Run needs a display; the panels are tested without one.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"cairn/assets"
	"cairn/internal/guard"
)

// appID names the app to the desktop, and its preferences.
const appID = "dev.cairn.Cairn"

// Options are the choices of a start; the zero value is the default.
type Options struct {
	// Paths are a graph (.cairn) to open, or files to import. The default is the
	// graph that was open last, or the built-in sample.
	Paths []string
	// Question is asked as soon as the graph is open.
	Question string
	// Folder is where new graphs are kept, in place of the one in the settings.
	Folder string
	// Version is shown in the about box.
	Version string
	// Logger is told what people do and what goes wrong.
	//
	// The default value discards.
	Logger *slog.Logger
}

// errNoDisplay is returned by Run where no window can be shown.
var errNoDisplay = errors.New("open the window: there is no display to show it on; the commands work without one (cairn help)")

// Run opens the window and returns when it is closed, by the user or by the end of
// ctx, and what was under way has ended. It needs a display.
func Run(ctx context.Context, o Options) error {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	w, err := realWindow(o)
	if err != nil {
		return err
	}
	if o.Question != "" {
		w.first = func() { w.question.put(o.Question) }
	}
	w.app.Lifecycle().SetOnStarted(func() { w.begin(o.Paths) })
	stop := context.AfterFunc(ctx, func() { fyne.Do(w.close) })
	err = guard.Do(func() error {
		w.win.ShowAndRun()
		return nil
	})
	guard.Log(o.Logger, err)
	stop()
	w.jobs.end() // for the window may have broken, and not been closed
	w.end()
	return err
}

// realWindow makes the window on the screen. Fyne panics where the window
// system does not answer, which is not a mistake of ours.
func realWindow(o Options) (w *window, err error) {
	defer func() {
		if r := recover(); r != nil {
			if !strings.Contains(fmt.Sprint(r), "GLFW") {
				panic(r)
			}
			err = errNoDisplay
		}
	}()
	a := fyneapp.NewWithID(appID)
	icon := fyne.NewStaticResource("cairn.svg", assets.Icon)
	a.SetIcon(icon)
	if o.Folder != "" {
		a.Preferences().SetString(prefFolder, o.Folder)
	}
	return newWindow(a, parts{
		opener: engineOpener{log: o.Logger},
		figure: newView,
		scale:  scaler(a.Settings()),
		do:     fyne.Do,
		icon:   icon, version: o.Version, log: o.Logger,
	}), nil
}

// scaler returns what scales all that Fyne draws, on top of what the user set for every
// program that Fyne draws. Fyne reads that from the environment whenever a theme is set.
func scaler(settings fyne.Settings) func(by float32) {
	const name = "FYNE_SCALE"
	set := os.Getenv(name)
	own, err := strconv.ParseFloat(set, 32)
	if err != nil || own <= 0 {
		own = float64(cmp.Or(settings.Scale(), 1))
	}
	return func(by float32) {
		scale := set
		if by != 1 {
			scale = strconv.FormatFloat(own*float64(by), 'f', 2, 32)
		}
		os.Setenv(name, scale)
	}
}
