/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks as files: what is written reads back to the same bits, and what is wrong in a file is
 * refused with its place and its cause. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "group.h"
#include "session/player/weights_file.h"

static const char *const PLACINGS[] = {"engine"};

static LpWeights *make(void) {
    LpNetShape shape = {.rounds = 1,
                        .messages = 2,
                        .width = 3,
                        .embedding = 2,
                        .branch = 2,
                        .hidden = 2,
                        .silent_sources = true};
    LpWeights *agent;
    assert_int_equal(lp_weights_new(LP_ENCODING_CORRECTED, 2, PLACINGS, 1, &shape, &agent, NULL),
                     LP_OK);
    lp_net_init(&agent->plan, 5, agent->params);
    lp_weights_round(agent);
    agent->note.seed = 5;
    agent->note.steps = 1000;
    agent->note.return_mean = 0.25;
    strcpy(agent->note.scenario, "a \"quoted\" name");
    return agent;
}

static char *text_of(const LpWeights *agent) {
    LpBuf buf = {0};
    lp_weights_text(agent, NULL, &buf);
    assert_int_equal(lp_buf_ok(&buf, NULL), LP_OK);
    char *text = lp_alloc(buf.len + 256, 1);
    memcpy(text, buf.text, buf.len);
    lp_buf_fini(&buf);
    return text;
}

static void a_network_reads_back_to_the_same_bits(void **state) {
    (void)state;
    LpWeights *agent = make(), *read = NULL;
    LpDiag diag = {0};
    char *text = text_of(agent);
    if (lp_weights_parse("w", text, strlen(text), &read, NULL, &diag) != LP_OK)
        fail_msg("%d:%d: %s", diag.line, diag.col, diag.text);
    assert_true(lp_net_same(&agent->plan.shape, &read->plan.shape));
    assert_memory_equal(agent->params, read->params, agent->plan.params * sizeof(double));
    assert_int_equal(read->encoding, LP_ENCODING_CORRECTED);
    assert_int_equal(read->degrees, 2);
    assert_int_equal(read->note.seed, 5);
    assert_int_equal(read->note.steps, 1000);
    assert_true(read->note.return_mean == 0.25);
    assert_string_equal(read->note.scenario, agent->note.scenario);
    char *again = text_of(read);
    assert_string_equal(text, again);
    LpWeights *copy = lp_weights_copy(read);
    assert_memory_equal(copy->params, read->params, agent->plan.params * sizeof(double));
    lp_weights_free(copy);
    lp_free(again);
    lp_free(text);
    lp_weights_free(read);
    lp_weights_free(agent);
}

/* Packed tensors and lists of numbers say the same. */
static void numbers_may_be_listed_or_packed(void **state) {
    (void)state;
    LpWeights *agent = make(), *read;
    for (uint32_t i = 0; i < agent->plan.tensors; i++) {
        assert_true(agent->scale[i] > 0);
        agent->scale[i] = i % 2 == 0 ? 0 : agent->scale[i]; /* every other one as a list */
    }
    char *text = text_of(agent);
    assert_non_null(strstr(text, "\"int16\""));
    assert_non_null(strstr(text, "\"round0.node.gain\": ["));
    assert_int_equal(lp_weights_parse("w", text, strlen(text), &read, NULL, NULL), LP_OK);
    assert_memory_equal(agent->params, read->params, agent->plan.params * sizeof(double));
    lp_free(text);
    lp_weights_free(read);
    lp_weights_free(agent);
}

/* By hand: 1, -2, 32767, -32768, 258 in twos, low byte first. */
static void packing_is_what_it_says(void **state) {
    (void)state;
    static const char PACKED[] = "AQD+//9/AIACAQ==";
    LpDiag diag;
    LpWeights *agent = make();
    memset(agent->given, 0, agent->plan.tensors * sizeof *agent->given);
    double *gain = agent->params + agent->plan.tensor[0].offset;
    assert_int_equal(lp_weights_unpack(agent, "round0.node.gain", 0.5, PACKED, &diag), LP_OK);
    assert_true(gain[0] == 0.5 && gain[1] == -1 && gain[2] == 16383.5 && gain[3] == -16384 &&
                gain[4] == 129);
    static const struct {
        const char *text, *message;
        double scale;
    } WRONG[] = {
        {PACKED, "the scale of 'round0.node.gain' is not a positive number", 0},
        {"AQD+//9/AIACAQ=", "has 15 letters; expected 16 for 5 numbers", 1},
        {"AQD+//9/AIA*AQ==", "is not base64 at number 4", 1},
        {"AQD+//9/AIACAQAA", "does not end in '='", 1},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        agent->given[0] = false;
        assert_int_equal(
            lp_weights_unpack(agent, "round0.node.gain", WRONG[i].scale, WRONG[i].text, &diag),
            LP_EINVAL);
        if (strstr(diag.text, WRONG[i].message) == NULL)
            fail_msg("%s", diag.text);
    }
    lp_weights_free(agent);
}

/* Nothing moves by more than half of 1/32767 of the largest. */
static void rounding_is_fine(void **state) {
    (void)state;
    LpWeights *agent = make();
    double before[4] = {1.5, -0.3333333333, 1e-9, 0}, *value = agent->params;
    memcpy(value, before, sizeof before);
    value[4] = 0.7;
    lp_weights_round(agent);
    for (int i = 0; i < 4; i++)
        assert_true(value[i] - before[i] < 1.5 / 65534 && before[i] - value[i] < 1.5 / 65534);
    double once = value[1];
    lp_weights_round(agent);
    assert_true(value[1] == once);
    lp_weights_free(agent);
}

typedef struct Broken {
    const char *from, *to, *message;
} Broken;

/* Each is the good file with one piece of text replaced. */
static const Broken BROKEN[] = {
    {"\"lightpath_network\": 1", "\"lightpath_network\": 2", "w:2:24: "},
    {"\"encoding\": \"corrected\"", "\"encoding\": \"correct\"", "corrected"},
    {"\"degrees\": 2", "\"degrees\": 3", "has 38 numbers; expected 43"},
    {"\"placings\": [\"engine\"]", "\"placings\": []", "0 rules of placement"},
    {"\"placings\": [\"engine\"]", "\"placings\": [\"nowhere\"]", "placement 'nowhere'"},
    {"\"rounds\": 1", "\"rounds\": 9", "rounds"},
    {"\"messages\": 2", "\"messages\": 3", "expected an even width"},
    {"\"hidden\": 2, ", "", "hidden"},
    {"\"round0.node.gain\": [\n      1", "\"round0.node.gain\": [\"1\"", "number"},
    {"\"round0.node.gain\": [\n      1, ", "\"round0.node.gain\": [", "has 4 numbers; expected 5"},
    {"round0.node.gain", "round0.node.gein", "did you mean 'round0.node.gain'?"},
    {"\"round0.node.shift\"", "\"round1.node.shift\"", "no tensor 'round1.node.shift'"},
    {"\"tensors\"", "\"tensor\"", "tensors"},
};

static void a_broken_file_is_refused_with_its_cause(void **state) {
    (void)state;
    LpWeights *agent = make(), *untouched = agent;
    memset(agent->scale, 0, agent->plan.tensors * sizeof *agent->scale); /* lists of numbers */
    char *good = text_of(agent);
    for (size_t i = 0; i < LP_COUNTOF(BROKEN); i++) {
        const Broken *b = &BROKEN[i];
        LpWeights *read = untouched;
        LpDiag diag = {0};
        char said[LP_DIAG_TEXT + LP_DIAG_FILE], *bad = text_of(agent);
        char *at = strstr(bad, b->from);
        assert_non_null(at);
        size_t before = (size_t)(at - bad);
        strcpy(at, b->to);
        strcat(bad, good + before + strlen(b->from));
        assert_int_not_equal(lp_weights_parse("w", bad, strlen(bad), &read, NULL, &diag), LP_OK);
        assert_ptr_equal(read, untouched);
        lp_diag_format(&diag, said, sizeof said);
        if (strstr(said, b->message) == NULL || strncmp(said, "w:", 2) != 0)
            fail_msg("\"%s\" -> \"%s\": said '%s'; expected '%s' in it", b->from, b->to, said,
                     b->message);
        lp_free(bad);
    }
    lp_free(good);
    lp_weights_free(agent);
}

static void a_missing_tensor_is_named(void **state) {
    (void)state;
    LpWeights *agent = make(), *read = NULL;
    LpDiag diag = {0};
    char *text = text_of(agent), *last = strstr(text, ",\n    \"q.out.bias\"");
    assert_non_null(last);
    strcpy(last, "\n  }\n}\n");
    assert_int_equal(lp_weights_parse("w", text, strlen(text), &read, NULL, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "'q.out.bias' (1 x 3 numbers) is missing"));
    assert_int_equal(diag.line, 8);
    lp_free(text);
    lp_weights_free(agent);
}

static void a_cut_file_is_refused(void **state) {
    (void)state;
    LpWeights *agent = make();
    char *text = text_of(agent);
    size_t len = strlen(text);
    for (size_t cut = 0; cut < len - 2; cut += 41) {
        LpWeights *read = NULL;
        LpDiag diag = {0};
        char kept = text[cut];
        text[cut] = '\0';
        assert_int_not_equal(lp_weights_parse("w", text, cut, &read, NULL, &diag), LP_OK);
        assert_null(read);
        assert_true(diag.text[0] != '\0');
        text[cut] = kept;
    }
    lp_free(text);
    lp_weights_free(agent);
}

static void a_checkpoint_goes_with_the_network(void **state) {
    (void)state;
    char path[] = "/tmp/lightpath-agent-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    LpWeights *agent = make(), *read = NULL;
    LpNetworkCheckpoint c = {.updates = 3, .steps = 4, .episodes = 5, .adam_steps = 6}, back = {0};
    LpDiag diag = {0};
    size_t params = agent->plan.params;
    c.first = lp_alloc(params, sizeof *c.first);
    c.second = lp_alloc(params, sizeof *c.second);
    for (size_t i = 0; i < params; i++) {
        c.first[i] = 1.0 / (double)(i + 3);
        c.second[i] = c.first[i] * c.first[i];
    }
    agent->params[0] = 1.0 / 3; /* not rounded: training goes on with the very bits */
    assert_int_equal(lp_weights_save(path, agent, &c, &diag), LP_OK);
    assert_int_equal(lp_weights_load(path, &read, &back, &diag), LP_OK);
    assert_memory_equal(agent->params, read->params, params * sizeof(double));
    assert_memory_equal(c.first, back.first, params * sizeof(double));
    assert_memory_equal(c.second, back.second, params * sizeof(double));
    assert_true(back.updates == 3 && back.steps == 4 && back.episodes == 5 && back.adam_steps == 6);
    lp_weights_free(read);
    /* the same file without what is needed to go on */
    assert_int_equal(lp_weights_save(path, agent, NULL, &diag), LP_OK);
    assert_int_equal(lp_weights_load(path, &read, &back, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "no checkpoint"));
    unlink(path);
    assert_int_equal(lp_weights_load(path, &read, NULL, &diag), LP_EIO);
    assert_int_equal(lp_weights_save("/nonexistent/w.json", agent, NULL, &diag), LP_EIO);
    lp_free(back.first);
    lp_free(back.second);
    lp_free(c.first);
    lp_free(c.second);
    lp_weights_free(agent);
}

/* What comes with the program must fit the observations that this program makes. */
static void the_networks_that_come_with_it_can_be_read(void **state) {
    (void)state;
    static const char *const FILES[] = {
        "scripts/pac_ml.json",
        "scripts/pac_ml_b.json",
        "scripts/pac_ml_c.json",
        "scripts/pac_ml_d.json",
        "scripts/pac_ml_actions_a.json",
        "scripts/pac_ml_actions_b.json",
        "scripts/pac_ml_actions_c.json",
        "scripts/pac_ml_actions_d.json",
        "scripts/pac_ml_corrected_a.json",
        "scripts/pac_ml_corrected_b.json",
        "scripts/pac_ml_corrected_c.json",
        "scripts/pac_ml_corrected_d.json",
    };
    size_t bytes = 0;
    for (size_t i = 0; i < LP_COUNTOF(FILES); i++) {
        LpWeights *read = NULL;
        LpDiag diag = {0};
        char said[LP_DIAG_TEXT + LP_DIAG_FILE];
        if (lp_weights_load(FILES[i], &read, NULL, &diag) != LP_OK)
            fail_msg("%s", lp_diag_format(&diag, said, sizeof said));
        char *text = text_of(read);
        bytes += strlen(text);
        lp_free(text);
        lp_weights_free(read);
    }
    assert_true(bytes < 900 * 1000); /* all networks together stay below 1 MB */
}

TEST_GROUP(test_session_weights_file) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_reads_back_to_the_same_bits),
        cmocka_unit_test(numbers_may_be_listed_or_packed),
        cmocka_unit_test(packing_is_what_it_says),
        cmocka_unit_test(rounding_is_fine),
        cmocka_unit_test(a_broken_file_is_refused_with_its_cause),
        cmocka_unit_test(a_missing_tensor_is_named),
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(a_checkpoint_goes_with_the_network),
        cmocka_unit_test(the_networks_that_come_with_it_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
