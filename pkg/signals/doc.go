// Package signals knows the words by which an agent tells ralphex something, and finds them in its text.
//
// A word is a token of the form <<<RALPHEX:NAME>>>. It is a signal only where it stands alone on a line of the
// agent's own text; everywhere else it is a mention, which is counted and otherwise ignored. A signal is a claim:
// it can make ralphex look at the plan and the repository, it decides nothing by itself.
//
//	     text of the agent, cut anywhere
//	                │ Write          EndBlock: the line ends, the fence ends, a payload goes on
//	                ▼
//	┌──────────── line ────────────┐
//	│ in a fence, quote, code span,│──── token ───▶ Mentions
//	│ indented by 4, or with words │
//	└──────────────┬───────────────┘
//	     token alone on the line
//	               ├── ALL_TASKS_DONE, TASK_FAILED, … ───────────────▶ Signals
//	               └── QUESTION, PLAN_DRAFT ─▶ payload ─▶ line END ──▶ Signals (with payload or *PayloadError)
//
// # What counts
//
//   - Blanks around the token are allowed: up to three spaces before it, any number of spaces, tabs and a carriage
//     return behind it. Four spaces or a tab before it make an indented code block in Markdown, so that is a mention.
//   - Fences of ``` and ~~~ are recognized at any indentation and behind list markers, since agents put them into
//     lists. A fence ends at its closing line, at the end of its list item if it began on the item's first line,
//     or with the text block.
//   - A quote is a line that begins with ">". A code span may run over the lines of a paragraph.
//   - A token in bold, in quotation marks or with a full stop is not alone: a mention.
//   - A line of more than MaxLine bytes holds no signal; its tokens are mentions.
//
// # Payloads
//
// A payload begins behind the line of QUESTION or PLAN_DRAFT and ends before the first line that is END alone, by the
// same rule of blanks. Fences, quotes and other signals within a draft are the draft's text. A payload may be
// spread over several text blocks: a block's end closes an open line (with a newline, if it had none) and nothing else. JSON
// can hold no line that is a bare token, so any such line in a QUESTION shows that its END is missing; the
// question is then reported as malformed and the line is taken for what it is.
//
// Scanning costs memory for one line (MaxLine) and one payload (MaxPayload), whatever the agent prints.
package signals
