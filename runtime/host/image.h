/*
 * Image: identifies a file that is, or was, loaded as the program or a library, and tells whether the file at a path is
 * the same one.
 *
 * A file is identified by its build id.  A file without one is identified by stat(), which only works while the file is
 * neither moved nor written.
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
	/* of the file when it was identified; all 0 when it had been replaced by then, or could not be read */
	uint64_t device, inode, n_bytes, modified_ns;
};

/* Is the file at the path the one in memory?  A file that cannot be read counts as the same. */
int ompp_image_is_loaded(const char *path, const struct dl_phdr_info *info);

/* Identifies the file in memory, which must stay there meanwhile.
 * path: where it is */
void ompp_image_identify(struct ompp_image *image, const char *path, const struct dl_phdr_info *info);

/* Are they the same file?  Two files without a build id that could not be read count as the same. */
int ompp_image_is_same(const struct ompp_image *a, const struct ompp_image *b);

/* Is the file at the path this one?  Returns 1 or 0, or -errno when it cannot be read. */
int ompp_image_is_at(const struct ompp_image *image, const char *path);

#endif
