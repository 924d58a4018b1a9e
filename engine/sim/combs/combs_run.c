/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of jobs that compute and send in turn. */
#include <math.h>
#include <stddef.h>

#include "sim/combs/combs_impl.h"

enum { MOST = LP_COMBS_JOBS_MAX };

double lp_comb_send(const LpComb *comb) {
    return comb->bytes / comb->cap;
}

double lp_comb_alone(const LpComb *comb) {
    return comb->compute + lp_comb_send(comb);
}

typedef struct Job {
    bool sends;
    double until; /* computing */
    double left;  /* bytes */
    double share; /* of the link, while it sends */
    double from;  /* when it began to send */
    uint32_t done;
    double end; /* of its last step that counts */
} Job;

typedef struct Clock {
    const LpCombs *combs;
    uint32_t jobs;
    uint32_t order[MOST]; /* by cap, ascending */
    Job job[MOST];
    double now;
    uint32_t unfinished; /* jobs with steps that count */
    LpCombsTell *tell;
    void *user;
} Clock;

static void begin(Clock *c, const double *shift) {
    for (uint32_t i = 0; i < c->jobs; i++) {
        uint32_t at = i;
        c->job[i] = (Job){.until = shift[i] + c->combs->job[i].compute};
        for (; at > 0 && c->combs->job[c->order[at - 1]].cap > c->combs->job[i].cap; at--)
            c->order[at] = c->order[at - 1];
        c->order[at] = i;
    }
    c->unfinished = c->jobs;
}

/* Max-min fair: whoever is capped below an equal part leaves the rest to the others. */
static void share_link(Clock *c) {
    double left = c->combs->rate;
    uint32_t senders = 0;
    for (uint32_t i = 0; i < c->jobs; i++)
        senders += c->job[i].sends;
    for (uint32_t k = 0; k < c->jobs; k++) {
        Job *job = &c->job[c->order[k]];
        if (!job->sends)
            continue;
        double cap = c->combs->job[c->order[k]].cap, part = left / senders--;
        job->share = cap < part ? cap : part;
        left -= job->share;
    }
}

static double end_of(const Clock *c, const Job *job) {
    return job->sends ? c->now + job->left / job->share : job->until;
}

static void end_send(Clock *c, uint32_t i) {
    Job *job = &c->job[i];
    LpCombsSend send = {.job = i, .step = job->done, .from = job->from, .to = c->now};
    job->done++;
    if (job->done == c->combs->steps) {
        job->end = c->now;
        c->unfinished--;
    }
    job->sends = false;
    job->until = c->now + c->combs->job[i].compute;
    if (c->tell != NULL)
        c->tell(c->user, &send);
}

/* To the next moment: sends that end there do so, then those whose computing ends begin. */
static void advance(Clock *c) {
    double next = (double)INFINITY, end[MOST];
    bool ends[MOST];
    share_link(c);
    for (uint32_t i = 0; i < c->jobs; i++) {
        end[i] = end_of(c, &c->job[i]);
        next = end[i] < next ? end[i] : next;
    }
    double tie = next + LP_COMBS_TIE * next;
    for (uint32_t i = 0; i < c->jobs; i++) {
        ends[i] = end[i] <= tie;
        if (c->job[i].sends)
            c->job[i].left -= c->job[i].share * (next - c->now);
    }
    c->now = next;
    for (uint32_t i = 0; i < c->jobs; i++) {
        if (!ends[i])
            continue;
        if (c->job[i].sends) {
            end_send(c, i);
        } else {
            c->job[i].sends = true;
            c->job[i].left = c->combs->job[i].bytes;
            c->job[i].from = next;
        }
    }
}

static void run(Clock *c, const double *shift) {
    begin(c, shift);
    while (c->unfinished > 0)
        advance(c);
}

void lp_combs_steps(const LpCombs *combs, uint32_t jobs, const double *shift, double *step) {
    Clock c = {.combs = combs, .jobs = jobs};
    run(&c, shift);
    for (uint32_t i = 0; i < jobs; i++)
        step[i] = (c.job[i].end - shift[i]) / combs->steps;
}

void lp_combs_sends(const LpCombs *combs, const double *shift, LpCombsTell *tell, void *user) {
    Clock c = {.combs = combs, .jobs = combs->jobs, .tell = tell, .user = user};
    run(&c, shift);
}
