// Package certs makes the certificates of a test server in memory: an authority
// of its own, which signs one certificate for the server and one for its
// clients.
package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"sync/atomic"
	"time"
)

// The certificates are valid from before the year 2000, in which the clock of
// a testing/synctest bubble starts.
var (
	notBefore = time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)
	notAfter  = time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Set is an authority with the certificates that it has signed.
type Set struct {
	Server  tls.Certificate
	Client  tls.Certificate
	Pool    *x509.CertPool // holds the authority
	CAPEM   []byte         // the authority's certificate
	CertPEM []byte         // the client's certificate
	KeyPEM  []byte         // the client's key, PKCS #8

	ca    *authority
	names []string // of the server
	ips   []net.IP // likewise
}

// New makes a set. The server's certificate is for localhost, the loopback
// addresses, and the given hosts, which are names or addresses.
func New(hosts ...string) (*Set, error) {
	ca, err := newAuthority()
	if err != nil {
		return nil, err
	}
	s := &Set{Pool: x509.NewCertPool(), CAPEM: encode("CERTIFICATE", ca.cert.Raw), ca: ca}
	for _, host := range append([]string{"localhost", "127.0.0.1", "::1"}, hosts...) {
		if ip := net.ParseIP(host); ip != nil {
			s.ips = append(s.ips, ip)
		} else {
			s.names = append(s.names, host)
		}
	}
	s.Pool.AddCert(ca.cert)
	s.Server, err = s.Variant(Valid)
	if err != nil {
		return nil, err
	}
	s.Client, err = ca.sign(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "otlptest client"},
		NotBefore:   notBefore,
		NotAfter:    notAfter,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return nil, err
	}
	key, err := x509.MarshalPKCS8PrivateKey(s.Client.PrivateKey)
	if err != nil {
		return nil, fmt.Errorf("encode the client's key: %w", err)
	}
	s.CertPEM, s.KeyPEM = encode("CERTIFICATE", s.Client.Certificate[0]), encode("PRIVATE KEY", key)
	return s, nil
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// authority signs certificates.
type authority struct {
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
	serial atomic.Int64
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the authority's key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "otlptest authority"},
		NotBefore: notBefore, NotAfter: notAfter,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("make the authority's certificate: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	a := &authority{cert: cert, key: key}
	a.serial.Store(template.SerialNumber.Int64())
	return a, err
}

// sign completes a template and makes a certificate of it. It is safe for
// concurrent use.
func (a *authority) sign(template *x509.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make the key of %s: %w", template.Subject.CommonName, err)
	}
	template.SerialNumber = big.NewInt(a.serial.Add(1))
	template.KeyUsage = x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make the certificate of %s: %w", template.Subject.CommonName, err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
