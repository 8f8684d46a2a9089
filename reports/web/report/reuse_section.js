// reuse_section: misses by size of cache, as a picture (reuse.js).
function reuseSection() {
	const t = tableOf("reuse", "miss ratio by region"), sums = tableOf("reuse", "reuse by region");
	if (!t || !t.rows.length || !sums) return;
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
			pick: () => r.at !== undefined && choosePart(partAt(r.at), true) })), caches)] : [],
		...wanted.length > MOST ? [h("p", { class: "note" }, "Of " + wanted.length + " regions those with most misses are drawn; the filter of regions chooses others.")] : []);
	};
	filtered.region.push(draw);
	draw();
	section("reuse", "Misses by size of cache", h("p", { class: "soft" }, "How many of a region's accesses would miss in a cache of each size, without first accesses: modelled from the distances between accesses to a line, of sampled lines; " +
		"a cache is one thread's own, fully associative, and LRU. Upright lines are the sizes of this machine's caches."), box);
}
