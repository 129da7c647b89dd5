package view

import (
	"maps"
	"slices"
	"strings"
	"time"

	"ralphex/pkg/event"
)

// dollars is what a session cost.
type dollars struct {
	list  float64 // at list price; 0 where the agent reported some
	known bool
	share map[string]float64 // of list, by model; nil = the session is one model's
}

// price finds the dollars of a session: those that the agent reported, else those of the list.
func (s *State) price(one *Session) {
	one.cost = dollars{}
	switch {
	case one.Usage.CostUSD > 0:
		one.cost.known = true
	case one.Usage == (event.Usage{}) || s.meta.Price == nil:
	default:
		if usd, known := s.meta.Price(one.Model, one.Usage, one.models); known {
			one.cost.list, one.cost.known = usd, true
			one.cost.share = map[string]float64{}
			for name, u := range one.models {
				one.cost.share[name], _ = s.meta.Price(name, u, nil)
			}
		}
	}
	one.CostUSD, one.ListUSD, one.Priced = one.Usage.CostUSD, one.cost.list, one.cost.known
}

// spending is what the sessions of a run used up that ended, all in all.
type spending struct {
	total   CostRow
	phases  []CostRow
	models  []CostRow
	points  []SpendPoint
	skipped int // points that were left out since the newest one
	every   int // of so many points one is kept; 0 = 1
}

func (p *spending) clone() spending {
	c := *p
	c.phases, c.models, c.points = slices.Clone(p.phases), slices.Clone(p.models), slices.Clone(p.points)
	return c
}

// add takes a session. A session counts even if it used up nothing that is known.
func (p *spending) add(one *Session) {
	p.total.add(one.Elapsed, one.Usage, one.cost.list, one.cost.known)
	rowOf(&p.phases, string(one.Phase)).add(one.Elapsed, one.Usage, one.cost.list, one.cost.known)
	if len(one.models) == 0 {
		name := one.Model
		if name == "" {
			name = "unknown (" + one.Executor + ")"
		}
		rowOf(&p.models, name).add(one.Elapsed, one.Usage, one.cost.list, one.cost.known)
		return
	}
	p.addShares(one)
}

// addShares spreads a session over its models. What the agent reported for the whole of it, and for no model, is that of its only one.
func (p *spending) addShares(one *Session) {
	rest := one.Usage.CostUSD
	for _, name := range slices.Sorted(maps.Keys(one.models)) {
		rest -= one.models[name].CostUSD
	}
	for _, name := range slices.Sorted(maps.Keys(one.models)) {
		u := one.models[name]
		if len(one.models) == 1 {
			u.CostUSD = event.SumUSD(u.CostUSD, max(0, rest))
		}
		rowOf(&p.models, name).add(one.Elapsed, u, one.cost.share[name], one.cost.known)
	}
	slices.SortStableFunc(p.models, func(a, b CostRow) int { return strings.Compare(a.Name, b.Name) })
}

func (r *CostRow) add(elapsed time.Duration, u event.Usage, list float64, known bool) {
	r.Sessions++
	r.Elapsed += elapsed
	r.Usage = r.Usage.Add(u)
	r.ListUSD = event.SumUSD(r.ListUSD, list)
	if !known && u.Tokens() > 0 {
		r.Unpriced++
	}
}

// rowOf finds or makes the row of a name.
func rowOf(rows *[]CostRow, name string) *CostRow {
	i := slices.IndexFunc(*rows, func(r CostRow) bool { return r.Name == name })
	if i < 0 {
		*rows = append(*rows, CostRow{Name: name})
		i = len(*rows) - 1
	}
	return &(*rows)[i]
}

// point notes what is used up by now. The newest point is always there; of the others, as many are kept as a plot can show.
func (p *spending) point(at time.Time, one *Session) {
	now := SpendPoint{Time: at, Task: one.Task, Session: one.N, Tokens: p.total.Usage.Tokens() + one.Usage.Tokens(),
		USD: event.SumUSD(event.SumUSD(p.total.Usage.CostUSD, p.total.ListUSD), event.SumUSD(one.Usage.CostUSD, one.cost.list))}
	if p.skipped > 0 {
		p.points[len(p.points)-1] = now
	} else {
		p.points = append(p.points, now)
	}
	if p.skipped++; p.skipped >= max(p.every, 1) {
		p.skipped = 0
	}
	if len(p.points) > maxSpend {
		kept := p.points[:0]
		for i, point := range p.points {
			if i%2 == 0 {
				kept = append(kept, point)
			}
		}
		p.points, p.every = kept, max(p.every, 1)*2
	}
}
