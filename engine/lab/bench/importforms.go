package bench

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"cairn/engine/lab/synth"
)

// conversion makes a form of a text: a table in another file, or a packed file.
type conversion struct {
	name, from, file string
	convert          func(ctx context.Context, in *os.File, out io.Writer, path string) error
}

var conversions = []conversion{
	{"xlsx", "csv-properties", "graph.xlsx", toWorkbook},
	{"ods", "csv-properties", "graph.ods", toOpenDocument},
	{"parquet", "csv-properties", "graph.parquet", toParquet},
	{"sqlite", "csv-properties", "graph.db", toDatabase},
	{"ntriples.gz", "ntriples", "graph.nt.gz", func(_ context.Context, in *os.File, out io.Writer, _ string) error {
		return pack(in, gzip.NewWriter(out))
	}},
	{"ntriples.zst", "ntriples", "graph.nt.zst", func(_ context.Context, in *os.File, out io.Writer, _ string) error {
		w, err := zstd.NewWriter(out)
		if err != nil {
			return err
		}
		return pack(in, w)
	}},
	{"ntriples.zip", "ntriples", "graph.zip", func(_ context.Context, in *os.File, out io.Writer, _ string) error {
		z := zip.NewWriter(out)
		w, err := z.Create("graph.nt")
		if err != nil {
			return err
		}
		_, err = io.Copy(w, in)
		return errors.Join(err, z.Close())
	}},
	{"ntriples.tar.gz", "ntriples", "graph.tar.gz", func(_ context.Context, in *os.File, out io.Writer, _ string) error {
		info, err := in.Stat()
		if err != nil {
			return err
		}
		packed := gzip.NewWriter(out)
		t := tar.NewWriter(packed)
		err = t.WriteHeader(&tar.Header{Name: "graph.nt", Mode: 0o644, Size: info.Size()})
		if err == nil {
			_, err = io.Copy(t, in)
		}
		return errors.Join(err, t.Close(), packed.Close())
	}},
}

func pack(in io.Reader, out io.WriteCloser) error {
	_, err := io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// ImportForms lists the forms that Imports measures.
func ImportForms() []string {
	names := synth.Forms()
	for _, c := range conversions {
		names = append(names, c.name)
	}
	return names
}

// writeImportForm writes a world in a form, and returns the files and the lines of text.
func writeImportForm(ctx context.Context, w *synth.World, form, dir string) (files []string, lines int, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, 0, err
	}
	at := slices.IndexFunc(conversions, func(c conversion) bool { return c.name == form })
	if at < 0 {
		return w.WriteForm(ctx, form, dir)
	}
	c := conversions[at]
	files, lines, err = w.WriteForm(ctx, c.from, dir)
	if err != nil {
		return nil, 0, err
	}
	in, err := os.Open(files[0])
	if err != nil {
		return nil, 0, err
	}
	path := filepath.Join(dir, c.file)
	out, err := os.Create(path)
	if err != nil {
		return nil, 0, errors.Join(err, in.Close())
	}
	err = c.convert(ctx, in, out, path)
	return []string{path}, lines, errors.Join(err, out.Close(), in.Close(), os.Remove(files[0]))
}

// rowsOf gives the rows of a table, the header first.
func rowsOf(in io.Reader, row func(n int, cells []string) error) error {
	r := csv.NewReader(in)
	for n := 1; ; n++ {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = row(n, cells)
		}
		if err != nil {
			return err
		}
	}
}

func toWorkbook(_ context.Context, in *os.File, out io.Writer, _ string) error {
	f := excelize.NewFile()
	defer f.Close()
	s, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		return err
	}
	err = rowsOf(in, func(n int, cells []string) error {
		values := make([]any, len(cells))
		for i, c := range cells {
			values[i] = c
		}
		return s.SetRow(fmt.Sprintf("A%d", n), values)
	})
	if err = errors.Join(err, s.Flush()); err != nil {
		return err
	}
	return f.Write(out)
}

func toOpenDocument(_ context.Context, in *os.File, out io.Writer, _ string) error {
	z := zip.NewWriter(out)
	kind, err := z.CreateHeader(&zip.FileHeader{Name: "mimetype"}) // stored, as the format asks
	if err != nil {
		return err
	}
	if _, err := io.WriteString(kind, "application/vnd.oasis.opendocument.spreadsheet"); err != nil {
		return err
	}
	content, err := z.Create("content.xml")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(content) // keeps errors until Flush
	const urn = "urn:oasis:names:tc:opendocument:xmlns:"
	fmt.Fprintf(w, `<office:document-content xmlns:office="%[1]soffice:1.0" xmlns:table="%[1]stable:1.0" xmlns:text="%[1]stext:1.0"><office:body><office:spreadsheet><table:table table:name="One">`, urn)
	err = rowsOf(in, func(_ int, cells []string) error {
		fmt.Fprint(w, "<table:table-row>")
		for _, c := range cells {
			fmt.Fprintf(w, "<table:table-cell><text:p>%s</text:p></table:table-cell>", html.EscapeString(c))
		}
		fmt.Fprintln(w, "</table:table-row>")
		return nil
	})
	fmt.Fprint(w, "</table:table></office:spreadsheet></office:body></office:document-content>")
	return errors.Join(err, w.Flush(), z.Close())
}

func toParquet(_ context.Context, in *os.File, out io.Writer, _ string) error {
	type edge struct {
		Source   string `parquet:"source"`
		Relation string `parquet:"relation"`
		Target   string `parquet:"target"`
		Since    string `parquet:"since"`
		Share    string `parquet:"share"`
	}
	w := parquet.NewGenericWriter[edge](out)
	err := rowsOf(in, func(n int, c []string) error {
		if n == 1 {
			return nil
		}
		_, err := w.Write([]edge{{c[0], c[1], c[2], c[3], c[4]}})
		return err
	})
	return errors.Join(err, w.Close())
}

func toDatabase(ctx context.Context, in *os.File, _ io.Writer, path string) (err error) {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, "CREATE TABLE edges (source TEXT, relation TEXT, target TEXT, since TEXT, share TEXT)"); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO edges VALUES (?, ?, ?, ?, ?)")
	if err == nil {
		err = rowsOf(in, func(n int, c []string) error {
			if n == 1 {
				return nil
			}
			_, err := insert.ExecContext(ctx, c[0], c[1], c[2], c[3], c[4])
			return err
		})
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
