# The map of what one can do here. "make" alone lists it.

# The product is pure Go. One setting for all builds also lets build, test and demo share compiled packages.
export CGO_ENABLED ?= 0

GO      ?= go
BUF     := $(GO) tool -modfile=tools/go.mod buf
PGTEST  := $(GO) run ./internal/pgtest/cmd/pgtest
VENV    := .venv
BINARY  := bin/opledger

# Client tests start the server themselves; they are told where it is.
export OPLEDGER_BIN := $(CURDIR)/$(BINARY)

# Properties are tried on the same drawn cases in each run, so that a change is judged by what it changes; 0 draws others.
export RAPID_SEED ?= 1

# Packages whose goroutines share state, for "make race".
RACE_PACKAGES ?= $(addsuffix /...,$(wildcard ./server ./dispatch ./ledger ./internal/wirefault))

# How long each fuzz target runs in "make fuzz".
FUZZTIME ?= 20s

# How many cases of each property "make properties" draws.
PROPERTY_CASES ?= 1000

# How many operations "make storm" runs.
STORM_OPERATIONS ?= 10000

.DEFAULT_GOAL := help
# Two cores are busy with one target's compiling, and the targets share bin/ and .venv.
.NOTPARALLEL:
.PHONY: help build demo serve test test-go test-python test-ts lint breaking generate check-generated \
	bench eval fuzz mutation properties race storm tools setup clean FORCE

##@ Use it
help: ## list these targets
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo

demo: build ## play a double charge, a refund that waits for people and a plan that is undone, without Opledger and with it (needs Go only)
	@$(BINARY) demo

serve: build ## run the server on loopback port 7117, with an SQLite file in your data folder
	@$(BINARY) serve

build: $(BINARY) ## compile bin/opledger

$(BINARY): FORCE
	@echo "Compiling $@ (the first time takes some minutes, later times seconds) ..."
	@$(GO) build -o $@ ./cmd/opledger

##@ Check it
test: setup lint breaking check-generated test-go test-python test-ts ## all that has to pass before a change lands: the six below, down to check-generated
	@echo "make test: everything passed"

test-go: ## Go tests, on SQLite and on a real PostgreSQL that is started for them
	$(PGTEST) -- $(GO) test $(GO_TEST_FLAGS) ./...

test-python: build setup-python ## tests of the Python client against a real server
	$(VENV)/bin/python -m pytest clients/python/tests

test-ts: build setup-ts ## tests of the TypeScript client against a real server
	npm --prefix clients/ts run build
	npm --prefix clients/ts test

lint: ## formatting, go vet, buf lint
	@scripts/check-format
	$(GO) vet ./...
	$(BUF) format --diff --exit-code proto
	$(BUF) lint

breaking: ## check that the API still serves the clients of the last release
	$(BUF) breaking proto --against proto/released.binpb

check-generated: setup-python setup-ts ## check that gen/ is what proto/ says
	@scripts/check-generated

properties: ## tests of the packages with properties, PROPERTY_CASES of each, drawn afresh (a failure prints its seed)
	RAPID_SEED=0 RAPID_CHECKS=$(PROPERTY_CASES) $(GO) test -count 1 $$($(GO) list \
		-f '{{range .TestImports}}{{if eq . "pgregory.net/rapid"}}{{$$.ImportPath}} {{end}}{{end}}{{range .XTestImports}}{{if eq . "pgregory.net/rapid"}}{{$$.ImportPath}} {{end}}{{end}}' ./...)

race: ## Go tests under the race detector, for the packages that share state (needs a C compiler)
	CGO_ENABLED=1 $(PGTEST) -- $(GO) test -race $(GO_TEST_FLAGS) $(RACE_PACKAGES)

eval: build ## try to make it act twice: scenarios, drawn faults, killed processes (three minutes; see docs/eval.md)
	@$(BINARY) eval

storm: ## 10,000 operations through workers that are killed and frozen (STORM_OPERATIONS=10000; some minutes)
	OPLEDGER_STORM_OPERATIONS=$(STORM_OPERATIONS) $(PGTEST) -- $(GO) test -count 1 -timeout 90m -v -run '^TestStorm$$' ./crashtest

fuzz: ## run every fuzz target for a short while (FUZZTIME=20s)
	@FUZZTIME=$(FUZZTIME) scripts/fuzz

mutation: ## change the pure packages token by token and count what their tests notice (hours; see docs/mutation.md)
	@nice -n 19 scripts/mutation

bench: build ## measure the full cycle beside a hand-written table, on PostgreSQL and SQLite
	@scripts/bench

##@ Change it
generate: setup-python setup-ts ## write gen/ (Go, Python, TypeScript) from proto/
	@scripts/generate

tools: ## compile buf, the protoc plugins and grpcurl into bin/
	@echo "Compiling the tools into bin/ (the first time takes some minutes) ..."
	@$(GO) build -C tools -o ../bin/ tool

setup: ## install what the tests need: PostgreSQL, Python's and Node's packages
	@scripts/setup

clean: ## remove what make has made
	rm -rf bin dist build $(VENV) clients/ts/node_modules clients/ts/dist

.PHONY: setup-python setup-ts
setup-python:
	@scripts/setup-python

setup-ts:
	@scripts/setup-ts
