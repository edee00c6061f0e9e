package main

import "os"

// reloadSignals are none: Windows has no SIGHUP, and the file is looked at regularly.
var reloadSignals = []os.Signal{}
