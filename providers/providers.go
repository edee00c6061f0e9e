package providers

import (
	"bytes"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"buf.build/go/protoyaml"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
)

//go:embed *.yaml
var files embed.FS

// Base is a shipped profile.
type Base struct {
	Name    string // "stripe.v1"
	Title   string // whose it is, for people
	Notes   string // what a profile cannot say, for who writes a tool
	Profile *opledgerv1.ProviderProfile
	Sources []Source
}

// Source is where a claim comes from.
type Source struct {
	Claims []string `yaml:"claims" json:"claims"` // paths in the profile: "idempotency_key.retention", or "idempotency_key" for all in it
	URL    string   `yaml:"url" json:"url"`
	Read   string   `yaml:"read" json:"read"` // the day on which it was read, 2026-12-02
	Says   string   `yaml:"says" json:"says"` // in our words
}

// all are the shipped profiles. They are part of the program, so that one that cannot be read is a fault of the build.
var all = sync.OnceValue(func() map[string]*Base {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	list := map[string]*Base{}
	for _, e := range entries {
		base, err := load(e.Name())
		if err != nil {
			panic(fmt.Sprintf("the shipped profile %s cannot be read: %v", e.Name(), err))
		}
		list[base.Name] = base
	}
	return list
})

func load(file string) (*Base, error) {
	text, err := files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var document struct {
		Title   string    `yaml:"title"`
		Notes   string    `yaml:"notes"`
		Profile yaml.Node `yaml:"profile"`
		Sources []Source  `yaml:"sources"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&document); err != nil {
		return nil, err
	}
	profile, err := yaml.Marshal(&document.Profile)
	if err != nil {
		return nil, err
	}
	base := &Base{
		Name: strings.TrimSuffix(file, ".yaml"), Title: document.Title, Notes: document.Notes, Sources: document.Sources,
		Profile: &opledgerv1.ProviderProfile{},
	}
	options := protoyaml.UnmarshalOptions{CustomUnmarshaler: yamlproto.ShortNames{}}
	return base, options.Unmarshal(profile, base.Profile)
}

// Names lists the shipped profiles, sorted.
func Names() []string { return slices.Sorted(maps.Keys(all())) }

// Find gives a shipped profile by its name. It is to be left as it is.
func Find(name string) (*Base, bool) {
	base, ok := all()[name]
	return base, ok
}

// Merge gives the profile of a tool that starts from a shipped one: what the tool sets wins, a list as a whole. A promise
// of the shipped profile that is plainly true cannot be taken back in this way; who doubts it writes the profile out. ok
// is false where no profile has that name.
func Merge(tool *opledgerv1.ProviderProfile) (merged *opledgerv1.ProviderProfile, ok bool) {
	base, ok := Find(tool.GetBase())
	if !ok {
		return nil, false
	}
	merged = proto.CloneOf(base.Profile)
	overlay(merged.ProtoReflect(), tool.ProtoReflect())
	return merged, true
}

// overlay sets what the one message sets in the other.
func overlay(on, with protoreflect.Message) {
	with.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if field.Message() != nil && !field.IsList() && field.Message().ParentFile() == on.Descriptor().ParentFile() {
			overlay(on.Mutable(field).Message(), value.Message())
			return true
		}
		on.Set(field, value)
		return true
	})
}
