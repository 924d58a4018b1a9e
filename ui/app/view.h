/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views: each draws one pane from the model into its area, and changes nothing else. Areas may
 * have any size, also none. */
#ifndef LP_UI_APP_VIEW_H
#define LP_UI_APP_VIEW_H

#include "app/layout.h"
#include "moment/draw.h"
#include "moment/model.h"
#include "moment/words.h"
#include "term/canvas.h"
#include "views/servers/fleet_grid.h"
#include "widgets/keys.h"

/* One line each. */
void lp_view_title(const LpModel *model, const LpArea *area);
void lp_view_ledger(const LpModel *model, const LpArea *area);
void lp_view_timeline(const LpModel *model, const LpArea *area);
void lp_view_keys(const LpModel *model, const LpArea *area);

/* A box of three lines or more, or one line without a box. */
void lp_view_servers(const LpModel *model, const LpArea *area);
void lp_view_circuits(const LpModel *model, const LpArea *area);
void lp_view_ports(const LpModel *model, const LpArea *area); /* the same for circuit switches */
void lp_view_jobs(const LpModel *model, const LpArea *area);
void lp_view_decision(const LpModel *model, const LpArea *area);
void lp_view_curve(const LpModel *model, const LpArea *area);
void lp_view_events(const LpModel *model, const LpArea *area);

/* The JCT curves without a box: this branch, and the one compared with or the ghost. */
void lp_view_jct_plot(const LpModel *model, const LpArea *area);

/* The events where they have the screen for themselves. */
void lp_view_eventlog(const LpModel *model, const LpArea *area);
/* One event in a row; muted where it is still to come. */
void lp_view_event_line(const LpModel *model, const LpArea *area, int y, const LpEvent *event,
                        bool happened);

/* The jobs where they have the screen for themselves. */
void lp_view_jobtable(const LpModel *model, const LpArea *area);

/* The servers where they have it; the grid that they are drawn in on a screen of this size, the
 * cell of it that is under the cursor, and what is known of one cell. */
void lp_view_fleet(const LpModel *model, const LpArea *area);
LpFleetGrid lp_view_fleet_grid(const LpModel *model, int cols, int rows);
uint32_t lp_view_fleet_cell(const LpModel *model, LpFleetLevel level);
void lp_view_unit(const LpModel *model, const LpArea *area, LpFleetLevel level, uint32_t unit);

/* The circuits where they have it: between groups, and between two of them. */
void lp_view_lights(const LpModel *model, const LpArea *area);
void lp_view_pair(const LpModel *model, const LpArea *area);
/* First of `count` that is shown where `seen` fit, so that the cursor is among them. */
uint32_t lp_view_board_first(uint32_t count, uint32_t seen, uint32_t cursor);

/* The curves where they have it; columns of one on a screen of this size. */
void lp_view_curves(const LpModel *model, const LpArea *area);
int lp_view_curves_columns(int cols, int rows);
bool lp_view_curve_is_time(LpCurve curve);
/* Are all of them shown on a screen of this size? Is this one shown at all? */
bool lp_view_curves_all(int cols, int rows);
bool lp_view_curve_is_shown(const LpModel *model, LpCurve curve);

/* Only shown alone. */
void lp_view_traffic(const LpModel *model, const LpArea *area);
void lp_view_whatif(const LpModel *model, const LpArea *area);
void lp_view_network(const LpModel *model, const LpArea *area);
void lp_view_policy(const LpModel *model, const LpArea *area);
void lp_view_console(const LpModel *model, const LpArea *area);
/* Lines of what was said in the console. */
int lp_view_console_lines(const char *text);
void lp_view_branches(const LpModel *model, const LpArea *area);
/* Columns of its tracks on a screen so wide. */
int lp_view_track_columns(int cols);
void lp_view_step(const LpModel *model, const LpArea *area);
/* Rows of the step view that can be shown now, and columns of its bars on a screen so wide. */
int lp_view_step_rows(const LpModel *model);
int lp_view_step_columns(int cols);
void lp_view_graph(const LpModel *model, const LpArea *area);
/* How close the graph is looked at on a screen of this size, and how many of its rows stand in one
 * band (0: in all). */
LpGraphZoom lp_view_graph_zoom(const LpModel *model, int cols, int rows, int *band);
void lp_view_compare(const LpModel *model, const LpArea *area);
void lp_view_learning(const LpModel *model, const LpArea *area);
void lp_view_study(const LpModel *model, const LpArea *area);
/* Jobs that differ, and what can be shown below the table (ui->compare_variant is less). */
int lp_view_compare_jobs(const LpModel *model);
enum { LP_COMPARE_VARIANTS = 5 };
/* First line of the source that is shown in a policy view of so many rows, and the last that it
 * can be. */
int lp_view_policy_first(const LpModel *model, int rows);
int lp_view_policy_last(const LpModel *model);

/* The decision where it has the screen for itself, without a box; is it shown so in so many rows?
 */
bool lp_view_stages_fit(const LpModel *model, int rows);
void lp_view_stages(const LpModel *model, const LpArea *area);
/* The ways to decide by degree; the rows of the what-if table; outcome or answer, why, and keys. */
void lp_view_degrees(const LpModel *model, const LpArea *area);
void lp_view_whatif_rows(const LpModel *model, const LpArea *area);
void lp_view_why(const LpModel *model, const LpArea *area, int y);

/* The lines of the decision pane with what the policy weighed. */
void lp_view_explain(const LpModel *model, const LpArea *area);
/* What the policy's network says and what moved it, without a box. */
void lp_view_network_panel(const LpModel *model, const LpArea *area);

/* The lines of the decision pane for the stages after the first two, which say what the choice
 * means inside a training step. */
void lp_view_stage(const LpModel *model, const LpCandidate *candidate, const LpArea *area);

/* Over everything else. */
void lp_view_help(const LpModel *model, const LpArea *area);
/* The help's size on a screen of so many columns, box included: for its place and for scrolling.
 * `view` is what it is asked in. */
void lp_view_help_size(LpPane view, int cols, int *width, int *lines);

/* A text over everything else, see lp_app_page for its form; its size, box included. */
void lp_view_page(const LpModel *model, const LpArea *area);
void lp_view_page_size(const char *text, int cols, int *width, int *lines);
/* The command line, and above it what is known about what is being typed. */
void lp_view_prompt(const LpModel *model, const LpArea *area);

/* The circuit board where jobs share links: those, and what is known of ways between zones. */
void lp_view_links(const LpModel *model, const LpArea *area);
/* The server board by zones, without a box, where it fits. */
bool lp_view_zones_fit(const LpFabric *fabric, int width, int height);
void lp_view_zones(const LpModel *model, const LpArea *area);
/* A cell for the `unit` servers from `first` on: the letter of their job, or how many are busy. */
void lp_view_server_cell(const LpModel *model, const LpArea *area, int x, int y, uint32_t first,
                         uint32_t unit);

/* Columns that the boards can make use of, for the layout. */
int lp_view_servers_width(const LpFabric *fabric);
/* Rows that the boards can make use of, headings apart. */
int lp_view_board_rows(const LpFabric *fabric);
int lp_view_circuits_width(const LpFabric *fabric);

/* What the lesson tells. */
void lp_view_lesson(const LpModel *model, const LpArea *area);
/* Lines of its text that do not fit below those shown, on a screen of this size. */
int lp_lesson_below(const LpUiState *ui);
/* Lines that it shows at a time. */
int lp_lesson_lines(const LpUiState *ui);

/* Where the panes are on such a canvas. */
LpLayout lp_view_layout(const LpModel *model, const LpCanvas *canvas);
/* Everything, as the layout says. */
void lp_view_screen(const LpModel *model, LpCanvas *canvas);

#endif
