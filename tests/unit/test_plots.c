/* Plots: bars are as long as their numbers say, and nothing lies outside of the picture. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "interp/picture/plot.h"

static fzi_scene new_scene(void)
{
    fzi_scene scene;

    fzi_scene_init(&scene, fzi_allocator_default());
    return scene;
}

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) < 1e-6))
        fail_msg("%.9f, expected %.9f", got, wanted);
}

/* All points are numbers and lie in the picture. */
static void assert_inside(const fzi_scene *scene)
{
    for (size_t i = 0; i < scene->shape_count; i++) {
        const fzi_shape *shape = &scene->shapes[i];
        for (uint32_t k = 0; k < shape->count; k++) {
            fzi_point p = fzi_shape_points(scene, shape)[k];
            if (!(p.x >= scene->low.x && p.x <= scene->high.x && p.y >= scene->low.y &&
                  p.y <= scene->high.y))
                fail_msg("shape %zu has the point %f, %f", i, p.x, p.y);
        }
    }
}

/* The `number`-th polygon. */
static const fzi_shape *polygon(const fzi_scene *scene, unsigned number)
{
    for (size_t i = 0; i < scene->shape_count; i++)
        if (scene->shapes[i].kind == FZI_POLYGON && number-- == 0)
            return &scene->shapes[i];
    return NULL;
}

static unsigned count_polygons(const fzi_scene *scene)
{
    unsigned count = 0;

    while (polygon(scene, count))
        count++;
    return count;
}

static bool has_label(const fzi_scene *scene, const char *text)
{
    for (size_t i = 0; i < scene->shape_count; i++)
        if (scene->shapes[i].kind == FZI_LABEL &&
            strcmp(fzi_shape_text(scene, &scene->shapes[i]), text) == 0)
            return true;
    return false;
}

/* From its lowest to its highest point. */
static double extent(const fzi_scene *scene, const fzi_shape *shape, bool across)
{
    double least = INFINITY, most = -INFINITY;

    for (uint32_t i = 0; i < shape->count; i++) {
        fzi_point p = fzi_shape_points(scene, shape)[i];
        least = fmin(least, across ? p.x : p.y);
        most = fmax(most, across ? p.x : p.y);
    }
    return most - least;
}

static void test_numbers(void **given)
{
    const uint64_t counts[8] = {0, 0, 0, 6, 2, 0, 4, 0};
    fzi_scene scene = new_scene();

    (void)given;
    fzi_plot_numbers(&scene, &(fzi_plot_bins){counts, 8, 0, 1}, "decisions", "games");
    assert_inside(&scene);
    assert_int_equal(count_polygons(&scene), 3);
    assert_near(extent(&scene, polygon(&scene, 1), false) * 3,
                extent(&scene, polygon(&scene, 0), false));
    assert_near(extent(&scene, polygon(&scene, 2), false) * 1.5,
                extent(&scene, polygon(&scene, 0), false));
    assert_true(has_label(&scene, "decisions") && has_label(&scene, "games"));
    assert_true(has_label(&scene, "3") && has_label(&scene, "6"));
    fzi_scene_clear(&scene);
}

/* Many numbers share bars; together these are as long as all that was counted. */
static void test_steps(void **given)
{
    enum { ROOM = 1000 };
    uint64_t counts[ROOM] = {0}, total = 0;
    fzi_scene scene = new_scene();
    double sum = 0, unit;

    (void)given;
    for (unsigned i = 0; i < ROOM; i += 3)
        total += counts[i] = i;
    fzi_plot_numbers(&scene, &(fzi_plot_bins){counts, ROOM, 0, 1}, "decisions", "games");
    assert_inside(&scene);
    assert_true(has_label(&scene, "decisions, in steps of 20"));
    assert_int_equal(count_polygons(&scene), 50);
    for (unsigned i = 0; i < 50; i++)
        sum += extent(&scene, polygon(&scene, i), false);
    /* The last bar has the numbers 981, 984, ..., 999. */
    unit = extent(&scene, polygon(&scene, 49), false) / (7 * 990);
    assert_near(sum / unit, (double)total);
    fzi_scene_clear(&scene);
}

/* Bins of ten numbers that begin below 0; bars begin at multiples of what they have. */
static void test_wide_bins(void **given)
{
    const uint64_t few[4] = {1, 0, 3, 2};
    uint64_t many[100];
    fzi_scene scene = new_scene();

    (void)given;
    fzi_plot_numbers(&scene, &(fzi_plot_bins){few, 4, -2, 10}, "payoff", "games");
    assert_inside(&scene);
    assert_int_equal(count_polygons(&scene), 3);
    assert_true(has_label(&scene, "payoff, in steps of 10"));
    assert_true(has_label(&scene, "-20") && has_label(&scene, "0") && has_label(&scene, "20"));
    fzi_scene_clear(&scene);
    scene = new_scene();
    for (unsigned i = 0; i < 100; i++)
        many[i] = 1;
    /* Bins -51 to 48 in bars of two: the first and the last have one. */
    fzi_plot_numbers(&scene, &(fzi_plot_bins){many, 100, -51, 10}, "payoff", "games");
    assert_inside(&scene);
    assert_int_equal(count_polygons(&scene), 51);
    assert_near(2 * extent(&scene, polygon(&scene, 0), false),
                extent(&scene, polygon(&scene, 1), false));
    assert_near(extent(&scene, polygon(&scene, 50), false),
                extent(&scene, polygon(&scene, 0), false));
    assert_true(has_label(&scene, "payoff, in steps of 20"));
    fzi_scene_clear(&scene);
}

static void test_one_number(void **given)
{
    const uint64_t one[1] = {5}, none[4] = {0};
    fzi_scene scene = new_scene();

    (void)given;
    fzi_plot_numbers(&scene, &(fzi_plot_bins){none, 4, 0, 1}, "x", "y");
    fzi_plot_numbers(&scene, &(fzi_plot_bins){NULL, 0, 0, 1}, "x", "y");
    fzi_plot_curves(&scene, &(fzi_plot_series){"a", NULL, 0}, 1, "x", "y");
    fzi_plot_curves(&scene, NULL, 0, "x", "y");
    fzi_plot_values(&scene, NULL, 0, "x");
    assert_int_equal(scene.shape_count, 0);
    fzi_plot_numbers(&scene, &(fzi_plot_bins){one, 1, 0, 1}, "x", "y");
    assert_inside(&scene);
    assert_int_equal(count_polygons(&scene), 1);
    fzi_scene_clear(&scene);
}

/* Values without an interval, and with one that has no end. */
static void test_curve(void **given)
{
    const fzi_plot_point points[] = {{1, 2, 1, 3}, {2, 4, NAN, NAN}, {3, 3, -INFINITY, INFINITY},
                                     {5, 0.5, -2, 3}};
    fzi_plot_series series[] = {{"first", points, 4}, {"second", points + 1, 3}};
    fzi_scene scene = new_scene();

    (void)given;
    fzi_plot_curves(&scene, series, 1, "turn", "moves");
    assert_inside(&scene);
    assert_int_equal(count_polygons(&scene), 1);
    assert_int_equal(polygon(&scene, 0)->count, 8);
    fzi_scene_clear(&scene);
    scene = new_scene();
    fzi_plot_curves(&scene, &(fzi_plot_series){"one", points, 1}, 1, "turn", "moves");
    assert_inside(&scene);
    assert_false(has_label(&scene, "one"));
    fzi_scene_clear(&scene);
    scene = new_scene();
    fzi_plot_curves(&scene, series, 2, "turn", "moves");
    assert_inside(&scene);
    assert_int_equal(count_polygons(&scene), 2);
    assert_int_equal(polygon(&scene, 1)->count, 6);
    assert_int_not_equal(polygon(&scene, 0)->fill, polygon(&scene, 1)->fill);
    assert_true(has_label(&scene, "first") && has_label(&scene, "second"));
    fzi_scene_clear(&scene);
}

static void test_shares(void **given)
{
    const fzi_plot_bar shares[] = {{"White wins", FZI_PAINT_BLUE, 0.6, 0.5, 0.7},
                                     {"draw", FZI_PAINT_NOBODY, 0.3, 0, 1}};
    fzi_scene scene = new_scene();

    (void)given;
    fzi_plot_shares(&scene, shares, 2);
    assert_inside(&scene);
    assert_near(extent(&scene, polygon(&scene, 0), true),
                2 * extent(&scene, polygon(&scene, 1), true));
    assert_true(has_label(&scene, "60.0 %") && has_label(&scene, "White wins"));
    fzi_scene_clear(&scene);
}

/* Bars go from 0 to both sides. */
static void test_values(void **given)
{
    const fzi_plot_bar bars[] = {{"Ann", FZI_PAINT_BLUE, 3, 2, 4},
                                 {"Bob", FZI_PAINT_BLUE, -1.5, -2, -1},
                                 {"Eve", FZI_PAINT_BLUE, 0, NAN, NAN}};
    fzi_scene scene = new_scene();

    (void)given;
    fzi_plot_values(&scene, bars, 3, "payoff");
    assert_inside(&scene);
    assert_near(extent(&scene, polygon(&scene, 0), true),
                2 * extent(&scene, polygon(&scene, 1), true));
    assert_near(fzi_shape_points(&scene, polygon(&scene, 0))->x,
                fzi_shape_points(&scene, polygon(&scene, 1))->x);
    assert_near(extent(&scene, polygon(&scene, 2), true), 0);
    assert_true(has_label(&scene, "-1.5") && has_label(&scene, "Bob"));
    assert_true(has_label(&scene, "4") && has_label(&scene, "payoff"));
    fzi_scene_clear(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_steps),
        cmocka_unit_test(test_wide_bins), cmocka_unit_test(test_one_number),
        cmocka_unit_test(test_curve), cmocka_unit_test(test_shares),
        cmocka_unit_test(test_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
