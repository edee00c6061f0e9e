package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/suite"
)

// evalChoice is what can be chosen, as JSON tells it.
type evalChoice struct {
	Suites    []evalSuiteChoice    `json:"suites"`
	Scenarios []evalScenarioChoice `json:"scenarios"`
}

type evalSuiteChoice struct {
	Name    string   `json:"name"`
	About   string   `json:"about"`
	Parts   []string `json:"parts"`
	LeftOut []string `json:"left_out,omitempty"`
}

type evalScenarioChoice struct {
	Name      string         `json:"name"`
	Title     string         `json:"title"`
	Dimension eval.Dimension `json:"dimension"`
}

func newEvalList(attack suite.Attack) *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Short: "List the suites, and the scenarios that come with the program", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			choice, err := evalChoices(attack)
			if err != nil {
				return notDone(err)
			}
			return answer(cmd, choice, choice.text)
		},
	}
	addJSONFlag(cmd)
	return cmd
}

func evalChoices(attack suite.Attack) (*evalChoice, error) {
	choice := &evalChoice{Scenarios: []evalScenarioChoice{}}
	for _, s := range attack.Suites {
		plan, err := s.Plan()
		if err != nil {
			return nil, err
		}
		shown := evalSuiteChoice{Name: s.Name, About: s.About, LeftOut: s.LeftOut}
		for _, part := range plan.Parts() {
			shown.Parts = append(shown.Parts, part.Name())
		}
		choice.Suites = append(choice.Suites, shown)
	}
	shipped, err := attack.Shipped()
	for _, s := range shipped {
		choice.Scenarios = append(choice.Scenarios, evalScenarioChoice{s.Name, s.Title, s.Dimension})
	}
	return choice, err
}

func (c *evalChoice) text(p *printer) {
	var rows [][]string
	for _, s := range c.Suites {
		rows = append(rows, []string{s.Name, fmt.Sprint(len(s.Parts)), s.About})
	}
	p.table([]string{"SUITE", "PARTS", "WHAT IT DOES"}, rows)
	rows = nil
	for _, s := range c.Scenarios {
		rows = append(rows, []string{s.Name, string(s.Dimension), s.Title})
	}
	fmt.Fprintln(p)
	p.table([]string{"SCENARIO", "DIMENSION", "WHAT IT TELLS"}, rows)
}
