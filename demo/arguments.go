package demo

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/opledger/opledger/demo/provider"
)

// arguments are what the tools are called with.
type arguments struct {
	OrderID  string          `json:"order_id"`
	Amount   json.RawMessage `json:"amount"`
	Currency string          `json:"currency"`
	To       string          `json:"to"`
	Subject  string          `json:"subject"`
	Name     string          `json:"name"`
	Email    string          `json:"email"`
	Project  string          `json:"project"`
	Title    string          `json:"title"`
}

func parseArguments(text string) (arguments, error) {
	var a arguments
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return a, fmt.Errorf("the call's arguments: %w", err)
	}
	return a, nil
}

// transferKinds are the tools that move money, and how.
var transferKinds = map[string]provider.Kind{
	paymentTool: provider.KindCharge, refundTool: provider.KindRefund, creditTool: provider.KindCredit,
}

// transferOf is the provider's request of a call that moves money. The provider wants minor units, as most do.
func transferOf(kind provider.Kind, a arguments, account string) (provider.Transfer, error) {
	amount, err := minorUnits(a.Amount)
	if err != nil {
		return provider.Transfer{}, err
	}
	return provider.Transfer{
		Kind: kind, Account: account, Amount: amount, Currency: strings.ToUpper(a.Currency), Order: strings.TrimSpace(a.OrderID),
	}, nil
}

// minorUnits reads an amount of a currency with two decimals, written as a number or a string, exactly.
func minorUnits(literal json.RawMessage) (int64, error) {
	text := strings.Trim(string(literal), `"`)
	amount, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, fmt.Errorf("%q is no amount", text)
	}
	if amount.Mul(amount, big.NewRat(100, 1)); !amount.IsInt() || !amount.Num().IsInt64() {
		return 0, fmt.Errorf("%q is no amount of whole cents", text)
	}
	return amount.Num().Int64(), nil
}
