package receiver

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/otlptest/otlptest/query"
)

// services are the gRPC services of OTLP by signal (S-16).
var services = map[query.Signal]string{
	query.Traces:  "opentelemetry.proto.collector.trace.v1.TraceService",
	query.Metrics: "opentelemetry.proto.collector.metrics.v1.MetricsService",
	query.Logs:    "opentelemetry.proto.collector.logs.v1.LogsService",
}

// GRPC makes the gRPC server of the receiver. Serve it on what Listen returns.
func (r *Receiver) GRPC() *grpc.Server {
	codec := &rawCodec{recv: r}
	s := grpc.NewServer(
		grpc.ForceServerCodecV2(codec),
		grpc.RPCDecompressor(gunzipCodec{codec}),
		grpc.MaxRecvMsgSize(r.MaxRequestSize),
		grpc.Creds(trackedCreds{}), // TLS is undone before
		grpc.StatsHandler(calls{r}),
		grpc.WaitForHandlers(true),
		grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error { return r.refuseGRPC(stream) }),
	)
	for signal, name := range services {
		s.RegisterService(&grpc.ServiceDesc{
			ServiceName: name,
			HandlerType: (*any)(nil),
			// A stream handler, so that a message that is too large or
			// badly compressed reaches it too.
			Streams: []grpc.StreamDesc{{
				StreamName:    "Export",
				Handler:       func(_ any, stream grpc.ServerStream) error { return r.serveGRPC(signal, stream) },
				ClientStreams: true,
			}},
		}, nil)
	}
	registerTools(s)
	return s
}

func (r *Receiver) serveGRPC(signal query.Signal, stream grpc.ServerStream) error {
	e, c := headGRPC(signal, stream)
	defer r.begin(c, &e)()
	m := r.readGRPC(stream)
	var a answer
	switch subtype := subtype(e.Header.Get("content-type")); {
	case !r.authorized(e.Header.Get("authorization")):
		a = r.turnAway(e, m, r.unauthenticated())
	case subtype == "json":
		m.json = true
		a = r.receive(stream.Context(), e, m)
	case subtype != "" && subtype != "proto":
		a = r.turnAway(e, m, answer{
			outcome: query.Refused, code: codes.Unimplemented,
			message: fmt.Sprintf("got messages of the type %q, want proto or json", subtype),
		})
	default:
		a = r.receive(stream.Context(), e, m)
	}
	switch {
	case a.none():
		return status.Error(codes.Unavailable, "the server ended the call without an answer")
	case a.code != codes.OK:
		return status.FromProto(a.status()).Err()
	}
	return stream.SendMsg(a.body(signal, m.json))
}

// subtype is how a call's messages are encoded: what follows application/grpc
// in its content type.
func subtype(contentType string) string {
	media, _, _ := mime.ParseMediaType(contentType)
	return strings.TrimLeft(strings.TrimPrefix(media, "application/grpc"), "+;")
}

// refuseGRPC answers a call of a method that is none of OTLP's.
func (r *Receiver) refuseGRPC(stream grpc.ServerStream) error {
	e, c := headGRPC("", stream)
	defer r.begin(c, &e)()
	e.Received = time.Now()
	a := answer{
		outcome: query.Refused, code: codes.Unimplemented,
		message: fmt.Sprintf("got method %q, want Export of the TraceService, MetricsService or LogsService", e.Path),
	}
	switch {
	case strings.Contains(e.Path, "UnaryExporter"):
		a.message += ": this is the service of 2019, before OTLP had one for each signal"
	case strings.Contains(e.Path, "profiles"):
		a.message += ": profiles are not supported"
	}
	r.record(e, a)
	return status.FromProto(a.status()).Err()
}

// headGRPC is what a call's head says, and the connection that it came by, if
// that is known.
func headGRPC(signal query.Signal, stream grpc.ServerStream) (query.Export, *conn) {
	c := callOf(stream.Context())
	c.served = true
	return c.export(stream.Context(), signal)
}

// signalOfMethod is the signal that a full method name is for, if it is one of
// OTLP's.
func signalOfMethod(method string) query.Signal {
	for signal, name := range services {
		if method == "/"+name+"/Export" {
			return signal
		}
	}
	return ""
}

// readGRPC reads the one message of a call.
func (r *Receiver) readGRPC(stream grpc.ServerStream) message {
	var m message
	err := stream.RecvMsg(&m)
	if errors.Is(err, io.EOF) {
		return message{err: errors.New("the call carries no message")}
	}
	switch st := status.Convert(err); st.Code() {
	case codes.OK:
		return m
	case codes.Canceled, codes.DeadlineExceeded, codes.Unavailable:
		return message{err: errBroken}
	default:
		return message{err: sentError{st}}
	}
}

// sentError is a status with which grpc-go has answered by itself, since the
// message was too large or not framed as gRPC has it.
type sentError struct{ *status.Status }

func (e sentError) Error() string { return e.Message() }
