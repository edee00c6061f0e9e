package jsonport

import (
	"encoding/base64"
	"encoding/json"
	"net/http"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
)

// refusal is an answer of this port itself: its HTTP status, its code, and the API's reason.
type refusal struct {
	status       int
	code, reason string
}

// The refusals.
var (
	refusedPage     = refusal{http.StatusForbidden, "permission_denied", "PERMISSION_DENIED"}
	refusedMethod   = refusal{http.StatusMethodNotAllowed, "unimplemented", "INVALID_REQUEST"}
	refusedType     = refusal{http.StatusUnsupportedMediaType, "invalid_argument", "INVALID_REQUEST"}
	refusedUnknown  = refusal{http.StatusNotFound, "unimplemented", "UNIMPLEMENTED_IN_THIS_RELEASE"}
	refusedBody     = refusal{http.StatusBadRequest, "invalid_argument", "INVALID_REQUEST"}
	refusedTooLarge = refusal{http.StatusTooManyRequests, "resource_exhausted", "TOO_LARGE"} // the protocol's status for that code
)

// refuse answers in the form in which the API's own errors come.
func refuse(w http.ResponseWriter, why refusal, message string) {
	type detail struct {
		Type  string `json:"type"`
		Value string `json:"value"`
	}
	info, _ := proto.Marshal(&errdetails.ErrorInfo{Reason: why.reason, Domain: "opledger"}) // two words always marshal
	body, _ := json.Marshal(struct {
		Code    string   `json:"code"`
		Message string   `json:"message"`
		Details []detail `json:"details"`
	}{why.code, message, []detail{{"google.rpc.ErrorInfo", base64.RawStdEncoding.EncodeToString(info)}}})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(why.status)
	_, _ = w.Write(append(body, '\n'))
}
