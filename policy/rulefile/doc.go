// Package rulefile turns the protobuf messages of policy into the plain types of package policy and back, and reads
// rules from YAML files. It is used at the edge only: policy itself knows neither.
package rulefile
