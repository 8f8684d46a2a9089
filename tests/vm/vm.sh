# vm: a machine of another kind: a Debian kernel under QEMU, and in it what a test has built.  No root is needed.
# To source after tests/lib.sh.  A test sets what shall not be as it stands below, then
#
#	vm_need                         first: skip when a tool is missing
#	vm_packages libpfm4 …           Debian packages of the machine's architecture, and its kernel, unpacked in $vm_root;
#	                                skip when they cannot be fetched.  They are kept in the build folder, so that this
#	                                happens once.  vm_fetch has these packages alone, where QEMU's user mode is enough
#	vm_need_module                  instead of these two, for a machine of this one's kind that a kernel module is built for
#	vm_module NAME                  builds tests/vm/mem_pmu/NAME.c, and adds NAME.ko to the machine's /
#	vm_add /bin FILE …              files for a folder of the machine, and the shared libraries that they need, which
#	                                are looked for in $vm_libraries
#	vm_run NAME SCRIPT              boot, run SCRIPT in an empty folder (busybox sh, as root), stop.  Answers SCRIPT's
#	                                status; what it printed is NAME/log, what it left in its folder is in NAME/
#
# A machine gets everything from its initial RAM file system and answers by its serial console, so that it needs no
# driver, no disk and no network.  Another one differs in the variables alone; one with four NUMA nodes:
#
#	vm_arch=amd64 vm_cpus=4 vm_memory=1G
#	vm_four_nodes 256M
vm_arch=arm64                   # Debian's name
vm_kernel=linux-image-cloud     # a package -$vm_arch that depends on the image to boot
vm_suite=bookworm
vm_security=yes                 # empty: without the suite's security updates
vm_mirror=${VM_MIRROR:-http://deb.debian.org}
vm_cpu=max
vm_cpus=1
vm_memory=512M
vm_options=                     # more for QEMU
vm_append=                      # more for the kernel's command line
vm_libraries=                   # folders with shared libraries, with ":" between them, beside the architecture's
vm_seconds=150                  # until it is killed and booted once more; three times as long, and the test fails

vm_cache=$builddir/tests/vm/cache
vm_disk=$work/disk              # the machine's /

# What depends on the architecture.
vm_setup() {
	vm_root=$vm_cache/$vm_arch/root
	case $vm_arch in
	arm64)
		vm_qemu='qemu-system-aarch64 -M virt' vm_console=ttyAMA0 vm_early=earlycon vm_quirks=
		vm_libraries=/usr/aarch64-linux-gnu/lib:$vm_root/usr/lib/aarch64-linux-gnu:$vm_libraries
		;;
	amd64)
		vm_early=earlyprintk=serial,ttyS0,115200
		# A kernel that checks its timer panics where the host does not run the machine meanwhile.
		vm_qemu='qemu-system-x86_64 -M q35' vm_console=ttyS0 vm_quirks=no_timer_check
		vm_libraries=/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:$vm_libraries
		;;
	esac
}

# vm_four_nodes SIZE: four NUMA nodes, each with a processor and so much memory.
vm_four_nodes() {
	for node in 0 1 2 3; do
		vm_options="$vm_options -object memory-backend-ram,id=m$node,size=$1 -numa node,nodeid=$node,cpus=$node,memdev=m$node"
	done
}

vm_need() {
	vm_setup
	for vm_tool in ${vm_qemu%% *} busybox flock apt-get apt-cache dpkg-deb readelf; do
		need "$vm_tool"
	done
}

# Package lists of that architecture and suite, apart from those of the system.
vm_lists() {
	vm_apt=$vm_cache/$vm_arch/apt
	export APT_CONFIG="$vm_apt/apt.conf"
	[ ! -f "$vm_apt/ready" ] || return 0
	rm -rf "$vm_apt"
	mkdir -p "$vm_apt/lists/partial" "$vm_apt/cache/archives/partial" "$vm_apt/none"
	: >"$vm_apt/status"
	cat >"$APT_CONFIG" <<-END
		Dir::State "$vm_apt";
		Dir::State::lists "$vm_apt/lists";
		Dir::State::status "$vm_apt/status";
		Dir::Cache "$vm_apt/cache";
		Dir::Etc::sourcelist "$vm_apt/sources.list";
		Dir::Etc::sourceparts "$vm_apt/none";
		APT::Architecture "$vm_arch";
		APT::Architectures { "$vm_arch"; };
		APT::Sandbox::User "";
		Acquire::Languages "none";
		Acquire::Retries "2";
		Acquire::http::Timeout "20";
	END
	vm_key=/usr/share/keyrings/debian-archive-keyring.gpg
	cat >"$vm_apt/sources.list" <<-END
		deb [signed-by=$vm_key] $vm_mirror/debian $vm_suite main
		${vm_security:+deb [signed-by=$vm_key] $vm_mirror/debian-security $vm_suite-security main}
	END
	timeout 120 apt-get -qq --error-on=any update >fetch.log 2>&1 || return 1
	: >"$vm_apt/ready"
}

# The package behind a name, as the lists have it: of a kernel, the image that it depends on.
vm_real_name() {
	case $1 in
	linux-image-*)
		vm_real=$(apt-cache depends "$1" | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -1)
		echo "${vm_real:-$1}" # or it is an image itself
		;;
	*) echo "$1" ;;
	esac
}

# Fetch a package and unpack it, unless it is there, maybe by another name: a machine may be booting from it.
vm_unpack() {
	vm_lists || return 1
	vm_real=$(vm_real_name "$1")
	if [ ! -f "$vm_have/$vm_real" ]; then
		rm -rf fetched
		mkdir fetched
		(cd fetched && timeout 300 apt-get -qq download "$vm_real") >fetch.log 2>&1 || return 1
		dpkg-deb -x fetched/*.deb "$vm_root" || return 1
		rm -r fetched
		echo "$vm_real" >"$vm_have/$vm_real"
	fi
	echo "$vm_real" >"$vm_have/$1"
}

# Lists grow old: they are fetched again when they name what is gone.
vm_package() {
	[ ! -f "$vm_have/$1" ] || return 0
	vm_unpack "$1" || { rm -f "$vm_cache/$vm_arch/apt/ready"; vm_unpack "$1"; }
}

# Tests that run at the same time share what is unpacked: the lock lets one of them unpack, and the others wait for it.
vm_packages() {
	vm_fetch "$vm_kernel-$vm_arch" busybox-static "$@"
}

vm_fetch() {
	vm_have=$vm_cache/$vm_arch/have
	mkdir -p "$vm_root" "$vm_have"
	exec 8>"$vm_cache/$vm_arch/lock"
	flock 8
	for vm_name; do
		vm_package "$vm_name" || {
			[ ! -s fetch.log ] || tail -3 fetch.log >&2
			skip "cannot fetch Debian's $vm_name of $vm_arch; a network and $vm_mirror are needed once"
		}
	done
	exec 8>&-
}

# The shared libraries that a file names, and those that they name, into the machine's /lib.
vm_add_libraries() {
	for vm_needed in $(readelf -d "$1" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p') \
			$(readelf -l "$1" 2>/dev/null | sed -n 's/.*interpreter: .*\/\([^/]*\)\]/\1/p'); do
		[ ! -e "$vm_disk/lib/$vm_needed" ] || continue
		vm_found=$(echo "$vm_libraries" | tr : '\n' | while read -r vm_folder; do
			[ ! -e "$vm_folder/$vm_needed" ] || { echo "$vm_folder/$vm_needed"; break; }
		done)
		[ -n "$vm_found" ] || fail "$1: $vm_needed is not in $vm_libraries"
		cp -L "$vm_found" "$vm_disk/lib/"
		vm_add_libraries "$vm_disk/lib/$vm_needed"
	done
}

vm_add() {
	mkdir -p "$vm_disk$1" "$vm_disk/lib"
	[ -e "$vm_disk/lib64" ] || ln -s lib "$vm_disk/lib64"
	vm_folder_there=$vm_disk$1
	shift
	for vm_file; do
		cp -L "$vm_file" "$vm_folder_there/"
		vm_add_libraries "$vm_file"
	done
}

vm_need_module() {
	[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
	vm_headers=$(find /lib/modules -maxdepth 1 -name '*-cloud-amd64' 2>/dev/null | sort -V | tail -1)
	[ -e "$vm_headers/build/Makefile" ] || skip 'no kernel headers; install linux-headers-cloud-amd64'
	vm_arch=amd64 vm_libraries=$builddir/.libs
	vm_kernel=linux-image-$(basename "$vm_headers" -amd64)
	vm_need
	vm_packages
}

vm_module() {
	cp -r "$srcdir/tests/vm/mem_pmu" module
	chmod -R u+w module
	make -s -C "$vm_headers/build" M="$PWD/module" modules >make.out 2>&1 || { cat make.out; fail 'the module does not build'; }
	strip -g "module/$1.ko"
	vm_add / "module/$1.ko"
}

# The machine's first process.
vm_init() {
	cat <<-'END'
		#!/bin/busybox sh
		/bin/busybox mkdir -p /proc /sys /dev /tmp /out /etc
		/bin/busybox mount -t proc proc /proc
		/bin/busybox mount -t sysfs sysfs /sys
		/bin/busybox mount -t devtmpfs devtmpfs /dev
		/bin/busybox --install -s /bin
		chmod 1777 /tmp /out
		printf 'root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/:/bin/sh\n' >/etc/passwd
		printf 'root:x:0:\nuser:x:1000:\n' >/etc/group
		export PATH=/bin HOME=/ LC_ALL=C
		cd /out
		echo "=== vm: test"
		{ sh /test; echo $? >status; } 2>&1 | tee log
		dmesg >dmesg
		dmesg -n 1              # no line of the kernel comes between the answer's
		echo "=== vm: answer"
		tar -cz . | base64
		echo "=== vm: end"
		poweroff -f
	END
}

# Boot once.  Answers 0 when the machine answered to the end; else $vm_why says what became of it, and its last lines are
# on stderr.
vm_boot() {             # vm_boot SECONDS [MORE FOR QEMU [MORE FOR THE KERNEL]]
	vm_status=0
	# shellcheck disable=SC2086
	timeout -k 5 "$1" $vm_qemu -cpu "$vm_cpu" -smp "$vm_cpus" -m "$vm_memory" $vm_options ${2:-} \
		-nodefaults -display none -serial stdio -no-reboot \
		-kernel "$vm_root/boot/vmlinuz-$(sed 's/^linux-image-//' "$vm_cache/$vm_arch/have/$vm_kernel-$vm_arch")" \
		-initrd "$vm_at.cpio" -append "console=$vm_console panic=-1 $vm_quirks $vm_append ${3:-}" \
		</dev/null 2>"$vm_at.err" >"$vm_at.raw" || vm_status=$?
	tr -d '\r' <"$vm_at.raw" >"$vm_at.console"
	rm "$vm_at.raw"
	! grep -q '^=== vm: end$' "$vm_at.console" || return 0
	case $vm_status in
	124 | 137) vm_why="did not answer within $1 s" ;;
	*) vm_why="ended with status $vm_status and did not answer" ;;
	esac
	! grep -q '^=== vm: test$' "$vm_at.console" || vm_why="$vm_why, after the test had begun"
	for vm_file in "$vm_at.err" "$vm_at.console"; do
		echo "--- last lines of ${vm_file##*/}"
		tail -n 30 "$vm_file"
	done >&2
	return 1
}

vm_run() {
	vm_at=$work/$1
	mkdir -p "$vm_at" "$vm_disk/bin"
	cp "$vm_root/bin/busybox" "$vm_disk/bin/"
	cp "$2" "$vm_disk/test"
	vm_init >"$vm_disk/init"
	chmod 755 "$vm_disk/init" "$vm_disk/test"
	(cd "$vm_disk" && find . | busybox cpio -o -H newc 2>/dev/null) >"$vm_at.cpio"
	# Other programs of the host can starve a machine.  The second one has more time, and its processors one thread of the
	# host, so that none of them waits for another that the host does not run.  It also prints what a kernel says before
	# it has a console.
	vm_boot "$vm_seconds" || {
		echo "$1: the machine $vm_why; it is booted once more" >&2
		vm_boot $((3 * vm_seconds)) '-accel tcg,thread=single' "$vm_early" || fail "$1: the machine $vm_why, also the second time"
	}
	rm "$vm_at.cpio"
	sed -n '/^=== vm: answer$/,/^=== vm: end$/{/^===/!p}' "$vm_at.console" | base64 -d | tar -xz -C "$vm_at" ||
		fail "$1: the machine's answer is damaged"
	return "$(cat "$vm_at/status")"
}
