// diff: the page of a comparison.  What it shows stands in the element "diff" (env/ompp-diff-1.schema.json).
"use strict";
(() => {
	const { h, grouped, digits, seconds, isMissing, searchable, section, tile } = ompp;
	const D = JSON.parse(document.getElementById("diff").textContent);
	const isTested = D.a.files.length > 1 && D.b.files.length > 1;
	const GROUPS = {
		program: ["The program", "times of the whole program"],
		times: ["Times", "of all threads, by region"],
		classes: ["Overheads", "classes of overhead of parallel regions, of all threads"],
		counts: ["Executions", "how often regions were executed"],
		counters: ["Counters", "by region"],
		data: ["Data", "accesses to data objects, misses and samples"],
		instances: ["Instances", "blocks of data objects that stand out in a run of each side, by their numbers. ≤: it stands out in no run of that side, and has at most what the object's other blocks have together"],
	};
	const ROWS = D.rows.map((row) => ({ ...row, name: row.name_b ?? row.name_a, isTime: row.unit === "ns" && row.group !== "counters" }));

	// ---- numbers ----

	const unitOf = (row) => row.isTime ? "s" : row.unit === "1" ? "" : row.unit;
	const plain = (row, v) => row.isTime ? digits(v / 1e9) : Number.isInteger(v) || Math.abs(v) >= 1e4 ? grouped(Math.round(v)) : digits(v);
	const short = (row, v) => isMissing(v) ? "-" : plain(row, v);
	const signed = (text, v) => (v > 0 ? "+" : "") + text;
	const full = (row, v) => isMissing(v) ? "not known" : ((row.isTime ? seconds(v) : Number.isInteger(v) ? grouped(v) : String(v)) + " " + unitOf(row)).trim();
	const certaintyOf = (row) => !row.isTime ? row.certainty : row.certainty === "sampled" ?
		"an estimate, as some visits were timed, chosen at random; no change is sure that their errors may be" :
		"measured by a clock; the profiler's own cost is taken out";
	const share = (v) => isMissing(v) ? "-" : signed((100 * v).toFixed(2), v);
	const wholeOf = (row) => row.at_most_a ?? row.mean_a;
	const inShares = (row, v) => isMissing(v) || !wholeOf(row) ? null : v / Math.abs(wholeOf(row));
	// of an instance that stands out in no run of a side there is a bound
	const boundOr = (row, side) => isMissing(row["at_most_" + side]) ? short(row, row["mean_" + side]) : "≤ " + short(row, row["at_most_" + side]);
	// the change, or the least that it is by bounds
	const leastOf = (row) => row.change ?? (row.from > 0 ? row.from : row.to < 0 ? row.to : null);
	const level = Number((100 * (1 - D.level)).toPrecision(6)) + " %";

	const SURE = {
		same: ["same", "the same in each run"],
		exact: ["✓ exact", "a count that changed, and is the same in each run of a side"],
		yes: ["✓ yes", "a change as large by chance is less likely than the level of " + D.level],
		no: ["no", "it may be chance: more runs would tell"],
		unknown: ["unknown", "one run of a side cannot tell a change from chance, or not all runs of a side have the instance; give several"],
		small: ["small", "below a thousandth of all threads' time, and not tested"],
	};
	const isSure = (row) => row.sure === "yes" || row.sure === "exact";
	const testOf = (row) => SURE[row.sure][1] + (isMissing(row.adjusted_p) ? "" : "\np = " + row.adjusted_p.toPrecision(4) + ", adjusted: " + D.test +
		" (" + grouped(Object.values(D.tests).reduce((sum, n) => sum + n, 0)) + " tests)");
	const runsOf = (row, values) => values.length > 1 ? "\nruns: " + values.map((v) => short(row, v)).join(", ") + (row.isTime ? " s" : "") : "";
	const changeTip = (row) => "change: " + (isMissing(row.change) ? "not known" : signed(full(row, row.change), row.change)) +
		(isMissing(row.relative) ? "" : ", " + share(row.relative) + " %") +
		(isMissing(row.from) ? "\nno interval: it takes several runs of each side" :
			"\n" + (isMissing(row.change) ? "it lies between: " : level + " confidence interval: ") + signed(full(row, row.from), row.from) + " to " + signed(full(row, row.to), row.to)) + "\n" + testOf(row);

	// ---- bars: from the middle to the right is more, to the left is less ----

	const isDull = (row) => row.sure === "same" || row.sure === "small" || (row.sure !== "exact" && !row.change);
	const scales = {};
	for (const row of ROWS) {
		const most = [row.relative, inShares(row, row.from), inShares(row, row.to)].filter((v) => !isMissing(v)).map(Math.abs);
		if (!isDull(row)) scales[row.group] = Math.min(1, Math.max(scales[row.group] || 0.01, ...most));
	}

	function changeBar(row) {
		const scale = scales[row.group] || 1, at = (v) => 50 + 50 * Math.max(-1, Math.min(1, v / scale));
		const relative = isMissing(row.relative) ? (row.change > 0 ? Infinity : null) : row.relative;
		if (isMissing(relative)) return "-";
		const low = inShares(row, row.from), high = inShares(row, row.to), x = at(relative);
		const color = !isSure(row) ? "unsure" : !row.isTime ? "other" : relative > 0 ? "bad" : "good";
		return h("div", { class: "change", role: "img", "aria-label": share(row.relative) + " %" + (isMissing(low) ? "" : ", from " + share(low) + " to " + share(high)) },
			h("i", { style: "left:" + Math.min(50, x) + "%;width:" + Math.abs(x - 50) + "%;background:var(--" + color + ")" }),
			isMissing(low) ? null : h("i", { class: "span", style: "left:" + at(low) + "%;width:" + (at(high) - at(low)) + "%" }),
			h("i", { class: "zero" }), relative > scale ? h("b", { style: "right:2px" }, "▸") : relative < -scale ? h("b", { style: "left:2px" }, "◂") : null);
	}

	// ---- tables ----

	const wanted = { words: [], sure: false, dull: false };
	const tables = new Map();
	const isWanted = (row) => wanted.words.every((word) => row.name.toLowerCase().includes(word)) &&
		(wanted.sure ? isSure(row) : wanted.dull || !isDull(row));
	const placeTip = (row) => row.name_a && row.name_b && row.name_a !== row.name_b ? "A: " + row.name_a + "\nB: " + row.name_b : row.name;
	const bySize = (row) => row.isTime ? Math.abs(row.change) : Math.abs(row.relative ?? Infinity);

	function tableOf(group) {
		const rows = ROWS.filter((row) => row.group === group), what = { data: "Object", instances: "Instance", program: "Program" }[group] ?? "Region";
		const unit = rows.every((row) => row.isTime) ? " (s)" : "";
		const value = (key, title, runs) => ({ title: title + unit, value: (row) => row[key], cell: (row) => boundOr(row, title.toLowerCase()),
			tip: "mean of " + title + "'s runs", tipOf: (row) => (isMissing(row["at_most_" + title.toLowerCase()]) ? full(row, row[key]) : boundOr(row, title.toLowerCase()) +
				": in no run it is among those that stand out") + runsOf(row, row[runs]) + "\n" + certaintyOf(row) });
		const table = searchable([
			{ title: what, left: true, kind: "text", value: (row) => row.name, tipOf: placeTip },
			{ title: "Measure", left: true, kind: "text", value: (row) => row.measure, tipOf: (row) => row.measure + (unitOf(row) ? ", in " + unitOf(row) : "") + "\n" + certaintyOf(row) },
			value("mean_a", "A", "values_a"), value("mean_b", "B", "values_b"),
			{ title: "Change" + unit, value: (row) => isMissing(row.change) ? null : bySize(row), cell: (row) => isMissing(row.change) ? "-" : signed(short(row, row.change), row.change),
				tipOf: changeTip, tip: "B - A; sorted by its size" + (unit ? "" : ", of others than times by its share") },
			{ title: "%", value: (row) => row.relative, cell: (row) => share(row.relative), tipOf: changeTip, tip: "of A" },
			{ title: "±" + Number((100 * (scales[group] || 1)).toPrecision(3)) + " %", class: "bar", value: (row) => row.relative, cell: changeBar, tipOf: changeTip,
				tip: "the change as a bar: to the right is more. Grey: not sure. The line in it is the " + level + " confidence interval; ▸ goes on" },
			{ title: "Sure", left: true, kind: "text", value: (row) => row.sure, cell: (row) => h("span", { class: isSure(row) ? "yes" : "soft" }, SURE[row.sure][0]), tipOf: testOf },
			{ title: "p", value: (row) => row.adjusted_p, cell: (row) => isMissing(row.adjusted_p) ? "-" : row.adjusted_p < 1e-4 ? "<0.0001" : row.adjusted_p.toFixed(4), tipOf: testOf, tip: "adjusted for all tests of all tables" },
		], { name: GROUPS[group][0].toLowerCase(), rows, filter: isWanted });
		tables.set(group, table);
		return table;
	}

	function lonely(list, side) {
		return searchable([
			{ title: "Region", left: true, kind: "text", value: (row) => row.name },
			{ title: "Time (s)", kind: "time", value: (row) => isMissing(row.exec_ns) ? null : Number(row.exec_ns), tip: "of all threads, mean of the runs; measured by a clock" },
		], { name: "regions that " + side + " alone has", rows: list, filter: (row) => wanted.words.every((word) => row.name.toLowerCase().includes(word)) });
	}

	// ---- call paths: a flame graph of B, in the colours of the change ----

	const T = D.tree, children = T.map(() => []);
	T.forEach((node, i) => { if (i) children[node.parent].push(i); });
	const changeOf = (i) => T[i].b - T[i].a;
	const isPathSure = (i) => T[i].sure === "yes";
	const pathName = (i) => i ? T[i].name : D.b.app;
	const pathTip = (i) => pathName(i) + "\n" + digits(T[i].a / 1e9) + " → " + digits(T[i].b / 1e9) + " s: " + signed(digits(changeOf(i) / 1e9), changeOf(i)) + " s" +
		(T[i].a > 0 ? ", " + share(changeOf(i) / T[i].a) + " %" : ", new") +
		(isMissing(T[i].from) ? "\none run of a side cannot tell a change from chance" :
			"\n" + level + " confidence interval: " + signed(digits(T[i].from / 1e9), T[i].from) + " to " + signed(digits(T[i].to / 1e9), T[i].to) + " s, of this path alone; " + SURE[T[i].sure][1]) +
		"\ninclusive wall-clock time, mean of the runs; measured by a clock";
	// a change of half the path has its full colour; what may be chance is grey
	const strengthOf = (i) => 0.3 + 0.7 * Math.min(1, 2 * Math.abs(changeOf(i)) / Math.max(T[i].a, T[i].b, 1));
	const fullPath = (i) => i ? (T[i].parent ? fullPath(T[i].parent) + " > " : "") + pathName(i) : pathName(0);
	let chosenPath = null, wantedPaths = [];

	// A path is wanted when its region is, or one above or below it.
	function findPaths() {
		wantedPaths = T.map((_, i) => i && wanted.words.every((word) => pathName(i).toLowerCase().includes(word)));
		T.forEach((node, i) => { if (i && node.parent && wantedPaths[node.parent]) wantedPaths[i] = true; });
		for (let i = T.length - 1; i > 0; i--) if (wantedPaths[i]) wantedPaths[T[i].parent] = true;
		wantedPaths[0] = true;
	}

	function treeSection() {
		const flame = new ompp.Flame({
			parent: T.map((node) => node.parent), children, weight: (i) => Math.max(T[i].a, T[i].b), isWanted: (i) => wantedPaths[i], name: pathName, tip: pathTip,
			paint: () => {
				const [more, less, none] = ["bad", "good", "unsure"].map(ompp.color), back = ompp.color("back");
				return (i) => !isPathSure(i) ? none : "color-mix(in srgb, " + (changeOf(i) > 0 ? more : less) + " " + Math.round(100 * strengthOf(i)) + "%, " + back + ")";
			},
			isPale: (i) => !isPathSure(i) || strengthOf(i) < 0.6,
			isChosen: (i) => i === chosenPath, choose: (i) => { chosenPath = i; table.reveal(i); },
			label: "call paths as a flame graph of the change",
			legend: [{ color: "bad", name: "longer" }, { color: "good", name: "shorter" }, { color: "unsure", name: "may be chance" }],
		});
		const value = (key, title) => ({ title: title + " (s)", kind: "time", value: (i) => Math.round(T[i][key]), tipOf: pathTip, tip: "inclusive wall-clock time, mean of " + title + "'s runs" });
		const table = searchable([
			{ title: "Call path", left: true, kind: "text", value: fullPath, cell: (i) => h("span", { style: "padding-left:" + Math.min(depthOf(i), 24) * 0.9 + "rem" }, pathName(i)), tipOf: fullPath },
			value("a", "A"), value("b", "B"),
			{ title: "Change (s)", value: (i) => Math.abs(changeOf(i)), cell: (i) => signed(digits(changeOf(i) / 1e9), changeOf(i)), tipOf: pathTip, tip: "B - A; sorted by its size" },
			{ title: "Sure", left: true, kind: "text", value: (i) => T[i].sure, cell: (i) => h("span", { class: isPathSure(i) ? "yes" : "soft" }, SURE[T[i].sure][0]), tipOf: pathTip, tip: D.test.replace("rows", "paths") },
		], { name: "call paths", rows: T.map((_, i) => i), filter: (i) => wantedPaths[i], pick: (i) => { if (i) flame.choose(i); }, isChosen: (i) => i > 0 && i === chosenPath });
		findPaths();
		tables.set("tree", { refresh: () => { findPaths(); table.refresh(); flame.draw(); } });
		return section("tree", "Call paths", h("p", { class: "soft" }, "Each box is as wide as the longer of both sides; full colour is a change by half."), flame.box, table.box);
	}
	const depthOf = (i) => i ? depthOf(T[i].parent) + 1 : 0;

	// ---- summary ----

	function show(row) {
		const table = tables.get(row.group);
		table.search.value = row.name;
		table.search.dispatchEvent(new Event("input"));
		document.getElementById(row.group).scrollIntoView();
		table.search.focus({ preventScroll: true });
	}

	function sentence(row) {
		const interval = isMissing(row.from) || !wholeOf(row) || (row.sure === "exact" && !isMissing(row.change)) ? "" : " (" + share(inShares(row, row.from)) + " to " + share(inShares(row, row.to)) + " %)";
		return h("li", { class: "finding " + (!row.isTime ? "neutral" : leastOf(row) > 0 ? "more" : "less") },
			h("h3", {}, h("button", { onclick: () => show(row), "data-tip": placeTip(row) + "\nshow it in its table" }, row.name),
				h("span", {}, row.measure), h("span", { class: "gain", "data-tip": changeTip(row) }, (isMissing(row.change) ? "" : isMissing(row.relative) ? "new" : share(row.relative) + " %") + interval)),
			changeBar(row), h("p", { "data-tip": certaintyOf(row) }, boundOr(row, "a") + " → " + boundOr(row, "b") + " " + unitOf(row)));
	}

	function summary() {
		const most = { times: 5, counts: 3, counters: 3, data: 3, instances: 3 };
		const changed = Object.entries(most).flatMap(([group, n]) => ROWS.filter((row) => row.group === group && isSure(row) && leastOf(row)).slice(0, n));
		const wall = ROWS.find((row) => row.group === "program" && row.measure === "wall time");
		const count = (group) => ROWS.filter((row) => row.group === group && isSure(row)).length;
		const side = (name, s) => [h("dt", {}, name), h("dd", {}, s.app + ", " + s.files.length + (s.files.length > 1 ? " runs" : " run") + " with " + s.threads + " threads: " +
			s.files.slice(0, 6).join(" ") + (s.files.length > 6 ? " …" : ""))];
		return section("summary", "Summary",
			h("div", { class: "tiles" },
				wall ? tile(short(wall, wall.mean_a) + " → " + short(wall, wall.mean_b) + " s", "wall time", changeTip(wall)) : null,
				wall ? tile(share(wall.relative) + " %", "wall time: " + ({ yes: "sure", exact: "sure", no: "may be chance", unknown: "one run cannot tell" }[wall.sure] ?? wall.sure), changeTip(wall)) : null,
				...Object.keys(GROUPS).filter((g) => g !== "program" && ROWS.some((row) => row.group === g)).map((g) =>
					tile(grouped(count(g)), "sure changes: " + GROUPS[g][0].toLowerCase(), D.tests[g] ? grouped(D.tests[g]) + " tests; " + D.test + ", level " + D.level : "counted")),
				D.only_a.length ? tile(grouped(D.only_a.length), "regions that A alone has") : null,
				D.only_b.length ? tile(grouped(D.only_b.length), "regions that B alone has") : null),
			h("dl", { class: "facts sides" }, side("A", D.a), side("B", D.b)),
			h("p", {}, isTested ? "Changes are B - A, of the means of the runs. Sure is what " + D.test + ", calls so at the level " + D.level + ", and counts that are the same in each run of a side." :
				"One run of a side cannot tell a change of a time from chance: give several. What was counted is exact."),
			...D.notes.map((note) => h("p", {}, note + ".")),
			...D.unmatched.map((u) => h("p", {}, "Instances of " + u.name + " cannot be matched: " + u.why + ".")),
			h("h3", {}, "What surely changed most"),
			changed.length ? h("ol", { class: "findings" }, changed.map(sentence)) :
				h("p", {}, ROWS.some((row) => !isDull(row)) ? "Nothing changed for sure; the tables have what may be chance." : "Nothing differs."));
	}

	// ---- all of it ----

	const sections = [null, ...Object.keys(GROUPS).filter((g) => ROWS.some((row) => row.group === g)).map((g) =>
		section(g, GROUPS[g][0], h("p", { class: "soft" }, GROUPS[g][1]), tableOf(g).box))];
	if (T.length > 1) sections.push(treeSection());
	for (const [list, side, id] of [[D.only_a, "A", "only-a"], [D.only_b, "B", "only-b"]])
		if (list.length) {
			const table = lonely(list, side);
			tables.set(id, table);
			sections.push(section(id, "Only in " + side, table.box));
		}
	sections[0] = summary();
	const refresh = () => { for (const table of tables.values()) table.refresh(); };
	const box = (id, key, text) => h("label", {}, h("input", { type: "checkbox", id, onchange: (event) => { wanted[key] = event.target.checked; refresh(); } }), text);
	const input = h("input", { type: "search", id: "filter-region", placeholder: "name, file, lines", oninput: () => {
		wanted.words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		refresh();
	} });
	ompp.frame(D.b.app, "ompp diff", sections, h("label", {}, "region or object ", input), box("only-sure", "sure", "only what is sure"), box("with-dull", "dull", "also what did not change"));
	refresh();
	document.documentElement.dataset.ready = "1";
})();
