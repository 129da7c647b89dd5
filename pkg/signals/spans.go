package signals

import "strings"

// maxRuns bounds what is remembered of a paragraph that is full of unmatched backticks.
const maxRuns = 32

// spans follows code spans over the lines of a paragraph. By CommonMark a run of n backticks opens a span if a run
// of exactly n follows in the paragraph, and is plain text otherwise. So behind a run without a partner it is not known
// yet whether a token counts: it is held until the partner or the paragraph's end comes.
type spans struct {
	runs []int // lengths of the runs that have no partner so far
	held []held
}

type held struct {
	signal Signal
	runs   int // how many open runs stand before it
}

// mayEnclose tells whether a token at this place may turn out to be in a code span.
func (p *spans) mayEnclose() bool { return len(p.runs) > 0 }

func (p *spans) hold(s Signal) { p.held = append(p.held, held{s, len(p.runs)}) }

// line takes the next line of the paragraph and returns how many held signals it showed to be in a code span.
func (p *spans) line(text string) (mentions int) {
	for {
		i := strings.IndexByte(text, '`')
		if i < 0 {
			return mentions
		}
		n := run(text[i:])
		text = text[i+n:]
		mentions += p.meet(n)
	}
}

// meet takes a run of n backticks. Its partner is the first open run of that length: what lies between is code, whatever
// an earlier run turns out to be.
func (p *spans) meet(n int) (mentions int) {
	for i, open := range p.runs {
		if open != n {
			continue
		}
		p.runs = p.runs[:i]
		for len(p.held) > 0 && p.held[len(p.held)-1].runs > i {
			p.held = p.held[:len(p.held)-1]
			mentions++
		}
		return mentions
	}
	if len(p.runs) < maxRuns {
		p.runs = append(p.runs, n)
	}
	return 0
}

// end ends the paragraph and returns the held signals, which count now.
func (p *spans) end() (counted []Signal) {
	for _, h := range p.held {
		counted = append(counted, h.signal)
	}
	p.runs, p.held = p.runs[:0], p.held[:0]
	return counted
}
