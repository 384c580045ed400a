//! `where_used` in C: includes, linkage, tags and what hides a name.

use crate::where_used::check;

const HEADER: (&str, &str) = ("shop.h", "int total(int a);\n");

#[test]
fn declarations_are_joined_with_the_definition() {
    let files = [
        HEADER,
        (
            "shop.c",
            "#include \"shop.h\"\nint total(int a) { return a; }\n",
        ),
        (
            "pay.c",
            "#include \"shop.h\"\nint pay(void) { return total(1); }\n",
        ),
        // Nothing declares the name here, so it may be another function.
        ("other.c", "int other(void) { return total(2); }\n"),
    ];
    let rows = [
        "pay.c:2:23 call",
        "shop.h:1:4 reference",
        "other.c:1:25 call?",
    ];
    check(&files, "shop.total", &rows);
    // The declaration and its use mean the same.
    check(&files, "shop.h:1:5", &rows);
    check(&files, "pay.c:2:24", &rows);
}

#[test]
fn a_static_function_belongs_to_its_file() {
    check(
        &[
            HEADER,
            (
                "a.c",
                "static int total(int a) { return a; }\nint f(void) { return total(1); }\n",
            ),
            (
                "b.c",
                "#include \"shop.h\"\nint g(void) { return total(1); }\n",
            ),
            (
                "c.c",
                "static int total(int);\nint h(void) { return total(1); }\n\
                 static int total(int a) { return a; }\n",
            ),
        ],
        "a.total",
        &["a.c:2:21 call"],
    );
}

#[test]
fn a_function_of_a_header_is_seen_through_includes() {
    check(
        &[
            (
                "inc/base.h",
                "static inline int total(int a) { return a; }\n",
            ),
            ("inc/shop.h", "#include \"base.h\"\n"),
            (
                "src/a.c",
                "#include <inc/shop.h>\nint f(void) { return total(1); }\n",
            ),
            ("src/b.c", "int g(void) { return total(1); }\n"),
        ],
        "base.total",
        &["src/a.c:2:21 call", "src/b.c:1:21 call?"],
    );
}

#[test]
fn variables_parameters_and_fields_hide_functions() {
    check(
        &[(
            "a.c",
            "int total(int a) { return a; }\n\
             struct s { int total; };\n\
             int f(int total) { return total; }\n\
             int g(void) { int total = 1; { return total; } }\n\
             int h(struct s *s) { return s->total; }\n\
             int i(void) { int (*total)(int) = 0; return total(1); }\n\
             struct s j = { .total = 1 };\n\
             int k(void) { return total(1); }\n",
        )],
        "a.total",
        &["a.c:8:21 call"],
    );
}

#[test]
fn tags_and_other_names_differ() {
    let files = [
        ("a.h", "struct cart { int a; };\nint cart(void);\n"),
        ("a.c", "#include \"a.h\"\nint cart(void) { return 0; }\n"),
        (
            "b.c",
            "#include \"a.h\"\nint f(struct cart *c) { return cart(); }\n",
        ),
        // A tag may be declared where the type is not.
        ("c.h", "struct cart;\nint g(struct cart *c);\n"),
    ];
    check(
        &files,
        "a.h:1:8",
        &[
            "b.c:2:13 reference",
            "c.h:1:7 reference",
            "c.h:2:13 reference",
        ],
    );
    check(&files, "a.c:2:5", &["a.h:2:4 reference", "b.c:2:31 call"]);
}

#[test]
fn a_typedef_and_its_struct_are_one_type() {
    check(
        &[
            ("a.h", "typedef struct cart { struct cart *next; } cart;\n"),
            (
                "b.c",
                "#include \"a.h\"\nint f(cart *cart) { return sizeof(struct cart); }\n",
            ),
        ],
        "a.cart",
        &[
            "a.h:1:29 reference",
            "b.c:2:6 reference",
            "b.c:2:41 reference",
        ],
    );
}

#[test]
fn macros_are_symbols() {
    check(
        &[
            ("a.h", "#define ADD(a, b) ((a) + (b))\n"),
            (
                "b.c",
                "#include \"a.h\"\nint f(void) { return ADD(1, 2); }\n#ifdef ADD\n#endif\n",
            ),
            ("c.c", "#define ADD(a) a\nint f(void) { return ADD(1); }\n"),
        ],
        "a.ADD",
        &["b.c:2:21 call", "b.c:3:7 reference"],
    );
}

#[test]
fn a_macro_that_is_removed_has_no_meaning() {
    check(
        &[(
            "a.c",
            "#define ADD(a) a\nint f(void) { return ADD(1); }\n#undef ADD\n\
             #define ADD(a) (a + 1)\nint g(void) { return ADD(2); }\n",
        )],
        "a.c:1:9",
        &["a.c:2:21 call", "a.c:3:7 reference"],
    );
}

#[test]
fn both_branches_of_a_condition_count() {
    check(
        &[
            (
                "a.h",
                "#ifdef A\nint total(void);\n#else\nint total(int);\n#endif\n",
            ),
            (
                "a.c",
                "#include \"a.h\"\n#ifdef A\nint total(void) { return 0; }\n#else\n\
                 int total(int a) { return a; }\n#endif\n",
            ),
            (
                "b.c",
                "#include \"a.h\"\nint f(void) {\n#ifdef A\n  return total();\n#else\n\
                 \x20 return total(1);\n#endif\n}\n",
            ),
        ],
        "a.total",
        &[
            "a.h:2:4 reference",
            "a.h:4:4 reference",
            "b.c:4:9 call",
            "b.c:6:9 call",
        ],
    );
}

#[test]
fn a_test_for_a_file_costs_no_branch() {
    check(
        &[(
            "a.c",
            "int total(void) { return 0; }\n#if __has_include(<a.h>) || HAS_INCLUDE(\"b.h\")\n\
             int f(void) { return total(); }\n#else\nint g(void) { return total(); }\n#endif\n\
             #if B\nint h(void) { return total(); }\n#else\n\
             int i(void) { return total(); }\n#endif\n",
        )],
        "a.total",
        &[
            "a.c:3:21 call",
            "a.c:5:21 call",
            "a.c:8:21 call",
            "a.c:10:21 call",
        ],
    );
}

#[test]
fn a_part_of_a_file_sees_what_the_file_declares() {
    check(
        &[
            ("a.h", "int total(int a);\n"),
            ("a.c", "#include \"a.h\"\nint total(int a) { return a; }\n"),
            ("main.c", "#include \"a.h\"\n#include \"part.c\"\n"),
            ("part.c", "int f(void) { return total(1); }\n"),
        ],
        "a.c:2:5",
        &["a.h:1:4 reference", "part.c:1:21 call"],
    );
}

#[test]
fn definitions_that_see_the_declaration_are_meant() {
    check(
        &[
            ("a/shop.h", "int total(int a);\n"),
            (
                "a/shop.c",
                "#include \"shop.h\"\nint total(int a) { return a; }\n",
            ),
            ("b/main.c", "int total(int a) { return a + 1; }\n"),
            (
                "b/pay.c",
                "#include \"../a/shop.h\"\nint pay(void) { return total(1); }\n",
            ),
        ],
        "b.main.total",
        &[],
    );
}

#[test]
fn compile_commands_name_the_folders_of_includes() {
    let commands = r#"[{"directory": "/home/x/shop/build", "file": "../src/a.c",
        "command": "cc -Inone -I../two -isystem /usr/include -c ../src/a.c"}]"#;
    check(
        &[
            ("build/compile_commands.json", commands),
            ("one/shop.h", "static int total(void) { return 1; }\n"),
            ("src/one/shop.h", "static int total(void) { return 1; }\n"),
            ("two/shop.h", "static int total(void) { return 2; }\n"),
            (
                "src/a.c",
                "#include \"shop.h\"\nint f(void) { return total(); }\n",
            ),
        ],
        "two.shop.total",
        &["src/a.c:2:21 call"],
    );
}

#[test]
fn hostile_commands_are_ignored() {
    for commands in [
        "[",
        "{}",
        "[1, {\"directory\": 1}]",
        "[{\"directory\": \"/\", \"file\": \"a.c\", \"arguments\": [\"-I\"]}]",
        "[{\"directory\": \"/\", \"file\": \"/a.c\", \"arguments\": [\"-I../../..\", \"-I\\u0000\"]}]",
    ] {
        check(
            &[
                ("compile_commands.json", commands),
                ("a.h", "int total(void);\n"),
                ("a.c", "#include \"a.h\"\nint total(void) { return 0; }\n"),
            ],
            "a.total",
            &["a.h:1:4 reference"],
        );
    }
}

#[test]
fn includes_may_be_in_a_circle() {
    check(
        &[
            ("a.h", "#include \"b.h\"\nint total(void);\n"),
            ("b.h", "#include \"a.h\"\n#include \"b.h\"\n"),
            ("a.c", "#include \"b.h\"\nint total(void) { return 0; }\n"),
            (
                "b.c",
                "#include \"b.h\"\n#include \"../../../b.h\"\nint f(void) { return total(); }\n",
            ),
        ],
        "a.total",
        &["a.h:2:4 reference", "b.c:3:21 call"],
    );
}

#[test]
fn macros_that_expand_to_declarations_are_used() {
    let header = "#define ENTRY(name) { #name, &run_##name },\n\
                  #define DECLARE(name) int run_##name(void);\n\
                  #define TEST_IMPL(name) int run_##name(void)\n";
    let list = "#include \"test.h\"\n\
                DECLARE   (a)\n\
                #ifndef NONE /* A comment\n that doesn't end. EXEC() */\n\
                DECLARE   (b)\n\
                #endif\n\
                struct task { int run; };\n\
                static struct task TASKS[] = {\n  ENTRY  (a)\n#ifdef WIN\n  ENTRY  (b)\n#endif\n};\n";
    let tests = "#include \"test.h\"\nTEST_IMPL(a) {\n  return 0;\n}\n";
    let files = [("test.h", header), ("list.h", list), ("test.c", tests)];
    check(
        &files,
        "test.DECLARE",
        &["list.h:2:0 call", "list.h:5:0 call"],
    );
    check(
        &files,
        "test.ENTRY",
        &["list.h:9:2 call", "list.h:11:2 call"],
    );
    check(&files, "test.TEST_IMPL", &["test.c:2:0 call"]);
    check(&files, "list.h:7:8", &["list.h:8:14 reference"]);
}

#[test]
fn macros_before_the_type_of_a_declaration_hide_nothing() {
    let files = [(
        "buf.h",
        "#define API extern\n\
         typedef struct { int len; } buf_t;\n\
         API buf_t buf_init(int len);\n\
         API int buf_free(buf_t* buf) API_END;\n",
    )];
    check(
        &files,
        "buf.buf_t",
        &["buf.h:3:4 reference", "buf.h:4:17 reference"],
    );
}

#[test]
fn names_in_the_arguments_of_macros_are_references() {
    let files = [(
        "loop.c",
        "typedef struct { int a; } item;\n\
         static int first(item* from) { return from->a; }\n\
         #define FOR_EACH(i, from) for (int i = from; i; i--)\n\
         void run(item* of) {\n  run(of);\n  FOR_EACH(i, first(of))\n    run(of);\n}\n",
    )];
    check(&files, "loop.first", &["loop.c:6:14 call"]);
}

#[test]
fn macros_of_a_list_are_those_of_the_files_that_include_it() {
    let files = [
        ("list.h", "ENTRY(a)\nENTRY(b)\n"),
        ("entry.h", "#define ENTRY(name) int run_##name(void);\n"),
        (
            "run.c",
            "#include \"entry.h\"\n#include \"list.h\"\nint main(void) { return run_a(); }\n",
        ),
        ("other.c", "#define ENTRY(name) other\nint n = ENTRY(b);\n"),
    ];
    check(
        &files,
        "entry.ENTRY",
        &["list.h:1:0 call", "list.h:2:0 call"],
    );
}

#[test]
fn tags_in_capitals_are_no_macros() {
    let files = [(
        "a.c",
        "union VALUE { int a; };\n\
         typedef union VALUE VALUE_T;\n\
         static union VALUE CURRENT;\n\
         int read(VALUE_T* of) { union VALUE LAST = CURRENT; return LAST.a; }\n",
    )];
    check(
        &files,
        "a.VALUE",
        &[
            "a.c:2:14 reference",
            "a.c:3:13 reference",
            "a.c:4:30 reference",
        ],
    );
    check(&files, "a.VALUE_T", &["a.c:4:9 reference"]);
}

#[test]
fn directives_test_macros() {
    let text = "#ifndef PRICE
#define PRICE(a) a
#endif
#if defined(PRICE) && !defined PRICE
#endif
#ifdef count
#endif
#undef PRICE
int count(void) { return 1; }
";
    let other = "#ifdef PRICE\n#endif\n";
    for name in ["a.c", "a.cpp"] {
        let file = |row: &str| format!("{name}:{row}");
        let rows = ["1:8", "4:12", "4:31", "8:7"];
        let rows: Vec<String> = rows.map(|row| file(row) + " reference").to_vec();
        let mut rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        rows.push("b.h:1:7 reference?");
        let files = [(name, text), ("b.h", other)];
        check(&files, "PRICE", &rows);
        check(&files, "count", &[]);
    }
}

#[test]
fn the_name_of_undef_stands_before_its_comment() {
    let text = "#define LOG(a) a\n#undef LOG // LOGGER was it\n#undefine LOG\n";
    check(&[("a.c", text)], "LOG", &["a.c:2:7 reference"]);
    let text = "#define LOG(a) a\n#  undef LOG\n";
    check(&[("a.c", text)], "LOG", &["a.c:2:9 reference"]);
}

#[test]
fn a_list_of_uses_of_macros_declares_nothing() {
    let files = [
        (
            "runner.h",
            "#define LIST_START entry_t ALL[] = {\n#define LIST_END { 0 } };\n\
             #define TEST_ENTRY(name) { #name, &run_test_##name },\n",
        ),
        (
            "list.h",
            "LIST_START\n  TEST_ENTRY  (one)\n  TEST_ENTRY  (two)\n#ifndef _WIN32\n  \
             TEST_ENTRY (six)\n#endif\n\
             LIST_END\n",
        ),
        ("main.c", "#include \"runner.h\"\n#include \"list.h\"\n"),
    ];
    check(
        &files,
        "TEST_ENTRY",
        &["list.h:2:2 call", "list.h:3:2 call", "list.h:5:2 call"],
    );
}

#[test]
fn a_macro_may_give_the_result_of_a_function() {
    let files = [
        (
            "shop.h",
            "#define API(type) __attribute__((visibility(\"default\"))) type\n\
             API(const char *) name(void);\nAPI(void)\ntotal(int a);\n",
        ),
        (
            "shop.c",
            "#include \"shop.h\"\nAPI(const char *) name(void)\n{\n    return 0;\n}\n\
             API(void)\ntotal(int a)\n{\n    name();\n}\n",
        ),
        (
            "pay.c",
            "#include \"shop.h\"\nvoid pay(void) { total(1); }\n",
        ),
    ];
    check(
        &files,
        "shop.name",
        &["shop.c:9:4 call", "shop.h:2:18 reference"],
    );
    check(
        &files,
        "shop.total",
        &["pay.c:2:17 call", "shop.h:4:0 reference"],
    );
    let api = [
        "shop.c:2:0 call",
        "shop.c:6:0 call",
        "shop.h:2:0 call",
        "shop.h:3:0 call",
    ];
    check(&files, "shop.API", &api);
}

#[test]
fn a_type_in_capitals_is_the_result_of_a_function() {
    let text = "static BOOL total(int a)\n{\n    return a;\n}\n\
                extern BOOL other(int);\nint pay(void) { return total(1); }\n";
    check(&[("a.c", text)], "a.total", &["a.c:6:23 call"]);
}

#[test]
fn macros_define_the_functions_of_tests() {
    let text = "#define START(name) static void name(void)\n#define END\n\
                START(one) {\n}\nEND\n\nSTART(two) {\n}\nEND\n\
                void run(void) { one(); two(); }\n";
    let files = [("a.c", text)];
    check(&files, "a.START", &["a.c:3:0 call", "a.c:7:0 call"]);
    check(&files, "a.two", &["a.c:10:24 call"]);
}

#[test]
fn macros_in_small_letters_annotate_declarations() {
    let files = [
        (
            "shop.h",
            "#define printflike(a, b) __attribute__((format(printf, a, b)))\n#define local static\n\
             void printflike(1, 2) report(const char *format, ...);\n",
        ),
        (
            "shop.c",
            "#include \"shop.h\"\nstatic void printflike(1, 2) add(const char *, ...);\n\
             void report(const char *format, ...) { add(format); }\n\
             static void add(const char *a, ...) {}\nlocal order_t count(order_t a) { return a; }\n\
             void pay(order_t a) { report(\"a\"); count(a); }\n",
        ),
    ];
    check(
        &files,
        "shop.report",
        &["shop.c:6:22 call", "shop.h:3:22 reference"],
    );
    check(
        &files,
        "shop.add",
        &["shop.c:2:29 reference", "shop.c:3:39 call"],
    );
    check(&files, "shop.count", &["shop.c:6:35 call"]);
    check(
        &files,
        "shop.printflike",
        &["shop.c:2:12 call", "shop.h:3:5 call"],
    );
}

#[test]
fn a_macro_of_a_header_may_declare_a_function() {
    let header = (
        "shop.h",
        "#define EXPORT(type, name, parameters) type name parameters\n\
         EXPORT(int, total, (int a));\nEXPORT(int, count, (void));\n",
    );
    let shop = (
        "shop.c",
        "#include \"shop.h\"\nint total(int a) { return a; }\nint count(void) { return 1; }\n",
    );
    let pay = (
        "pay.c",
        "#include \"shop.h\"\nint pay(void) { return total(1) + count(); }\n",
    );
    let rows = ["pay.c:2:23 call", "shop.h:2:12 reference"];
    check(&[header, shop, pay], "shop.total", &rows);
    // A file with macros of its own includes a part of the others.
    let test = (
        "test.c",
        "#include \"shop.h\"\n#define total(a) 0\n#include \"pay.c\"\n",
    );
    check(&[header, shop, pay, test], "shop.total", &rows);
    // Which of two functions is meant, nothing tells.
    let other = (
        "other.c",
        "#include \"shop.h\"\nint total(int a) { return 0; }\n",
    );
    let rows = ["pay.c:2:23 call?", "shop.h:2:12 reference?"];
    check(&[header, shop, pay, other], "shop.total", &rows);
}
