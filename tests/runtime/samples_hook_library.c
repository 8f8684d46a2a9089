/* samples_hook_library: a library with access hooks of its own. */
void store_all(long *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = i;
}
