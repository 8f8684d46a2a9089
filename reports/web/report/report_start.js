// report_start: puts all sections into the page, in their order, and chooses the first region.
function runSection() {
	section("run", "The run", tables("general").map((t) => h("dl", { class: "facts" }, t.rows.map(([label, value]) => [h("dt", {}, label), h("dd", {}, isMissing(value) ? "-" : String(value))]))));
}

summary();
regionSection();
treeSection();
overheadSection();
spanSection();
courseSection();
durationSection();
hotSection();
dataSections();
efficiencySection();
ranksSection();
rooflineSection();
reuseSection();
pageMapSection();
sourceSection();
runSection();
const hasObjects = !!P.objectThreads || !!(P.pageMap && P.pageMap.pictures) || tables("memory").length > 0;
ompp.frame(run.app, "ompp report", sections, filterField("region", "region ", "name, file:line, type"),
	filterField("thread", "thread ", "0-3, 5"), hasObjects ? filterField("object", "object ", "name") : null);
partTable.draw();
nodeTable.draw();
drawFlames();
const first = P.findings.find((f) => f.region >= 0);
const start = first ? partAt(first.region) : parts.slice().sort((a, b) => b.exec - a.exec)[0];
if (start) choosePart(start);
document.documentElement.dataset.ready = "1";
