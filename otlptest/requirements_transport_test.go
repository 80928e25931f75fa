package otlptest_test

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

var transportRequirements = []requirement{
	{number: "S-01", text: "Requests come uncompressed and in gzip, over both transports.", test: bothEncodingsAreAccepted},
	{number: "S-02", text: "Calls have a size limit, before and after decompression: 64 MiB, or what the user wants.", test: func(t *testing.T) {
		sizeIsLimited(t, query.GRPC)
	}},
	{number: "S-03", text: "A call over the limit is RESOURCE_EXHAUSTED without RetryInfo, so final.", test: tooLargeIsFinal},
	{number: "S-15", text: "The ports are 4317 for gRPC and 4318 for HTTP, unless others are asked for.", test: portsAreThoseOfOTLP},
	{number: "S-16", text: "gRPC has the unary Export of one service for each signal.", test: methodsAreThoseOfOTLP,
		unsupported: "the ProfilesService, answered with UNIMPLEMENTED"},
	{number: "S-17", text: "HTTP takes POST, over HTTP/1.1 and HTTP/2.", test: everyHTTPVersionWorks},
	{number: "S-18", text: "HTTP has one path for each signal.", test: pathsAreThoseOfOTLP,
		unsupported: "/v1development/profiles, answered with 404"},
	{number: "S-19", text: "Other paths can be configured.", test: pathsCanBePrefixed,
		unsupported: "other paths than the usual ones below a prefix (WithPathPrefix)"},
	{number: "S-21", text: "HTTP bodies have a size limit, before and after decompression: 64 MiB, or what the user wants; over it is 413.", test: func(t *testing.T) {
		sizeIsLimited(t, overHTTP...)
	}},
	{number: "S-29", text: "One port takes protobuf and JSON, and gRPC too if that is asked for.", test: onePortTakesAll},
}

func bothEncodingsAreAccepted(t *testing.T) {
	for _, sig := range signals {
		t.Run(string(sig), func(t *testing.T) {
			srv := otlptest.Start(t)
			w := newWire(t, srv)
			for i, via := range protocols {
				body := encode(t, via, sample(sig, 20))
				for j, zipped := range []bool{false, true} {
					if got := w.send(via, sig, body, zipped).String(); got != success(via) {
						t.Errorf("got %s over %s, gzip %t, want %s", got, via, zipped, success(via))
					}
					e := otlptest.Exactly(t, srv.Exports(), 2*i+j+1)[2*i+j]
					if e.Stored != 20 || e.Protocol != via || e.BodySize != len(body) || (e.WireSize < len(body)) != zipped || (e.Encoding == "gzip") != zipped {
						t.Errorf("got %+v, want 20 items in %d bytes over %s, gzip %t", e, len(body), via, zipped)
					}
				}
			}
			if n := stored(srv, sig); n != 6*20 {
				t.Errorf("got %d items stored, want 120", n)
			}
		})
	}
}

func sizeIsLimited(t *testing.T, vias ...query.Protocol) {
	const small, usual = 100_000, 64 << 20
	limited, unset := newWire(t, otlptest.Start(t, otlptest.WithMaxRequestSize(small))), newWire(t, otlptest.Start(t))
	for _, via := range vias {
		limited.limitIs(via, small, false)
		limited.limitIs(via, small, true)
	}
	unset.limitIs(vias[0], usual, false) // compressed, it would take long
}

// limitIs checks that n bytes are accepted, and one more is not.
func (w *wire) limitIs(via query.Protocol, n int, zipped bool) {
	w.t.Helper()
	if got := w.send(via, query.Traces, padded(via, n), zipped).String(); got != success(via) {
		w.t.Errorf("got %s for %d bytes over %s, gzip %t, want %s", got, n, via, zipped, success(via))
	}
	r, want := w.send(via, query.Traces, padded(via, n+1), zipped), refusal(via, codes.ResourceExhausted, 413)
	if !strings.HasPrefix(r.String(), want+` "`) || len(r.Details) > 0 || r.Header.Get("Retry-After") != "" {
		w.t.Errorf("got %s for %d bytes over %s, gzip %t, want %s, a message and no details", r, n+1, via, zipped, want)
	}
}

func tooLargeIsFinal(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMaxRequestSize(1000))
	w := newWire(t, srv)
	for i, sig := range signals {
		for j, zipped := range []bool{false, true} {
			r := w.send(query.GRPC, sig, encode(t, query.GRPC, sample(sig, 100)), zipped)
			if r.Code != codes.ResourceExhausted || r.Message == "" || len(r.Details) != 0 {
				t.Errorf("got %s for %s, gzip %t, want RESOURCE_EXHAUSTED and no RetryInfo", r, sig, zipped)
			}
			e := otlptest.Await(t, srv.Exports(), 2*i+j+1)[2*i+j]
			if e.Outcome != query.Refused || e.Throttled || e.Stored != 0 || e.Status.Message != r.Message {
				t.Errorf("got %+v on record, want what the client got", e)
			}
		}
	}
	if got := w.export(query.GRPC, sample(query.Logs, 1)).String(); got != "OK" {
		t.Errorf("got %s for a call that fits, on the same connection, want OK", got)
	}
	otlptest.Exactly(t, srv.Connections(), 1)
}

// A test wants free ports; the usual ones are those of a server in memory,
// which nobody else can have.
func portsAreThoseOfOTLP(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithInMemory())
	for want, endpoint := range map[string]string{"4317": srv.GRPCEndpoint(), "4318": strings.TrimPrefix(srv.HTTPEndpoint(), "http://")} {
		if _, port, err := net.SplitHostPort(endpoint); err != nil || port != want {
			t.Errorf("got endpoint %s, want port %s", endpoint, want)
		}
	}
	w := newWire(t, srv)
	for _, via := range protocols {
		if got := w.export(via, sample(query.Traces, 1)).String(); got != success(via) {
			t.Errorf("got %s over %s, want %s", got, via, success(via))
		}
	}
}

func methodsAreThoseOfOTLP(t *testing.T) {
	srv := otlptest.Start(t)
	w := newWire(t, srv)
	for _, sig := range signals {
		if got := w.call(exportMethod[sig], encode(t, query.GRPC, sample(sig, 2))).String(); got != "OK" {
			t.Errorf("got %s from %s, want OK", got, exportMethod[sig])
		}
		if n := stored(srv, sig); n != 2 {
			t.Errorf("got %d items of %s, want 2", n, sig)
		}
	}
	for _, method := range []string{
		"/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export",
		"/opentelemetry.proto.collector.trace.v1.TraceService/Import",
		"/opentelemetry.proto.collector.trace.v2.TraceService/Export",
	} {
		r := w.call(method, nil)
		if r.Code != codes.Unimplemented || r.Message == "" {
			t.Errorf("got %s from %s, want UNIMPLEMENTED", r, method)
		}
		if exports := srv.Exports().Slice(); exports[len(exports)-1].Path != method {
			t.Errorf("got %s as the last on record, want one of %s", exports[len(exports)-1], method)
		}
	}
}

func everyHTTPVersionWorks(t *testing.T) {
	for _, secure := range []bool{false, true} {
		var opts []otlptest.Option
		if secure {
			opts = append(opts, otlptest.WithTLS())
		}
		srv := otlptest.Start(t, opts...)
		for _, major := range []int{1, 2} {
			p := new(http.Protocols)
			p.SetHTTP1(major == 1)
			p.SetHTTP2(major == 2)
			p.SetUnencryptedHTTP2(major == 2)
			tr := &http.Transport{TLSClientConfig: srv.ClientTLS(), Protocols: p}
			for _, via := range overHTTP {
				body := encode(t, via, sample(query.Traces, 1))
				res, err := (&http.Client{Transport: tr}).Post(srv.HTTPEndpoint()+"/v1/traces", mediaType[via], strings.NewReader(string(body)))
				if err != nil {
					t.Fatal(err)
				}
				if res.Body.Close(); res.StatusCode != 200 || res.ProtoMajor != major {
					t.Errorf("got %s and status %d, want HTTP/%d and 200, TLS %t", res.Proto, res.StatusCode, major, secure)
				}
			}
			tr.CloseIdleConnections()
		}
		otlptest.Exactly(t, srv.Spans(), 4)
	}
}

func pathsAreThoseOfOTLP(t *testing.T) {
	srv := otlptest.Start(t)
	w := newWire(t, srv)
	for _, via := range overHTTP {
		h := http.Header{"Content-Type": {mediaType[via]}}
		for i, path := range []string{"/v1/traces", "/v1/metrics", "/v1/logs"} {
			sig := signals[i]
			before := stored(srv, sig)
			if got := w.post(path, h, encode(t, via, sample(sig, 2))).String(); got != success(via) {
				t.Errorf("got %s from %s, want %s", got, path, success(via))
			}
			if n := stored(srv, sig) - before; n != 2 {
				t.Errorf("got %d items of %s, want 2", n, sig)
			}
		}
		if r := w.post("/v1development/profiles", h, nil); r.HTTP != 404 || r.Message == "" {
			t.Errorf("got %s from the path of profiles, want 404 and why", r)
		}
	}
}

func pathsCanBePrefixed(t *testing.T) {
	for _, prefix := range []string{"/otlp", "/a/b"} {
		srv := otlptest.Start(t, otlptest.WithPathPrefix(prefix))
		w := newWire(t, srv)
		for _, via := range overHTTP {
			for _, sig := range signals {
				if got := w.export(via, sample(sig, 1)).String(); got != success(via) { // below the endpoint, which has the prefix
					t.Errorf("got %s for %s below %s, want %s", got, sig, prefix, success(via))
				}
				exports := srv.Exports().Slice()
				if e := exports[len(exports)-1]; e.Path != prefix+"/v1/"+string(sig) || e.Signal != sig || e.Stored != 1 {
					t.Errorf("got %+v, want it stored by %s/v1/%s", e, prefix, sig)
				}
			}
			if r := w.post("/v1/traces/"+prefix, http.Header{"Content-Type": {mediaType[via]}}, nil); r.HTTP != 404 {
				t.Errorf("got %s for another path, want 404", r)
			}
		}
	}
}

func onePortTakesAll(t *testing.T) {
	for _, opts := range [][]otlptest.Option{nil, {otlptest.WithOnePort()}} {
		srv := otlptest.Start(t, opts...)
		w := newWire(t, srv)
		_, address, _ := strings.Cut(srv.HTTPEndpoint(), "://")
		if (address == srv.GRPCEndpoint()) != (opts != nil) {
			t.Errorf("got the endpoints %s and %s with %d options", srv.GRPCEndpoint(), address, len(opts))
		}
		for range 2 {
			for _, via := range protocols {
				for _, sig := range signals {
					if got := w.export(via, sample(sig, 1)).String(); got != success(via) {
						t.Errorf("got %s for %s over %s, want %s", got, sig, via, success(via))
					}
				}
			}
		}
		for _, sig := range signals {
			if n := stored(srv, sig); n != 6 {
				t.Errorf("got %d items of %s, want 6", n, sig)
			}
		}
	}
}
