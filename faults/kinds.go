package faults

import (
	"slices"
	"strings"
)

// row is what belongs to one kind of fault.
type row struct {
	kind  Kind
	args  []arg    // what stands behind its name in text, in this order
	also  uses     // the fields that it uses beside those, and beside timing
	needs []string // the JSON fields that it cannot do without; with | between those of which one is enough
}

// rows is every kind of fault, in the order in which errors list them.
var rows = []row{
	{kind: KindAccept, also: whole},

	{kind: KindUnavailable, also: refusal},
	{kind: KindThrottle, args: []arg{argDelay}, also: refusal | usesDated, needs: []string{"retryDelay"}},
	{kind: KindExhausted, args: []arg{argDelay}, also: refusal | usesDated, needs: []string{"retryDelay"}},
	{kind: KindReject, args: []arg{argMessage}, also: refusal},
	{kind: KindCode, args: []arg{argCode, argMessage}, also: refusal | retry, needs: []string{"code"}},
	{kind: KindHTTP, args: []arg{argStatus, argMessage}, also: whole | usesDetails | usesUnread | retry, needs: []string{"http"}},
	{kind: KindRedirect, args: []arg{argStatus, argLocation}, also: whole, needs: []string{"http"}},

	{kind: KindPartial, args: []arg{argRejected, argMessage}, also: whole, needs: []string{"rejected|where"}},
	{kind: KindNewer, also: whole},
	{kind: KindGarbage, also: usesClosing},
	{kind: KindTruncated, also: usesClosing},
	{kind: KindOversized, args: []arg{argSize}, also: whole, needs: []string{"size"}},
	{kind: KindTrailers, args: []arg{argSize}, also: whole, needs: []string{"size"}},
	{kind: KindEncoded, args: []arg{argEncoding}, also: whole, needs: []string{"type"}},
	{kind: KindRaw, args: []arg{argStatus, argType, argBody}, also: whole, needs: []string{"http", "type"}},

	{kind: KindCapacity, args: []arg{argCapacity}, also: usesClosing, needs: []string{"itemsPerSecond|maxInFlight"}},
	{kind: KindOld, also: usesClosing},

	{kind: KindHang, also: usesUnread},
	{kind: KindHalf},
	{kind: KindReset, also: usesUnread},
	{kind: KindClose, also: usesUnread},
	{kind: KindBlackhole, also: usesUnread},
	{kind: KindRST, args: []arg{argHTTP2}, also: usesUnread, needs: []string{"http2"}},
	{kind: KindGoAway, args: []arg{argLast, argHTTP2OrNone}, also: usesUnread, needs: []string{"last"}},
	{kind: KindDown, args: []arg{argFor}, also: usesUnread, needs: []string{"for"}},
}

func rowOf(k Kind) (row, bool) {
	if i := slices.IndexFunc(rows, func(r row) bool { return r.kind == k }); i >= 0 {
		return rows[i], true
	}
	return row{kind: k, args: []arg{argMessage}}, false
}

// uses is all the fields that faults of this kind can have.
func (r row) uses() uses {
	u := r.also | usesReadDelay | usesReadRate | usesDelay
	for _, a := range r.args {
		u |= a.uses()
	}
	return u
}

// kindNames is what a fault can begin with, for errors.
func kindNames() string {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = Fault{Kind: r.kind}.name()
	}
	return strings.Join(names, ", ")
}

// kindOf reads the name of a kind, which there may not be.
func kindOf(name string) Kind {
	if name == "accept" || name == "ok" {
		return KindAccept
	}
	return Kind(name)
}
