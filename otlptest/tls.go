package otlptest

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"

	"github.com/otlptest/otlptest/internal/certs"
	"github.com/otlptest/otlptest/internal/port"
)

// The names of the PEM files.
const (
	caFile   = "ca.pem"
	certFile = "client.pem"
	keyFile  = "client-key.pem"
)

// makeCertificates makes them and their files. Only what options of TLS name
// leads here, so that a test without them does not link it.
func (s *Server) makeCertificates() (err error) {
	hosts := slices.Clone(s.tlsHosts)
	for _, l := range []*port.Listener{s.grpcListener, s.overHTTP.port} {
		if l == nil {
			continue // it will be on loopback
		}
		if tcp, ok := l.Addr().(*net.TCPAddr); ok {
			hosts = append(hosts, tcp.IP.String())
		}
	}
	if s.certs, err = certs.New(hosts...); err != nil {
		return fmt.Errorf("TLS: %w", err)
	}
	if s.certs.Server, err = s.certs.Variant(s.certificate); err != nil {
		return fmt.Errorf("TLS: %w", err)
	}
	if s.tempDir != nil {
		s.certDir = s.tempDir()
	} else if s.certDir, err = os.MkdirTemp("", "otlptest-"); err != nil {
		return fmt.Errorf("TLS: make a directory for the certificates: %w", err)
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(s.certDir, caFile), s.certs.CAPEM, 0o600),
		os.WriteFile(filepath.Join(s.certDir, certFile), s.certs.CertPEM, 0o600),
		os.WriteFile(filepath.Join(s.certDir, keyFile), s.certs.KeyPEM, 0o600),
	)
	if err != nil {
		s.removeFiles()
		return fmt.Errorf("TLS: write the certificates: %w", err)
	}
	return nil
}

// removeFiles removes what makeCertificates wrote outside a test's directory.
func (s *Server) removeFiles() {
	if s.tempDir == nil && s.certDir != "" {
		os.RemoveAll(s.certDir)
	}
}

// serverTLS is nil without TLS.
func (s *Server) serverTLS() *tls.Config {
	if s.certify == nil {
		return nil
	}
	c := &tls.Config{Certificates: []tls.Certificate{s.certs.Server}, MinVersion: tls.VersionTLS12}
	if s.mutualTLS {
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, s.certs.Pool
	}
	return c
}

// ClientTLS is the configuration of a client that trusts the server, and shows
// a certificate where [WithMutualTLS] asks for one. It is a new one at every
// call, and nil without TLS.
func (s *Server) ClientTLS() *tls.Config {
	if s.certify == nil {
		return nil
	}
	c := &tls.Config{RootCAs: s.certs.Pool, MinVersion: tls.VersionTLS12}
	if s.mutualTLS {
		c.Certificates = []tls.Certificate{s.certs.Client}
	}
	return c
}

// TLSFiles is the PEM files for a client that reads files: the authority to
// trust, and the certificate and key to show where [WithMutualTLS] asks for
// them. They are empty where there is none. The files last as long as the test
// that [Start] was given, or until Close.
func (s *Server) TLSFiles() (ca, cert, key string) {
	if s.certify != nil {
		ca = filepath.Join(s.certDir, caFile)
	}
	if s.mutualTLS {
		cert, key = filepath.Join(s.certDir, certFile), filepath.Join(s.certDir, keyFile)
	}
	return ca, cert, key
}

// fileVariables is the variables of the environment that name the files (C-30).
func (s *Server) fileVariables() map[string]string {
	ca, cert, key := s.TLSFiles()
	return map[string]string{
		"OTEL_EXPORTER_OTLP_CERTIFICATE":        ca,
		"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE": cert,
		"OTEL_EXPORTER_OTLP_CLIENT_KEY":         key,
	}
}
