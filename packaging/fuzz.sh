#!/bin/bash
# Runs every fuzz target of the module, one after another, and continues after a
# failure. Each runs a given number of times, within a time limit. A target too slow
# for the limit tests little, so that is a failure too. A failing input is kept in the
# package's testdata/fuzz; from then on, go test runs it.
#
#   packaging/fuzz.sh [executions per target] [time limit in seconds] [name]
set -uo pipefail
GO=${GO:-go}
TAGS=${TAGS:-ci}
times=${1:-10000}
limit=${2:-300}
only=${3:-.} # the targets whose package and name match
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cache=$("$GO" env GOCACHE)/fuzz
summary=() failed=0
timeout=$(command -v timeout) # macOS has none

# fuzz runs the target of a test binary. Go tries to shrink every interesting input,
# for up to a minute by default; a few tries are enough here.
fuzz() { # directory, import path, target
	(cd "$1" && ${timeout:+$timeout -s INT -k 10 $limit} "$work/test" -test.run '^$' -test.fuzz "^$3\$" \
		-test.fuzztime "${times}x" -test.fuzzminimizetime 10x -test.fuzzcachedir "$cache/$2") </dev/null 2>&1
}

report() { # result, executions, seconds, what
	[ "$1" = ok ] || failed=$((failed + 1))
	summary+=("$(printf '%-9s %9s times %5s s  %s' "$@")")
}

while read -r package dir; do
	targets=$(grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go | cut -d' ' -f2 | sort -u)
	targets=$(for t in $targets; do grep -qE -- "$only" <<<"$package $t" && echo "$t"; done)
	[ -n "$targets" ] || continue
	if ! "$GO" test -tags "$TAGS" -c -fuzz=. -o "$work/test" "$package"; then
		report unbuilt 0 0 "$package"
		continue
	fi
	for target in $targets; do
		echo "== $package $target"
		began=$SECONDS
		fuzz "$dir" "$package" "$target" | tee "$work/log"
		status=${PIPESTATUS[0]}
		ran=$(grep -oE 'execs: [0-9]+' "$work/log" | tail -n 1 | cut -d' ' -f2)
		result=ok
		[ "${ran:-0}" -ge "$times" ] || result="too slow"
		[ "$status" -eq 0 ] || [ "$status" -ge 124 ] || result=FAILED
		report "$result" "${ran:-0}" $((SECONDS - began)) "$package $target"
	done
done < <("$GO" list -tags "$TAGS" -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' ./... | while read -r p d; do
	grep -qsE '^func Fuzz' "$d"/*_test.go && echo "$p $d"
done)

echo
printf '%s\n' "${summary[@]}"
[ "${#summary[@]}" -gt 0 ] && [ "$failed" -eq 0 ] && echo "all ${#summary[@]} targets are well" && exit
echo "$failed of ${#summary[@]} targets failed; what failed is in the testdata/fuzz of their packages"
exit 1
