package server_test

import (
	"testing"

	"github.com/opledger/opledger/server/servertest"
)

var databaseCases = []fieldCase{}

var _ = testing.Short
var _ = servertest.On
