package convert

import (
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/plan"
)

// state reads the mark of a box. What a plan can't say is a loss.
func (s *Source) state(it *Item, k *block) {
	switch k.mark {
	case "x", "X", "✓", "✔", "✅":
		it.State = plan.BoxChecked
	case "-":
		it.State = plan.BoxSkipped
	case "~":
		it.State = plan.BoxManual
	case " ", "":
		it.State = plan.BoxOpen
		if len(k.text) > 8 && strings.EqualFold(k.text[:8], "(manual)") {
			it.State = plan.BoxManual
		}
	default:
		it.State = plan.BoxOpen
		s.lose(it.Origin.Path, it.Origin.Line, "["+k.mark+"] "+k.text, "a mark that a plan does not have; the box is open")
	}
}

var idShape = lazyregexp.New(`^\**((?:[A-Z]{1,6}-?\d+|\d+\.\d+)(?:\.\d+)*[a-z]?)\**[.):]?\**(?:\s|$)`)

// withoutMark is a text without the words for what a person does, or nobody.
func withoutMark(text string) string {
	for _, m := range []string{"(manual) ", "(skipped) "} {
		if len(text) > len(m) && strings.EqualFold(text[:len(m)], m) {
			return text[len(m):]
		}
	}
	return text
}

// leadingID is the identifier that a text begins with: T001, 1.2, T1.3, ABC-12. A bare number is none.
func leadingID(text string) string {
	if m := idShape.FindStringSubmatch(withoutMark(text)); m != nil {
		return m[1]
	}
	return ""
}

var (
	numberedHeading = lazyregexp.New(`^(\d+(?:\.\d+)*)[.):]\s+(.*)$`)
	dottedHeading   = lazyregexp.New(`^(\d+(?:\.\d+)+)\s+(.*)$`)
	taskHeading     = lazyregexp.New(`^\**(\pL+)\s+([0-9A-Za-z][0-9A-Za-z.]*)\**\s*(?:[:：.)]|\s-|\s–|\s—|$)\**\s*(.*?)\**$`)
)

// taskWords are what a task is called in plans of several languages.
var taskWords = map[string]bool{
	"task": true, "iteration": true, "задача": true, "задание": true, "итерация": true, "tarea": true, "tarefa": true, "aufgabe": true,
	"tâche": true, "compito": true, "attività": true, "taak": true, "zadanie": true, "úkol": true, "görev": true, "завдання": true,
	"タスク": true, "任务": true, "任務": true, "작업": true,
}

// isTaskHeading reads `Task 3: title`, in any language.
func isTaskHeading(text string) (word, id, title string, ok bool) {
	m := taskHeading.FindStringSubmatch(text)
	if m == nil || !taskWords[strings.ToLower(m[1])] || !strings.ContainsAny(m[2], "0123456789") {
		return "", "", "", false
	}
	return m[1], m[2], m[3], true
}

// headingID takes the number off a heading. The keyword of a task becomes the English one.
func (s *Source) headingID(text string) (id, title string) {
	if word, id, title, ok := isTaskHeading(text); ok {
		s.Counted = append(s.Counted, words(word)...)
		return id, title
	}
	for _, re := range []*lazyregexp.Regexp{numberedHeading, dottedHeading} {
		if m := re.FindStringSubmatch(text); m != nil {
			return m[1], m[2]
		}
	}
	return "", text
}

var dependsShape = lazyregexp.New(`(?i)\b(?:depends on|depends|dependencies|depend on|blocked by)\b:?\s*((?:(?:and|,|&|/|;|#)?\s*\**(?:task\s+)?(?:[A-Z]{1,6}-?\d+|\d+\.\d+|#\d+)(?:\.\d+)*\**\s*)+)`)

var idInList = lazyregexp.New(`[A-Z]{1,6}-?\d+(?:\.\d+)*|\d+(?:\.\d+)+`)

// dependsIn finds the ids that a text says it depends on.
func dependsIn(text string) []string {
	var out []string
	for _, m := range dependsShape.FindAllStringSubmatch(text, -1) {
		out = append(out, idInList.FindAllString(m[1], -1)...)
	}
	return out
}

// sectionWords say where prose belongs, by words of its heading.
var sectionWords = []struct {
	name  SectionName
	words []string
}{
	{Overview, []string{"overview", "summary", "goal", "goals", "why", "motivation", "purpose", "objective", "description", "problem", "what changes", "introduction", "user story", "feature", "обзор", "цель", "resumen", "überblick", "ziel", "概要", "概述", "目标"}},
	{Testing, []string{"testing strategy", "test strategy", "testing", "test plan", "how to test", "teststrategie", "тестирование"}},
	{Approach, []string{"development approach", "approach", "implementation strategy", "guidelines", "conventions", "constraints", "definition of done"}},
	{Progress, []string{"progress tracking", "progress"}},
	{Technical, []string{"technical details", "technical", "design", "architecture", "decisions", "data model", "api", "components", "technical context", "project structure", "file map", "requirements", "specification"}},
	{After, []string{"post-completion", "post completion", "follow-up", "follow up", "follow-on", "after", "next steps", "out of scope", "future work", "rollout"}},
}

// sectionOf says where the prose of a part belongs: by its heading, or that of a part around it.
func (o *outline) sectionOf(i int) SectionName {
	p := &o.parts[i]
	if p.level == 0 {
		return Overview
	}
	for {
		name := strings.ToLower(strings.Trim(p.text, " :*#"))
		for _, s := range sectionWords {
			for _, w := range s.words {
				if name == w || strings.HasPrefix(name, w+" ") || strings.HasPrefix(name, w+":") {
					return s.name
				}
			}
		}
		if p.parent < 0 {
			return Context
		}
		p = &o.parts[p.parent]
	}
}

// genericHeadings only say that tasks follow.
var genericHeadings = map[string]bool{
	"tasks": true, "task list": true, "implementation steps": true, "implementation plan": true, "implementation tasks": true,
	"todo": true, "todos": true, "to do": true, "steps": true, "checklist": true, "plan": true, "задачи": true, "tareas": true, "aufgaben": true, "タスク": true, "任务": true,
}

// taskLine is a heading of a task.
var taskLine = lazyregexp.New(`(?m)^\s{0,3}#{2,4}\s*(?i:task|iteration|задача|задание|tarea|tarefa|aufgabe|tâche|タスク|任务|任務|작업)\s+[0-9][0-9A-Za-z.]*\s*[:：.\s–—-]`)
