package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// MarshalJSON writes an object; see JSON at the top of this package. Kinds and
// codes are written by name, and durations as Go does: "1.5s".
func (f Fault) MarshalJSON() ([]byte, error) {
	out := struct {
		Kind       string `json:"kind"`
		Code       string `json:"code,omitempty"`
		HTTP       int    `json:"http,omitempty"`
		Message    string `json:"message,omitempty"`
		RetryDelay string `json:"retryDelay,omitempty"`
		Rejected   *int64 `json:"rejected,omitempty"`
		After      string `json:"after,omitempty"`
		Stored     bool   `json:"stored,omitempty"`
	}{Kind: f.name(), HTTP: f.HTTP, Message: f.Message, Stored: f.Keep}
	if f.Code != 0 {
		out.Code = f.Code.String()
	}
	if f.Kind == KindThrottle || f.RetryDelay != 0 {
		out.RetryDelay = f.RetryDelay.String()
	}
	if f.Kind == KindPartial || f.Rejected != 0 {
		out.Rejected = &f.Rejected
	}
	if f.Delay != 0 {
		out.After = f.Delay.String()
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes, or a string with the fault's
// text, such as "throttle 30s". A field that is unknown, or missing where the
// kind needs it, and a fault that cannot work ([Fault.Check]) are errors.
func (f *Fault) UnmarshalJSON(b []byte) error {
	read, err := readFault(b)
	if err != nil {
		return fmt.Errorf("fault: %w", err)
	}
	*f = read
	return nil
}

func readFault(b []byte) (Fault, error) {
	var text string
	if bytes.HasPrefix(b, []byte{'"'}) && json.Unmarshal(b, &text) == nil {
		return parseFault(text)
	}
	var f Fault
	o, err := readObject(b,
		asText("kind", `a name such as "throttle"`, &f.Kind, parseKind),
		asText("code", `a name such as "NOT_FOUND"`, &f.Code, parseCode),
		into("http", "a status such as 502", &f.HTTP),
		into("message", "a string", &f.Message),
		asDuration("retryDelay", &f.RetryDelay),
		into("rejected", "a whole number", &f.Rejected),
		asDuration("after", &f.Delay),
		into("stored", "true or false", &f.Keep),
	)
	if err != nil {
		return Fault{}, err
	}
	if need := f.needs(); !o.has(need) {
		return Fault{}, fmt.Errorf("%s has no field %q", b, need)
	}
	return f, f.Check()
}

// needs is the field without which an object is not a fault.
func (f Fault) needs() string {
	switch f.Kind {
	case KindCode:
		return "code"
	case KindHTTP:
		return "http"
	case KindThrottle:
		return "retryDelay"
	case KindPartial:
		return "rejected"
	}
	return "kind"
}

// parseKind reads the name of a kind; whether there is such a kind is for
// [Fault.Check] to say.
func parseKind(name string) (Kind, error) {
	switch name {
	case "accept", "ok":
		return KindAccept, nil
	case "":
		return "", fmt.Errorf("got an empty name")
	}
	return Kind(name), nil
}

// parseCode reads a code's name in any case.
func parseCode(name string) (query.Code, error) { return query.ParseCode(strings.ToUpper(name)) }
