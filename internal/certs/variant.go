package certs

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"time"
)

// Variant is what is wrong with a certificate of the server, and nothing else is:
// the authority that clients trust has signed each of them.
type Variant int

// The variants. The times are such that they hold now as well as when the clock
// of a testing/synctest bubble starts, in the year 2000.
const (
	Valid       Variant = iota // nothing
	Expired                    // it was valid until 1999
	NotYetValid                // it is valid from 2098 on
	OtherName                  // it is for other.invalid alone, no address
)

// String returns what is wrong, such as "expired".
func (v Variant) String() string {
	switch v {
	case Valid:
		return "valid"
	case Expired:
		return "expired"
	case NotYetValid:
		return "not yet valid"
	case OtherName:
		return "for another name"
	}
	return fmt.Sprintf("Variant(%d)", int(v))
}

// Variant signs a certificate for the server with what v says is wrong with it:
// a new one at every call. The error for an unknown v says so. It is safe for
// concurrent use.
func (s *Set) Variant(v Variant) (tls.Certificate, error) {
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "otlptest server"},
		NotBefore:   notBefore,
		NotAfter:    notAfter,
		DNSNames:    s.names,
		IPAddresses: s.ips,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	switch v {
	case Valid:
	case Expired:
		template.NotAfter = time.Date(1999, 7, 1, 0, 0, 0, 0, time.UTC)
	case NotYetValid:
		template.NotBefore = time.Date(2098, 1, 1, 0, 0, 0, 0, time.UTC)
	case OtherName:
		template.DNSNames, template.IPAddresses = []string{"other.invalid"}, nil
	default:
		return tls.Certificate{}, fmt.Errorf("sign the server's certificate: got unknown %v", v)
	}
	return s.ca.sign(template)
}
