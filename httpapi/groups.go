package httpapi

import (
	"cmp"
	"slices"

	"github.com/otlptest/otlptest/query"
)

// group is the violations of one rule.
type group struct {
	Rule  string            `json:"rule"`
	Level query.Level       `json:"level"`
	Doc   string            `json:"doc,omitempty"`
	Count int               `json:"count"` // those that are not listed one by one included
	First []query.Violation `json:"first"`
}

// groupsOf groups violations, those that weigh most first, and then those that
// there are most of.
func groupsOf(found []query.Violation) []any {
	const shown = 5
	var groups []*group
	for _, v := range found {
		i := slices.IndexFunc(groups, func(g *group) bool { return g.Rule == v.Rule && g.Level == v.Level })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{Rule: v.Rule, Level: v.Level, Doc: v.Doc})
		}
		g := groups[i]
		g.Count += 1 + v.More
		if len(g.First) < shown {
			g.First = append(g.First, v)
		}
	}
	levels := []query.Level{query.LevelError, query.LevelWarning, query.LevelInfo}
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Or(
			cmp.Compare(slices.Index(levels, a.Level), slices.Index(levels, b.Level)),
			cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule, b.Rule))
	})
	return excerpt[*group]{items: groups}.each(asItIs[*group])
}
