// heat_map: tables whose cells are the darker the larger their number is; that of regions and objects.
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
	const at = (title) => columnOf(t, title);
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
			(r, c) => isMissing(get(r, c)) ? "" : brief(get(r, c)), (r, c) => isMissing(get(r, c)) ? "no access" : grouped(get(r, c)) + " " + select.selectedOptions[0].text + "\n" +
				(/misses/.test(select.selectedOptions[0].text) ? "modelled" : certainty.data)),
		left > 0 ? h("p", { class: "soft" }, left + " more regions and objects are in the table") : "");
	};
	draw();
	filtered.object.push(draw);
	filtered.region.push(draw);
	return h("div", {}, h("h3", {}, "Regions × objects"), h("div", { class: "tools" }, h("label", {}, "colour: ", select)), box);
}
