/*
 * Image: a file that is, or was, in memory as the program or a library of it, and whether the file at a path is the
 * same one.
 *
 * A file is told by its build id.  One that has none is told by what stat() says, which only holds for a file that
 * stays where it is and is not written to.
 */
#ifndef OMPP_HOST_IMAGE_H
#define OMPP_HOST_IMAGE_H

#include <stddef.h>
#include <stdint.h>

struct dl_phdr_info;

enum { OMPP_IMAGE_ID_BYTES = 32 };

struct ompp_image {
	uint32_t n_id; /* bytes of the build id; 0 when there is none, or it is longer */
	unsigned char id[OMPP_IMAGE_ID_BYTES];
	/* of the file when it was identified; all 0 when it was another one by then, or could not be read */
	uint64_t device, inode, n_bytes, modified_ns;
};

/* Is the file at the path the one in memory?  What cannot be read is taken for the same. */
int ompp_image_is_loaded(const char *path, const struct dl_phdr_info *info);

/* Identifies the file in memory, which must stay there meanwhile.
 * path: where it is */
void ompp_image_identify(struct ompp_image *image, const char *path, const struct dl_phdr_info *info);

/* Are they the same file?  Two without a build id that could not be read are taken for the same. */
int ompp_image_is_same(const struct ompp_image *a, const struct ompp_image *b);

/* Is the file at the path this one?  Returns 1 or 0, or -errno when it cannot be read. */
int ompp_image_is_at(const struct ompp_image *image, const char *path);

#endif
