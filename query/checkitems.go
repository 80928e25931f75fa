package query

import "fmt"

// NoLoss fails if an item was lost, as [ItemCounts] has it: C-13 wants that
// data which cannot be delivered is recorded, and this is the data. What a
// partial success refused and what is unacknowledged is not lost; where that
// must not be either, use [AllDelivered]. It has nothing to check where no item
// was sent.
func NoLoss() Check {
	return func(r Report) error {
		return r.checkItems("NoLoss", ItemCounts.lost, account.lost, "lost", "none")
	}
}

// AllDelivered fails if an item was never stored: lost, refused by a partial
// success, or unacknowledged. It has nothing to check where no item was sent.
func AllDelivered() Check {
	return func(r Report) error {
		undelivered := func(c ItemCounts) int { return c.Sent - c.Delivered }
		never := func(a account, _ bool) bool { return !a.was(stored) }
		return r.checkItems("AllDelivered", undelivered, never, "not delivered", "each of them stored")
	}
}

// NoDuplicates fails if a span was stored again after it had been
// acknowledged. A duplicate that came after an attempt without an
// acknowledgement is legal (C-43): [Report.Items] and [Report.String] report
// it, and this check does not fail for it; [DeliveredOnce] does. Of points and
// log records no duplicate is proven, so it has nothing to check where no item
// is a span.
func NoDuplicates() Check {
	return func(r Report) error {
		const name = "NoDuplicates"
		if r.ItemsOf(Traces).Sent == 0 {
			return nothing(name, "no span was sent, and only spans have ids that prove a duplicate")
		}
		illegal := func(c ItemCounts) int { return c.IllegalDuplicates }
		again := func(a account, _ bool) bool { return a.was(repeated) }
		return r.checkItems(name, illegal, again, "stored again after an acknowledgement", "each once")
	}
}

// DeliveredOnce is the strict form of [NoDuplicates]: it fails for legal
// duplicates, too (C-43), and of every signal. A backend that loses no
// acknowledgement sees none from a good client. It has nothing to check where
// no item was delivered.
func DeliveredOnce() Check {
	return func(r Report) error {
		const name = "DeliveredOnce"
		if c := r.Items(); c.Sent > 0 && c.Delivered == 0 {
			return nothing(name, "no item was delivered")
		}
		all := func(c ItemCounts) int { return c.LegalDuplicates + c.IllegalDuplicates }
		twice := func(a account, _ bool) bool { return a.was(duplicated) }
		return r.checkItems(name, all, twice, "stored more than once", "each once")
	}
}

func (c ItemCounts) lost() int { return c.Lost }

// checkItems fails if there are items that something bad is true of. It names
// the last exports that carried them.
func (r Report) checkItems(name string, count func(ItemCounts) int, bad func(a account, answered bool) bool, what, want string) error {
	c := r.Items()
	if c.Sent == 0 {
		return nothing(name, "no item was sent")
	}
	n := count(c)
	if n == 0 {
		return nil
	}
	l := r.ledger()
	var last []int
	for _, a := range l.items().list {
		if e := &l.exports[a.last]; bad(a, e.answered()) {
			last = append(last, e.Number)
		}
	}
	got := fmt.Sprintf("%d of %s %s, last in %s", n, r.signal().Count(c.Sent), what, exportList(last))
	return failure(name, got, want, nil)
}
