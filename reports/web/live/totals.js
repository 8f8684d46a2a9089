// totals: the table below the plots: sums, means and extremes of the series in the range that is shown.
const HEADS = [["event", "name"], ["unit", "unit"], ["count", "count"], ["mean, or a second", "mean"], ["least", "least"], ["most", "most"],
	["share of the plot", "share"], ["mean of the limit", "used"]];
let sorted = null, is_up = false;

function make_head() {
	for (const [text, key] of HEADS)
		el.head.append(make("th", {}, make("button", { text, "data-key": key, onclick: () => {
			is_up = sorted === key ? !is_up : key === "name" || key === "unit";
			sorted = key;
			show_table();
		} })));
}

// Adds up what is in the range.  A counter's count is its growth in the samples of the range; its rate is over their time.
function total(one, from, to) {
	let sum = 0, time = 0, n = 0, least = Infinity, most = -Infinity;
	const widths = one.told.at;
	for (let i = from; i < to; i++) {
		const v = value_at(one, i);
		if (!isFinite(v))
			continue;
		n++;
		sum += one.at[i];
		time += one.is_gauge ? 1 : widths[i];
		if (v < least) least = v;
		if (v > most) most = v;
	}
	return { one, name: one.key, unit: one.unit, count: one.is_gauge || !n ? NaN : sum, mean: n ? sum / time : NaN,
		least: n ? least : NaN, most: n ? most : NaN, share: NaN, used: n && one.limit > 0 ? sum / time / one.limit : NaN };
}

function show_table() {
	const from = index_of(view.from), to = index_of(view.to + 1e-9), lines = [];
	for (const chart of charts) {
		const some = chart.series.filter(one => !one.is_hidden).map(one => total(one, from, to));
		let sum = 0;
		const known = some.filter(line => line.count >= 0);
		for (const line of known)
			sum += line.count;
		for (const line of known)
			line.share = known.length > 1 && sum > 0 ? line.count / sum : NaN;
		lines.push(...some);
	}
	if (sorted)
		lines.sort((a, b) => {
			const x = a[sorted], y = b[sorted];
			const by = typeof x === "string" ? x.localeCompare(y) : (isNaN(x) ? -Infinity : x) - (isNaN(y) ? -Infinity : y);
			return is_up ? by : -by;
		});
	el.range_text.textContent = clock(view.from) + " to " + clock(Math.max(view.from, Math.min(view.to, last_time()))) + ", " + (to - from) + " samples" +
		(n_unread ? ", " + n_unread + " intervals without one" : "") +
		(n_missed ? ", " + n_missed + " lines missed" : "");
	const body = lines.slice(0, 400).map(line => make("tr", {}, make("td", { text: line.name, title: line.one.what }),
		make("td", { text: line.unit }), ...["count", "mean", "least", "most"].map(key => make("td", { text: short(line[key]) })),
		...["share", "used"].map(key => make("td", { text: isFinite(line[key]) ? (line[key] * 100).toFixed(1) + " %" : "-" }))));
	el.rows.replaceChildren(...body);
	for (const button of el.head.querySelectorAll("button"))
		button.parentElement.setAttribute("aria-sort", button.dataset.key !== sorted ? "none" : is_up ? "ascending" : "descending");
}
