// scaling: the page of runs with several numbers of threads, or with several sizes of the problem.  What it shows stands in
// the element "scaling" (env/ompp-scaling-1.schema.json).
"use strict";
(() => {
	const { h, svg: s, axes, digits, grouped, time, isMissing, Table, searchable, section, tile, legend } = ompp;
	const S = JSON.parse(document.getElementById("scaling").textContent);
	const bySize = S.by === "size";
	const first = S.points[0], last = S.points[S.points.length - 1], level = Math.round(100 * (1 - S.level)) + " %";
	const CLASSES = [["Synch", "synch", "synchronisation"], ["Imbal", "imbal", "imbalance"], ["Limpar", "limpar", "limited parallelism"], ["Mgmt", "mgmt", "management"]];
	const ratio = (v) => isMissing(v) ? "-" : digits(v);
	const share = (v) => isMissing(v) ? "-" : (100 * v).toFixed(2) + " %";
	const sd = (p) => isMissing(p.variance) ? null : Math.sqrt(p.variance);
	const runs = (n) => n + (n > 1 ? " runs" : " run");
	const measured = "measured by a clock; the profiler's own cost is taken out";
	const keyOf = (p) => bySize ? p.size : p.threads;
	const keyText = (p) => bySize ? (Number.isInteger(p.size) && p.size < 1e15 ? grouped(p.size) : String(p.size)) : String(p.threads);
	const keyTitle = bySize ? "Size" : "Threads", byKey = bySize ? "by size" : "by threads";
	const sized = (p) => bySize ? "size " + keyText(p) : p.threads === 1 ? "1 thread" : p.threads + " threads";
	const withKey = (p) => bySize ? "at " + sized(p) : "with " + sized(p);
	const keyColumn = { title: keyTitle, kind: bySize ? "none" : "count", value: keyOf, cell: (p) => isMissing(keyOf(p)) ? "any" : keyText(p) };
	const byLaw = "by Amdahl's law, fitted to all " + S.runs + " runs: it knows neither what more threads cost nor caches";
	const byPower = "by the parts' power laws, fitted to all " + S.runs + " runs and added up: they know no caches that a larger problem does not fit into";
	const wallTip = (p) => time(p.wall_ns) + (isMissing(sd(p)) ? ", one run, which does not tell how much it differs" : " ± " + time(sd(p)) + " (standard deviation of " + runs(p.runs) + ")") + "\n" + measured;
	const base = first.threads === 1 ? "against one thread" : "against " + first.threads + " threads, which count as ideal";
	const lawTip = (p) => "speed-up of " + ratio(p.speedup) + (isMissing(p.from) ? "; two runs do not tell its interval" : ", " + level + " interval " + ratio(p.from) + " to " + (isMissing(p.to) ? "any" : ratio(p.to))) +
		"\nagainst one thread, " + byLaw;
	const growthTip = (p) => "wall time of " + time(p.wall_ns) + (isMissing(p.from_ns) ? "; two runs do not tell its interval" : ", " + level + " interval " + time(p.from_ns) + " to " + time(p.to_ns)) + "\n" + byPower;
	const power = (p) => isMissing(p.power) ? "-" : p.power.toFixed(3);
	const powerError = (p) => isMissing(p.power_error) ? "-" : p.power_error.toFixed(3);
	const powerTip = (p) => isMissing(p.power) ? "no power: a run spent no time here" : "time ∝ size^" + power(p) + (isMissing(p.power_from) ? "; two runs do not tell its error" : " ± " + powerError(p) + " (standard error), " + level +
		" interval " + p.power_from.toFixed(3) + " to " + p.power_to.toFixed(3)) + "\nfitted to the logarithms of all " + S.runs + " runs";

	// ---- plots ----

	const frame = { width: 520, height: 330, left: 52, right: 14, top: 14, bottom: 40 }, { width, height, left, right, top, bottom } = frame;
	const path = (list) => list.map((p, i) => (i ? "L" : "M") + p[0].toFixed(1) + " " + p[1].toFixed(1)).join("");

	// An axis from a value to another: where a value is between them, as 0 to 1, and which values have lines.
	const linear = (from, to, ticks, format) => ({ from, to, ticks, format, at: (v) => (v - from) / (to - from) });
	const logarithmic = (from, to, ticks, format) => ({ from, to, ticks, format, at: (v) => to > from ? Math.log(Math.max(v, from) / from) / Math.log(to / from) : 0 });
	const powersOfTwo = (most) => {
		const list = [];
		for (let n = 1; n <= most; n *= 2) list.push(n);
		return list;
	};
	// One, two and five times powers of ten, or powers of ten alone, or the ends: some eight at the most.
	function decades(from, to) {
		const all = [];
		for (let k = Math.floor(Math.log10(from)); k <= Math.log10(to); k++) for (const n of [1, 2, 5]) all.push({ n, v: k < 0 ? n / 10 ** -k : n * 10 ** k });
		let list = all.filter(({ v }) => v >= from && v <= to);
		if (list.length > 8) list = list.filter(({ n }) => n === 1);
		while (list.length > 8) list = list.filter((_, i) => i % 2 === 0);
		return list.length > 1 ? list.map(({ v }) => v) : [from, to];
	}

	// A plot of points with ranges, the law's curve with its interval, a dotted line, and more lines.
	//   points: { x, y, low, high, tip }; law: the same; dotted: [x, y]…; lines: { color, name, points: { x, y, tip } }
	function plot(name, xAxis, yAxis, title, { points = [], law = [], dotted = [], lines = [] }) {
		const X = (x) => left + (width - left - right) * xAxis.at(x), Y = (y) => height - bottom - (height - top - bottom) * Math.max(0, Math.min(1, yAxis.at(y)));
		const grid = axes(frame, xAxis.ticks.map((v) => [X(v), xAxis.format(v)]), yAxis.ticks.map((v) => [Y(v), yAxis.format(v)]), { acrossName: title, withColumns: true });
		const ranged = law.filter((p) => !isMissing(p.low));
		const range = ranged.length > 1 ? s("path", { class: "range", d: path([...ranged.map((p) => [X(p.x), Y(p.high ?? yAxis.to)]), ...ranged.slice().reverse().map((p) => [X(p.x), Y(p.low)])]) + "Z" }) : null;
		const curve = law.length > 1 ? s("path", { class: "law", d: path(law.map((p) => [X(p.x), Y(p.y)])) }) : null;
		const border = dotted.length > 1 ? s("path", { class: "ideal", d: path(dotted.map(([x, y]) => [X(x), Y(y)])) }) : null;
		const dots = points.map((p) => s("g", { class: "runs", tabindex: "0", role: "img", "aria-label": p.tip, "data-tip": p.tip },
			isMissing(p.low) ? null : s("line", { x1: X(p.x), x2: X(p.x), y1: Y(p.low), y2: Y(p.high) }), s("circle", { cx: X(p.x), cy: Y(p.y), r: 4.5 })));
		const seen = law.map((p) => s("circle", { cx: X(p.x), cy: Y(p.y), r: 7, fill: "transparent", "data-tip": p.tip }));
		const more = lines.map((line) => s("g", { class: "part", role: "group", "aria-label": line.name, style: "color:var(--" + line.color + ")" }, s("path", { d: path(line.points.map((p) => [X(p.x), Y(p.y)])) }),
			line.points.map((p) => s("circle", { cx: X(p.x), cy: Y(p.y), r: 4, tabindex: "0", role: "img", "aria-label": p.tip, "data-tip": p.tip }))));
		return h("div", { class: "plot" }, s("svg", { class: "lines", viewBox: "0 0 " + width + " " + height, role: "group", "aria-label": name },
			grid, range, border, curve, more, seen, dots));
	}

	const measuredKey = { name: "measured" + (S.points.some((p) => sd(p)) ? ", with the standard deviation of its runs" : ""), color: "run" };

	// Of values over the number of threads, whose axis is logarithmic, as is that of values where isLog is 1.
	function threadPlot(name, points, law, ideal, isLog, format) {
		const xs = law.map((p) => p.x).concat(points.map((p) => p.x)), mostX = Math.max(...xs, 2);
		const most = Math.max(...points.map((p) => p.high ?? p.y), ...law.map((p) => p.y), isLog ? 2 : 1) * (isLog ? 1.25 : 1.06);
		const least = isLog ? Math.min(1, ...points.map((p) => p.low ?? p.y).filter((y) => y > 0)) : 0;
		const ticks = (isLog ? powersOfTwo(mostX) : [0, 0.25, 0.5, 0.75, 1]).filter((n) => n <= most);
		return plot(name, logarithmic(1, mostX, powersOfTwo(mostX), String), (isLog ? logarithmic : linear)(least, most, ticks, format), "threads",
			{ points, law, dotted: xs.slice().sort((a, b) => a - b).filter((x) => ideal(x) <= most).map((x) => [x, ideal(x)]) });
	}

	function threadPlots() {
		const law = S.law.filter((p) => !isMissing(p.speedup));
		const spread = (p, v, sign) => isMissing(sd(p)) || p.wall_ns + sign * sd(p) <= 0 ? null : v * p.wall_ns / (p.wall_ns + sign * sd(p));
		const key = [measuredKey, ...(law.length ? [{ name: "Amdahl's law" + (law.some((p) => !isMissing(p.from)) ? " with its " + level + " interval" : ""), color: "fit", tip: byLaw }] : []), { name: "dotted: ideal", color: "soft" }];
		return h("div", {}, legend(key), h("div", { class: "panes" },
			h("div", {}, h("h3", {}, "Speed-up"), threadPlot("speed-up by threads", S.points.map((p) => ({ x: p.threads, y: p.speedup, low: spread(p, p.speedup, 1), high: spread(p, p.speedup, -1),
				tip: sized(p) + ": speed-up " + ratio(p.speedup) + ", " + base + "\nwall time " + wallTip(p) })),
			law.map((p) => ({ x: p.threads, y: p.speedup, low: p.from, high: p.to, tip: sized(p) + ": " + lawTip(p) })), (x) => x, true, String)),
			h("div", {}, h("h3", {}, "Efficiency"), threadPlot("efficiency by threads", S.points.map((p) => ({ x: p.threads, y: p.efficiency, low: spread(p, p.efficiency, 1), high: spread(p, p.efficiency, -1),
				tip: sized(p) + ": efficiency " + share(p.efficiency) + ", " + base + "\nwall time " + wallTip(p) })),
			law.map((p) => ({ x: p.threads, y: p.speedup / p.threads, low: isMissing(p.from) ? null : p.from / p.threads, high: isMissing(p.to) ? null : p.to / p.threads, tip: sized(p) + ": efficiency " +
				share(p.speedup / p.threads) + "\n" + lawTip(p) })), () => 1, false, (v) => 100 * v + " %"))),
		first.threads > 1 ? h("p", { class: "soft" }, "What was measured counts " + first.threads + " threads as ideal; the law counts from its own time with one thread.") : null);
	}

	const COLORS = ["imbal", "work", "synch", "task", "limpar", "cost"];

	// Both axes are logarithmic: so a power of the size is a straight line, the steeper the larger it is.
	function sizePlots() {
		const law = S.law.filter((p) => p.wall_ns > 0), xs = S.points.concat(law).map((p) => p.size);
		const sizeAxis = (to) => logarithmic(first.size, to, decades(first.size, to), (v) => keyText({ size: v }));
		const timeAxis = (list) => {
			const from = Math.min(...list.filter((v) => v > 0)), to = Math.max(...list);
			return logarithmic(from / 1.2, to * 1.2, decades(from / 1.2, to * 1.2), time);
		};
		const line = first.wall_ns / first.size, to = Math.max(...xs);
		const points = S.points.map((p) => ({ x: p.size, y: p.wall_ns, low: isMissing(sd(p)) || sd(p) >= p.wall_ns ? null : p.wall_ns - sd(p), high: p.wall_ns + sd(p), tip: sized(p) + ": wall time " + wallTip(p) }));
		const key = [measuredKey, ...(law.length ? [{ name: "power laws of the parts, added up" + (law.some((p) => !isMissing(p.from_ns)) ? ", with their " + level + " interval" : ""), color: "fit", tip: byPower }] : []),
			{ name: "dotted: in proportion to the size", color: "soft" }];
		const parts = S.parts.slice(0, COLORS.length).map((part, i) => ({ name: part.name, color: COLORS[i], points: part.points.map((p, k) => ({ x: p.size, y: p.wall_ns,
			tip: part.name + ", " + sized(p) + ": " + time(p.wall_ns) + "\nmean of " + runs(S.points[k].runs) + "; " + measured + "\n" + powerTip(part) })).filter((p) => p.y > 0) })).filter((part) => part.points.length);
		return h("div", { class: "panes" },
			h("div", {}, h("h3", {}, "Wall time"), legend(key), plot("wall time by size", sizeAxis(to), timeAxis([...law.map((p) => p.wall_ns), ...points.map((p) => p.low ?? p.y), ...points.map((p) => p.y)]), "size",
				{ points, law: law.map((p) => ({ x: p.size, y: p.wall_ns, low: p.from_ns, high: p.to_ns, tip: sized(p) + ": " + growthTip(p) })), dotted: [first.size, to].map((x) => [x, line * x]) })),
			parts.length ? h("div", {}, h("h3", {}, "Parts that take longest"), legend(parts), plot("parts by size", sizeAxis(last.size), timeAxis(parts.flatMap((part) => part.points.map((p) => p.y))), "size", { lines: parts })) : null);
	}

	function pointTable() {
		return new Table([
			keyColumn,
			{ title: "Runs", kind: "count", value: (p) => p.runs },
			{ title: "Wall time (s)", kind: "time", value: (p) => p.wall_ns, tipOf: wallTip },
			{ title: "± (s)", kind: "time", value: sd, tip: "standard deviation of the runs" },
			...(bySize ? [] : [{ title: "Speed-up", value: (p) => p.speedup, cell: (p) => ratio(p.speedup), tipOf: (p) => p.speedup + ", " + base + "\nwall time " + wallTip(p) },
				{ title: "Efficiency", value: (p) => p.efficiency, cell: (p) => share(p.efficiency), tipOf: (p) => share(p.efficiency) + ": speed-up by threads, " + base }]),
		], { name: bySize ? "sizes" : "numbers of threads", rows: S.points });
	}

	// ---- efficiencies ----

	const scaleText = (p) => p.processes < 2 ? String(p.threads) : p.threads % p.processes ? p.threads + " (" + p.processes + " ranks)" : p.threads + " (" + p.processes + " × " + p.threads / p.processes + ")";

	function efficiencyTable() {
		const cell = (p, { name: key, title, lost_where: words }) => h("td", { class: "number", tabindex: "0", "data-tip": title + ", " + scaleText(p) + " threads: " + share(p[key]) + "\nlost where: " + words + "\n" + measured,
			style: isMissing(p[key]) ? null : "background:color-mix(in srgb, var(--" + (p[key] >= 0.8 ? "good" : "bad") + ") " + Math.round(60 * Math.min(1, Math.abs(p[key] - 0.8) / (p[key] >= 0.8 ? 0.2 : 0.5))) + "%, transparent)" }, share(p[key]));
		return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "efficiencies" }, h("table", { class: "heat", "aria-label": "efficiencies" },
			h("thead", {}, h("tr", {}, h("th", { class: "left", scope: "col" }, "Threads (ranks × threads)"), S.points.map((p) => h("th", { scope: "col" }, scaleText(p))))),
			h("tbody", {}, S.efficiencies.map((row) => h("tr", {}, h("th", { class: "left", scope: "row", style: "padding-left:" + 1.2 * row.depth + "rem" }, row.title), S.points.map((p) => cell(p, row)))))));
	}

	function predictions() {
		return new Table([
			{ ...keyColumn, tipOf: (p) => isMissing(keyOf(p)) ? "the most that any number of threads gives" : sized(p) + ": not measured" },
			...(bySize ? [["Wall time (s)", "wall_ns"], ["from (s)", "from_ns"], ["to (s)", "to_ns"]].map(([title, key]) => ({ title, kind: "time", value: (p) => p[key], tipOf: growthTip })) :
				[["Speed-up", "speedup"], ["from", "from"], ["to", "to"]].map(([title, key]) => ({ title, value: (p) => p[key], cell: (p) => ratio(p[key]), tipOf: lawTip }))),
		], { name: bySize ? "what larger sizes would take" : "what more threads would give", rows: bySize ? S.predictions : [...S.predictions, S.at_most] });
	}

	// What one run said of the others (ompp-span(7)), beside what these took.
	function predictedTable() {
		const by = "predicted by the run with " + S.predicting_threads + " threads";
		const inside = (p) => isMissing(p.predicted_from_ns) ? "-" : p.wall_ns < p.predicted_from_ns ? "shorter" : isMissing(p.predicted_to_ns) ? "-" : p.wall_ns > p.predicted_to_ns ? "longer" : "yes";
		return new Table([
			{ ...keyColumn },
			...[["at least (s)", "predicted_from_ns"], ["likely (s)", "predicted_ns"], ["at most (s)", "predicted_to_ns"]].map(([title, key]) => ({ title, kind: "time", value: (p) => p[key], tip: by })),
			{ title: "Measured (s)", kind: "time", value: (p) => p.wall_ns, tipOf: wallTip },
			{ title: "Inside", left: true, kind: "text", value: inside, tip: "whether what was measured is in the interval" },
		], { name: by, rows: S.points });
	}

	// ---- parts ----

	const plusMinus = (ns) => ompp.plusMinus(ns, time);
	const isSerial = (part) => CLASSES.every(([key]) => part.points[0][key] === undefined);
	const lost = (p) => CLASSES.reduce((sum, [key]) => sum + (p[key] || 0), 0);
	// A column for each number of threads, or size: parts as [{ v, color, tip }] of `most`, with a text above.
	function columns(name, list, most) {
		return h("div", { class: "columns", role: "group", "aria-label": name }, list.map(({ title, text, parts }) => h("div", { tabindex: "0", role: "img",
			"aria-label": title + ": " + text + parts.filter((p) => p.v > 0).map((p) => "; " + p.tip.split("\n")[0]).join("") },
		h("span", {}, text), parts.filter((p) => p.v > 0).reverse().map((p) => h("i", { style: "height:" + (most > 0 ? 84 * p.v / most : 0) + "%;background:var(--" + p.color + ")", "data-tip": p.tip })),
		h("b", {}, title))));
	}

	let chosen = S.parts.find((part) => !isSerial(part)) || null;
	const classBox = h("div", { id: "classes-of-part" });
	function drawClasses() {
		if (!chosen) return classBox.replaceChildren(h("p", { class: "soft" }, "no parallel region"));
		const most = Math.max(0.01, ...chosen.points.map((p) => p.total_ns ? lost(p) / p.total_ns : 0));
		const list = chosen.points.map((p) => ({ title: keyText(p), text: p.total_ns ? share(lost(p) / p.total_ns) : "-", parts: CLASSES.map(([key, color, words]) => ({ v: p.total_ns ? p[key] / p.total_ns : 0, color,
			tip: words + ": " + share(p[key] / p.total_ns) + ", " + time(p[key]) + plusMinus(p[key + "_error"]) + " of " + time(p.total_ns) + "\nof all threads, " + withKey(p) + ", mean of the runs\n" + measured })) }));
		classBox.replaceChildren(h("h3", {}, "Overheads of " + chosen.name), legend(CLASSES.map(([, color, name]) => ({ name, color }))), columns("overheads " + byKey, list, most),
			h("p", { class: "soft" }, "In per cent of the time of all threads in this region."));
	}

	function wallColumns() {
		const shown = S.parts.slice(0, COLORS.length), rest = S.parts.slice(COLORS.length), whole = (k) => S.parts.reduce((sum, part) => sum + (part.points[k].wall_ns || 0), 0);
		const most = Math.max(...S.points.map((_, k) => whole(k)));
		const tipOf = (name, ns, k) => name + ": " + time(ns) + ", " + share(ns / whole(k)) + " of the wall time " + withKey(S.points[k]) + "\nmean of " + runs(S.points[k].runs) + "; " + measured;
		const list = S.points.map((p, k) => ({ title: keyText(p), text: time(whole(k)), parts: [...shown.map((part, i) => ({ v: part.points[k].wall_ns || 0, color: COLORS[i], tip: tipOf(part.name, part.points[k].wall_ns, k) })),
			{ v: rest.reduce((sum, part) => sum + (part.points[k].wall_ns || 0), 0), color: "unsure", tip: tipOf(rest.length + " more parts", rest.reduce((sum, part) => sum + (part.points[k].wall_ns || 0), 0), k) }] }));
		return h("div", {}, legend([...shown.map((part, i) => ({ name: part.name, color: COLORS[i] })), ...(rest.length ? [{ name: rest.length + " more parts", color: "unsure" }] : [])]), columns("wall time " + byKey, list, most));
	}

	const partTable = searchable([
		{ title: "Part", left: true, kind: "text", value: (part) => part.name },
		...(bySize ? [{ title: "Power", value: (part) => part.power, cell: power, tipOf: powerTip, tip: "with which power of the size its time grows" },
			{ title: "±", value: (part) => part.power_error, cell: powerError, tipOf: () => "standard error of the power" }] :
			[{ title: "Stays (s)", value: (part) => part.stays_s, cell: (part) => ratio(part.stays_s), tipOf: (part) => ratio(part.stays_s) + " s" + (isMissing(part.stays_error_s) ? "; two runs do not tell its error" : " ± " + ratio(part.stays_error_s) + " s (standard error)") +
				"\nwhat more threads do not make shorter, " + byLaw, tip: "what more threads do not make shorter" },
			{ title: "± (s)", value: (part) => part.stays_error_s, cell: (part) => ratio(part.stays_error_s), tipOf: () => "standard error of what stays" }]),
		...S.points.map((point, k) => ({ title: keyText(point) + " (s)", kind: "time", value: (part) => part.points[k].wall_ns, tip: "wall time " + withKey(point) + ", mean of " + runs(point.runs) + "; " + measured })),
		{ title: "Lost", value: (part) => isSerial(part) || !part.points.at(-1).total_ns ? null : lost(part.points.at(-1)) / part.points.at(-1).total_ns, cell: (part) => isSerial(part) || !part.points.at(-1).total_ns ? "-" :
			share(lost(part.points.at(-1)) / part.points.at(-1).total_ns), tipOf: (part) => isSerial(part) ? "one thread works, and has no overhead" : "overheads in it " + withKey(last) + ", of the time of all threads\n" + measured },
	], { name: "parts", rows: S.parts, pick: (part) => {
		if (!isSerial(part)) chosen = part;
		partTable.draw();
		drawClasses();
	}, isChosen: (part) => part === chosen });

	function classTable() {
		const rows = S.parts.filter((part) => !isSerial(part)).flatMap((part) => part.points.map((p) => ({ part, p })));
		return searchable([
			{ title: "Region", left: true, kind: "text", value: (row) => row.part.name },
			{ ...keyColumn, value: (row) => keyOf(row.p), cell: (row) => keyText(row.p) },
			{ title: "Total (s)", kind: "time", value: (row) => row.p.total_ns, tip: "time of all threads, mean of the runs; " + measured },
			{ title: "Overheads", value: (row) => row.p.total_ns ? lost(row.p) / row.p.total_ns : null, cell: (row) => row.p.total_ns ? share(lost(row.p) / row.p.total_ns) : "-", tipOf: (row) => time(lost(row.p)) + " of all threads\n" + measured },
			...CLASSES.map(([key, , words]) => ({ title: words, value: (row) => row.p.total_ns ? row.p[key] / row.p.total_ns : null, cell: (row) => row.p.total_ns ? share(row.p[key] / row.p.total_ns) : "-", tipOf: (row) => time(row.p[key]) + plusMinus(row.p[key + "_error"]) + " of all threads\n" + measured })),
		], { name: "overheads by region", rows });
	}

	function mappedTable() {
		const tip = "what the clauses ask for, not what is transferred; mean of the runs";
		return searchable([
			{ title: "Region", left: true, kind: "text", value: (row) => row.name },
			{ ...keyColumn, value: (row) => keyOf(row.p), cell: (row) => keyText(row.p) },
			...[["mapToB", "to_bytes"], ["mapFromB", "from_bytes"]].map(([title, key]) => ({ title, kind: "count", value: (row) => row.p[key], tip })),
		], { name: "bytes that are mapped", rows: S.mapped.flatMap(({ name, points }) => points.map((p) => ({ name, p }))) });
	}

	// ---- all of it ----

	const worst = S.parts[0];
	function threadSummary() {
		const fraction = share(S.serial_fraction) + (isMissing(S.serial_fraction_error) ? "" : " ± " + share(S.serial_fraction_error));
		const stays = ratio(worst.stays_s) + " s of it stay with any number of threads";
		const limit = S.limit === "none" ? "Nothing limits: all parts become shorter with more threads." :
			isMissing(S.serial_fraction) ? worst.name + " limits: it took " + time(worst.points[0].wall_ns) + " " + withKey(first) + " and " + time(worst.points.at(-1).wall_ns) + " " + withKey(last) + "." :
				S.limit === "sure" ? worst.name + " limits: " + stays + "." : worst.name + " may limit: " + stays + ", which may be chance; more runs would tell.";
		return [h("div", { class: "tiles" },
			tile(ratio(last.speedup), "speed-up with " + last.threads + " threads", ratio(last.speedup) + ", " + base + "\nwall time " + wallTip(last)),
			tile(share(last.efficiency), "efficiency", "speed-up by threads, " + base),
			tile(fraction, "serial fraction", byLaw + (isMissing(S.serial_fraction_error) ? "; two runs do not tell its error" : "; ± is its standard error")),
			tile(ratio(S.at_most.speedup), "speed-up at the most", lawTip(S.at_most)),
			tile(time(last.wall_ns), "wall time with " + last.threads + " threads", wallTip(last))),
		h("p", { class: "note", id: "limit" }, limit),
		isMissing(S.serial_fraction) ? h("p", { class: "note" }, "More threads made nothing shorter, which Amdahl's law knows nothing of.") : null,
		h("p", { class: "soft" }, runs(S.runs) + " with " + first.threads + " to " + last.threads + " threads"), threadPlots()];
	}
	function sizeSummary() {
		const part = isMissing(S.fastest) ? null : S.parts[S.fastest], shareOf = (p) => share(p.points.at(-1).wall_ns / last.wall_ns), next = S.predictions[0];
		return [h("div", { class: "tiles" },
			tile(power(S) + (isMissing(S.power_error) ? "" : " ± " + powerError(S)), "power of the size with which the wall time grows", powerTip(S)),
			tile(time(last.wall_ns), "wall time at size " + keyText(last), wallTip(last)),
			tile(time(next.wall_ns), "expected at size " + keyText(next), growthTip(next) + "\nnot measured")),
		h("p", { class: "note", id: "limit" }, part ? part.name + " grows fastest: with the power " + power(part) + (isMissing(part.power_error) ? "" : " ± " + powerError(part)) + " of the size. It takes " + shareOf(part) + " of the largest run." :
			"No part of weight grows surely faster than the program." + (S.runs < 3 ? " Two runs do not tell errors; more would." : "")),
		h("p", { class: "soft" }, worst.name + " takes longest at size " + keyText(last) + ": " + shareOf(worst) + " of the wall time, which grows with the power " + power(worst) + " of the size. " +
			runs(S.runs) + " with sizes from " + keyText(first) + " to " + keyText(last) + ", " + (S.threads === 1 ? "1 thread" : S.threads + " threads") + "."), sizePlots()];
	}
	const overheads = classTable(), mapped = S.mapped.length ? mappedTable() : null;
	ompp.frame(S.app, "ompp scaling", [
		section("summary", "Summary", ...(bySize ? sizeSummary() : threadSummary())),
		bySize ? section("points", "Sizes", pointTable().element, h("h3", {}, "What larger sizes would take"), h("p", { class: "soft" }, "Not measured: the word of the parts' power laws, which know no caches that a larger problem does not fit into; " +
			"their " + level + " interval is that of the noise of the runs."), predictions().element) :
			section("points", "Threads", pointTable().element, ...(isMissing(S.predicting_threads) ? [] : [h("h3", {}, "What one run predicts"), h("p", { class: "soft" },
				"From what the run with " + S.predicting_threads + " threads did, as if all threads had a processor and work took the same time (ompp-span(7))."), predictedTable().element]), h("h3", {}, "What more threads would give"), h("p", { class: "soft" }, "Not measured: the word of Amdahl's law, which knows neither what more threads cost nor caches; beyond twice the threads that were measured it is a bound; " +
				"its " + level + " interval is that of the noise of the runs."), predictions().element),
		...(bySize ? [] : [section("efficiencies", "Efficiencies", h("p", { class: "soft" }, "Each is the product of those one step below it; from 80 % on it is good. Computation scaling compares the useful time of all threads with that of the fewest. ompp-efficiency(7) has the formulas."), efficiencyTable())]),
		section("parts", "Parts", h("p", { class: "soft" }, bySize ? "With which power of the size each part grows, what takes longest at the largest size first, and the wall time by size. A click on a region shows its overheads." :
			"What stays with any number of threads, the most first, and the wall time by the number of threads. A click on a region shows its overheads."),
			h("div", { class: "panes" }, h("div", {}, h("h3", {}, "Wall time " + byKey), wallColumns()), classBox), partTable.box),
		section("overheads", "Overheads", h("p", { class: "soft" }, "Of parallel regions, in per cent of the time of all their threads."), overheads.box),
		...(mapped ? [section("mapped", "Mapped bytes", h("p", { class: "soft" }, "Bytes that the clauses of constructs for devices map to the device and back."), mapped.box)] : []),
	]);
	drawClasses();
	for (const table of [partTable, overheads, mapped]) table?.draw();
	document.documentElement.dataset.ready = "1";
})();
