// report: the page of a profile.  What it shows stands in the element "profile" (page_model.h, page_threads.h …).
"use strict";
(() => {
	const { h, color, grouped, seconds, time, percent, show, showFull, isMissing, Table, searchable, stack, legend, middle, tile } = ompp;
	const P = JSON.parse(document.getElementById("profile").textContent);
	const { run, regions, constructs, rows: threads, nodes, flat, classes } = P;
	// Numbers that a double does not hold exactly come as texts, which are lossless; for sums and plots the nearest will do.
	const toNumbers = (o) => {
		for (const [key, v] of Object.entries(o))
			if (typeof v === "string" && /^-?\d+$/.test(v)) o[key] = Number(v);
			else if (v && typeof v === "object") toNumbers(v);
	};
	for (const o of [nodes, flat, classes]) toNumbers(o);
	for (const f of P.findings) for (const key of ["ns", "severity", "gain"]) if (typeof f[key] === "string") f[key] = Number(f[key]);
	const tables = (view, tag) => P.tables.filter((t) => t.view === view && (tag === undefined || t.tag === tag));
	const tableOf = (view, tag) => tables(view, tag)[0];

	// ---- what numbers mean, and how sure they are ----

	const certainty = {
		time: "measured by the clock “" + run.clock + "”; the profiler's own cost is taken out" +
			(run.hooked ? ", but not that of access hooks" : ""),
		wall: "wall-clock time: that of threads side by side counts once",
		count: "counted, exact",
		finding: "the time of all threads that it costs, of " + run.threads + " × " + time(run.measured),
		data: run.dataMethod ? "counted by " + run.dataMethod : "",
		sample: run.sampleSource ? "sampled (" + run.sampleSource + "), not exact: see the error beside it" : "",
	};
	const costlyTip = "costly: the profiler's own cost may be more than a tenth of this region's time; it is taken out, " +
		"but how much it is depends on what runs around it";
	const errorTip = "~: its visits are many and short, so some were timed, chosen at random, and all counted; " +
		"its times are estimates with this standard error";
	const marksOf = (r) => r.costly || r.error ? " [" + [r.costly ? "costly" : "", r.error].filter(Boolean).join(", ") + "]" : "";
	const tipsOf = (r) => [r.costly ? costlyTip : "", r.error ? errorTip : ""].filter(Boolean).join("\n");

	// ---- cells: the numbers of a thread, or sums, in a region ----

	const timesOf = ["exec", "body", "enter", "exit", "exitBar", "startup", "shutdown", "mgmt", "task", "incl", "cost", "error",
		"bodyError", "enterError", "exitError"];
	const countsOf = ["count", "bodies"], bytesOf = ["mapTo", "mapFrom"];

	const digit = new Uint8Array(128);
	for (const [i, c] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries()) digit[c.charCodeAt(0)] = i;

	// Returns n numbers that page_threads.c has encoded.
	function decode(text, n) {
		const numbers = new Array(n).fill(0);
		if (!text) return numbers;
		for (let k = 0, at = 0, before = 0; k < n; k++) {
			if (text[at] === "-") {
				numbers[k] = null;
				at++;
				continue;
			}
			let value = 0, d, scale = 1;
			do {
				d = digit[text.charCodeAt(at++)];
				value += (d & 31) * scale;
				scale *= 32;
			} while (d & 32);
			before += value % 2 ? -(value + 1) / 2 : value / 2;
			numbers[k] = before;
		}
		return numbers;
	}

	// Returns the cells of the threads; null when the file has the sums alone.
	function decodeCells(encoded) {
		if (!encoded) return null;
		const n = encoded.n, columns = {};
		for (const name of ["rows", ...countsOf, ...timesOf, ...bytesOf, ...P.metrics.map((_, m) => "metric" + m)]) columns[name] = decode(encoded[name], n);
		return columns.rows.map((row, i) => {
			const cell = { row, label: threads[row] };
			for (const name of [...countsOf, ...timesOf, ...bytesOf]) cell[name] = columns[name][i];
			cell.metrics = P.metrics.map((_, m) => columns["metric" + m][i]);
			return cell;
		});
	}

	const known = (ns) => ns || 0;

	// How the time of a cell divides: [{ ns, color, name, tip }].
	function partsOf(construct, cell) {
		const c = constructs[construct], x = (ns, color, name, tip) => ({ ns: Math.max(0, known(ns)), color, name, tip });
		const rest = (...parts) => cell.exec - parts.reduce((sum, ns) => sum + known(ns), 0);
		const lost = { synchronisation: "synch", imbalance: "imbal", "limited parallelism": "limpar", management: "mgmt" }[c.overhead] || "work";
		const body = ["body", "the useful part: what stands inside of the construct, with the regions in it"];
		const tasks = x(cell.task, "task", "tasks", "tasks that the thread ran while it waited");
		switch (c.form) {
		case "plain": case "target": case "message": case "task":
			return [x(cell.exec, lost, lost === "work" ? "body" : c.overhead, c.form === "task" ? "without other tasks that ran meanwhile" : "")];
		case "tasks":
			return [x(rest(cell.task), lost, lost === "synch" ? "waiting" : lost === "work" ? "body" : c.overhead), tasks];
		case "wait":
			return [x(cell.incl, "synch", "waiting", "in which no task was run"), tasks];
		case "critical": case "lock":
			return [{ ...x(cell.enter, "synch", "waiting to enter"), error: cell.enterError }, { ...x(cell.body, "work", ...body), error: cell.bodyError },
				{ ...x(cell.exit, "mgmt", "leaving"), error: cell.exitError }];
		case "loop":
			return [x(cell.body, "work", ...body), x(cell.exitBar, lost, "waiting at the end", "until all threads are there"), tasks];
		case "single": case "sections":
			return [x(cell.body, "work", ...body), x(cell.exitBar, c.form === "sections" && cell.bodies < cell.count ? "limpar" : lost,
				"waiting at the end", "until all threads are there"), tasks, x(cell.mgmt, "mgmt", "handing out")];
		default:
			return [x(cell.startup, "mgmt", "making the team"), x(cell.body, "work", ...body),
				x(cell.exitBar, lost, "waiting at the end", "until all threads are there"), tasks, x(cell.shutdown, "mgmt", "ending the team")];
		}
	}

	const waitingOf = (construct, cell) => partsOf(construct, cell).filter((p) => p.name.startsWith("waiting"))
		.reduce((sum, p) => sum + p.ns, 0);
	const hasBody = (construct) => !["plain", "target", "task", "tasks", "wait"].includes(constructs[construct].form);

	// ---- regions ----

	const tagOf = (region) => region < 0 ? run.app : "R" + String(regions[region].id).padStart(5, "0");
	const placeOf = (region) => region < 0 ? "the whole program" : regions[region].place;
	const taskExec = constructs.findIndex((c) => c.name === "TASKEXEC");
	const parts = flat.region.map((region, i) => {
		const part = { i, region, construct: flat.tasks[i] ? taskExec : regions[region].construct, rows: flat.rows[i], paths: flat.paths[i] };
		for (const name of [...timesOf, ...countsOf]) part[name] = flat[name][i];
		const most = hasBody(part.construct) ? flat.mostBody[i] : flat.mostExec[i], all = hasBody(part.construct) ? part.body : part.exec;
		part.imbalance = part.rows > 1 && most > 0 ? Math.round(1e9 * (1 - all / part.rows / most)) : null;
		part.waiting = waitingOf(part.construct, part);
		part.share = run.capacity ? Math.round(1e9 * part.exec / run.capacity) : null;
		part.waitingShare = run.capacity ? Math.round(1e9 * part.waiting / run.capacity) : null;
		return part;
	});
	const partOf = new Map(parts.map((part) => [part.region * 2 + (part.construct === taskExec), part]));
	const plusMinus = (ns) => ompp.plusMinus(ns, (v) => showFull("time", v));
	const costTip = (cell) => (isMissing(cell.cost) ? "" : "\nown cost taken out: " + time(cell.cost)) +
		(cell.region !== undefined && cell.region >= 0 && tipsOf(regions[cell.region]) ? "\n" + tipsOf(regions[cell.region]) : "");

	// ---- what is chosen, and the filters that hold for all of the page ----

	const chosen = { part: null, node: null };
	const filters = { region: "", thread: "", object: "" };
	const filtered = { region: [], thread: [], object: [] };
	const matches = (text, words) => words.every((word) => text.toLowerCase().includes(word));
	const splitWords = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
	const regionText = (region, construct) => region < 0 ? run.app : tagOf(region) + " " + constructs[construct].name + " " + placeOf(region);
	// "solve.c:31" is what has this line, of a file whose path ends so.
	const hasLine = (word, file, begin, end) => {
		const at = /^(.+):(\d+)$/.exec(word);
		return !!at && String(file ?? "").toLowerCase().endsWith(at[1]) && Number(begin) <= Number(at[2]) && Number(at[2]) <= Number(end);
	};
	const matchesAt = (text, words, file, begin, end) => words.every((word) => text.toLowerCase().includes(word) || hasLine(word, file, begin, end));
	const isRegionWanted = (region, construct, more) => {
		const r = region < 0 ? {} : regions[region];
		return matchesAt(regionText(region, construct) + (more ?? ""), splitWords(filters.region), r.file, r.begin, r.end);
	};

	// "0-3, h2:0" are the threads 0 to 3, their inner teams, and another.
	function isThreadWanted(label) {
		const words = filters.thread.split(/[\s,]+/).filter(Boolean);
		return !words.length || words.some((word) => {
			const range = /^(\d+)-(\d+)$/.exec(word), number = /^\d+/.exec(label);
			if (range) return number && Number(number[0]) >= Number(range[1]) && Number(number[0]) <= Number(range[2]);
			return label === word || label.startsWith(word + ".") || (!/^\d/.test(word) && label.startsWith(word));
		});
	}
	const isObjectWanted = (name) => matches(name, splitWords(filters.object));

	function filterField(key, label, placeholder) {
		const input = h("input", { type: "search", id: "filter-" + key, placeholder, oninput: () => {
			filters[key] = input.value;
			for (const f of filtered[key]) f();
		} });
		return h("label", {}, label, input);
	}

	// ---- sections ----

	const sections = [];
	const section = (...words) => sections.push(ompp.section(...words));

	// ---- summary ----

	const shareColors = [[/^work/, "work"], [/synchronisation/, "synch"], [/imbalance/, "imbal"], [/limited/, "limpar"], [/management/, "mgmt"],
		[/^outside/, "serial"], [/no team/, "none"], [/own cost/, "cost"]];

	function summary() {
		const t = tableOf("summary", "shares");
		const shares = t.rows.map(([ns, , words]) => ({ ns, name: words, color: (shareColors.find(([re]) => re.test(words)) || [0, "none"])[1],
			tip: showFull("time", ns) + " of all threads; " + certainty.time }));
		const whole = shares.reduce((sum, s) => sum + s.ns, 0);
		const cpu = isMissing(run.user) || isMissing(run.system) ? null : run.user + run.system;
		const remarks = (tableOf("summary", "remarks") || { rows: [] }).rows.map(([text]) => text).filter((text) => !text.startsWith("note: "))
			.concat(P.notes.map((note) => "note: " + (note.n ? grouped(note.n) + " " : "") + note.text)).map((text) => h("p", {}, text));
		const state = [run.signal ? "ended by signal " + run.signal : "", run.final ? "" : "an incremental report: the run was not over",
			run.off ? "measuring was off for " + time(run.off) : "", run.whole ? "" : "only chosen regions are shown"].filter(Boolean);
		section("summary", "Summary",
			h("div", { class: "tiles" },
				tile(time(run.duration), "wall time", showFull("time", run.duration) + "\nmeasured by the clock “" + run.clock + "”"),
				tile(time(cpu), "CPU time", showFull("time", cpu) + "\nof the process, as the kernel says"),
				tile(run.threads, run.processes ? "threads in " + run.processes + " processes" : "threads", "that the program could have at a time"),
				tile(percent(shares[0].ns, whole), "of all threads' time is work", shares[0].tip),
				tile(time(run.cost), "the profiler's own cost", isMissing(run.costLeast) ? "taken out of all times" :
					"between " + time(run.costLeast) + " and " + time(run.costMost) + ", of all threads; taken out of all times")),
			state.map((text) => h("p", { class: "note" }, text)),
			h("h3", {}, "Where the time of all threads goes"), stack(shares, whole), legend(shares, whole),
			h("h3", {}, "What costs time"), findingBox, remarks);
		filtered.region.push(() => findingBox.replaceChildren(...findings()));
		findingBox.append(...findings());
	}
	const findingBox = h("div");
	let hasSmall = false; // whether findings below the limit are shown, too

	const wordsOf = (name) => name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/ [A-Z](?![A-Z])/g, (s) => s.toLowerCase());

	function findings() {
		const least = run.propertyMin / 1e7 + " %", all = hasSmall ? [...P.findings, ...P.findingsSmall] : P.findings;
		const more = P.findingsBelow && !hasSmall ? h("p", {}, h("button", { class: "more", onclick: () => {
			hasSmall = true;
			findingBox.replaceChildren(...findings());
		} }, P.findingsBelow + " more cost less than " + least + " each")) : P.findingsBelow > P.findingsSmall.length ?
			h("p", { class: "soft" }, "The last " + (P.findingsBelow - P.findingsSmall.length) + " of these are not in the page.") : null;
		if (!all.length)
			return [h("p", {}, "Nothing that costs " + least + " of the run or more was found."), more].filter(Boolean);
		const wanted = all.filter((f) => isRegionWanted(f.region, f.region < 0 ? 0 : regions[f.region].construct, " " + f.place + " " + wordsOf(f.name)));
		if (!wanted.length)
			return [h("p", {}, "None of " + all.length + " is what the filter of regions says."), more].filter(Boolean);
		return [h("ol", { class: "findings" }, wanted.map((f) => h("li", { class: "finding" + (isMissing(f.ns) ? " counted" : "") },
			h("h3", {}, h("span", {}, wordsOf(f.name)),
				f.region < 0 ? h("span", { class: "soft" }, f.place) :
					h("button", { onclick: () => choosePart(partOf.get(f.region * 2), true), "data-tip": "show its threads" }, f.place),
				isMissing(f.ns) ? h("span", { class: "soft" }, "counted: what it costs is not known") :
					h("span", { class: "gain", "data-tip": (isMissing(f.gain) ? "" : "without it the run would be at most " + showFull("time", f.gain) + " shorter, of " + showFull("time", run.measured) + "\n") +
						showFull("share", f.severity) + " of all threads' time\n" + certainty.finding },
						(isMissing(f.gain) ? "" : "saves at most " + time(f.gain) + " (" + percent(f.gain, run.measured) + "), ") + "costs " + (f.severity / 1e7).toFixed(2) + " %" +
						(isMissing(f.gain) ? "; what it would save is not known" : ""))),
			isMissing(f.ns) ? null : stack([{ ns: f.ns, color: "bad", name: wordsOf(f.name) }], run.capacity, true),
			h("p", {}, f.meaning), f.evidence ? h("p", {}, f.evidence) : null, h("p", {}, f.advice ? "To try: " + f.advice : null)))), more].filter(Boolean);
	}

	// ---- regions and their threads ----

	const partColumns = [
		{ title: "Region", left: true, kind: "text", value: (p) => tagOf(p.region), tip: "number of the region, in order of first execution" },
		{ title: "Type", left: true, kind: "text", value: (p) => constructs[p.construct].name + marksOf(regions[p.region]),
			tipOf: (p) => constructs[p.construct].name + (tipsOf(regions[p.region]) ? "\n" + tipsOf(regions[p.region]) : "") },
		{ title: "Place", left: true, kind: "text", value: (p) => placeOf(p.region),
			tipOf: (p) => regions[p.region].file + "\n" + placeOf(p.region) + (regions[p.region].clauses ? "\n" + regions[p.region].clauses : "") +
				(regions[p.region].sites ? "\nset at " + regions[p.region].sites : "") },
		{ title: "Time (s)", kind: "time", value: (p) => p.exec, tipOf: (p) => showFull("time", p.exec) + plusMinus(p.error) + " of all threads\n" + certainty.time + costTip(p) },
		{ title: "%", kind: "share", value: (p) => p.share, tip: "of all threads' time in the run" },
		{ title: "How it divides", value: (p) => p.exec, unsortable: true, class: "bar", cell: (p) => stack(partsOf(p.construct, p), p.exec, true),
			tipOf: () => "" },
		{ title: "Waiting %", kind: "share", value: (p) => p.waitingShare, tipOf: (p) => showFull("time", p.waiting) + "\n" + showFull("share", p.waitingShare) +
			" of all threads' time in the run\n" + certainty.time },
		{ title: "Imbalance %", kind: "share", value: (p) => p.imbalance,
			tip: "how much less than the busiest thread the threads do on average (of the body, where there is one)" },
		{ title: "Times", kind: "count", value: (p) => p.count, tip: "how often threads entered it; " + certainty.count },
	];

	let partTable, nodeTable, flame, pathFlame;
	const drawFlames = () => [flame, pathFlame].forEach((f) => f && f.draw());
	const threadBox = h("div", { id: "threads" });

	function choosePart(part, move) {
		if (!part) return;
		chosen.part = part;
		chosen.node = null;
		showThreads();
		if (move) {
			partTable.search.value = "";
			partTable.search.dispatchEvent(new Event("input"));
			document.getElementById("regions").scrollIntoView();
			partTable.reveal(part);
		} else partTable.draw();
		if (nodeTable) nodeTable.draw();
		drawFlames();
	}

	function chooseNode(node) {
		chosen.node = node;
		chosen.part = partOf.get(nodes.region[node] * 2 + (nodes.construct[node] === taskExec)) || null;
		showThreads();
		partTable.draw();
		nodeTable.draw();
		drawFlames();
	}

	const pathOf = (node) => {
		const path = [];
		for (let i = node; i > 0; i = nodes.parent[i]) path.unshift(tagOf(nodes.region[i]));
		return path.join(" › ");
	};

	function threadColumns(construct, cells, most) {
		const shown = partsOf(construct, cells[0] || { exec: 0 }).map((p, i) => ({ title: p.name + " (s)", kind: "time",
			value: (cell) => partsOf(construct, cell)[i].ns, tip: [p.tip, certainty.time].filter(Boolean).join("\n"),
			cell: (cell) => show("time", partsOf(construct, cell)[i].ns) + (plusMinus(partsOf(construct, cell)[i].error) && "~"),
			tipOf: (cell) => showFull("time", partsOf(construct, cell)[i].ns) + plusMinus(partsOf(construct, cell)[i].error) }));
		return [
			{ title: "Thread", left: true, kind: "text", value: (cell) => cell.label, tip: "by its number in its team: 2.1 is thread 1 of the team that thread 2 made" },
			{ title: "", value: (cell) => cell.exec, unsortable: true, class: "bar", tipOf: () => "", cell: (cell) => stack(partsOf(construct, cell), most, true) },
			{ title: "execT (s)", kind: "time", value: (cell) => cell.exec, cell: (cell) => show("time", cell.exec) + (plusMinus(cell.error) && "~"),
				tipOf: (cell) => showFull("time", cell.exec) + plusMinus(cell.error) + "\n" + certainty.time + costTip(cell) },
			{ title: "execC", kind: "count", value: (cell) => cell.count, tip: certainty.count },
			...(shown.length > 1 ? shown : []),
			...(constructs[construct].form === "target" ? bytesOf : []).map((name) => ({ title: name + "B", kind: "count", value: (cell) => cell[name],
				tip: "bytes that clauses ask to be copied " + (name === "mapTo" ? "to the device" : "back") + ", whether copied or not; " + certainty.count })),
			...P.metrics.map((metric, m) => ({ title: metric.name, kind: "count", value: (cell) => cell.metrics[m],
				tip: [metric.unit && "in " + metric.unit, metric.certainty, metric.detail].filter(Boolean).join(", ") })),
		];
	}

	function showThreads() {
		const { part, node } = chosen;
		if (!part) {
			threadBox.replaceChildren(h("p", { class: "soft" }, "Choose a region, or a call path, to see what each thread did in it."));
			return;
		}
		const isPath = node !== null && part.paths > 1;
		const construct = part.construct, cells = decodeCells(isPath ? P.pathThreads[node] : P.threads[part.i]);
		const title = h("h3", {}, (isPath ? "Threads at " + pathOf(node) : "Threads in " + tagOf(part.region)) + " " + constructs[construct].name + " " + placeOf(part.region));
		const r = regions[part.region];
		const about = h("p", { class: "soft" }, [r.clauses, tipsOf(r), isPath ? "this call path alone" : part.paths > 1 ? part.paths + " call paths together" : ""]
			.filter(Boolean).join("; "));
		if (!cells) {
			threadBox.replaceChildren(title, about, h("p", { class: "note" }, "The threads of this " + (isPath ? "call path" : "region") +
				" are not in this file, which has those with most time up to its size. 'ompp report --region=" + tagOf(part.region) + "' prints them."));
			return;
		}
		const most = Math.max(...cells.map((cell) => cell.exec));
		for (const cell of cells) cell.region = part.region;
		const table = new Table(threadColumns(construct, cells, most), { name: "threads of " + tagOf(part.region), rows: cells,
			filter: (cell) => isThreadWanted(cell.label) });
		table.element.classList.add("threads");
		filtered.thread.splice(0, filtered.thread.length, () => table.refresh(), ...threadFilters);
		const source = sourceLink(part.region);
		threadBox.replaceChildren(title, about, source || "", legend(partsOf(construct, part), part.exec),
			h("div", { class: "tools" }, table.count), table.element);
	}
	const threadFilters = [];
	let sourceLink = () => null;

	function regionSection() {
		partTable = searchable(partColumns, { name: "regions", rows: parts, sort: [3, true], pick: (part) => choosePart(part),
			isChosen: (part) => chosen.part === part, filter: (part) => isRegionWanted(part.region, part.construct) });
		filtered.region.push(() => partTable.refresh());
		section("regions", "Regions",
			h("p", { class: "soft" }, "Sums of all call paths and threads. Choose one to see its threads."),
			partTable.box, threadBox);
		showThreads();
	}

	// ---- call tree: flame graph and table ----

	const N = nodes.parent.length;
	const children = Array.from({ length: N }, () => []);
	for (let i = 1; i < N; i++) children[nodes.parent[i]].push(i);
	const level = new Int32Array(N);
	for (let i = 1; i < N; i++) level[i] = level[nodes.parent[i]] + 1;
	const nodeName = (i) => i ? tagOf(nodes.region[i]) + " " + constructs[nodes.construct[i]].name + " " + placeOf(nodes.region[i]) : run.app;
	const familyOf = (i) => {
		if (!i) return "serial";
		const c = constructs[nodes.construct[i]];
		return c.form.startsWith("team") ? "work" : c.overhead === "synchronisation" || c.form === "critical" || c.form === "lock" || c.form === "wait" ? "synch" :
			/TASK/.test(c.name) ? "task" : c.overhead === "imbalance" ? "imbal" : c.overhead === "limited parallelism" ? "limpar" : "mgmt";
	};
	const families = [["serial", "program"], ["work", "parallel regions"], ["imbal", "loops, sections"], ["limpar", "single"], ["synch", "critical, locks, barriers"],
		["task", "tasks"], ["mgmt", "other regions"]];
	const nodeTip = (i) => nodeName(i) + "\ninclusive " + showFull("time", nodes.wall[i]) + plusMinus(nodes.wallError?.[i]) + ", " + percent(nodes.wall[i], nodes.wall[0]) +
		"\nexclusive " + showFull("time", nodes.self[i]) + plusMinus(nodes.selfError?.[i]) + ", " + percent(nodes.self[i], nodes.wall[0]) + "\n" + certainty.wall;

	const palette = () => Object.fromEntries(families.map(([name]) => [name, color(name)]));
	const makeFlame = (different) => new ompp.Flame({
		parent: nodes.parent, children, weight: (i) => nodes.wall[i], isWanted: (i) => isNodeWanted[i], tip: nodeTip,
		name: (i) => i ? constructs[nodes.construct[i]].name + " " + placeOf(nodes.region[i]) : run.app,
		paint: () => { const of = palette(); return (i) => of[familyOf(i)]; },
		isChosen: (i) => i === chosen.node || (chosen.node === null && chosen.part && partOf.get(nodes.region[i] * 2 + (nodes.construct[i] === taskExec)) === chosen.part),
		choose: (i) => { if (i) chooseNode(i); nodeTable.showNode(i); },
		label: "call tree as a flame graph", legend: families.map(([c, name]) => ({ color: c, name })), ...different,
	});

	// A node is wanted when its region is, or one above or below it.
	let isNodeWanted = new Uint8Array(N).fill(1);
	function findWanted() {
		const own = new Uint8Array(N), words = splitWords(filters.region);
		for (let i = 1; i < N; i++) own[i] = !words.length || isRegionWanted(nodes.region[i], nodes.construct[i]);
		const wanted = own.slice();
		for (let i = 1; i < N; i++) if (wanted[nodes.parent[i]] && nodes.parent[i]) wanted[i] = 1;
		for (let i = N - 1; i > 0; i--) if (wanted[i]) wanted[nodes.parent[i]] = 1;
		wanted[0] = 1;
		isNodeWanted = wanted;
	}

	const open = new Uint8Array(N);
	function openMuch() {
		for (let i = 0; i < N; i++) open[i] = level[i] < 2 || (level[i] < 8 && nodes.wall[i] >= nodes.wall[0] / 50) ? 1 : 0;
	}

	function seenNodes() {
		const seen = [], stackOf = [0];
		while (stackOf.length) {
			const i = stackOf.pop();
			if (!isNodeWanted[i]) continue;
			seen.push(i);
			if (open[i]) for (let k = children[i].length - 1; k >= 0; k--) stackOf.push(children[i][k]);
		}
		return seen;
	}

	function treeSection() {
		openMuch();
		const shareOf = (ns) => nodes.wall[0] ? Math.round(1e9 * ns / nodes.wall[0]) : null;
		const refold = () => nodeTable.setRows(seenNodes());
		nodeTable = new Table([
			{ title: "Call path", left: true, kind: "text", unsortable: true, value: (i) => nodeName(i), tipOf: (i) => i ? pathOf(i) + "\n" + placeOf(nodes.region[i]) : run.app,
				cell: (i) => h("span", { style: "padding-left:" + Math.min(level[i], 24) * 0.9 + "rem" }, children[i].length ?
					h("button", { class: "fold", "aria-expanded": String(!!open[i]), "aria-label": (open[i] ? "close " : "open ") + nodeName(i), onclick: () => { open[i] ^= 1; refold(); } },
						open[i] ? "▾" : "▸") : h("span", { style: "display:inline-block;width:1.3rem" }), nodeName(i)) },
			{ title: "Inclusive (s)", kind: "time", unsortable: true, value: (i) => nodes.wall[i], cell: (i) => show("time", nodes.wall[i]) + (plusMinus(nodes.wallError?.[i]) && "~"),
				tipOf: (i) => showFull("time", nodes.wall[i]) + plusMinus(nodes.wallError?.[i]), tip: certainty.wall + "\n" + certainty.time },
			{ title: "%", kind: "share", unsortable: true, value: (i) => shareOf(nodes.wall[i]), tip: "of the run's wall-clock time" },
			{ title: "Exclusive (s)", kind: "time", unsortable: true, value: (i) => nodes.self[i], cell: (i) => show("time", nodes.self[i]) + (plusMinus(nodes.selfError?.[i]) && "~"),
				tipOf: (i) => showFull("time", nodes.self[i]) + plusMinus(nodes.selfError?.[i]), tip: "without the regions called from it\n" + certainty.wall },
			{ title: "%", kind: "share", unsortable: true, value: (i) => shareOf(nodes.self[i]), tip: "of the run's wall-clock time" },
			{ title: "Times", kind: "count", unsortable: true, value: (i) => nodes.count[i], tip: "entered by all threads; " + certainty.count },
			{ title: "Threads", kind: "count", unsortable: true, value: (i) => nodes.rows[i], tip: "rows of threads that were in it" },
		], { name: "call paths", rows: seenNodes(), pick: (i) => { if (i) chooseNode(i); }, isChosen: (i) => i > 0 && (chosen.node === i ||
			(chosen.node === null && chosen.part && partOf.get(nodes.region[i] * 2 + (nodes.construct[i] === taskExec)) === chosen.part)) });
		nodeTable.showNode = (i) => {
			for (let up = nodes.parent[i]; up > 0; up = nodes.parent[up]) open[up] = 1;
			if (i) open[0] = 1;
			refold();
			nodeTable.reveal(i);
		};
		const all = (value) => { if (value === null) openMuch(); else open.fill(value); refold(); };
		flame = makeFlame();
		filtered.region.push(() => { findWanted(); refold(); drawFlames(); });
		section("tree", "Call tree", flame.box,
			h("div", { class: "tools" }, h("button", { onclick: () => all(1) }, "open all"), h("button", { onclick: () => all(null) }, "open what takes time"),
				h("button", { onclick: () => { open.fill(0); open[0] = 1; refold(); } }, "close all"), nodeTable.count), nodeTable.element);
	}

	// ---- overheads ----

	const overheadColors = ["synch", "imbal", "limpar", "mgmt"];
	function overheadSection() {
		if (!classes.list.length) return;
		const lost = (c) => c.overheads.reduce((a, b) => a + b, 0);
		const partsOfClass = (c) => [{ ns: Math.max(0, c.total - lost(c)), color: "work", name: "work" },
			...c.overheads.map((ns, k) => ({ ns, color: overheadColors[k], name: classes.names[k] }))];
		const table = searchable([
			{ title: "Region", left: true, kind: "text", value: (c) => tagOf(c.region) },
			{ title: "Place", left: true, kind: "text", value: (c) => constructs[regions[c.region].construct].name + " " + placeOf(c.region) },
			{ title: "Total (s)", kind: "time", value: (c) => c.total, tip: "of all threads of the region, from making the team to its end\n" + certainty.time },
			{ title: "Work and overheads", unsortable: true, class: "bar", value: lost, cell: (c) => stack(partsOfClass(c), c.total, true), tipOf: () => "" },
			{ title: "Ovhds %", kind: "share", value: (c) => c.total ? Math.round(1e9 * lost(c) / c.total) : null, tip: "of the region's own time" },
			{ title: "of run %", kind: "share", value: (c) => run.capacity ? Math.round(1e9 * lost(c) / run.capacity) : null, tip: "of all threads' time in the run" },
			...classes.names.map((name, k) => ({ title: name + " (s)", kind: "time", value: (c) => c.overheads[k], cell: (c) => show("time", c.overheads[k]) + (plusMinus(c.errors[k]) && "~"),
				tipOf: (c) => showFull("time", c.overheads[k]) + plusMinus(c.errors[k]) + "\n" + certainty.time })),
		], { name: "overheads of parallel regions", class: "wraps", rows: classes.list, sort: [5, true], pick: (c) => choosePart(partOf.get(c.region * 2)),
			isChosen: (c) => chosen.part && chosen.part.region === c.region, filter: (c) => isRegionWanted(c.region, regions[c.region].construct) });
		filtered.region.push(() => table.refresh());
		section("overheads", "Overheads", h("p", { class: "soft" }, "Each waiting is charged once, to the innermost parallel region around it."),
			legend(partsOfClass({ total: 0, overheads: [0, 0, 0, 0] }).map(({ name, color: c }) => ({ name, color: c }))), table.box);
	}

	// ---- durations of visits ----

	const regionByTag = new Map(regions.map((_, i) => [tagOf(i), i]));
	function durationSection() {
		const t = tableOf("durations", "");
		if (!t || !t.rows.length) return;
		const number = (v) => isMissing(v) ? null : Number(v);
		const rows = t.rows.map((values) => {
			const of = Object.fromEntries(t.columns.map((c, i) => [c.title, values[i]])), region = regionByTag.get(of.region);
			const between = (name) => ({ least: number(of[name + " at least"]), most: number(of[name + " at most"]) });
			return { region, construct: of.type === "TASKEXEC" ? taskExec : regions[region].construct, visits: number(of.visits), first: number(of.firstT), least: number(of.leastT),
				median: between("medianT"), p95: between("95 %T"), most: number(of.mostT), at: number(of.at), thread: of.TID };
		});
		const middleOf = (b) => isMissing(b.least) ? null : b.least + Math.floor((b.most - b.least) / 2);
		const exact = (title, key, tip) => ({ title: title + " (s)", kind: "time", value: (d) => d[key], tip: tip + "\n" + certainty.time });
		const quantile = (title, key, tip) => ({ title: title + " (s)", kind: "time", value: (d) => middleOf(d[key]), cell: (d) => isMissing(d[key].least) ? "-" : show("time", middleOf(d[key])) + "~",
			tipOf: (d) => isMissing(d[key].least) ? "not known: there was no visit but the first ones" : "between " + showFull("time", d[key].least) + " and " + showFull("time", d[key].most) + "\n" + tip });
		const table = searchable([
			{ title: "Region", left: true, kind: "text", value: (d) => tagOf(d.region) },
			{ title: "Type", left: true, kind: "text", value: (d) => constructs[d.construct].name },
			{ title: "Place", left: true, kind: "text", value: (d) => placeOf(d.region) },
			{ title: "Visits", kind: "count", value: (d) => d.visits, tip: "of all threads, the first ones with them; " + certainty.count },
			exact("First", "first", "the longest first visit of a thread, which is not among the others"),
			exact("Shortest", "least", "without first visits"),
			quantile("Median", "median", "half of the visits take no longer"),
			quantile("95 %", "p95", "95 of 100 visits take no longer"),
			exact("Longest", "most", "without first visits"),
			{ title: "It was", kind: "count", value: (d) => d.at, tip: "the number of the longest visit among its thread's: which one of them it was" },
			{ title: "by thread", left: true, kind: "text", value: (d) => d.thread },
		], { name: "durations of visits", rows, sort: [8, true], pick: (d) => choosePart(partOf.get(d.region * 2 + (d.construct === taskExec))),
			isChosen: (d) => chosen.part && chosen.part.region === d.region && chosen.part.construct === d.construct, filter: (d) => isRegionWanted(d.region, d.construct) });
		filtered.region.push(() => table.refresh());
		section("durations", "Durations of visits", h("p", { class: "soft" }, "How long one visit of a thread takes: a first visit that is long is warm-up, a longest one far above 95 % is an outlier."), table.box);
	}

	// ---- hot spots ----

	const hotTip = "by samples of the kernel's clock in user mode; the error is the standard error";
	function hotSection() {
		const hot = P.hot;
		if (!hot) return;
		const shareText = (row) => percent(row.share, 1e9) + " ± " + percent(row.shareError, 1e9);
		const whereOf = (row) => row.region < 0 ? hot.outside : tagOf(row.region) + " " + constructs[regions[row.region].construct].name + " " + placeOf(row.region);
		for (const row of hot.rows) for (const key of ["samples", "ns", "error"]) row[key] = Number(row[key]);
		const table = searchable([
			{ title: "Function", left: true, kind: "text", value: (row) => row.function },
			{ title: "Line", left: true, kind: "text", value: (row) => row.place, tip: "the line with most samples of the function", tipOf: (row) => row.file ? row.file + (row.line ? ":" + row.line : "") : "not known" },
			{ title: "CPU time (s)", kind: "time", value: (row) => row.ns, cell: (row) => show("time", row.ns) + "~", tip: hotTip,
				tipOf: (row) => showFull("time", row.ns) + plusMinus(row.error) + ", " + grouped(row.samples) + (row.samples === 1 ? " sample\n" : " samples\n") + hotTip },
			{ title: "% of the region", kind: "share", value: (row) => row.share, tipOf: (row) => shareText(row) + " of the region's samples" },
			{ title: "% of all", kind: "share", value: (row) => row.shareAll, tip: "of all samples of the run" },
			{ title: "In", left: true, kind: "text", value: whereOf },
		], { name: "hot spots", rows: hot.rows, sort: [2, true], pick: (row) => { if (row.region >= 0) choosePart(partOf.get(row.region * 2) || partOf.get(row.region * 2 + 1)); },
			isChosen: (row) => row.region >= 0 && !!chosen.part && chosen.part.region === row.region,
			filter: (row) => matchesAt(whereOf(row) + " " + row.function + " " + row.place, splitWords(filters.region), row.file, row.line, row.line) ||
				(row.region >= 0 && isRegionWanted(row.region, regions[row.region].construct)) });
		filtered.region.push(() => table.refresh());
		const plural = (n, noun) => grouped(n) + " " + noun + (n === 1 ? "" : "s");
		const lacks = [hot.lost ? plural(hot.lost, "sample") + " found no room, as a thread had no event for long: their function is not known." : "",
			hot.own ? plural(hot.own, "more sample") + " in kinst's own code, which counts accesses and times regions, left out." : "",
			hot.stopped ? plural(hot.stopped, "thread") + " sampled at the beginning only, as sampling all of it would take more than 1 % longer." : "",
			hot.leftOut ? plural(hot.leftOut, "more function") + " with fewer samples are not in the page." : ""].filter(Boolean);
		section("hot", "Hot spots", h("p", { class: "soft" }, "Functions by processor time in user mode: " + plural(hot.samples, "sample") + ", one each " + time(hot.period) + " of a thread's. Choose one to see its region's threads."),
			lacks.map((text) => h("p", { class: "note" }, text)), table.box);
	}

	// ---- tables of other sections ----

	const columnTips = {
		"loads": "times", "stores": "times", "atomics": "atomic operations", "accesses": "loads and stores that could not be told apart, or all", "bytes": "of all these accesses",
		"threads": "how many threads access the object", "min": "accesses of the thread with least", "avg": "accesses of a thread in the mean", "max": "accesses of the thread with most",
		"imbal": "what the busiest thread has above the average, of its own accesses", "class": "how threads share the object (README)",
	};

	// A table as the section has it: search, sort, and the filters of regions and objects.
	function plainTable(t, note) {
		const at = (title) => t.columns.findIndex((c) => c.title === title), object = at("object"), region = at("region"), thread = at("TID"),
			from = at("begin") < 0 ? at("line") : at("begin"), to = at("end") < 0 ? from : at("end");
		const isModelled = (title) => /misses/.test(title), isFile = (title) => /file$/.test(title);
		const titleOf = (c) => (c.title || t.tag) + (c.kind === "share" && !c.title.includes("%") ? " %" : c.kind === "time" ? " (s)" : "");
		// lines that are not known, and columns of which nothing is
		const valueOf = (c, v) => ["begin", "end", "line", "source line"].includes(c.title) && Number(v) === 0 && v !== "" ? null : v;
		const isThere = (c, i) => t.rows.some((row) => !isMissing(row[i]) && row[i] !== "");
		const table = searchable(t.columns.map((c, i) => ({ isThere: isThere(c, i), title: titleOf(c), kind: c.kind, left: c.kind === "text", value: (row) => valueOf(c, row[i]),
			cell: isFile(c.title) ? (row) => isMissing(row[i]) ? "-" : String(row[i]).replace(/^.*\//, "") : undefined,
			tip: [columnTips[c.title], isModelled(c.title) ? "modelled" : note].filter(Boolean).join("\n") })).filter((c) => c.isThere), { name: t.tag || t.heading, rows: t.rows, filter: (row) =>
			(object < 0 || isObjectWanted(String(row[object]))) && (region < 0 || matchesAt(row.join(" "), splitWords(filters.region), row[at("file")], row[from], row[to])) && (thread < 0 || isThreadWanted(String(row[thread]))) });
		for (const key of ["object", "region"]) filtered[key].push(() => table.refresh());
		if (thread >= 0) {
			threadFilters.push(() => table.refresh());
			filtered.thread.push(() => table.refresh());
		}
		return h("div", {}, h("h3", {}, sentence(t)), table.box);
	}
	const sentence = (t) => {
		const text = t.heading ? t.heading.replace(/:$/, "") : t.tag;
		return text.charAt(0).toUpperCase() + text.slice(1);
	};

	// A map of heat: names of rows and columns, value(r, c) from 0 to 1 or null, text and tip.
	function heatMap(name, rowNames, columnNames, value, text, tip) {
		return h("div", { class: "plot" }, h("table", { class: "heat", "aria-label": name },
			h("thead", {}, h("tr", {}, h("th"), columnNames.map((c) => h("th", { scope: "col", "data-tip": c }, middle(c))))),
			h("tbody", {}, rowNames.map((r, i) => h("tr", {}, h("th", { scope: "row", class: "left", "data-tip": r }, middle(r)), columnNames.map((c, k) => {
				const v = value(i, k);
				return h("td", { style: isMissing(v) ? "" : "background:color-mix(in srgb,var(--heat) " + (8 + 85 * v).toFixed(1) + "%,var(--back))" + (v > 0.6 ? ";color:var(--back)" : ""),
					"data-tip": r + ", " + c + "\n" + tip(i, k) }, text(i, k));
			}))))));
	}

	const MOST_HEAT = 40;
	const placeByTag = new Map(regions.map((r, i) => [tagOf(i), tagOf(i) + " " + constructs[r.construct].name + " " + r.place]));
	function objectHeat(t) {
		const at = (title) => t.columns.findIndex((c) => c.title === title);
		const kinds = t.columns.map((c, i) => ({ title: c.title, i })).filter(({ title, i }) => t.columns[i].kind === "count" &&
			!["begin", "end", "line", "threads", "min", "avg", "max"].includes(title) && t.rows.some((row) => row[i]));
		if (at("object") < 0 || at("region") < 0 || !kinds.length) return null;
		const box = h("div", {}), best = kinds.find((k) => k.title === P.trafficCost) || kinds.find((k) => k.title === "bytes") || kinds[0];
		const select = h("select", { "aria-label": "what the colours are", onchange: () => draw() }, kinds.map((k) => h("option", { value: k.i, selected: k === best }, k.title)));
		const draw = () => {
			const i = Number(select.value), sums = new Map(), objects = new Map(), places = new Map();
			for (const row of t.rows) {
				const object = String(row[at("object")]), type = row[at("type")], region = placeByTag.get(row[at("region")]) || [row[at("region")], type].filter(Boolean).join(" ") || "(serial)", v = Number(row[i] || 0);
				if (!isObjectWanted(object) || !matches(row.join(" "), splitWords(filters.region))) continue;
				objects.set(object, (objects.get(object) || 0) + v);
				places.set(region, (places.get(region) || 0) + v);
				const key = region + "\n" + object;
				sums.set(key, (sums.get(key) || 0) + v);
			}
			const top = (map) => [...map].sort((a, b) => b[1] - a[1]).slice(0, MOST_HEAT).map(([name]) => name);
			const rowNames = top(places), columnNames = top(objects), most = Math.max(1, ...sums.values());
			const get = (r, c) => sums.get(rowNames[r] + "\n" + columnNames[c]);
			const left = places.size - rowNames.length + objects.size - columnNames.length;
			box.replaceChildren(heatMap("regions and objects", rowNames, columnNames, (r, c) => isMissing(get(r, c)) ? null : Math.sqrt(get(r, c) / most),
				(r, c) => isMissing(get(r, c)) ? "" : short(get(r, c)), (r, c) => isMissing(get(r, c)) ? "no access" : grouped(get(r, c)) + " " + select.selectedOptions[0].text + "\n" +
					(/misses/.test(select.selectedOptions[0].text) ? "modelled" : certainty.data)),
			left > 0 ? h("p", { class: "soft" }, left + " more regions and objects are in the table") : "");
		};
		draw();
		filtered.object.push(draw);
		filtered.region.push(draw);
		return h("div", {}, h("h3", {}, "Regions × objects"), h("div", { class: "tools" }, h("label", {}, "colour: ", select)), box);
	}
	function short(n) {
		for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) if (n >= size) return Number((n / size).toPrecision(3)) + " " + unit;
		return String(n);
	}

	function objectThreads() {
		if (!P.objectThreads || !P.objectThreads.length) return null;
		const isNamed = (o) => !["(other)", "(stack)"].includes(o.object), size = (o) => o.rows.reduce((sum, row) => sum + Number(row[4] || 0), 0);
		P.objectThreads.sort((a, b) => isNamed(b) - isNamed(a) || size(b) - size(a));
		const box = h("div", {});
		const select = h("select", { id: "object-of-threads", "aria-label": "object", onchange: () => draw() });
		const draw = () => {
			const o = P.objectThreads[Number(select.value)];
			if (!o) {
				box.replaceChildren(h("p", { class: "soft" }, "nothing"));
				return;
			}
			const used = P.trafficTitles.map((_, k) => o.rows.some((row) => row[k + 1]));
			const of = o.rows.some((row) => row[4]) ? 3 : 0, most = Math.max(1, ...o.rows.map((row) => row[of + 1] || 0));
			const table = new Table([
				{ title: "Thread", left: true, kind: "text", value: (row) => threads[row[0]] },
				{ title: P.trafficTitles[of], unsortable: true, class: "bar", value: (row) => row[of + 1], tipOf: () => "", cell: (row) => stack([{ ns: row[of + 1] || 0, color: "work", name: P.trafficTitles[of] }], most, true) },
				...P.trafficTitles.map((title, k) => ({ title, kind: "count", value: (row) => row[k + 1], tip: /misses/.test(title) ? "modelled" : certainty.data })).filter((_, k) => used[k]),
			], { name: "threads of " + o.object, rows: o.rows, filter: (row) => isThreadWanted(threads[row[0]]) });
			box.replaceChildren(table.element);
			refresh = () => table.refresh();
		};
		let refresh = () => {};
		const fill = () => {
			select.replaceChildren(...P.objectThreads.map((o, i) => [o, i]).filter(([o]) => isObjectWanted(o.object)).map(([o, i]) => h("option", { value: i }, o.object)));
			draw();
		};
		fill();
		filtered.object.push(fill);
		threadFilters.push(() => refresh());
		filtered.thread.push(() => refresh());
		return h("div", {}, h("h3", {}, "Threads of an object"), h("div", { class: "tools" }, h("label", {}, "object: ", select)), box);
	}

	function histograms() {
		if (!P.histograms || !P.histograms.length) return null;
		const box = h("div", {});
		const select = h("select", { "aria-label": "object and kind", onchange: () => draw() });
		const draw = () => {
			const o = P.histograms[Number(select.value)];
			if (!o) {
				box.replaceChildren(h("p", { class: "soft" }, "nothing"));
				return;
			}
			const n = o.n.reduce((a, b) => a + b, 0), most = Math.max(1, ...o.n), first = o.n.findIndex((v) => v);
			box.replaceChildren(h("table", { class: "histogram", "aria-label": "latencies of " + o.kind + " of " + o.object }, h("thead", {}, h("tr", {}, h("th", { class: "left" }, h("span", { class: "plain" }, run.sampleLatencies || "latency")),
				h("th", {}, h("span", { class: "plain" }, "samples")), h("th", {}, h("span", { class: "plain" }, "")))), h("tbody", {}, o.n.map((v, i) => i < first ? null : h("tr", {},
				h("td", { class: "left" }, o.least[i] + (o.least[i + 1] > o.least[i] + 1 ? "–" + (o.least[i + 1] - 1) : "")), h("td", { "data-tip": grouped(v) + " of " + grouped(n) + " samples\n" + certainty.sample }, grouped(v)),
				h("td", { style: "width:70%" }, stack([{ ns: v, color: "work", name: "samples" }], most, true)))))));
		};
		const fill = () => {
			select.replaceChildren(...P.histograms.map((o, i) => [o, i]).filter(([o]) => isObjectWanted(o.object)).map(([o, i]) => h("option", { value: i }, o.object + ", " + o.kind)));
			draw();
		};
		fill();
		filtered.object.push(fill);
		return h("div", { id: "latencies" }, h("h3", {}, "How long accesses took"), h("div", { class: "tools" }, h("label", {}, "of: ", select)), box);
	}

	// The matrix of NUMA nodes, or of threads in their place: a row is what was accessed from one of them.
	function numaMatrix(t) {
		const at = (title) => t.columns.findIndex((c) => c.title === title), first = Math.max(at("accesses"), at("accesses +-")) + 1;
		const places = t.columns.map((c, i) => i).filter((i) => i >= first && t.columns[i].kind === "count");
		if (!first || !places.length || at("from") < 0) return null;
		const box = h("div", {}), draw = () => {
			const rows = t.rows.filter((row) => at("object") < 0 || isObjectWanted(String(row[at("object")])));
			const whole = rows.map((row) => places.reduce((sum, i) => sum + Number(row[i] || 0), 0));
			const share = (r, c) => whole[r] > 0 && !isMissing(rows[r][places[c]]) ? Number(rows[r][places[c]]) / whole[r] : null;
			box.replaceChildren(heatMap("from where to where", rows.map((row) => (at("object") < 0 ? "" : row[at("object")] + " ") + "from " + row[at("from")]), places.map((i) => t.columns[i].title), share,
				(r, c) => isMissing(share(r, c)) ? "-" : (100 * share(r, c)).toFixed(1) + " %",
				(r, c) => isMissing(share(r, c)) ? "not known" : grouped(rows[r][places[c]]) + " of " + grouped(whole[r]) + " accesses\n" + certainty.sample));
		};
		draw();
		filtered.object.push(draw);
		return h("div", { id: "numa-matrix" }, h("h3", {}, sentence(t)), box);
	}

	// ---- fields of structures ----

	const FIELD_LINE = 64, MOST_FIELD_LINES = 32;

	// A structure as the cache lines that it takes when it begins with one: each member is as wide as its bytes, and darker
	// with more accesses; one in an array of structures stands at its first place.
	function structureMap(t) {
		const at = (title) => t.columns.findIndex((c) => c.title === title), number = (row, title) => Number(row[at(title)] || 0);
		if (!t.rows.length) return null;
		const uses = t.rows.map((row) => number(row, "loads") + number(row, "stores") + number(row, "atomics")), most = Math.max(1, ...uses);
		const end = Math.max(...t.rows.map((row) => number(row, "offset") + number(row, "bytes")));
		const lines = Array.from({ length: Math.min(MOST_FIELD_LINES, Math.ceil(end / FIELD_LINE)) }, () => []);
		t.rows.forEach((row, i) => {
			const name = String(row[at("member")]), first = number(row, "offset"), behind = first + number(row, "bytes");
			if (row[at("kind")] === "union" && t.rows.some((other, k) => k < i && number(other, "offset") === first && uses[k] >= uses[i])) return;
			lines.forEach((boxes, line) => {
				const from = Math.max(first, line * FIELD_LINE), to = Math.min(behind, (line + 1) * FIELD_LINE), v = Math.sqrt(uses[i] / most);
				if (from >= to) return;
				boxes.push(h("i", { class: row[at("kind")] === "padding" ? "padding" : "",
					style: "left:" + (from % FIELD_LINE) * 100 / FIELD_LINE + "%;width:" + (to - from) * 100 / FIELD_LINE + "%;" +
						(row[at("kind")] === "padding" ? "" : "background:color-mix(in srgb,var(--heat) " + (8 + 85 * v).toFixed(1) + "%,var(--back))" + (v > 0.6 ? ";color:var(--back)" : "")),
					title: name + ", " + row[at("member type")] + ": bytes " + first + " to " + (behind - 1) + (number(row, "places") > 1 ? ", in " + row[at("places")] + " places" : "") + "\n" +
						grouped(number(row, "loads")) + " loads, " + grouped(number(row, "stores")) + " stores: " + row[at("use")] }, name));
			});
		});
		return h("div", {}, h("h3", {}, row0(t, "object") + ": " + row0(t, "structure")), h("div", { class: "structure", role: "img",
			"aria-label": "members of " + row0(t, "structure") + ", as the table below has them" }, lines.map((boxes) => h("div", {}, boxes))));
	}
	function row0(t, title) { return String(t.rows[0][t.columns.findIndex((c) => c.title === title)]); }

	function dataSections() {
		const data = tables("data"), memory = [...tables("memory"), ...tables("lines")], numa = [...tables("touch"), ...tables("numa")];
		const real = (list) => list.filter((t) => t.rows.length && t.columns.length);
		if (real(data).length) {
			const byRegion = tableOf("data", "data objects by region");
			section("data", "Data", h("p", { class: "soft" }, certainty.data), byRegion ? objectHeat(byRegion) : null, objectThreads(), real(data).map((t) => plainTable(t, certainty.data)));
		}
		const fields = real(tables("fields"));
		if (fields.length) section("fields", "Fields of structures", h("p", { class: "soft" }, "Each line is one cache line; the darker a member, the more accesses. " + certainty.data),
			fields.map((t) => [t.tag === "structure members" ? structureMap(t) : null, plainTable(t, certainty.data)]));
		if (real(memory).length) section("memory", "Memory accesses", h("p", { class: "soft" }, certainty.sample), histograms(), real(memory).map((t) => plainTable(t, certainty.sample)));
		if (real(numa).length) section("numa", "First touches and NUMA", real(numa).map((t) => t.tag === "numa matrix" ? numaMatrix(t) || plainTable(t, certainty.sample) : plainTable(t, certainty.sample)));
	}

	// ---- pages of memory, over time and by threads ----

	const N_COLORS = 12, STRENGTHS = 8; // of threads (color.def); shades

	function pageMapSection() {
		const map = P.pageMap;
		if (!map) return;
		if (map.error) return section("page-map", "Pages over time", h("p", { class: "note" }, map.file + ": " + map.error));
		const how = (map.hasTold ? "found by " : "counted by ") + map.method + (map.hasTold ? ", where a page that the kernel tells to be written is one access" : "") + (map.unseen ? "; not seen: " + map.unseen : "");
		const lacks = [map.isWhole ? "" : "the run did not come to its end: the trace ends with what was written last",
			map.leftOut ? grouped(map.leftOut) + " uses of pages are left out, as the trace had reached its limit (OMPP_PAGES_LIMIT)" : "",
			map.objectsLeftOut ? grouped(map.objectsLeftOut) + " more objects have no pictures of their own here; ompp pages --view=heat --object=NAME shows them" : "",
			map.damaged ? grouped(map.damaged) + " bytes of the trace are damaged or cut off" : ""].filter(Boolean);
		const threadName = (key) => key < 0 ? "a thread that is not known" : "thread " + key, keyColor = (key) => key < 0 ? "unsure" : "one-" + key % N_COLORS;
		const number = (list, c) => Number((list && list[c]) || 0), name = (o) => isMissing(o) ? "all pages" : o;
		const box = h("div", {}), select = h("select", { id: "page-map-object", "aria-label": "pages of", onchange: () => draw() });
		const sizeText = (row) => !row.sized ? "" : " of " + show("range", row.pageBytes) + " bytes" + (row.sized === row.pages ? "" : " (known of " + grouped(row.sized) + ")");
		const rowText = (row) => (row.object || "-") + ", " + row.first + " to " + row.last + ": " + grouped(row.pages) + (row.pages > 1 ? " pages" : " page") + sizeText(row);

		// What a cell of a picture of accesses is.
		const accessesText = (grid, columnText) => (r, c) => rowText(grid.rows[r]) + "\n" + columnText(c) + ": " + (number(grid.rows[r].accesses, c) ? grouped(number(grid.rows[r].accesses, c)) + " accesses" +
			(grid.rows[r].keys ? ", most by " + threadName(grid.rows[r].keys[c]) : "") : "no access") + "\n" + how;

		// The matrix of threads and threads as a grid: its numbers are the pages that both use.
		function matrixOf(sharing) {
			const n = sharing.threads, rows = Array.from({ length: n }, (_, a) => ({ object: "thread " + a, accesses: new Array(n).fill(0), written: new Array(n).fill(0) }));
			for (const [a, b, pages, written] of sharing.pairs.map((pair) => pair.map(Number))) {
				rows[a].accesses[b] = rows[b].accesses[a] = pages;
				rows[a].written[b] = rows[b].written[a] = written;
			}
			return { rows, columns: n, isSquare: true };
		}
		function matrix(sharing) {
			const title = "Pages that each two threads both use" + (sharing.threadsLeftOut ? "; " + sharing.threadsLeftOut + " more threads are left out, and ompp pages --view=sharing --svg=FILE draws them" : "");
			if (!sharing.pairs.length) return h("div", {}, h("h3", {}, title), h("p", { class: "soft" }, "no two threads are known to use the same page"));
			const grid = matrixOf(sharing);
			return picture("page-sharing", title, grid, () => "heat", (a, b) => a === b ? "thread " + a + " itself" : "threads " + a + " and " + b + ": " +
				(grid.rows[a].accesses[b] ? grouped(grid.rows[a].accesses[b]) + (grid.rows[a].accesses[b] === 1 ? " page, " : " pages, ") + grouped(grid.rows[a].written[b]) + " of them written" : "no page of both") +
				"\ncounted by " + map.method, ["thread 0", "thread " + (sharing.threads - 1)]);
		}

		// A canvas with a row for some pages, whose cells are times or threads; or one with a row for each thread.  Its left
		// axis has objects and addresses, its lower one the texts of ends, evenly.
		function picture(id, title, grid, colorOf, cellText, ends) {
			const most = Math.max(1, ...grid.rows.flatMap((row) => row.accesses.map(Number)));
			const strength = (n) => n > 0 ? Math.max(1, STRENGTHS - Math.floor(Math.log2(most / n))) : 0;
			const high = Math.max(3, Math.min(grid.isSquare ? 24 : 14, Math.floor(420 / Math.max(1, grid.rows.length))));
			const canvas = h("canvas", { id, tabindex: "0", role: "img", "aria-label": title + ": the arrow keys go through its cells" });
			const axis = h("div", { class: "axis" }, ends.map((text) => h("span", {}, text)));
			let at = null, left = 0;
			const wideIn = (width) => Math.min(grid.isSquare ? high : width, (width - left) / grid.columns);
			function paint() {
				const width = canvas.clientWidth || 600, height = grid.rows.length * high, c = ompp.context(canvas, width, height);
				left = width > 500 ? 140 : 0;
				const wide = wideIn(width), colors = new Map();
				c.fillStyle = color("panel");
				c.fillRect(left, 0, wide * grid.columns, height);
				axis.style.marginLeft = left + "px";
				axis.style.width = wide * grid.columns + "px";
				let named = -1;
				c.font = "11px sans-serif";
				grid.rows.forEach((row, r) => {
					row.accesses.forEach((n, k) => {
						const s = strength(Number(n));
						if (!s) return;
						c.globalAlpha = 0.15 + 0.85 * s / STRENGTHS;
						const name = colorOf(row, k);
						if (!colors.has(name)) colors.set(name, color(name));
						c.fillStyle = colors.get(name);
						const x = Math.floor(left + k * wide); // no seams between cells
						c.fillRect(x, r * high, Math.max(1, Math.floor(left + (k + 1) * wide) - x), high);
					});
					c.globalAlpha = 1;
					const isNew = !r || row.object !== grid.rows[r - 1].object, isFree = named < 0 || (r - named) * high >= 12;
					if (left && isFree && (isNew || (row.first && (r - named) * high >= 24))) {
						c.fillStyle = color(isNew ? "ink" : "soft");
						c.fillText(isNew ? row.object : row.first, 2, r * high + 10, left - 6);
						named = r;
					}
				});
				if (at && document.activeElement === canvas) {
					c.strokeStyle = color("link");
					c.lineWidth = 2;
					c.strokeRect(left + at.c * wide, at.r * high, Math.max(3, wide), high);
				}
			}
			const cellAt = (event) => {
				const rect = canvas.getBoundingClientRect(), wide = wideIn(rect.width);
				const r = Math.floor((event.clientY - rect.top) / high), k = Math.floor((event.clientX - rect.left - left) / wide);
				return r >= 0 && r < grid.rows.length && k >= 0 && k < grid.columns ? { r, c: k } : null;
			};
			canvas.addEventListener("mousemove", (event) => {
				const cell = cellAt(event);
				ompp.showTip(cell ? cellText(cell.r, cell.c) : "", event.clientX, event.clientY);
			});
			canvas.addEventListener("mouseleave", () => ompp.showTip(""));
			canvas.addEventListener("blur", paint);
			canvas.addEventListener("keydown", (event) => {
				const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
				if (!step || !grid.rows.length) return;
				event.preventDefault();
				at = at ? { r: Math.max(0, Math.min(grid.rows.length - 1, at.r + step[0])), c: Math.max(0, Math.min(grid.columns - 1, at.c + step[1])) } : { r: 0, c: 0 };
				paint();
				const rect = canvas.getBoundingClientRect();
				ompp.showTip(cellText(at.r, at.c), rect.left + left + (at.c + 0.5) * wideIn(rect.width), rect.top + at.r * high);
			});
			ompp.redrawn(canvas, paint);
			requestAnimationFrame(paint);
			return h("div", {}, h("h3", {}, title), canvas, axis);
		}

		const draw = () => {
			const one = map.pictures[Number(select.value)];
			if (!one || !one.time || !one.threads) return box.replaceChildren(h("p", { class: "soft" }, "nothing"));
			if (!one.time.rows.length) return box.replaceChildren(h("p", { class: "soft" }, "no use of pages"));
			const { time: overTime, threads: byThread } = one, step = (overTime.to - overTime.from) / overTime.columns;
			const used = [...new Set(overTime.rows.flatMap((row) => (row.keys || []).filter((_, c) => number(row.accesses, c))))].sort((a, b) => a - b);
			const sum = (row) => row.accesses.reduce((all, n) => all + Number(n), 0);
			const rows = overTime.rows.map((row, r) => ({ ...row, total: sum(byThread.rows[r]), by: byThread.rows[r].accesses.map((n, t) => [Number(n), t]).filter(([n]) => n),
				times: row.accesses.map((n, c) => [Number(n), c]).filter(([n]) => n).map(([, c]) => c) }));
			const table = searchable([
				{ title: "Object", left: true, kind: "text", value: (row) => row.object },
				{ title: "First page", left: true, kind: "text", value: (row) => row.first, tipOf: rowText },
				{ title: "Pages", kind: "count", value: (row) => row.pages },
				{ title: "Accesses", kind: "count", value: (row) => row.total, tip: how },
				{ title: "Threads", kind: "count", value: (row) => row.by.length, tipOf: (row) => "used by " + row.by.map(([, t]) => "thread " + t).join(", ") + "\n" + how },
				{ title: "Most by", left: true, kind: "text", value: (row) => row.by.length ? "thread " + row.by.reduce((a, b) => b[0] > a[0] ? b : a)[1] : null },
				{ title: "From (s)", kind: "time", value: (row) => row.times.length ? Math.round(overTime.from + step * row.times[0]) : null, tip: "of the run, to " + time(step) },
				{ title: "To (s)", kind: "time", value: (row) => row.times.length ? Math.round(overTime.from + step * (row.times[row.times.length - 1] + 1)) : null, tip: "of the run, to " + time(step) },
				{ title: "Page bytes", kind: "range", value: (row) => row.pageBytes, tipOf: rowText },
			], { name: "pages of " + name(one.object), rows });
			box.replaceChildren(legend(used.slice(0, 24).map((key) => ({ name: threadName(key), color: keyColor(key) }))),
				h("div", { class: "panes" }, picture("page-times", "Over time: " + time(overTime.from) + " to " + time(overTime.to) + " of the run", overTime, (row, c) => keyColor(row.keys[c]),
					accessesText(overTime, (c) => time(overTime.from + c * step) + " to " + time(overTime.from + (c + 1) * step)),
					[0, 0.25, 0.5, 0.75, 1].map((share) => seconds(overTime.from + share * step * overTime.columns).slice(0, -6) + " s")),
				picture("page-threads", "By threads 0 to " + (byThread.columns - 1) + (byThread.columnsLeftOut ? "; " + byThread.columnsLeftOut + " more are left out" : ""), byThread, (_, c) => keyColor(c), accessesText(byThread, (c) => "thread " + c), ["thread 0"].concat(byThread.columns > 1 ? "thread " + (byThread.columns - 1) : [])), one.sharing ? matrix(one.sharing) : []), table.box);
		};
		const fill = () => {
			select.replaceChildren(...map.pictures.map((one, i) => [one, i]).filter(([one]) => isMissing(one.object) || isObjectWanted(one.object)).map(([one, i]) => h("option", { value: i }, name(one.object))));
			draw();
		};
		fill();
		filtered.object.push(fill);
		section("page-map", "Pages over time", h("p", { class: "soft" }, "From top to bottom: pages in the order of their addresses, without the gaps between them; beside them their object, or the address of the first page of the row. A colour is the thread with most accesses; each lighter shade is half as many. They are " + how +
			(map.interval ? "; a use is known to within " + time(map.apart) + (map.longest > map.apart ? ", a few to " + time(map.longest) : "") +
				(map.ahead ? "; loops that are counted as a whole went on up to " + time(map.ahead) + " behind that" : "") + ": of uses that overlap in time the order is not known" : "")), lacks.map((text) => h("p", { class: "note" }, text)), h("div", { class: "tools" }, h("label", {}, "pages of: ", select)), box);
	}

	// ---- ranks ----

	// Returns what each rank spent in a part of the program, the sum of its threads; null when the page has no threads of it.
	function ofRanks(part, ranks, measure) {
		const cells = decodeCells(P.threads[part.i]), values = new Array(ranks.length).fill(null);
		for (const cell of cells ?? []) {
			const rank = ranks.index.get(cell.label.split(":")[0]);
			values[rank] = (values[rank] ?? 0) + measure(part, cell);
		}
		return cells && values;
	}

	function ranksSection() {
		if (!(run.processes > 1)) return;
		const ranks = [...new Set(threads.map((label) => label.split(":")[0]))], MOST = 40;
		ranks.index = new Map(ranks.map((name, i) => [name, i]));
		const measures = { time: (part, cell) => known(cell.exec), body: (part, cell) => known(hasBody(part.construct) ? cell.body : cell.exec), waiting: (part, cell) => waitingOf(part.construct, cell) };
		const select = h("select", {}, Object.keys(measures).map((name) => h("option", {}, name))), box = h("div", {});
		const draw = () => {
			const wanted = parts.filter((part) => P.threads[part.i] && isRegionWanted(part.region, part.construct)).sort((a, b) => b.exec - a.exec);
			const rows = wanted.slice(0, MOST).map((part) => ({ part, name: regionText(part.region, part.construct), values: ofRanks(part, ranks, measures[select.value]), pick: () => choosePart(part, true) }));
			for (const row of rows) {
				const there = row.values.map((ns, rank) => ({ ns, rank })).filter(({ ns }) => ns !== null).sort((a, b) => a.ns - b.ns || a.rank - b.rank);
				Object.assign(row, { n: there.length, least: there[0], most: there[there.length - 1], mean: there.reduce((sum, { ns }) => sum + ns, 0) / there.length });
			}
			const tip = (row, rank) => ranks[rank] + ", " + row.name + "\n" + showFull("time", row.values[rank]) + " of all its threads; of all ranks at least " + time(row.least.ns) + " (" + ranks[row.least.rank] + "), at most " +
				time(row.most.ns) + " (" + ranks[row.most.rank] + ")\n" + certainty.time;
			const table = new Table([{ title: "Region", left: true, kind: "text", value: (row) => row.name }, { title: "Ranks", kind: "count", value: (row) => row.n },
				{ title: "Least (s)", kind: "time", value: (row) => row.least.ns }, { title: "Rank", left: true, kind: "text", value: (row) => ranks[row.least.rank] }, { title: "Mean (s)", kind: "time", value: (row) => Math.round(row.mean) },
				{ title: "Most (s)", kind: "time", value: (row) => row.most.ns }, { title: "Rank ", left: true, kind: "text", value: (row) => ranks[row.most.rank] }], { name: "ranks", rows });
			box.replaceChildren(...rows.length ? [ompp.ranks.draw(ranks, rows, tip), table.element] : [], ...wanted.length > MOST ? [h("p", { class: "note" }, "Of " + wanted.length + " regions those with most time are drawn; the filter of regions chooses others.")] : []);
			if (rows.length) table.draw();
		};
		select.addEventListener("change", draw);
		filtered.region.push(draw);
		draw();
		section("ranks", "Ranks", h("p", { class: "soft" }, "A column is a rank, a row is a region; a field is the darker the more of the most of its row the rank has, of all its threads. " + certainty.time + "."), h("div", { class: "tools" }, h("label", {}, "show: ", select)), box);
	}

	// ---- reuse ----

	function reuseSection() {
		const t = tableOf("reuse", "miss ratio by region"), sums = tableOf("reuse", "reuse by region");
		if (!t || !t.rows.length || !sums) return;
		const named = (table) => table.rows.map((values) => Object.fromEntries(table.columns.map((c, i) => [c.title, values[i]])));
		const rows = named(sums).map((r) => ({ ...r, at: regionByTag.get(r.region) }));
		const points = new Map();
		for (const r of named(t)) points.set(r.region, [...points.get(r.region) || [], { bytes: Number(r["cache bytes"]), percent: Number(r["misses (%)"]) / 1e7, error: Number(r["+-"]) / 1e7 }]);
		const box = h("div", {}), MOST = 12, name = (r) => r.at === undefined ? r.region : tagOf(r.at) + " " + r.type + " " + placeOf(r.at);
		const isWanted = (r) => points.has(r.region) && (r.at === undefined || isRegionWanted(r.at, regions[r.at].construct));
		const caches = [["L1", run.l1Bytes], ["L2", run.l2Bytes], ["L3", run.l3Bytes]].filter(([, bytes]) => bytes > 0).map(([cache, bytes]) => ({ name: cache, bytes }));
		const draw = () => {
			const wanted = rows.filter(isWanted);
			box.replaceChildren(...wanted.length ? [ompp.reuse.draw(wanted.slice(0, MOST).map((r, i) => ({ name: name(r), points: points.get(r.region), color: "one-" + i % N_COLORS,
				tip: name(r) + "\n" + showFull("count", r.accesses) + " accesses, exact\n" + (isMissing(r["needed bytes"]) ? "no size of cache has nine of ten of its misses as hits" : "needs " + ompp.reuse.size(Number(r["needed bytes"])) + " a thread"),
				pick: () => r.at !== undefined && choosePart(partOf.get(r.at * 2), true) })), caches)] : [],
			...wanted.length > MOST ? [h("p", { class: "note" }, "Of " + wanted.length + " regions those with most misses are drawn; the filter of regions chooses others.")] : []);
		};
		filtered.region.push(draw);
		draw();
		section("reuse", "Misses by size of cache", h("p", { class: "soft" }, "How many of a region's accesses would miss in a cache of each size, without first accesses: modelled from the distances between accesses to a line, of sampled lines; " +
			"a cache is one thread's own, fully associative, and LRU. Upright lines are the sizes of this machine's caches."), box);
	}

	// ---- roofline ----

	function rooflineSection() {
		const t = tableOf("roofline", "roofline by region"), machine = tableOf("roofline", "roofs");
		if (!t || !t.rows.length) return;
		const number = (v) => isMissing(v) ? null : Number(v);
		const named = (table) => table.rows.map((values) => Object.fromEntries(table.columns.map((c, i) => [c.title, values[i]])));
		const all = named(t), rows = all.filter((r) => r.object === "").map((r) => ({ ...r, at: regionByTag.get(r.region) }));
		const levels = ["L1", "L2", "L3"].filter((l) => t.columns.some((c) => c.title === "fetched below " + l + " (modelled)"));
		const titles = [["flop/byte", "GB/s", "of the program"], ...levels.map((l) => ["flop/byte below " + l + " (modelled)", "GB/s below " + l + " (modelled)", "below " + l + " (modelled)"])];
		const whole = Math.max(1, ...rows.map((r) => number(r["wall time"]) || 0));
		const busiest = rows.slice().sort((a, b) => (number(b["wall time"]) || 0) - (number(a["wall time"]) || 0))[0];
		const roofs = machine ? named(machine).map((r) => ({ ...r, rate: Number(r.rate) })) : [];
		const counts = [...new Set(roofs.map((r) => r.threads))].sort((a, b) => a - b), threadsOf = counts.find((n) => n >= busiest.threads) ?? counts[counts.length - 1];
		const wanted = roofs.filter((r) => r.threads === threadsOf);
		const roofTip = (r) => r.roof + ": " + show("decimal", r.rate) + " " + r.unit + ", " + r.threads + (r.threads === 1 ? " thread" : " threads") + "\nmeasured; the median of its repeats is " + show("decimal", r["spread (%)"]) + " % lower";
		const select = h("select", { id: "roofline-level", "aria-label": "bytes", onchange: () => draw() }, titles.map(([, , text], i) => h("option", { value: i, selected: i === titles.length - 1 }, text)));
		const box = h("div", {});
		const tipOf = (r, k) => tagOf(r.at) + " " + r.type + " " + placeOf(r.at) + "\n" + showFull("count", r.flops) + " flops, exact\n" + show("decimal", r[titles[k][0]]) + " flop/byte " + titles[k][2] +
			"\n" + show("decimal", r["Gflop/s"]) + " Gflop/s, " + show("decimal", r[titles[k][1]]) + " GB/s; times of " + r["times of"] + "\n" + show("time", r["wall time"]) + " s\nroof: " + r.roof +
			(isMissing(r["of roof (%)"]) ? "" : ", " + show("decimal", r["of roof (%)"]) + " % of it") + "\nbound by: " + r["bound by"];
		const draw = () => {
			const k = Number(select.value);
			box.replaceChildren(ompp.roofline(rows.filter((r) => isRegionWanted(r.at, regions[r.at].construct)).map((r, i) => ({ x: Number(r[titles[k][0]]), y: number(r["Gflop/s"]), weight: (number(r["wall time"]) || 0) / whole,
				tip: tipOf(r, k), color: "one-" + i % N_COLORS, pick: () => choosePart(partOf.get(r.at * 2), true) })),
			wanted.filter((r) => r.unit === "Gflop/s").map((r) => ({ name: r.roof, rate: r.rate, tip: roofTip(r) })), wanted.filter((r) => r.unit === "GB/s" && !r.roof.endsWith(" small")).map((r) => ({ name: r.roof, rate: r.rate, tip: roofTip(r) }))));
		};
		const table = searchable([
			{ title: "Region", left: true, kind: "text", value: (r) => r.region },
			{ title: "Place", left: true, kind: "text", value: (r) => placeOf(r.at) },
			{ title: "Flops", kind: "count", value: (r) => number(r.flops), tip: certainty.count },
			{ title: "Bytes", kind: "count", value: (r) => number(r.bytes), tip: certainty.data },
			...titles.map(([title, , text]) => ({ title: "Flop/byte " + text, kind: "decimal", value: (r) => r[title] })),
			{ title: "Time (s)", kind: "time", value: (r) => number(r["wall time"]), tipOf: (r) => showFull("time", number(r["wall time"])) + "\nwall-clock time of " + r["times of"] },
			{ title: "Gflop/s", kind: "decimal", value: (r) => r["Gflop/s"] },
			{ title: "GB/s", kind: "decimal", value: (r) => r["GB/s"] },
			{ title: "Roof", left: true, kind: "text", value: (r) => r.roof },
			{ title: "% of it", kind: "decimal", value: (r) => r["of roof (%)"] },
			{ title: "Bound by", left: true, kind: "text", value: (r) => r["bound by"] },
		], { name: "roofline", rows, filter: (r) => isRegionWanted(r.at, regions[r.at].construct), pick: (r) => choosePart(partOf.get(r.at * 2), false) });
		filtered.region.push(() => { table.refresh(); draw(); });
		draw();
		const unmatched = tableOf("roofline", "roofline without times");
		section("roofline", "Roofline", h("p", { class: "soft" }, "A dot is a region: as large as its time, as far to the right as it does operations for each byte, as high as it does them a second; the machine cannot be above its roofs. " +
			"Operations and bytes of the program are counted, exact; those below caches are modelled. " + (rows.some((r) => r["times of"] !== "-") ? "" : "A dashed line is a region whose time is not known: ompp report --times=FILE joins those of a run without hooks. ") +
			(machine ? machine.heading.replace(/:$/, ".") : "The machine's roofs are not known: 'ompp machine' measures them.")),
		unmatched ? unmatched.rows.map(([text]) => h("p", { class: "note" }, text)) : [],
		h("div", { class: "tools" }, h("label", {}, "bytes: ", select)), box, table.box);
	}

	// ---- efficiency ----

	// From 80 % on an efficiency is good.
	function efficiencySection() {
		const run = tableOf("efficiency", "efficiency of the run"), regionsOf = tableOf("efficiency", "efficiency by region");
		if (!run) return;
		const shade = (v) => isMissing(v) ? null : "background:color-mix(in srgb, var(--" + (v >= 80 ? "good" : "bad") + ") " + Math.round(60 * Math.min(1, Math.abs(v - 80) / (v >= 80 ? 20 : 50))) + "%, transparent)";
		section("efficiency", "Efficiency", h("p", { class: "soft" }, run.heading + " each efficiency is the product of those one step below it; ompp-efficiency(7) has the formulas."),
			h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "efficiencies" }, h("table", { class: "heat", "aria-label": "efficiencies" }, h("tbody", {},
				run.rows.map(([title, depth, share, , known, words]) => [title, depth, isMissing(share) ? null : share / 1e7, known, words]).map(([title, depth, share, known, words]) => h("tr", {}, h("th", { class: "left", scope: "row", style: "padding-left:" + 1.2 * depth + "rem" }, title),
					h("td", { class: "number", style: shade(share), tabindex: "0", "data-tip": known }, isMissing(share) ? "-" : share.toFixed(2) + " %"), h("th", { class: "left" }, words)))))),
			regionsOf ? plainTable(regionsOf, certainty.time) : null);
	}

	// ---- source ----

	function sourceSection() {
		if (!P.sources || !P.sources.length) return;
		const files = P.sources, hasSamples = files.some((f) => f.sums && f.sums.some((sum) => sum.samples !== undefined));
		// The first part of the region that begins at a line is chosen with it.
		const partAt = new Map(), key = (file, line) => file + "\n" + line;
		for (const part of parts) {
			const r = regions[part.region], k = key(r.file, r.begin);
			if (r.file && r.begin && !partAt.has(k)) partAt.set(k, part);
		}
		const hotAt = new Map(), hasHot = files.some((f) => f.hot.length);
		for (const f of files) for (const [line, n, ns, error] of f.hot) hotAt.set(key(f.file, line), { n: Number(n), ns: Number(ns), error: Number(error) });
		const select = h("select", { id: "source-file", "aria-label": "source file", onchange: () => draw() }, files.map((f, i) => h("option", { value: i }, f.file + (f.lines ? "" : " (" + f.why + ")"))));
		const box = h("div", {});
		let table = null, rows = [];
		const draw = () => {
			const f = files[Number(select.value)];
			table = null;
			if (!f.lines) {
				box.replaceChildren(h("p", { class: "note" }, f.file + ": " + f.why));
				return;
			}
			const sums = new Map(f.sums.map((sum) => [sum.line, sum]));
			rows = f.lines.map((text, i) => ({ n: i + 1, text, part: partAt.get(key(f.file, i + 1)), hot: hotAt.get(key(f.file, i + 1)), ...sums.get(i + 1) }));
			table = new Table([
				{ title: "Line", kind: "count", value: (row) => row.n, unsortable: true },
				{ title: "Time (s)", kind: "time", value: (row) => row.exec, unsortable: true, cell: (row) => row.exec === undefined ? "" : show("time", row.exec),
					tipOf: (row) => row.exec === undefined ? "" : showFull("time", row.exec) + " of all threads, in the regions that begin here\n" + certainty.time },
				{ title: "Waiting (s)", kind: "time", value: (row) => row.waiting, unsortable: true, cell: (row) => row.exec === undefined ? "" : show("time", row.waiting), tipOf: (row) => row.exec === undefined ? "" : showFull("time", row.waiting) },
				{ title: "Times", kind: "count", value: (row) => row.count, unsortable: true, cell: (row) => row.count === undefined ? "" : show("count", row.count), tipOf: () => certainty.count },
				...(hasHot ? [{ title: "CPU (s)", kind: "time", value: (row) => row.hot?.ns, unsortable: true, class: "hot", tip: "processor time of the line itself, in all regions\n" + hotTip,
					cell: (row) => row.hot ? show("time", row.hot.ns) + "~" : "", tipOf: (row) => row.hot ? showFull("time", row.hot.ns) + plusMinus(row.hot.error) + ", " + grouped(row.hot.n) + (row.hot.n === 1 ? " sample\n" : " samples\n") + hotTip : "" }] : []),
				...(hasSamples ? [{ title: "Samples", kind: "count", value: (row) => row.samples, unsortable: true, cell: (row) => row.samples === undefined ? "" : show("count", row.samples), tipOf: () => certainty.sample }] : []),
				{ title: "Source", left: true, value: (row) => row.text, unsortable: true, class: "code", cell: (row) => row.text, tipOf: () => "" },
			], { name: "source", class: "source", rows, pick: (row) => { if (row.part) choosePart(row.part); }, isChosen: (row) => !!row.part && chosen.part === row.part });
			box.replaceChildren(f.changed ? h("p", { class: "note" }, "This file was changed after the run began: its lines may not be those of the program.") : "", table.element);
			const wanted = rows.find((row) => row.part && row.part === chosen.part) || rows.find((row) => row.part);
			if (wanted) requestAnimationFrame(() => table.reveal(wanted));
		};
		draw();
		sourceLink = (region) => {
			const i = files.findIndex((f) => f.file === regions[region].file && f.lines);
			return i < 0 ? null : h("p", {}, h("button", { onclick: () => {
				select.value = i;
				draw();
				document.getElementById("source").scrollIntoView();
				table.reveal(rows[regions[region].begin - 1]);
			} }, "show its source"));
		};
		section("source", "Source", h("div", { class: "tools" }, h("label", {}, "file: ", select)), box);
	}

	// ---- parallelism: times with other numbers of threads, what changes gain, and the longest path ----

	// A flame graph whose boxes are as wide as a call path, with all below it, is long on the run's longest path.
	function longestPath() {
		if (!nodes.path) return null;
		const ns = nodes.path.map(Number), below = ns.slice();
		for (let i = N - 1; i > 0; i--) below[nodes.parent[i]] += below[i];
		if (!below[0]) return null;
		pathFlame = makeFlame({ weight: (i) => below[i], isWanted: (i) => isNodeWanted[i] && below[i] > 0, label: "longest path as a flame graph",
			tip: (i) => nodeName(i) + "\non the longest path " + showFull("time", ns[i]) + ", " + percent(ns[i], below[0]) + (below[i] > ns[i] ? "\nwith what is in it " + showFull("time", below[i]) + ", " + percent(below[i], below[0]) : "") });
		return h("div", {}, h("h3", {}, "Where the longest path lies"), pathFlame.box);
	}

	function spanSection() {
		const notes = { "time by threads": "modelled from this run", "region by threads": "modelled from this run", "what if": "modelled: the gain of this change alone", "locks on the path": "modelled" };
		const all = tables("span").filter((t) => t.rows.length && t.columns.length > 1);
		if (!tableOf("span", "work and span")) return;
		section("span", "Parallelism", h("p", { class: "soft" }, "Work is the time in the program's own code; the span is the longest chain of it, each part of which waited for the one before. Times with other numbers of threads hold where the work takes as long with them (ompp-span(7))."),
			longestPath(), all.map((t) => plainTable(t, notes[t.tag] || certainty.time)));
	}

	// ---- course of the run ----

	function courseSection() {
		const t = tableOf("course", "course");
		if (!t || !t.rows.length) return;
		const areas = [{ title: "at work", color: "work" }, { title: "managing", color: "mgmt" }, { title: "waiting", color: "synch" }, { title: "in MPI", color: "mpi" },
			{ title: "in no team", color: "line" }].filter((a) => t.columns.some((c) => c.title === a.title)).map((a) => ({ ...a, name: a.title }));
		const slices = t.rows.map((values) => Object.fromEntries(t.columns.map((c, i) => [c.title, values[i]])))
			.map((r) => ({ from: Number(r.from) / 1e9, to: Number(r.to) / 1e9, values: areas.map((a) => Number(r[a.title])), region: r["mostly in"] }));
		const tip = (v) => show("time", v.from * 1e9) + " to " + show("time", v.to * 1e9) + " s" + areas.map((a, k) => "\n" + show("decimal", v.values[k]) + " " + a.name).join("") +
			(v.region ? "\nmost threads at its end in " + v.region : "");
		const few = tables("course").filter((table) => table.tag === "few threads").flatMap((table) => table.rows.map(([text]) => h("p", { class: "note" }, text)));
		section("course", "Course of the run", h("p", { class: "soft" }, "How many threads did what when, in slices of " + show("time", (slices[0].to - slices[0].from) * 1e9) + " s; what a slice mostly was in is sampled at its end."),
			few, legend(areas), ompp.course(slices, areas, tip, () => {}));
	}

	// ---- the run ----

	function runSection() {
		section("run", "The run", tables("general").map((t) => h("dl", { class: "facts" }, t.rows.map(([label, value]) => [h("dt", {}, label), h("dd", {}, isMissing(value) ? "-" : String(value))]))));
	}

	// ---- all of it ----

	summary();
	regionSection();
	treeSection();
	overheadSection();
	spanSection();
	courseSection();
	durationSection();
	hotSection();
	dataSections();
	efficiencySection();
	ranksSection();
	rooflineSection();
	reuseSection();
	pageMapSection();
	sourceSection();
	runSection();
	const hasObjects = !!P.objectThreads || !!(P.pageMap && P.pageMap.pictures) || tables("memory").length > 0;
	ompp.frame(run.app, "ompp report", sections, filterField("region", "region ", "name, file:line, type"),
		filterField("thread", "thread ", "0-3, 5"), hasObjects ? filterField("object", "object ", "name") : null);
	partTable.draw();
	nodeTable.draw();
	drawFlames();
	const first = P.findings.find((f) => f.region >= 0);
	const start = first ? partOf.get(first.region * 2) : parts.slice().sort((a, b) => b.exec - a.exec)[0];
	if (start) choosePart(start);
	document.documentElement.dataset.ready = "1";
})();
