package campaign

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

//go:embed tools/*.yaml
var toolFiles embed.FS

// tool is what actors know of a tool: its contract as its owner wrote it.
type tool struct {
	name     string
	class    registry.Class
	worker   bool // workers carry it out; else whoever proposes
	begin    bool // a begin is required
	keyed    bool // the provider deduplicates by its key
	hooked   bool // the provider sends webhooks
	account  bool // operations exclude each other on an account
	playbook bool
	intent   string
	def      *pb.ToolDefinition
}

// tools are the tools of the campaign, by name. They are read when a campaign first needs them: every start of the
// program would pay for it otherwise.
var tools = sync.OnceValue(loadTools)

func loadTools() map[string]*tool {
	all := map[string]*tool{}
	entries, err := toolFiles.ReadDir("tools")
	if err != nil {
		panic(err) // it is embedded
	}
	for _, e := range entries {
		text, err := toolFiles.ReadFile("tools/" + e.Name())
		if err != nil {
			panic(err)
		}
		sources, problems := toolfile.Parse(e.Name(), text)
		if len(problems) > 0 {
			panic(fmt.Sprint("the campaign's tools: ", problems))
		}
		for _, s := range sources {
			t := toolOf(s.Proto)
			all[t.name] = t
		}
	}
	return all
}

func toolOf(d *pb.ToolDefinition) *tool {
	class := registry.Class(d.Class.String()[len("TOOL_CLASS_"):])
	strict := class == registry.ExternalNonIdempotentWrite || class == registry.Irreversible
	return &tool{
		name: d.Name, class: class, worker: d.Executor == pb.Executor_EXECUTOR_WORKER, begin: strict || d.Permit.GetBeginRequired(),
		keyed:  class == registry.InternalDeterministicWrite || d.Provider.GetIdempotencyKey().GetSupported(),
		hooked: d.Provider.GetWebhookSource() != "", account: d.Identity.GetEntity().GetType() == "account",
		playbook: d.Playbook != nil, intent: d.Identity.GetIntent(), def: d,
	}
}

// toolNames lists the tools in a fixed order: a tool that a playbook names comes before the one that names it.
func toolNames() []string {
	names := make([]string, 0, len(tools()))
	for name := range tools() {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if p, q := tools()[a].playbook, tools()[b].playbook; p != q {
			if p {
				return 1
			}
			return -1
		}
		if a < b {
			return -1
		}
		return 1
	})
	return names
}

// workerTools are those that workers carry out.
func workerTools() []string {
	return slices.DeleteFunc(toolNames(), func(name string) bool { return !tools()[name].worker })
}

// suited are the tools at which all of a run's faults can happen, as far as the class has one.
func suited(r Run) []string {
	var all, best []string
	for _, name := range toolNames() {
		t := tools()[name]
		if t.class != r.Class || name == undoing {
			continue
		}
		all = append(all, name)
		begins := r.Process == eval.LostBeginAnswer
		hooks := slices.ContainsFunc(r.Provider[:1], func(f eval.Fault) bool {
			return f == eval.DuplicateWebhook || f == eval.UnorderedWebhook || f == eval.LateWebhook
		})
		if (!begins || t.begin) && (!hooks || t.hooked) {
			best = append(best, name)
		}
	}
	if len(best) > 0 {
		return best
	}
	return all
}

// undoing is the tool that undoes an effect of the one with a playbook. No agent proposes it.
const undoing = "unship.worker"
