package vcs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// signature is who commits and when, as a commit object has it: "Name <mail> 1769677926 +0100". role is AUTHOR or COMMITTER.
// Without a name it is *IdentityError; git would make one up from the machine's, and so doesn't where user.useConfigOnly is set.
func (s *settings) signature(role string) (string, error) {
	cfg, certain := s.merged()
	if !certain {
		return "", needsGit("find out who commits", "the configuration includes other files, which only git follows")
	}
	pick := func(env, key string, more ...string) string {
		for _, v := range append([]string{s.env["GIT_"+role+"_"+env], cfg.Section(strings.ToLower(role)).Option(key), cfg.Section("user").Option(key)}, more...) {
			if v = plainName(v); v != "" {
				return v
			}
		}
		return ""
	}
	name, mail := pick("NAME", "name"), pick("EMAIL", "email", s.env["EMAIL"])
	if name == "" || mail == "" {
		return "", &IdentityError{Err: errors.New("user.name or user.email is not set")}
	}
	when, err := when(s.env["GIT_"+role+"_DATE"])
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s <%s> %s", name, mail, when), nil
}

// plainName takes out what would end a field of a commit object.
func plainName(s string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r == '<' || r == '>' || r == '\n' {
			return -1
		}
		return r
	}, s), " .,:;\"\\'\t\r")
}

// when reads "1769677926 +0100", with or without "@"; empty is now.
func when(date string) (string, error) {
	if date == "" {
		return stamp(time.Now()), nil
	}
	seconds, zone, ok := strings.Cut(strings.TrimPrefix(date, "@"), " ")
	_, err := strconv.ParseInt(seconds, 10, 64)
	_, zerr := time.Parse("-0700", zone)
	if !ok || err != nil || zerr != nil {
		return "", needsGit("read the date "+strconv.Quote(date), "only seconds and a zone are understood (1769677926 +0100)")
	}
	return seconds + " " + zone, nil
}

func stamp(t time.Time) string { return fmt.Sprintf("%d %s", t.Unix(), t.Format("-0700")) }
