package main

import (
	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// scopeFlags name a part of the namespace that is switched as a whole.
type scopeFlags struct {
	tool, class string
	namespace   bool
}

func addScopeFlags(cmd *cobra.Command, c *connection) *scopeFlags {
	f := &scopeFlags{}
	flags := cmd.Flags()
	flags.StringVar(&f.tool, "tool", "", "this tool")
	flags.StringVar(&f.class, "class", "", "all tools of this class")
	flags.BoolVar(&f.namespace, "namespace", false, "everything in your namespace")
	cmd.MarkFlagsMutuallyExclusive("tool", "class", "namespace")
	cmd.MarkFlagsOneRequired("tool", "class", "namespace")
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	must(cmd.RegisterFlagCompletionFunc("class", completeWords(words(classEnum)...)))
	return f
}

func (f *scopeFlags) scope() (*pb.SwitchScope, error) {
	switch {
	case f.tool != "":
		return &pb.SwitchScope{Part: &pb.SwitchScope_Tool{Tool: f.tool}}, nil
	case f.class != "":
		n, err := parseWord("class", classEnum, f.class)
		if err != nil {
			return nil, err
		}
		return &pb.SwitchScope{Part: &pb.SwitchScope_ToolClass{ToolClass: pb.ToolClass(n)}}, nil
	case f.namespace:
		return &pb.SwitchScope{Part: &pb.SwitchScope_WholeNamespace{WholeNamespace: &pb.WholeNamespace{}}}, nil
	}
	return nil, usagef("name a part: --tool TOOL, --class CLASS or --namespace")
}

// scopeName is a part as people write it.
func scopeName(s *pb.SwitchScope) string {
	switch part := s.GetPart().(type) {
	case *pb.SwitchScope_Tool:
		return "the tool " + part.Tool
	case *pb.SwitchScope_ToolClass:
		return "the class " + short(part.ToolClass)
	case *pb.SwitchScope_WholeNamespace:
		return "the whole namespace"
	}
	return "a part that this program does not know"
}
