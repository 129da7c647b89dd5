package vcs

import (
	"errors"
	"slices"
	"strings"
)

// addAll brings the copied index up to the tree. Where git refuses (a file outside of a sparse checkout, a filter that is required and not
// there) it is asked once more for the same without filters and cones: the bytes are what a copy is for, and keepBytes puts them in as they are anyway.
func (s snapshotter) addAll() error {
	plain := []string{"-c", "core.safecrlf=false", "-c", "advice.addEmbeddedRepo=false"}
	_, err := s.git(append(plain, "add", "-A")...)
	if _, failed := errors.AsType[*CommandError](err); !failed || s.ctx.Err() != nil {
		return err
	}
	off, ferr := s.withoutFilters()
	if ferr != nil {
		return err
	}
	if _, again := s.git(slices.Concat(plain, off, []string{"add", "-A", "--sparse"})...); again != nil {
		return err
	}
	return nil
}

// withoutFilters are the options that switch every filter of the configuration off.
func (s snapshotter) withoutFilters() ([]string, error) {
	out, err := s.call(call{access: looks, args: []string{"config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|process|required)$`}})
	if err != nil && exitCode(err) != 1 { // 1: there is none
		return nil, err
	}
	var off []string
	for _, key := range split0(out) {
		value := ""
		if strings.HasSuffix(key, ".required") {
			value = "false"
		}
		off = append(off, "-c", key+"="+value)
	}
	return off, nil
}
