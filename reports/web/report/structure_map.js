// structure_map: a structure as the cache lines that it takes, with its members.
const FIELD_LINE = 64, MOST_FIELD_LINES = 32;

// A structure as the cache lines that it takes when it begins with one: each member is as wide as its bytes, and darker
// with more accesses; one in an array of structures stands at its first place.
function structureMap(t) {
	const at = (title) => columnOf(t, title), number = (row, title) => Number(row[at(title)] || 0);
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
