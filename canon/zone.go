package canon

import (
	"archive/zip"
	"bytes"
	_ "embed" // for the zone rules below
	"io"
	"sync"
	"time"
)

// zoneinfo holds the IANA time zone database, release 2025c, compiled (public domain data).
//
// The rules are part of this package on purpose: time.LoadLocation prefers the files of the machine, and two servers
// with different files would put one instant into two buckets, hence give one operation two keys. A new release of the
// data is a change of identity for tools that use buckets, and is made knowingly, by replacing this file.
//
//go:embed zoneinfo.zip
var zoneinfo []byte

var zones struct {
	once   sync.Once
	files  map[string]*zip.File
	mu     sync.Mutex
	loaded map[string]*time.Location
}

// Zone finds a zone by its IANA name, in the data that is part of this package: the same on every server, whatever files
// its machine has.
func Zone(name string) (*time.Location, bool) { return loadZone(name) }

// loadZone finds a zone by its IANA name. There is no local zone and no empty name.
func loadZone(name string) (*time.Location, bool) {
	zones.once.Do(func() {
		zones.files = map[string]*zip.File{}
		zones.loaded = map[string]*time.Location{}
		archive, err := zip.NewReader(bytes.NewReader(zoneinfo), int64(len(zoneinfo)))
		if err != nil {
			panic("canon: the embedded time zone data cannot be read: " + err.Error())
		}
		for _, file := range archive.File {
			if !file.FileInfo().IsDir() {
				zones.files[file.Name] = file
			}
		}
	})
	zones.mu.Lock()
	defer zones.mu.Unlock()
	if location, ok := zones.loaded[name]; ok {
		return location, true
	}
	file, ok := zones.files[name]
	if !ok {
		return nil, false
	}
	content, err := file.Open()
	if err != nil {
		return nil, false
	}
	data, err := io.ReadAll(content)
	if err != nil {
		return nil, false
	}
	location, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil, false
	}
	zones.loaded[name] = location
	return location, true
}
