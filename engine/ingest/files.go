package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"cairn/engine/kg"
)

// fileSet is what one import reads: files, or what is in them.
type fileSet struct {
	files   []*source
	parts   []*source
	formats []Format // of the parts
	leftOut []string // parts that are not read, each with the reason
	only    string   // the file that is read, where the others are only looked at
}

// openFiles opens files and looks into those that hold others.
func openFiles(ctx context.Context, paths []string, o *Options) (*fileSet, error) {
	fs := &fileSet{}
	for _, path := range paths {
		f, err := openFile(path)
		if err == nil {
			err = fs.add(ctx, f, o)
		}
		if err != nil {
			fs.close()
			return nil, err
		}
	}
	return fs, nil
}

// add adds a file, and closes it with the set.
func (fs *fileSet) add(ctx context.Context, f *source, o *Options) error {
	fs.files = append(fs.files, f)
	x, err := f.expand(ctx, o)
	if err != nil {
		return err
	}
	fs.leftOut = append(fs.leftOut, x.leftOut...)
	for _, p := range x.parts {
		if x.archive {
			inner, err := p.expand(ctx, o)
			switch {
			case err != nil && !left(err):
				return err
			case err != nil:
				fs.leave(p, err)
				continue
			case inner.archive:
				fs.leftOut = append(fs.leftOut, p.file+": it is an archive inside an archive; unpack it")
				continue
			}
			fs.files = append(fs.files, p)
			fs.parts, fs.leftOut = append(fs.parts, inner.parts...), append(fs.leftOut, inner.leftOut...)
			continue
		}
		fs.parts = append(fs.parts, p)
	}
	if len(fs.parts) == 0 {
		return f.empty()
	}
	return nil
}

func (fs *fileSet) close() {
	for _, all := range [][]*source{fs.parts, fs.files} { // what is in a file first
		for _, s := range slices.Backward(all) {
			s.stop()
		}
	}
	for _, s := range slices.Backward(fs.files) {
		s.close()
	}
}

// left reports whether a member with this error is left out, where others can be read.
func left(err error) bool {
	return errors.Is(err, ErrBinary) || errors.Is(err, ErrEmpty) || errors.Is(err, ErrFormat) && !errors.Is(err, ErrColumns)
}

// leave notes that a part is not read.
func (fs *fileSet) leave(p *source, err error) {
	why := err.Error()
	if refused, ok := errors.AsType[*kg.FileError](err); ok {
		why = refused.What
	}
	fs.leftOut = append(fs.leftOut, p.file+": "+why)
}

// sniff finds the format of each part. Members of a file that nobody can read are left
// out, unless there is nothing else. It returns the first format that the user should
// look at, or else the first, also beside an error.
func (fs *fileSet) sniff(ctx context.Context, o *Options) (Format, error) {
	if err := fs.openRecords(ctx, o); err != nil {
		return Format{}, err
	}
	var kept []*source
	var first error
	var beside []string
	for i := range fs.parts {
		beside = append(beside, fs.tableName(i))
	}
	for _, p := range fs.parts {
		own := o.of(p.file)
		p.beside = beside
		f, err := p.sniff(ctx, own)
		p.stop()
		f.File = p.file
		switch {
		case err != nil && p.inside && left(err):
			first = cmp.Or(first, err)
			fs.leave(p, err)
			continue
		case err != nil:
			return f, err
		}
		kept, fs.formats = append(kept, p), append(fs.formats, f)
	}
	if fs.parts = kept; len(kept) == 0 {
		return Format{}, first
	}
	if err := fs.again(ctx, o); err != nil {
		return Format{}, err
	}
	fs.namesLast()
	fs.join(o)
	if fs.only != "" {
		fs.keepOnly(fs.only)
	}
	if i := slices.IndexFunc(fs.formats, func(f Format) bool { return f.Unsure != "" }); i >= 0 {
		return fs.formats[i], nil
	}
	return fs.formats[0], nil
}

// again looks a second time at the tables whose columns others use, or that use others: alone, a
// table does not tell which of its columns is the key.
func (fs *fileSet) again(ctx context.Context, o *Options) error {
	if o.Kind != Auto || o.Reading != nil || o.Columns != (Columns{}) {
		return nil
	}
	uses := fs.uses()
	for i, p := range fs.parts {
		if uses[i] == nil {
			continue
		}
		p.uses = uses[i]
		f, err := p.sniff(ctx, o.of(p.file))
		p.stop()
		if f.File = p.file; err != nil {
			return err
		}
		fs.formats[i] = f
	}
	return nil
}

// keepOnly keeps the parts of one file.
func (fs *fileSet) keepOnly(file string) {
	fs.choose(func(i int) bool { return fs.parts[i].file == file || strings.HasPrefix(fs.parts[i].file, file+"/") })
}

// namesLast puts files of names after those of triples, for they name what is there.
func (fs *fileSet) namesLast() {
	isNames := func(i int) bool { return fs.formats[i].Kind == Labels }
	fs.choose(func(i int) bool { return !isNames(i) }, isNames)
}

// choose keeps the parts of which one of some conditions holds, in the order of these.
func (fs *fileSet) choose(conditions ...func(i int) bool) {
	var parts []*source
	var formats []Format
	for _, holds := range conditions {
		for i := range fs.parts {
			if holds(i) {
				parts, formats = append(parts, fs.parts[i]), append(formats, fs.formats[i])
			}
		}
	}
	fs.parts, fs.formats = parts, formats
}

// several reports whether the parts are told apart in what is read.
func (fs *fileSet) several() bool { return len(fs.parts) > 1 || fs.parts[0].inside }

// layer describes the whole. The hash of several files is that of their hashes.
func (fs *fileSet) layer(ctx context.Context, o *Options) (kg.Layer, error) {
	var l kg.Layer
	var names, paths, hashes []string
	for _, f := range fs.files {
		if f.inside {
			continue
		}
		h := "trial-of-the-beginning"
		if o.Rows == 0 {
			var err error
			if h, err = f.hash(ctx); err != nil {
				return l, err
			}
			f.stop()
		}
		names, paths, hashes = append(names, f.name), append(paths, f.file), append(hashes, h)
		f.sum = h
		l.Bytes += f.size
	}
	l.Name, l.File, l.Hash = strings.Join(names, ", "), strings.Join(paths, "\n"), hashes[0]
	if len(names) > 3 {
		l.Name = names[0] + ", " + names[1] + " and " + itoa(int64(len(names)-2)) + " more"
	}
	if len(hashes) > 1 {
		sum := sha256.Sum256([]byte(strings.Join(hashes, "\n")))
		l.Hash = hex.EncodeToString(sum[:])
	}
	var mappings []string
	for i := range fs.formats {
		m := fs.formats[i].String()
		if fs.formats[i].format.rdf {
			m += ", languages " + strings.Join(o.Languages, " ")
		}
		mappings = kg.With(mappings, m)
	}
	if l.Mapping = strings.Join(mappings, "; "); o.Table != "" {
		l.Mapping += ", table " + o.Table
	}
	if o.Origin != "" {
		l.Mapping += ", " + o.Origin
	}
	return l, nil
}

// sumOf returns the hash of the file that a part is, or is in.
func (fs *fileSet) sumOf(p *source) string {
	for _, f := range fs.files {
		if f == p || strings.HasPrefix(p.file, f.file+"/") && f.sum != "" {
			return f.sum
		}
	}
	return ""
}

// size returns how many bytes all parts have; 0 where that is not known.
func (fs *fileSet) size() (sum int64) {
	for _, p := range fs.parts {
		if p.size == 0 && p.rows {
			return 0
		}
		sum += p.size
	}
	return sum
}

// changed returns a file to which somebody wrote while it was read, nil for none.
func (fs *fileSet) changed() *source {
	for _, f := range fs.files {
		if f.changed() {
			return f
		}
	}
	return nil
}
