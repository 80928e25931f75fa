package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Option changes whom the API answers.
type Option func(*guard)

// WithHosts also answers requests that are sent to these hosts, which are names
// or addresses without a port, beside localhost and loopback addresses; "*" is
// any. Without it a web page could reach the API by a name of its own that leads
// to this machine.
func WithHosts(hosts ...string) Option {
	return func(g *guard) {
		for _, h := range hosts {
			g.hosts = append(g.hosts, strings.ToLower(strings.Trim(h, "[]")))
		}
	}
}

// WithToken answers only requests with this bearer token in their Authorization
// header, but for healthz, readyz and the page, which asks for the token. The
// empty token is none.
func WithToken(token string) Option {
	return func(g *guard) { g.token = token }
}

// guard says whom the API answers.
type guard struct {
	hosts []string
	token string
}

// wrap refuses what may not reach next.
func (g guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := g.check(r); err != nil {
			err.write(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (g guard) check(r *http.Request) *problem {
	switch {
	case !g.knows(r.Host):
		return problemf(http.StatusForbidden, "Host: got %q, want localhost or a loopback address, or a host that the API was given", r.Host)
	case !sameOrigin(r):
		return problemf(http.StatusForbidden, "Origin: got %q, want none or that of %s: other web pages may not use the API", r.Header["Origin"], r.Host)
	case !g.authorized(r):
		p := problemf(http.StatusUnauthorized, "Authorization: want Bearer and the API's token")
		p.challenge = "Bearer"
		return p
	}
	return nil
}

// knows says whether a Host header names this machine to itself.
func (g guard) knows(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsLoopback() {
		return true
	}
	return host == "localhost" || slices.Contains(g.hosts, host) || slices.Contains(g.hosts, "*")
}

// sameOrigin says whether no web page, or one of the same host and port, made
// the request.
func sameOrigin(r *http.Request) bool {
	for _, origin := range r.Header["Origin"] {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !strings.EqualFold(u.Host, r.Host) {
			return false
		}
	}
	return true
}

// authorized compares in a time that does not depend on where tokens differ.
func (g guard) authorized(r *http.Request) bool {
	if p := path(r); g.token == "" || p == "/healthz" || p == "/readyz" || p == "/" || strings.HasPrefix(p, "/page/") {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(g.token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}
