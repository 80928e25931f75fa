package memnet

import (
	"net"
	"net/netip"
)

// hostAddrs enumerates the addresses of hosts, each of them once.
type hostAddrs struct {
	last   netip.Addr
	ranges []netip.Prefix // the first of them contains last
}

func newHostAddrs() hostAddrs {
	ranges := []netip.Prefix{
		netip.MustParsePrefix("192.0.2.0/24"),    // TEST-NET-1, RFC 5737
		netip.MustParsePrefix("198.51.100.0/24"), // TEST-NET-2, RFC 5737
		netip.MustParsePrefix("198.18.0.0/15"),   // benchmarking, RFC 2544
		netip.MustParsePrefix("2001:db8::/32"),   // documentation, RFC 3849
	}
	return hostAddrs{last: ranges[0].Addr(), ranges: ranges}
}

// next never returns the first or the last address of a range, as these have a
// meaning of their own in IPv4. The last range is too large to be exhausted.
func (a *hostAddrs) next() netip.Addr {
	ip := a.last.Next()
	if !a.ranges[0].Contains(ip.Next()) {
		a.ranges = a.ranges[1:]
		ip = a.ranges[0].Addr().Next()
	}
	a.last = ip
	return ip
}

// clientAddrs enumerates the addresses of dialers: TEST-NET-3 of RFC 5737 with
// ephemeral ports. They repeat after four million connections.
type clientAddrs struct {
	n int
}

func (a *clientAddrs) next() *net.TCPAddr {
	const firstPort, ports, ips = 49152, 1 << 14, 254
	n := a.n
	a.n = (n + 1) % (ports * ips)
	return &net.TCPAddr{IP: net.IPv4(203, 0, 113, byte(1+n/ports)).To4(), Port: firstPort + n%ports}
}
