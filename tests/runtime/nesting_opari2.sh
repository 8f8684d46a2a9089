# nesting_opari2: the programs of nesting.sh, with calls that opari2 put in: output and status as plain, and the same counts
NESTING_ENGINE=opari2
. "$srcdir/tests/runtime/nesting.sh"
