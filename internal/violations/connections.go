package violations

import (
	"fmt"
	"strings"
	"time"

	"github.com/otlptest/otlptest/query"
)

// bare is how the User-Agents begin that HTTP and gRPC libraries send by
// themselves, in lower case.
var bare = []string{
	"go-http-client/", "grpc-go/", "grpc-java", "grpc-python", "grpc-node", "grpc-c++", "grpc-c/", "grpc-csharp", "grpc-dotnet",
	"python-requests/", "python-urllib", "aiohttp/", "okhttp/", "java-http-client/", "apache-httpclient", "axios/", "node-fetch",
	"undici", "curl/", "reqwest/", "hyper/", "tonic/", "guzzlehttp/", "ruby", "dart/",
}

// agents looks at who clients say they are, once for each connection.
func agents(seen []Evidence) (found []placed) {
	known := map[int]bool{}
	for i, s := range seen {
		e := s.Export
		if e.Signal == "" || known[e.Conn] {
			continue
		}
		known[e.Conn] = e.Conn != 0
		agent := e.Header.Get("user-agent")
		if agent == "" {
			found = append(found, place(i, finding(noAgent, "no User-Agent", "the exporter, its language and its version")))
			continue
		}
		for _, b := range bare {
			if strings.HasPrefix(strings.ToLower(agent), b) {
				found = append(found, place(i, finding(bareAgent, quote(agent), "the exporter, its language and its version")))
				break
			}
		}
	}
	return found
}

// client is what tells one exporter from another.
type client struct {
	agent    string
	signal   query.Signal
	protocol query.Protocol
}

func clientOf(e query.Export) client { return client{e.Header.Get("user-agent"), e.Signal, e.Protocol} }

// run is exports of one client, one after the other, each on a connection of
// its own.
type run struct {
	last   query.Export
	conns  map[int]bool
	reused bool // not all of them were
	told   bool
}

// reuse looks for clients that connect anew for each export, when the one
// before has got its answer: at least three exports show it.
func reuse(seen []Evidence) (found []placed) {
	const enough = 3
	runs := map[client]*run{}
	for i, s := range seen {
		e := s.Export
		if e.Signal == "" || e.Conn == 0 || e.Outcome == query.Malformed {
			continue
		}
		r := runs[clientOf(e)]
		if r == nil {
			r = &run{conns: map[int]bool{}}
			runs[clientOf(e)] = r
		} else if r.conns[e.Conn] || !answeredBefore(r.last, s.Opened) {
			r.reused = true
		}
		r.last, r.conns[e.Conn] = e, true
		if !r.reused && !r.told && len(r.conns) == enough {
			r.told = true
			found = append(found, place(i, finding(newConn, fmt.Sprintf("%d exports on %d connections", enough, enough), "a connection that is kept between exports")))
		}
	}
	return found
}

// answeredBefore says whether an export had got its answer, and so left its
// connection fit for another one, at a time.
func answeredBefore(e query.Export, at time.Time) bool {
	switch e.Outcome {
	case query.Open, query.Abandoned, query.Cut:
		return false
	}
	return !e.Answered.IsZero() && !at.Before(e.Answered)
}
