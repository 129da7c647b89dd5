package convert

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pieces are lines that mean something to some reader. Mixtures of them are nearer to what breaks readers than
// bytes at random.
var pieces = strings.Split(strings.Join(traps[:38], "\n")+`
# Title
## Tasks
## Context
## Validation Commands
### Task 2: two
### Задача 3: три
#### Details
####### seven
Text that goes on
and on, TBD.
**Goal:** all of it
> quoted - [ ] no
| [ ] | ??? |
    four blanks
	a tab
- `+"`go test ./...`"+`
- $ make
1. first
2) [x] second
- [ ] 1.1 one
- [x] 1.2 two (depends on 1.1)
- [ ] T001 [P] [US1] three
- [ ] T002 four, depends on T001
- [-] left out
- [~] for a person
- [ ] (manual) call
- [ ] write tests
- [ ] run project tests
* [X] star
+ plus
-
- [ ]
***
---
===
`+"```"+`
`+"```sh"+`
~~~
    `+"```"+`
<!-- comment
-->
<!-- whole -->
<details>
</pre>
<pre>
[a]: http://b
[x](y)
☐ ballot
_Requirements: 1.1_
FIXME
???
#hashtag
\# escaped
`, "\n")

// mixture makes a text of pieces at random indentations.
func mixture(r *rand.Rand) string {
	var b strings.Builder
	indent := 0
	for range 2 + r.IntN(14) {
		switch r.IntN(6) {
		case 0:
			indent = r.IntN(9)
		case 1:
			indent += 2
		case 2, 3:
			indent = 0
		}
		b.WriteString(strings.Repeat(" ", min(indent, 12)))
		b.WriteString(pieces[r.IntN(len(pieces))])
		b.WriteString([]string{"\n", "\n", "\n", "\n\n", "\r\n"}[r.IntN(5)])
	}
	return b.String()
}

// TestMixtures converts mixtures by each Markdown reader. RALPHEX_MIXTURES is how many, 300 without.
func TestMixtures(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("RALPHEX_MIXTURES"))
	if err != nil {
		n = 300
	}
	formats := []Format{"", OpenSpec, SpecKit, Kiro, Superpowers, Issue, PlanFormat, List, Prose}
	for i := range n {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		src := mixture(r)
		format := formats[r.IntN(len(formats))]
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			in := FromBytes("tasks.md", []byte(src))
			res, err := Convert(in, Options{From: format})
			if err != nil {
				require.True(t, expected(err), "%v\n%s", err, src)
				return
			}
			checkResult(t, in, res)
			checkTargets(t, in, res)
		})
	}
}
