# vm: tests in machines of other kinds; what they fetch and build is kept in tests/vm of the build folder
script_tests += tests/vm/mem-pmu.sh tests/vm/numa.sh
turn_tests += tests/vm/arm64-pmu.sh
turn_tests += tests/vm/arm64-callstack.sh tests/vm/arm64-samples.sh tests/vm/flow.sh tests/vm/hardware.sh tests/vm/hmat.sh tests/vm/machine.sh \
	tests/vm/mem-traffic.sh tests/vm/numa_use.sh tests/vm/pages.sh tests/vm/sensors.sh tests/vm/threads.sh
slow_tests += tests/vm/cross_clang.sh tests/vm/cross_mpi.sh tests/vm/cross_regions.sh tests/vm/numa_layouts.sh tests/vm/units.sh
EXTRA_DIST += tests/vm/mem_pmu/Kbuild tests/vm/mem_pmu/mem_pmu.c tests/vm/mem_pmu/planted.c tests/vm/mem_pmu/planted.h \
	tests/vm/mem_pmu/mem_traffic.c tests/vm/mem_pmu/regions.c tests/vm/mem_pmu/traffic.c
EXTRA_DIST += tests/vm/cross.c tests/vm/cross.sh tests/vm/flow.c tests/vm/first_touch.c tests/vm/guard.c tests/vm/loop.h tests/vm/numa_layouts.c tests/vm/numa_use.c tests/vm/pages.c tests/vm/papi.c tests/vm/policy.c tests/vm/pmu.c tests/vm/sampling.c tests/vm/sensors.c tests/vm/take.c tests/vm/vm.sh

clean-local: clean-vm
.PHONY: clean-vm
clean-vm:
	rm -rf tests/vm/cache tests/vm/cross tests/vm/arm64
