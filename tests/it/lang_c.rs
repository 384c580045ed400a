//! C: definitions and references.

use crate::lang_rows::check;

#[test]
fn definitions_have_bodies() {
    check(
        "a.c",
        r#"#include <stdio.h>
#include "own.h"
#define MAX 10
#define ADD(a, b) ((a) + (b))
/* A point. */
typedef struct point { int x; } point;
typedef struct { int a; } anonymous, *pointer;
typedef struct tag_s other_t;
typedef int (*callback_t)(int);
struct list { struct list *next; struct inner { int z; } in; };
enum color { RED, GREEN };
union bits { int i; };
int declared(int);
static const char *
name_of(struct list *l)
{
	return l->name;
} /* end */
int (*table[2])(int);
"#,
        &[
            "ADD function 4 4-4",
            "point class 6 6-6",
            "anonymous class 7 7-7",
            "other_t type 8 8-8",
            "callback_t type 9 9-9",
            "list class 10 10-10",
            "list.inner class 10 10-10",
            "color enum 11 11-11",
            "bits class 12 12-12",
            "name_of function 14 14-18",
        ],
        &[
            "#0 8:15 tag_s read",
            "#6 10:21 list read",
            "#0 13:4 declared read",
            "#0 15:15 list read",
            "#10 17:8 l read",
        ],
        &["#0 1:9 stdio.h module -", "#0 2:9 .own.h module -"],
    );
}

#[test]
fn references_exclude_variables_and_members() {
    check(
        "a.c",
        "int helper(int count);
static int global = 1;
static int (*callback)(int) = helper;
int count(void) { return helper(global); }
int caller(struct s *s, int helper)
{
	int n = count(), count = 2;
	s->count(n);
	callback(count);
	return helper + MAX(n);
}
",
        &["count function 4 4-4", "caller function 5 5-11"],
        &[
            "#0 1:4 helper read",
            "#0 3:30 helper read",
            "#1 4:25 helper call",
            "#1 4:32 global read",
            "#0 5:18 s read",
            "#2 7:9 count call",
            "#2 8:1 s read",
            "#2 8:10 n read",
            "#2 9:1 callback call",
            "#2 9:10 count read",
            "#2 10:8 helper read",
            "#2 10:17 MAX call",
            "#2 10:21 n read",
        ],
        &[],
    );
}

#[test]
fn conditions_may_divide_statements() {
    check(
        "a.c",
        "void dump(int number)
{
	if (number) {
#ifdef LITERALS
		if (literal(number)) {
			put(number);
		} else {
#endif
			format(number);
#ifdef LITERALS
		}
#endif
	}
}
int last(void) { return 1; }
",
        &["dump function 1 1-14", "last function 15 15-15"],
        &[
            "#2 3:5 number read",
            "#0 4:7 LITERALS read",
            "#4 5:6 literal call",
            "#4 5:14 number read",
            "#5 6:3 put call",
            "#5 6:7 number read",
            "#6 9:3 format call",
            "#6 9:10 number read",
            "#0 10:7 LITERALS read",
        ],
        &[],
    );
}

#[test]
fn lists_may_contain_directives() {
    check(
        "a.c",
        "enum code {
#define OP(name) name,
#include \"codes.h\"
#undef OP
};
int sizes[] = {
#if WIDE
	8,
#endif
	limit,
};
API int last(void) { return 1; }
",
        &["code enum 1 1-5", "last function 12 12-12"],
        &["#0 7:4 WIDE read", "#0 10:1 limit read", "#0 12:0 API read"],
        &["#0 3:9 .codes.h module -"],
    );
}

#[test]
fn types_of_results_may_stand_in_a_line_of_their_own() {
    check(
        "a.c",
        "VALUE
first(VALUE self)
{ return self; }
API
int second(void) { return 2; }
",
        &["first function 1 1-3", "second function 5 5-5"],
        &[
            "#0 1:0 VALUE read",
            "#0 2:6 VALUE read",
            "#1 3:9 self read",
            "#0 4:0 API read",
        ],
        &[],
    );
}
