package client

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// rawList is the items of an answer.
type rawList []json.RawMessage

// part is an item with where it came from.
type part struct {
	Number int    `json:"number"`
	Export int    `json:"export"`
	Data   []byte `json:"data"` // a message with only this item
}

func spans(c *Client, a answer) ([]query.Span, error) {
	return parts(c, a, query.Traces, (*wire.Item).Span)
}

func points(c *Client, a answer) ([]query.Point, error) {
	return parts(c, a, query.Metrics, (*wire.Item).Point)
}

func logs(c *Client, a answer) ([]query.Log, error) {
	return parts(c, a, query.Logs, (*wire.Item).Log)
}

func traces(c *Client, a answer) ([]query.Trace, error) {
	list, err := spans(c, a)
	return query.Assemble(slices.Values(list)), err
}

// parts decodes items as the server's store does.
func parts[T any](c *Client, a answer, sig query.Signal, decode func(*wire.Item) T) ([]T, error) {
	found := make([]T, 0, len(a.Items))
	for _, raw := range a.Items {
		var p part
		if err := json.Unmarshal(raw, &p); err != nil {
			return nil, fmt.Errorf("item %d: %w", len(found)+1, err)
		}
		if n, err := wire.Validate(sig, p.Data); err != nil || n != 1 {
			return nil, fmt.Errorf("item %d: got a message of %d items, want one: %v", len(found)+1, n, err)
		}
		for it := range wire.Items(sig, p.Data, origin{c, p.Export}, p.Number) {
			found = append(found, decode(it))
		}
	}
	return found, nil
}

// origin is the export that brought an item, which is asked for when somebody
// wants to know.
type origin struct {
	c      *Client
	number int
}

// Export implements query.Origin. It is the zero Export where the server does
// not answer, or has been reset.
func (o origin) Export() query.Export {
	var a answer
	if o.c.get("exports", url.Values{"q": {fmt.Sprintf("export=%d", o.number)}}, &a) != nil {
		return query.Export{}
	}
	found, err := exports(o.c, a)
	if err != nil || len(found) != 1 {
		return query.Export{}
	}
	return found[0]
}

// exports reads the flat JSON of exports, of which only what came is left away.
func exports(_ *Client, a answer) ([]query.Export, error) {
	return each(a, func(raw []byte) (query.Export, error) {
		type fields query.Export
		var in struct {
			fields
			Status struct {
				Code    code
				HTTP    int
				Message string
			} `json:"status"`
			RetryDelay duration `json:"retryDelay"`
		}
		err := json.Unmarshal(raw, &in)
		e := query.Export(in.fields)
		e.Status = query.Status{Code: query.Code(in.Status.Code), HTTP: in.Status.HTTP, Message: in.Status.Message}
		e.RetryDelay = time.Duration(in.RetryDelay)
		return e, err
	})
}

func violations(c *Client, a answer) ([]query.Violation, error) {
	return each(a, func(raw []byte) (v query.Violation, err error) {
		err = json.Unmarshal(raw, &v)
		v.Ref = query.NewRef(origin{c, v.Export}, v.Export, nil, 0)
		return v, err
	})
}

func connections(_ *Client, a answer) ([]query.Connection, error) {
	return each(a, func(raw []byte) (conn query.Connection, err error) {
		err = json.Unmarshal(raw, &conn)
		return conn, err
	})
}

func each[T any](a answer, read func([]byte) (T, error)) ([]T, error) {
	found := make([]T, len(a.Items))
	for i, raw := range a.Items {
		var err error
		if found[i], err = read(raw); err != nil {
			return nil, fmt.Errorf("item %d: %w", i+1, err)
		}
	}
	return found, nil
}

// code reads a status code of gRPC by its name.
type code query.Code

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *code) UnmarshalText(text []byte) error {
	if number, ok := strings.CutPrefix(string(text), "CODE("); ok {
		n, err := strconv.ParseUint(strings.TrimSuffix(number, ")"), 10, 32)
		*c = code(n)
		return err
	}
	known, err := query.ParseCode(string(text))
	*c = code(known)
	return err
}

// duration reads one as Go writes it.
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}
