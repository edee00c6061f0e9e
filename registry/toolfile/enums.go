package toolfile

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/opledger/opledger/internal/yamlproto"
)

// option is a word for canon, whose options are spelled in lower case.
func option[T ~string](e protoreflect.Enum) T {
	return T(strings.ToLower(yamlproto.Word[string](e)))
}

// value gives the number of a word of the registry or of canon, in either case.
func value[E interface {
	~int32
	protoreflect.Enum
}, T ~string](w T) E {
	return yamlproto.Value[E](strings.ToUpper(string(w)))
}
