package script

import (
	"context"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// verb is something that a step can do.
type verb struct {
	// method is the call that it makes, as "OperationService/ProposeOperation"; empty: it makes none.
	method string
	// dynamic: the step itself names its call.
	dynamic bool
	// repeats: it has steps of its own.
	repeats bool
	// told: the history says that it was done, since it does not say so itself.
	told bool
	// subject reads what stands behind the verb.
	subject func(x *filling, node *yaml.Node) error
	// own are the words that the verb has beside the fields of its request.
	own map[string]func(x *filling, node *yaml.Node) error
	// finish fills in what the step left out.
	finish func(x *filling) error
	// check and act are those of a verb that makes no call, or more than one.
	check func(x *filling, s *Step) error
	act   func(ctx context.Context, r *runner, s *Step) error
}

// filling is one request in the making. While a file is checked it has no runner, and its labels hold empty messages.
type filling struct {
	*labels
	scenario *Scenario
	runner   *runner
	ctx      context.Context
	outcome  *outcome
	newID    func() string

	method         string
	request, reply proto.Message
	index          int // among those that are done at once
	caller         string
	beginRequired  bool // of the permit that the request is about
	lookup         looking
}

// fill makes the request of a step.
func (x *filling) fill(s *Step) error {
	x.method, x.caller = s.verb.method, s.Caller
	if s.verb.dynamic {
		x.method = s.subject.Value
	}
	if err := x.open(s.subject); err != nil {
		return err
	}
	if s.verb.subject != nil {
		if err := s.verb.subject(x, s.subject); err != nil {
			return err
		}
	}
	for _, f := range s.fields {
		read := s.verb.own[f.name.Value]
		if read == nil {
			read = func(x *filling, v *yaml.Node) error { return x.decoder().field(f.name, v, x.request.ProtoReflect()) }
		}
		if err := read(x, f.value); err != nil {
			return err
		}
	}
	if s.verb.finish != nil {
		return s.verb.finish(x)
	}
	return nil
}

// resolve is that of the labels, and knows ${n}: the number among those that are done at once.
func (x *filling) resolve(node *yaml.Node, s string) (string, error) {
	return x.labels.resolve(node, strings.ReplaceAll(s, "${n}", strconv.Itoa(x.index)))
}

func (x *filling) decoder() decoder { return decoder{resolve: x.resolve, checking: x.checking} }

// set writes one node into a field of the request, whose name is the API's.
func (x *filling) set(name string, node *yaml.Node) error {
	return x.decoder().field(&yaml.Node{Kind: yaml.ScalarNode, Value: name, Line: node.Line}, node, x.request.ProtoReflect())
}

// put sets a text field of the request, where it is not set yet.
func (x *filling) put(name, value string) {
	m := x.request.ProtoReflect()
	if f := m.Descriptor().Fields().ByName(protoreflect.Name(name)); !m.Has(f) && value != "" {
		m.Set(f, protoreflect.ValueOfString(value))
	}
}

// renamed reads a word of the language as a field of another name.
func renamed(name string) func(*filling, *yaml.Node) error {
	return func(x *filling, node *yaml.Node) error { return x.set(name, node) }
}

const servicePrefix = "opledger.v1."

// open makes the empty messages of the method.
func (x *filling) open(node *yaml.Node) error {
	service, name, _ := strings.Cut(x.method, "/")
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(servicePrefix + service))
	s, isService := d.(protoreflect.ServiceDescriptor)
	if err != nil || !isService {
		return at(node, "%q is no call; one is written as LeaseService/ListEntityLeases", x.method)
	}
	method := s.Methods().ByName(protoreflect.Name(name))
	if method == nil || method.IsStreamingServer() || method.IsStreamingClient() {
		return at(node, "%s has no call %q with one answer", service, name)
	}
	if x.request, err = empty(method.Input()); err != nil {
		return err
	}
	x.reply, err = empty(method.Output())
	return err
}

func empty(d protoreflect.MessageDescriptor) (proto.Message, error) {
	t, err := protoregistry.GlobalTypes.FindMessageByName(d.FullName())
	if err != nil {
		return nil, err
	}
	return t.New().Interface(), nil
}

// requestID gives the request an id where it has a place for one.
func requestID(x *filling) error {
	m := x.request.ProtoReflect()
	if f := m.Descriptor().Fields().ByName("request_id"); f != nil && !m.Has(f) {
		m.Set(f, protoreflect.ValueOfString(x.newID()))
	}
	return nil
}
