// span_section: times with other numbers of threads, what changes gain, and where the longest path lies.
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
