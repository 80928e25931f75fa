package violations

import (
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/query"
)

// jsonChecks is the check that a departure belongs to, by its rule. All others
// are departures from JSON as such.
var jsonChecks = map[string]*Check{
	"S-32": jsonID, "S-33": jsonEnum, "S-35": jsonKey, "S-36": jsonInteger, "S-37": jsonOther,
}

// jsonWarnings is the check that a departure belongs to which is OTLP JSON all
// the same.
var jsonWarnings = map[string]*Check{"S-32": jsonEmptyID, "S-50": strindex}

// ofJSON is the departures of a body as violations.
func ofJSON(departures []otlpjson.Departure) []query.Violation {
	var list []query.Violation
	for _, d := range departures {
		v := jsonFinding(d.Rule, d.Path, d.Got, d.Want, d.Warning)
		if d.Rule == strindex.Rule {
			v = indexKey(v)
		}
		v.More = d.More
		list = append(list, v)
	}
	return list
}

func jsonFinding(rule, path, got, want string, warns bool) query.Violation {
	c := jsonChecks[rule]
	if warns {
		c = jsonWarnings[rule]
	}
	if c == nil {
		c = jsonOther
	}
	v := finding(c, got, want)
	v.Path = path
	return v
}

// indexKey is what protobuf's violation of the same kind would be: the key is
// in the path. A departure has the path of what has the key.
func indexKey(v query.Violation) query.Violation {
	key, err := strconv.Unquote(strings.TrimPrefix(v.Got, "the key "))
	if err == nil {
		v.Path, v.Got, v.Want = v.Path+"."+key, gotIndex, wantIndex
	}
	return v
}
