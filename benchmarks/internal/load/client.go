package load

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
)

// Transport is how requests are sent.
type Transport string

// The transports.
const (
	GRPC Transport = "gRPC"
	HTTP Transport = "HTTP/protobuf" // HTTP/1.1, a connection for each concurrent request
	JSON Transport = "HTTP/JSON"
	TCP  Transport = "TCP"
)

// userAgent is as OTLP asks for it.
const userAgent = "OTel-OTLP-Exporter-Bench/1.0.0"

// client sends one request at a time and waits for its answer.
type client interface {
	send(request []byte) error
}

// dial makes the clients of a setting, and what closes them.
func dial(s Setting, addr string) (clients []client, closeAll func(), err error) {
	var conns []io.Closer
	closeAll = func() {
		for _, c := range conns {
			_ = c.Close()
		}
	}
	if s.Transport == GRPC {
		c, err := newGRPCClient(s, addr)
		if err != nil {
			return nil, nil, err
		}
		conns = append(conns, c.conn)
		return slices.Repeat([]client{c}, s.Concurrent), closeAll, nil
	}
	for range s.Concurrent {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		conns = append(conns, conn)
		if s.Transport == TCP {
			clients = append(clients, tcpClient{conn})
		} else {
			clients = append(clients, newHTTPClient(s, addr, conn))
		}
	}
	return clients, closeAll, nil
}

// rawCodec passes requests through, and drops responses.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }

func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (rawCodec) Unmarshal(mem.BufferSlice, any) error { return nil }

type grpcClient struct {
	conn   *grpc.ClientConn
	method string
	opts   []grpc.CallOption
}

func newGRPCClient(s Setting, addr string) (*grpcClient, error) {
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithUserAgent(userAgent))
	if err != nil {
		return nil, err
	}
	c := &grpcClient{conn: conn, method: s.Kind.Method(), opts: []grpc.CallOption{grpc.ForceCodecV2(rawCodec{})}}
	if s.Encoding != Identity {
		c.opts = append(c.opts, grpc.UseCompressor(string(s.Encoding)))
	}
	return c, nil
}

func (c *grpcClient) send(b []byte) error {
	return c.conn.Invoke(context.Background(), c.method, b, nil, c.opts...)
}

type httpClient struct {
	conn net.Conn
	in   *bufio.Reader
	head string // up to the length
	buf  []byte
}

func newHTTPClient(s Setting, addr string, conn net.Conn) *httpClient {
	mediaType := "application/x-protobuf"
	if s.Transport == JSON {
		mediaType = "application/json"
	}
	head := "POST " + s.Kind.Path() + " HTTP/1.1\r\nHost: " + addr + "\r\nUser-Agent: " + userAgent + "\r\nContent-Type: " + mediaType + "\r\n"
	if s.Encoding != Identity {
		head += "Content-Encoding: " + string(s.Encoding) + "\r\n"
	}
	return &httpClient{conn: conn, in: bufio.NewReader(conn), head: head + "Content-Length: "}
}

func (c *httpClient) send(b []byte) error {
	c.buf = strconv.AppendInt(append(c.buf[:0], c.head...), int64(len(b)), 10)
	c.buf = append(c.buf, "\r\n\r\n"...)
	if _, err := (&net.Buffers{c.buf, b}).WriteTo(c.conn); err != nil {
		return err
	}
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, body)
	}
	return err
}

type tcpClient struct{ conn net.Conn }

func (c tcpClient) send(b []byte) error {
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(b)))
	if _, err := (&net.Buffers{head[:], b}).WriteTo(c.conn); err != nil {
		return err
	}
	_, err := io.ReadFull(c.conn, head[:1])
	return err
}
