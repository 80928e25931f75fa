package receiver

import (
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/query"
)

// roomDelay is how long a client is told to wait for room: nobody knows when
// there will be some.
const roomDelay = time.Second

// refuseForRoom refuses an export that the memory limit leaves no room for, and
// records what the ledger has to know of it.
func (x *exchange) refuseForRoom(body []byte, departures []otlpjson.Departure) answer {
	a := answer{
		outcome: query.Refused, code: codes.Unavailable, throttled: true, delay: roomDelay,
		message: "the memory limit of the test server is reached",
		at:      time.Now(),
	}
	e := x.export
	a.record(&e)
	rec := x.Store.NewRecord(e, body)
	rec.Departures(departures)
	rec.Forget()
	x.Store.Append(rec)
	return a
}
