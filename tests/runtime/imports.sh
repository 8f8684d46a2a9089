# imports: libompp imports nothing but what tests/runtime/IMPORTS justifies, as a library and as an archive
. "$srcdir/tests/lib.sh"

# Lines "name" of what is neither in the list nor one of its patterns; and complain about them.
check() {
	while read -r name; do
		found=
		while read -r pattern rest; do
			case $pattern in ''|'#') continue ;; esac
			# shellcheck disable=SC2254
			case $name in $pattern) found=yes; break ;; esac
		done <"$srcdir/tests/runtime/IMPORTS"
		[ "$found" ] || echo "$name"
	done <"$2" >unjustified
	[ ! -s unjustified ] || fail "$1 imports what tests/runtime/IMPORTS does not have: $(tr '\n' ' ' <unjustified)"
}

tested=
if [ -f "$builddir/.libs/libompp.so" ]; then
	nm -D --undefined-only "$builddir/.libs/libompp.so" | awk '{ sub("@.*", "", $2); print $2 }' >names
	[ "$(wc -l <names)" -gt 10 ] || fail "no imports in libompp.so?"
	check libompp.so names
	tested=yes
fi
if [ -f "$builddir/.libs/libompp.a" ]; then
	nm "$builddir/.libs/libompp.a" 2>/dev/null | awk '
		NF == 2 && $1 ~ /^[Uwv]$/ { wanted[$2] = 1 }
		NF == 3 && $2 !~ /^[a-z]$/ { defined[$3] = 1 }
		END { for (name in wanted) if (!(name in defined)) print name }' | sort >names
	[ "$(wc -l <names)" -gt 10 ] || fail "no imports in libompp.a?"
	# hidden names of static programs (host/real.c)
	grep -vE '^(__(dl_iterate_phdr|register_atfork|cxa_at_quick_exit|sigaction|pthread_[a-z_]*)|_IO_fflush)$' names >rest
	check libompp.a rest
	tested=yes
fi
[ "$tested" ] || fail "no library"
