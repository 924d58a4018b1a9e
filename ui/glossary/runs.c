/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words about runs: their time, policies, branches, curves, learning and studies. */
#include "glossary/tables.h"

static const LpGloss words[] = {
    {"run", "runs|run over|is over",
     "One scenario with one policy from its first job to its end. Same scenario, policy and seed: "
     "the same run, to the last bit. In the line of counts short for running.",
     NULL, NULL, NULL, "scenario, policy, seed"},
    {"scenario", "scenarios", "What a run starts from: cluster, jobs and when they come, limits.",
     NULL, NULL, "the first line", "run, lesson"},
    {"lesson", "lessons",
     "A scenario that tells something: steps with a text, questions, an exercise.", NULL, NULL,
     "lightpath lesson N; :open NAME", "exercise"},
    {"ask", "asked|open question",
     "The bar says what a step of a lesson asks: answer with a letter, or {answer} to be told. "
     "What "
     "gives "
     "the answer away is ? until then.",
     NULL, NULL, "the second line, lessons", "lesson, figure"},
    {"between", "nothing happens",
     "A moment at which no event is: the bar says from when to when nothing happens, and what "
     "comes "
     "next.",
     NULL, NULL, "the second line", "events, decision"},
    {"exercise", "exercises",
     "What a lesson asks you to write or to find; lightpath lesson N --check looks at it.", NULL,
     NULL, "lessons", "lesson"},
    {"figure", "FIGURE|plot",
     "The plot or table of a lesson's step. Every value of it is computed by the program; ? in "
     "the place of one waits for the question.",
     NULL, NULL, ":view figure", "lesson"},
    {"policy", "policies",
     "Who decides: a small program in Lua, or a network. It is asked about every job that "
     "arrives.",
     NULL, NULL, "{policy}, decision {decision}", "answer, why"},
    {"seed", "seeds", "The number from which everything random of a run follows.", NULL, NULL,
     "compare, sweep", "run"},
    {"load", "loads",
     "How much work arrives, compared with what the servers could do without any splitting.",
     "work that arrives in a second / work that all servers do in a second", NULL, ":study, sweep",
     "arrived"},
    {"adjust", "ADJUST|knob|knobs",
     "The panel of knobs: every number of the run that can be turned, with the run that comes of "
     "it "
     "beside the run as it is. Nothing is kept before {take}.",
     NULL, NULL, "{adjust}", "branch, what-if"},
    {"cutting", NULL,
     "How jobs are cut: into how many parts at most, and no shorter ones than this.", NULL, NULL,
     "adjust {adjust}", "ways"},
    {"corrected", NULL,
     "The rules in which physics and bookkeeping hold: light that is taken is taken, bytes count "
     "once. The "
     "default.",
     NULL, NULL, "the opening list, docs/semantics.md", "published"},
    {"published", NULL,
     "The rules of the simulator behind the published PAC-ML results, quirks included, to compare "
     "with "
     "the paper.",
     NULL, NULL, "the opening list, docs/semantics.md", "corrected"},
    {"PAC-ML", "pac-ml",
     "Partitioning for Asynchronous Computing with Machine Learning (Parsonson et al., 2023): the "
     "work that asked "
     "how far each job should be split.",
     NULL, NULL, "docs/pac-ml.md", "ways, published"},
    /* time */
    {"time line", "timeline",
     "The run from left to right; the bar stands at this moment. A click goes there.", NULL, "s",
     "the line above the keys", "event, moment"},
    {"moment", "moments", "A branch and how far it has got: what can be gone back to.", NULL, NULL,
     "{yank} copies it", "branch"},
    {"time", NULL, NULL, NULL, "s", "events {events}", "time line"},
    {"event", "events",
     "Something that happens at one instant: a job arrives, starts, is done, is blocked.", NULL,
     NULL, "events {events}", "decision, time line"},
    {"sign", NULL, NULL, NULL, NULL, "events {events}", "event"},
    {"text", NULL, NULL, NULL, NULL, "events {events}", "event"},
    {"frame", "frames",
     "A picture of something that goes in steps: weighing, taking servers, lighting paths.", NULL,
     NULL, "{ and }", "stage, pace"},
    {"bookmark", "bookmarks", "A moment that was marked, to come back to.", NULL, NULL,
     "{bookmark} sets one, {to-bookmark} goes back", "moment"},
    {"steps back", "step back",
     "So many events and decisions lie between this moment and the newest one of its branch.", NULL,
     NULL, "{back-decision} goes one back, {next-decision} on", "moment, time line"},
    {"instant", NULL, "One point of time within a training step.", NULL, "s",
     "one step {step}, circuits {circuits}", "step"},
    {"condition", "conditions|change",
     "What a run is under and can be changed on the way: bandwidth, broken servers, other jobs.",
     NULL, NULL, ":change NAME=VALUE", "branch, broken"},
    /* branches */
    {"branch", "branches|main",
     "A run that goes on otherwise from some moment: another decision, policy or condition, for "
     "the "
     "same arrivals.",
     NULL, NULL, "branches {branches}", "fork, compare"},
    {"fork", "forks", "To begin a branch here.", NULL, NULL, "{fork}, {take} on a row", "branch"},
    {"what-if", "what if|futures|future",
     "Every way to decide, or each choice of a stage, run on to see where it leads. Nothing of it "
     "happens to "
     "your run.",
     NULL, NULL, "{whatif}", "branch, forecast"},
    {"ghost", "saved",
     "The run as a policy that you have just saved would have decided it, drawn beside yours.",
     NULL, NULL, "curves {curve}, after a policy is saved", "policy, branch"},
    {"blame", NULL,
     "Looks for the decision that, taken otherwise, would have let a job in, or had it in time.",
     NULL, NULL, "{blame}", "blocked, fork"},
    {"compare",
     "versus|same jobs|COMPARE|apart|apart since|behind|ahead|even|EVEN SO FAR|# IS BEHIND|# IS "
     "AHEAD|# IS SOONER|# IS LATER|# LOSES MORE|# LOSES LESS",
     "Two branches as two clusters beside each other, at the same time: 1 is the older branch, 2 "
     "the "
     "other one. The bar says what 2 comes to.",
     NULL, NULL, "{compare}", "branch, difference, of both"},
    {"one seed", "ONE SEED|luck",
     "Two policies on one seed: which jobs come, and when, may favour one of them, so that the bar "
     "tells what happened and gives no verdict. {sort} there runs both with five more, lightpath "
     "compare with as many as you like.",
     "lightpath compare SCENARIO --policy A --policy B --seeds 1..20", NULL, "compare {compare}",
     "compare, difference"},
    {"of both", "both|SO FAR|jobs done in both",
     "Only jobs that are done in 1 and in 2. A mean over all that each has done compares other "
     "jobs: "
     "who turns long jobs away has short ones left.",
     "mean JCT of these jobs in each; /2.9: ends them 2.9 times sooner, x2.9: later", "s",
     "compare {compare}", "JCT, compare"},
    {"where they differ", "WHERE THEY DIFFER|WHOLE RUN|whole run|fate",
     "Jobs that have another fate in 1 than in 2: turned away or not, other ways, another end. "
     "{take} goes to where one is decided, in both.",
     NULL, NULL, "compare {compare}", "compare, difference"},
    {"difference", "[+#]|[-#]|differ|2 to 1",
     "So many more, or fewer, than in the branch that this one is compared with.",
     "in the line of counts this branch - the other; in compare 2 - 1", NULL,
     "the line of counts, compare {compare}", "compare"},
    {"percentage points", "pt|points",
     "A difference between two shares: from 57 % to 26 % are 31 percentage points, pt. Shares "
     "always differ in them: of 1 % and 61 % nobody should read +6000 %.",
     NULL, "pt", "compare {compare}", "difference"},
    {"not served", "unserved|jobs not served", "Jobs that did not complete, blocked or not.",
     "(blocked + unfinished + aborted) / arrived", "%", "compare {compare}, :study FILE",
     "blocked, unfinished, aborted, lost"},
    {"lost", "jobs lost|late jobs",
     "Jobs that were not served by their true deadline, arrival + limit: blocked, unfinished, "
     "given "
     "up, or done too late. Published rules serve late jobs where they had to wait.",
     "(blocked + unfinished + aborted + late) / arrived", "%", ":study FILE, lightpath experiment",
     "not served, limit"},
    /* curves */
    {"share of arrived",
     "fraction of ARRIVED jobs done within x|fraction of COMPLETED jobs done within "
     "x|fraction|share of all jobs",
     "The curve: how many of all arrived jobs are done within x seconds of their arrival. Blocked "
     "jobs never are, so "
     "it ends below 1 by their share.",
     "jobs done with a JCT of at most x / jobs arrived", NULL, "curves {curve}", "JCT, blocked"},
    {"curve", "curves",
     "Charts of the run so far: JCT, blocking, utilisation and more over time or by model.", NULL,
     NULL, "curves {curve}", "share of arrived"},
    {"axis", NULL, "The scale of a curve: logarithmic, where each step is a multiple, or linear.",
     NULL, NULL, "curves {curve}", "curve"},
    /* networks and learning */
    {"network", "networks",
     "Of a policy: a neural network that was trained to decide. In a table: how probable it finds "
     "the "
     "answer. Also what joins the servers.",
     NULL, "%", "{network}", "probability, fabric"},
    {"probability", NULL, NULL, NULL, "%", "{network}", "network"},
    {"first_fit", "first_fit ...|rule|least_fragmenting|pooled",
     "A rule of placement: the first block that fits; least_fragmenting: the one that leaves the "
     "largest block free.",
     NULL, NULL, "{network}", "block, place"},
    {"score", "logit", "What a network says of an answer before it becomes a probability.", NULL,
     NULL, "{network}", "probability"},
    {"return", "expects a return of|value|expects",
     "The sum of rewards that a network expects from here on.", "sum of rewards", NULL,
     "{network}, learning", "reward"},
    {"reward", "rewards",
     "What learning makes larger: so much for a job that is done in time, less for one that is "
     "blocked.",
     NULL, NULL, "learning", "return"},
    {"goes next", NULL,
     "Of the jobs that wait and the one that is decided: how probable a network finds it that each "
     "is offered first when there is room.",
     NULL, "%", "{network}", "priority, wait"},
    {"priority", NULL,
     "A network's number for how soon a job should have servers: the greatest is offered first, "
     "and those of less may be stopped for it.",
     NULL, NULL, "{network}", "goes next, score"},
    {"bound", "nobody can beat",
     "The least share of jobs that is lost by any policy of a kind, if all arrivals were known "
     "beforehand.",
     NULL, NULL, "lightpath bound", "gap, lost"},
    {"gap", "gap to bound",
     "What a policy loses more than the bound for what it does: the most that a better one could "
     "gain.",
     "lost - bound", NULL, "lightpath experiment --bound", "bound"},
    {"closed", "open|mask",
     "An answer that the rules do not allow now: too many servers, or no block.", NULL, NULL,
     "{network}", "verdict"},
    {"weights", "weight", "The numbers of a neural network, which learning changes.", NULL, NULL,
     "{network}", "network"},
    {"moved", "moved it",
     "What of the job or the cluster had the largest say in a network's answer.", NULL, NULL,
     "{network}", "network"},
    {"learning", "training", "A network getting better: update after update.", NULL, NULL,
     ":learning FILE", "update, return"},
    {"update", "updates", "One round of learning: play, then improve the network.", NULL, NULL,
     "learning", "learning"},
    {"exploring", "evaluated",
     "While exploring a network tries answers at random; evaluated, it takes the best.", NULL, NULL,
     "learning", "return"},
    {"best", "best of", "The network with the largest return so far: it is the one that is kept.",
     NULL, NULL, "learning", "return"},
    {"loss", NULL, "How wrong a network's expectations are; learning makes it smaller.", NULL, NULL,
     "learning", "update"},
    {"entropy", NULL, "How undecided a network is: 0 when it always knows.", NULL, NULL, "learning",
     "exploring"},
    {"kl", NULL, "How far an update moved the network's answers.", NULL, NULL, "learning",
     "update"},
    /* studies */
    {"study", NULL, "Many runs in one table: means over seeds, with intervals.", NULL, NULL,
     ":study FILE", "seed, interval"},
    {"metric", "metrics",
     "What is measured of a run: share blocked, mean JCT, utilisation and so on.", NULL, NULL,
     ":study FILE", "study"},
    {"agent", "agents", "Who decides in a study: a policy or a network.", NULL, NULL, ":study FILE",
     "policy"},
    {"interval", "half-width|95 % interval",
     "Within it the true mean lies with 95 % certainty. Where intervals overlap, nothing is "
     "proved.",
     NULL, NULL, ":study FILE", "seed"},
    {"console", "Lua|lua", "Lua over this moment: what it knows of jobs and cluster.", NULL, NULL,
     "{console}", "policy"},
};

LpGlossTable lp_gloss_runs(void) {
    return (LpGlossTable){words, LP_COUNTOF(words)};
}
