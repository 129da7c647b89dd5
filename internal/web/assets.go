package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed assets third_party
var embedded embed.FS

// page is where the only HTML lies.
const page = "index.html"

// kinds are the media types of what the page is made of. Nothing else is served: a file that is not listed is none of the page's.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".txt": "text/plain; charset=utf-8",
}

// asset is one embedded file.
type asset struct {
	kind string
	body []byte
	zip  []byte // packed; nil = that does not pay
	etag string
}

// assets are the embedded files by the path that they are served at. Looking up a name is all there is: no folder is listed, no path is walked.
type assets map[string]*asset

// loadAssets reads what is embedded.
func loadAssets(files fs.FS) (assets, error) {
	all := assets{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		kind, ok := kinds[path.Ext(name)]
		if err != nil || d.IsDir() || !ok {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		a := &asset{kind: kind, body: body, etag: `"` + hex.EncodeToString(sum[:12]) + `"`}
		if z := zipped(body); kind != "image/png" && len(z) < len(body) {
			a.zip = z
		}
		at := strings.TrimPrefix(name, "assets/")
		if at == page {
			all["/"] = a
			return nil
		}
		if path.Ext(at) == ".html" {
			return fmt.Errorf("%s: %s is the only page", name, page)
		}
		all["/static/"+at] = a
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the page's files: %w", err)
	}
	if all["/"] == nil {
		return nil, fmt.Errorf("read the page's files: there is no %s", page)
	}
	return all, nil
}

// serve answers with the file of a path.
func (a assets) serve(w http.ResponseWriter, r *http.Request) error {
	f := a[r.URL.Path]
	if f == nil {
		return NotFound("there is no %s", r.URL.Path)
	}
	h := w.Header()
	h.Set("ETag", f.etag)
	h.Set("Cache-Control", "no-cache") // asked for each time, and sent when it is another one
	h.Add("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == f.etag {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	body := f.body
	if f.zip != nil && takesGzip(r) {
		body = f.zip
		h.Set("Content-Encoding", "gzip")
	}
	return send(w, r, http.StatusOK, f.kind, body)
}
