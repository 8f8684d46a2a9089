# prefork: children of fork() that meet no region leave a report of what they accessed, and none when they did nothing
. "$srcdir/tests/lib.sh"

kinst --access $CC -g -O1 "$srcdir/tests/runtime/prefork.c" -o prog
OMPP_OUTFORMAT=CSV OMPP_QUIET=1 timeout 60 ./prog || fail "status $?"
stores=$(awk '/^##BEG data objects$/ { getline; n = split($0, c, ","); on = 1; for (i = 1; i <= n; i++) if (c[i] == "stores") k = i; next }
	/^##END/ { on = 0 } on { split($0, c, ","); sum[FILENAME] += c[k] }
	END { for (file in sum) if (sum[file]) print file, sum[file] }' prog.*.csv | sort -k2n)
[ "$(echo "$stores" | awk '{ printf "%s ", $2 }')" = '1000 2000 3000 ' ] || fail "stores of the workers: $stores"
n=$(ls prog.*.csv | wc -l)
[ "$n" -le 4 ] || fail "$n reports of the parent and 3 workers"
