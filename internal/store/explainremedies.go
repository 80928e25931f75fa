package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// remedies says what to do about the batches that hold items that would match,
// or of which that is not known, where not all of them arrived, and whether
// there are such.
func (s *Store) remedies(log []entry, x explainer) (hints []string, troubled bool) {
	exports := exportsOf(log)
	at := map[int]int{} // by number, which a Reset meanwhile may have changed
	for i, e := range exports {
		at[e.Number] = i
	}
	look := func(e query.Export) {
		held := log[at[e.Number]].rec.held(x.sig, x.all)
		unknown := e.Items == 0 || e.Outcome == query.Open
		if e.Signal != "" && e.Signal != x.sig || held == 0 && (!unknown || e.Acknowledged()) {
			return
		}
		troubled = true
		if hint := remedy(e); hint != "" && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	for _, b := range s.reportOf(log, exports).Batches {
		look(b.Attempts()[len(b.Attempts())-1])
	}
	for _, e := range exports {
		if e.Outcome == query.Malformed {
			look(e)
		}
	}
	return hints, troubled
}

// remedy says what to do about an export that did not arrive, where its line
// does not say so.
func remedy(e query.Export) string {
	switch {
	case e.Fault != query.FaultRef{}:
		return scripted(e)
	case e.Outcome == query.Abandoned:
		return fmt.Sprintf("the client gave up on export %d: its context was cancelled, or its timeout is too short", e.Number)
	case e.Outcome == query.Open:
		return fmt.Sprintf("export %d is not answered yet", e.Number)
	case e.Outcome == query.Malformed && e.Protocol == query.HTTPJSON && strings.Contains(e.Status.Message, "(S-3"):
		return "OTLP JSON has ids in hexadecimal digits and enumerations as numbers, other than what protojson makes of the messages"
	case e.Outcome == query.Partial || e.Outcome == query.Refused && e.Status.Code == invalidArgument && strings.Contains(e.Status.Message, " refused: "):
		return "WithStrict refuses what departs from OTLP: mend the exporter, or start the server without it"
	case e.Outcome != query.Refused:
		return ""
	}
	return refusal(e)
}

// scripted says what a fault means for what an export held.
func scripted(e query.Export) string {
	switch {
	case e.Outcome == query.Partial:
		return fmt.Sprintf("export %d was rejected in part, as scripted: clients do not send that part again", e.Number)
	case e.Outcome == query.Accepted:
		return fmt.Sprintf("export %d was acknowledged and dropped, as scripted", e.Number)
	case e.Outcome == query.Open:
		return fmt.Sprintf("export %d is not answered yet, as scripted, and what it holds is not stored before that", e.Number)
	case e.Outcome == query.Refused && !retryable(e.Status):
		return fmt.Sprintf("export %d was refused, as scripted, with a status that clients do not retry: what it held is lost", e.Number)
	}
	return fmt.Sprintf("export %d failed, as scripted, and has not been sent again: does the exporter retry, and was there time?", e.Number)
}

// retryable says whether a client sends again what got a status (C-01, C-06).
func retryable(s query.Status) bool {
	if s.HTTP != 0 {
		return slices.Contains([]int{429, 502, 503, 504}, s.HTTP)
	}
	return slices.Contains([]query.Code{cancelled, deadlineExceeded, exhausted, aborted, outOfRange, unavailable, dataLoss}, s.Code)
}

// The codes of gRPC that hints are about.
const (
	cancelled        query.Code = 1
	invalidArgument  query.Code = 3
	deadlineExceeded query.Code = 4
	exhausted        query.Code = 8
	aborted          query.Code = 10
	outOfRange       query.Code = 11
	unimplemented    query.Code = 12
	unavailable      query.Code = 14
	dataLoss         query.Code = 15
	unauthenticated  query.Code = 16
)

// refusal says what to do about what the server refused of its own accord.
func refusal(e query.Export) string {
	switch {
	case e.Status.Code == unauthenticated:
		return "the server was started WithAuth: give the exporter that value as its header Authorization"
	case e.Status.Code == exhausted:
		return "send smaller batches, or start the server with a larger WithMaxRequestSize"
	case e.Encoding != "" && (e.Status.HTTP == 415 || e.Status.Code == unimplemented && e.Status.HTTP == 0):
		return fmt.Sprintf("let the exporter compress by gzip or not at all, or make the server understand %q: encodings.Register, WithEncoding", e.Encoding)
	}
	return ""
}
