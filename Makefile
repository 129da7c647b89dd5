# ralphex: everything a developer types. `make` alone lists the targets.

GO          ?= go
PKGS        ?= ./...
TESTFLAGS   ?=
FUZZ        ?= ^Fuzz
TIME        ?= 30s
BENCH       ?= .
COUNT       ?= 6
OLD         ?= perf-out/old.txt
NEW         ?= perf-out/new.txt
STORY       ?=
AGENTS      ?= all
BIN         ?= bin/ralphex

# Pinned here and not in go.mod: tools of the developer are no dependencies of the program.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
BENCHSTAT   := golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
GOLANGCI    := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# Folders whose tests have an -update flag (golden files). Of pkg/vcs only the contract writes a page, and the rest takes a minute.
GOLDEN_DIRS  = $$(grep -rlE --include='*_test.go' '"update"|sessiontest\.Recorded' . | xargs -r -n1 dirname | grep -vx ./pkg/vcs | sort -u)

.DEFAULT_GOAL := help
.PHONY: help build test race script fuzz fuzz-seeds bench bench-compare golden golden-pages e2e-agents screenshots lint fmt-check vet cross staticcheck shell golangci cover demo clean

help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/ralphex, static, stripped, without cgo
	CGO_ENABLED=0 $(GO) build -ldflags="-s -w" -o $(BIN) ./cmd/ralphex

test: ## run all tests (some minutes); TESTFLAGS=…
	@start=$$(date +%s); $(GO) test -timeout 30m $(TESTFLAGS) $(PKGS) || { code=$$?; echo "make test: FAILED after $$(( $$(date +%s) - start )) s"; exit $$code; }; \
	echo "make test: all packages passed in $$(( $$(date +%s) - start )) s"

# Each process of a story is under the detector, too, and would wait a second at its end for reports of goroutines that go on: 50 ms are enough.
race: ## run all tests under the race detector, shuffled
	CGO_ENABLED=1 GORACE="atexit_sleep_ms=50 $$GORACE" $(GO) test -race -shuffle=on -timeout 30m $(TESTFLAGS) $(PKGS)

script: ## run the stories of cmd/ralphex/testdata/script; STORY=name picks one
	$(GO) test -count=1 -run '^TestScripts$$$(if $(STORY),/$(STORY))' $(TESTFLAGS) ./cmd/ralphex

fuzz: ## fuzz every target of every package for TIME each; FUZZ=regexp TIME=30s
	@set -e; n=0; \
	for dir in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -r -n1 dirname | sort -u); do \
	  for f in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$dir/*_test.go | grep -E '$(FUZZ)' | sort -u); do \
	    echo "--- $$f in $$dir, $(TIME)"; n=$$((n+1)); \
	    $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(TIME) $$dir; \
	  done; \
	done; echo "make fuzz: $$n targets, clean"

fuzz-seeds: ## run the seeds and the kept corpora of all fuzz targets, no fuzzing
	$(GO) test -count=1 -run '^Fuzz' $(PKGS)

bench: ## run the benchmarks, keep the figures in NEW; BENCH=regexp COUNT=6 NEW=file
	@mkdir -p $(dir $(NEW))
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) $(PKGS) > $(NEW).tmp || { cat $(NEW).tmp; exit 1; }
	@mv $(NEW).tmp $(NEW); grep -E '^(Benchmark|pkg:|cpu:)' $(NEW)

bench-compare: ## compare two kept runs: OLD=file NEW=file
	$(GO) run $(BENCHSTAT) $(OLD) $(NEW)

golden: golden-pages ## rewrite all golden files and generated pages; read the diff before you commit
	$(GO) test -count=1 -run 'Contract$$' ./pkg/vcs -update
	UPDATE_SCRIPTS=1 $(GO) test -count=1 -run '^TestScripts$$' ./cmd/ralphex

golden-pages: # all but what takes long: the stories, and what the backends did
	@dirs="$(GOLDEN_DIRS)"; if [ -n "$$dirs" ]; then $(GO) test -count=1 $$dirs -update; fi

e2e-agents: ## real plans through real agents that npm installs into a cache folder; AGENTS="claude codex" RALPHEX_E2E_DIR=dir
	RALPHEX_E2E_AGENTS="$(AGENTS)" $(GO) -C test/e2e test -count=1 -parallel 4 -timeout 15m $(TESTFLAGS)

screenshots: ## draw the pictures of docs/screenshots from real runs, in a real browser; look at them before you commit
	RALPHEX_CI=1 RALPHEX_SCREENSHOTS="$(CURDIR)/docs/screenshots" $(GO) test -count=1 -run '^TestScreenshots$$' ./internal/web/webtest

lint: fmt-check vet cross staticcheck shell ## gofmt, go vet (linux, windows, darwin), staticcheck, walls, shellcheck
	$(GO) test -count=1 ./internal/archtest

fmt-check:
	@bad=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); if [ -n "$$bad" ]; then echo "gofmt is needed for:"; echo "$$bad"; exit 1; fi

vet:
	$(GO) vet $(PKGS)

cross:
	GOOS=windows $(GO) vet $(PKGS)
	GOOS=darwin $(GO) vet $(PKGS)

staticcheck:
	$(GO) run $(STATICCHECK) $(PKGS)

shell:
	@if command -v shellcheck >/dev/null; then shellcheck .ci/run && shellcheck -s sh scripts/*.sh; \
	else echo "shellcheck is not installed: .ci/run and scripts/*.sh left unchecked"; fi

golangci: ## the wider linters of .golangci.yml (the first run builds golangci-lint itself: minutes)
	$(GO) run $(GOLANGCI) run

cover: ## line coverage: total, and cover.out for `go tool cover -html=cover.out`
	$(GO) test -coverprofile=cover.out $(PKGS)
	$(GO) tool cover -func=cover.out | tail -n 1

demo: ## watch a plan being worked off in a temporary repository
	$(GO) run ./cmd/ralphex demo

clean: ## remove what make made
	rm -rf bin perf-out cover.out
