// course_section: how many threads did what when, as a picture (course.js).
function courseSection() {
	const t = tableOf("course", "course");
	if (!t || !t.rows.length) return;
	const areas = [{ title: "at work", color: "work" }, { title: "managing", color: "mgmt" }, { title: "waiting", color: "synch" }, { title: "in MPI", color: "mpi" },
		{ title: "in no team", color: "line" }].filter((a) => t.columns.some((c) => c.title === a.title)).map((a) => ({ ...a, name: a.title }));
	const slices = named(t).map((r) => ({ from: Number(r.from) / 1e9, to: Number(r.to) / 1e9, values: areas.map((a) => Number(r[a.title])), region: r["mostly in"] }));
	const tip = (v) => show("time", v.from * 1e9) + " to " + show("time", v.to * 1e9) + " s" + areas.map((a, k) => "\n" + show("decimal", v.values[k]) + " " + a.name).join("") +
		(v.region ? "\nmost threads at its end in " + v.region : "");
	const few = tables("course").filter((table) => table.tag === "few threads").flatMap((table) => table.rows.map(([text]) => h("p", { class: "note" }, text)));
	section("course", "Course of the run", h("p", { class: "soft" }, "How many threads did what when, in slices of " + show("time", (slices[0].to - slices[0].from) * 1e9) + " s; what a slice mostly was in is sampled at its end."),
		few, legend(areas), ompp.course(slices, areas, tip, () => {}));
}
