package server

import (
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/opledger/opledger/canon"
)

// structValue turns a google.protobuf.Struct into exact values. A number in it is a double: a whole one at or beyond 2^53
// may already be another number than was meant, and is refused.
func structValue(pointer string, v *structpb.Value) (*canon.Value, canon.Faults) {
	value, faults := structPart(pointer, v, 0)
	if len(faults) == 0 {
		faults = canon.Check(value, canon.Limits{})
	}
	return value, faults
}

func structPart(pointer string, v *structpb.Value, depth int) (*canon.Value, canon.Faults) {
	if depth > canon.MaxDepth {
		return canon.Null(), canon.Faults{{Pointer: pointer, Reason: canon.ReasonTooDeep, Message: "nested more deeply than " + strconv.Itoa(canon.MaxDepth) + " levels; flatten it"}}
	}
	switch k := v.GetKind().(type) {
	case *structpb.Value_BoolValue:
		return canon.Bool(k.BoolValue), nil
	case *structpb.Value_StringValue:
		return canon.String(k.StringValue), nil
	case *structpb.Value_NumberValue:
		return canon.FromStructNumber(pointer, k.NumberValue)
	case *structpb.Value_ListValue:
		var items []*canon.Value
		var faults canon.Faults
		for i, item := range k.ListValue.GetValues() {
			value, f := structPart(pointer+"/"+strconv.Itoa(i), item, depth+1)
			items, faults = append(items, value), append(faults, f...)
		}
		return canon.Array(items...), faults
	case *structpb.Value_StructValue:
		members := map[string]*canon.Value{}
		var faults canon.Faults
		for name, member := range k.StructValue.GetFields() {
			value, f := structPart(pointer+canon.Pointer{name}.String(), member, depth+1)
			members[name], faults = value, append(faults, f...)
		}
		return canon.Object(members), faults
	}
	return canon.Null(), nil
}
