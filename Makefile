# Thin targets: each is a command that you could also type.
GO ?= go
export CGO_ENABLED ?= 0

.PHONY: release clients cross house house-lower build demo team-demo check test test-heavy race lint bench golden pictures memory clean

build:            ## bin/episodes
	$(GO) build -trimpath -ldflags='-s -w' -o bin/episodes ./cmd/episodes

demo: build       ## the main job, shown on the logs of testdata/sessions
	@scripts/demo bin/episodes

team-demo: build  ## a team's store on a throw-away PostgreSQL server of this machine
	@$(GO) run ./internal/testing/pgtest/serve scripts/team-demo bin/episodes

# The rooms whose tests take long (crashes, races, everything at random), and single tests
# that do. make test runs them.
SLOW = ^episodes/(graph|graph/badgerkv|internal/memory|internal/doctor|internal/pg|internal/team|reflexion/loop)$$
SLOW_TESTS = ^TestHugeLogs$$

check:            ## the inner loop, under a minute: gofmt, vet, the quick tests
	@test -z "$$(gofmt -l .)" || { echo "not gofmt-ed:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) test -short -skip '$(SLOW_TESTS)' $$($(GO) list ./... | grep -vE '$(SLOW)')

# Many tests wait for processes, so that more packages than processors are tested at once.
# Collecting garbage less often takes a quarter off the time of the tests; make lint vets.
AT_ONCE = $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

test:             ## the whole test suite
	GOGC=$${GOGC:-400} $(GO) test -vet=off -shuffle=on -p $(AT_ONCE) -timeout 25m ./...

# Files with a test that does more in a heavy run; make test has run all others as they are.
# They may take a quarter of an hour on 2 cores. It was 9 minutes without redact, of 11 of the
# processor, while others used the machine.
HEAVY = $(shell grep -rlE 'few[.](Of|Heavy|Checks)|EPISODES_HEAVY' --include='*_test.go' .)

test-heavy:       ## crash, concurrency and property tests at length
	EPISODES_HEAVY=1 GOGC=$${GOGC:-400} $(GO) test -vet=off -shuffle=on -p $(AT_ONCE) -timeout 60m \
	  -run "^($$(sed -n 's/^func \(Test[A-Za-z0-9_]*\)(.*/\1/p' $(HEAVY) | sort -u | paste -sd '|' -))$$" $$(dirname $(HEAVY) | sort -u)

clients:          ## real agents against a scripted model; FLAGS="-only codex -keep" chooses, FLAGS=-update records
	@$(GO) run ./internal/testing/clients $(FLAGS)

race:             ## the suite under the race detector (needs a C compiler); FLAGS=-short leaves out whole processes
	CGO_ENABLED=1 $(GO) test -race -timeout 40m $(FLAGS) ./...

lint:             ## gofmt, vet, staticcheck, gocyclo, methods called by name
	@scripts/lint

release:          ## all packages of a release, in dist/; needs npm
	@scripts/release

cross:            ## builds and vets all for the other systems of a release
	@set -e; for on in linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do \
	  echo $$on; GOOS=$${on%/*} GOARCH=$${on#*/} $(GO) build -o /dev/null ./cmd/episodes; \
	  GOOS=$${on%/*} GOARCH=$${on#*/} $(GO) vet ./...; done

house:            ## how much there is to understand: code bytes by room
	@$(GO) test -count=1 -v -run '^TestCodeBytes$$' ./internal/repotest | sed -n 's/.*house: //p'

house-lower:      ## at the end of an issue: the code bytes of now are the most there may be
	$(GO) test -count=1 -run '^TestCodeBytes$$' ./internal/repotest -lower

bench:            ## benchmarks; compare two runs with benchstat
	$(GO) test -run '^$$' -bench . -benchmem ./...

golden:           ## rewrite the golden files; look at the diff before you commit it
	$(GO) test ./extract ./extract/sessionjson ./extract/transcript/... ./agents/*/ ./internal/reader ./query/text ./infer ./reflexion/evaluate ./internal/setup ./trial -update && $(GO) test ./cmd/episodes -run Readme -update-readme && $(GO) test ./internal/repotest . -run '^TestTables$$|^TestAPI$$' -update

pictures:         ## take the pictures of docs/pictures anew; needs Chromium
	$(GO) test ./internal/serve -run TestPictures -pictures

memory: build     ## rewrite .agents/memory from testdata/sessions
	@scripts/memory bin/episodes

clean:
	rm -rf bin build dist
