package suite

// Shipped is everything that comes with the program.
var Shipped = Attack{
	Suites:  nil,
	Shipped: func() ([]Scenario, error) { return nil, nil },
}
