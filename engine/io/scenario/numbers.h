/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of a scenario that can be set one by one, as overrides set them: what a panel of
 * knobs offers. */
#ifndef LP_IO_SCENARIO_NUMBERS_H
#define LP_IO_SCENARIO_NUMBERS_H

#include "base/num.h"
#include "model/scenario.h"

typedef enum LpNumberOf {
    LP_NUMBER_JOBS,
    LP_NUMBER_CLUSTER,
    LP_NUMBER_PARTITION,
    LP_NUMBER_PLAN
} LpNumberOf;

typedef struct LpScenarioNumber {
    char path[72];    /* of --set: "cluster.ramp.slot" */
    const char *key;  /* its last word but for those of distributions, "slot"; static */
    const char *part; /* of a distribution: "min", "max"; NULL: no range is drawn from */
    LpNumberOf of;
    LpDimension dim;
    bool whole;
    double value, min, max; /* in units of dim; max 0: none */
    bool above;             /* must be above min, not at it */
    bool flag;              /* true or false: 1 or 0 */
    const char *graph;      /* of a plan: the id of its graph, and its number there from 1 */
    uint32_t plan;
} LpScenarioNumber;

enum { LP_SCENARIO_NUMBERS = 128 };

/* Writes the scenario's numbers: of the generator, of the fabric that the scenario has, of the
 * rails or the region that turn inside steps, of its servers where all are of one kind, of the
 * partition, and, as far as there is room, of the plans of graphs; not those that are 0 or not
 * given, but for flags and the numbers of plans. Returns how many. The scenario must be loaded. */
size_t lp_scenario_numbers(const LpScenario *scenario, LpScenarioNumber out[LP_SCENARIO_NUMBERS]);

#endif
