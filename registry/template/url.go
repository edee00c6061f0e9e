package template

import (
	"errors"
	"net/url"
	"strings"
)

// URL is a checked template of a URL. Its scheme and host are constants; each value in its path and query is escaped, so
// that none reaches another place than its own.
type URL struct {
	Scheme string // "https" or "http"
	Host   string // with the port, if there is one
	path   *Text
	query  []*Text // each NAME=VALUE
}

// ParseURL reads a template of a URL.
func ParseURL(text string) (*URL, *Fault) {
	whole, fault := ParseText(text)
	if fault != nil {
		return nil, fault
	}
	bad := func(message string) (*URL, *Fault) { return nil, &Fault{Message: message} }
	if len(whole.parts) == 0 || whole.parts[0].ref != nil {
		return bad("A URL begins with https:// and a host, which are constants.")
	}
	first := whole.parts[0].literal
	scheme, rest, ok := strings.Cut(first, "://")
	if !ok || scheme != "https" && scheme != "http" {
		return bad("A URL begins with https:// (or http://, where the server's operator allows it) and a host, which are constants.")
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		if len(whole.parts) > 1 {
			return bad("The host is a constant; a reference may stand in the path and in the query.")
		}
		end = len(rest)
	}
	u := &URL{Scheme: scheme, Host: rest[:end]}
	whole.parts[0].literal = rest[end:]
	if _, err := url.Parse(scheme + "://" + u.Host); err != nil || u.Host == "" || strings.Contains(u.Host, "@") || strings.HasPrefix(u.Host, ":") {
		return bad("The URL has no host that can be connected to; no user or password stands in front of it (an Authorization header holds them).")
	}
	for _, l := range whole.Literals() {
		if strings.Contains(l, "#") {
			return bad("The URL has a fragment, which is never sent.")
		}
		for i := range len(l) {
			if l[i] <= ' ' || l[i] > '~' || strings.IndexByte("\"<>\\^`{|}", l[i]) >= 0 {
				return bad("The URL holds a character that is to be percent-encoded: a space is %20, a double quote %22.")
			}
		}
	}
	path, query, asked := whole.cut("?")
	u.path = path
	for asked {
		var param *Text
		param, query, asked = query.cut("&")
		u.query = append(u.query, param)
	}
	for _, r := range u.path.References() {
		if r.Optional {
			return bad("A part of the path cannot be left out, as {" + r.Text + "?} asks for; take the question mark away.")
		}
	}
	if _, err := u.fill(func(*Reference) (string, bool, error) { return "x", true, nil }); err != nil {
		return bad("The URL " + err.Error() + ".")
	}
	return u, nil
}

// cut divides a text at the first separator that stands in it as a literal.
func (t *Text) cut(separator string) (before, after *Text, found bool) {
	for i, p := range t.parts {
		if p.ref != nil {
			continue
		}
		if left, right, ok := strings.Cut(p.literal, separator); ok {
			before = &Text{append(t.parts[:i:i], part{literal: left})}
			return before, &Text{append([]part{{literal: right}}, t.parts[i+1:]...)}, true
		}
	}
	return t, &Text{}, false
}

// Hostname is the host without its port.
func (u *URL) Hostname() string { return (&url.URL{Host: u.Host}).Hostname() }

// References lists the references of path and query.
func (u *URL) References() (list []Reference) {
	list = u.path.References()
	for _, q := range u.query {
		list = append(list, q.References()...)
	}
	return list
}

// Fill gives the path with the query, as a request line has it. A part of the query with an optional reference to what
// is absent is left out.
func (u *URL) Fill(values Values) (string, error) {
	return u.fill(values.text)
}

func (u *URL) fill(value func(*Reference) (string, bool, error)) (string, error) {
	path, _, err := u.path.escaped(value, pathValue)
	if err != nil {
		return "", err
	}
	if path == "" {
		path = "/"
	}
	for _, segment := range strings.Split(path, "/") {
		if plain, err := url.PathUnescape(segment); err != nil {
			return "", errors.New("has a % in its path that begins no percent-encoding")
		} else if plain == "." || plain == ".." {
			return "", errors.New("has a dot segment in its path, which would lead to another path")
		}
	}
	var query []string
	for _, q := range u.query {
		text, there, err := q.escaped(value, func(s string) (string, error) { return queryValue(s), nil })
		if err != nil {
			return "", err
		}
		if _, err := url.QueryUnescape(text); err != nil {
			return "", errors.New("has a % in its query that begins no percent-encoding")
		}
		if there {
			query = append(query, text)
		}
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	return path, nil
}

// pathValue escapes a value as a part of a path: a slash in it is no border of segments.
func pathValue(s string) (string, error) {
	if s == "" {
		return "", errors.New("has an empty value in its path, which would lead to another path")
	}
	return url.PathEscape(s), nil
}

// queryValue escapes a value in a query. A space is %20, which every reader takes for a space.
func queryValue(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// FormValue escapes a name or value of a form.
func FormValue(s string) string { return url.QueryEscape(s) }
