/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a scenario file: loaded, or refused with one sentence; no file but those named. */
#include "fuzz.h"

#include "io/scenario/scenario.h"

/* The text after the first NUL is one --set. */
FUZZ_TARGET(scenario)(const uint8_t *data, size_t size) {
    char *text = lp_fuzz_text(data, size);
    LpScenario *scenario = NULL;
    LpDiag diag = {0};
    size_t len = strlen(text);
    const char *const set[] = {text + len + 1};
    const LpLoadOptions options = {.sets = len < size ? 1 : 0, .set = set, .max_input = 1 << 16};
    LpErr err = lp_scenario_parse(text, len, "/nowhere/s.json", &options, &scenario, &diag);
    if ((err == LP_OK) != (scenario != NULL) || (err != LP_OK && diag.text[0] == '\0'))
        abort();
    lp_scenario_free(scenario);
    free(text);
    return err == LP_OK;
}
