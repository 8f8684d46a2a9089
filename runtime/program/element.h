/*
 * Element: the structure of which the memory of an object is an array, and its members, by debug information.
 *
 * Members are flat: those of structures inside are "p.x", those of a base class "Base::x", and those of structures in
 * an array inside "v[].x", which stand in each element of that array.  COLD.
 */
#ifndef OMPP_PROGRAM_ELEMENT_H
#define OMPP_PROGRAM_ELEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

enum ompp_element_kind {
	OMPP_ELEMENT_DATA,
	OMPP_ELEMENT_PADDING, /* between members, and behind the last */
	OMPP_ELEMENT_BITS,    /* bit fields that share bytes */
	OMPP_ELEMENT_UNION,   /* other members of a union have bytes in common with it */
	OMPP_ELEMENT_VTABLE   /* the pointer to the table of virtual functions */
};

enum { OMPP_ELEMENT_MOST_BYTES = 1 << 20, OMPP_ELEMENT_MOST_MEMBERS = 4096, OMPP_ELEMENT_DEPTH = 4 };

/* An array of structures around a member. */
struct ompp_element_array {
	uint64_t step, n; /* bytes of one structure; how many */
};

struct ompp_element_member {
	const char *name, *type;
	uint64_t offset, n_bytes; /* of the first one, where it is in arrays of structures */
	uint64_t unit;            /* bytes of a scalar: of an array, those of one of its elements */
	uint32_t kind;            /* enum ompp_element_kind */
	uint32_t n_arrays;        /* those around it, the outermost first */
	struct ompp_element_array arrays[OMPP_ELEMENT_DEPTH];
};

enum ompp_element_flag {
	OMPP_ELEMENT_OPEN = 1,      /* the last member is an array without an end */
	OMPP_ELEMENT_NEW_ARRAY = 2, /* made by new[], which may keep a number before the elements */
	OMPP_ELEMENT_ALIGNED = 4,   /* made by a call that says how it is aligned, so its size may be rounded up */
	OMPP_ELEMENT_NONE = 8       /* it is known that these are no structures: doubles of a vector<double> */
};

struct ompp_element {
	const char *type;
	uint64_t n_bytes;
	uint32_t flags;
	const struct ompp_element_member *members; /* by their offset */
	size_t n;
};

/* How the structure is asked for: by the address of a variable; by a call that allocates it, or names it; by a
 * variable's or a member's name, if all of that name have the same structure. */
enum ompp_element_by { OMPP_ELEMENT_BY_ADDRESS, OMPP_ELEMENT_BY_CALL, OMPP_ELEMENT_BY_NAME };

enum { OMPP_ELEMENT_MOST_EARLIER = 64 };

struct ompp_element_question {
	enum ompp_element_by by;
	uintptr_t address; /* in the file; 0 with BY_NAME */
	const char *name;  /* "" with BY_ADDRESS and BY_CALL */
	/* With BY_CALL the calls that the thread made before this one for the first time, the latest first, as their
	 * addresses less this one.  When they are those of one statement, they tell which of its arrays this is. */
	int64_t earlier[OMPP_ELEMENT_MOST_EARLIER];
	size_t n_earlier;
};

/* Finds the structure of an object.  Returns 0; -ENODATA when it is known to be none; another -errno when nothing is
 * known.  Texts and members are in the arena.
 * path: of the program or library */
int ompp_element_find(const char *path, const struct ompp_element_question *question, struct ompp_arena *arena,
                      struct ompp_element *element);

/* One of the places of a member, or bytes that belong to none. */
struct ompp_element_place {
	size_t member; /* OMPP_ELEMENT_NO_MEMBER */
	uint64_t n_bytes;
};
#define OMPP_ELEMENT_NO_MEMBER SIZE_MAX

/* Returns the member that an access of n_bytes at an offset of the element begins in, and how many of these bytes are
 * in it: of several members of a union it is the one whose scalars are like the access, else the longest. */
struct ompp_element_place ompp_element_at(const struct ompp_element *element, uint64_t offset, uint64_t n_bytes);

/* Returns 1 when a program that has such elements may access n_bytes of a scalar at an offset: it begins where a scalar
 * does, and ends within this one, where another one does, or in padding.  Not so an upper half alone: code seldom
 * accesses one, and of another type in this memory it is a member.  Of bit fields and unions anything may be. */
int ompp_element_fits(const struct ompp_element *element, uint64_t offset, uint64_t n_bytes);

#endif
