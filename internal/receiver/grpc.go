package receiver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
	"unsafe"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/mem"
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

// GRPC makes the gRPC server of the receiver. Serve it on what ListenGRPC
// returns.
func (r *Receiver) GRPC() *grpc.Server {
	codec := &rawCodec{recv: r}
	s := grpc.NewServer(
		grpc.ForceServerCodecV2(codec),
		grpc.RPCDecompressor(gunzipCodec{codec}),
		grpc.MaxRecvMsgSize(r.MaxRequestSize),
		grpc.Creds(trackedCreds{}),
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

// ListenGRPC tracks the connections of a listener for the gRPC server.
func (r *Receiver) ListenGRPC(l net.Listener) net.Listener { return listener{l, r, true} }

func (r *Receiver) serveGRPC(signal query.Signal, stream grpc.ServerStream) error {
	defer r.begin()()
	e, end := headGRPC(signal, stream)
	defer end()
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
	defer r.begin()()
	e, end := headGRPC("", stream)
	defer end()
	e.Received = time.Now()
	a := answer{
		outcome: query.Refused, code: codes.Unimplemented,
		message: fmt.Sprintf("got method %q, want Export of the TraceService, MetricsService or LogsService", e.Path),
	}
	r.record(e, a)
	return status.FromProto(a.status()).Err()
}

// headGRPC is what a call's head says. The function that it returns is called
// at the call's end.
func headGRPC(signal query.Signal, stream grpc.ServerStream) (e query.Export, end func()) {
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
			e.Conn, e.Peer = info.conn.id, info.conn.peer
			return e, info.conn.request(e.Header.Get("user-agent"))
		}
	}
	return e, func() {}
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

// rawCodec hands over a message's bytes instead of decoding them.
type rawCodec struct {
	recv *Receiver

	mu       sync.Mutex
	inflated map[*byte]message // what gunzipCodec made, by its first byte, until Unmarshal takes it
}

// Name implements encoding.CodecV2.
func (*rawCodec) Name() string { return "proto" }

// Marshal implements encoding.CodecV2. It takes []byte.
func (*rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	b, ok := v.([]byte)
	if !ok {
		return nil, status.Errorf(codes.Internal, "raw codec: got a %T, want []byte", v)
	}
	if len(b) == 0 {
		return nil, nil
	}
	return mem.BufferSlice{mem.SliceBuffer(b)}, nil
}

// Unmarshal implements encoding.CodecV2. It fills a *message with a copy of
// the bytes, or with what was decompressed.
func (c *rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(*message)
	if !ok {
		return status.Errorf(codes.Internal, "raw codec: got a %T, want *message", v)
	}
	if len(data) == 1 {
		if b, ok := data[0].(mem.SliceBuffer); ok {
			if inflated, ok := c.take(b); ok {
				*m = inflated
				return nil
			}
		}
	}
	m.body = data.Materialize()
	m.wire = len(m.body)
	return nil
}

func (c *rawCodec) take(b []byte) (message, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m, ok := c.inflated[unsafe.SliceData(b)]
	delete(c.inflated, unsafe.SliceData(b))
	return m, ok
}

// gunzipCodec is the server's own decompressor, grpc.Decompressor: a
// registered one would be global to the process. What it makes, errors
// included, reaches the handler through the codec, since grpc-go would turn an
// error into a status of its own and loses the size on the wire.
type gunzipCodec struct{ codec *rawCodec }

// Type implements grpc.Decompressor.
func (gunzipCodec) Type() string { return "gzip" }

// Do implements grpc.Decompressor.
func (d gunzipCodec) Do(r io.Reader) ([]byte, error) {
	m := d.codec.recv.gunzip.decompress(r)
	key := m.body
	if len(key) == 0 {
		key = make([]byte, 1)
	}
	if m.err != nil {
		m.body, key = nil, make([]byte, 1)
	}
	d.codec.mu.Lock()
	defer d.codec.mu.Unlock()
	if d.codec.inflated == nil {
		d.codec.inflated = map[*byte]message{}
	}
	d.codec.inflated[unsafe.SliceData(key)] = m
	return key, nil
}

// trackedCreds are transport credentials of plaintext that tell handlers which
// connection a call came by.
type trackedCreds struct{}

type connInfo struct {
	credentials.CommonAuthInfo
	conn *conn
}

// AuthType implements credentials.AuthInfo.
func (connInfo) AuthType() string { return "insecure" }

// ServerHandshake implements credentials.TransportCredentials.
func (trackedCreds) ServerHandshake(c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	info := connInfo{CommonAuthInfo: credentials.CommonAuthInfo{SecurityLevel: credentials.NoSecurity}}
	var ok bool
	if info.conn, ok = c.(*conn); !ok {
		return nil, nil, errors.New("the connection was not accepted by ListenGRPC")
	}
	return c, info, nil
}

// ClientHandshake implements credentials.TransportCredentials, for servers
// only.
func (trackedCreds) ClientHandshake(context.Context, string, net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return nil, nil, errors.New("these are credentials of a server")
}

// Info implements credentials.TransportCredentials.
func (trackedCreds) Info() credentials.ProtocolInfo {
	return credentials.ProtocolInfo{SecurityProtocol: "insecure"}
}

// Clone implements credentials.TransportCredentials.
func (c trackedCreds) Clone() credentials.TransportCredentials { return c }

// OverrideServerName implements credentials.TransportCredentials.
func (trackedCreds) OverrideServerName(string) error { return nil }
