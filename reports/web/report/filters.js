// filters: what is chosen, the three fields that filter all sections, and the list of the sections.
const chosen = { part: null, node: null };
const filters = { region: "", thread: "", object: "" };
const filtered = { region: [], thread: [], object: [] };
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

const sections = [];
const section = (...words) => sections.push(ompp.section(...words));

// A field to choose one of a list, of those whose object is wanted, and below it what draw(one) gives.
function chooser(label, attributes, list, textOf, draw) {
	const box = h("div", {}), select = h("select", { ...attributes, onchange: () => show() });
	const show = () => box.replaceChildren(...(select.value in list ? draw(list[select.value]) : [h("p", { class: "soft" }, "nothing")]));
	const fill = () => {
		select.replaceChildren(...list.map((one, i) => isMissing(one.object) || isObjectWanted(one.object) ? h("option", { value: i }, textOf(one)) : null).filter(Boolean));
		show();
	};
	fill();
	filtered.object.push(fill);
	return [h("div", { class: "tools" }, h("label", {}, label, select)), box];
}
