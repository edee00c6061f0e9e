package jsonport

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// readable lets only through what can be read as the method's request. The transcoder would hand a body that cannot to
// the gRPC server as a broken stream, which is answered as if the server were at fault; and it would leave out a field
// that it does not know, so that a slip of the pen in a name would be a call without its arguments.
func readable(within time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := requestOf(r.URL.Path)
		if request == nil {
			unknown(w, r)
			return
		}
		connection := http.NewResponseController(w)
		_ = connection.SetReadDeadline(time.Now().Add(within))
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			refuse(w, refusedTooLarge, "the request is larger than 4 MiB; make it smaller, or send it in parts")
			return
		case err != nil:
			refuse(w, refusedBody, "the request was cut off")
			return
		}
		_ = connection.SetReadDeadline(time.Time{}) // an answer may be waited for much longer
		if err := protojson.Unmarshal(body, request); err != nil {
			refuse(w, refusedBody, "the body is not the JSON form of "+string(request.ProtoReflect().Descriptor().Name())+place(err))
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		next.ServeHTTP(w, r)
	})
}

// requestOf is an empty request of the method at a path, or nil where there is none.
func requestOf(path string) proto.Message {
	service, method, ok := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !ok {
		return nil
	}
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service + "." + method))
	if err != nil {
		return nil
	}
	m, ok := d.(protoreflect.MethodDescriptor)
	if !ok {
		return nil
	}
	return dynamicpb.NewMessage(m.Input())
}

// places finds in an error of protojson what may be told: where it is, and the name of a field. Values may be secrets.
var places = regexp.MustCompile(`\(line \d+:\d+\)|(?:unknown|duplicate) field "[A-Za-z0-9_.]{1,64}"`)

func place(err error) string {
	found := places.FindAllString(err.Error(), -1)
	if len(found) == 0 {
		return ""
	}
	return ": " + strings.Join(found, ", ")
}
