package receiver

import (
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
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
	return s
}

func (r *Receiver) serveGRPC(signal query.Signal, stream grpc.ServerStream) error {
	e, c := headGRPC(signal, stream)
	defer r.begin(c, &e)()
	a := r.receive(stream.Context(), e, r.readGRPC(stream))
	switch {
	case a.none():
		return status.Error(codes.Unavailable, "the server ended the call without an answer")
	case a.code != codes.OK:
		return status.FromProto(a.status()).Err()
	}
	return stream.SendMsg(a.success)
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
	r.record(e, a)
	return status.FromProto(a.status()).Err()
}

// headGRPC is what a call's head says, and the connection that it came by, if
// that is known.
func headGRPC(signal query.Signal, stream grpc.ServerStream) (e query.Export, c *conn) {
	ctx := stream.Context()
	md, _ := metadata.FromIncomingContext(ctx)
	e = query.Export{Signal: signal, Protocol: query.GRPC, Header: query.Header(md), Arrived: time.Now()}
	e.Path, _ = grpc.Method(ctx)
	if s, ok := grpc.ServerTransportStreamFromContext(ctx).(interface{ RecvCompress() string }); ok {
		e.Encoding = s.RecvCompress() // grpc-go keeps grpc-encoding out of the metadata
	}
	e.Deadline, _ = ctx.Deadline()
	if p, ok := peer.FromContext(ctx); ok {
		if info, ok := p.AuthInfo.(connInfo); ok {
			c = info.conn
		}
	}
	return e, c
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
