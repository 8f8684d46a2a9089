#!/bin/sh
# machine: runs a command as on a machine of another architecture: the kernel runs its programs by QEMU's user mode, and
# the compiler and the tools for object files have the names that they have there.  What is of this machine alone is not
# there: other compilers, MPI, debuggers, libraries to preload.  All this is in namespaces of the command's own, and
# gone when it ends; files outside of /usr are the real ones.
# Usage: tests/build/machine.sh MACHINE COMMAND…      MACHINE as aarch64; `machine.sh MACHINE` says whether it can
# It ends with 77 and says why when it cannot: that needs Linux 6.7, whose binfmt_misc belongs to a user namespace.
# Without a command all is set up, too, as any step may be refused: in a container, or by the file system of /usr.
set -u
machine=${1:?the name of a machine}
shift
cross=$machine-linux-gnu qemu=qemu-$machine-static

cannot() {
	echo "skip: $*"
	exit 77
}

export TAR_OPTIONS=--no-same-owner # the namespace has one user

# The first bytes of programs of the machine, and a mask of those that count, for the kernel.
case $machine in
aarch64) number='\xb7\x00' native=-march=armv8.2-a ;;
riscv64) number='\xf3\x00' native=-march=rv64gc ;;
*) cannot "$machine: unknown machine" ;;
esac
begin="\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00$number"
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'

if [ ! "${machine_room:-}" ]; then
	for tool in unshare $qemu $cross-gcc $cross-g++ $cross-gfortran; do
		command -v $tool >/dev/null || cannot "$tool is not installed"
	done
	unshare -rm mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>/dev/null ||
		cannot 'the kernel has no binfmt_misc for a user namespace'
	[ $# -gt 0 ] || set -- true
	room=$(mktemp -d)
	machine_room=$room unshare -rm /bin/sh "$0" "$machine" "$@"
	status=$?
	rmdir "$room"
	exit $status
fi
room=$machine_room
unset machine_room
set -e
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || cannot 'binfmt_misc cannot be mounted'
# P: programs see their own names; F: QEMU is opened now, as no other folder may have it
printf %s ":$machine:M::$begin:$mask:$(command -v $qemu):FP" >/proc/sys/fs/binfmt_misc/register ||
	cannot "$qemu cannot be registered"
mount -t tmpfs none "$room" || cannot 'no file system in memory can be mounted'
mkdir "$room/upper" "$room/work"
grep '^processor' /proc/cpuinfo >"$room/cpuinfo" # what else stands there is of this machine's processor
mount --bind "$room/cpuinfo" /proc/cpuinfo || cannot 'nothing can be mounted over /proc/cpuinfo'
touch "$room/upper/over"
options=lowerdir=/usr,upperdir=$room/upper,workdir=$room/work
mount -t overlay overlay -o "$options" /usr && [ -e /usr/over ] ||
	cannot 'the file system of /usr takes no other one over it'
rm -f /usr/over /usr/bin/perf && ln -s /usr/$cross/lib/*.so* /usr/lib/$cross/ ||
	cannot 'nothing can be changed over /usr'
ln -s /usr/$cross/lib/ld-linux-* /usr/lib/
(
	cd /usr/bin
	rm -f clang* flang* mpi* ompi* valgrind* gdb* strace perf musl-gcc qemu-x86_64* gcc-[0-9]* g++-[0-9]* \
		gfortran-[0-9]* /usr/lib/*/libjemalloc.so* /usr/lib/*/libmimalloc.so* /usr/lib/*/libtcmalloc*
	for name in cpp gcc-ar gcc-nm gcc-ranlib addr2line ar as ld nm objcopy objdump ranlib readelf size strings strip; do
		ln -sf $cross-$name $name
	done
	# A cross compiler does not know what machine its programs will run on.
	for name in gcc g++ gfortran cc c++; do
		case $name in
		cc) compiler=$cross-gcc ;;
		c++) compiler=$cross-g++ ;;
		*) compiler=$cross-$name ;;
		esac
		rm -f $name
		cat >$name <<-END_OF_COMPILER
			#!/bin/sh
			for word; do
				shift
				[ "\$word" != -march=native ] || word=$native
				set -- "\$@" "\$word"
			done
			exec $compiler "\$@"
		END_OF_COMPILER
		chmod +x $name
	done
	mv uname uname.here
	cat >uname <<-END_OF_UNAME
		#!/bin/sh
		case \${1:-} in
		-m | -p | -i) echo $machine ;;
		*) exec /usr/bin/uname.here "\$@" ;;
		esac
	END_OF_UNAME
	chmod +x uname
)
exec "$@"
