// Package datadir says where a program's own data belongs for the user who runs it.
package datadir

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Path is the folder of the program's data, by the XDG base directory rules where they hold and by the system's custom
// elsewhere. It does not make the folder.
func Path(program string) (string, error) {
	return path(program, runtime.GOOS, os.Getenv, os.UserHomeDir)
}

func path(program, system string, env func(string) string, home func() (string, error)) (string, error) {
	// A relative path is ignored, as the XDG rules ask.
	if dir := env("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, program), nil
	}
	if system == "windows" {
		if dir := env("LocalAppData"); dir != "" {
			return filepath.Join(dir, program), nil
		}
	}
	dir, err := home()
	if err != nil || dir == "" {
		return "", errors.Join(errors.New("the user has no home folder; set XDG_DATA_HOME"), err)
	}
	switch system {
	case "windows":
		return filepath.Join(dir, "AppData", "Local", program), nil
	case "darwin", "ios":
		return filepath.Join(dir, "Library", "Application Support", program), nil
	}
	return filepath.Join(dir, ".local", "share", program), nil
}

// Make makes the folder, for its owner alone, and answers its path.
func Make(program string) (string, error) {
	dir, err := Path(program)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o700)
}
