/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SqueezeNet 1.0 (Iandola et al., arXiv 1602.07360, table 1): eight fire modules between two
 * convolutions, 224 x 224 images, 1000 classes. */
#include "model/zoo/zoo_impl.h"

static LpZooTensor conv_relu(LpZoo *zoo, LpZooTensor x, uint32_t channels, LpZooWindow window) {
    return lp_zoo_relu(zoo, lp_zoo_conv(zoo, x, channels, window, true));
}

static LpZooTensor fire(LpZoo *zoo, LpZooTensor x, uint32_t squeeze, uint32_t expand) {
    const LpZooWindow one = {1, 1, 0, false}, three = {3, 1, 1, false};
    x = conv_relu(zoo, x, squeeze, one);
    LpZooTensor narrow = conv_relu(zoo, x, expand, one);
    LpZooTensor wide = conv_relu(zoo, x, expand, three);
    return lp_zoo_concat(zoo, narrow, wide);
}

static const struct {
    uint32_t squeeze, expand;
    bool pool; /* after it */
} FIRE[] = {
    {16, 64, false},  {16, 64, false},  {32, 128, true}, {32, 128, false},
    {48, 192, false}, {48, 192, false}, {64, 256, true}, {64, 256, false},
};

void lp_zoo_squeezenet(LpZoo *zoo) {
    const LpZooWindow pool = {3, 2, 0, true};
    LpZooTensor x = lp_zoo_input(zoo, "Input", 3, 224, 224, zoo->value_bytes);
    x = conv_relu(zoo, x, 96, (LpZooWindow){7, 2, 0, false});
    x = lp_zoo_max_pool(zoo, x, pool);
    for (size_t i = 0; i < LP_COUNTOF(FIRE); i++) {
        x = fire(zoo, x, FIRE[i].squeeze, FIRE[i].expand);
        if (FIRE[i].pool)
            x = lp_zoo_max_pool(zoo, x, pool);
    }
    x = conv_relu(zoo, lp_zoo_dropout(zoo, x), 1000, (LpZooWindow){1, 1, 0, false});
    lp_zoo_flatten(zoo, lp_zoo_average_pool(zoo, x));
}
