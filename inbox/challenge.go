package inbox

import "encoding/json"

// Challenge answers the question by which Slack makes sure that an endpoint is its app's: the text that it wants back.
// Empty: the delivery is no such question (https://docs.slack.dev/reference/events/url_verification).
func (s *Source) Challenge(d *Delivery) string {
	if s.Preset != "slack" {
		return ""
	}
	var m struct{ Type, Challenge string }
	if json.Unmarshal(d.Body, &m) != nil || m.Type != "url_verification" || len(m.Challenge) > maxReference {
		return ""
	}
	return m.Challenge
}
