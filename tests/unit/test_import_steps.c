/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of import/steps: protocol buffers and their attributes, Chakra, GOAL in both forms, SimAI,
 * and what each refuses and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "group.h"
#include "import/import.h"
#include "import/steps/chakra.h"
#include "import/steps/goal.h"
#include "import/steps/proto.h"
#include "import/steps/simai.h"

static char FILE_NAME[] = "/tmp/lightpath-import-steps-XXXXXX";
#define IMPORT_FILE FILE_NAME
#include "import_case.h"

/* ---- reading ---- */

static const LpStepTrace *trace_of(const Case *c) {
    return ((const LpChakra *)c->import.reading.own)->trace;
}

/* ---- protocol buffers ---- */

static LpProto proto_of(const LpBuf *bytes) {
    const unsigned char *at = (const unsigned char *)lp_buf_text(bytes);
    return (LpProto){at, at + bytes->len, 0, "p"};
}

static void test_varints(void **state) {
    static const uint64_t values[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(values); i++) {
        LpBuf buf = {0};
        uint64_t got = 7;
        put_varint(&buf, values[i]);
        const unsigned char *at = (const unsigned char *)lp_buf_text(&buf);
        assert_int_equal(lp_proto_varint(at, buf.len, &got), buf.len);
        assert_true(got == values[i]);
        assert_int_equal(lp_proto_varint(at, buf.len - 1, &got), 0);
        lp_buf_fini(&buf);
    }
    unsigned char eleven[11];
    uint64_t got;
    memset(eleven, 0xff, sizeof eleven);
    assert_int_equal(lp_proto_varint(eleven, sizeof eleven, &got), -1);
}

/* Each kind as a single value, as a packed list, and as a list one by one. */
static void test_attributes(void **state) {
    static const struct {
        LpAttrKind kind;
        uint64_t bits; /* as they stand in the file */
        int bytes;     /* of a number of fixed size; 0: a varint */
        double real;
    } rows[] = {{LP_ATTR_DOUBLE, UINT64_C(0x3ff4000000000000), 8, 1.25},
                {LP_ATTR_FLOAT, 0xbf000000, 4, -.5},
                {LP_ATTR_INT32, UINT64_MAX - 12344, 0, -12345},
                {LP_ATTR_INT64, UINT64_MAX, 0, -1},
                {LP_ATTR_UINT32, 4000000000, 0, 4e9},
                {LP_ATTR_UINT64, UINT64_C(1) << 63, 0, 9223372036854775808.0},
                {LP_ATTR_SINT32, 13, 0, -7},
                {LP_ATTR_SINT64, 14, 0, 7},
                {LP_ATTR_FIXED32, 0xffffffff, 4, 4294967295.0},
                {LP_ATTR_FIXED64, 6, 8, 6},
                {LP_ATTR_SFIXED32, 0xfffffffb, 4, -5},
                {LP_ATTR_SFIXED64, UINT64_MAX - 5, 8, -6},
                {LP_ATTR_BOOL, 1, 0, 1}};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        for (int form = 0; form < 3; form++) {
            LpBuf buf = {0}, value = {0}, list = {0};
            LpAttr attr;
            LpAttrValue got;
            LpDiag diag;
            LpProto packed = {0};
            bool more;
            unsigned wire = rows[i].bytes == 0 ? 0 : rows[i].bytes == 8 ? 1 : 5;
            if (rows[i].bytes > 0)
                put_fixed(&value, rows[i].bits, (size_t)rows[i].bytes);
            else
                put_varint(&value, rows[i].bits);
            put_bytes(&buf, 1, "name", 4);
            for (int k = 0; form == 2 && k < 2; k++) {
                put_varint(&list, 1 << 3 | wire);
                lp_buf_add_bytes(&list, lp_buf_text(&value), value.len);
            }
            if (form == 1) {
                lp_buf_add_bytes(&value, lp_buf_text(&value), 0);
                LpBuf twice = {0};
                for (int k = 0; k < 2; k++)
                    lp_buf_add_bytes(&twice, lp_buf_text(&value), value.len);
                put_bytes(&list, 1, lp_buf_text(&twice), twice.len);
                lp_buf_fini(&twice);
            }
            if (form == 0) {
                put_varint(&buf, (unsigned)rows[i].kind << 3 | wire);
                lp_buf_add_bytes(&buf, lp_buf_text(&value), value.len);
            } else {
                put_bytes(&buf, (unsigned)rows[i].kind + 1, lp_buf_text(&list), list.len);
            }
            assert_int_equal(lp_attr_read(proto_of(&buf), &attr, &diag), LP_OK);
            assert_true(lp_attr_is(&attr, "name"));
            assert_int_equal(attr.of, form == 0 ? LP_ATTR_NONE : rows[i].kind);
            if (form == 0) {
                assert_int_equal(attr.value.kind, rows[i].kind);
                assert_true(attr.value.real == rows[i].real);
            }
            for (int k = 0; form > 0 && k < 3; k++) {
                assert_int_equal(lp_attr_item(&attr, &packed, &got, &more, &diag), LP_OK);
                assert_int_equal(more, k < 2);
                assert_true(!more || got.real == rows[i].real);
            }
            lp_buf_fini(&buf);
            lp_buf_fini(&value);
            lp_buf_fini(&list);
        }
}

static void test_texts_and_the_last_value(void **state) {
    LpBuf buf = {0}, list = {0};
    LpAttr attr;
    LpAttrValue got;
    LpDiag diag;
    LpProto packed = {0};
    bool more;
    (void)state;
    put_bytes(&buf, 1, "a", 1);
    put_number(&buf, LP_ATTR_INT64, 3);
    put_bytes(&buf, LP_ATTR_STRING,
              "Gr\xc3\xb6\xc3\x9f"
              "e",
              7);
    assert_int_equal(lp_attr_read(proto_of(&buf), &attr, &diag), LP_OK);
    assert_int_equal(attr.value.kind, LP_ATTR_STRING);
    assert_memory_equal(attr.value.text.at,
                        "Gr\xc3\xb6\xc3\x9f"
                        "e",
                        7);
    put_bytes(&list, 1, "x", 1);
    put_bytes(&list, 1, "yz", 2);
    put_bytes(&buf, LP_ATTR_BYTES + 1, lp_buf_text(&list), list.len);
    assert_int_equal(lp_attr_read(proto_of(&buf), &attr, &diag), LP_OK);
    assert_int_equal(attr.of, LP_ATTR_BYTES);
    assert_int_equal(attr.value.kind, LP_ATTR_NONE);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(lp_attr_item(&attr, &packed, &got, &more, &diag), LP_OK);
        assert_int_equal(more, k < 2);
        if (more)
            assert_int_equal(got.text.end - got.text.at, k + 1);
    }
    lp_buf_fini(&list);
    lp_buf_fini(&buf);
}

/* ---- Chakra ---- */

static void test_chakra_dependencies(void **state) {
    static const uint64_t first[] = {0}, both[] = {0, 300}, far[] = {UINT64_MAX};
    Case c;
    LpBuf file = {0};
    (void)state;
    put_head(&file);
    put_comp(&file, 7, 5, both, 2, true); /* before what it waits for */
    put_comp(&file, 0, 10, far, 1, false);
    put_comp(&file, 300, 2, first, 1, false);
    put_comp(&file, UINT64_MAX, 3, NULL, 0, true);
    read_buf(&c, "chakra", &file);
    fine(&c);
    const LpTraceRank *rank = &trace_of(&c)->rank[0];
    assert_int_equal(rank->nodes, 4);
    assert_int_equal(rank->edges, 4);
    assert_int_equal(rank->longest_ns, 20000);
    uint32_t count;
    const uint32_t *edge = lp_trace_edges(rank, 0, &count);
    assert_int_equal(count, 2);
    assert_int_equal(edge[0], 1);
    assert_int_equal(edge[1], 2);
    assert_true(lp_trace_node_id(rank, 3) == UINT64_MAX);
    lp_import_free(&c.import);
}

static void put_call(LpBuf *out, uint64_t id, uint64_t call, uint64_t bytes, const char *group) {
    LpBuf node = {0};
    put_number(&node, 1, id);
    put_number(&node, 3, LP_CHAKRA_COLL);
    put_attr(&node, "comm_type", LP_ATTR_INT64, call);
    put_attr(&node, "comm_size", LP_ATTR_UINT64, bytes);
    if (group != NULL)
        put_text_attr(&node, "pg_name", group);
    put_message(out, &node);
}

static void test_chakra_refuses(void **state) {
    static const uint64_t nine[] = {9}, one[] = {1};
    Case c;
    LpBuf file = {0}, node = {0};
    (void)state;
    read_bytes(&c, "chakra", "", 0);
    refused(&c, " byte 0: the file is empty");
    put_head(&file);
    put_comp(&file, 1, 1, nine, 1, false);
    read_buf(&c, "chakra", &file);
    refused(&c, " byte 9: node 1 depends on node 9, which is not there");
    put_head(&file);
    put_comp(&file, 1, 1, one, 1, true);
    read_buf(&c, "chakra", &file);
    refused(&c, " byte 9: node 1 depends on itself");
    put_head(&file);
    put_comp(&file, 1, 1, NULL, 0, false);
    put_comp(&file, 1, 1, NULL, 0, false);
    read_buf(&c, "chakra", &file);
    refused(&c, " byte 16: node 1 stands there twice");
    put_head(&file);
    put_call(&file, 4, 0, 8, "3");
    read_buf(&c, "chakra", &file);
    refused(&c,
            " byte 9: node 4 names the communicator \"3\", which is in no file of communicators "
            "(--groups)");
    put_head(&file);
    put_call(&file, 4, LP_TRACE_CALLS, 8, NULL);
    read_buf(&c, "chakra", &file);
    refused(&c, " byte 9: node 4: comm_type is no whole number from 0 to 9");
    put_head(&file);
    put_number(&node, 3, LP_CHAKRA_SEND);
    put_message(&file, &node);
    read_buf(&c, "chakra", &file);
    refused(&c, " byte 9: node 0 sends, but has no comm_dst");
    put_head(&file);
    put_number(&node, 3, LP_CHAKRA_TYPES);
    put_message(&file, &node);
    read_buf(&c, "chakra", &file);
    refused(&c, " byte 9: node 0 has the unknown type 8, expected 0 to 7");
    put_head(&file);
    lp_buf_add_bytes(&file, "\x02\x0c", 2);
    read_buf(&c, "chakra", &file);
    refused(&c, " byte 8: a message of 2 bytes where 1 are left");
    put_head(&file);
    lp_buf_add_bytes(&file, "\x02\x0c\x00", 3);
    read_buf(&c, "chakra", &file);
    refused(&c, " byte 9: wire type 4 of field 1, expected 0, 1, 2 or 5");
    put_head(&file);
    lp_buf_add_bytes(&file, "\x02\x00\x00", 3);
    read_buf(&c, "chakra", &file);
    refused(&c, " byte 9: field 0, expected fields from 1 on");
}

/* Ranks by the numbers of their names, in a folder that has their communicators. */
static void test_chakra_ranks(void **state) {
    char folder[] = "/tmp/lightpath-import-folder-XXXXXX";
    const char *path = folder;
    char name[3][64];
    Case c;
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (int r = 0; r < 3; r++) {
        LpBuf file = {0};
        snprintf(name[r], sizeof name[r], "%s/s.%d.et", folder, r);
        put_head(&file);
        put_call(&file, 1, LP_TRACE_ALL_REDUCE, 64, r < 2 ? "pair" : NULL);
        if (r == 1)
            put_call(&file, 2, LP_TRACE_ALL_GATHER, 8, "pair");
        write_file(name[r], lp_buf_text(&file), file.len);
        lp_buf_fini(&file);
    }
    char groups[64];
    snprintf(groups, sizeof groups, "%s/comm_group.json", folder);
    write_file(groups, "{\"pair\": [0, 1]}", 16);
    read_files(&c, "chakra", &path, 1, NULL);
    fine(&c);
    const LpChakra *chakra = c.import.reading.own;
    assert_int_equal(chakra->trace->ranks, 3);
    assert_int_equal(chakra->differing, 2); /* pair, and the one of all ranks */
    const LpTraceNode *node = &chakra->trace->rank[1].node[0];
    assert_int_equal(lp_step_trace_group_of(chakra->trace, node->peer, 1)->members, 2);
    assert_null(lp_step_trace_group_of(chakra->trace, node->peer, 2));
    lp_import_free(&c.import);

    write_file(groups, "{\"pair\": [0, 2]}", 16);
    read_files(&c, "chakra", &path, 1, NULL);
    assert_int_equal(c.err, LP_EPARSE);
    assert_non_null(strstr(c.shown, "s.1.et: byte 9: node 1 uses the communicator \"pair\", of "
                                    "which rank 1 is no member"));
    lp_import_free(&c.import);
    write_file(groups, "{\"pair\": [0, 0]}", 16);
    read_files(&c, "chakra", &path, 1, NULL);
    assert_non_null(strstr(c.shown, "comm_group.json:1:10: rank 0 stands twice in the communicator "
                                    "\"pair\""));
    lp_import_free(&c.import);

    unlink(name[1]);
    read_files(&c, "chakra", &path, 1, NULL);
    assert_int_equal(c.err, LP_EINVAL);
    assert_non_null(strstr(c.shown, "s.2.et: this is rank 2, but there is no file of rank 1"));
    lp_import_free(&c.import);
    unlink(name[0]);
    unlink(name[2]);
    unlink(groups);
    rmdir(folder);
}

/* What PyTorch writes of its process groups, its quotes escaped and not. */
static void test_chakra_process_groups(void **state) {
    static const char *const texts[] = {
        "[\"[{\\\"pg_name\\\": \\\"9\\\", \\\"ranks\\\": [0]}]\"]",
        "['[{\"pg_name\": \"9\", \"ranks\": []}, {\"pg_name\": \"unused\"}]']"};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(texts); i++) {
        Case c;
        LpBuf file = {0}, node = {0}, inputs = {0};
        put_head(&file);
        put_call(&file, 4, LP_TRACE_ALL_REDUCE, 8, "9");
        put_bytes(&inputs, 1, texts[i], strlen(texts[i]));
        put_number(&node, 3, LP_CHAKRA_METADATA);
        put_bytes(&node, 8, lp_buf_text(&inputs), inputs.len);
        lp_buf_fini(&inputs);
        put_message(&file, &node);
        read_buf(&c, "chakra", &file);
        fine(&c);
        lp_import_free(&c.import);
    }
}

/* ---- GOAL ---- */

static const char GOAL[] = "/* two ranks */ num_ranks 2\r\n"
                           "rank 1 { // out of order\n"
                           "\tr : recv 5b from 0 tag 3 cpu 2\n"
                           "recv 7 b from -1 tag -1\n"
                           "c: calc 9 nic 1 cpu 1\n"
                           "c requires r\n"
                           "}\n"
                           "rank 0 {\n"
                           "a: send 5b to 1 tag 3 /* a long\n"
                           "comment */ b: calc 4\n"
                           "b irequires a\n"
                           "b requires a\n"
                           "}\n";

static void check_goal(const LpGoal *goal) {
    const LpStepTrace *trace = goal->trace;
    assert_int_equal(trace->ranks, 2);
    assert_int_equal(trace->rank[0].nodes, 2);
    assert_int_equal(trace->rank[0].edges, 2);
    assert_int_equal(trace->rank[1].nodes, 3);
    const LpTraceNode *any = &trace->rank[1].node[1], *calc = &trace->rank[1].node[2];
    assert_int_equal(any->kind, LP_TRACE_RECEIVE);
    assert_true(any->peer == LP_TRACE_ANY && any->tag == LP_TRACE_ANY && any->amount == 7);
    assert_int_equal(calc->stream, 1);
    assert_int_equal(calc->port, 1);
    assert_int_equal(trace->rank[1].longest_ns, 9);
    assert_int_equal(goal->wild, 1);
    assert_int_equal(goal->unmatched, 0);
    uint32_t count, begun = 0;
    const uint32_t *edge = lp_trace_edges(&trace->rank[0], 1, &count);
    assert_int_equal(count, 2);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(edge[i] & ~LP_TRACE_BEGUN, 0);
        begun += (edge[i] & LP_TRACE_BEGUN) != 0;
    }
    assert_int_equal(begun, 1);
}

static void test_goal_text(void **state) {
    Case c;
    (void)state;
    char *text = malloc(sizeof GOAL);
    assert_non_null(text);
    memcpy(text, GOAL, sizeof GOAL);
    char *end = strstr(text, "comment */");
    end[10] = '\n'; /* an op of its own line */
    read_bytes(&c, "goal", text, sizeof GOAL - 1);
    fine(&c);
    assert_string_equal(c.import.reading.called, "goal text");
    check_goal(c.import.reading.own);
    lp_import_free(&c.import);
    free(text);
}

static void put_op(LpBuf *out, int type, uint32_t peer, uint64_t size, uint32_t tag, int cpu,
                   int nic, const uint32_t waits[4]) {
    put_fixed(out, 0, 4);
    put_fixed(out, (uint64_t)type, 1);
    put_fixed(out, peer, 4);
    put_fixed(out, size, 8);
    put_fixed(out, tag, 4);
    put_fixed(out, (uint64_t)cpu, 1);
    put_fixed(out, (uint64_t)nic, 1);
    for (int i = 0; i < 4; i++)
        put_fixed(out, waits[i], 4);
}

/* The same schedule; `begin` of rank 0 is where that of rank 1 ends, as ranks may lie anywhere. */
static void put_binary(LpBuf *out, uint64_t cookie, int type) {
    enum { OP = 39, ZERO = 8 + 4 + 2 * OP + 8, ONE = 8 + 3 * OP + 4, HEAD = 14 + 2 * 16 };
    static const uint32_t none[4] = {0, 0, 0, 0}, both[4] = {1, 0, 1, 1}, after[4] = {1, 0, 0, 1};
    put_fixed(out, cookie, 8);
    put_fixed(out, 2, 4);
    put_fixed(out, 2, 1);
    put_fixed(out, 1, 1);
    put_fixed(out, HEAD + ONE - 8, 8);
    put_fixed(out, HEAD + ONE + ZERO - 8, 8);
    put_fixed(out, HEAD - 8, 8);
    put_fixed(out, HEAD + ONE - 8, 8);
    put_fixed(out, 3, 4); /* rank 1 */
    put_fixed(out, 0, 4);
    put_op(out, 2, 0, 5, 3, 2, 0, after);
    put_op(out, 2, UINT32_MAX, 7, UINT32_MAX, 0, 0, none);
    put_op(out, type, 0, 9, 0, 1, 1, none);
    put_fixed(out, 2, 4);
    put_fixed(out, 2, 4); /* rank 0 */
    put_fixed(out, 1, 4);
    put_fixed(out, 0, 4);
    put_op(out, 1, 1, 5, 3, 0, 0, both);
    put_op(out, 3, 0, 4, 0, 0, 0, none);
    put_fixed(out, 1, 4);
    put_fixed(out, 1, 4);
}

static void test_goal_binary(void **state) {
    Case c;
    LpBuf file = {0};
    (void)state;
    put_binary(&file, 4223, 3);
    read_buf(&c, "goal", &file);
    fine(&c);
    assert_string_equal(c.import.reading.called, "goal binary");
    check_goal(c.import.reading.own);
    lp_import_free(&c.import);
    put_binary(&file, 2342, 3);
    read_buf(&c, "goal", &file);
    refused(&c, " byte 0: the schedule was used up by a run of LogGOPSim that saves memory: make "
                "it anew with txt2bin");
    put_fixed(&file, 4223, 8);
    put_fixed(&file, 0, 6);
    read_buf(&c, "goal", &file);
    refused(&c, " byte 8: a schedule of 0 ranks, expected at least one");
    put_binary(&file, 4223, 9);
    read_buf(&c, "goal", &file);
    refused(&c, " byte 132: op 2 has the unknown type 9, expected 1 to 3");
    put_binary(&file, 4223, 3);
    file.len -= 1;
    read_buf(&c, "goal", &file);
    refused(&c, " byte 175: rank 0: bytes 175 to 273, but the file ends at 272");
}

static void test_goal_refuses(void **state) {
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"rank 0 {\n}\n", "1: expected num_ranks and their number before rank 0"},
        {"", " the file ends before num_ranks and their number"},
        {"num_ranks 0\n", "1: expected num_ranks and a number above 0"},
        {"num_ranks 1\nnum_ranks 1\n", "2: num_ranks stands there twice"},
        {"num_ranks 2\nrank 0 {\n}\n", "3: the file ends and has no rank 1, of 2"},
        {"num_ranks 1\nrank 1 {\n", "2: this is rank 1 of 1, which count from 0"},
        {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "4: rank 0 stands there twice"},
        {"num_ranks 2\nrank 0 {\nrank 1 {\n", "3: rank 1 begins inside rank 0"},
        {"num_ranks 1\n}\n", "2: \"}\" without a rank that it could end"},
        {"num_ranks 1\nrank 0 {\na: calc 1\n", "3: the file ends inside rank 0: expected }"},
        {"num_ranks 1\nrank 0 {\na: calc 1\na: calc 1\n",
         "4: label a stands there twice in its rank"},
        {"num_ranks 1\nrank 0 {\na: calc 1\na requires b\n", "4: label b is not defined before"},
        {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb irequires a\n}\n",
         "7: label a of rank 0, which ends here, waits for itself"},
        {"num_ranks 1\nrank 0 {\nsend 1b to 1\n", "3: the op is about rank 1 of 1"},
    };
    static const char *const lines[] = {"send 5 to 0",
                                        "calc -5",
                                        "send 5b from 0",
                                        "send 5b to -1",
                                        "recv 5b to 0",
                                        "calc",
                                        "calc 18446744073709551616",
                                        "calc 1 tag 4294967296",
                                        "calc 1 cpu 256",
                                        "calc 1 tag",
                                        "a requires",
                                        "1a: calc 1"};
    Case c;
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        read_bytes(&c, "goal", rows[i].text, strlen(rows[i].text));
        refused(&c, rows[i].sentence);
    }
    for (size_t i = 0; i < LP_COUNTOF(lines); i++) {
        char text[96], sentence[256];
        snprintf(text, sizeof text, "num_ranks 1\nrank 0 {\n%s\n}\n", lines[i]);
        snprintf(
            sentence, sizeof sentence,
            "3: line 3: \"%s\" is no calc, send, recv, requires or irequires as GOAL has them, "
            "nor the begin or the end of a rank",
            lines[i]);
        read_bytes(&c, "goal", text, strlen(text));
        refused(&c, sentence);
    }
}

/* Sends and receives are partners by source, destination, tag and bytes. */
static void test_goal_unmatched(void **state) {
    static const char text[] = "num_ranks 2\nrank 0 {\n"
                               "send 5b to 1\nsend 5b to 1\nsend 6b to 1\nsend 7b to 1 tag 1\n"
                               "}\nrank 1 {\n"
                               "recv 5b from 0\nrecv 7b from 0 tag 1\nrecv 6b from 0 tag 1\n}\n";
    Case c;
    (void)state;
    read_bytes(&c, "goal", text, sizeof text - 1);
    fine(&c);
    assert_int_equal(((const LpGoal *)c.import.reading.own)->unmatched, 3);
    lp_import_free(&c.import);
}

/* ---- SimAI ---- */

#define LAYER "a -1 5 ALLREDUCE_EP 8\t6 NONE 0 7 ALLGATHER 0 9"

static void test_simai(void **state) {
    static const char text[] = "MICRO\tga: 2 checkpoints: 1 0 unknown: 7 all_gpus: 8 "
                               "model_parallel_NPU_group: 2 ep: 4 pp_comm: 5.0\n"
                               "1\n" LAYER;
    Case c;
    (void)state;
    read_bytes(&c, "simai", text, sizeof text - 1);
    fine(&c);
    const LpSimai *s = c.import.reading.own;
    assert_string_equal(s->kind, "MICRO");
    assert_true(s->micro_batches == 2 && s->tensor == 2 && s->expert == 4 && s->pipeline == 1);
    assert_true(s->data == 4 && s->pipeline_bytes == 5);
    assert_int_equal(s->layers, 1);
    assert_int_equal(s->empty, 1);
    assert_true(s->layer[0].again);
    assert_int_equal(s->layer[0].group[LP_SIMAI_FORWARD], LP_SIMAI_EXPERT);
    assert_int_equal(s->layer[0].group[LP_SIMAI_WEIGHT_GRADIENT], LP_SIMAI_DATA);
    assert_true(s->layer[0].ns[LP_SIMAI_UPDATE] == 9 && s->layer[0].bytes[LP_SIMAI_FORWARD] == 8);
    lp_import_free(&c.import);
}

/* Two layers on 2 x 2 ranks, by hand: forward 10 + ring of 2 over 1000 bytes = 1200, 20; back the
 * other way: 3, 4, then 5 + 1200 (not waited for by 6), 6 and its gradients 2 x (100 + 1000), then
 * 7; the update of 8 is done by then. */
static void test_simai_alone(void **state) {
    static const char text[] = "MICRO model_parallel_NPU_group: 2 all_gpus: 4\n2\n"
                               "a -1 10 ALLREDUCE 1000 5 ALLREDUCE 1000 6 ALLREDUCE 2000 7\n"
                               "b -1 20 NONE 0 3 NONE 0 4 NONE 0 8\n";
    const LpImportOptions options = {.server_bandwidth = 1e9, .latency = 1e-7};
    const char *file = FILE_NAME;
    Case c;
    (void)state;
    write_file(FILE_NAME, text, sizeof text - 1);
    read_files(&c, "simai", &file, 1, &options);
    fine(&c);
    const LpSimai *s = c.import.reading.own;
    assert_true(s->ran);
    assert_int_equal(s->run.ranks, 4);
    assert_true(s->run.step_ns == 10 + 1200 + 20 + 3 + 4 + 5 + 6 + 2200 + 7);
    assert_true(s->run.rank[3].computing_ns == 63);
    assert_null(lp_simai_refusal(s));
    lp_import_free(&c.import);
}

static void test_simai_refuses(void **state) {
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"",
         "1: \"\" is no kind of parallelism: expected HYBRID_TRANSFORMER_FWD_IN_BCKWD or another "
         "of SimAI's"},
        {"MICRO\n2\n" LAYER "\n", "2: line 2: 2 layers, but 1 follow (--lenient takes those)"},
        {"MICRO\nmany\n", "2: line 2 is \"many\", expected the number of layers"},
        {"MICRO\n1\na b\n", "3: line 3 has 2 fields, expected 12"},
        {"MICRO tp: 1 pp: 0\n1\n", "1: line 1: pp: is 0, expected a whole number from 1 on"},
        {"MICRO checkpoints: 3 1 2\n1\n", "1: line 1: 3 checkpoints, but 2 words follow"},
        {"MICRO all_gpus: 6 pp: 4\n1\n",
         "1: 6 GPUs are no multiple of 1 tensor times 4 pipeline ways"},
        {"MICRO\n1\na -1 x NONE 0 1 NONE 0 1 NONE 0 1\n",
         "3: line 3: field 3 is \"x\", expected a number"},
        {"MICRO\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 -1\n",
         "3: line 3: field 12 is -1, expected a number from 0 on"},
        {"MICRO\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 9e18 1\n",
         "3: line 3: its number of bytes is 9e18, expected less than 9e+18"},
        {"MICRO\n1\na -1 1 NONE 0 1 ALLREDUCEALLTOALL 0 1 NONE 0 1\n",
         "3: line 3: \"ALLREDUCEALLTOALL\" is no collective: expected NONE, ALLREDUCE, ALLGATHER, "
         "REDUCESCATTER, ALLTOALL or BROADCAST, perhaps with _EP or _DP_EP"},
    };
    static const char longer[] = "MICRO\n839\n" LAYER "\n";
    static const LpImportOptions lenient = {.lenient = true, .gpus = 3};
    const char *file = FILE_NAME;
    Case c;
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        read_bytes(&c, "simai", rows[i].text, strlen(rows[i].text));
        refused(&c, rows[i].sentence);
    }
    write_file(FILE_NAME, longer, sizeof longer - 1);
    read_files(&c, "simai", &file, 1, &lenient);
    fine(&c);
    assert_true(((const LpSimai *)c.import.reading.own)->data == 3);
    lp_import_free(&c.import);
}

TEST_GROUP(test_import_steps) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_varints),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_texts_and_the_last_value),
        cmocka_unit_test(test_chakra_dependencies),
        cmocka_unit_test(test_chakra_refuses),
        cmocka_unit_test(test_chakra_ranks),
        cmocka_unit_test(test_chakra_process_groups),
        cmocka_unit_test(test_goal_text),
        cmocka_unit_test(test_goal_binary),
        cmocka_unit_test(test_goal_refuses),
        cmocka_unit_test(test_goal_unmatched),
        cmocka_unit_test(test_simai),
        cmocka_unit_test(test_simai_alone),
        cmocka_unit_test(test_simai_refuses),
    };
    /* a name of this process alone, so that two runs on one machine do not meet */
    int file = mkstemp(FILE_NAME);
    if (file < 0 || close(file) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(FILE_NAME);
    return failed;
}
