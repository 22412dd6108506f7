# Cairn's tasks. Run `make` to list them.

# Places where Go is often installed without being in PATH. Go still chooses its own
# toolchain (go.mod, GOTOOLCHAIN).
export PATH := $(PATH):/usr/local/go/bin:/usr/lib/go/bin:$(HOME)/go/bin:/opt/homebrew/bin
# SQLite is C, so every build needs cgo.
export CGO_ENABLED := 1

# If another user owns the checkout (in a container, say), git fails, and with it Go's
# commit stamp. Build without the stamp then.
ifneq ($(shell git status >/dev/null 2>&1 && echo ok),ok)
export GOFLAGS := $(GOFLAGS) -buildvcs=false
endif

GO ?= go
# migrated_fynedo: Fyne trusts us to touch widgets only on its own goroutine, which
# saves a stack trace at every refresh.
TAGS ?= migrated_fynedo
# ci: Fyne's in-memory driver, so that tests need no display and no GL headers.
TEST_TAGS ?= ci
LINT_VERSION := 2.15.0
FUZZTIMES ?= 10000
FUZZLIMIT ?= 300
OUT ?= out

# A window needs a display on Linux; macOS and Windows always have one.
ifeq ($(shell uname -s),Linux)
WINDOW := $(if $(DISPLAY)$(WAYLAND_DISPLAY),yes,)
else
WINDOW := yes
endif

.PHONY: help
help: ## list the tasks
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

.PHONY: run
run: ## open the window; without a display, answer the sample questions into out/
ifeq ($(WINDOW),yes)
	@packaging/deps.sh
	@echo "building; the first time takes a few minutes"
	@$(GO) build -trimpath -tags "$(TAGS)" -o bin/cairn .
	@bin/cairn $(ARGS)
else
	@packaging/deps.sh --headless
	@echo "there is no display here (DISPLAY and WAYLAND_DISPLAY are empty): answering the sample questions into $(OUT)/ instead"
	@echo "building; the first time takes a few minutes"
	@$(GO) build -trimpath -tags "$(TEST_TAGS)" -o bin/cairn-headless .
	@bin/cairn-headless tour --out $(OUT) $(ARGS)
endif

.PHONY: build
build: ## build bin/cairn as it is released
	@packaging/deps.sh
	$(GO) build -trimpath -tags "release $(TAGS)" -ldflags "-s -w" -o bin/cairn .

.PHONY: test
test: test-code test-window ## run vet and all tests, then test the real window under Xvfb

.PHONY: test-code
test-code: ## run vet and all tests, without a display
	@packaging/deps.sh --headless
	$(GO) vet -tags $(TEST_TAGS) ./...
	$(GO) test -tags $(TEST_TAGS) ./...

.PHONY: test-window
test-window: ## start the real window under Xvfb, check it, press everything on its first screens
	@packaging/deps.sh --gui-test
	@# Without migrated_fynedo, so Fyne reports widgets touched from the wrong goroutine.
	$(GO) build -o bin/cairn-checked .
	packaging/smoke.sh bin/cairn-checked
	xvfb-run -a -s "-screen 0 1280x800x24 -nolisten tcp -dpi 96" $(GO) test -count=1 -timeout 5m -tags xvfb -run '^TestRealWindow' ./app/

.PHONY: test-ollama
test-ollama: ## build a real Ollama server (once) and test against it
	@packaging/deps.sh --headless
	@server=$${OLLAMA_BIN:-$$(packaging/ollama.sh)} && echo "testing against $$server" && \
		OLLAMA_BIN="$$server" $(GO) test -tags $(TEST_TAGS) -count=1 -run Real $(REAL_TESTS)

.PHONY: lab
lab: ## build bin/cairn-lab, the program that measures Cairn (docs/benchmarks.md)
	@packaging/deps.sh --headless
	$(GO) build -trimpath -tags "$(TEST_TAGS)" -o bin/cairn-lab ./engine/lab/cairn-lab

.PHONY: eval-gnn
eval-gnn: lab ## train and measure graph neural retrievers on the question sets (about an hour)
	packaging/eval-gnn.sh bin/cairn-lab $(PARTS)

.PHONY: eval-gsr
eval-gsr: lab ## train and measure relation chains on the question sets (about two hours)
	packaging/eval-gsr.sh bin/cairn-lab $(PARTS)

.PHONY: eval-models
eval-models: lab ## measure the embedders made by packaging/models.sh on samples of the question sets
	packaging/eval-models.sh bin/cairn-lab $(SETS)

# Packages whose tests start a real server. Such tests have Real in their names.
REAL_TESTS = $(shell grep -rl --include='*_test.go' 'internal/testing/ollamatest"' engine internal | xargs -n1 dirname | sort -u | sed 's,^,./,')

# Packages that start goroutines, and retrievers, which many may ask at once. In the
# others the race detector finds nothing that it does not find in those that use them.
RACE_TESTS = $(shell grep -rlE --include='*.go' '^\s+go [a-zA-Z.]+|guard\.Share|guard\.Each|guard\.InOrder|\.Go.func|retrievetest\.Run' app canvas engine internal | \
	grep -v engine/lab/ | xargs -n1 dirname | sort -u | sed 's,^,./,')

.PHONY: race
race: ## run the tests of packages that start goroutines with the race detector
	@packaging/deps.sh --headless
	$(GO) test -race -short -timeout 25m -tags $(TEST_TAGS) $(RACE_TESTS)

.PHONY: lint
lint: bin/golangci-lint-$(LINT_VERSION) ## run the pinned golangci-lint, and check formatting
	bin/golangci-lint run ./...
	bin/golangci-lint fmt --diff ./...

# The marker's name holds the version, so a new pin triggers a build. A binary of the
# right version is kept.
bin/golangci-lint-$(LINT_VERSION):
	@packaging/deps.sh --headless
	@mkdir -p bin
	@if bin/golangci-lint version 2>/dev/null | grep -Eq 'version v?$(LINT_VERSION) '; then :; else \
		echo "building golangci-lint $(LINT_VERSION) from its Go module; this takes a few minutes, once"; \
		GOBIN="$(CURDIR)/bin" $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(LINT_VERSION); \
	fi
	@touch $@

.PHONY: bench
bench: ## run the benchmarks of every package
	@packaging/deps.sh --headless
	$(GO) test -tags $(TEST_TAGS) -run '^$$' -bench . -benchmem ./...

.PHONY: fuzz
fuzz: ## run every fuzz target FUZZTIMES (10000) times, within FUZZLIMIT (300) seconds; FUZZ=name picks some
	@packaging/deps.sh --headless
	@GO="$(GO)" TAGS="$(TEST_TAGS)" packaging/fuzz.sh $(FUZZTIMES) $(FUZZLIMIT) $(FUZZ)

.PHONY: screenshots
screenshots: ## take the pictures of docs/pictures from the real window under Xvfb
	@packaging/deps.sh --gui-test
	$(GO) build -tags "$(TAGS)" -o bin/cairn .
	packaging/screenshots.sh bin/cairn docs/pictures

.PHONY: generate
generate: ## regenerate generated files (the sample graph)
	$(GO) generate ./...

.PHONY: tidy
tidy: ## check that go.mod and go.sum match the code
	$(GO) mod tidy -diff

.PHONY: clean
clean: ## remove what make built; your graphs are elsewhere and stay untouched
	rm -rf bin $(OUT)
