package proto_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// TestVendoredFilesAreThoseOfTheCode: the files that the API is written against say what the Go code says that enforces
// them, so that raising one without the other is noticed.
func TestVendoredFilesAreThoseOfTheCode(t *testing.T) {
	buf := bufBinary(t)
	for module, files := range map[string][]protoreflect.FileDescriptor{
		"protovalidate": {validate.File_buf_validate_validate_proto},
		"googleapis":    {status.File_google_rpc_status_proto, errdetails.File_google_rpc_error_details_proto},
	} {
		image := filepath.Join(t.TempDir(), "image.binpb")
		cmd := exec.Command(buf, "build", "third_party/"+module, "--exclude-source-info", "--output", image)
		cmd.Dir = ".."
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		data, err := os.ReadFile(image)
		if err != nil {
			t.Fatal(err)
		}
		var set descriptorpb.FileDescriptorSet
		if err := proto.Unmarshal(data, &set); err != nil {
			t.Fatal(err)
		}
		vendored := map[string]*descriptorpb.FileDescriptorProto{}
		for _, f := range set.File {
			vendored[f.GetName()] = f
		}
		for _, file := range files {
			if !sameTypes(vendored[file.Path()], protodesc.ToFileDescriptorProto(file)) {
				t.Errorf("third_party/%s/%s differs from the Go code of its name", module, file.Path())
			}
		}
	}
}

// sameTypes compares what two files define. Options of the file itself, such as a package's name in other languages, and
// what buf adds to an image are no part of it.
func sameTypes(a, b *descriptorpb.FileDescriptorProto) bool {
	strip := func(f *descriptorpb.FileDescriptorProto) *descriptorpb.FileDescriptorProto {
		return &descriptorpb.FileDescriptorProto{
			Name: f.Name, Package: f.Package, Dependency: f.Dependency,
			MessageType: f.MessageType, EnumType: f.EnumType, Service: f.Service, Extension: f.Extension,
		}
	}
	return a != nil && proto.Equal(strip(a), strip(b))
}
