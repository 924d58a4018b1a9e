/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The own JSON profile: ops with times, or with work that a device turns into times, and edges. */
#include <string.h>

#include "base/json_out.h"
#include "io/json/json.h"
#include "io/profile/profile.h"

typedef struct Profile {
    const char *name;
    double batch;
    LpGraphBuilder *builder;
} Profile;

/* ---- ops ---- */

#define FORWARD "forward"
#define BACKWARD "backward"

static LpErr read_name(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LpOp *op = target;
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    op->name = lp_json_text(value); /* the document's; the builder copies it */
    return LP_OK;
}

static LpErr read_kind(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LpOp *op = target;
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    op->kind = lp_op_kind_find(lp_json_text(value));
    if (op->kind != LP_OP_UNSTATED)
        return LP_OK;
    LpBuf words = {0};
    for (int kind = LP_OP_UNSTATED + 1; kind < LP_OP_KIND_COUNT; kind++)
        lp_buf_addf(&words, "%s%s", words.len > 0 ? ", " : "", lp_op_kind_word((LpOpKind)kind));
    char shown[48];
    LpErr err =
        lp_json_fail(value, diag, LP_EINVAL, "unknown kind of op \"%s\", expected one of %s",
                     lp_str_show(shown, sizeof shown, lp_json_text(value)), lp_buf_text(&words));
    lp_buf_fini(&words);
    return err;
}

static const LpJsonKey product_keys[] = {
    LP_QUANTITY("flops", LpProduct, flops, .min = 0),
    LP_QUANTITY("serial", LpProduct, serial, .min = 1),
    LP_QUANTITY("count", LpProduct, count, .min = 1),
    LP_QUANTITY("rows", LpProduct, rows, .min = 1),
    LP_QUANTITY("columns", LpProduct, columns, .min = 1),
    LP_QUANTITY("depth", LpProduct, depth, .min = 1),
};

/* Three sides make a shape; one product where nothing says of how many. */
static LpErr read_product(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LpProduct p = {0};
    LP_TRY(lp_json_read(value, product_keys, LP_COUNTOF(product_keys), &p, NULL, NULL, diag));
    bool any = p.rows > 0 || p.columns > 0 || p.depth > 0;
    if (any != (p.rows > 0 && p.columns > 0 && p.depth > 0))
        return lp_json_fail(value, diag, LP_EINVAL,
                            "a product has %s \"rows\", %s \"columns\" and %s \"depth\", expected "
                            "all of them or none",
                            p.rows > 0 ? "a" : "no", p.columns > 0 ? "a" : "no",
                            p.depth > 0 ? "a" : "no");
    p.serial = any && p.serial == 0 ? 1 : p.serial;
    p.count = any && p.count == 0 ? 1 : p.count;
    ((LpOp *)target)->work.product = p;
    return LP_OK;
}

static const LpJsonShape product_shape = LP_OBJECT_SHAPE(product_keys);

static const LpJsonKey op_keys[] = {
    {LP_FIELD("id", LP_KEY_COUNT, LpOp, number), .range = {.min = 1, .max = LP_GRAPH_MAX_OPS},
     .required = true},
    LP_CUSTOM("name", read_name),
    LP_QUANTITY(FORWARD, LpOp, forward, .dim = LP_DIM_TIME),
    LP_QUANTITY(BACKWARD, LpOp, backward, .dim = LP_DIM_TIME),
    LP_QUANTITY("forward_flops", LpOp, work.forward_flops, .min = 0),
    LP_QUANTITY("backward_flops", LpOp, work.backward_flops, .min = 0),
    LP_QUANTITY("forward_bytes", LpOp, work.forward_bytes, .dim = LP_DIM_BYTES),
    LP_QUANTITY("backward_bytes", LpOp, work.backward_bytes, .dim = LP_DIM_BYTES),
    LP_QUANTITY("activation", LpOp, activation, .dim = LP_DIM_BYTES),
    LP_QUANTITY("parameters", LpOp, parameters, .dim = LP_DIM_BYTES),
    LP_CUSTOM("kind", read_kind),
    {.name = "product", .type = LP_KEY_CUSTOM, .read = read_product, .shape = &product_shape},
    LP_QUANTITY("channels", LpOp, channels, .min = 0),
};

static bool has(LpJsonValue object, const char *key) {
    return lp_json_member(object, key).item != NULL;
}

/* Without FLOPs of its own a product is all of the forward work. */
static LpErr check_product(LpJsonValue value, LpOp *op, LpDiag *diag) {
    LpJsonValue product = lp_json_member(value, "product");
    LpProduct *p = &op->work.product;
    if (product.item == NULL)
        return LP_OK;
    if (!has(product, "flops"))
        p->flops = op->work.forward_flops;
    if (op->has_work && p->flops <= op->work.forward_flops)
        return LP_OK;
    return op->has_work
               ? lp_json_fail(
                     product, diag, LP_EINVAL,
                     "op %u has %g FLOPs in products of %g forward, expected at most those",
                     (unsigned)op->number, p->flops, op->work.forward_flops)
               : lp_json_fail(
                     product, diag, LP_EINVAL,
                     "op %u has a product and stated times, expected \"forward_flops\" and "
                     "others of its work",
                     (unsigned)op->number);
}

/* Times were measured, work gives times: an op has one of them. */
static LpErr check_times(LpJsonValue value, LpOp *op, LpDiag *diag) {
    bool times = has(value, FORWARD) || has(value, BACKWARD);
    op->has_work = has(value, "forward_flops") || has(value, "backward_flops") ||
                   has(value, "forward_bytes") || has(value, "backward_bytes");
    if (times == op->has_work)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "op %u has %s times %s work, expected \"forward\" and \"backward\", or "
                            "\"forward_flops\", \"backward_flops\", \"forward_bytes\", "
                            "\"backward_bytes\"",
                            (unsigned)op->number, times ? "both" : "neither",
                            times ? "and" : "nor");
    if (times && !(has(value, FORWARD) && has(value, BACKWARD)))
        return lp_json_fail(value, diag, LP_EINVAL, "the key \"%s\" is missing here",
                            has(value, FORWARD) ? BACKWARD : FORWARD);
    return check_product(value, op, diag);
}

static LpErr read_ops(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    const Profile *profile = target;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    if (lp_json_first(value).item == NULL)
        return lp_json_fail(value, diag, LP_EINVAL, "\"ops\" is empty, expected at least one op");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LpOp op = {0};
        int line, col;
        LP_TRY(lp_json_read(v, op_keys, LP_COUNTOF(op_keys), &op, NULL, NULL, diag));
        LP_TRY(check_times(v, &op, diag));
        lp_json_place(v, &line, &col);
        LP_TRY(lp_graph_builder_op(profile->builder, &op, line, col, diag));
    }
    return LP_OK;
}

/* ---- edges ---- */

static LpErr read_edge(const Profile *profile, LpJsonValue value, LpDiag *diag) {
    uint64_t end[2];
    int line, col;
    LpJsonValue src = lp_json_first(value), dst = lp_json_next(src);
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    if (dst.item == NULL || lp_json_next(dst).item != NULL)
        return lp_json_fail(value, diag, LP_EINVAL, "an edge has %zu ends, expected [from, to]",
                            lp_json_count(value));
    LP_TRY(lp_json_u64(src, 1, LP_GRAPH_MAX_OPS, &end[0], diag));
    LP_TRY(lp_json_u64(dst, 1, LP_GRAPH_MAX_OPS, &end[1], diag));
    lp_json_place(value, &line, &col);
    return lp_graph_builder_edge(profile->builder, (uint32_t)end[0], (uint32_t)end[1], line, col,
                                 diag);
}

static LpErr read_edges(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_edge(target, v, diag));
    return LP_OK;
}

/* ---- the file ---- */

static const LpJsonKey profile_keys[] = {
    {.name = "lightpath_profile",
     .type = LP_KEY_CUSTOM,
     .read = lp_json_read_format,
     .required = true},
    {.name = "name", .type = LP_KEY_SKIP},
    LP_QUANTITY("batch", Profile, batch, .min = 0),
    {.name = "ops", .type = LP_KEY_CUSTOM, .read = read_ops, .required = true},
    {.name = "edges", .type = LP_KEY_CUSTOM, .read = read_edges, .required = true},
};

static LpErr build(const LpJson *doc, const char *id, const char *file, LpGraph **out,
                   LpDiag *diag) {
    LpJsonValue root = lp_json_root(doc);
    LpJsonValue name = lp_json_member(root, "name");
    LP_TRY(lp_json_check_keys(root, profile_keys, LP_COUNTOF(profile_keys), diag));
    if (name.item != NULL)
        LP_TRY(lp_json_expect(name, LP_JSON_TEXT, diag));
    Profile profile = {.builder = lp_graph_builder_new(id != NULL ? id : lp_json_text(name), file)};
    if (profile.builder == NULL)
        return lp_fail_memory(diag, "a profile");
    LpErr err =
        lp_json_read_keys(root, profile_keys, LP_COUNTOF(profile_keys), &profile, NULL, NULL, diag);
    lp_graph_builder_batch(profile.builder, profile.batch);
    if (err == LP_OK)
        err = lp_graph_builder_finish(profile.builder, out, diag);
    lp_graph_builder_free(profile.builder);
    return err;
}

LpErr lp_profile_json(const char *id, const char *file, const char *text, size_t len, LpGraph **out,
                      LpDiag *diag) {
    LpJson *doc;
    LP_TRY(lp_json_parse(file, text, len, &doc, diag));
    LpErr err = build(doc, id, file, out, diag);
    lp_json_free(doc);
    return err;
}

/* ---- writing ---- */

static void write_work(LpJsonOut *json, const LpOp *op) {
    const LpWork *w = &op->work;
    lp_json_put_numbers(json,
                        (const LpJsonNumber[]){{"forward_flops", w->forward_flops},
                                               {"backward_flops", w->backward_flops},
                                               {"forward_bytes", w->forward_bytes},
                                               {"backward_bytes", w->backward_bytes}},
                        4);
}

static void write_product(LpJsonOut *json, const LpProduct *p) {
    lp_json_open(json, "product", '{');
    lp_json_put_number(json, "flops", p->flops);
    if (p->rows > 0)
        lp_json_put_numbers(json,
                            (const LpJsonNumber[]){{"serial", p->serial},
                                                   {"count", p->count},
                                                   {"rows", p->rows},
                                                   {"columns", p->columns},
                                                   {"depth", p->depth}},
                            5);
    lp_json_close(json, '}');
}

/* Reading the name again gives the kind. What a softmax is depends on its inputs, too. */
static bool follows_name(const LpOp *op) {
    return lp_op_kind_of_name(op->name, true) == op->kind ||
           lp_op_kind_of_name(op->name, false) == op->kind;
}

static void write_op(LpJsonOut *json, const LpOp *op) {
    lp_json_open(json, NULL, '{');
    lp_json_put_count(json, "id", op->number);
    lp_json_put_text(json, "name", op->name);
    if (op->has_work) {
        write_work(json, op);
        if (op->work.product.flops > 0)
            write_product(json, &op->work.product);
    } else {
        lp_json_put_number(json, FORWARD, op->forward);
        lp_json_put_number(json, BACKWARD, op->backward);
    }
    lp_json_put_number(json, "activation", op->activation);
    lp_json_put_number(json, "parameters", op->parameters);
    if (op->channels > 0)
        lp_json_put_number(json, "channels", op->channels);
    if (!follows_name(op))
        lp_json_put_text(json, "kind", lp_op_kind_word(op->kind));
    lp_json_close(json, '}');
}

enum { EDGES_PER_LINE = 8 };

static void write_edges(LpJsonOut *json, const LpGraph *graph) {
    lp_json_lines(json, "edges", '[');
    for (uint32_t e = 0; e < graph->edges; e++) {
        uint32_t end[] = {graph->op[graph->edge_src[e]].number,
                          graph->op[graph->edge_dst[e]].number};
        lp_json_row(json, e, EDGES_PER_LINE);
        lp_json_put_counts(json, NULL, end, 2);
    }
    lp_json_close(json, ']');
}

LpErr lp_profile_write(const LpGraph *graph, LpBuf *out, LpDiag *diag) {
    LpJsonOut json = {.out = out, .spaced = true};
    lp_json_lines(&json, NULL, '{');
    lp_json_put_count(&json, "lightpath_profile", 1);
    lp_json_put_text(&json, "name", graph->id);
    if (graph->batch > 0)
        lp_json_put_number(&json, "batch", graph->batch);
    lp_json_lines(&json, "ops", '[');
    for (uint32_t i = 0; i < graph->ops; i++)
        write_op(&json, &graph->op[i]);
    lp_json_close(&json, ']');
    write_edges(&json, graph);
    lp_json_end(&json);
    return lp_buf_ok(out, diag);
}
