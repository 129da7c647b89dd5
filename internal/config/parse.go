package config

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// set parses raw, as it stands in a file, and stores it in the key's field. An empty raw value clears
// the key: to its default or to the empty value, as the key says. The error has no place in it.
func (k Key) set(v *Values, raw string) error {
	if raw == "" && k.EmptyIsDefault {
		raw = k.Default
	}
	switch field := reflect.ValueOf(v).Elem().Field(k.index).Addr().Interface().(type) {
	case *bool:
		return k.setBool(field, raw)
	case *int:
		return k.setInt(field, raw)
	case *time.Duration:
		return k.setDuration(field, raw)
	case *[]string:
		return k.setList(field, raw)
	case *Model:
		name, effort, _ := strings.Cut(raw, ":")
		*field = Model{Name: strings.TrimSpace(name), Effort: strings.TrimSpace(effort)}
	case *float64:
		return setTo(field, raw, ParseDollars)
	case *Count:
		return setTo(field, raw, ParseCount)
	case *string:
		return k.setString(field, raw)
	}
	return nil
}

// refuseControls refuses what no person types into a setting, and what a terminal would obey where the value is shown.
func refuseControls(raw string) error {
	for _, r := range raw {
		if unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) {
			return fmt.Errorf("%q has the control character %U in it", raw, r)
		}
	}
	return nil
}

// show writes the key's value as one would write it in the file.
func (k Key) show(v *Values) string {
	switch field := reflect.ValueOf(v).Elem().Field(k.index).Interface().(type) {
	case time.Duration:
		if k.unit != 0 {
			return strconv.FormatInt(int64(field/k.unit), 10)
		}
		return field.String()
	case []string:
		return joinList(field)
	case float64:
		if field == 0 {
			return ""
		}
		return strconv.FormatFloat(field, 'f', -1, 64)
	default:
		return fmt.Sprint(field)
	}
}

// The words that the public ralphex takes for yes and no.
var (
	yes = []string{"1", "t", "T", "true", "TRUE", "True", "YES", "yes", "Yes", "y", "ON", "on", "On"}
	no  = []string{"0", "f", "F", "false", "FALSE", "False", "NO", "no", "No", "n", "OFF", "off", "Off"}
)

func (k Key) setBool(field *bool, raw string) error {
	switch {
	case slices.Contains(yes, raw):
		*field = true
	case slices.Contains(no, raw):
		*field = false
	default:
		return fmt.Errorf("%q is neither yes nor no; write true or false", raw)
	}
	return nil
}

// setTo stores what parse makes of raw; empty is none.
func setTo[T any](field *T, raw string, parse func(string) (T, error)) (err error) {
	var v T
	if raw != "" {
		v, err = parse(raw)
	}
	if err == nil {
		*field = v
	}
	return err
}

func (k Key) setInt(field *int, raw string) error {
	n, err := strconv.Atoi(raw)
	if err != nil {
		return fmt.Errorf("%q is not a whole number", raw)
	}
	if n < k.min {
		return fmt.Errorf("%d is too low, the lowest is %d", n, k.min)
	}
	*field = n
	return nil
}

func (k Key) setDuration(field *time.Duration, raw string) error {
	d, err := k.parseDuration(raw)
	if err != nil {
		return err
	}
	if d < 0 {
		return fmt.Errorf("must be non-negative, got %s", raw)
	}
	if d == 0 && k.zeroIsDefault && k.Default != raw {
		return k.setDuration(field, k.Default)
	}
	*field = d
	return nil
}

func (k Key) parseDuration(raw string) (time.Duration, error) {
	if k.unit == 0 {
		d, err := time.ParseDuration(raw)
		if err != nil {
			return 0, fmt.Errorf("%q is not a duration; write one like 90s, 30m or 1h30m", raw)
		}
		return d, nil
	}
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil || n > int64(1<<62)/int64(k.unit) || n < -int64(1<<62)/int64(k.unit) {
		return 0, fmt.Errorf("%q is not a number of milliseconds", raw)
	}
	return time.Duration(n) * k.unit, nil
}

var colour = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

func (k Key) setString(field *string, raw string) error {
	switch {
	case raw == "":
	case len(k.Choices) > 0 && !slices.Contains(k.Choices, raw):
		return k.notOneOf(raw)
	case k.Type == "colour" && !colour.MatchString(raw):
		return fmt.Errorf("%q is not a colour; write one like #2e8b57", raw)
	case raw == "none" && k.noneIsEmpty:
		raw = ""
	}
	*field = raw
	return nil
}

func (k Key) setList(field *[]string, raw string) error {
	list := splitList(raw)
	if list == nil {
		list = []string{} // cleared, which is not the same as never set
	}
	if len(k.Choices) > 0 {
		for i, item := range list {
			list[i] = strings.ToLower(item)
			if !slices.Contains(k.Choices, list[i]) {
				return k.notOneOf(item)
			}
		}
	}
	*field = list
	return nil
}

func (k Key) notOneOf(raw string) error {
	err := fmt.Sprintf("%q is not one of %s", raw, strings.Join(k.Choices, ", "))
	if near := nearest(raw, k.Choices); near != "" {
		err += fmt.Sprintf("; did you mean %s?", near)
	}
	return errors.New(err)
}

// splitList splits a comma-separated list. `\,` is a comma within an item.
func splitList(raw string) []string {
	var list []string
	var item strings.Builder
	flush := func() {
		if s := strings.TrimSpace(item.String()); s != "" {
			list = append(list, s)
		}
		item.Reset()
	}
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] == '\\' && i+1 < len(raw) && raw[i+1] == ',':
			item.WriteByte(',')
			i++
		case raw[i] == ',':
			flush()
		default:
			item.WriteByte(raw[i])
		}
	}
	flush()
	return list
}

// joinList is the inverse of splitList.
func joinList(list []string) string {
	escaped := make([]string, len(list))
	for i, item := range list {
		escaped[i] = strings.ReplaceAll(item, ",", `\,`)
	}
	return strings.Join(escaped, ",")
}
