#!/bin/sh
# message_calls.sh: what a call of MPI costs more with libompp: the plain build of message_calls.c in turn alone and under
# ompp run, by each MPI that is installed.  Prints the least processor time of an exchange, plain and measured, in ns, and
# what is added to each of its calls; the goal is 100 ns.
# Usage: message_calls.sh [ROUNDS [TURNS]]     Environment: OMPP (the command ompp), srcdir (top of the source).
set -eu
: "${srcdir:=.}" "${OMPP:=ompp}"
rounds=${1:-100} turns=${2:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export OMPP_REPORTFILE=none OMPP_PROFILE=0 OMPP_QUIET=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # Open MPI takes root only if told

for mpi in mpich openmpi; do
	command -v "mpicc.$mpi" >/dev/null || { echo "$mpi is not installed"; continue; }
	"mpicc.$mpi" -w -O2 "$srcdir/tests/bench/message_calls.c" -o "$work/calls"
	: >"$work/times"
	for _ in $(seq "$turns"); do
		"mpirun.$mpi" -n 1 "$work/calls" "$rounds" | sed 's/^/plain /' >>"$work/times"
		"mpirun.$mpi" -n 1 "$OMPP" run "$work/calls" "$rounds" 2>/dev/null | sed 's/^/measured /' >>"$work/times"
	done
	awk -v mpi="$mpi" '
		BEGIN { printf "%-20s %8s %9s %12s\n", mpi, "plain", "measured", "more a call" }
		!($2 in n_calls) { names[++n] = $2; n_calls[$2] = $3 }
		{ if (!(($1, $2) in least) || $4 < least[$1, $2]) least[$1, $2] = $4 }
		END {
			for (i = 1; i <= n; i++) {
				name = names[i]
				printf "%-20s %8.1f %9.1f %12.1f\n", name, least["plain", name], least["measured", name],
					(least["measured", name] - least["plain", name]) / n_calls[name]
			}
		}' "$work/times"
done
