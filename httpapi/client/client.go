// Package client asks an otlptest server in another process, through its HTTP
// API, as the server itself is asked in this one:
//
//	c, err := client.New("http://127.0.0.1:4319")
//	...
//	defer c.Close()
//	span := otlptest.One(t, c.Spans(where.Name("charge")))
//
// Views are the same, and so are the values: every field of an item, and its
// Proto, is what the server has. Of an export only Proto is nil. A filter that is
// a Go function cannot travel: it is an error of the view.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Client asks one server. It is safe for concurrent use.
type Client struct {
	base  string
	token string
	http  *http.Client
	own   *http.Transport // of http, where nobody gave one

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	version string        // the last that was told
	next    chan struct{} // closed when there may be another one; nil while nobody asks
	closed  bool          // the server was, or the client
}

// Option changes how a Client is made.
type Option func(*Client)

// WithToken shows the API's bearer token.
func WithToken(token string) Option { return func(c *Client) { c.token = token } }

// WithHTTPClient asks through h, which must let requests take half a minute and
// is still the caller's.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// New makes a client of the API at a base URL, such as http://127.0.0.1:4319.
// It asks nothing yet. The caller closes it.
func New(base string, opts ...Option) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" {
		return nil, fmt.Errorf("client: got URL %q, want one such as http://127.0.0.1:4319", base)
	}
	own := &http.Transport{Proxy: http.ProxyFromEnvironment}
	c := &Client{base: strings.TrimSuffix(base, "/"), http: &http.Client{Transport: own}, own: own}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	for _, opt := range opts {
		opt(c)
	}
	return c, nil
}

// Close ends what waits for the server. Views then find nothing more.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.wg.Wait()
	c.own.CloseIdleConnections()
}

// get asks, and reads the answer into out.
func (c *Client) get(path string, parameters url.Values, out any) error {
	target := c.base + "/api/v1/" + path
	if len(parameters) > 0 {
		target += "?" + parameters.Encode()
	}
	ctx, cancel := context.WithTimeout(c.ctx, 2*pollTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
	if err != nil {
		return err
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	if resp.StatusCode != http.StatusOK {
		return refused(path, resp.StatusCode, body)
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}

// refusal is an answer that is an error.
type refusal struct {
	path   string
	status int

	Detail      string
	Explanation string // of a wait that failed, as the server's source says it
	Missing     string // likewise
}

// Error implements error.
func (r *refusal) Error() string {
	return fmt.Sprintf("GET %s: %d %s: %s", r.path, r.status, http.StatusText(r.status), r.Detail)
}

func refused(path string, status int, body []byte) error {
	r := &refusal{path: path, status: status}
	if json.Unmarshal(body, r) != nil || r.Detail == "" {
		r.Detail = fmt.Sprintf("%.200q", body)
	}
	return r
}

// hopeless says whether asking again cannot help.
func hopeless(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.status < http.StatusInternalServerError
}

// How long a request for another version lasts, and how long nothing is asked
// after one that failed.
const (
	pollTimeout = 30 * time.Second
	pollPause   = 50 * time.Millisecond
)

// changed is closed when something may have changed since the call, and nil
// when nothing can.
func (c *Client) changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	if c.next == nil {
		c.next = make(chan struct{})
		c.wg.Go(c.poll)
	}
	return c.next
}

// poll asks once for another version than the last one, which was there before
// the call.
func (c *Client) poll() {
	var answer struct {
		Version string
		Closed  bool
	}
	c.mu.Lock()
	since := c.version
	c.mu.Unlock()
	err := c.get("changes", url.Values{"since": {since}, "timeout": {pollTimeout.String()}}, &answer)
	if err != nil {
		timer := time.NewTimer(pollPause)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.ctx.Done():
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.version = answer.Version
	}
	c.closed = c.closed || answer.Closed || hopeless(err)
	close(c.next)
	c.next = nil
}
