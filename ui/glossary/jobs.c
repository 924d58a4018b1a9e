/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words about jobs, and about deciding what becomes of one. */
#include "glossary/tables.h"
#include "model/answer.h"

static const LpGloss words[] = {
    {"JCT", "job completion time",
     "Job completion time: seconds from the moment a job arrives until its last training step is "
     "done, waiting included.",
     "waiting + steps x step time", "s",
     "decision {decision}, jobs {jobs}, curves {curve}, events {events}",
     "limit, step time, mean JCT, blocked"},
    {"mean JCT", "mean",
     "The average JCT of the jobs that are done. A blocked job has no JCT, so "
     "it does not count here: look at the blocked share beside it.",
     "sum of JCTs / jobs done", "s", "what-if {whatif}, compare {compare}, curves {curve}",
     "JCT, blocked, p95"},
    {"median JCT", "p50|median", "Half of the jobs that are done took no longer than this.", NULL,
     "s", "compare {compare}, curves {curve}", "mean JCT, p95"},
    {"p95", "p95 JCT", "95 of 100 jobs that are done took no longer than this.", NULL, "s",
     "compare {compare}, curves {curve}", "median JCT"},
    {"limit", "its limit|acceptable JCT",
     "The largest JCT that a job accepts. One whose forecast is later is late, and is blocked "
     "where the rules "
     "say so.",
     "usually a share of the time that the job takes unsplit", "s",
     "decision {decision}, jobs {jobs}, events {events}", "JCT, of limit, blocked"},
    {"of limit", "of its limit", NULL, "JCT / limit", "%", "decision {decision}, jobs {jobs}",
     "JCT, limit"},
    {"job", "jobs",
     "One training run of a model: it arrives, is decided on once, holds its "
     "servers while it runs, and ends. A letter stands for it on every board.",
     NULL, NULL, "jobs {jobs}", "letter, model, step"},
    {"letter", "letters",
     "Stands for one job, the same on every board. Capitals come first, then "
     "small letters, then A again. Its colour is one of seven; every second seven "
     "underlined. [A] is taken now, (A) would be.",
     NULL, NULL, "servers {servers}, circuits {circuits}, jobs {jobs}", "job"},
    {"arrived", "arr|arrival|arrives",
     "Jobs that have come so far. In a table of jobs: when it came.",
     "done + running + deciding + waiting + blocked", "jobs", "the line of counts, jobs {jobs}",
     "done, running, deciding, waiting, blocked"},
    {"done", "completed|jobs done",
     "Jobs whose last training step has ended; their servers are free "
     "again.",
     NULL, "jobs", "the line of counts, jobs {jobs}, events {events}", "JCT, arrived"},
    {"running", NULL, "Jobs that hold servers and train.", NULL, "jobs",
     "the line of counts, servers {servers}, jobs {jobs}", "done, held"},
    {"waiting", "wait|waits|queue|offered|offered again",
     "Jobs that are in the queue, without servers: the policy is asked "
     "again later. Where a scenario has no queue, nobody waits.",
     NULL, "jobs", "the line of counts, jobs {jobs}", "blocked, waited"},
    {"waited", "mean wait|wait time|waits #|wait 95 %|still waiting",
     "Time in the queue, before the first start and after each preemption.", NULL, "s",
     "jobs {jobs}, compare {compare}, :summary", "waiting, longest wait, overtaken, JCT"},
    {"longest wait", "wait of all that waited",
     "The most that one job has waited; one that waits still counts with what it waited so far.",
     NULL, "s", ":summary, compare {compare}", "waited, age of the oldest"},
    {"worst wait", "wait here",
     "The moment at which those who wait have most time before them, summed over them; :worst goes "
     "there.",
     "sum of (end of the wait - now)", "s", "tree {tree}, :worst", "waited, longest wait"},
    {"age of the oldest", "oldest|oldest #", "How long the one that waits longest has waited now.",
     "now - when it came into the queue", "s", "the line of counts", "waiting, waited"},
    {"bounded slowdown", "slowdown|mean slowdown",
     "JCT over the time that the job needs alone, at least 1; jobs under 10 s count as 10 s so "
     "that they do not rule the mean (Feitelson and others, 1997).",
     "JCT / max(time alone, 10 s)", NULL, "compare {compare}", "JCT, Jain's index"},
    {"makespan", NULL, "From the first arrival to the last end.", NULL, "s", "compare, sweep",
     "JCT"},
    {"Jain's index", "Jain",
     "How alike jobs are slowed down: 1 if all are alike, near 0 if one bears it all.",
     "(sum of slowdowns)^2 / (jobs x sum of their squares)", NULL, "compare, sweep",
     "bounded slowdown"},
    {"rho", "finish-time fairness|finish-time rho",
     "Finish-time fairness: JCT over the time that the job would take with its equal share of the "
     "cluster to itself; above 1 it would have done better alone (Themis, NSDI 2020).",
     NULL, NULL, "compare {compare}", "bounded slowdown, JCT"},
    {"deciding", "+#|(+#)|decided|due",
     "Jobs that have arrived and are decided on at this moment: "
     "neither running nor blocked yet.",
     NULL, "jobs", "the line of counts", "decision, arrived"},
    {"blocked", "blk|blocks|turned away|blocking|blocking rate|away|is turned away",
     "Jobs that were turned away for good: no servers, no light, or not in time. A blocked job has "
     "no JCT. The share is of all jobs that have arrived.",
     "blocked / arrived", "jobs, %", "the line of counts, jobs {jobs}, what-if {whatif}",
     "cause, JCT, declined, deadline"},
    {"aborted", "given up|abort|ABORTED",
     "Jobs that a failure stopped and that were given up: what they had trained is lost. They are "
     "not served, as blocked ones.",
     NULL, "jobs", "the line of counts, jobs {jobs}", "blocked, unfinished, not served"},
    {"killed", "kill|KILLED",
     "Jobs that were ended because they had held their servers for as long as their users had "
     "asked for (kill_at_requested): what they had done is lost. They are not served.",
     NULL, "jobs", "the line of counts, jobs {jobs}", "aborted, unfinished, not served"},
    {"unfinished", "unf", "Jobs that still run or wait when the run ends.", NULL, "jobs",
     "the line of counts", "blocked, horizon"},
    {"cause", "blocked by", NULL, NULL, NULL, "jobs {jobs}", "blocked"},
    {"state", NULL, NULL, NULL, NULL, "jobs {jobs}", "running, waiting, done, blocked"},
    {"preempted", NULL, "A running job was stopped, and keeps the steps it has done.", NULL, NULL,
     "jobs {jobs}", "waiting"},
    {"rigid", NULL,
     "A job without a computation graph: it asks for so many servers for so long, and "
     "cannot be split.",
     NULL, NULL, "jobs {jobs}", "ways"},
    {"story", NULL,
     "What became of one job and why, where its time goes, and what would make it "
     "faster.",
     NULL, NULL, "jobs {jobs}, then {take}; :story JOB", "job"},
    {"model", "models", "The neural network that a job trains: its computation graph.", NULL, NULL,
     "curves {curve}, jobs {jobs}", "graph, op"},
    {"left", NULL, "Time until the job will be done, as long as nothing changes its pace.",
     "steps that are left x step time", "s", "jobs", "JCT"},
    /* deciding */
    {"decision", NULL,
     "What becomes of a job that has arrived. Five questions: how many ways, which "
     "servers, which op first, which light, which data first.",
     NULL, NULL, "decision {decision}", "ways, place, order ops, circuits, order flows"},
    {"ways", "way|degree|partition degree|# ways|x#|split",
     "Into how many parts the job is split, each on a server of its own. More ways: shorter steps, "
     "but more servers taken from the jobs that come next, and more data sent between them.",
     NULL, "servers", "decision {decision}, jobs {jobs}", "block, data, JCT"},
    {"partition", "1/5", "The first question of a decision: split the job how many ways?", NULL,
     NULL, "decision {decision}, {stage} goes through the five", "ways"},
    {"place", "2/5|placing|placement", "The second question: which free servers take the parts?",
     NULL, NULL, "decision {decision}", "block, fragmentation"},
    {"order ops", "3/5",
     "The third question: which op runs first where several are ready on a "
     "server?",
     NULL, NULL, "decision {decision}", "op, srpt"},
    {"order flows", "5/5",
     "The fifth question: which data are sent first where several want the same "
     "light?",
     NULL, NULL, "decision {decision}", "transfer, srpt"},
    {"draft", NULL,
     "What you have chosen by hand at the stages of a decision and not taken yet. {take} takes all "
     "of "
     "it as a branch, {unchoose} gives a stage back to the policy.",
     NULL, NULL, "decision {decision}: {stage}, then {down} or {right}", "by hand, stage, fork"},
    {"if so", NULL,
     "What is chosen by hand at all stages so far beside what the policy answers: JCT, its share "
     "of "
     "the limit, one step, and how long circuits are dark before the first one.",
     NULL, NULL, "stages 2 to 5 of a decision, from 100x30 on", "draft, by hand, of limit"},
    {"carry", "carries|pick up|picked up",
     "To move an op, or a flow, before or behind its neighbour on the same server or path. What it "
     "needs stays before it. Where there is room the policy's order stands dimmed below.",
     NULL, NULL, "order ops and order flows: {right}, {play}, then {left}", "draft, order ops"},
    {"slide", "slides",
     "To move the whole block of a job: it begins at the server under the cursor, of the same "
     "shape.",
     NULL, NULL, "place: {right}, then {zoom-in}", "block, draft"},
    {"before all other ops", "before all other flows|goes first|first op|first flow",
     "A single move: this op, or this flow, goes first wherever it is ready, and the rest as the "
     "policy orders it. Such rows are there where one move shortens the step by 1 % or more, at "
     "most four, best first; 5b is op 5 on its way back.",
     NULL, NULL, "order ops and order flows: {down}", "carry, order ops"},
    {"stage", "stages", "One of the five questions of a decision.", NULL, NULL,
     "{stage} goes to the next one", "decision, frame"},
    {"srpt", "shortest first", "Order: the op, or the data, with the least time left goes first.",
     NULL, NULL, "decision {decision}", "fifo, critical path"},
    {"fifo", "first come", "Order: what was ready first goes first.", NULL, NULL,
     "decision {decision}", "srpt"},
    {"longest", "longest first",
     "Order: the op, or the data, that takes longest goes first; of those who wait, "
     "who has waited longest.",
     NULL, NULL, "decision {decision}", "srpt, critical path"},
    {"block", "#x#x#|blocks",
     "The servers that a job takes: so many groups x racks x servers of a rack. 2x2x1 are 2 "
     "groups, 2 "
     "racks in each, 1 server in each rack: 4 servers that reach each other by light.",
     "groups x racks x servers = ways", NULL, "decision {decision}, what-if {whatif}",
     "ways, group, rack, no_placement"},
    {"fragmentation", "fragmented",
     "Enough servers are free, but not as a block: they lie where they "
     "cannot reach each other.",
     NULL, NULL, "decision {decision}: no block", "block, free"},
    {"verdict", NULL,
     "What would become of the job with this many ways: in time, late by how much, or "
     "why it cannot be.",
     NULL, NULL, "decision {decision}, what-if {whatif}", "accepted, late, no block"},
    {"moments", "worst time|turned away|closest to its limit|longest job",
     "Where a run was decided: {take} goes there, {undo} comes back.", NULL, NULL, ":summary",
     "blocked, of limit"},
    {"by model", NULL,
     "The jobs of each model apart: how many came, how many are done, which share was blocked.",
     NULL, NULL, ":summary, curves {curve}", "graph, blocked, JCT"},
    {"what next", NULL, "Keys that go on from here.", NULL, NULL, ":summary", "moments"},
    {"whole run then", NULL,
     "How the run ends if the job is decided so and the policy decides all later ones: known once "
     "{whatif} {whatif} has worked it out.",
     NULL, NULL, "decision {decision}", "what-if, verdict"},
    {"accepted", "in time|take|feasible",
     "The forecast is within the limit: the job can be taken "
     "like this.",
     "JCT <= limit", NULL, "decision {decision}", "late, limit"},
    {"late", "late by", "The forecast is beyond the limit, by so much.", "JCT - limit", "s",
     "decision {decision}", "limit, deadline"},
    {"no block", "no room|servers short|room|not in shape",
     "Too few servers are free, or not where they reach each "
     "other.",
     NULL, NULL, "decision {decision}", "block, fragmentation"},
    {"forecast", "predict|prediction|predicts",
     "What would happen if a job were taken so now: its "
     "step is simulated, nothing is changed.",
     NULL, NULL, "decision {decision}, what-if {whatif}", "JCT, verdict"},
    {"answer", "answers", "What a policy says to a decision: so many ways, wait, or decline.", NULL,
     NULL, "what-if {whatif}", "ways, wait, declined"},
    {"why", "the policy's reason|policy says",
     "What the policy said of its answer, and the line of "
     "its source that decided.",
     NULL, NULL, "decision {decision}, jobs {jobs}, {policy} the source", "policy"},
    {"speed-up", "speedup", "How much faster the job is than unsplit on one server.",
     "unsplit time / JCT", NULL, "compare {compare}", "JCT, ways"},
    {"server seconds", "server-seconds",
     "Servers times the time that they are held: what a job costs "
     "the others.",
     "ways x time held", "server s", "jobs {jobs}, lessons", "held, ways"},
    {"slot", "slots",
     "In the lessons: the servers that a job of the largest degree takes. 32 servers are "
     "two slots of 16. On RAMP also the time in which a transmitter is tuned.",
     NULL, NULL, "lessons", "ways, tuning"},
    {"by hand", NULL, "Somebody else than the policy decided: you, with {take} or a fork.", NULL,
     NULL, "decision {decision}, the first line", "fork"},
};

LpGlossTable lp_gloss_jobs(void) {
    return (LpGlossTable){words, LP_COUNTOF(words)};
}
