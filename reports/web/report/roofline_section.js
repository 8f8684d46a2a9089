// roofline_section: regions below the machine's roofs, as a picture (roofline.js) and a table.
function rooflineSection() {
	const t = tableOf("roofline", "roofline by region"), machine = tableOf("roofline", "roofs");
	if (!t || !t.rows.length) return;
	const all = named(t), rows = all.filter((r) => r.object === "").map((r) => ({ ...r, at: regionByTag.get(r.region) }));
	const levels = ["L1", "L2", "L3"].filter((l) => t.columns.some((c) => c.title === "fetched below " + l + " (modelled)"));
	const titles = [["flop/byte", "GB/s", "of the program"], ...levels.map((l) => ["flop/byte below " + l + " (modelled)", "GB/s below " + l + " (modelled)", "below " + l + " (modelled)"])];
	const whole = Math.max(1, ...rows.map((r) => numberOf(r["wall time"]) || 0));
	const busiest = rows.slice().sort((a, b) => (numberOf(b["wall time"]) || 0) - (numberOf(a["wall time"]) || 0))[0];
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
		box.replaceChildren(ompp.roofline(rows.filter((r) => isRegionWanted(r.at, regions[r.at].construct)).map((r, i) => ({ x: Number(r[titles[k][0]]), y: numberOf(r["Gflop/s"]), weight: (numberOf(r["wall time"]) || 0) / whole,
			tip: tipOf(r, k), color: "one-" + i % N_COLORS, pick: () => choosePart(partAt(r.at), true) })),
		wanted.filter((r) => r.unit === "Gflop/s").map((r) => ({ name: r.roof, rate: r.rate, tip: roofTip(r) })), wanted.filter((r) => r.unit === "GB/s" && !r.roof.endsWith(" small")).map((r) => ({ name: r.roof, rate: r.rate, tip: roofTip(r) }))));
	};
	const table = searchable([
		{ title: "Region", left: true, kind: "text", value: (r) => r.region },
		{ title: "Place", left: true, kind: "text", value: (r) => placeOf(r.at) },
		{ title: "Flops", kind: "count", value: (r) => numberOf(r.flops), tip: certainty.count },
		{ title: "Bytes", kind: "count", value: (r) => numberOf(r.bytes), tip: certainty.data },
		...titles.map(([title, , text]) => ({ title: "Flop/byte " + text, kind: "decimal", value: (r) => r[title] })),
		{ title: "Time (s)", kind: "time", value: (r) => numberOf(r["wall time"]), tipOf: (r) => showFull("time", numberOf(r["wall time"])) + "\nwall-clock time of " + r["times of"] },
		{ title: "Gflop/s", kind: "decimal", value: (r) => r["Gflop/s"] },
		{ title: "GB/s", kind: "decimal", value: (r) => r["GB/s"] },
		{ title: "Roof", left: true, kind: "text", value: (r) => r.roof },
		{ title: "% of it", kind: "decimal", value: (r) => r["of roof (%)"] },
		{ title: "Bound by", left: true, kind: "text", value: (r) => r["bound by"] },
	], { name: "roofline", rows, filter: (r) => isRegionWanted(r.at, regions[r.at].construct), pick: (r) => choosePart(partAt(r.at), false) });
	filtered.region.push(() => { table.refresh(); draw(); });
	draw();
	const unmatched = tableOf("roofline", "roofline without times");
	section("roofline", "Roofline", h("p", { class: "soft" }, "A dot is a region: as large as its time, as far to the right as it does operations for each byte, as high as it does them a second; the machine cannot be above its roofs. " +
		"Operations and bytes of the program are counted, exact; those below caches are modelled. " + (rows.some((r) => r["times of"] !== "-") ? "" : "A dashed line is a region whose time is not known: ompp report --times=FILE joins those of a run without hooks. ") +
		(machine ? machine.heading.replace(/:$/, ".") : "The machine's roofs are not known: 'ompp machine' measures them.")),
	unmatched ? unmatched.rows.map(([text]) => h("p", { class: "note" }, text)) : [],
	h("div", { class: "tools" }, h("label", {}, "bytes: ", select)), box, table.box);
}
