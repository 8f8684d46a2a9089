# vm: tests in machines of other kinds; what they fetch and build is kept in tests/vm of the build folder
EXTRA_DIST += tests/vm/vm.sh

clean-local: clean-vm
.PHONY: clean-vm
clean-vm:
	rm -rf tests/vm/cache tests/vm/arm64
