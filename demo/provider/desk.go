package provider

import "net/http"

// Ticket is what the ticket system is asked to open. It opens none: its project is closed.
type Ticket struct {
	Project string `json:"project"`
	Title   string `json:"title"`
}

// Refused is how many tickets the provider was asked for. None of them was opened.
func (p *Provider) Refused() int { return int(p.refused.Load()) }

// postTicket refuses for good, as a project does that takes no tickets any more.
func (p *Provider) postTicket(w http.ResponseWriter, r *http.Request) {
	var t Ticket
	if !readBody(w, r, &t) {
		return
	}
	p.refused.Add(1)
	answer(w, http.StatusUnprocessableEntity, map[string]string{
		"code": "project_closed", "error": "the project " + t.Project + " takes no tickets any more",
	})
}
