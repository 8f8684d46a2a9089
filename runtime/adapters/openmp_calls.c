/*
 * OpenMP: keeps the OpenMP library in programs all of whose own calls to it (above all, of locks) were replaced.
 *
 * libompp refers to that library weakly, as it also serves programs without it, and the compilers link it "as needed".
 * kinst links the whole of this archive wherever the program is linked with OpenMP.
 */
extern int omp_get_thread_num(void);
extern int omp_get_max_threads(void);
extern int omp_get_num_threads(void);
extern int omp_get_level(void);
extern int omp_get_ancestor_thread_num(int);
extern void omp_set_lock(void *);
extern void omp_set_nest_lock(void *);
extern void omp_set_lock_(void *);
extern void omp_set_nest_lock_(void *);

static const struct {
	int (*numbers[4])(void);
	int (*ancestor)(int);
	void (*locks[4])(void *);
} needed __attribute__((used)) = {
	{ omp_get_thread_num, omp_get_num_threads, omp_get_max_threads, omp_get_level },
	omp_get_ancestor_thread_num,
	{ omp_set_lock, omp_set_nest_lock, omp_set_lock_, omp_set_nest_lock_ },
};
