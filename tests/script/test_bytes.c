/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Broken policies: the inputs of the fuzz target, cut, stirred and mixed, load or are refused with
 * a sentence, and the run goes on. The same mutations every time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "lab.h"
#include "session/player/services.h"

#define FOLDER LP_SOURCEDIR "/tests/fuzz/corpus/policy/"
enum { FILES_MAX = 64, TEXT_MAX = 8192, MUTANTS = 25 };

typedef struct Texts {
    char text[FILES_MAX][TEXT_MAX];
    size_t len[FILES_MAX];
    uint32_t count;
} Texts;

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_texts(Texts *texts) {
    struct dirent **entry;
    int count = scandir(FOLDER, &entry, NULL, by_name);
    assert_true(count > 2);
    for (int i = 0; i < count; i++) {
        char path[600];
        snprintf(path, sizeof path, FOLDER "%.300s", entry[i]->d_name);
        FILE *file =
            entry[i]->d_name[0] != '.' && texts->count < FILES_MAX ? fopen(path, "rb") : NULL;
        if (file) {
            texts->len[texts->count] = fread(texts->text[texts->count], 1, TEXT_MAX / 2, file);
            texts->count++;
            fclose(file);
        }
        free(entry[i]);
    }
    free(entry);
}

/* Some bytes of one text over those of another, then a few single ones. */
static size_t mutate(const Texts *texts, uint32_t of, LpRng *rng, char *out) {
    uint32_t other = (uint32_t)lp_rng_below(rng, texts->count);
    size_t len = texts->len[of], from = lp_rng_below(rng, texts->len[other]);
    size_t at = lp_rng_below(rng, len), piece = lp_rng_below(rng, 40);
    memcpy(out, texts->text[of], len);
    if (piece > texts->len[other] - from)
        piece = texts->len[other] - from;
    memcpy(out + at, texts->text[other] + from, piece);
    len = at + piece > len ? at + piece : len;
    for (uint64_t n = lp_rng_below(rng, 4); n > 0; n--)
        out[lp_rng_below(rng, len)] = (char)lp_rng_below(rng, 256);
    return lp_rng_below(rng, 8) == 0 ? lp_rng_below(rng, len) : len;
}

static void check_text(const LpDiag *diag) {
    assert_true(diag->text[0] != '\0');
    assert_non_null(diag->kind);
    for (const char *c = diag->text; *c; c++)
        assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
}

static void run(Lab *lab) {
    while (lab_advance(lab)) {
        LpEvent event;
        assert_int_equal(lab_ask(lab), LP_OK);
        if (lab->failed)
            check_text(&lab->diag);
        lab_apply(lab, &event);
    }
}

static void broken_policies_do_no_harm(void **state) {
    (void)state;
    static Texts texts;
    static char text[TEXT_MAX + 64];
    static const char *const library[] = {NULL};
    LpScriptServices services = lp_services(library);
    LpPolicyLimits limits = {.instructions = 100000, .memory = 4 << 20};
    LpRng rng = lp_rng_stream(7, "broken policies", 0);
    int loaded = 0, refused = 0;
    read_texts(&texts);
    for (uint32_t of = 0; of < texts.count; of++) {
        for (int i = 0; i < MUTANTS; i++) {
            Lab lab;
            lab_open(&lab, LAB_SCENARIO);
            size_t len = mutate(&texts, of, &rng, text);
            LpErr err = lp_policy_load_text("broken.lua", text, len, NULL, 0, lab.scenario, &limits,
                                            &services, &lab.policy, &lab.diag);
            if (err == LP_OK)
                run(&lab);
            else
                check_text(&lab.diag);
            loaded += err == LP_OK;
            refused += err != LP_OK;
            lab_close(&lab);
        }
    }
    assert_true(loaded > 10 && refused > 10);
}

TEST_GROUP(test_bytes) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(broken_policies_do_no_harm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
