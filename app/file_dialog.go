package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cairn/internal/wording"
)

// fileDialog asks for a file or a folder. Its path can be typed, with what fits it
// listed below and Tab to complete it, or found in that list. Fyne's own dialog has
// no place to type a path, and keeps Escape to itself.
type fileDialog struct {
	w      *window
	ask    fileQuestion
	dialog *dialog.CustomDialog
	path   *pathEntry
	list   *rowList
	said   *widget.Label
	take   *button
	all    *button // takes all files that are listed; nil where one is asked for

	looks   latest        // into folders
	folder  string        // the one whose entries these are
	entries []fs.DirEntry // of the folder
	fits    []fileFit     // the rows: those that fit what is typed
	replace string        // a path that is taken, which the user was told
	quiet   bool          // the path is being set from code
}

// fileQuestion is what a fileDialog asks for.
type fileQuestion struct {
	title, confirm string
	kind           fileKind
	endings        []string // of the files to list; nil lists all
	name           string   // of a file to write, to begin with
	chosen         func(path string)
	several        func(paths []string) // nil where one file is asked for
}

type fileKind int

const (
	fileToRead fileKind = iota
	fileToWrite
	folderToUse
)

// fileFit is a row of the list.
type fileFit struct {
	name   string
	folder bool
}

// pickFile asks for a file or a folder.
func (w *window) pickFile(ask fileQuestion) {
	d := &fileDialog{w: w, ask: ask, said: wrapped(caption(""))}
	d.said.Importance = widget.WarningImportance
	d.path = &pathEntry{d: d}
	d.path.ExtendBaseWidget(d.path)
	d.path.OnChanged = func(string) { d.typed() }
	d.path.OnSubmitted = func(string) { d.choose() }
	type row struct {
		icon *widget.Icon
		name *widget.Label
	}
	d.list = newRowList(func() int { return len(d.fits) }, func() (fyne.CanvasObject, row) {
		r := row{widget.NewIcon(nil), clipped(widget.NewLabel(""))}
		return container.NewBorder(nil, nil, r.icon, nil, r.name), r
	}, func(id int, r row) {
		r.name.SetText(d.fits[id].label())
		r.icon.SetResource(d.fits[id].icon())
	})
	d.list.OnSelected, d.list.onOpen = d.selected, func(int) { d.choose() }
	d.take = primary(newButton(ask.confirm, d.choose))
	// The sentence has its place, so that nothing moves when there is one.
	said := container.New(fixedHeight(2*theme.Size(theme.SizeNameText)+2*theme.Padding()), d.said)
	buttons := []fyne.CanvasObject{w.closeButton("Cancel"), d.take}
	if ask.several != nil {
		d.all = newButton("Choose all files", func() { d.end(d.files()...) })
		buttons = slices.Insert(buttons, 1, fyne.CanvasObject(d.all))
	}
	d.dialog = w.newDialog(ask.title, container.NewBorder(container.NewVBox(d.path, said), nil, nil, nil, d.list), buttons...)
	if !w.showDialog("file", large, d.dialog) {
		return
	}
	folder := w.app.Preferences().String(prefVisited)
	if folder == "" {
		folder, _ = os.UserHomeDir() // "" is the root, where there is no such folder
	}
	d.enter(folder)
	w.win.Canvas().Focus(d.path)
}

// chooseData asks for a file to read, for a dialog that is open.
func (w *window) chooseData(endings []string, chosen func(path string)) {
	w.pickFile(fileQuestion{title: "Choose a file", confirm: "Choose", endings: endings, chosen: chosen})
}

// label is the name, as the list shows it.
func (f fileFit) label() string {
	switch {
	case f.name == "..":
		return ".. (parent folder)"
	case f.folder:
		return f.name + string(filepath.Separator)
	}
	return f.name
}

func (f fileFit) icon() fyne.Resource {
	if f.folder {
		return theme.FolderIcon()
	}
	return theme.FileIcon()
}

// enter goes into a folder, with the name that is proposed for a file to write.
func (d *fileDialog) enter(folder string) {
	d.write(filepath.Join(folder, d.ask.name), d.ask.name == "")
}

// write puts a path into the entry; with a separator behind it, if it is a folder to
// look into.
func (d *fileDialog) write(path string, folder bool) {
	if folder && !strings.HasSuffix(path, string(filepath.Separator)) {
		path += string(filepath.Separator)
	}
	d.path.SetText(path)
	d.path.CursorColumn = len([]rune(path))
	d.path.Refresh()
}

// split gives the folder of what is typed, and the beginning of a name in it. "~" is
// the user's own folder. A whole path that was typed or pasted behind the folder that
// stood there counts, and not that folder.
func (d *fileDialog) split() (folder, name string) {
	text := d.path.Text
	for _, begin := range []string{"//", "/~/"} {
		if i := strings.LastIndex(text, begin); i > 0 {
			text = text[i+1:]
		}
	}
	if home, err := os.UserHomeDir(); err == nil && (text == "~" || strings.HasPrefix(text, "~/")) {
		text = home + "/" + strings.TrimPrefix(text[1:], "/")
	}
	if !filepath.IsAbs(text) {
		text = filepath.Join(d.folder, "x")[:len(filepath.Join(d.folder, "x"))-1] + text
	}
	folder, name = filepath.Split(text)
	return filepath.Clean(folder), name
}

// typed lists what fits the path as it is now.
func (d *fileDialog) typed() {
	if d.quiet {
		return
	}
	d.say("")
	folder, _ := d.split()
	if folder == d.folder {
		d.show()
		return
	}
	current := d.looks.begin()
	d.w.jobs.start(func(_ context.Context, post func(func())) {
		entries, err := os.ReadDir(folder)
		post(func() {
			if !current() || err != nil { // a folder that is not there yet has nothing to list
				return
			}
			d.folder, d.entries = folder, entries
			d.show()
		})
	})
}

// show lists the entries of the folder that fit the name that is typed.
func (d *fileDialog) show() {
	_, begun := d.split()
	var folders, files []fileFit
	if d.ask.kind == fileToWrite && begun == d.ask.name {
		begun = "" // a name that was only proposed hides nothing
	}
	if begun == "" && filepath.Dir(d.folder) != d.folder {
		folders = append(folders, fileFit{"..", true})
	}
	for _, e := range d.entries {
		name := e.Name()
		folder := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			info, err := os.Stat(filepath.Join(d.folder, name))
			folder = err == nil && info.IsDir()
		}
		switch {
		case !strings.HasPrefix(strings.ToLower(name), strings.ToLower(begun)):
		case strings.HasPrefix(name, ".") && !strings.HasPrefix(begun, "."):
		case folder:
			folders = append(folders, fileFit{name, true})
		case d.ask.kind != folderToUse && d.listed(name):
			files = append(files, fileFit{name, false})
		}
	}
	d.fits = append(folders, files...)
	if d.all != nil {
		d.all.SetText("Choose all files")
		if len(files) > 1 {
			d.all.SetText("Choose all " + wording.Count(len(files), "file", "files"))
		}
		enable(d.all, len(files) > 1)
	}
	d.list.selected = -1
	d.list.UnselectAll()
	d.list.Refresh()
	d.list.ScrollToTop()
}

// listed reports whether a file has one of the endings that are asked for.
func (d *fileDialog) listed(name string) bool {
	return len(d.ask.endings) == 0 || slices.ContainsFunc(d.ask.endings, func(ending string) bool {
		return strings.EqualFold(filepath.Ext(name), ending)
	})
}

// selected takes a row into the path. A click on a folder goes into it.
func (d *fileDialog) selected(row int) {
	d.list.selected = row
	fit := d.fits[row]
	to := filepath.Join(d.folder, fit.name)
	if fit.folder && !d.list.keyed {
		d.enter(to)
		return
	}
	d.quiet = true
	d.write(to, fit.folder)
	d.quiet = false
	d.say("")
}

// completed is what is typed with as much more as all that fits has in common.
func (d *fileDialog) completed() string {
	folder, begun := d.split()
	if begun == "" || len(d.fits) == 0 || folder != d.folder {
		return ""
	}
	common := d.fits[0].name
	for _, f := range d.fits[1:] {
		n := 0
		for n < len(common) && n < len(f.name) && common[n] == f.name[n] {
			n++
		}
		common = common[:n]
	}
	if len(d.fits) == 1 && d.fits[0].folder {
		common += string(filepath.Separator)
	}
	if len(common) <= len(begun) {
		return ""
	}
	return filepath.Join(folder, "x")[:len(filepath.Join(folder, "x"))-1] + strings.ToValidUTF8(common, "")
}

// choose takes the path as it is, or says what is wrong with it.
func (d *fileDialog) choose() {
	folder, name := d.split()
	path := filepath.Join(folder, name)
	current := d.looks.begin()
	d.w.jobs.start(func(_ context.Context, post func(func())) {
		info, err := os.Stat(path)
		if d.ask.kind == fileToWrite && !d.listed(path) && (err != nil || !info.IsDir()) {
			path += d.ask.endings[0]
			info, err = os.Stat(path)
		}
		_, folderErr := os.Stat(folder)
		post(func() {
			if current() {
				d.judge(path, info, err, folderErr)
			}
		})
	})
}

// judge takes a path or not, by what is there.
func (d *fileDialog) judge(path string, info fs.FileInfo, err, folderErr error) {
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case errors.Is(folderErr, fs.ErrNotExist):
		d.say("There is no folder " + filepath.Dir(path) + ".")
	case errors.Is(err, fs.ErrPermission):
		d.say("You do not have permission to read " + path + ".")
	case err != nil && !missing:
		d.say(path + " is not a valid path: part of it is a file, or it is too long.")
	case d.ask.kind == folderToUse && !missing && !info.IsDir():
		d.say(filepath.Base(path) + " is a file, not a folder.")
	case d.ask.kind == folderToUse:
		d.end(path)
	case !missing && info.IsDir():
		d.enter(path)
		d.typed()
		d.w.win.Canvas().Focus(d.path)
	case d.ask.kind == fileToRead && missing && d.completed() != "":
		d.write(d.completed(), false)
	case d.ask.kind == fileToRead && missing:
		d.say("There is no file “" + filepath.Base(path) + "” in " + filepath.Dir(path) + ".")
	case d.ask.kind == fileToWrite && !missing && d.replace != path:
		d.replace = path
		d.say("A file with this name already exists. Replace overwrites it.")
		d.take.SetText("Replace")
	default:
		d.end(path)
	}
}

// files are the paths of the files that are listed.
func (d *fileDialog) files() (paths []string) {
	for _, f := range d.fits {
		if !f.folder {
			paths = append(paths, filepath.Join(d.folder, f.name))
		}
	}
	return paths
}

// end closes the dialog with a path, or with several.
func (d *fileDialog) end(paths ...string) {
	d.dialog.Hide()
	d.w.app.Preferences().SetString(prefVisited, filepath.Dir(paths[0]))
	if d.ask.several != nil {
		d.ask.several(paths)
		return
	}
	d.ask.chosen(paths[0])
}

// say shows a sentence below the path; empty for none.
func (d *fileDialog) say(sentence string) {
	d.said.SetText(sentence)
	if sentence == "" && d.replace != "" {
		d.replace = ""
		d.take.SetText(d.ask.confirm)
	}
}

// pathEntry is the entry of a fileDialog: Tab completes the path as far as it can,
// and the arrow down goes to the list.
type pathEntry struct {
	entry
	d *fileDialog
}

func (e *pathEntry) AcceptsTab() bool { return e.d.completed() != "" }

func (e *pathEntry) TypedKey(k *fyne.KeyEvent) {
	switch {
	case gaveEscape(e, k):
	case k.Name == fyne.KeyTab:
		e.d.write(e.d.completed(), false)
	case k.Name == fyne.KeyDown && len(e.d.fits) > 0:
		fyne.CurrentApp().Driver().CanvasForObject(e).Focus(e.d.list)
	default:
		e.Entry.TypedKey(k)
	}
}
