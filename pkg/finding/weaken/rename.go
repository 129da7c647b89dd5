package weaken

// Rename is a file that has another name behind a change.
type Rename struct{ From, To string }

// Renames lists what a unified diff in Git's form tells as renamed, in its order.
func Renames(diff string) []Rename {
	var all []Rename
	for c := range changes(diff) {
		if c.old != "" && c.path != "" && c.old != c.path && !c.gone && !c.new {
			all = append(all, Rename{c.old, c.path})
		}
	}
	return all
}
