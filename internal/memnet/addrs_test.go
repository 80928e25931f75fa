package memnet

import (
	"net/netip"
	"testing"
)

func TestHostAddressesAreUniqueAcrossRanges(t *testing.T) {
	const n = 132_000 // more than there are in IPv4
	seen := make(map[netip.Addr]bool, n)
	addrs := newHostAddrs()
	for range n {
		ip := addrs.next()
		if seen[ip] {
			t.Fatalf("%v was handed out twice", ip)
		}
		seen[ip] = true
	}
	for _, ip := range []string{"192.0.2.1", "192.0.2.254", "198.51.100.1", "198.18.0.1", "198.19.255.254", "2001:db8::1"} {
		if !seen[netip.MustParseAddr(ip)] {
			t.Errorf("%s was not handed out", ip)
		}
	}
	for _, ip := range []string{"192.0.2.0", "192.0.2.255", "198.51.100.255", "198.19.255.255"} {
		if seen[netip.MustParseAddr(ip)] {
			t.Errorf("%s was handed out, but means a network", ip)
		}
	}
}

func TestClientAddressesAreEphemeral(t *testing.T) {
	var addrs clientAddrs
	seen := make(map[netip.AddrPort]bool)
	for range 100_000 {
		a := addrs.next().AddrPort()
		if seen[a] {
			t.Fatalf("%v was handed out twice", a)
		}
		if a.Port() < 49152 {
			t.Fatalf("port of %v is not ephemeral", a)
		}
		seen[a] = true
	}
	addrs.n = 254<<14 - 1
	if got, want := addrs.next().String(), "203.0.113.254:65535"; got != want {
		t.Errorf("last address is %s, want %s", got, want)
	}
	if got, want := addrs.next().String(), "203.0.113.1:49152"; got != want {
		t.Errorf("address after the last is %s, want %s", got, want)
	}
}
