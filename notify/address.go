package notify

import (
	"errors"
	"net"
	"net/url"

	"github.com/opledger/opledger/internal/outward"
)

// checkURL refuses an address that is not to be sent to, as far as its text tells.
func (r *Rules) checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "":
		return errors.New("the address is no URL with a host")
	case u.Scheme != "https" && u.Scheme != "http":
		return errors.New("the address is an https URL")
	case u.Scheme == "http" && !r.AllowHTTP:
		return errors.New("the address is to be https; this server's operator does not allow http")
	case u.User != nil:
		return errors.New("the address has a user or password in it, which everybody who may read subscriptions would see")
	case u.Fragment != "":
		return errors.New("the address has a fragment, which is never sent")
	case r.AllowPrivate:
		return nil
	}
	return outward.CheckHost(u.Hostname())
}

// dialer connects to where a delivery goes.
func (r *Rules) dialer() *net.Dialer { return outward.Dialer(connectTimeout, r.AllowPrivate) }
