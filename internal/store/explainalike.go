package store

import (
	"slices"
	"sort"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// maxAlike is how many keys that are alike are named.
const maxAlike = 2

// alikes is the attributes whose keys are most like one that is not there.
func alikes(attrs query.Attrs, key string) []query.KeyValue {
	type candidate struct {
		query.KeyValue
		like float64
	}
	var list []candidate
	for _, kv := range attrs {
		if like := alike(key, kv.Key); like >= 0.6 {
			list = append(list, candidate{kv, like})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].like > list[j].like })
	var found []query.KeyValue
	for _, c := range list[:min(maxAlike, len(list))] {
		found = append(found, c.KeyValue)
	}
	return found
}

// renamed is keys that the semantic conventions call otherwise now, where that
// cannot be seen by their words.
var renamed = map[string]string{
	"http.url":        "url.full",
	"http.target":     "url.path",
	"http.scheme":     "url.scheme",
	"http.client_ip":  "client.address",
	"net.peer.name":   "server.address",
	"net.host.name":   "server.address",
	"net.peer.port":   "server.port",
	"net.host.port":   "server.port",
	"db.statement":    "db.query.text",
	"db.operation":    "db.operation.name",
	"db.name":         "db.namespace",
	"http.user_agent": "user_agent.original",
}

// alike says how much two keys are alike, from 0 to 1.
func alike(a, b string) float64 {
	if renamed[a] == b || renamed[b] == a {
		return 1
	}
	x, y := words(a), words(b)
	if strings.Join(x, "") == strings.Join(y, "") || typo(a, b) {
		return 1
	}
	shared := 0
	for _, w := range x {
		if i := slices.Index(y, w); i >= 0 {
			shared++
			y = slices.Delete(slices.Clone(y), i, i+1)
		}
	}
	all := len(x) + len(words(b))
	if shared == min(len(x), len(words(b))) && shared > 0 {
		return max(0.6, 2*float64(shared)/float64(all)) // one has all of the other
	}
	return 2 * float64(shared) / float64(all)
}

// words is what a key is made of, in lower case: httpStatus.code is http,
// status and code.
func words(key string) []string {
	var b strings.Builder
	lower := false
	for _, r := range key {
		if r >= 'A' && r <= 'Z' && lower {
			b.WriteByte(' ')
		}
		lower = r >= 'a' && r <= 'z'
		if strings.ContainsRune("._-/:", r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	return strings.Fields(strings.ToLower(b.String()))
}

// typo says whether one key becomes the other by a letter more, less, another,
// or two that change places.
func typo(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	return i < len(a) && a[i+1:] == b[i+1:] || swapped
}
