// scaling: the page of runs with several numbers of threads.  What it shows stands in the element "scaling"
// (env/ompp-scaling-1.schema.json).
"use strict";
(() => {
	const { h, digits, grouped, time, isMissing, Table, searchable, section, tile, legend } = ompp;
	const S = JSON.parse(document.getElementById("scaling").textContent);
	const first = S.points[0], last = S.points[S.points.length - 1], level = Math.round(100 * (1 - S.level)) + " %";
	const CLASSES = [["Synch", "synch", "synchronisation"], ["Imbal", "imbal", "imbalance"], ["Limpar", "limpar", "limited parallelism"], ["Mgmt", "mgmt", "management"]];
	const ratio = (v) => isMissing(v) ? "-" : digits(v);
	const share = (v) => isMissing(v) ? "-" : (100 * v).toFixed(2) + " %";
	const sd = (p) => isMissing(p.variance) ? null : Math.sqrt(p.variance);
	const runs = (n) => n + (n > 1 ? " runs" : " run");
	const measured = "measured by a clock; the profiler's own cost is taken out";
	const byLaw = "by Amdahl's law, fitted to all " + S.runs + " runs: it knows neither what more threads cost nor caches";
	const wallTip = (p) => time(p.wall_ns) + (isMissing(sd(p)) ? ", one run, which does not tell how much it differs" : " ± " + time(sd(p)) + " (standard deviation of " + runs(p.runs) + ")") + "\n" + measured;
	const base = first.threads === 1 ? "against one thread" : "against " + first.threads + " threads, which count as ideal";
	const lawTip = (p) => "speed-up of " + ratio(p.speedup) + (isMissing(p.from) ? "; two runs do not tell its interval" : ", " + level + " interval " + ratio(p.from) + " to " + (isMissing(p.to) ? "any" : ratio(p.to))) +
		"\nagainst one thread, " + byLaw;

	// ---- plots ----

	function s(tag, attributes, ...children) {
		const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
		for (const [key, value] of Object.entries(attributes)) if (!isMissing(value)) e.setAttribute(key, value);
		e.append(...children.flat().filter((c) => !isMissing(c)));
		return e;
	}

	// A plot over the number of threads, whose axis is logarithmic, as is that of values where isLog is 1.
	//   points: { x, y, low, high, tip }; law: { x, y, low, high }; ideal(x)
	function plot(name, points, law, ideal, isLog, format) {
		const width = 520, height = 330, left = 52, right = 14, top = 14, bottom = 40;
		const xs = law.map((p) => p.x).concat(points.map((p) => p.x)), mostX = Math.max(...xs, 2), most = Math.max(...points.map((p) => p.high ?? p.y), ...law.map((p) => p.y), isLog ? 2 : 1) * (isLog ? 1.25 : 1.06);
		const least = isLog ? Math.min(1, ...points.map((p) => p.low ?? p.y).filter((y) => y > 0)) : 0;
		const X = (x) => left + (width - left - right) * Math.log(x) / Math.log(mostX);
		const part = (y) => isLog ? Math.log(Math.max(y, least) / least) / Math.log(most / least) : y / most;
		const Y = (y) => height - bottom - (height - top - bottom) * Math.max(0, Math.min(1, part(y)));
		const lines = [], powers = [];
		for (let n = 1; n <= mostX; n *= 2) powers.push(n);
		const ticks = isLog ? powers.filter((n) => n <= most) : [0, 0.25, 0.5, 0.75, 1].filter((n) => n <= most);
		for (const n of powers) lines.push(s("line", { class: "grid", x1: X(n), x2: X(n), y1: top, y2: height - bottom }),
			s("text", { x: X(n), y: height - bottom + 17, "text-anchor": "middle" }, String(n)));
		for (const n of ticks) lines.push(s("line", { class: "grid", x1: left, x2: width - right, y1: Y(n), y2: Y(n) }),
			s("text", { x: left - 6, y: Y(n) + 4, "text-anchor": "end" }, format(n)));
		const path = (list) => list.map((p, i) => (i ? "L" : "M") + p[0].toFixed(1) + " " + p[1].toFixed(1)).join("");
		const ranged = law.filter((p) => !isMissing(p.low));
		const range = ranged.length > 1 ? s("path", { class: "range", d: path([...ranged.map((p) => [X(p.x), Y(p.high ?? most)]), ...ranged.slice().reverse().map((p) => [X(p.x), Y(p.low)])]) + "Z" }) : null;
		const curve = law.length > 1 ? s("path", { class: "law", d: path(law.map((p) => [X(p.x), Y(p.y)])) }) : null;
		const border = powers.length > 1 ? s("path", { class: "ideal", d: path(xs.slice().sort((a, b) => a - b).filter((x) => ideal(x) <= most).map((x) => [X(x), Y(ideal(x))])) }) : null;
		const dots = points.map((p) => s("g", { class: "runs", tabindex: "0", role: "img", "aria-label": p.tip, "data-tip": p.tip },
			isMissing(p.low) ? null : s("line", { x1: X(p.x), x2: X(p.x), y1: Y(p.low), y2: Y(p.high) }), s("circle", { cx: X(p.x), cy: Y(p.y), r: 4.5 })));
		const seen = law.map((p) => s("circle", { cx: X(p.x), cy: Y(p.y), r: 7, fill: "transparent", "data-tip": p.tip }));
		return h("div", { class: "plot" }, s("svg", { class: "lines", viewBox: "0 0 " + width + " " + height, role: "group", "aria-label": name },
			lines, range, border, curve, seen, dots, s("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, "threads")));
	}

	function plots() {
		const law = S.law.filter((p) => !isMissing(p.speedup));
		const spread = (p, v, sign) => isMissing(sd(p)) || p.wall_ns + sign * sd(p) <= 0 ? null : v * p.wall_ns / (p.wall_ns + sign * sd(p));
		const key = [{ name: "measured" + (S.points.some((p) => sd(p)) ? ", with the standard deviation of its runs" : ""), color: "synch" },
			...(law.length ? [{ name: "Amdahl's law" + (law.some((p) => !isMissing(p.from)) ? " with its " + level + " interval" : ""), color: "work", tip: byLaw }] : []), { name: "dotted: ideal", color: "soft" }];
		return h("div", {}, legend(key), h("div", { class: "panes" },
			h("div", {}, h("h3", {}, "Speed-up"), plot("speed-up by threads", S.points.map((p) => ({ x: p.threads, y: p.speedup, low: spread(p, p.speedup, 1), high: spread(p, p.speedup, -1),
				tip: p.threads + " threads: speed-up " + ratio(p.speedup) + ", " + base + "\nwall time " + wallTip(p) })),
			law.map((p) => ({ x: p.threads, y: p.speedup, low: p.from, high: p.to, tip: p.threads + " threads: " + lawTip(p) })), (x) => x, true, String)),
			h("div", {}, h("h3", {}, "Efficiency"), plot("efficiency by threads", S.points.map((p) => ({ x: p.threads, y: p.efficiency, low: spread(p, p.efficiency, 1), high: spread(p, p.efficiency, -1),
				tip: p.threads + " threads: efficiency " + share(p.efficiency) + ", " + base + "\nwall time " + wallTip(p) })),
			law.map((p) => ({ x: p.threads, y: p.speedup / p.threads, low: isMissing(p.from) ? null : p.from / p.threads, high: isMissing(p.to) ? null : p.to / p.threads, tip: p.threads + " threads: efficiency " +
				share(p.speedup / p.threads) + "\n" + lawTip(p) })), () => 1, false, (v) => 100 * v + " %"))),
		first.threads > 1 ? h("p", { class: "soft" }, "What was measured counts " + first.threads + " threads as ideal; the law counts from its own time with one thread.") : null);
	}

	function pointTable() {
		return new Table([
			{ title: "Threads", kind: "count", value: (p) => p.threads },
			{ title: "Runs", kind: "count", value: (p) => p.runs },
			{ title: "Wall time (s)", kind: "time", value: (p) => p.wall_ns, tipOf: wallTip },
			{ title: "± (s)", kind: "time", value: sd, tip: "standard deviation of the runs" },
			{ title: "Speed-up", value: (p) => p.speedup, cell: (p) => ratio(p.speedup), tipOf: (p) => p.speedup + ", " + base + "\nwall time " + wallTip(p) },
			{ title: "Efficiency", value: (p) => p.efficiency, cell: (p) => share(p.efficiency), tipOf: (p) => share(p.efficiency) + ": speed-up by threads, " + base },
		], { name: "numbers of threads", rows: S.points });
	}

	function predictions() {
		const rows = [...S.predictions, { ...S.at_most }];
		return new Table([
			{ title: "Threads", kind: "count", value: (p) => p.threads, cell: (p) => p.threads ?? "any", tipOf: (p) => p.threads ? p.threads + " threads: not measured" : "the most that any number of threads gives" },
			{ title: "Speed-up", value: (p) => p.speedup, cell: (p) => ratio(p.speedup), tipOf: lawTip },
			{ title: "from", value: (p) => p.from, cell: (p) => ratio(p.from), tipOf: lawTip },
			{ title: "to", value: (p) => p.to, cell: (p) => ratio(p.to), tipOf: lawTip },
		], { name: "what more threads would give", rows });
	}

	// ---- parts ----

	const isSerial = (part) => CLASSES.every(([key]) => part.points[0][key] === undefined);
	const lost = (p) => CLASSES.reduce((sum, [key]) => sum + (p[key] || 0), 0);
	// A column for each number of threads: parts as [{ v, color, tip }] of `most`, with a text above.
	function columns(name, list, most) {
		return h("div", { class: "columns", role: "group", "aria-label": name }, list.map(({ title, text, parts }) => h("div", { tabindex: "0", role: "img",
			"aria-label": title + " threads: " + text + parts.filter((p) => p.v > 0).map((p) => "; " + p.tip.split("\n")[0]).join("") },
		h("span", {}, text), parts.filter((p) => p.v > 0).reverse().map((p) => h("i", { style: "height:" + (most > 0 ? 84 * p.v / most : 0) + "%;background:var(--" + p.color + ")", "data-tip": p.tip })),
		h("b", {}, title))));
	}

	let chosen = S.parts.find((part) => !isSerial(part)) || null;
	const classBox = h("div", { id: "classes-of-part" });
	function drawClasses() {
		if (!chosen) return classBox.replaceChildren(h("p", { class: "soft" }, "no parallel region"));
		const most = Math.max(0.01, ...chosen.points.map((p) => p.total_ns ? lost(p) / p.total_ns : 0));
		const list = chosen.points.map((p) => ({ title: p.threads, text: p.total_ns ? share(lost(p) / p.total_ns) : "-", parts: CLASSES.map(([key, color, words]) => ({ v: p.total_ns ? p[key] / p.total_ns : 0, color,
			tip: words + ": " + share(p[key] / p.total_ns) + ", " + time(p[key]) + " of " + time(p.total_ns) + "\nof all " + p.threads + " threads, mean of the runs\n" + measured })) }));
		classBox.replaceChildren(h("h3", {}, "Overheads of " + chosen.name), legend(CLASSES.map(([, color, name]) => ({ name, color }))), columns("overheads by threads", list, most),
			h("p", { class: "soft" }, "In per cent of the time of all threads in this region."));
	}

	const COLORS = ["imbal", "work", "synch", "task", "limpar", "cost"];
	function wallColumns() {
		const shown = S.parts.slice(0, COLORS.length), rest = S.parts.slice(COLORS.length), whole = (k) => S.parts.reduce((sum, part) => sum + (part.points[k].wall_ns || 0), 0);
		const most = Math.max(...S.points.map((_, k) => whole(k)));
		const tipOf = (name, ns, k) => name + ": " + time(ns) + ", " + share(ns / whole(k)) + " of the wall time with " + S.points[k].threads + " threads\nmean of " + runs(S.points[k].runs) + "; " + measured;
		const list = S.points.map((p, k) => ({ title: p.threads, text: time(whole(k)), parts: [...shown.map((part, i) => ({ v: part.points[k].wall_ns || 0, color: COLORS[i], tip: tipOf(part.name, part.points[k].wall_ns, k) })),
			{ v: rest.reduce((sum, part) => sum + (part.points[k].wall_ns || 0), 0), color: "mgmt", tip: tipOf(rest.length + " more parts", rest.reduce((sum, part) => sum + (part.points[k].wall_ns || 0), 0), k) }] }));
		return h("div", {}, legend([...shown.map((part, i) => ({ name: part.name, color: COLORS[i] })), ...(rest.length ? [{ name: rest.length + " more parts", color: "mgmt" }] : [])]), columns("wall time by threads", list, most));
	}

	const partTable = searchable([
		{ title: "Part", left: true, kind: "text", value: (part) => part.name },
		{ title: "Stays (s)", value: (part) => part.stays_s, cell: (part) => ratio(part.stays_s), tipOf: (part) => ratio(part.stays_s) + " s" + (isMissing(part.stays_error_s) ? "; two runs do not tell its error" : " ± " + ratio(part.stays_error_s) + " s (standard error)") +
			"\nwhat more threads do not make shorter, " + byLaw, tip: "what more threads do not make shorter" },
		{ title: "± (s)", value: (part) => part.stays_error_s, cell: (part) => ratio(part.stays_error_s), tipOf: () => "standard error of what stays" },
		...S.points.map((point, k) => ({ title: point.threads + " (s)", kind: "time", value: (part) => part.points[k].wall_ns, tip: "wall time with " + point.threads + " threads, mean of " + runs(point.runs) + "; " + measured })),
		...S.points.slice(-1).map((point, k) => ({ title: "Lost", value: (part) => isSerial(part) || !part.points.at(-1).total_ns ? null : lost(part.points.at(-1)) / part.points.at(-1).total_ns, cell: (part) => isSerial(part) || !part.points.at(-1).total_ns ? "-" :
			share(lost(part.points.at(-1)) / part.points.at(-1).total_ns), tipOf: (part) => isSerial(part) ? "one thread works, and has no overhead" : "overheads in it with " + last.threads + " threads, of the time of all of them\n" + measured })),
	], { name: "parts", rows: S.parts, pick: (part) => {
		if (!isSerial(part)) chosen = part;
		partTable.draw();
		drawClasses();
	}, isChosen: (part) => part === chosen });

	function classTable() {
		const rows = S.parts.filter((part) => !isSerial(part)).flatMap((part) => part.points.map((p) => ({ part, p })));
		return searchable([
			{ title: "Region", left: true, kind: "text", value: (row) => row.part.name },
			{ title: "Threads", kind: "count", value: (row) => row.p.threads },
			{ title: "Total (s)", kind: "time", value: (row) => row.p.total_ns, tip: "time of all threads, mean of the runs; " + measured },
			{ title: "Overheads", value: (row) => row.p.total_ns ? lost(row.p) / row.p.total_ns : null, cell: (row) => row.p.total_ns ? share(lost(row.p) / row.p.total_ns) : "-", tipOf: (row) => time(lost(row.p)) + " of all threads\n" + measured },
			...CLASSES.map(([key, , words]) => ({ title: words, value: (row) => row.p.total_ns ? row.p[key] / row.p.total_ns : null, cell: (row) => row.p.total_ns ? share(row.p[key] / row.p.total_ns) : "-", tipOf: (row) => time(row.p[key]) + " of all threads\n" + measured })),
		], { name: "overheads by region", rows });
	}

	// ---- all of it ----

	const worst = S.parts[0], fraction = share(S.serial_fraction) + (isMissing(S.serial_fraction_error) ? "" : " ± " + share(S.serial_fraction_error));
	const limit = { none: "Nothing limits: all parts become shorter with more threads.",
		unsure: worst.name + " may limit: " + ratio(worst.stays_s) + " s of it stay with any number of threads, which may be chance; more runs would tell.",
		sure: worst.name + " limits: " + ratio(worst.stays_s) + " s of it stay with any number of threads." }[S.limit];
	const overheads = classTable();
	ompp.frame(S.app, "ompp scaling", [
		section("summary", "Summary",
			h("div", { class: "tiles" },
				tile(ratio(last.speedup), "speed-up with " + last.threads + " threads", ratio(last.speedup) + ", " + base + "\nwall time " + wallTip(last)),
				tile(share(last.efficiency), "efficiency", "speed-up by threads, " + base),
				tile(fraction, "serial fraction", byLaw + (isMissing(S.serial_fraction_error) ? "; two runs do not tell its error" : "; ± is its standard error")),
				tile(ratio(S.at_most.speedup), "speed-up at the most", lawTip(S.at_most)),
				tile(time(last.wall_ns), "wall time with " + last.threads + " threads", wallTip(last))),
			h("p", { class: "note", id: "limit" }, limit),
			S.parallel_s <= 0 ? h("p", { class: "note" }, "More threads made nothing shorter, so the law says nothing of more of them.") : null,
			h("p", { class: "soft" }, runs(S.runs) + " with " + first.threads + " to " + last.threads + " threads"), plots()),
		section("points", "Threads", pointTable().element, h("h3", {}, "What more threads would give"), h("p", { class: "soft" }, "Not measured: the word of Amdahl's law, which knows neither what more threads cost nor caches; " +
			"its " + level + " interval is that of the noise of the runs."), predictions().element),
		section("parts", "Parts", h("p", { class: "soft" }, "What stays with any number of threads, the most first, and the wall time by the number of threads. A click on a region shows its overheads."),
			h("div", { class: "panes" }, h("div", {}, h("h3", {}, "Wall time by threads"), wallColumns()), classBox), partTable.box),
		section("overheads", "Overheads", h("p", { class: "soft" }, "Of parallel regions, in per cent of the time of all their threads."), overheads.box),
	]);
	drawClasses();
	for (const table of [partTable, overheads]) table.draw();
	document.documentElement.dataset.ready = "1";
})();
