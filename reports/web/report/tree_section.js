// tree_section: the call tree as a flame graph, and as a table with branches to open.
// Given: P.nodes, lists by node; node 0 is the program, and a parent has a lower number than its children.
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

// Is it the call path that is chosen, or one of the region that is?
const isNodeChosen = (i) => chosen.node === null ? !!chosen.part && partAt(nodes.region[i], nodes.construct[i]) === chosen.part : i === chosen.node;

const palette = () => Object.fromEntries(families.map(([name]) => [name, color(name)]));
const makeFlame = (different) => new ompp.Flame({
	parent: nodes.parent, children, weight: (i) => nodes.wall[i], isWanted: (i) => isNodeWanted[i], tip: nodeTip,
	name: (i) => i ? constructs[nodes.construct[i]].name + " " + placeOf(nodes.region[i]) : run.app,
	paint: () => { const of = palette(); return (i) => of[familyOf(i)]; },
	isChosen: isNodeChosen,
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
	], { name: "call paths", rows: seenNodes(), pick: (i) => { if (i) chooseNode(i); }, isChosen: (i) => i > 0 && isNodeChosen(i) });
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
