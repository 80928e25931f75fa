package otlptest

import (
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/internal/certs"
	"github.com/otlptest/otlptest/internal/receiver"
)

// Option changes how a [Server] is made.
type Option func(*options)

type options struct {
	memory      *network // nil for that of the machine
	roundTrip   time.Duration
	grpc, http  net.Listener
	httpAtOnce  func(*Server) // begins to serve HTTP; nil where nobody can know its address yet
	rules       []faults.Rule
	waitTimeout time.Duration
	hangLimit   time.Duration
	memoryLimit int
	dropOldest  bool
	maxRequest  int
	unusedFine  bool
	strict      bool
	onePort     bool
	prefix      string
	auth        []string
	decoders    map[string]receiver.Decoder
	certify     func(*Server) error // makes the certificates; nil without TLS
	tlsHosts    []string            // beside those that it listens on
	mutualTLS   bool
	certificate certs.Variant
	tempDir     func() string // where files may go, removed by somebody else; nil for none
	test        string        // the name of the test that it is for; empty for none
	err         error         // the first value that cannot be
}

func newOptions(opts []Option) options {
	o := options{
		waitTimeout: 10 * time.Second,
		hangLimit:   10 * time.Minute,
		maxRequest:  64 << 20, // S-02, S-21
	}
	for _, set := range opts {
		set(&o)
	}
	if o.memory != nil && (o.grpc != nil || o.http != nil) {
		o.fail("WithInMemory and WithListeners exclude each other")
	}
	if o.roundTrip != 0 && o.memory == nil {
		o.fail("WithRoundTrip needs WithInMemory: a network of the machine's takes as long as it takes")
	}
	if o.onePort && o.http != nil {
		o.fail("WithOnePort takes the first listener of WithListeners: the second has to be nil")
	}
	return o
}

func (o *options) fail(format string, args ...any) {
	if o.err == nil {
		o.err = fmt.Errorf(format, args...)
	}
}

// WithInMemory serves on a network in the process's memory instead of TCP, so
// that the server works inside a testing/synctest bubble. Exporters reach it
// through [Server.DialGRPC] and [Server.HTTPClient], and nothing else does.
func WithInMemory() Option {
	return func(o *options) { o.memory, o.httpAtOnce = &memory, (*Server).serveHTTP }
}

// WithRoundTrip makes the network in memory one on which everything takes half
// of d to arrive, and half of d back: what a connection carries, and to open or
// end one. In a testing/synctest bubble it takes exactly that. It needs
// [WithInMemory].
func WithRoundTrip(d time.Duration) Option {
	return func(o *options) {
		if o.roundTrip = d; d <= 0 {
			o.fail("WithRoundTrip: got %s, want more than 0", d)
		}
	}
}

// WithListeners serves on these listeners, which the server owns and closes
// once it has started, instead of 127.0.0.1 with a free port for each. A nil one
// is made as usual.
func WithListeners(grpc, http net.Listener) Option {
	return func(o *options) {
		o.grpc, o.http = grpc, http
		if http != nil {
			o.httpAtOnce = (*Server).serveHTTP
		}
	}
}

// WithTLS serves over TLS, on both transports, with a certificate that is made
// for this server. [Server.ClientTLS] trusts it, and so does an exporter that
// reads the file that [Server.Env] and [Server.TLSFiles] name. Clients that
// fail the handshake are in [Server.Connections].
//
// The certificate is for localhost and the addresses that the server listens
// on, and for hosts: names and addresses by which clients elsewhere reach it,
// as that of a container.
func WithTLS(hosts ...string) Option {
	return func(o *options) {
		o.certify = (*Server).makeCertificates
		for _, host := range hosts {
			if net.ParseIP(host) == nil && (host == "" || strings.ContainsAny(host, ":/ ")) {
				o.fail("WithTLS: got host %q, want a name or an address without a port", host)
			}
		}
		o.tlsHosts = append(o.tlsHosts, hosts...)
	}
}

// WithMutualTLS is [WithTLS] for clients that show a certificate themselves:
// the one that [Server.ClientTLS], [Server.Env] and [Server.TLSFiles] have.
// Others fail the handshake.
func WithMutualTLS(hosts ...string) Option {
	return func(o *options) {
		WithTLS(hosts...)(o)
		o.mutualTLS = true
	}
}

// Certificate is a certificate of the server with something wrong.
type Certificate string

// What can be wrong with a certificate.
const (
	ExpiredCertificate     Certificate = "expired"       // it was valid only until some time in the past
	NotYetValidCertificate Certificate = "not yet valid" // it will be valid only at some time in the future
	OtherNameCertificate   Certificate = "other name"    // it is for another host
)

// WithCertificate is [WithTLS] with a certificate that clients must not accept:
// it is signed by the authority that they trust, and only that one thing is
// wrong with it. Their handshakes fail, and are in [Server.Connections].
func WithCertificate(wrong Certificate) Option {
	return func(o *options) {
		o.certify = (*Server).makeCertificates
		switch wrong {
		case ExpiredCertificate:
			o.certificate = certs.Expired
		case NotYetValidCertificate:
			o.certificate = certs.NotYetValid
		case OtherNameCertificate:
			o.certificate = certs.OtherName
		default:
			o.fail("WithCertificate: got %q, want %q, %q or %q", wrong, ExpiredCertificate, NotYetValidCertificate, OtherNameCertificate)
		}
	}
}

// ErrTooLarge is what a decoder of [WithEncoding] returns for a body that is
// larger than the cap once it is decoded.
var ErrTooLarge = receiver.ErrTooLarge

// WithPathPrefix puts a path before those of OTLP over HTTP: with "/otlp" they
// are /otlp/v1/traces and so on (S-19). [Server.HTTPEndpoint] includes it.
func WithPathPrefix(prefix string) Option {
	return func(o *options) {
		o.prefix = "/" + strings.Trim(prefix, "/")
		if strings.Trim(prefix, "/") == "" || strings.ContainsAny(prefix, "?# ") {
			o.fail("WithPathPrefix: got %q, want a path such as /otlp", prefix)
		}
	}
}

// WithAuth wants an Authorization header with one of these values, such as
// [Bearer] or [Basic] makes, on both transports. A request without is refused
// with UNAUTHENTICATED, or 401 and WWW-Authenticate, before any fault.
func WithAuth(values ...string) Option {
	return func(o *options) {
		o.auth = append(o.auth, values...)
		if len(o.auth) == 0 {
			o.fail("WithAuth: got no value, want one that otlptest.Bearer or otlptest.Basic makes")
		}
	}
}

// Bearer is the Authorization header of a token.
func Bearer(token string) string { return "Bearer " + token }

// Basic is the Authorization header of a user and a password.
func Basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// WithEncoding adds a Content-Encoding that is understood over HTTP, beside
// gzip: decode undoes it, and is called for each request. No more is read of
// what it returns than the server's cap, limit ([WithMaxRequestSize]); one that
// has to decode the whole at once returns [ErrTooLarge] above. Over gRPC
// encodings are registered for the whole process, by
// google.golang.org/grpc/encoding. The module encodings does both for the usual
// ones.
func WithEncoding(name string, decode func(r io.Reader, limit int) (io.ReadCloser, error)) Option {
	return func(o *options) {
		if name == "" || decode == nil || strings.ToLower(name) != name {
			o.fail("WithEncoding: got name %q, want one in lower case and a function", name)
		}
		o.decoders = maps.Clone(o.decoders)
		if o.decoders == nil {
			o.decoders = map[string]receiver.Decoder{}
		}
		o.decoders[name] = decode
	}
}

// WithOnePort serves gRPC and HTTP on the same address, in plaintext or over
// TLS (S-29): the first request of each connection decides.
func WithOnePort() Option {
	return func(o *options) { o.onePort, o.httpAtOnce = true, (*Server).serveHTTP }
}

// WithStrict refuses what departs from OTLP instead of only reporting it in
// [Server.Violations]: items by a partial success, a request whose items are
// all refused with INVALID_ARGUMENT or 400, and so too JSON that is not quite
// OTLP's. A scripted fault decides before. This is what refuses an item:
//
//	S-40  an id of a span or its parent that has the wrong length or is all zero
//	S-43  a data point without a time
//	S-44  a temporality that is unspecified; a data point or exemplar without a value
//	S-45  a histogram whose counts, bounds and count do not fit together
//	S-46  an exponential histogram whose count is not the sum of its buckets
//	S-47  quantiles that are not in [0, 1] and rising
//	S-49  attributes with the same key
//	R-04  an attribute without a key
//
// What concerns a resource, a scope or a metric refuses all that is in it. All
// other violations are reported and nothing else.
func WithStrict() Option { return func(o *options) { o.strict = true } }

// WithFaults injects rules from the start; see [Server.Inject].
func WithFaults(rules ...faults.Rule) Option {
	rules = slices.Clone(rules)
	return func(o *options) { o.rules = append(o.rules, rules...) }
}

// WithWaitTimeout sets how long [Await], [One] and [Never] wait, 10 seconds
// otherwise. They end before the test's own deadline in any case.
func WithWaitTimeout(d time.Duration) Option {
	return func(o *options) {
		if o.waitTimeout = d; d <= 0 {
			o.fail("WithWaitTimeout: got %s, want more than 0", d)
		}
	}
}

// WithHangLimit sets when a scripted wait ends by itself, 10 minutes
// otherwise, so that a client without a deadline does not hang for ever.
func WithHangLimit(d time.Duration) Option {
	return func(o *options) {
		if o.hangLimit = d; d <= 0 {
			o.fail("WithHangLimit: got %s, want more than 0", d)
		}
	}
}

// WithMaxRequestSize sets how many bytes a request may have, both as sent and
// once decompressed, 64 MiB otherwise (S-02, S-21). Larger ones are refused
// with RESOURCE_EXHAUSTED without RetryInfo (S-03) or with HTTP 413.
func WithMaxRequestSize(bytes int) Option {
	return func(o *options) {
		if o.maxRequest = bytes; bytes <= 0 || bytes > math.MaxInt32 {
			o.fail("WithMaxRequestSize: got %d bytes, want 1 to %d", bytes, math.MaxInt32)
		}
	}
}

// WithUnusedFaultsAllowed keeps [Start] from failing the test when a scripted
// fault was met by no export.
func WithUnusedFaultsAllowed() Option { return func(o *options) { o.unusedFine = true } }
