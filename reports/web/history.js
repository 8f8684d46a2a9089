// history: the page of the versions of a program.  What it shows stands in the element "history"
// (env/ompp-history-1.schema.json).
"use strict";
(() => {
	const { h, svg: s, axes, ticksOf, grouped, time, isMissing, searchable, Table, section, tile, legend } = ompp;
	const H = JSON.parse(document.getElementById("history").textContent), V = H.versions;
	const AT_ONCE = 12; // pictures; more are drawn when they are asked for
	const n = (count, word) => grouped(count) + " " + word + (count === 1 ? "" : "s");
	const measured = (series) => (series === H.series[0] ? "" : "of all threads; ") + "measured by a clock; the profiler's own cost is taken out";
	const of = (i) => "version " + (i + 1) + ", " + V[i].name;
	const first = V.map((_, i) => V.slice(0, i).reduce((sum, v) => sum + v.runs, 0));
	const runsOf = (series, i) => series.run_ns.slice(first[i], first[i] + V[i].runs).filter((ns) => !isMissing(ns));
	const signed = (ratio) => isMissing(ratio) ? "-" : (ratio < 1 ? "−" : "+") + (100 * Math.abs(ratio - 1)).toFixed(1) + " %";
	// An interval without an upper end has none: nothing bounds the ratio.
	const interval = (from, to) => (100 * (1 - H.level)).toPrecision(4) + " % interval " + signed(from) + (isMissing(to) ? " or more" : " to " + signed(to));
	const where = (c) => c.version_index + 1 + (c.version_index_from === c.version_index_to ? "" : " (" + (c.version_index_from + 1) + " to " + (c.version_index_to + 1) + ")");
	const medianTip = (series, i) => {
		const runs = runsOf(series, i);
		return of(i) + ": " + (isMissing(series.median_ns[i]) ? "not executed" : "median " + time(series.median_ns[i]) + " of " + n(runs.length, "run") + ", " + time(Math.min(...runs)) + " to " + time(Math.max(...runs)) + "\n" + measured(series));
	};
	const changeTip = (c) => signed(c.ratio) + " from " + of(c.version_index) + " on\n" + interval(c.ratio_from, c.ratio_to) +
		(c.version_index_from === c.version_index_to ? "" : "\nwith 95 % confidence from one of the versions " + (c.version_index_from + 1) + " to " + (c.version_index_to + 1) + " on") + "\np = " + c.p.toPrecision(2);
	const changed = H.series.filter((series) => series.changes.length), drifts = H.series.filter((series) => series.course === "drift");

	// ---- pictures ----

	const frame = { width: 520, height: 230, left: 78, right: 14, top: 14, bottom: 40 }, { width, height, left, right, top, bottom } = frame;
	// The runs as dots, a line through the medians of versions that have one, and where changes are: from the last version that is
	// surely before them to the first one surely behind.  The axis does not begin at 0, and is never less high than a twentieth of
	// the longest time, so that noise does not look like a change.
	function picture(series) {
		const all = series.run_ns.filter((ns) => !isMissing(ns)), most = Math.max(...all), least = Math.min(...all), middle = (most + least) / 2;
		const half = Math.max(most - least, most / 20, 1) * 0.55, low = Math.max(0, middle - half), high = middle + half;
		const X = (i) => V.length > 1 ? left + 10 + (width - left - right - 20) * i / (V.length - 1) : (left + width - right) / 2;
		const Y = (ns) => height - bottom - (height - top - bottom) * (ns - low) / (high - low);
		const every = Math.ceil(V.length / 14), runs = [], line = [];
		const grid = axes(frame, V.map((_, i) => [X(i), i + 1]).filter((_, i) => i % every === 0), ticksOf(low, high).map((ns) => [Y(ns), time(ns)]), { acrossName: "version" });
		const bands = series.changes.map((c) => s("rect", { class: "between", x: X(c.version_index_from - 1), width: X(c.version_index_to) - X(c.version_index_from - 1), y: top, height: height - top - bottom,
			style: "fill:var(--" + (c.ratio > 1 ? "bad" : "good") + ")", "data-tip": changeTip(c) }));
		let isApart = true;
		V.forEach((_, i) => {
			for (const ns of runsOf(series, i)) runs.push("M" + X(i).toFixed(1) + " " + Y(ns).toFixed(1) + "h0");
			if (!isMissing(series.median_ns[i])) line.push((isApart ? "M" : "L") + X(i).toFixed(1) + " " + Y(series.median_ns[i]).toFixed(1));
			isApart = isMissing(series.median_ns[i]);
		});
		const dots = V.map((_, i) => isMissing(series.median_ns[i]) ? null : s("circle", { cx: X(i), cy: Y(series.median_ns[i]), r: 4, tabindex: "0", role: "img", "aria-label": medianTip(series, i), "data-tip": medianTip(series, i) }));
		const drift = series.course === "drift" ? ", " + signed(series.drift) + " from the oldest to the newest" : "";
		return h("div", { class: "course" }, h("h3", {}, series.name), h("p", { class: "soft" }, series.changes.length ? series.changes.map((c) => signed(c.ratio) + " at version " + where(c)).join("; ") : series.course + drift),
			h("div", { class: "plot" }, s("svg", { class: "lines", viewBox: "0 0 " + width + " " + height, role: "group", "aria-label": "times of " + series.name }, grid, bands, s("path", { class: "run", d: runs.join("") }),
				s("g", { class: "part", style: "color:var(--fit)" }, s("path", { d: line.join("") }), dots))));
	}

	const pictures = h("div", { class: "panes" });
	const more = h("button", { onclick: () => draw(pictures.children.length + AT_ONCE) }, "more regions");
	// Draws pictures until there are so many.
	function draw(count) {
		for (const series of H.series.slice(pictures.children.length, count)) pictures.append(picture(series));
		more.hidden = pictures.children.length === H.series.length;
	}
	function reveal(series) {
		const i = H.series.indexOf(series);
		draw(i + 1);
		pictures.children[i].scrollIntoView({ block: "center" });
	}

	// ---- tables ----

	const versions = new Table([
		{ title: "Version", kind: "count", value: (v) => V.indexOf(v) + 1 },
		{ title: "Name", left: true, kind: "text", value: (v) => v.name },
		{ title: "Commit", left: true, kind: "text", value: (v) => v.commit || null, cell: (v) => v.commit || "-" },
		{ title: "Runs", kind: "count", value: (v) => v.runs },
		{ title: "Wall time (s)", kind: "time", value: (v) => H.series[0].median_ns[V.indexOf(v)], tipOf: (v) => medianTip(H.series[0], V.indexOf(v)) },
	], { name: "versions", rows: V });

	const rows = H.series.flatMap((series) => series.changes.length ? series.changes.map((change) => ({ series, change })) : [{ series }]);
	const ratioOf = ({ series, change }) => change ? change.ratio : series.drift;
	const courses = searchable([
		{ title: "Region", left: true, kind: "text", value: (row) => row.series.name },
		{ title: "Course", left: true, kind: "text", value: (row) => row.series.course },
		{ title: "Change", value: ratioOf, cell: (row) => signed(ratioOf(row)), tipOf: (row) => row.change ? changeTip(row.change) : isMissing(row.series.drift) ? "no change is told" : signed(row.series.drift) + " from the oldest to the newest version\n" +
			interval(row.series.drift_from, row.series.drift_to) },
		{ title: "At version", left: true, value: (row) => row.change ? row.change.version_index : null, cell: (row) => row.change ? where(row.change) : "-", tipOf: (row) => row.change ? changeTip(row.change) : null },
		{ title: "Oldest (s)", kind: "time", value: (row) => row.series.median_ns[0], tipOf: (row) => medianTip(row.series, 0) },
		{ title: "Newest (s)", kind: "time", value: (row) => row.series.median_ns.at(-1), tipOf: (row) => medianTip(row.series, V.length - 1) },
	], { name: "regions", rows, pick: ({ series }) => reveal(series) });

	// ---- all of it ----

	const finding = (series, change) => h("li", { class: "finding " + (change.ratio > 1 ? "" : "less") }, h("h3", {}, h("span", { class: "gain" }, signed(change.ratio)), h("button", { onclick: () => reveal(series) }, series.name)),
		h("p", { "data-tip": changeTip(change) }, "at version " + where(change) + ": " + V[change.version_index].name + "; " + interval(change.ratio_from, change.ratio_to)));
	const total = V.reduce((sum, v) => sum + v.runs, 0), few = H.series.filter((series) => series.course === "few");
	ompp.frame(H.app, "ompp history", [
		section("summary", "Summary", h("div", { class: "tiles" },
			tile(grouped(V.length), V.length === 1 ? "version" : "versions", V.length > 1 ? "from " + V[0].name + " to " + V.at(-1).name : V[0].name),
			tile(grouped(total), total === 1 ? "run" : "runs", n(H.left_out, "profile") + " left out"),
			tile(grouped(changed.length), changed.length === 1 ? "time changed" : "times changed", "of the program and " + n(H.series.length - 1, "region")),
			tile(grouped(drifts.length), drifts.length === 1 ? "time drifts" : "times drift", "rise or fall all along, from the oldest version to the newest"),
			tile(time(H.series[0].median_ns.at(-1)), "wall time of the newest version", medianTip(H.series[0], V.length - 1))),
		few.length ? h("p", { class: "note" }, "Too few runs to tell anything of " + n(few.length, "time") + ": there have to be three on each side of a change; five of each version are better.") : null,
		h("ul", { class: "findings" }, changed.flatMap((series) => series.changes.map((change) => finding(series, change))))),
		section("courses", "Courses", h("p", { class: "soft" }, "Those that changed first, then those that drift, then the longest. The axes do not begin at 0. ompp-history(1) says when a change is told."),
			legend([{ name: "a run", color: "soft" }, { name: "median of a version", color: "fit" }, { name: "longer from somewhere here on", color: "bad" }, { name: "shorter", color: "good" }]), pictures, more),
		section("regions", "Regions", h("p", { class: "soft" }, "A click shows the picture."), courses.box),
		section("versions", "Versions", versions.element),
	]);
	draw(AT_ONCE);
	courses.draw();
	versions.draw();
	document.documentElement.dataset.ready = "1";
})();
