package receiver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/mem"

	"github.com/otlptest/otlptest/query"
)

// trackedCreds are transport credentials that tell handlers which connection a
// call came by. The handshake of TLS is done before, by the listener.
type trackedCreds struct{}

type connInfo struct {
	credentials.CommonAuthInfo
	conn *conn
}

// AuthType implements credentials.AuthInfo.
func (connInfo) AuthType() string { return "otlptest" }

// ServerHandshake implements credentials.TransportCredentials.
func (trackedCreds) ServerHandshake(c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	tracked := connOf(c)
	if tracked == nil {
		return nil, nil, errors.New("the connection was not accepted by a listener of the receiver")
	}
	level := credentials.NoSecurity
	if t, ok := c.(*tls.Conn); ok { // not one that was peeked at, and speaks HTTP/2
		level = credentials.PrivacyAndIntegrity
		if p := t.ConnectionState().NegotiatedProtocol; p != "h2" {
			err := fmt.Errorf("the client negotiated %q by ALPN, want h2 as gRPC does", p)
			tracked.note.Fail(err.Error())
			return nil, nil, err
		}
	}
	tracked.note.Speaks(query.GRPC)
	return lean{shimmed(c)}, connInfo{credentials.CommonAuthInfo{SecurityLevel: level}, tracked}, nil
}

// lean is a connection that grpc-go reads into a buffer of its pool, which goes
// from one connection to the next. Otherwise it makes 32 KiB for each.
type lean struct{ net.Conn }

// ReadOnReady is what grpc-go asks of a net.Conn for that.
func (l lean) ReadOnReady(size int, pool mem.BufferPool) (b *[]byte, n int, err error) {
	b = pool.Get(size)
	n, err = l.Read(*b)
	if n == 0 {
		pool.Put(b)
		return nil, 0, err
	}
	return b, n, err
}

// ClientHandshake implements credentials.TransportCredentials, for servers
// only.
func (trackedCreds) ClientHandshake(context.Context, string, net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return nil, nil, errors.New("these are credentials of a server")
}

// Info implements credentials.TransportCredentials.
func (trackedCreds) Info() credentials.ProtocolInfo {
	return credentials.ProtocolInfo{SecurityProtocol: "otlptest"}
}

// Clone implements credentials.TransportCredentials.
func (c trackedCreds) Clone() credentials.TransportCredentials { return c }

// OverrideServerName implements credentials.TransportCredentials.
func (trackedCreds) OverrideServerName(string) error { return nil }
