/*
 * User: the Fortran names of the functions of ompp.h.  The length of a string is a hidden last argument.
 */
#ifndef OMPP_ADAPTERS_USER_H
#define OMPP_ADAPTERS_USER_H

#include <stddef.h>
#include <stdint.h>

void ompp_region_begin_(const char *name, size_t n);
void ompp_region_open_(const char *name, size_t n);
void ompp_region_end_(const char *name, size_t n);
void ompp_off_(void);
void ompp_on_(void);
void ompp_dump_(void);
void ompp_label_(const char *text, size_t n);
void ompp_sensor_set_(const char *name, const int64_t *number, size_t n);
void ompp_data_begin_(const void *address, const int64_t *n_bytes, const char *name, size_t n);
void ompp_data_begin4_(const void *address, const int32_t *n_bytes, const char *name, size_t n);
void ompp_papi_set_drange4_(const void *address, const int32_t *n_bytes, const char *name, size_t n);
void ompp_data_end_(const char *name, size_t n);
void ompp_papi_set_drange_(const void *address, const int64_t *n_bytes, const char *name, size_t n);
void ompp_data_enter_(const void *address, const int64_t *n_bytes, const char *name, const int32_t *flags, size_t n);
void ompp_data_leave_(const char *name, size_t n);

/* The same as CFI_cdesc_t of ISO_Fortran_binding.h, which not every C compiler has. */
struct ompp_array {
	void *base;
	size_t elem_bytes;
	int version;
	int8_t rank, attribute;
	int16_t type;
	struct {
		ptrdiff_t lower, extent, stride_bytes;
	} dim[];
};
void ompp_data_array_(const struct ompp_array *array, int64_t n_bytes, const char *name, int64_t n, int32_t flags);

/* Receives kinst's data on the program's files, from a constructor that it adds when linking: the number of files with
 * access hooks and without, and the names of some of the latter as a comma-separated list. */
void ompp_access_files(unsigned int n_hooked, unsigned int n_unhooked, const char *unhooked);

/* Receives the names of the files that have accesses without a hook, "kernel.c: long double; v.f90: …".  The text is
 * not copied. */
void ompp_access_uncounted(const char *files);

/* Receives the list of kinst --functions=LIST, from a constructor that kinst adds to the program.  It is used if
 * OMPP_FUNCTIONS is not set. */
void ompp_functions_default(const char *list);

/* Receives what kinst --stamp kept, from a constructor that kinst adds to the program or to a library: the stamp, the
 * full hash of the commit or "", when that was made in seconds since 1970 or 0, whether files were changed since, and
 * whether the constructor is the program's.  The texts are copied. */
void ompp_build_stamp(const char *stamp, const char *commit, int64_t commit_unix_s, int is_modified, int of_program);

#endif
