# Each target but bench and fuzz is a step of .ci/run.
FUZZTIME ?= 30s
ROUNDS ?= 3

.PHONY: test race lint vet demo ci bench fuzz

test race lint vet demo:
	.ci/run $@

ci:
	.ci/run

# Then the tables of benchmarks/README.md, which take ten minutes; TABLES=grpc,bars
# makes only some of them.
bench:
	go test -run '^$$' -bench . -benchmem ./...
	cd benchmarks && GOWORK=off go test -run '^$$' -bench . -benchmem
	cd benchmarks && GOWORK=off go run ./cmd/bench -rounds $(ROUNDS) $(if $(TABLES),-tables $(TABLES))

# Every fuzz target of the root module, one after the other.
fuzz:
	@for pkg in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done
