/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library circuits: the worked example by hand, and random matrices: every schedule serves all,
 * joins each port once, and takes no less than the bound and its darkness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "group.h"
#include "lab.h"

static const char PROLOGUE[] =
    "local circuits = require('circuits')\n"
    "local function check(name, schedule, D, delta, bounded)\n"
    "  local n, hold = #D, 0\n"
    "  for k, entry in ipairs(schedule) do\n"
    "    local taken = {}\n"
    "    if not (entry.hold > 0) then error(name .. ': a hold of ' .. entry.hold) end\n"
    "    hold = hold + entry.hold\n"
    "    for i = 1, n do\n"
    "      local j = entry.match[i]\n"
    "      if j and (j < 1 or j > n or taken[j]) then error(name .. ': output taken twice') end\n"
    "      if j then taken[j] = true end\n"
    "    end\n"
    "  end\n"
    "  for _, row in ipairs(circuits.left(D, schedule)) do\n"
    "    for _, left in ipairs(row) do\n"
    "      if left ~= 0 then error(name .. ': not served: ' .. left) end\n"
    "    end\n"
    "  end\n"
    "  local time, bound = circuits.time(schedule, delta), circuits.bound(D)\n"
    "  local first = schedule[1] and schedule[1].set and 1 or 0\n"
    "  if time < (bound + delta * (#schedule - first)) * (1 - 1e-12) then\n"
    "    error(name .. ': faster than possible')\n"
    "  end\n"
    "  local most = bound + ((n - 1) ^ 2 + 1) * delta\n"
    "  if bounded and time > most * (1 + 1e-9) then\n"
    "    error(('%s: %.17g s, bound %.17g'):format(name, time, most))\n"
    "  end\n"
    "  return time\n"
    "end\n"
    "local function near(what, a, b)\n"
    "  if math.abs(a - b) > 1e-9 * math.max(1, b) then\n"
    "    error(('%s: %.17g, expected %.17g'):format(what, a, b))\n"
    "  end\n"
    "end\n"
    "local policy = { name = 'test', api = 1 }\n"
    "function policy:partition(job, cluster)\n";

static const char EPILOGUE[] = "\n  return 1\nend\nreturn policy\n";

/* Runs the body as a hook; the test fails with its error. */
static void run(Lab *lab, const char *body) {
    LpBuf source = {0};
    lp_buf_addf(&source, "%s%s%s", PROLOGUE, body, EPILOGUE);
    if (lab_load(lab, lp_buf_text(&source)) != LP_OK || lab_ask(lab) != LP_OK || lab->failed)
        fail_msg("line %d: %s\n%s", lab->diag.line, lab->diag.text, body);
    lp_buf_fini(&source);
}

static void setup(Lab *lab) {
    lab_open(lab, LAB_SCENARIO);
    assert_true(lab_advance(lab));
}

#define EXAMPLE "local D = { {0,9,1,2}, {3,0,8,1}, {1,2,0,9}, {8,1,3,0} }\n"

/* Sums 12, 48 in all, best matching 34. */
static void the_example_by_hand(void **state) {
    (void)state;
    Lab lab;
    setup(&lab);
    run(&lab, EXAMPLE
        "near('bound', circuits.bound(D), 12)\n"
        "near('best', match.value(D, match.max_weight(D)), 34)\n"
        "local deltas = { 0, 0.1, 1, 4 }\n"
        "local tables = { solstice = { 12, 12.4, 16, 28 }, eclipse = { 12, 12.4, 16, 29 } }\n"
        "for name, times in pairs(tables) do\n"
        "  for i, delta in ipairs(deltas) do\n"
        "    near(name .. i, check(name, circuits[name](D, delta), D, delta), times[i])\n"
        "  end\n"
        "end\n"
        "for i, delta in ipairs(deltas) do\n"
        "  local two = circuits.max_weight(D, delta, { slot = 2 })\n"
        "  near('slot 2', check('slot 2', two, D, delta), ({ 14, 14.7, 21, 42 })[i])\n"
        "  local nine = circuits.max_weight(D, delta, { slot = 9 })\n"
        "  near('slot 9', check('slot 9', nine, D, delta), ({ 27, 27.3, 30, 39 })[i])\n"
        "  local bvn = circuits.bvn(D, delta)\n"
        "  near('bvn', check('bvn', bvn, D, delta, true), 12 + #bvn * delta)\n"
        "  if #bvn > 10 then error('bvn: ' .. #bvn) end\n"
        "end\n"
        "local s = circuits.solstice(D, 1)\n"
        "for i, hold in ipairs({ 8, 2, 1, 1 }) do near('slice', s[i].hold, hold) end\n");
    lab_close(&lab);
}

static void holding_pays_when_switching_is_slow(void **state) {
    (void)state;
    Lab lab;
    setup(&lab);
    run(&lab,
        EXAMPLE "local quick = circuits.hold_or_switch(D, 0.01, { period = 2 })\n"
                "local slow = circuits.hold_or_switch(D, 1.9, { period = 2 })\n"
                "check('quick', quick, D, 0.01)\n"
                "check('slow', slow, D, 1.9)\n"
                "if #slow >= #quick then error('switches ' .. #slow .. ' of ' .. #quick) end\n"
                "local set = { 2, 3, 4, 1 }\n"
                "local stay = circuits.hold_or_switch(D, 1, { period = 2, match = set })\n"
                "check('stay', stay, D, 1)\n"
                "if not stay[1].set or stay[1].match[1] ~= 2 then error('left what was set') end\n"
                /* nothing to do, or next to nothing */
                "for _, name in ipairs({ 'first_fit', 'max_weight', 'bvn', 'solstice', 'eclipse',\n"
                "                        'hold_or_switch' }) do\n"
                "  if #circuits[name]({ { 0, 0 }, { 0, 0 } }, 1) > 0 then error(name) end\n"
                "  check(name, circuits[name]({ { 0, 1e-9 }, { 0, 0 } }, 1), { { 0, 1e-9 }, { 0, 0 "
                "} }, 1)\n"
                "end\n");
    lab_close(&lab);
}

/* Entries: whole or not, some rows empty, some entries tiny. */
static void add_matrix(LpBuf *out, LpRng *rng, uint32_t n) {
    bool whole = lp_rng_below(rng, 2) == 0;
    double dense = lp_rng_unit(rng);
    lp_buf_add(out, "local D = {");
    for (uint32_t i = 0; i < n; i++) {
        lp_buf_add(out, " {");
        for (uint32_t j = 0; j < n; j++) {
            double entry = whole ? (double)lp_rng_below(rng, 20) : 20 * lp_rng_unit(rng);
            if (lp_rng_unit(rng) > dense)
                entry = 0;
            else if (lp_rng_below(rng, 20) == 0)
                entry *= 1e-6;
            lp_buf_addf(out, "%.17g,", entry);
        }
        lp_buf_add(out, "},");
    }
    lp_buf_add(out, " }\n");
}

static void random_matrices(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(4, "test", 0);
    Lab lab;
    setup(&lab);
    for (int i = 0; i < 250; i++) {
        LpBuf body = {0};
        add_matrix(&body, &rng, 2 + (uint32_t)lp_rng_below(&rng, 4));
        lp_buf_addf(&body, "local delta = %.17g\n",
                    lp_rng_below(&rng, 4) == 0 ? 0 : 3 * lp_rng_unit(&rng));
        lp_buf_add(&body, "local bvn = check('bvn', circuits.bvn(D, delta), D, delta, true)\n"
                          "check('solstice', circuits.solstice(D, delta), D, delta, true)\n"
                          "check('eclipse', circuits.eclipse(D, delta), D, delta)\n"
                          "check('first_fit', circuits.first_fit(D, delta), D, delta)\n"
                          "check('max_weight', circuits.max_weight(D, delta), D, delta)\n"
                          "check('hold', circuits.hold_or_switch(D, delta), D, delta)\n"
                          "local S = circuits.stuff(D)\n"
                          "for i = 1, #S do\n"
                          "  local row, column = 0, 0\n"
                          "  for j = 1, #S do\n"
                          "    row, column = row + S[i][j], column + S[j][i]\n"
                          "    if S[i][j] < D[i][j] then error('stuff takes away') end\n"
                          "  end\n"
                          "  near('row', row, circuits.bound(D))\n"
                          "  near('column', column, circuits.bound(D))\n"
                          "end\n");
        run(&lab, lp_buf_text(&body));
        lp_buf_fini(&body);
    }
    lab_close(&lab);
}

/* Where darkness matters, who slices large first needs less time than any permutations. */
static void large_slices_pay(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(9, "test", 0);
    Lab lab;
    setup(&lab);
    LpBuf body = {0};
    lp_buf_add(&body, "local sum = { bvn = 0, solstice = 0, eclipse = 0 }\nlocal D\n");
    for (int i = 0; i < 4; i++) {
        lp_buf_add(&body, "do\n");
        add_matrix(&body, &rng, 5);
        lp_buf_add(&body, "for name in pairs(sum) do\n"
                          "  sum[name] = sum[name] + circuits.time(circuits[name](D, 2), 2)\n"
                          "end end\n");
    }
    lp_buf_add(&body, "if not (sum.solstice < sum.bvn and sum.eclipse < sum.bvn) then\n"
                      "  error(('%g %g %g'):format(sum.bvn, sum.solstice, sum.eclipse))\nend\n");
    run(&lab, lp_buf_text(&body));
    lp_buf_fini(&body);
    lab_close(&lab);
}

TEST_GROUP(test_circuits) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_by_hand),
        cmocka_unit_test(holding_pays_when_switching_is_slow),
        cmocka_unit_test(random_matrices),
        cmocka_unit_test(large_slices_pay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
