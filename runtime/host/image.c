/*
 * Image: see image.h.
 */
#define _GNU_SOURCE
#include "runtime/host/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>

#include "runtime/base/proc.h"
#include "runtime/base/sys.h"

enum { HEAD_BYTES = 4096, PIECE_BYTES = 256, NOTES_BYTES = 1024, MOST_HEADERS = 64 };

static int open_to_read(const char *path)
{
	return ompp_sys_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0);
}

/* The first page has the program headers and mostly the build id; the memory is read by the kernel, as a file that was
 * cut off would end the program otherwise. */
int ompp_image_is_loaded(const char *path, const struct dl_phdr_info *info)
{
	unsigned char there[PIECE_BYTES], here[PIECE_BYTES];
	const ElfW(Phdr) *head = info->dlpi_phdr, *last = head + info->dlpi_phnum;
	int fd = open_to_read(path), memory = -1, same = 1;

	while (head < last && (head->p_type != PT_LOAD || head->p_offset))
		head++;
	if (fd >= 0 && head < last)
		memory = ompp_proc_open("mem", O_RDONLY | O_CLOEXEC);
	for (size_t at = 0; memory >= 0 && same && at + PIECE_BYTES <= HEAD_BYTES && at < head->p_filesz;
	     at += PIECE_BYTES) {
		size_t n = head->p_filesz - at < PIECE_BYTES ? head->p_filesz - at : PIECE_BYTES;

		if (ompp_sys_pread(memory, here, n, (off_t)(info->dlpi_addr + head->p_vaddr + at)) != (int64_t)n)
			break;
		same = ompp_sys_pread(fd, there, n, (off_t)at) == (int64_t)n && !memcmp(there, here, n);
	}
	if (memory >= 0)
		ompp_sys_close(memory);
	if (fd >= 0)
		ompp_sys_close(fd);
	return same;
}

/* Takes the build id from the notes of a segment.  A note is three words, then its owner and its content, each filled
 * up to a whole word. */
static void take_id(struct ompp_image *image, const unsigned char *notes, size_t n_bytes)
{
	uint32_t head[3];

	for (size_t at = 0, n; n_bytes - at >= sizeof(head); at += n) {
		size_t owner, content;

		memcpy(head, notes + at, sizeof(head));
		owner = ((size_t)head[0] + 3) & ~(size_t)3;
		content = ((size_t)head[1] + 3) & ~(size_t)3;
		n = sizeof(head) + owner + content;
		if (n > n_bytes - at)
			return;
		if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && !memcmp(notes + at + sizeof(head), "GNU", 4) &&
		    head[1] <= sizeof(image->id)) {
			image->n_id = head[1];
			memcpy(image->id, notes + at + sizeof(head) + owner, head[1]);
			return;
		}
	}
}

static void take_stat(struct ompp_image *image, const struct stat *st)
{
	image->device = st->st_dev;
	image->inode = st->st_ino;
	image->n_bytes = (uint64_t)st->st_size;
	image->modified_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000 + (uint64_t)st->st_mtim.tv_nsec;
}

void ompp_image_identify(struct ompp_image *image, const char *path, const struct dl_phdr_info *info)
{
	struct stat st;

	*image = (struct ompp_image){ 0 };
	for (int i = 0; i < info->dlpi_phnum && !image->n_id; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			take_id(image, (const unsigned char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
			        info->dlpi_phdr[i].p_filesz);
	if (!ompp_sys_stat(path, &st) && ompp_image_is_loaded(path, info))
		take_stat(image, &st);
}

/* Reads the build id of an open file, if it has one. */
static void read_id(struct ompp_image *image, int fd)
{
	unsigned char notes[NOTES_BYTES];
	ElfW(Ehdr) head;
	ElfW(Phdr) p;

	if (ompp_sys_pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_phentsize != sizeof(p))
		return;
	for (int i = 0; i < head.e_phnum && i < MOST_HEADERS && !image->n_id; i++) {
		ssize_t n;

		if (ompp_sys_pread(fd, &p, sizeof(p), (off_t)(head.e_phoff + (size_t)i * sizeof(p))) !=
		    (ssize_t)sizeof(p))
			return;
		if (p.p_type != PT_NOTE)
			continue;
		n = ompp_sys_pread(fd, notes, p.p_filesz < sizeof(notes) ? p.p_filesz : sizeof(notes),
		                   (off_t)p.p_offset);
		if (n > 0)
			take_id(image, notes, (size_t)n);
	}
}

int ompp_image_is_same(const struct ompp_image *a, const struct ompp_image *b)
{
	if (a->n_id || b->n_id)
		return a->n_id == b->n_id && !memcmp(a->id, b->id, a->n_id);
	return a->device == b->device && a->inode == b->inode && a->n_bytes == b->n_bytes &&
	       a->modified_ns == b->modified_ns;
}

int ompp_image_is_at(const struct ompp_image *image, const char *path)
{
	struct ompp_image there = { 0 };
	int fd = open_to_read(path), rc;
	struct stat st;

	if (fd < 0)
		return fd;
	rc = ompp_sys_fstat(fd, &st);
	if (!rc) {
		take_stat(&there, &st);
		read_id(&there, fd);
	}
	ompp_sys_close(fd);
	if (rc)
		return rc;
	return (image->n_id || image->n_bytes) && ompp_image_is_same(image, &there);
}
