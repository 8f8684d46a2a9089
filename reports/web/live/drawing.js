// drawing: when the page is drawn anew: soon after something has changed, and not more often than the machine bears.
const sheet = document.createElement("canvas"); // between the points of a plot's lines and its canvas
let n_looked = 0, n_drawn = 0; // values that plots have looked at, and pictures; for tests
let charts = [], is_layout_new = true, is_dirty = true, drawn = 0, cost = 0, tabled = -1e9, table_cost = 0, later = null, seen_columns = -1;
const MOST_POINTS = 400000; // of a plot: columns of all its series; above that they are as wide as the page's points
const STEP = 1.02;
const HEIGHT = 170, LEFT = 58, BOTTOM = 20, TOP = 6, BAND = 16;

function touch() {
	if (is_dirty)
		return;
	is_dirty = true;
	requestAnimationFrame(draw_soon);
}

function draw_soon() {
	const wait = Math.max(15, 2 * cost) - (performance.now() - drawn);
	if (wait > 0)
		setTimeout(() => requestAnimationFrame(draw_all), wait);
	else
		draw_all();
}

function draw_all() {
	const start = performance.now();
	is_dirty = false;
	set_view();
	if (is_layout_new)
		lay_out();
	el.follow.setAttribute("aria-pressed", view.is_following);
	const colours = Object.fromEntries(["back", "panel", "ink", "soft", "line", "grid", "link", "moment"].map(
		name => [name, color(name)]));
	for (const chart of charts)
		if (is_seen(chart.canvas))
			draw_chart(chart, colours);
		else
			chart.lines.forget();
	draw_bands(colours);
	drawn = performance.now();
	cost = drawn - start;
	const pause = Math.max(500, 20 * table_cost); // the table adds up all of the range
	if (start - tabled > pause) {
		tabled = start;
		show_table();
		table_cost = performance.now() - drawn;
	} else if (!later) {
		later = setTimeout(() => { later = null; touch(); }, pause + 10);
	}
	n_drawn++;
}

let is_printing = false;
function is_seen(canvas) {
	if (is_printing)
		return true;
	const box = canvas.getBoundingClientRect();
	return box.bottom > -200 && box.top < innerHeight + 200;
}
