// parts: what the tables of regions have as rows: a region, or the tasks of one, with the sums of all its call paths.
const tagOf = (region) => region < 0 ? run.app : "R" + String(regions[region].id).padStart(5, "0");
const placeOf = (region) => region < 0 ? "the whole program" : regions[region].place;
const taskExec = constructs.findIndex((c) => c.name === "TASKEXEC");
const parts = flat.region.map((region, i) => {
	const part = { i, region, construct: flat.tasks[i] ? taskExec : regions[region].construct, rows: flat.rows[i], paths: flat.paths[i] };
	for (const name of [...timesOf, ...countsOf]) part[name] = flat[name][i];
	const most = hasBody(part.construct) ? flat.mostBody[i] : flat.mostExec[i], all = hasBody(part.construct) ? part.body : part.exec;
	part.imbalance = part.rows > 1 && most > 0 ? Math.round(1e9 * (1 - all / part.rows / most)) : null;
	part.waiting = waitingOf(part.construct, part);
	part.share = run.capacity ? Math.round(1e9 * part.exec / run.capacity) : null;
	part.waitingShare = run.capacity ? Math.round(1e9 * part.waiting / run.capacity) : null;
	return part;
});
const partOf = new Map(parts.map((part) => [part.region * 2 + (part.construct === taskExec), part]));
// The part of a region that its tasks are, where the construct is that of tasks; else the region itself.
const partAt = (region, construct) => partOf.get(region * 2 + (construct === taskExec));
const plusMinus = (ns) => ompp.plusMinus(ns, (v) => showFull("time", v));
const costTip = (cell) => (isMissing(cell.cost) ? "" : "\nown cost taken out: " + time(cell.cost)) +
	(cell.region !== undefined && cell.region >= 0 && tipsOf(regions[cell.region]) ? "\n" + tipsOf(regions[cell.region]) : "");
