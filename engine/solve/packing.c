/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packing by GLPK's primal simplex method. Its environment belongs to the thread, and GLPK is
 * loaded by the first packing. */
#include "solve/packing.h"

#include <glpk.h>
#include <setjmp.h>

#include "base/mem.h"
#include "late/library.h"

#ifndef LP_GLPK_SONAME /* make says what is installed; this is for an editor or a checker without  \
                          it */
#define LP_GLPK_SONAME "libglpk.so.40"
#endif

/* X(name): what is called of GLPK. */
#define LP_GLPK_CALLS(X)                                                                           \
    X(glp_add_cols)                                                                                \
    X(glp_add_rows)                                                                                \
    X(glp_adv_basis)                                                                               \
    X(glp_create_prob)                                                                             \
    X(glp_delete_prob)                                                                             \
    X(glp_error_hook)                                                                              \
    X(glp_exact)                                                                                   \
    X(glp_free_env)                                                                                \
    X(glp_get_obj_val)                                                                             \
    X(glp_get_row_dual)                                                                            \
    X(glp_get_status)                                                                              \
    X(glp_init_smcp)                                                                               \
    X(glp_set_col_bnds)                                                                            \
    X(glp_set_mat_col)                                                                             \
    X(glp_set_obj_coef)                                                                            \
    X(glp_set_obj_dir)                                                                             \
    X(glp_set_row_bnds)                                                                            \
    X(glp_simplex)                                                                                 \
    X(glp_std_basis)                                                                               \
    X(glp_term_out)

/* A pointer to each, in that order and with nothing between them. */
typedef struct LpGlpk {
#define X(name) __typeof__(name) *name;
    LP_GLPK_CALLS(X)
#undef X
} LpGlpk;

#define X(name) #name,
static const char *const NAMES[] = {LP_GLPK_CALLS(X)};
#undef X
_Static_assert(sizeof(LpGlpk) == LP_COUNTOF(NAMES) * sizeof(void *), "pointers alone");

struct LpPacking {
    LpGlpk glpk;
    glp_prob *problem;
    uint32_t rows;
    int *index; /* from 1, as GLPK wants it */
    double *value;
    const double *room;
    double *out_price;
    double out_value;
    uint32_t count; /* of the column that is added */
    int status;
    jmp_buf *back; /* where an error of GLPK leads */
};

/* One piece of work with GLPK. */
typedef void Work(LpPacking *packing);

/* Where GLPK would print and abort, the work is left instead. All of its memory is gone then. */
static void leave(void *data) {
    LpPacking *p = data;
    p->glpk.glp_error_hook(NULL, NULL);
    p->glpk.glp_free_env();
    longjmp(*p->back, 1);
}

static LpErr guard(LpPacking *p, Work *work, LpDiag *diag) {
    jmp_buf back;
    if (setjmp(back) != 0) {
        p->problem = NULL;
        return lp_fail_memory(diag, "a linear program");
    }
    p->back = &back;
    p->glpk.glp_term_out(GLP_OFF);
    p->glpk.glp_error_hook(leave, p);
    work(p);
    p->glpk.glp_error_hook(NULL, NULL);
    return LP_OK;
}

static void create(LpPacking *p) {
    p->problem = p->glpk.glp_create_prob();
    p->glpk.glp_set_obj_dir(p->problem, GLP_MAX);
    p->glpk.glp_add_rows(p->problem, (int)p->rows);
    for (uint32_t r = 0; r < p->rows; r++)
        p->glpk.glp_set_row_bnds(p->problem, (int)r + 1, GLP_UP, 0, p->room[r]);
}

LpErr lp_packing_new(uint32_t rows, const double *room, LpPacking **out, LpDiag *diag) {
    LpPacking *p = lp_alloc(1, sizeof *p);
    if (p == NULL)
        return lp_fail_memory(diag, "a linear program");
    p->rows = rows;
    p->room = room;
    p->index = lp_alloc((size_t)rows + 1, sizeof *p->index);
    p->value = lp_alloc((size_t)rows + 1, sizeof *p->value);
    LpErr err = p->index == NULL || p->value == NULL
                    ? lp_fail_memory(diag, "a linear program")
                    : lp_library_load(LP_GLPK_SONAME, NAMES, LP_COUNTOF(NAMES), &p->glpk,
                                      "a linear program", diag);
    if (err == LP_OK)
        err = guard(p, create, diag);
    if (err != LP_OK) {
        lp_packing_free(p);
        return err;
    }
    *out = p;
    return LP_OK;
}

void lp_packing_free(LpPacking *p) {
    if (p == NULL)
        return;
    if (p->problem != NULL) {
        p->glpk.glp_delete_prob(p->problem);
        p->glpk.glp_free_env(); /* a thread that ends would leave its environment behind */
    }
    lp_free(p->index);
    lp_free(p->value);
    lp_free(p);
}

static void append(LpPacking *p) {
    int column = p->glpk.glp_add_cols(p->problem, 1);
    p->glpk.glp_set_obj_coef(p->problem, column, 1);
    p->glpk.glp_set_col_bnds(p->problem, column, GLP_LO, 0, 0);
    p->glpk.glp_set_mat_col(p->problem, column, (int)p->count, p->index, p->value);
}

LpErr lp_packing_add(LpPacking *p, uint32_t count, const uint32_t *row, const double *take,
                     LpDiag *diag) {
    for (uint32_t i = 0; i < count; i++) {
        p->index[i + 1] = (int)row[i] + 1;
        p->value[i + 1] = take[i];
    }
    p->count = count;
    return guard(p, append, diag);
}

/* From the basis of the last time, which rounding may have made useless: then from slacks alone,
 * then from a basis that fits the columns, at last in fractions, which do not round. */
static void solve(LpPacking *p) {
    glp_smcp parameters;
    p->glpk.glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    p->status = p->glpk.glp_simplex(p->problem, &parameters);
    if (p->status != 0) {
        p->glpk.glp_std_basis(p->problem);
        p->status = p->glpk.glp_simplex(p->problem, &parameters);
    }
    if (p->status != 0) {
        p->glpk.glp_adv_basis(p->problem, 0);
        p->status = p->glpk.glp_simplex(p->problem, &parameters);
    }
    if (p->status != 0) {
        p->glpk.glp_std_basis(p->problem);
        p->status = p->glpk.glp_exact(p->problem, &parameters);
    }
    p->out_value = p->glpk.glp_get_obj_val(p->problem);
    for (uint32_t r = 0; r < p->rows; r++)
        p->out_price[r] = p->glpk.glp_get_row_dual(p->problem, (int)r + 1);
}

LpErr lp_packing_solve(LpPacking *p, double *value, double *price, LpDiag *diag) {
    p->out_price = price;
    LP_TRY(guard(p, solve, diag));
    if (p->status != 0 || p->glpk.glp_get_status(p->problem) != GLP_OPT)
        return lp_fail(diag, LP_ESTATE, "the linear program of %u rows was not solved (GLPK: %d)",
                       p->rows, p->status);
    *value = p->out_value;
    return LP_OK;
}
