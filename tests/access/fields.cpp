// fields: structures whose counts are known: inheritance, tables of virtual functions, containers, new, bit fields, an
// array without an end.  The script has the formulas.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct shape {
	virtual double area() const { return 0; }
	virtual ~shape() {}
	int id;
	char tag;
};

struct circle : shape {
	double r;
	double area() const override { return r; }
};

struct point {
	double x, y;
	float w;
};

struct cell {
	point p[2];
	int n;
	unsigned a : 4, b : 12;
};

struct node {
	node *next;
	int v;
};

struct open {
	int n;
	double data[];
};

class grid {
public:
	cell *cells;
	int n;
	explicit grid(int m) : n(m) { cells = new cell[m]; }
	void fill()
	{
		for (int i = 0; i < n; i++) {
			cells[i].p[1].x = i;
			cells[i].n = i;
		}
	}
};

static void *volatile kept; // so that no allocation is removed

int main()
{
	const int n = 1000;
	double sum = 0;
	grid g(n);
	kept = g.cells;
	g.fill();
	circle *c = new circle[n];
	for (int i = 0; i < n; i++) {
		c[i].r = i;
		c[i].id = 3;
	}
	for (int i = 0; i < n; i++) {
		const shape *s = &c[i];
		sum += s->area();
	}
	std::vector<point> v(n);
	for (int i = 0; i < n; i++)
		v[i].w = 2;
	for (int i = 0; i < n; i++)
		sum += v[i].w;
	node *list = nullptr;
	for (int i = 0; i < n; i++) {
		node *one = new node;
		one->next = list;
		one->v = i;
		list = one;
	}
	node *volatile first = list;
	for (node *at = first; at; at = at->next)
		sum += at->v;
	open *o = (open *)malloc(sizeof(*o) + n * sizeof(double));
	kept = o;
	o->n = n;
	for (int i = 0; i < n; i++)
		o->data[i] = 1;
	std::vector<std::vector<double>> rows; // of 24 bytes, as a vector has itself
	rows.assign(n, std::vector<double>(3));
	for (int i = 0; i < n; i++)
		rows[i][1] = 1;
	for (int i = 0; i < n; i++)
		sum += rows[i][1];
	printf("%g\n", sum);
	return 0;
}
