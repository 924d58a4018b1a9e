/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a device holds during a training step: docs/parallel.md, "Memory". The formulas of
 * activations are those of Korthikanti et al., arXiv 2205.05198, section 4, by parts, so that
 * widths other than ff = 4 hidden are right too. */
#ifndef LP_MODEL_PARALLEL_MEMORY_H
#define LP_MODEL_PARALLEL_MEMORY_H

#include "model/parallel/ops.h"

/* Parameters of a device of stage i: its layers, norms and biases included, and tables of words and
 * places at the ends. Experts of an expert way only. */
double lp_stage_parameters(const LpDecoder *model, const LpParallel *plan, uint32_t stage);
/* Parameters of the experts of a device of stage i, where experts are cut into expert ways; else 0.
 */
double lp_stage_expert_parameters(const LpDecoder *model, const LpParallel *plan, uint32_t stage);
/* Parameters of the model, with its vocabulary unpadded: all, and those that a token meets. */
double lp_decoder_parameters(const LpDecoder *model);
double lp_decoder_active(const LpDecoder *model);
/* Parameters of layer `layer` (from 0) that one device of a plan with this shape holds. */
double lp_layer_parameters(const LpDecoder *model, const LpStepShape *shape, uint32_t layer);
/* Layers of a chunk without experts because they stand first (LpDecoder.dense), and its others. */
void lp_chunk_layers(const LpDecoder *model, const LpParallel *plan, uint32_t chunk, double out[2]);

/* What is gathered and reduced at once: parameters of one device, and those of its experts among
 * them where they are cut into expert ways. */
typedef struct LpUnit {
    double parameters, experts;
} LpUnit;

LpUnit lp_layer_unit(const LpDecoder *model, const LpStepShape *shape, bool dense);
LpUnit lp_embedding_unit(const LpDecoder *model, const LpStepShape *shape);
LpUnit lp_head_unit(const LpDecoder *model, const LpParallel *plan, const LpStepShape *shape);

/* The table of words that one device holds a part of, in parameters. */
double lp_table_parameters(const LpStepShape *shape);
/* As the paper counts them for its figure 1: the matrices of the layers, spread over the stages. */
double lp_paper_parameters(const LpDecoder *model, const LpParallel *plan);

/* Bytes kept from a layer's forward pass until its backward pass, per micro-batch. */
double lp_layer_activation(const LpStepShape *shape, LpRecompute recompute);
/* What the two ends keep besides their layers: a mask; the final norm, the head's input and logits.
 */
double lp_embedding_activation(const LpStepShape *shape);
double lp_head_activation(const LpStepShape *shape);
/* What one layer holds meanwhile: of what is computed again, and the keys and values of other
 * context ways with their gradients. */
double lp_recompute_activation(const LpStepShape *shape);
double lp_context_activation(const LpStepShape *shape);

#endif
