import {Address} from "./address.js";
import {fill} from "./answer.js";
import {ComparedView, ofReports, showComparedBusy, showRuns} from "./comparison.js";
import {DifferenceLook, stacksOf} from "./difference.js";
import {byId, setText} from "./dom.js";
import {Flame} from "./flame.js";
import {Sites} from "./sites.js";

const read = id => JSON.parse(byId(id).textContent);
const [oldReport, newReport] = [read("old-report"), read("new-report")];
const comparison = ofReports(read("comparison"), oldReport, newReport);
const address = new Address();

document.title = `${comparison.old.report} and ${comparison.new.report} – vt-agent`;
setText(byId("where"), `${comparison.old.report} and ${comparison.new.report}, per ${comparison.per}`);
setText(byId("footer"), `Saved by vt-agent ${newReport.agent}.`);
fill(byId("old-answer"), oldReport.answer, "Why are my virtual threads slow? Old");
fill(byId("new-answer"), newReport.answer, "Why are my virtual threads slow? New");
showRuns(comparison, oldReport, newReport);
new Sites(() => {}, address).show(new ComparedView(comparison), comparison.sites);
showComparedBusy(comparison);
setText(byId("busy-period"), `Per ${comparison.per}.`);
new Flame(address).lookLike(new DifferenceLook(comparison), stacksOf(comparison));
document.body.dataset.ready = "true";
