/* User regions: begin, end, and an alternative end.
 * Regions: USER REGION 2. */
static int work(int n)
{
#pragma pomp inst begin(work)
	if (n > 2) {
#pragma pomp inst altend(work)
		return 1;
	}
	n++;
#pragma pomp inst end(work)
	return n;
}

int main(void)
{
	return work(1) + work(5) != 3;
}
