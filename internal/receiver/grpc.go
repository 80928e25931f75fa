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
	"google.golang.org/grpc/metadata"
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
	codec := &rawCodec{bodies: &r.bodies}
	s := grpc.NewServer(
		grpc.ForceServerCodecV2(codec),
		grpc.RPCDecompressor(gunzipCodec{codec}),
		grpc.MaxRecvMsgSize(r.MaxRequestSize),
		grpc.Creds(trackedCreds{}), // TLS is undone before
		grpc.StatsHandler(calls{r.recordUnserved}),
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

// errStopped is for a call that begins after Stop, whose client does not see it.
var errStopped = status.Error(codes.Unavailable, "the server is closed")

func (r *Receiver) serveGRPC(signal query.Signal, stream grpc.ServerStream) error {
	x := exchange{Receiver: r, ctx: stream.Context()}
	x.export, x.line = headGRPC(signal, stream)
	if !r.begin(x.line.conn, &x.export) {
		return errStopped
	}
	defer r.end(x.line.conn)
	subtype := subtype(x.export.Header.Get("content-type"))
	asJSON := subtype == "json"
	var a answer
	switch {
	case !r.authorized(x.export.Header.Get("authorization")):
		a = r.turnAway(x.export, r.readGRPC(stream), r.unauthenticated())
	case subtype != "" && subtype != "proto" && subtype != "json":
		a = r.turnAway(x.export, r.readGRPC(stream), answer{
			outcome: query.Refused, code: codes.Unimplemented,
			message: fmt.Sprintf("got messages of the type %q, want proto or json", subtype),
		})
	default:
		a = x.run(asJSON, func(slowly int64) message { return x.readGRPC(stream, slowly) })
	}
	return a.writeGRPC(stream, x.line, signal, asJSON)
}

// readGRPC reads the one message of a call at so many bytes a second.
func (x *exchange) readGRPC(stream grpc.ServerStream, slowly int64) message {
	if slowly == 0 || x.line.conn == nil {
		return x.Receiver.readGRPC(stream)
	}
	begun := time.Now()
	x.line.conn.slowUntil.Store(begun.Add(x.HangLimit).UnixNano())
	x.line.conn.rate.Store(slowly)
	m := x.Receiver.readGRPC(stream)
	x.line.conn.rate.Store(0)
	if left := pace(m.wire, slowly) - time.Since(begun); left > 0 { // what came before the pace was set
		if _, ended := x.wait(left); ended {
			return message{err: errBroken}
		}
	}
	return m
}

// writeGRPC encodes the answer.
func (a answer) writeGRPC(stream grpc.ServerStream, l line, signal query.Signal, asJSON bool) error {
	if a.none() {
		if err := stream.Context().Err(); err != nil {
			return status.FromContextError(err).Err() // as the client sees it
		}
		return status.Error(codes.Unavailable, "the server ended the call without an answer")
	}
	if a.fault().Closing {
		l.closing()
	}
	if write := framed[a.fault().Kind]; write != nil && l.conn != nil {
		write(l, a, signal)
		return status.Error(codes.Internal, "the call was answered beneath the server")
	}
	for _, f := range a.fault().Header {
		stream.SetTrailer(metadata.Pairs(f.Name, f.Value))
	}
	if a.fault().HeadersFirst {
		stream.SendHeader(nil)
	}
	if a.code != codes.OK {
		return status.FromProto(a.status()).Err()
	}
	return stream.SendMsg(a.body(signal, asJSON))
}

// subtype is how a call's messages are encoded: what follows application/grpc
// in its content type.
func subtype(contentType string) string {
	if contentType == "application/grpc" {
		return "" // as nearly all say
	}
	media, _, _ := mime.ParseMediaType(contentType)
	return strings.TrimLeft(strings.TrimPrefix(media, "application/grpc"), "+;")
}

// refuseGRPC answers a call of a method that is none of OTLP's.
func (r *Receiver) refuseGRPC(stream grpc.ServerStream) error {
	e, l := headGRPC("", stream)
	if !r.begin(l.conn, &e) {
		return errStopped
	}
	defer r.end(l.conn)
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

// headGRPC is what a call's head says, and what it came by.
func headGRPC(signal query.Signal, stream grpc.ServerStream) (query.Export, line) {
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
