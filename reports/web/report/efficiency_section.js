// efficiency_section: the efficiencies of the run, as a tree of products, and those of regions.
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
