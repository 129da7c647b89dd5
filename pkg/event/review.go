package event

// Stage is a part of the pipeline, as `--from` names it. Several stages may show the same Phase.
type Stage string

// The stages, in their order.
const (
	StageNone     Stage = ""
	StageTasks    Stage = "tasks"
	StageReview   Stage = "review"   // first pass and loop
	StageExternal Stage = "external" // another tool, and the evaluation of what it finds
	StageReview2  Stage = "review2"  // the loop behind an external review that changed something
	StageFinalize Stage = "finalize"
)

// Stages are all stages, in their order.
var Stages = []Stage{StageTasks, StageReview, StageExternal, StageReview2, StageFinalize}

// The facts of reviews.
type (
	// Finding is what a reviewer named, or what became of it. Facts with the same ID are about the same finding; the newest one holds.
	Finding struct {
		What        string `json:"what"` // found: a reviewer named it; settled: its disposition is another one
		ID          string `json:"id"`   // fingerprint of file and text: a moved line is the same finding
		File        string `json:"file"`
		Line        int    `json:"line,omitempty"`
		EndLine     int    `json:"end_line,omitempty"`
		Also        []int  `json:"also,omitempty"`     // further lines of which the same is said
		Severity    string `json:"severity,omitempty"` // critical, major, minor, info; empty = not said
		Text        string `json:"text"`
		Source      string `json:"source,omitempty"`   // who named it: "quality", "claude", "codex", "ralphex"
		Reviewer    string `json:"reviewer,omitempty"` // whose round it was
		Rule        string `json:"rule,omitempty"`     // of a finding of ralphex's own: "test-weakening"
		Disposition string `json:"disposition"`        // open, fixed, refuted
		Reason      string `json:"reason,omitempty"`
		Commit      string `json:"commit,omitempty"` // of one that is fixed: the revision that touched the file
		Stage       Stage  `json:"stage,omitempty"`
		Series      string `json:"series,omitempty"` // rounds of one series are compared with each other: a stage, or "ralphex"
		Round       int    `json:"round"`            // 0 = first pass
	}
	// Opinion is what an external tool said, before it is judged: who is killed meanwhile does not ask the tool once more.
	Opinion struct {
		Stage    Stage  `json:"stage"`
		N        int    `json:"n"` // of its round
		Reviewer string `json:"reviewer"`
		Head     string `json:"head,omitempty"` // that it looked at
		Text     string `json:"text"`
	}
	// ReviewRound closes a round of a review: one session of a reviewer, or an external tool and the evaluation of what it said.
	ReviewRound struct {
		Stage    Stage       `json:"stage"`
		N        int         `json:"n"`        // 0 = first pass
		Reviewer string      `json:"reviewer"` // whose findings they are
		Found    int         `json:"found"`
		New      int         `json:"new"`
		Returned int         `json:"returned,omitempty"`
		Changed  bool        `json:"changed,omitempty"` // HEAD or the tree is another than before
		Red      bool        `json:"red,omitempty"`     // the validation commands are red behind it
		Result   RoundResult `json:"result"`
		Head     string      `json:"head,omitempty"`  // behind it
		Words    string      `json:"words,omitempty"` // how the evaluation ended, for the next round; at most 8 KiB
	}
)

// RoundResult is how a round of a review ended, and what follows from that.
type RoundResult string

// The results of a round.
const (
	RoundAgain       RoundResult = "again"       // it changed something: another round follows
	RoundClean       RoundResult = "clean"       // the reviewer has nothing to say, and changed nothing
	RoundUnchanged   RoundResult = "unchanged"   // it changed nothing: another one would see the same
	RoundSame        RoundResult = "same"        // it named what the round before had named
	RoundStalemate   RoundResult = "stalemate"   // tool and evaluation don't agree, and nothing changes
	RoundNoOutput    RoundResult = "no_output"   // the tool said nothing at all
	RoundTimeout     RoundResult = "timeout"     // the session was cut off
	RoundFailed      RoundResult = "failed"      // the session went wrong, or said that it can't do it
	RoundInterrupted RoundResult = "interrupted" // a person ended it
)

// Unknown is what is not known of a stage that was ended before it was through.
func (s Stage) Unknown() string {
	if s == StageFinalize {
		return "how far it came is not known"
	}
	return "what it would have found is not known"
}
