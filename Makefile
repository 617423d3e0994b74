# The everyday commands; what they do is in CMakePresets.json and scripts/.
.DEFAULT_GOAL := help
.PHONY: help run build install test bench soak fmt lint

PREFIX ?= /usr/local

help: # This list
	@sed -n 's/^\([a-z]*\):[^#]*# /  make \1\t/p' Makefile | expand -t 16

run: build # Build berth and serve a demo: a generated day, played fast on 300 machines
	@build/release/berth serve --demo

build: # Build build/release/berth and nothing else
	@scripts/install-deps run
	@cmake --preset release --log-level=WARNING > /dev/null
	@cmake --build --preset release --target berth

install: # Install the program, its completions and the library; PREFIX=/usr/local, DESTDIR=
	@scripts/install-deps run
	@cmake --preset release --log-level=WARNING > /dev/null
	@cmake --build --preset release
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)" > /dev/null
	@echo "Installed $(DESTDIR)$(PREFIX)/bin/berth"

test: # Build everything under address and undefined-behaviour sanitizers and run all tests
	@scripts/install-deps test
	@cmake --preset ci --log-level=WARNING > /dev/null
	@cmake --build --preset ci
	@ctest --preset ci

bench: # Run the quick benchmarks; FULL=1 runs them whole, SUITE=name only one
	@scripts/install-deps test
	@cmake --preset bench --log-level=WARNING > /dev/null
	@cmake --build --preset bench
	@SUITE="$(SUITE)" FULL="$(FULL)" scripts/bench

soak: # Run the long tests that `make test` leaves out; SEEDS=n runs n seeds of faults instead
	@scripts/install-deps test
	@cmake --preset ci --log-level=WARNING > /dev/null
	@cmake --build --preset ci
	@$(if $(SEEDS),build/ci/berth simulate faults --seeds $(SEEDS),ctest --preset soak)

fmt: # Format every C++ file
	@git ls-files -z -c -o --exclude-standard '*.h' '*.cc' | xargs -0r clang-format -i

lint: # Check format, and clang-tidy what changed against origin/main
	@scripts/install-deps test
	@scripts/lint
