package campaign

import "fmt"

// amounts are spellings of what each run is about: 49 dollars.
var amounts = []string{`"49"`, `49.00`, `"49.0"`, `4.9e1`, `"49.00"`, `49`}

// spelling is how one channel writes the run's arguments: always the same.
func (p *play) spelling(channel int) func(int) string {
	return func(int) string {
		if channel == 0 {
			return fmt.Sprintf(`{"order_id":%q,"amount":"49.00","currency":"USD"%s}`, p.ref, p.onAccount(""))
		}
		return fmt.Sprintf(`{"currency":"usd","note":"by button","amount":%s,"order_id":" %s"%s}`, `49.00`, p.ref, p.onAccount(" "))
	}
}

// rephrased writes them anew each time: another note, another way to write the amount.
func (p *play) rephrased(n int) string {
	return fmt.Sprintf(`{"note":"try %d, please","amount":%s,"order_id":%q,"currency":"USD"%s}`, n+1, amounts[n%len(amounts)], p.ref, p.onAccount(""))
}

// onAccount names the run's account to a tool that asks for it, with so much space before it.
func (p *play) onAccount(space string) string {
	if !p.tool.account {
		return ""
	}
	return fmt.Sprintf(`,"account":%q`, space+p.run.account())
}
