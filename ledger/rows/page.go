package rows

// The bounds of a page.
const (
	DefaultPage = 100
	MaxPage     = 1000
)

// PageSize is the number of rows that a query which asks for so many gets at most.
func PageSize(asked int) int {
	if asked <= 0 {
		return DefaultPage
	}
	return min(asked, MaxPage)
}
