/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a scenario file: loaded, or refused with one sentence; no file but those named. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text after the first NUL is one --set. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    LpScenario *scenario = NULL;
    LpDiag diag = {0};
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    size_t len = strlen(text);
    const char *const set[] = {text + len + 1};
    const LpLoadOptions options = {.sets = len < size ? 1 : 0, .set = set, .max_input = 1 << 16};
    LpErr err = lp_scenario_parse(text, len, "/nowhere/s.json", &options, &scenario, &diag);
    if ((err == LP_OK) != (scenario != NULL) || (err != LP_OK && diag.text[0] == '\0'))
        abort();
    lp_scenario_free(scenario);
    free(text);
    return 0;
}
