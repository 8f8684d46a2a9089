# address.sh: what tests of ompp live share.  To source behind lib.sh: . "$srcdir/tests/browser/address.sh"

address() { # address FILE: waits for the address that ompp has printed
	tries=0
	until grep -q '^http://.*/$' "$1"; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || { cat "$1"; fail 'no address'; }
		sleep 0.05
	done
	grep '^http://' "$1" | head -1
}
