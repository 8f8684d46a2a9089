# offload: programs with code for devices by clang run there as plain ones do, and their regions are measured as the host
# sees them
. "$srcdir/tests/systems/systems.sh"
. "$srcdir/tests/systems/offload_of"
[ -n "$CLANG" ] || skip 'no clang'
offload "$CLANG" || skip "no code for devices by $CLANG: $(head -1 log)"
