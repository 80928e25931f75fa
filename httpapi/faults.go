package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
)

// maxBody is how many bytes of rules a request may hold.
const maxBody = 1 << 20

// rules is the endpoints for a server's fault rules.
type rules struct{ srv *otlptest.Server }

// ruleList is the answer of those that say which rules there are.
type ruleList struct {
	Count int         `json:"count"`
	Rules []ruleForms `json:"rules"`
}

// ruleForms is a rule in both its forms.
type ruleForms struct {
	Text string          `json:"text"`
	Rule json.RawMessage `json:"rule,omitempty"` // nil where JSON cannot hold it
}

func (a rules) list(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	return a.live(), nil
}

// live is the rules that can still be met.
func (a rules) live() ruleList {
	l := ruleList{Rules: []ruleForms{}}
	for _, rule := range a.srv.Faults() {
		raw, err := json.Marshal(rule)
		if err != nil {
			raw = nil
		}
		l.Rules = append(l.Rules, ruleForms{rule.String(), raw})
	}
	l.Count = len(l.Rules)
	return l
}

func (a rules) add(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	rs, err := readRules(r)
	if err != nil {
		return nil, err
	}
	if len(rs) == 0 {
		return nil, invalid("body", `got no rule, want text such as "traces: throttle 30s", or JSON`)
	}
	if err := a.srv.Inject(rs...); err != nil {
		return nil, invalid("body", "%v", err)
	}
	return a.live(), nil
}

func (a rules) clear(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	a.srv.ClearFaults()
	return nil, nil
}

// readRules reads a request's body in the form that its type says.
func readRules(r *http.Request) ([]faults.Rule, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	header := r.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(header)
	if err != nil && header != "" {
		return nil, invalid("Content-Type", "got %q: %v", header, err)
	}
	read := parseText
	switch media {
	case "application/json":
		read = parseJSON
	case "text/plain":
	case "", "application/x-www-form-urlencoded": // what curl -d says of everything
		if bytes.HasPrefix(body, []byte("{")) || json.Valid(body) {
			read = parseJSON
		}
	default:
		return nil, problemf(http.StatusUnsupportedMediaType, "Content-Type: got %s, want application/json or text/plain", media)
	}
	rs, err := read(body)
	if err != nil {
		return nil, invalid("body", "%v", err)
	}
	return rs, nil
}

// readBody reads a body of at most maxBody bytes, without the space around it.
func readBody(r *http.Request) ([]byte, error) {
	tooLarge := problemf(http.StatusRequestEntityTooLarge, "body: is longer than %d bytes", maxBody)
	if r.ContentLength > maxBody {
		return nil, tooLarge // before it comes, if it ever does
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if errors.As(err, new(*http.MaxBytesError)) {
		return nil, tooLarge
	}
	if err != nil {
		return nil, invalid("body", "%v", err)
	}
	return bytes.TrimSpace(body), nil
}

func parseText(body []byte) ([]faults.Rule, error) { return faults.Parse(string(body)) }

// parseJSON reads a rule or an array of rules.
func parseJSON(body []byte) ([]faults.Rule, error) {
	if !bytes.HasPrefix(body, []byte("[")) {
		return parseRule(body)
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(body, &elements); err != nil {
		return nil, fmt.Errorf("JSON: %w", err)
	}
	var all []faults.Rule
	for i, element := range elements {
		rs, err := parseRule(element)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
		all = append(all, rs...)
	}
	return all, nil
}

// parseRule reads a rule, or a string with the text of rules.
func parseRule(raw []byte) ([]faults.Rule, error) {
	if bytes.HasPrefix(raw, []byte(`"`)) {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, fmt.Errorf("JSON: %w", err)
		}
		return faults.Parse(text)
	}
	var syntax any
	if err := json.Unmarshal(raw, &syntax); err != nil {
		return nil, fmt.Errorf("JSON: %w", err)
	}
	var rule faults.Rule
	if err := rule.UnmarshalJSON(raw); err != nil {
		return nil, err
	}
	return []faults.Rule{rule}, nil
}
