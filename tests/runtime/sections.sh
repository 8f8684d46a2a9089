# sections: with OMPP_OBJECTS=all what a library that is loaded later has in memory has a name as long as it is loaded,
# and what each thread has of its own in a file
. "$srcdir/tests/lib.sh"
here=$srcdir/tests/runtime

$CC -shared -fPIC -Wl,-z,separate-code "$here/sections_later.c" -o plain.so
$CC -shared -fPIC -Wl,-z,noseparate-code "$here/sections_later.c" -o together.so
"$builddir/kinst" --access $CC -g -O1 -fopenmp -shared -fPIC -Wl,-z,separate-code "$here/sections_later.c" -o hooked.so
"$builddir/kinst" --access $CC -g -O1 -fopenmp -shared -fPIC -DMINE=5000 "$here/sections_later.c" -o other.so
"$builddir/kinst" --access $CC -g -O1 -fopenmp "$here/sections.c" -o sections -ldl

# has OBJECT LOADS STORES
has() {
	got=$(awk -F, -v object="$1" '
		/^##BEG data objects$/ { inside = 1; next }
		/^##/ { inside = 0 }
		inside && /^object,/ { for (i = 1; i <= NF; i++) col[$i] = i; next }
		inside && index($1, object) == 1 { print $col["loads"], $col["stores"]; exit }' report.csv)
	[ "$got" = "$2 $3" ] || fail "$library: $1: '$got', not '$2 $3'"
}

# threads FILE: how many threads used what they have of their own in it, most and fewest accesses, and how they share it
threads() {
	awk -F, -v object="$1: thread-local" -v file="$1.so: thread-local" '
		/^##BEG data objects$/ { inside = 1 }
		/^##END/ { inside = 0 }
		inside && ($1 == object || $1 == file) { print $11, $12, $14, $16 }' report.csv
}

# Where threads have data of a library that is loaded later is known where the code asks __tls_get_addr.
finds_thread_local() {
	[ "$(uname -m)" = x86_64 ]
}

for library in plain together hooked; do
	cp $library.so later.so
	rm -f app.*
	OMPP_OBJECTS=all OMPP_QUIET=1 OMPP_APPNAME=app ./sections >out || fail "$library: $(cat out)"
	[ "$(cat out)" = 18 ] || fail "$library: $(cat out)"
	"$builddir/ompp" report --format=csv app.*.ompp >report.csv
	# three times: 30,000 stores by the program, and 100 increments by the constructor, if it has hooks
	# three times, by two threads: 50 stores to what each has of its own
	if [ $library = hooked ]; then
		has 'later.so: bss' 300 90300
		! finds_thread_local || has 'later.so: thread-local' 0 300
		has "sections.c:$(grep -n ' blocks ' "$here/sections.c" | cut -d: -f1)" 0 2500
		! finds_thread_local || threads later | grep -qx '2 150 150 private' || fail "$library: threads: $(threads later)"
	else
		has 'later.so: bss' 0 90000
	fi
	has 'later.so: data' 0 3000
	# linkers put constants behind the code, or into a part of their own
	case $library in
	plain) has 'later.so: constants' 30000 0; ! grep -q '^later.so: constants and code' report.csv || fail "$library: names" ;;
	together) has 'later.so: constants and code' 30000 0 ;;
	*) has 'later.so: constants' 30000 0 ;;
	esac
	has 'app: thread-local' 0 200
	has "sections.c:$(grep -n 'reused' "$here/sections.c" | cut -d: -f1)" 0 10000
	threads app | grep -qx '2 100 100 private' || fail "$library: threads: $(threads app)"
done
