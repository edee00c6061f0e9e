package script

import (
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// nonce is that of the process that every executor of a scenario is, unless a step states another.
const nonce = "the one process of this scenario"

// attempting are the verbs of an executor. Their subject is the step that brought the permit.
var attempting = map[string]verb{
	"begin": {
		method: "OperationService/BeginAttempt", subject: ofPermit,
		own:    map[string]func(*filling, *yaml.Node) error{"nonce": processNonce},
		finish: func(x *filling) error { return nonceOf(x, true) },
	},
	"extend": {
		method: "OperationService/ExtendAttempt", subject: ofPermit,
		own:    map[string]func(*filling, *yaml.Node) error{"by": renamed("extend_by"), "nonce": processNonce},
		finish: func(x *filling) error { return nonceOf(x, false) },
	},
	"report": {
		method: "OperationService/ReportAttempt", subject: ofPermit,
		own: map[string]func(*filling, *yaml.Node) error{
			"nonce": processNonce, "effect": reportedEffect, "result": reportedResult, "again": sameReport, "of": reportSent, "token_of": tokenOfAnother,
		},
		finish: func(x *filling) error {
			r := x.request.(*pb.ReportAttemptRequest)
			if f := r.ProtoReflect().Descriptor().Fields().ByName("sender_returned"); !x.stated("sender_returned") {
				r.ProtoReflect().Set(f, protoreflect.ValueOfBool(true))
			}
			x.put("report_id", x.newID())
			return nonceOf(x, false)
		},
	},
}

// permitOf is the permit that the step of a label brought; of several, each of those that are done at once takes another.
func (x *filling) permitOf(node *yaml.Node) (*pb.Permit, error) {
	o, err := x.named(node)
	if err != nil {
		return nil, err
	}
	p := o.permit()
	if all := o.permits(); x.outcome.step.Times > 0 && len(all) > 0 {
		p = all[x.index%len(all)]
	}
	if x.checking {
		switch o.answer.(type) {
		case *pb.ProposeOperationResponse, *pb.PollWorkResponse:
			return &pb.Permit{}, nil
		}
	}
	if p == nil {
		return nil, at(node, "the step %q brought no permit", node.Value)
	}
	return p, nil
}

// ofPermit addresses a request by the permit.
func ofPermit(x *filling, node *yaml.Node) error {
	p, err := x.permitOf(node)
	if err != nil {
		return err
	}
	x.put("operation_id", p.OperationId)
	x.put("attempt_id", p.AttemptId)
	x.put("attempt_token", p.AttemptToken)
	x.beginRequired = p.BeginRequired
	return nil
}

// tokenOfAnother puts another permit's token in the place of the right one.
func tokenOfAnother(x *filling, node *yaml.Node) error {
	p, err := x.permitOf(node)
	if err == nil {
		x.request.(*pb.ReportAttemptRequest).AttemptToken = p.AttemptToken
	}
	return err
}

// processNonce makes the nonce of a named process.
func processNonce(x *filling, node *yaml.Node) error {
	name, err := text(node)
	return firstOf(err, setNonce(x, "the process of the name "+name))
}

// nonceOf gives the request the nonce of the scenario's process, where its permit needs one.
func nonceOf(x *filling, always bool) error {
	if (always || x.beginRequired) && !x.request.ProtoReflect().Has(x.request.ProtoReflect().Descriptor().Fields().ByName("begin_nonce")) {
		if err := setNonce(x, nonce); err != nil {
			return err
		}
	}
	return requestID(x)
}

func setNonce(x *filling, value string) error {
	m := x.request.ProtoReflect()
	m.Set(m.Descriptor().Fields().ByName("begin_nonce"), protoreflect.ValueOfBytes([]byte(value)))
	return nil
}

// answerOf is the provider's answer in a report.
func answerOf(x *filling) *pb.ProviderAnswer {
	r := x.request.(*pb.ReportAttemptRequest)
	if r.Answer == nil {
		r.Answer = &pb.ProviderAnswer{}
	}
	return r.Answer
}

func reportedEffect(x *filling, node *yaml.Node) error {
	id, err := text(node)
	if err != nil {
		return err
	}
	id, err = x.resolve(node, id)
	a := answerOf(x)
	a.EffectId, a.ProviderObjectId = id, id
	return err
}

func reportedResult(x *filling, node *yaml.Node) (err error) {
	answerOf(x).ResultJson, err = jsonOf(node, x.resolve)
	return err
}

// sameReport repeats the report id of an earlier report.
func sameReport(x *filling, node *yaml.Node) error {
	o, err := x.named(node)
	if err != nil {
		return err
	}
	earlier, isReport := o.request.(*pb.ReportAttemptRequest)
	if !isReport {
		return at(node, "%s is no report", node.Value)
	}
	x.put("report_id", earlier.GetReportId())
	return nil
}

// stated reports whether the step itself sets a field.
func (x *filling) stated(name string) bool { return member(x.outcome.step.node, name) != nil }

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
