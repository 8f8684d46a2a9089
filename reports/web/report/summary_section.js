// summary_section: tiles of the run, where the time of all threads goes, and the findings.
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
				h("button", { onclick: () => choosePart(partAt(f.region), true), "data-tip": "show its threads" }, f.place),
			isMissing(f.ns) ? h("span", { class: "soft" }, "counted: what it costs is not known") :
				h("span", { class: "gain", "data-tip": (isMissing(f.gain) ? "" : "without it the run would be at most " + showFull("time", f.gain) + " shorter, of " + showFull("time", run.measured) + "\n") +
					showFull("share", f.severity) + " of all threads' time\n" + certainty.finding },
					(isMissing(f.gain) ? "" : "saves at most " + time(f.gain) + " (" + percent(f.gain, run.measured) + "), ") + "costs " + (f.severity / 1e7).toFixed(2) + " %" +
					(isMissing(f.gain) ? "; what it would save is not known" : ""))),
		isMissing(f.ns) ? null : stack([{ ns: f.ns, color: "bad", name: wordsOf(f.name) }], run.capacity, true),
		h("p", {}, f.meaning), f.evidence ? h("p", {}, f.evidence) : null, h("p", {}, f.advice ? "To try: " + f.advice : null)))), more].filter(Boolean);
}
