package eval

import "slices"

// RunFollows stands between what a finding shows by itself and the steps of its run.
const RunFollows = "The run in which it happened:"

// WithSteps adds the steps of the run. What the finding's checker shows by itself, such as the calls that have no order, stands
// before them: it is the shortest that shows the fault, and the steps say how it came about.
func (f *Finding) WithSteps(steps []string) {
	if len(f.History) == 0 || slices.Equal(f.History, steps) {
		f.History = steps
		return
	}
	f.History = slices.Concat(f.History, []string{RunFollows}, steps)
}
