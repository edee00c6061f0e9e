package inbox

import (
	"net/url"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/ledger"
)

// The tolerances that a source may state. Below the least, clocks that are well kept would be refused.
const (
	leastTolerance = 5 * time.Second
	mostTolerance  = 24 * time.Hour
)

// What names of namespaces and of sources are made of, since both stand in the endpoint's path.
var pathName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

var verdicts = map[string]ledger.Says{
	"happened": ledger.SaysHappened, "in_progress": ledger.SaysInProgress, "did_not_happen": ledger.SaysNot, "nothing": "",
}

// source reads one source.
func (p *parser) source(n *yaml.Node, all *Sources) {
	before := len(p.problems)
	s := Settings{Namespace: "default", Verdicts: map[string]ledger.Says{}}
	var namespace string
	var ownTolerance bool
	p.members(n, map[string]func(*yaml.Node){
		"name": p.text(&s.Name), "namespace": p.text(&namespace), "preset": p.text(&s.Preset), "url": p.text(&s.URL),
		"hmac":    func(n *yaml.Node) { s.HMAC = p.hmac(n) },
		"secrets": func(n *yaml.Node) { s.Secrets = p.secrets(n) },
		"tolerance": func(n *yaml.Node) {
			ownTolerance = true
			p.duration(&s.Tolerance, leastTolerance, mostTolerance)(n)
		},
		"fields":   func(n *yaml.Node) { s.Fields = p.fields(n) },
		"verdicts": func(n *yaml.Node) { p.verdicts(n, s.Verdicts) },
	}, "name", "preset", "verdicts")
	if namespace != "" {
		s.Namespace = ledger.Namespace(namespace)
	}
	if len(p.problems) > before {
		return
	}
	source := p.complete(n, s, ownTolerance)
	if len(p.problems) > before {
		return
	}
	name := [2]string{string(s.Namespace), s.Name}
	if all.byName[name] != nil {
		p.fail(n, "the source %s of the namespace %s is here twice", s.Name, s.Namespace)
		return
	}
	all.byName[name], all.list = source, append(all.list, source)
}

// complete checks what belongs together.
func (p *parser) complete(n *yaml.Node, s Settings, ownTolerance bool) *Source {
	at := func(bad bool, format string, args ...any) {
		if bad {
			p.fail(n, format, args...)
		}
	}
	kind, known := presets[s.Preset]
	if !known {
		p.fail(n, "there is no preset %q; there are %s", s.Preset, strings.Join(sorted(presets), ", "))
		return nil
	}
	at(!pathName.MatchString(s.Name), "the name %q is not made of letters, digits, dots, dashes and underscores, at most 64", s.Name)
	at(!pathName.MatchString(string(s.Namespace)), "the namespace %q cannot stand in a path", s.Namespace)
	at((s.Preset == "hmac") != (s.HMAC != nil), "hmac belongs to the preset hmac, which needs it")
	at(s.Preset == "none" && !p.options.Unsigned, "the preset none lets whoever reaches the endpoint speak for the provider; the server takes it with --webhook-unsigned alone")
	at(s.Preset == "none" && len(s.Secrets) > 0, "the preset none has no secrets")
	at(s.Preset != "none" && len(s.Secrets) == 0, "secrets is missing: name at least one place of a secret")
	if len(p.problems) > 0 {
		return nil
	}
	scheme := kind.scheme(&s)
	h, plain := scheme.(plainHMAC)
	signsURL := plain && strings.Contains(h.Signed, signedURL)
	u, err := url.Parse(s.URL)
	at(signsURL && (err != nil || u.Host == ""), "this source signs the endpoint's address: state it as url, exactly as the provider has it")
	at(!signsURL && s.URL != "", "url is stated and is not signed by this source")
	at(ownTolerance && !scheme.signsTime(), "tolerance is stated, and this source signs no time")
	source, err := newSource(s)
	if err != nil {
		p.fail(n, "fields: %v", err)
		return nil
	}
	at(source.Fields.EventID == "", "fields.event_id is missing: without an event's id a repeat cannot be told from another event")
	at(source.Fields.EventType == "" && source.Fields.VerdictBy == "", "fields.event_type is missing, by which verdicts go")
	at(p.saysNo(s) && !scheme.signsTime() && !inBody(source.Fields.EventTime),
		"fields.event_time must be a pointer into the body: this source signs no time, so that an old %q, sent again, would pass for a new one", "did_not_happen")
	at(p.saysNo(s) && scheme.signsTime() && source.Fields.EventTime != "" && !inBody(source.Fields.EventTime),
		"fields.event_time must be a pointer into the body, or left out: no header is signed, so that an old %q, sent again, would pass for a new one", "did_not_happen")
	return source
}

func inBody(place string) bool { return strings.HasPrefix(place, "/") }

func (p *parser) saysNo(s Settings) bool {
	for _, v := range s.Verdicts {
		if v == ledger.SaysNot {
			return true
		}
	}
	return false
}

// hmac reads a scheme by its parts.
func (p *parser) hmac(n *yaml.Node) *HMAC {
	h := &HMAC{}
	p.members(n, map[string]func(*yaml.Node){
		"header": p.text(&h.Header), "hash": p.text(&h.Hash), "encoding": p.text(&h.Encoding), "prefix": p.text(&h.Prefix),
		"timestamp_header": p.text(&h.TimestampHeader), "signed_prefix": p.text(&h.Signed),
	}, "header")
	if !headerName.MatchString(h.Header) || h.TimestampHeader != "" && !headerName.MatchString(h.TimestampHeader) {
		p.fail(n, "header and timestamp_header are names of headers")
	}
	if _, ok := hashes[h.Hash]; !ok {
		p.fail(n, "hash is sha256, sha512 or sha1")
	}
	if _, ok := encodings[h.Encoding]; !ok {
		p.fail(n, "encoding is hex or base64")
	}
	if (h.TimestampHeader != "") != strings.Contains(h.Signed, signedTimestamp) {
		p.fail(n, "a timestamp counts only if it is signed: timestamp_header and %s in signed_prefix belong together", signedTimestamp)
	}
	return h
}

// maxSecrets bounds the secrets of one source: the current one and those that it is rotated from.
const maxSecrets = 4

func (p *parser) secrets(n *yaml.Node) []outward.Place {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 || len(n.Content) > maxSecrets {
		p.fail(n, "secrets is a list of 1 to %d places, such as {environment: OPLEDGER_SECRET_STRIPE}", maxSecrets)
		return nil
	}
	var all []outward.Place
	for _, item := range n.Content {
		var place outward.Place
		p.members(item, map[string]func(*yaml.Node){"environment": p.text(&place.Environment), "file": p.text(&place.File)})
		if (place.Environment == "") == (place.File == "") {
			p.fail(item, "a secret has either an environment variable or a file")
		}
		all = append(all, place)
	}
	return all
}

func (p *parser) fields(n *yaml.Node) Fields {
	var f Fields
	known := map[string]func(*yaml.Node){}
	for _, field := range f.all() {
		known[field.name] = func(n *yaml.Node) {
			p.text(field.at)(n)
			if _, err := parsePlace(*field.at); err != nil {
				p.fail(n, "%v", err)
			}
		}
	}
	p.members(n, known)
	return f
}

// verdicts reads what events mean. Their types are not known beforehand.
func (p *parser) verdicts(n *yaml.Node, to map[string]ledger.Says) {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		p.fail(n, "verdicts says what events mean: {charge.succeeded: happened, charge.failed: did_not_happen}")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		verdict, known := verdicts[value.Value]
		_, twice := to[name.Value]
		switch {
		case !known:
			p.fail(value, "a verdict is one of %s", strings.Join(sorted(verdicts), ", "))
		case twice:
			p.fail(name, "%q stands here twice", name.Value)
		default:
			to[name.Value] = verdict
		}
	}
}
