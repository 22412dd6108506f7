package kg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"cairn/engine/internal/beside"
)

// CheckReport is what Check found.
type CheckReport struct {
	Pages   int64    `json:"pages"` // of the file, each with its checksum
	Bytes   int64    `json:"bytes"`
	Damaged []Damage `json:"damaged"` // pages whose checksum is wrong, in order
	// Inconsistent says what SQLite's own check, which follows where no page is
	// damaged, has found; empty for nothing.
	Inconsistent string `json:"inconsistent,omitempty"`
}

// Sound reports whether nothing is damaged.
func (r *CheckReport) Sound() bool { return len(r.Damaged) == 0 && r.Inconsistent == "" }

// Check reads all of a graph's file and says what of it is damaged. The file must not
// be open in this process. progress, which may be nil, is told how far reading has
// come, in pages.
func Check(ctx context.Context, path string, progress func(done, total int64)) (CheckReport, error) {
	// Opening takes in what lies beside the file, and gives it checksums where it is
	// of an older version. What cannot be opened is looked at as it is.
	if st, err := OpenStore(ctx, path); err == nil {
		if err := st.Close(); err != nil {
			return CheckReport{}, err
		}
	} else if !errors.Is(err, ErrDamaged) {
		return CheckReport{}, err
	}
	p, closeFile, err := verifyPages(ctx, path, progress)
	if err != nil {
		return CheckReport{}, err
	}
	r := CheckReport{Pages: p.count, Bytes: p.count * int64(p.size), Damaged: []Damage{}}
	for _, d := range p.bad {
		r.Damaged = append(r.Damaged, *d)
	}
	slices.SortFunc(r.Damaged, func(a, b Damage) int { return int(a.Page - b.Page) })
	if err := closeFile(); err != nil || len(r.Damaged) > 0 {
		return r, err
	}
	st, err := OpenStore(ctx, path)
	if err == nil {
		err = errors.Join(st.Check(ctx), st.Close())
	}
	if errors.Is(err, ErrDamaged) {
		r.Inconsistent, err = err.Error(), nil
	}
	return r, endOr(ctx, err)
}

// verifyPages reads all pages of a file, which stays open until it is closed.
func verifyPages(ctx context.Context, path string, progress func(done, total int64)) (*pageFile, func() error, error) {
	const doing = "check"
	if sums := hasSums(path); !sums && checkMagic(path) != nil {
		return nil, nil, errBeginning(doing, path)
	} else if !sums {
		return nil, nil, &FileError{
			Doing: doing, Path: path, What: "an older version of Cairn wrote it without checksums",
			Remedy: "open it once where it is writable to add checksums",
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fileError(doing, path, err)
	}
	p, err := openPages(f)
	if err == nil {
		err = p.verify(ctx, progress)
	}
	if err != nil {
		return nil, nil, errors.Join(fileError(doing, path, endOr(ctx, err)), f.Close())
	}
	p.explain()
	return p, f.Close, nil
}

// ErrBeyondRepair is returned by Repair where it is not known what was written.
var ErrBeyondRepair = errors.New("not everything that is damaged can be repaired")

// Repair makes a sound file of a damaged one. It works on a copy, which takes the
// file's place when it is sound; the damaged file stays beside it, under the name
// that is returned. What more than single bits are wrong of is taken from the sources,
// where reread, which may be nil, can read them as they were. missed says what of the
// rest, such as history, could not be saved.
func Repair(ctx context.Context, path string, reread Reread, progress func(done, total int64)) (kept string, missed []string, err error) {
	const doing = "repair"
	if holds(path + "-wal") {
		return "", nil, &FileError{Doing: doing, Path: path, Kind: errBusy, What: "it is open in another program, or was not closed properly", Remedy: "close it there, then repair it"}
	}
	p, closeFile, err := verifyPages(ctx, path, progress)
	if err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, closeFile()) }()
	temp, err := p.mended(path)
	if err != nil {
		return "", nil, fileError(doing, path, err)
	}
	again := temp + "-again"
	defer func() { // what is in its place is gone from here
		for _, name := range []string{temp, again} {
			for _, more := range []string{"", "-wal", "-shm"} {
				_ = os.Remove(name + more)
			}
		}
	}()
	if len(p.right) < len(p.bad) {
		r := rebuilder{from: temp, into: again}
		for _, d := range p.bad {
			if !d.OneBit {
				r.lost = append(r.lost, *d)
			}
		}
		if missed, err = r.rebuild(ctx, reread); err != nil {
			return "", nil, endOr(ctx, err)
		}
		if err := os.Chmod(again, beside.Mode(path)); err != nil {
			return "", nil, fileError(doing, path, err)
		}
		temp, again = again, temp
	}
	if r, err := Check(ctx, temp, nil); err != nil || !r.Sound() {
		return "", nil, errors.Join(ErrBeyondRepair, endOr(ctx, err))
	}
	kept, err = keepDamaged(path)
	if err == nil {
		err = os.Rename(temp, path)
	}
	return kept, missed, fileError(doing, path, err)
}

// mended writes the pages as they were written to a new file beside path.
func (p *pageFile) mended(path string) (temp string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".cairn-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := io.Copy(f, io.NewSectionReader(p.r, 0, p.count*int64(p.size))); err != nil {
		return "", err
	}
	for n, right := range p.right {
		if _, err := f.WriteAt(right, (n-1)*int64(p.size)); err != nil {
			return "", err
		}
	}
	return f.Name(), errors.Join(f.Chmod(beside.Mode(path)), f.Sync())
}

// keepDamaged gives the file at path a second name.
func keepDamaged(path string) (kept string, err error) {
	for i := 1; ; i++ {
		kept = fmt.Sprintf("%s.damaged-%d", path, i)
		if _, err := os.Lstat(kept); err == nil {
			continue
		}
		if err = os.Link(path, kept); err != nil {
			err = os.Rename(path, kept) // a file system without links
		}
		return kept, err
	}
}
