// Package toolfile turns tool definitions as they are written, in YAML or as messages of the API, into the plain types of
// package registry, and back. It is the only place that meets YAML, and with the server the only one that meets protobuf.
//
// A file holds one tool or several, divided by lines of three dashes. Its fields are those of the message ToolDefinition.
// Values of enums may be written without their prefix: class: PURE_READ.
package toolfile
