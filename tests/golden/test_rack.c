/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disaggregated rack of Yan et al., OFC 2022, through the engine: four completion times, the
 * ring that knows the topology, utilisation; and the same model with other calibrations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "session/session.h"

#define FOUR LP_SOURCEDIR "/scenarios/disaggregated-rack.json"
#define THREE LP_SOURCEDIR "/scenarios/disaggregated-rack-3-3.json"

static LpSession *run(const char *file, uint32_t sets, const char *const *set,
                      const char *regroup) {
    LpDiag diag = {0};
    LpSession *s = NULL;
    bool stopped;
    LpSessionSpec spec = {
        .scenario = file, .sets = sets, .set = set, .params = 1, .param = &regroup};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    assert_int_equal(lp_world_job(lp_session_world(s), 0)->outcome, LP_JOB_COMPLETED);
    return s;
}

static double jct(const char *file, uint32_t sets, const char *const *set, const char *regroup) {
    LpSession *s = run(file, sets, set, regroup);
    const LpJob *job = lp_world_job(lp_session_world(s), 0);
    double time = job->times.end - job->asked.arrival;
    lp_session_close(s);
    return time;
}

static void expect_near(double got, double want, double within) {
    if (!(fabs(got - want) <= within * want))
        fail_msg("%.3f, expected %.3f within %g %%", got, want, 100 * within);
}

static void the_four_times(void **state) {
    (void)state;
    expect_near(jct(FOUR, 0, NULL, "regroup=false"), 407, 0.03);
    expect_near(jct(FOUR, 0, NULL, "regroup=true"), 109, 0.03);
    expect_near(jct(THREE, 0, NULL, "regroup=false"), 368, 0.03);
    expect_near(jct(THREE, 0, NULL, "regroup=true"), 140, 0.03);
}

/* A ring that knows the topology crosses once, not twice: one flow of three less. */
static void a_ring_that_knows_the_topology(void **state) {
    (void)state;
    const char *aware = "cluster.ocs.ring=aware";
    expect_near(jct(FOUR, 1, &aware, "regroup=false"), 296, 0.01);
}

/* Computing of the job's own time, before and after. */
static double utilisation(const char *regroup) {
    LpSession *s = run(FOUR, 0, NULL, regroup);
    const LpJob *job = lp_world_job(lp_session_world(s), 0);
    double share = job->forecast.computation / (job->times.end - job->times.start);
    lp_session_close(s);
    return share;
}

static void utilisation_rises(void **state) {
    (void)state;
    double before = utilisation("regroup=false"), after = utilisation("regroup=true");
    expect_near(before, 0.179, 0.03);
    assert_true(after / before > 3 && after / before < 4);
}

/* ---- T = C + V * (slow-down): three flows of the uplink or two, each k times slower ---- */

typedef struct Calibration {
    double nic, k; /* bits/s; rate of a NIC over that of the uplink */
    uint32_t per_gpu, steps;
} Calibration;

static double job_time(const char *file, const Calibration *c, uint32_t n, const char *regroup,
                       double *compute) {
    char nic[64], uplink[64], batch[64], steps[64], steps2[64];
    snprintf(nic, sizeof nic, "cluster.ocs.server_bandwidth=%.17g", c->nic / 8);
    snprintf(uplink, sizeof uplink, "cluster.ocs.uplink_bandwidth=%.17g", c->nic / 8 / c->k);
    snprintf(batch, sizeof batch, "graphs[0].batch=%u", n * c->per_gpu);
    snprintf(steps, sizeof steps, "jobs[0].steps=%u", c->steps);
    snprintf(steps2, sizeof steps2, "jobs[1].steps=%u", n == 4 ? 20 * c->steps : c->steps);
    const char *set[] = {nic, uplink, batch, steps, steps2};
    LpSession *s = run(file, 5, set, regroup);
    const LpJob *job = lp_world_job(lp_session_world(s), 0);
    double time = job->times.end - job->times.start;
    *compute = job->forecast.computation;
    lp_session_close(s);
    return time;
}

static void check(const Calibration *c, uint32_t n, double flows) {
    const char *file = n == 4 ? FOUR : THREE;
    const double parameters = 4.0 * 138357544; /* bytes of VGG-16, fp32 */
    double compute, volume = 2.0 * (n - 1) / n * parameters * 8;
    double send = c->steps * volume / c->nic;
    double after = job_time(file, c, n, "regroup=true", &compute);
    expect_near(after, compute + send, 0.03);
    double before = job_time(file, c, n, "regroup=false", &compute);
    expect_near(before, compute + send * c->k * flows, 0.03);
}

static void other_calibrations(void **state) {
    (void)state;
    static const Calibration some[] = {
        {31e9, 3.1, 21, 168}, {25e9, 3.4, 32, 120}, {90e9, 3.1, 8, 400}, {40e9, 4, 16, 90}};
    for (size_t i = 0; i < LP_COUNTOF(some); i++) {
        check(&some[i], 4, 3);
        check(&some[i], 3, 2);
    }
}

/* Half a second of switching is nothing beside what it saves; minutes are not. */
static void switching_pays_until_it_lasts(void **state) {
    (void)state;
    const char *slow = "cluster.ocs.reconfiguration=\"0.5 s\"";
    const char *minutes = "cluster.ocs.reconfiguration=\"400 s\"";
    double fast = jct(FOUR, 0, NULL, "regroup=true"), without = jct(FOUR, 0, NULL, "regroup=false");
    assert_true(fabs(jct(FOUR, 1, &slow, "regroup=true") - fast - 0.3) < 1e-6);
    assert_true(jct(FOUR, 1, &minutes, "regroup=true") > without);
}

TEST_GROUP(test_rack) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_four_times),
        cmocka_unit_test(a_ring_that_knows_the_topology),
        cmocka_unit_test(utilisation_rises),
        cmocka_unit_test(other_calibrations),
        cmocka_unit_test(switching_pays_until_it_lasts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
