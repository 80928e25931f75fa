package certs_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/certs"
	"github.com/otlptest/otlptest/internal/memnet"
)

func newSet(t *testing.T, hosts ...string) *certs.Set {
	t.Helper()
	s, err := certs.New(hosts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// handshake returns what a client that trusts the set makes of a variant.
func handshake(t *testing.T, v certs.Variant) error {
	t.Helper()
	l, err := memnet.NewHost().Listen(4317)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	set := newSet(t, l.Addr().(*net.TCPAddr).IP.String())
	cert, err := set.Variant(v)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if c, err := l.Accept(); err == nil {
			defer c.Close()
			tls.Server(c, &tls.Config{Certificates: []tls.Certificate{cert}}).Handshake()
		}
	}()
	defer func() { <-done }()
	raw, err := memnet.Dial(t.Context(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ := net.SplitHostPort(l.Addr().String())
	c := tls.Client(raw, &tls.Config{RootCAs: set.Pool, ServerName: host})
	defer c.Close()
	return c.Handshake()
}

// wantInvalid checks that err is of a certificate that is out of date, and how.
func wantInvalid(t *testing.T, err error, detail string) {
	t.Helper()
	var invalid x509.CertificateInvalidError
	if !errors.As(err, &invalid) || invalid.Reason != x509.Expired || !strings.Contains(invalid.Detail, detail) {
		t.Errorf("got %v, want a certificate that is out of date, with %q", err, detail)
	}
}

func wantOtherName(t *testing.T, err error) {
	t.Helper()
	var name x509.HostnameError
	if !errors.As(err, &name) {
		t.Fatalf("got %v, want an x509.HostnameError", err)
	}
	if c := name.Certificate; len(c.DNSNames) != 1 || c.DNSNames[0] != "other.invalid" || len(c.IPAddresses) != 0 {
		t.Errorf("the certificate is for %v and %v, want other.invalid alone", c.DNSNames, c.IPAddresses)
	}
}

func TestClientRejectsOnlyWhatIsWrong(t *testing.T) {
	test := func(t *testing.T) {
		if err := handshake(t, certs.Valid); err != nil {
			t.Errorf("valid: %v", err)
		}
		wantInvalid(t, handshake(t, certs.Expired), "is after 1999-07-01")
		wantInvalid(t, handshake(t, certs.NotYetValid), "is before 2098-01-01")
		wantOtherName(t, handshake(t, certs.OtherName))
	}
	t.Run("real clock", test)
	t.Run("bubble", func(t *testing.T) { synctest.Test(t, test) })
}

// With the one thing put right, each of them passes.
func TestNothingElseIsWrong(t *testing.T) {
	set := newSet(t)
	for v, opts := range map[certs.Variant]x509.VerifyOptions{
		certs.Valid:       {DNSName: "127.0.0.1"},
		certs.Expired:     {DNSName: "localhost", CurrentTime: time.Date(1999, 6, 1, 0, 0, 0, 0, time.UTC)},
		certs.NotYetValid: {DNSName: "localhost", CurrentTime: time.Date(2098, 6, 1, 0, 0, 0, 0, time.UTC)},
		certs.OtherName:   {DNSName: "other.invalid"},
	} {
		opts.Roots = set.Pool
		cert, err := set.Variant(v)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(cert.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := leaf.Verify(opts); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
}

func TestUnknownVariantIsAnError(t *testing.T) {
	if _, err := newSet(t).Variant(99); err == nil || !strings.Contains(err.Error(), "Variant(99)") {
		t.Errorf("got error %v, want one that names Variant(99)", err)
	}
}

func TestVariantsSignedAtOnceHaveSerialsOfTheirOwn(t *testing.T) {
	set := newSet(t)
	var seen sync.Map
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			cert, err := set.Variant(certs.Expired)
			if err != nil {
				t.Error(err)
				return
			}
			leaf, err := x509.ParseCertificate(cert.Certificate[0])
			if err != nil {
				t.Error(err)
				return
			}
			if _, dup := seen.LoadOrStore(leaf.SerialNumber.String(), true); dup {
				t.Errorf("serial number %v was given twice", leaf.SerialNumber)
			}
		})
	}
	wg.Wait()
}
