/*
 * Code: how a trace of memory accesses (OMPP_TRACE=1) is written in bytes, for the runtime that writes it and the
 * library that reads it.
 *
 * A file is a head and blocks.  A block is self-contained: its head has its length and checksums, so that a reader
 * finds the next block after a damaged one, and its events are encoded only relative to events of the same block.
 *
 * An event has a kind and fields.  A field with the same value as in the thread's event before takes no bytes; times
 * and addresses are written as differences from that event.  Definitions say what the numbers in fields stand for; a
 * later definition of a number replaces an earlier one.  Numbers in heads are little-endian.
 *
 * Addresses of the program's instructions are written as keys (runtime/host/past.h): bits 57 to 62 have the number of
 * the file, which is 0 unless another file was loaded at this address before.
 */
#ifndef OMPP_FLOW_CODE_H
#define OMPP_FLOW_CODE_H

#include <stddef.h>
#include <stdint.h>

#define OMPP_FLOW_MAGIC       "OMPPFLOW"
#define OMPP_FLOW_BLOCK_MAGIC 0x4b42464fu /* "OFBK" */

enum {
	OMPP_FLOW_VERSION =
		4, /* 1 had no uses of pages, 2 no pages that the kernel reports as written, 3 no messages */
	OMPP_FLOW_HEAD_BYTES = 64,
	OMPP_FLOW_BLOCK_HEAD_BYTES = 40,
	OMPP_FLOW_MOST_BLOCK_BYTES = 1 << 20, /* without its head, and after decompression */
	OMPP_FLOW_MOST_RATIO = 256,           /* the largest ratio of a block to its compressed form */
	OMPP_FLOW_EVENT_BYTES = 320,          /* no event takes more, except definitions */
	OMPP_FLOW_MOST_NUMBERS = 64,          /* of a definition */
	OMPP_FLOW_MOST_TEXTS = 4,
	OMPP_FLOW_MOST_TEXT_BYTES = 4096,
	OMPP_FLOW_MOST_CALLERS = 24, /* of a site */
	OMPP_FLOW_LANES = 64         /* threads whose numbers are equal modulo this share one state */
};

enum ompp_flow_block_type {
	OMPP_FLOW_BLOCK_EVENTS,
	OMPP_FLOW_BLOCK_ZSTD /* blocks of events, with their heads, compressed by zstd */
};

enum ompp_flow_code {
	OMPP_FLOW_CODE_ACCESS,
	OMPP_FLOW_CODE_TOUCH,  /* a first touch */
	OMPP_FLOW_CODE_BEGIN,  /* a block of memory is allocated */
	OMPP_FLOW_CODE_END,    /* and given back */
	OMPP_FLOW_CODE_REGION, /* from now on the thread is in this place; with MESSAGE: it sent or received one there
	                        */
	OMPP_FLOW_CODE_DEFINE,
	OMPP_FLOW_CODE_PAGES,   /* from TIME on, for SPAN, the thread used these pages, each with the same counts */
	OMPP_FLOW_CODE_WRITTEN, /* in that time these pages were written, first by the thread; how often, and by which
	                           other threads, is not known.  With a thread it also has CPU and NODE */
	OMPP_FLOW_N_CODES
};

/* Fields of events, those that change most often first.  Those marked + are the number + 1, or 0 when not known. */
enum ompp_flow_field {
	OMPP_FLOW_THREAD, /* +: its slot */
	OMPP_FLOW_COVER,  /* the objects that were accessed */
	OMPP_FLOW_TIME,   /* ns of CLOCK_MONOTONIC; 0 when not known */
	OMPP_FLOW_IP,     /* as a key */
	OMPP_FLOW_ADDRESS,
	OMPP_FLOW_LATENCY,
	OMPP_FLOW_PLACE, /* the call path of regions */
	OMPP_FLOW_LEVEL, /* enum ompp_mem_level * 4 + enum ompp_mem_kind */
	OMPP_FLOW_HOME,  /* +: NUMA node of the page */
	OMPP_FLOW_CPU,   /* + */
	OMPP_FLOW_NODE,  /* +: NUMA node of the processor */
	OMPP_FLOW_SITE,  /* of a block of memory: the calls that allocated it */
	OMPP_FLOW_BYTES, /* of a block of memory */
	OMPP_FLOW_PERIOD,
	OMPP_FLOW_PAGE_BYTES,
	OMPP_FLOW_TID,
	OMPP_FLOW_DETAIL, /* snoop * 256 + translation * 16 + lock, of ompp_mem.h */
	OMPP_FLOW_DATA_SOURCE,
	OMPP_FLOW_PHYSICAL,
	OMPP_FLOW_SPAN,    /* ns */
	OMPP_FLOW_PAGES,   /* number of pages; the first is at ADDRESS */
	OMPP_FLOW_LOADS,   /* of each page */
	OMPP_FLOW_STORES,  /* the same */
	OMPP_FLOW_PARTS,   /* of each page: a bit for each 64th of it that was accessed */
	OMPP_FLOW_MESSAGE, /* of MPI: 0 none, 1 sent at TIME, 2 received: complete at TIME, SPAN after the call that
	                      began to receive; BYTES is +, too */
	OMPP_FLOW_PARTNER, /* +: the other rank in MPI_COMM_WORLD */
	OMPP_FLOW_TAG,
	OMPP_FLOW_COMM, /* a number of the communicator that is the same in all its ranks; 0 when not known */
	OMPP_FLOW_N_FIELDS
};

/* Definitions, with their numbers and texts. */
enum ompp_flow_define {
	OMPP_FLOW_DEFINE_PLACE,  /* place, parent place, region, first line, last line; construct, name, file */
	OMPP_FLOW_DEFINE_OBJECT, /* object, site; name */
	OMPP_FLOW_DEFINE_COVER,  /* cover, its objects */
	OMPP_FLOW_DEFINE_SITE,   /* site, thread + 1 of its first block, keys of return addresses */
	OMPP_FLOW_DEFINE_NAME,   /* site; name, path of calls */
	OMPP_FLOW_DEFINE_LINE,   /* key of an instruction, line; function, file */
	OMPP_FLOW_DEFINE_APP,    /* -; name of the program */
	OMPP_FLOW_DEFINE_END, /* the end of the run: events left out at the limit, events that could not be written, by
	                         how many ns uses of pages may be later than their times say */
	OMPP_FLOW_DEFINE_THREAD, /* thread, its number in the first team in which it had an event */
	OMPP_FLOW_DEFINE_USES, /* interval of uses of pages in ns, or 0; the method that finds them, what it cannot see
	                        */
	OMPP_FLOW_DEFINE_FILE, /* of instructions and return addresses: number in their keys, first address, last
	                          address + 1, what is added to addresses of the file, 1 for the program itself,
	                          device, inode, bytes, modified in ns since 1970, bytes of its build id, that in
	                          four words with the first byte lowest; path */
	OMPP_FLOW_DEFINE_VARIABLE, /* number, first address, bytes; name: of one that is too small for an object of its
	                              own, and lies in a page that was used.  If its file is unloaded, another variable
	                              may be there later */
	OMPP_FLOW_DEFINE_RANK      /* rank of the process in MPI_COMM_WORLD, how many there are */
};

/* The head of a file. */
struct ompp_flow_head {
	uint32_t version, pid, page_bytes;
	uint32_t latencies; /* their unit: 1 for cycles, 2 for TSC cycles, 3 for cntvct ticks, 0 when none are known */
	uint64_t start_ns;  /* of CLOCK_MONOTONIC */
	uint64_t start_unix_ns, period;
};

/* The head of a block. */
struct ompp_flow_block {
	uint32_t type; /* enum ompp_flow_block_type */
	uint32_t n_bytes, n_plain_bytes;
	uint32_t n_events; /* without definitions */
	uint64_t time_ns;  /* of its first event */
};

/* The coder's state from the events before; writer and reader update it in the same way. */
struct ompp_flow_state {
	uint64_t thread;
	uint64_t last[OMPP_FLOW_LANES][OMPP_FLOW_N_FIELDS];
	uint64_t address[OMPP_FLOW_LANES]; /* by thread and cover */
};

struct ompp_flow_definition {
	uint32_t what; /* enum ompp_flow_define */
	uint32_t n_numbers, n_texts;
	uint64_t numbers[OMPP_FLOW_MOST_NUMBERS];
	struct {
		const char *text; /* as read: not ended by NUL */
		size_t n_bytes;
	} texts[OMPP_FLOW_MOST_TEXTS];
};

/* Write a head to its bytes.  A block's checksum is of the n_bytes behind its head. */
void ompp_flow_head_put(const struct ompp_flow_head *head, unsigned char *to);
void ompp_flow_block_put(const struct ompp_flow_block *block, const unsigned char *content, unsigned char *to);

/* Read a head.  They return 0, or -1 when it is invalid: its checksum is wrong, or a number is out of its range. */
int ompp_flow_head_get(struct ompp_flow_head *head, const unsigned char *from, size_t n_bytes);
int ompp_flow_block_get(struct ompp_flow_block *block, const unsigned char *from, size_t n_bytes);

/* Does the content of the block, which follows its head, match its checksum? */
int ompp_flow_block_is_whole(const struct ompp_flow_block *block, const unsigned char *from);

/* Writes an event.  Returns how many bytes it takes, OMPP_FLOW_EVENT_BYTES at most.
 * fields: the set of fields that it has, 1u << OMPP_FLOW_TIME and so on */
size_t ompp_flow_put(struct ompp_flow_state *state, enum ompp_flow_code code, const uint64_t values[OMPP_FLOW_N_FIELDS],
                     uint32_t fields, unsigned char *to);

/* Writes a definition.  Returns how many bytes it takes; 0 when there is no room for it.  Texts that are too long are
 * cut. */
size_t ompp_flow_define(const struct ompp_flow_definition *definition, unsigned char *to, size_t n_bytes);

/* Reads the next event, or definition.  Returns what follows it; NULL when the bytes are invalid.
 * values: a field that the event does not have keeps the value of an earlier event */
const unsigned char *ompp_flow_get(struct ompp_flow_state *state, enum ompp_flow_code *code,
                                   uint64_t values[OMPP_FLOW_N_FIELDS], struct ompp_flow_definition *definition,
                                   const unsigned char *from, const unsigned char *end);

#endif
