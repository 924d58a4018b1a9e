/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Some BLAS libraries have threads of their own, as many as there are processors. Training has its
 * threads already, and sums must not depend on how many there are. Which BLAS is installed is known
 * only when the program runs, so it is asked by name. */
#include <dlfcn.h>
#include <string.h>

#include "base/str.h"
#include "many/train/train_impl.h"

/* Functions that take the number of threads, by library: OpenBLAS, and MKL. */
static const char *const SETTERS[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads"};

void lp_train_one_blas_thread(void) {
    void *program = dlopen(NULL, RTLD_LAZY);
    for (size_t i = 0; program != NULL && i < LP_COUNTOF(SETTERS); i++) {
        void *symbol = dlsym(program, SETTERS[i]);
        void (*set)(int);
        memcpy(&set, &symbol,
               sizeof set); /* POSIX says that this works, ISO C has no cast for it */
        if (symbol != NULL)
            set(1);
    }
    if (program != NULL)
        (void)dlclose(program);
}
