package outward

import (
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// ErrAddress: the address that a name stands for is none of the public internet.
var ErrAddress = errors.New("the address is private, link-local or loopback, which this server's operator does not allow")

// special are the ranges that netip does not know as private, loopback, link-local or multicast and that are no public
// host's either, or that carry another address inside: the IANA registries of special-purpose addresses
// (https://www.iana.org/assignments/iana-ipv4-special-registry, .../iana-ipv6-special-registry).
var special = prefixes(
	"0.0.0.0/8",        // this network
	"100.64.0.0/10",    // shared by a carrier's customers, and by clouds for their own services
	"192.0.0.0/24",     // protocol assignments
	"192.0.2.0/24",     // documentation
	"192.88.99.0/24",   // relays of 6to4
	"168.63.129.16/32", // a cloud's own agent, which hands machines their settings and certificates
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"240.0.0.0/4",      // reserved, and the broadcast address
	"2001::/23",        // protocol assignments, Teredo among them
	"2001:db8::/32",    // documentation
	"2002::/16",        // an IPv4 address behind 6to4
	"3fff::/20",        // documentation
)

// public6 is what has been given out of IPv6 to the public internet. Whatever lies outside is special in some way: addresses
// behind translators (64:ff9b::/96, ::ffff:0:0:0/96), in the old compatible form, discarded, of segments, site-local.
var public6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, t := range texts {
		list = append(list, netip.MustParsePrefix(t))
	}
	return list
}

// Public reports whether an address is one of the public internet.
func Public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return a.Is4() || public6.Contains(a)
}

// onlyPublic refuses to connect to an address that is not public. It is asked with the address that is connected to, after
// the name was resolved, so that a name that stands for something else a moment later gains nothing.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !Public(at.Addr()) {
		return ErrAddress
	}
	return nil
}

// CheckHost refuses the host of an address whose text alone tells that it is not public. What a name stands for shows
// when it is connected to.
func CheckHost(host string) error {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return ErrAddress
	}
	if a, err := netip.ParseAddr(host); err == nil && !Public(a) {
		return ErrAddress
	}
	return nil
}

// Dialer connects to public addresses alone, unless private ones are allowed. It knows no proxy, which would resolve
// names by itself.
func Dialer(timeout time.Duration, allowPrivate bool) *net.Dialer {
	d := &net.Dialer{Timeout: timeout}
	if !allowPrivate {
		d.Control = onlyPublic
	}
	return d
}
