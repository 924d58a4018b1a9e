/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a change of the draft means for its later stages. */
#include <string.h>

#include "app/hand/hand_impl.h"
#include "ask/draft/edit.h"

char *lp_hand_words(LpApp *app) {
    return app->ui.hand.draft.word[app->ui.stage];
}

void lp_hand_settle(LpApp *app) {
    LpBuf said = {0};
    LpDraft draft;
    LpDiag diag = {0};
    lp_model_draft(&app->model, &draft);
    memcpy(draft.word[app->ui.stage], lp_hand_words(app), LP_DRAFT_WORDS);
    app->ui.hand.at = lp_session_moment(app->session);
    if (lp_draft_settle(app->session, &draft, app->ui.stage, &said, &diag) == LP_OK)
        for (int i = (int)app->ui.stage + 1; i < LP_STAGE_COUNT; i++)
            memcpy(app->ui.hand.draft.word[i], draft.word[i], LP_DRAFT_WORDS);
    if (said.len > 0)
        lp_app_say(app, false, "draft: %s", lp_buf_text(&said));
    lp_buf_fini(&said);
    app->ui.frame = -1;
    app->ui.playing = false;
}

void lp_hand_take_words(LpApp *app, LpErr err, const LpDraft *draft, const LpDiag *diag) {
    if (err != LP_OK) {
        lp_app_say(app, false, "%s", diag->text);
        return;
    }
    memcpy(lp_hand_words(app), draft->word[app->ui.stage], LP_DRAFT_WORDS);
    lp_hand_settle(app);
}
