// totals: the table below the plots: sums, means and extremes of the series in the range that is shown.
const number_column = (title, key) => ({ title, value: line => isFinite(line[key]) ? line[key] : null, cell: line => brief(line[key]) });
const share_column = (title, key) => ({ ...number_column(title, key), cell: line => isFinite(line[key]) ? (line[key] * 100).toFixed(1) + " %" : "-" });
const totals = new Table([
	{ title: "event", left: true, kind: "text", value: line => line.name, tipOf: line => line.one.what },
	{ title: "unit", left: true, kind: "text", value: line => line.unit },
	number_column("count", "count"), number_column("mean, or a second", "mean"), number_column("least", "least"), number_column("most", "most"),
	share_column("share of the plot", "share"), share_column("mean of the limit", "used"),
], { name: "totals of the range" });

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
	el.range_text.textContent = clock(view.from) + " to " + clock(Math.max(view.from, Math.min(view.to, last_time()))) + ", " + (to - from) + " samples" +
		(n_unread ? ", " + n_unread + " intervals without one" : "") +
		(n_missed ? ", " + n_missed + " lines missed" : "");
	totals.setRows(lines);
}
