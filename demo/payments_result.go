package demo

import "github.com/opledger/opledger/demo/provider"

// Payments is what the first story came to.
type Payments struct {
	Naive      Count       `json:"naive"`
	Opledger   Count       `json:"opledger"`
	Operations []Operation `json:"operations"`

	effects map[string]string // the provider's id of the first effect, by tool
}

// Count is how many effects the provider counted.
type Count struct {
	Charges int `json:"charges"`
	Emails  int `json:"emails"`
}

// countAt counts at the provider.
func countAt(p *provider.Provider) Count {
	return Count{Charges: len(p.Transfers(provider.KindCharge)), Emails: len(p.Emails())}
}

func (c Count) String() string {
	return plural(c.Charges, "charge") + ", " + plural(c.Emails, "e-mail")
}

// effectsAt are the provider's ids of what it made first.
func effectsAt(p *provider.Provider) map[string]string {
	effects := map[string]string{}
	if charges := p.Transfers(provider.KindCharge); len(charges) > 0 {
		effects[paymentTool] = charges[0].ID
	}
	if emails := p.Emails(); len(emails) > 0 {
		effects[receiptTool] = emails[0].ID
	}
	return effects
}

// judge says whether the story kept what Opledger promises: exactly one charge and one e-mail at the provider, each of
// them known to the ledger as a success, under the provider's own id.
func (r *Payments) judge(bad func(format string, args ...any)) {
	if r.Opledger != (Count{Charges: 1, Emails: 1}) {
		bad("through Opledger the provider counted %s; exactly one of each was to happen", r.Opledger)
	}
	for _, tool := range []string{paymentTool, receiptTool} {
		switch o := r.operation(tool); {
		case o == nil:
			bad("the ledger has no operation of %s", tool)
		case o.State != "completed_success":
			bad("%s (%s) ended as %s and not as completed_success", tool, o.OperationID, o.State)
		case o.ProviderObjectID == "" || o.ProviderObjectID != r.effects[tool]:
			bad("%s (%s) has %q recorded where the provider made %q", tool, o.OperationID, o.ProviderObjectID, r.effects[tool])
		}
	}
	if n := len(r.Operations); n > 2 {
		bad("the ledger has %d operations where the order needs two", n)
	}
}

func (r *Payments) operation(tool string) *Operation {
	for i := range r.Operations {
		if r.Operations[i].Tool == tool {
			return &r.Operations[i]
		}
	}
	return nil
}
