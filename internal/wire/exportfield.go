package wire

import (
	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Carrier is an origin of items that terms about exports can look at without
// making a query.Export. Of any other origin such terms hold for nothing.
type Carrier interface {
	query.Origin

	Protocol() query.Protocol
	Header(name string) []string // of a name in lower case
	Number() int                 // 0 before it has one
	Place() int64                // which of all exports since the start it is, from 1; greater than any other before it has one
	Outcome() query.Outcome
	Attempt() int // 0 where it is of no batch
}

const anything = everyItem | expr.Export

// Exported is an export as an item, which only terms about exports look at.
func Exported(origin query.Origin) *Item { return &Item{kind: expr.Export, origin: origin} }

// carried is a field of the export that brought the item.
func carried(it *Item, of func(Carrier) value) (value, bool) {
	c, ok := it.origin.(Carrier)
	if !ok {
		return value{}, false
	}
	return of(c), true
}

func carriedText[T ~string](it *Item, of func(Carrier) T) (value, bool) {
	return carried(it, func(c Carrier) value { return value{kind: query.KindString, raw: []byte(of(c))} })
}

func carriedNumber[T int | int64](it *Item, of func(Carrier) T) (value, bool) {
	return carried(it, func(c Carrier) value { return intValue(int64(of(c))) })
}

func protocolOf(it *Item, _ string) (value, bool) { return carriedText(it, Carrier.Protocol) }

func outcomeOf(it *Item, _ string) (value, bool) { return carriedText(it, Carrier.Outcome) }

func exportOf(it *Item, _ string) (value, bool) { return carriedNumber(it, Carrier.Number) }

func placeOf(it *Item, _ string) (value, bool) { return carriedNumber(it, Carrier.Place) }

func attemptOf(it *Item, _ string) (value, bool) { return carriedNumber(it, Carrier.Attempt) }

func someHeader(it *Item, name string, t test) bool {
	c, ok := it.origin.(Carrier)
	if !ok {
		return false
	}
	for _, v := range c.Header(name) {
		if t(value{kind: query.KindString, raw: []byte(v)}) {
			return true
		}
	}
	return false
}
