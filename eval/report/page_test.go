package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/opledger/opledger/eval"
)

// walk calls f for every element of a page.
func walk(n *html.Node, f func(*html.Node)) {
	if n.Type == html.ElementNode {
		f(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c, f)
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func parsed(t *testing.T, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestThePageLoadsAndRunsNothing(t *testing.T) {
	text := written(t, full().WriteHTML)
	walk(parsed(t, text), func(n *html.Node) {
		switch n.Data {
		case "script", "link", "img", "iframe", "object", "embed", "form", "base", "use", "image", "foreignobject":
			t.Errorf("the page has a %s", n.Data)
		}
		for _, a := range n.Attr {
			if a.Key == "src" || a.Key == "href" || a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.Contains(a.Val, "://") {
				t.Errorf("%s has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	})
	if m := regexp.MustCompile(`url\(|@import|https?:|ZgotmplZ`).FindString(text); m != "" {
		t.Errorf("the page has %q in it", m)
	}
	if strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("a business key is not shown, or not as text")
	}
}

func TestThePageIsReadableWithoutSeeingIt(t *testing.T) {
	ids, charts, tables := map[string]bool{}, 0, 0
	root := parsed(t, written(t, full().WriteHTML))
	walk(root, func(n *html.Node) {
		if id := attribute(n, "id"); id != "" {
			if ids[id] {
				t.Errorf("two elements are called %s", id)
			}
			ids[id] = true
		}
	})
	walk(root, func(n *html.Node) {
		switch n.Data {
		case "html":
			if attribute(n, "lang") == "" {
				t.Error("the page does not say its language")
			}
		case "svg":
			charts++
			if attribute(n, "role") != "img" {
				t.Error("a chart is not told as an image")
			}
			for _, id := range strings.Fields(attribute(n, "aria-labelledby") + " " + attribute(n, "aria-describedby")) {
				if !ids[id] {
					t.Errorf("a chart is named by %s, which is not there", id)
				}
			}
			table := false
			walk(n.Parent, func(c *html.Node) { table = table || c.Data == "table" })
			if !table {
				t.Error("a chart has no table beside it")
			}
		case "th":
			if attribute(n, "scope") == "" {
				t.Error("a heading does not say of what")
			}
		case "table":
			tables++
		}
	})
	if charts != 11 || tables < charts+4 {
		t.Errorf("the page has %d charts and %d tables", charts, tables)
	}
}

func TestThePageShowsEveryFigureAndWhatWasNotRun(t *testing.T) {
	r := full()
	text := written(t, r.WriteHTML)
	for _, f := range figures {
		if !strings.Contains(text, f.Title) {
			t.Errorf("the page lacks %q", f.Title)
		}
	}
	for _, want := range []string{"1 cell below the minimum of 100", "99 !", "12 of 40", "it needs processes of its own", "the database does not answer", "Storms of real processes",
		"--run 88123", "412,331 states explored", fmt.Sprint(r.Seed), "prefers-color-scheme: dark"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestAPageOfNothing(t *testing.T) {
	text := written(t, New(about(), nil, nil).WriteHTML)
	if !strings.Contains(text, "nothing has been shown") || strings.Contains(text, "<svg") {
		t.Errorf("got\n%s", text)
	}
}

func TestBarsAreAsLongAsTheirValues(t *testing.T) {
	c := byArm(campaign(), "Duplicate effects", "", "duplicates_per_10000").laid(0)
	bars := c.Groups[0].Bars
	if len(bars) != 3 || bars[0].Width != barsWidth || bars[1].Width < barsWidth*61/214-1 || bars[1].Width > barsWidth*61/214+1 {
		t.Errorf("bars are %+v", bars)
	}
	zero := &eval.Result{Figures: []eval.Figures{{Arm: eval.Opledger, Runs: 10}}}
	if got := byArm(zero, "", "", "duplicates_per_10000").laid(0).Groups[0].Bars[0]; got.Width != leastWidth || got.Text != "0" {
		t.Errorf("zero is %+v", got)
	}
	if last := bars[2]; last.Y+barHeight > float64(c.Height) {
		t.Error("the last bar is cut off")
	}
	for _, c := range chartsOf("p", campaign()) {
		for _, g := range c.Groups {
			for _, b := range g.Bars {
				if b.TextX()+8.5*float64(len(b.Text)) > chartWidth {
					t.Errorf("%s: the value %q runs out of the chart", c.Title, b.Text)
				}
			}
		}
	}
}
