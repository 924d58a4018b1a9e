/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of import/nets: what each reader makes of a small cluster or network, what it refuses and
 * where, and that what is written of it is a scenario of the same network. */
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
#include "base/num.h"
#include "group.h"
#include "import/import.h"
#include "import/nets/hosts.h"
#include "import/nets/net.h"
#include "import/trace/astra.h"
#include "io/files/file.h"
#include "io/json/json.h"
#include "io/scenario/scenario.h"
#include "model/tree/hostlist.h"

static char net_name[] = "/tmp/lightpath-import-nets-XXXXXX";
static char system_name[] = "/tmp/lightpath-import-system-XXXXXX";
static const char *const FILE_NAME[] = {net_name, system_name};

static void put_file(int file, const char *text) {
    FILE *to = fopen(FILE_NAME[file], "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, strlen(text), to), strlen(text));
    assert_int_equal(fclose(to), 0);
}

static void read_net(const char *format, const char *text, const LpImportOptions *options,
                     LpImport *out) {
    LpDiag diag = {0};
    char shown[LP_DIAG_TEXT];
    put_file(0, text);
    if (lp_import_read(lp_format_find(format), FILE_NAME, 1, options, out, &diag) != LP_OK)
        fail_msg("%s: %s", format, lp_diag_format(&diag, shown, sizeof shown));
}

/* ---- what came of it, as one line ---- */

static void add_node(const LpNet *net, LpNetEnd end, LpBuf *out) {
    lp_buf_add(out, end.is_switch ? lp_net_switch_name(net, end.number)
                                  : lp_net_server_name(net, end.number));
}

/* "a-s 1e9 0.5; ... leaf s(0 1) | spine top(0)": cables, then levels with what lies under each
 * node. */
static void add_net(const LpNet *net, LpBuf *out) {
    const LpNetCable *cable;
    const LpNetLevel *level;
    uint32_t cables = lp_net_cables(net, &cable), levels = lp_net_levels(net, &level);
    char number[LP_NUM_TEXT];
    for (uint32_t c = 0; c < cables; c++) {
        lp_buf_add(out, c > 0 ? "; " : "");
        add_node(net, cable[c].from, out);
        lp_buf_add(out, "-");
        add_node(net, cable[c].to, out);
        lp_buf_addf(out, " %s", lp_num_print(cable[c].bandwidth, number));
        if (cable[c].delay != 5e-7)
            lp_buf_addf(out, " %s", lp_num_print(cable[c].delay, number));
    }
    for (uint32_t l = 0; l < levels; l++) {
        lp_buf_addf(out, " | %s", level[l].name);
        for (uint32_t n = 0; n < level[l].nodes; n++) {
            lp_buf_addf(out, " %s(", level[l].node[n].name);
            for (uint32_t i = 0; i < level[l].node[n].children; i++)
                lp_buf_addf(out, "%s%u", i > 0 ? " " : "", level[l].node[n].child[i]);
            lp_buf_add(out, ")");
        }
    }
}

static LpErr keep(void *user, const char *bytes, size_t len, LpDiag *diag) {
    lp_buf_add_bytes(user, bytes, len);
    return lp_buf_ok(user, diag);
}

/* What is written of an import loads, with as many servers, switches and levels. */
static LpScenario *load_written(const LpImport *import) {
    LpBuf text = {0};
    LpScenario *scenario = NULL;
    LpDiag diag = {0};
    char shown[LP_DIAG_TEXT];
    const LpLoadOptions options = {0};
    LpErr err = lp_import_write(import, NULL, keep, &text, &diag);
    if (err == LP_OK)
        err = lp_scenario_parse(lp_buf_text(&text), text.len, "/nowhere/s.json", &options,
                                &scenario, &diag);
    if (err != LP_OK)
        fail_msg("%s\n%s", lp_diag_format(&diag, shown, sizeof shown), lp_buf_text(&text));
    lp_buf_fini(&text);
    return scenario;
}

static void expect_with(const LpImportOptions *options, const char *format, const char *text,
                        const char *net, const char *report) {
    LpImport import;
    LpBuf got = {0};
    LpDiag diag;
    const LpNetLevel *level;
    const LpNetCable *cable;
    read_net(format, text, options, &import);
    add_net(import.reading.net, &got);
    assert_string_equal(lp_buf_text(&got), net);
    lp_buf_clear(&got);
    assert_int_equal(lp_import_json(&import, false, &got, &diag), LP_OK);
    if (report != NULL && strstr(lp_buf_text(&got), report) == NULL)
        fail_msg("no %s in %s", report, lp_buf_text(&got));
    lp_buf_fini(&got);
    LpScenario *scenario = load_written(&import);
    const LpNetworkSpec *spec = &scenario->cluster.packet.spec;
    if (spec->topology == LP_TOPOLOGY_LINKS) {
        assert_int_equal(spec->servers, lp_net_servers(import.reading.net));
        assert_int_equal(spec->switches, lp_net_switches(import.reading.net));
        assert_int_equal(spec->cables, lp_net_cables(import.reading.net, &cable));
    }
    assert_int_equal(scenario->cluster.levels.levels, lp_net_levels(import.reading.net, &level));
    assert_int_equal(scenario->cluster.names, lp_net_servers(import.reading.net));
    for (uint32_t s = 0; s < scenario->cluster.names; s++)
        assert_string_equal(scenario->cluster.name[s], lp_net_server_name(import.reading.net, s));
    lp_scenario_free(scenario);
    lp_import_free(&import);
}

static void expect(const char *format, const char *text, const char *net, const char *report) {
    LpImportOptions none = {0};
    expect_with(&none, format, text, net, report);
}

static void refuse_with(const LpImportOptions *options, const char *format, const char *text,
                        int line, const char *says) {
    LpImport import;
    LpDiag diag = {0};
    put_file(0, text);
    assert_int_not_equal(
        lp_import_read(lp_format_find(format), FILE_NAME, 1, options, &import, &diag), LP_OK);
    lp_import_free(&import);
    assert_string_equal(diag.text, says);
    assert_int_equal(diag.line, line);
    assert_string_equal(diag.file, FILE_NAME[0]);
}

static void refuse(const char *format, const char *text, int line, const char *says) {
    LpImportOptions none = {0};
    refuse_with(&none, format, text, line, says);
}

/* What the report says as text. */
static void expect_says(const char *format, const char *text, const LpImportOptions *options,
                        const char *const *says, size_t count) {
    LpImport import;
    LpBuf got = {0};
    LpDiag diag;
    read_net(format, text, options, &import);
    assert_int_equal(lp_import_text(&import, &got, &diag), LP_OK);
    for (size_t i = 0; i < count; i++)
        if (strstr(lp_buf_text(&got), says[i]) == NULL)
            fail_msg("no \"%s\" in\n%s", says[i], lp_buf_text(&got));
    lp_buf_fini(&got);
    lp_import_free(&import);
}

/* ---- Slurm ---- */

#define UP "12500000000"

static void test_slurm(void **state) {
    (void)state;
    expect("slurm-topology",
           "# c\n\nSWITCHNAME=top switches=s[0-1]\nSwitchName=s0 Nodes=n[08-10] LinkSpeed=4 # c\n"
           "SwitchName=s1 \\\n Nodes=a,n1\n",
           "n08-s0 " UP "; n09-s0 " UP "; n10-s0 " UP "; a-s1 " UP "; n1-s1 " UP "; s0-top " UP
           "; s1-top " UP " | leaf s0(0 1 2) s1(3 4) | spine top(0 1)",
           "\"notes\": {\"link_speeds_have_no_unit\": 1}");
    /* scontrol show topology: switches above name the hosts below once more */
    expect("slurm-topology",
           "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[0-1]\n"
           "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n2\n"
           "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-2] Switches=s[0-1]\n",
           "n0-s0 " UP "; n1-s0 " UP "; n2-s1 " UP "; s0-top " UP "; s1-top " UP
           " | leaf s0(0 1) s1(2) | spine top(0 1)",
           "\"leaf_sizes\": {\"s0\": 2, \"s1\": 1}");
    /* a leaf that hangs on the core stands for itself between; so does a second top */
    expect("slurm-topology",
           "SwitchName=a Nodes=a1\nSwitchName=b Nodes=b1\nSwitchName=c Nodes=c1\n"
           "SwitchName=s Switches=a\nSwitchName=t Switches=s,b\n",
           "a1-a " UP "; b1-b " UP "; c1-c " UP "; a-s " UP "; s-t " UP "; b-t " UP
           "; c-(tops joined) " UP "; t-(tops joined) " UP
           " | leaf a(0) b(1) c(2) | spine s(0) b(1) c(2) | core t(0 1) c(2)",
           "\"tops\": [\"c\", \"t\"]");
    /* hosts of a switch that has others below it are a leaf of its name; an empty one is none */
    expect("slurm-topology",
           "SwitchName=a Nodes=a1\nSwitchName=e\nSwitchName=t Switches=a,e Nodes=t1\n",
           "a1-a " UP "; t1-t " UP "; a-t " UP "; e-t " UP " | leaf a(0) t(1) | spine t(0 1)",
           "\"leaf_sizes\": {\"a\": 1, \"t\": 1}");
    expect("slurm-topology",
           "SwitchName=a Nodes=n1\nSwitchName=s Switches=a\n"
           "SwitchName=t Switches=a\n",
           "n1-a " UP "; a-s " UP "; a-t " UP "; s-(tops joined) " UP "; t-(tops joined) " UP
           " | leaf a(0) | spine s(0)",
           "\"switches_with_several_parents\": 1");
}

static void test_slurm_blocks(void **state) {
    (void)state;
    expect("slurm-topology", "BlockName=b0 Nodes=n[1-2]\nBlockName=b1 Nodes=m\nBlockSizes=2,4\n",
           "n1-b0 " UP "; n2-b0 " UP "; m-b1 " UP "; b0-(all blocks) " UP "; b1-(all blocks) " UP
           " | block b0(0 1) b1(2)",
           "\"notes\": {\"block_sizes\": \"2,4\", \"blocks_joined_by_one_switch\": 2}");
    expect("slurm-topology", "BlockName=b0 Nodes=n[1-2]\nSwitchName=a Nodes=n[1-2]\n",
           "n1-a " UP "; n2-a " UP " | leaf a(0 1)", "\"tree_taken_blocks_ignored\": 1");
}

/* Hosts of several servers, rates, and as many cables as a ratio needs. */
static void test_tree_options(void **state) {
    (void)state;
    LpImportOptions split = {.gpus_per_node = 2};
    expect_with(&split, "slurm-topology", "SwitchName=a Nodes=n1,m\n",
                "n1/0-a " UP "; n1/1-a " UP "; m/0-a " UP "; m/1-a " UP
                " | host n1(0 1) m(2 3) | leaf a(0 1)",
                "\"gpus_per_node\": 2");
    LpImportOptions wide = {
        .server_bandwidth = 1e9, .uplink_bandwidth = 2e9, .oversubscription = 1.5};
    /* 4 GB/s come up: 4 / (1.5 * 2) is more than one cable; 7 go on: 2 * 2 + 3 = 7 / 3 */
    expect_with(
        &wide, "slurm-topology",
        "SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=m[1-3]\nSwitchName=s Switches=a,b\n"
        "SwitchName=t Switches=s\n",
        "n1-a 1000000000; n2-a 1000000000; n3-a 1000000000; n4-a 1000000000; "
        "m1-b 1000000000; m2-b 1000000000; m3-b 1000000000; a-s 2000000000; a-s 2000000000; "
        "b-s 2000000000; s-t 2000000000; s-t 2000000000 | leaf a(0 1 2 3) b(4 5 6) | spine "
        "s(0 1) | core t(0)",
        "\"cables\": 12");
}

static void test_slurm_refused(void **state) {
    (void)state;
    refuse("slurm-topology", "SwitchName=a\nSwitchName=b Switches=a,c\n", 2,
           "switch c is not defined, expected a line SwitchName=c");
    refuse("slurm-topology", "SwitchName=a Nodes=x\n\nSwitchName=a Nodes=y\n", 3,
           "switch a stands there twice, first in line 1");
    refuse("slurm-topology", "BlockName=a Nodes=x\nBlockName=a Nodes=y\n", 2,
           "block a stands there twice");
    refuse("slurm-topology", "SwitchName=a Nodes=x\nSwitchName=b Nodes=x\n", 2,
           "node x hangs on two switches, or twice on one, expected one");
    refuse("slurm-topology", "SwitchName=a Nodes=n[3-1]\n", 1,
           "\"n[3-1]\" is no list of hosts: the list of names has \"3-1]\": expected a range that "
           "goes up");
    refuse("slurm-topology", "SwitchName=a Nodes=x Hello\n", 1, "\"Hello\", expected Name=value");
    refuse("slurm-topology", "Nodes=x\n", 1,
           "neither SwitchName nor BlockName, expected one of them");
    refuse("slurm-topology", "\nSwitchName=\xff Nodes=x\n", 2, "the line is no UTF-8");
    refuse("slurm-topology", "# nothing\n", 1,
           "no switch and no block, expected lines such as SwitchName=s0 Nodes=host[0-15]");
    refuse("slurm-topology", "SwitchName=a\n", 1,
           "no switch has hosts, expected Nodes= on some line");
    refuse("slurm-topology",
           "SwitchName=l Nodes=x\nSwitchName=a Switches=l,c\nSwitchName=b Switches=a\n"
           "SwitchName=c Switches=b\nSwitchName=d Switches=c\n",
           3, "switch b is above itself, expected a tree");
}

static void test_tree_text(void **state) {
    (void)state;
    /* 15 leaves of 1 to 11 hosts */
    static const int size[] = {1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 11};
    static const char *const says[] = {
        "  tree              77 hosts, 16 switches in 2 levels, 92 cables\n",
        "  leaves            15 of 1 to 11 hosts: 1 2 3 3 4 4 5 5 5 6 6 7 7 8 11\n",
        "a gang of 8 hosts fits in 2 of 15, one of 12 in none; in all 77\n",
        "  largest job       11 hosts under one leaf, 77 hosts under one spine\n",
        "  diameter          4 cables between servers\n",
        "  oversubscription  5.13: 962 GB/s of servers over 188 GB/s between switches 1 and 2 ",
        "  assumed           12.5 GB/s a server, 12.5 GB/s an uplink, 500 ns a cable"};
    LpImportOptions none = {0};
    LpBuf text = {0};
    for (int i = 0; i < 15; i++)
        lp_buf_addf(&text, "SwitchName=s%02d Nodes=n%d-[1-%d]\n", i, i, size[i]);
    lp_buf_add(&text, "SwitchName=top Switches=s[00-14]\n");
    expect_says("slurm-topology", lp_buf_text(&text), &none, says, LP_COUNTOF(says));
    lp_buf_fini(&text);
}

/* ---- Topograph ---- */

#define AT(id, layers, more) "{\"id\": \"" id "\", \"network_layers\": [" layers "]" more "}"
#define DOMAIN(name) ", \"labels\": {\"accelerator.topograph.run/domain\": \"" name "\"}"

static void test_topograph(void **state) {
    (void)state;
    /* servers are numbered leaf by leaf, and in each domain by domain */
    expect("topograph",
           "{\"instances\": [" AT("a", "\"l\", \"s\"", DOMAIN("d1")) ", "         //
           AT("b", "\"m\", \"s\"", ", \"attributes\": {\"nvlink\": \"d3\"}") ", " //
           AT("c", "\"l\", \"s\"", DOMAIN("d2")) ", " AT("d", "\"l\", \"s\"", DOMAIN("d1")) "]}",
           "a-l " UP "; d-l " UP "; c-l " UP "; b-m " UP "; l-s " UP "; m-s " UP
           " | domain d1(0 1) d2(2) d3(3) | leaf l(0 1) m(2) | spine s(0 1)",
           "\"domains\": {\"d1\": 2, \"d3\": 1, \"d2\": 1}");
    /* d1 lies under two leaves: no level; depths differ, tops are not joined */
    expect("topograph",
           "{\"x\": 1, \"instances\": [" AT("a", "\"l\", \"s\"", DOMAIN("d1")) ", " //
           AT("b", "\"m\"", DOMAIN("d1")) "]}",
           "a-l " UP "; b-m " UP "; l-s " UP "; s-(tops joined) " UP "; m-(tops joined) " UP
           " | leaf l(0) m(1) | spine s(0) m(1)",
           "\"notes\": {\"tops_that_are_not_joined\": 2}");
}

static void test_topograph_refused(void **state) {
    (void)state;
    refuse("topograph", "[]", 1, "no list \"instances\", expected {\"instances\": [...]}");
    refuse("topograph", "{\"instances\": []}", 1,
           "the list of instances is empty, expected at least one");
    refuse("topograph", "{\"instances\": [\n{}]}", 2, "an instance has no id, expected a text");
    refuse("topograph", "{\"instances\": [" AT("a", "", "") "]}", 1,
           "instance a has no network_layers, expected the names of the switches above it, the "
           "closest first");
    refuse("topograph", "{\"instances\": [" AT("a", "3", "") "]}", 1,
           "a layer of instance a is 3, expected the name of a switch");
    refuse("topograph", "{\"instances\": [" AT("a", "\"l\"", "") ",\n" AT("a", "\"l\"", "") "]}", 2,
           "instance a stands there twice");
    refuse("topograph",
           "{\"instances\": [" AT("a", "\"l\", \"s\"", "") ",\n" AT("b", "\"l\", \"t\"", "") "]}",
           2, "switch l is below s and below t, expected one above it");
    refuse("topograph",
           "{\"instances\": [" AT("a", "\"l\", \"s\"", "") ", " AT("b", "\"s\", \"l\"", "") "]}", 1,
           "switch l is above itself, expected a tree");
}

/* ---- graphs ---- */

#define XML(keys, graph)                                                                           \
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"                                  \
    "<key id=\"k\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>"                         \
    "<key id=\"d\" for=\"edge\" attr.name=\"delay\" attr.type=\"string\"/>" keys "\n" graph        \
    "</graphml>"
#define TEXT_RATE "<key id=\"b\" for=\"edge\" attr.name=\"bandwidth\" attr.type=\"string\"/>"
#define RATE "<key id=\"b\" for=\"edge\" attr.name=\"bandwidth\" attr.type=\"double\"/>"
#define GRAPH(inside) "<graph edgedefault=\"undirected\">\n" inside "</graph>"
#define NODE(id, kind) "<node id=\"" id "\"><data key=\"k\">" kind "</data></node>\n"
#define EDGE(from, to, rate)                                                                       \
    "<edge source=\"" from "\" target=\"" to "\"><data key=\"b\">" rate "</data></edge>\n"
#define STAR NODE("a", "server") NODE("s", "switch")

static void test_graphml(void **state) {
    (void)state;
    /* edges before nodes, from switch to server, entities, comments: numbers are those of the file
     */
    expect("graphml",
           "<?xml version=\"1.0\"?><!DOCTYPE graphml>" XML(
               RATE, GRAPH(EDGE("s", "b", "2e9") EDGE(
                         "a&amp;", "s", " 1e9 ") "<!-- <node id=\"z\"/> -->" NODE("a&#38;", "gpu")
                               NODE("s", "tor") NODE("b", "host"))),
           "s-b 2000000000 0; a&-s 1000000000 0", "\"bandwidth_of_servers\": 3000000000");
    expect("graphml",
           XML(TEXT_RATE,
               "<graph edgedefault=\"directed\">" STAR EDGE("a", "s", "1 GB/s") EDGE(
                   "s", "a", "8 Gb/s") "<node id=\"b\"><data key=\"k\">npu</data><port "
                                       "name=\"p\"/></node>"
                                       "<edge source=\"b\" target=\"s\"><data key=\"b\">1 "
                                       "GB/s</data><data key=\"d\">1 us</data></edge></graph>"),
           "a-s 1000000000 0; s-a 1000000000 0; b-s 1000000000 1e-06",
           "\"notes\": {\"parallel_cables\": 1, \"directed_read_as_cables\": 3, "
           "\"ports_ignored\": 1}");
}

static void test_graphml_refused(void **state) {
    (void)state;
#define REFUSE(keys, graph, line, says) refuse("graphml", XML(keys, graph), line, says)
    REFUSE(RATE, GRAPH(STAR EDGE("a", "zz", "1")), 6,
           "edge a - zz: node zz is not there, expected one that is declared");
    REFUSE(RATE, GRAPH(EDGE("zz", "a", "1") STAR), 4,
           "edge zz - a: node zz is not there, expected one that is declared");
    REFUSE(RATE, GRAPH(STAR NODE("a", "switch")), 6, "node a stands there twice, expected one");
    REFUSE(RATE, GRAPH("<node id=\"a\"/>"), 4, "node a has no kind, expected server or switch");
    REFUSE(RATE, GRAPH(STAR NODE("c", "coffee")), 6,
           "node c has the kind \"coffee\", expected server (host, gpu, npu) or switch (router, "
           "leaf, spine, tor)");
    REFUSE(RATE, GRAPH(STAR "<edge source=\"a\" target=\"s\"/>"), 6,
           "edge a - s has no bandwidth, expected a rate such as \"12.5 GB/s\"");
    REFUSE(TEXT_RATE, GRAPH(STAR EDGE("a", "s", "fast")), 6,
           "edge a - s: bandwidth \"fast\" is no rate such as \"12.5 GB/s\"");
    REFUSE(RATE, GRAPH(STAR EDGE("a", "s", "fast")), 6,
           "\"fast\" is no number, which the type of its key asks for");
    REFUSE(RATE, GRAPH(STAR EDGE("a", "s", "-0")), 6,
           "edge a - s: bandwidth is 0 B/s, expected a rate > 0");
    REFUSE(RATE, GRAPH(STAR "<hyperedge/>"), 6, "a hyperedge, expected edges between two nodes");
    REFUSE(RATE, GRAPH(STAR) GRAPH(""), 7, "2 graphs, expected one");
    REFUSE(RATE, "", 3, "0 graphs, expected one");
    REFUSE(RATE, GRAPH("<node id=\"n\">" GRAPH("") "</node>"), 4,
           "a graph inside another one or inside a node, expected one graph");
    REFUSE(RATE, GRAPH(STAR EDGE("a", "a", "1")), 6,
           "edge a - a joins a node to itself, expected two nodes");
    REFUSE(RATE, GRAPH(STAR EDGE("a", "s", "1") NODE("c", "host")), 7,
           "server c is not joined to server a, expected one network");
    REFUSE(RATE, GRAPH(STAR "<node id=\"c\"><data key=\"q\">1</data></node>"), 6,
           "data of the unknown key \"q\", expected a <key> before the graph");
    REFUSE(RATE, GRAPH(NODE("s", "switch")), 1, "no server, expected a node of the kind server");
    REFUSE(RATE,
           "<graph edgedefault=\"directed\">" STAR EDGE("a", "s", "1")
               EDGE("s", "a", "2") "</graph>",
           6, "edge s - a: bandwidths differ there and back, expected the same either way");
    REFUSE(RATE,
           GRAPH(STAR EDGE("a", "s",
                           "1") "<edge source=\"a\" target=\"s\"><data key=\"b\">1</data><data "
                                "key=\"d\">soon</data></edge>"),
           7, "edge a - s: delay \"soon\" is no time such as \"500 ns\"");
#undef REFUSE
    refuse("graphml", "<graphml>\n<graph><node", 2, "this is no XML: the file ends inside a tag");
    refuse("graphml", "<graphml>\n<graph>", 2, "this is no XML: the file ends inside an element");
    refuse("graphml", "<graphml><graph></wrong></graphml>", 1,
           "this is no XML of a graph: Line 1: Opening and ending tag mismatch: graph line 1 and "
           "wrong");
    refuse("graphml", "<!DOCTYPE graphml [ <!ENTITY a \"b\"> ]><graphml/>", 1,
           "the file declares entities of its own, expected none");
    refuse("graphml", "<svg/>", 1, "the outermost element is not <graphml>");
    /* what is in another name space igraph does not see */
    refuse("graphml", XML(RATE, GRAPH(STAR "<node xmlns=\"http://else\" id=\"b\"/>")), 1,
           "3 nodes and 0 edges stand in the file, but igraph reads others: expected plain XML of "
           "a graph");
}

static void test_gml(void **state) {
    (void)state;
    static const char text[] =
        "Creator \"graph [\"\ngraph [ directed 1\n node [ id 10 kind \"server\" ]\n"
        " node [ id 5 kind \"switch\" g [ x 1 node [ id 5 ] ] ]\n# node [ id 5 ]\n"
        " node [ id -2 kind \"host\" label \"] [\" ]\n"
        " edge [ source 5 target 10 bandwidth 5e8 ]\n"
        " edge [ source -2 target 5 bandwidth \"1 GB/s\" delay \"1 us\" ]\n]\n";
    expect("gml", text, "5-10 500000000 0; -2-5 1000000000 1e-06",
           "\"notes\": {\"directed_read_as_cables\": 2}");
    expect("graphml", text, "5-10 500000000 0; -2-5 1000000000 1e-06", "\"format\": \"gml\"");
    refuse("gml", "graph [\n node [ id 1 kind \"host\" ]\n node [ id 1 ]\n]", 3,
           "node 1 stands there twice, expected one");
    refuse("gml", "graph [\n node [ id 1 kind \"host\" ]\n edge [ source 1 target 2 ]\n]", 3,
           "edge 1 - 2: node 2 is not there, expected one that is declared");
    refuse("gml", "graph [\n node [ id 1 kind \"host\" ]\n", 3,
           "this is no GML: Parse error in GML file, line 3 (syntax error, unexpected end of file, "
           "expecting keyword or ])");
    refuse("gml", "graph [ ]\ngraph [ ]", 2, "2 graphs, expected one");
    refuse("gml", "x 1", 1, "this is no GML: No 'graph' object in GML file.");
}

static void test_edges(void **state) {
    (void)state;
    static const char text[] = "# c\na sw0 12.5e9\n\"b c\" sw0 \"12.5 GB/s\" \"500 ns\" # c\n\n"
                               "sw0 LEAF 1e11 1us\nc Leaf2#\n";
    refuse("edges", text, 6, "2 fields, expected from, to, bandwidth and perhaps a delay");
    expect("edges",
           "# c\na sw0 12.5e9\n\"b c\" sw0 \"12.5 GB/s\" \"500 ns\" # c\n\nsw0 LEAF 1e11 1us\n",
           "a-sw0 12500000000 0; b c-sw0 12500000000; sw0-LEAF 100000000000 1e-06",
           "\"format\": \"edge list\"");
    expect("graphml", "a sw0 1\nb sw0 1\n", "a-sw0 1 0; b-sw0 1 0", "\"format\": \"edge list\"");
    refuse("edges", "a sw 1\nb \"sw 1\n", 2, "a text without its closing quote");
    refuse("edges", "a b 1\nb c 1\n", 1,
           "server b is not joined to server a through switches: --servers-forward lets servers "
           "pass on what others send");
    /* beside a switch of their own, which joins nobody else */
    refuse("edges", "a sw1 1\na sw2 1\nb sw2 1\n", 3,
           "server b is not joined to server a through switches: --servers-forward lets servers "
           "pass on what others send");
    LpImportOptions forward = {.servers_forward = true};
    expect_with(&forward, "edges", "a b 1\nb c 1\n", "a-b 1 0; b-c 1 0", NULL);
}

static void test_graph_text(void **state) {
    (void)state;
    static const char *const says[] = {
        "  network           4 servers, 3 switches, 6 cables; 40 GB/s at the servers\n",
        "  diameter          4 cables between servers\n",
        "  oversubscription  1.6: 40 GB/s of servers over 25 GB/s between switches 1 and 2 ",
        "  single failures   sw0, sw1, spine: each parts the others\n",
        "  busiest cable     sw0 to spine: ways of 4 of 12 pairs of servers"};
    static const char *const ring[] = {"no node parts the others"};
    LpImportOptions none = {0}, forward = {.servers_forward = true};
    expect_says("edges",
                "a sw0 10GB/s\nb sw0 10GB/s\nc sw1 10GB/s\nd sw1 10GB/s\nsw0 spine 12.5GB/s\n"
                "sw1 spine 12.5GB/s\n",
                &none, says, LP_COUNTOF(says));
    expect_says("edges", "a b 1\nb c 1\nc a 1\n", &forward, ring, 1);
}

/* ---- ASTRA-sim ---- */

static void test_astra_network(void **state) {
    (void)state;
    /* dimension 0 runs fastest: NPUs 0 and 1 share a switch, 0, 2, 4 are a ring */
    expect("astra-network",
           "---\ntopology: [ Switch, \"Ring\" ] # c\nother: 3\nnpus_count: [\n 2, # c\n 3 ]\n"
           "bandwidth: [ 1, 2 ]\nlatency: [ 500, 1000 ]\n",
           "npu0-dim0-0 1073741824; npu1-dim0-0 1073741824; npu2-dim0-1 1073741824; "
           "npu3-dim0-1 1073741824; npu4-dim0-2 1073741824; npu5-dim0-2 1073741824; "
           "npu0-npu2 2147483648 1e-06; npu2-npu4 2147483648 1e-06; "
           "npu4-npu0 2147483648 1e-06; npu1-npu3 2147483648 1e-06; "
           "npu3-npu5 2147483648 1e-06; npu5-npu1 2147483648 1e-06",
           "\"cables\": 12,\n  \"switches\": 3,\n  \"torus_size\": null");
    LpImportOptions decimal = {.decimal = true};
    expect_with(&decimal, "astra-network",
                "topology: [FullyConnected, Ring]\nnpus_count: [3, 2]\nbandwidth: [1, 1]\n"
                "latency: [500, 500]\n",
                "npu0-npu1 1000000000; npu0-npu2 1000000000; npu1-npu2 1000000000; "
                "npu3-npu4 1000000000; npu3-npu5 1000000000; npu4-npu5 1000000000; "
                "npu0-npu3 1000000000; npu1-npu4 1000000000; npu2-npu5 1000000000",
                "\"cables\": 9");
}

/* Rings that are alike are a torus whose last size is the first dimension; a ring of 2 is not. */
static void test_torus(void **state) {
    (void)state;
    static const struct {
        const char *text;
        LpTopology topology;
    } net[] = {
        {"topology: [Ring, Ring]\nnpus_count: [3, 4]\nbandwidth: [2, 2]\nlatency: [500, 500]\n",
         LP_TOPOLOGY_TORUS},
        {"topology: [Ring, Ring]\nnpus_count: [3, 2]\nbandwidth: [2, 2]\nlatency: [500, 500]\n",
         LP_TOPOLOGY_LINKS},
        {"topology: [Ring, Ring]\nnpus_count: [3, 4]\nbandwidth: [2, 3]\nlatency: [500, 500]\n",
         LP_TOPOLOGY_LINKS}};
    for (size_t i = 0; i < LP_COUNTOF(net); i++) {
        LpImportOptions none = {0};
        LpImport import;
        read_net("astra-network", net[i].text, &none, &import);
        LpScenario *scenario = load_written(&import);
        const LpNetworkSpec *spec = &scenario->cluster.packet.spec;
        assert_int_equal(spec->topology, net[i].topology);
        if (spec->topology == LP_TOPOLOGY_TORUS) {
            assert_int_equal(spec->dimensions, 2);
            assert_int_equal(spec->size[0], 4);
            assert_int_equal(spec->size[1], 3);
            assert_true(spec->server_bandwidth == 2147483648.0 && spec->server_delay == 5e-7);
        } else {
            assert_true(spec->servers_forward);
        }
        lp_scenario_free(scenario);
        lp_import_free(&import);
    }
}

static void test_astra_refused(void **state) {
    (void)state;
#define LISTS(t, n, b, l) "topology: " t "\nnpus_count: " n "\nbandwidth: " b "\nlatency: " l "\n"
    refuse("astra-network", LISTS("[Ring]", "[4, 4]", "[1]", "[1]"), 2,
           "npus_count has 2 entries, topology has 1");
    refuse("astra-network", LISTS("[Torus]", "[4]", "[1]", "[1]"), 1,
           "topology \"Torus\", expected Ring, Switch or FullyConnected");
    refuse("astra-network", LISTS("[Ring]", "[1]", "[1]", "[1]"), 2,
           "npus_count is 1, expected a whole number > 1");
    refuse("astra-network", LISTS("[Ring]", "[4]", "[tbd]", "[1]"), 3,
           "bandwidth is tbd, expected a number > 0");
    refuse("astra-network", LISTS("[Ring]", "[4]", "[1]", "[-1]"), 4,
           "latency is -1, expected a number >= 0");
    refuse("astra-network", LISTS("[]", "[]", "[]", "[]"), 1,
           "topology has no entry, expected at least one");
    refuse("astra-network", LISTS("[Ring, Ring]", "[1048576, 2]", "[1, 1]", "[1, 1]"), 2,
           "npus_count multiplies to more than 1048576 NPUs");
    refuse("astra-network", LISTS("Ring", "[4]", "[1]", "[1]"), 1,
           "topology is no list, expected one such as [ 4, 8 ]");
    refuse("astra-network", "topology: [Ring]\n", 2,
           "no key npus_count, expected npus_count: [ ... ]");
    refuse("astra-network", "topology: [Ring\nnpus_count: 3\n", 2,
           "this is no YAML that is read here: expected a comma or ] in a list");
    refuse("astra-network", "topology: [Ring]\ntopology: [Ring]\n", 2,
           "topology stands there twice");
    refuse("astra-network", "Nodes 8192\nTiers 2\n", 1,
           "this is a topology of htsim, expected one of ASTRA-sim's analytical network");
    refuse("astra-network", "16 4 20\n0 1\n", 1,
           "this is a topology of ns-3, expected one of ASTRA-sim's analytical network");
#undef LISTS
}

static void test_astra_text(void **state) {
    (void)state;
    static const char *const says[] = {
        "2^30 bytes each make 53.7 GB/s (taken, as ASTRA-sim does), 10^9 make 50 GB/s; 500 ns ",
        "one message of 1 MiB to the neighbour: 20031 ns\n",
        "all_gather of 1048576 B on a ring of 16: 323560 ns, as a fluid 300469 ns\n",
        "  diameter          8 cables between servers\n"};
    LpImportOptions options = {.system = FILE_NAME[1]};
    put_file(1,
             "{\"preferred-dataset-splits\": 4, \"endpoint-delay\": 10, \"local-mem-bw\": 1600}");
    expect_says("astra-network",
                "topology: [ Ring ]\nnpus_count: [ 16 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n",
                &options, says, LP_COUNTOF(says));
}

/* ---- what no scenario can hold, lists of names, known results ---- */

static void test_too_many(void **state) {
    (void)state;
    LpImportOptions none = {0};
    LpImport import;
    LpBuf text = {0}, out = {0};
    LpDiag diag = {0};
    /* and the one that joins them */
    for (int s = 0; s < 2049; s++)
        lp_buf_addf(&text, "SwitchName=s%d Nodes=n%d\n", s, s);
    read_net("slurm-topology", lp_buf_text(&text), &none, &import);
    assert_int_equal(lp_import_write(&import, NULL, keep, &out, &diag), LP_EINVAL);
    assert_string_equal(diag.text, "2050 nodes forward what others send (2050 switches), expected "
                                   "at most 2048");
    lp_import_free(&import);
    lp_buf_fini(&text);
    lp_buf_fini(&out);
}

/* Folded names are the same names when they are unfolded. */
static void test_fold(void **state) {
    (void)state;
    static const struct {
        const char *names[6], *list;
    } cases[] = {
        {{"n0", "n1", "n2"}, "n[0-2]"},
        {{"n08", "n09", "n10", "n12"}, "n[08-10,12]"},
        {{"n8", "n9", "n10"}, "n[8-10]"},
        {{"n9", "n010", "n11"}, "n[9,010,11]"},
        {{"a", "b1-x", "b2-x", "7"}, "a,b[1-2]-x,7"},
        {{"n2", "n1"}, "n[2,1]"},
        {{"r1n1", "r1n2", "r2n1"}, "r1n[1-2],r2n1"},
        {{"x1234567890123", "x1234567890124"}, "x1234[567890123-567890124]"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpArena *arena = lp_arena_new(0);
        LpBuf list = {0};
        const char *const *name;
        uint32_t names, count = 0;
        LpDiag diag;
        while (count < 6 && cases[i].names[count] != NULL)
            count++;
        assert_true(lp_hosts_fold(cases[i].names, count, &list));
        assert_string_equal(lp_buf_text(&list), cases[i].list);
        assert_int_equal(lp_hostlist_expand(lp_buf_text(&list), 10, arena, &name, &names, &diag),
                         LP_OK);
        assert_int_equal(names, count);
        for (uint32_t n = 0; n < names; n++)
            assert_string_equal(name[n], cases[i].names[n]);
        lp_buf_fini(&list);
        lp_arena_free(arena);
    }
    LpBuf none = {0};
    assert_false(lp_hosts_fold((const char *const[]){"n[1]"}, 1, &none));
    assert_false(lp_hosts_fold((const char *const[]){""}, 1, &none));
    assert_int_equal(none.len, 0);
}

static LpErr read_known(const char *path, LpJson **doc, char **text) {
    size_t len;
    LpDiag diag;
    LpErr err = lp_file_read(path, 0, text, &len, &diag);
    return err == LP_OK ? lp_json_parse(path, *text, len, doc, &diag) : err;
}

/* Times of rings that ASTRA-sim printed, and others by its code. */
static void test_ring_times(void **state) {
    static const char path[] = "../shared/goldens/formats/astra-network/ring-times.json";
    static const LpTraceCall call[] = {LP_TRACE_ALL_GATHER, LP_TRACE_ALL_REDUCE,
                                       LP_TRACE_REDUCE_SCATTER, LP_TRACE_ALL_TO_ALL};
    static const char *const word[] = {"all_gather", "all_reduce", "reduce_scatter", "all_to_all"};
    LpJson *doc = NULL;
    char *text = NULL;
    int seen = 0;
    (void)state;
    if (read_known(path, &doc, &text) != LP_OK) {
        print_message("skipped: no %s\n", path);
        return;
    }
    for (LpJsonValue v = lp_json_first(lp_json_root(doc)); v.item != NULL; v = lp_json_next(v)) {
#define NUMBER(key) lp_json_number(lp_json_member(v, key))
        LpAstraSystem system = {.chunks = NUMBER("chunks"),
                                .active = 1,
                                .endpoint_ns = NUMBER("endpoint_ns"),
                                .memory = NUMBER("local_mem_GB_per_s") * 1e9};
        LpAstraRing ring = {NUMBER("GB_per_s") * 1073741824, NUMBER("latency_ns")};
        LpAstraTime time;
        size_t c = 0;
        while (strcmp(word[c], lp_json_text(lp_json_member(v, "collective"))) != 0)
            c++;
        assert_true(lp_astra_time(call[c], (uint32_t)NUMBER("npus"), (uint64_t)NUMBER("bytes"),
                                  &system, &ring, &time));
        assert_true(time.astra_ns == NUMBER("astra_sim_ns"));
        if (lp_json_kind(lp_json_member(v, "fluid_ns")) == LP_JSON_NUMBER)
            assert_true(lp_num_round(time.fluid_ns, 3) == NUMBER("fluid_ns"));
        seen++;
#undef NUMBER
    }
    assert_int_equal(seen, 5);
    lp_json_free(doc);
    lp_free(text);
}

/* Names of this process alone, so that two runs on one machine do not meet. */
static int make_files(void **state) {
    (void)state;
    int net = mkstemp(net_name), system = mkstemp(system_name);
    return net >= 0 && system >= 0 ? close(net) | close(system) : -1;
}

static int remove_files(void **state) {
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(FILE_NAME); i++)
        remove(FILE_NAME[i]);
    return 0;
}

TEST_GROUP(test_import_nets) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slurm),
        cmocka_unit_test(test_slurm_blocks),
        cmocka_unit_test(test_tree_options),
        cmocka_unit_test(test_slurm_refused),
        cmocka_unit_test(test_tree_text),
        cmocka_unit_test(test_topograph),
        cmocka_unit_test(test_topograph_refused),
        cmocka_unit_test(test_graphml),
        cmocka_unit_test(test_graphml_refused),
        cmocka_unit_test(test_gml),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_graph_text),
        cmocka_unit_test(test_astra_network),
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_astra_refused),
        cmocka_unit_test(test_astra_text),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_ring_times),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
