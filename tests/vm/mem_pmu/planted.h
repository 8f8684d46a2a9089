/*
 * Planted: what a test program asks of the module mem_pmu (mem_pmu.c) by ioctl(2) on /dev/mem_pmu.
 */
#ifndef TESTS_VM_PLANTED_H
#define TESTS_VM_PLANTED_H

#include <linux/ioctl.h>
#include <linux/types.h>

enum { PLANTED_LOAD, PLANTED_STORE };

/* One access that the processor is to have made: each event of this CPU that counts such accesses counts it, and
 * has a sample of it when its period is over. */
struct planted_access {
	__u32 kind;    /* PLANTED_LOAD or PLANTED_STORE */
	__u32 latency; /* cycles */
	__u64 ip, address;
	__u64 data_source; /* union perf_mem_data_src */
	__u64 time_ns;     /* of the event's clock; 0: now */
};

/* Bytes that Arm's statistical profiling extension is to have written into the AUX ring. */
struct planted_packets {
	__u64 bytes; /* where they are */
	__u32 n_bytes;
	__u32 flags; /* PERF_AUX_FLAG_… of the record */
};

/* Lines of memory that a controller is to have read or written for a NUMA node (mem_traffic.c, /dev/mem_traffic). */
struct planted_traffic {
	__u32 unit, cpu, is_write, unused;
	__u64 lines;
};

#define PLANT_ACCESS  _IOW('m', 1, struct planted_access)
#define PLANT_PACKETS _IOW('m', 2, struct planted_packets)
#define PLANT_TRAFFIC _IOW('m', 3, struct planted_traffic)

#endif
