//! Languages that are matched by name: every query works, and no text stops it.

use proptest::prelude::*;
use ragnav::base::item::Direction;
use ragnav::base::path::RepoPath;
use ragnav::query::lineage::{LineageOptions, lineage};
use ragnav::resolve::FileFacts;
use ragnav::syntax::{self, facts::Facts};

use crate::common::{MemoryHost, settings};
use crate::fact_rows::repeated;
use crate::fs_host::run;
use crate::where_used::check;

#[test]
fn functions_of_elixir_are_resolved_in_their_file() {
    check(
        &[
            (
                "a.ex",
                "defmodule A do\n def open, do: 1\n def run, do: open()\n def go, do: A.open()\nend\n",
            ),
            (
                "b.ex",
                "defmodule B do\n def run(x), do: A.open() + x.open()\nend\n",
            ),
            ("c.rb", "open\n"),
        ],
        "A.open",
        &[
            "a.ex:3:14 call",
            "a.ex:4:15 call",
            "b.ex:2:19 call?",
            "b.ex:2:30 call?",
        ],
    );
}

#[test]
fn members_of_swift_are_resolved_in_their_file() {
    check(
        &[
            (
                "a.swift",
                "class A {\n func open() {}\n func run(b: B) { open(); self.open(); b.open() }\n}\n",
            ),
            ("b.swift", "extension A { func go() { open() } }\n"),
            ("c.rb", "open\n"),
        ],
        "A.open",
        &[
            "a.swift:3:18 call",
            "a.swift:3:31 call",
            "a.swift:3:41 call?",
            "b.swift:1:26 call?",
        ],
    );
}

#[test]
fn members_of_scala_are_resolved_in_their_file() {
    check(
        &[
            (
                "A.scala",
                "object A {\n def open = 1\n def run(b: B) = { open; this.open; b.open; A.open }\n}\n",
            ),
            (
                "B.scala",
                "import A._\nobject B extends App { open; A open 1 }\n",
            ),
            ("c.rb", "open\n"),
        ],
        "A.open",
        &[
            "A.scala:3:19 reference",
            "A.scala:3:30 reference",
            "A.scala:3:46 reference",
            "A.scala:3:38 reference?",
            "B.scala:2:23 reference?",
            "B.scala:2:31 call?",
        ],
    );
}

#[test]
fn functions_of_zig_are_resolved_in_their_file() {
    check(
        &[
            (
                "a.zig",
                "const A = struct {\n const Self = @This();\n fn open(a: *Self) void { a.open(); }\n};\n\
                 fn f(b: *A) void { A.open(b); b.open(); }\n",
            ),
            (
                "b.zig",
                "const A = @import(\"a.zig\").A;\nfn g(a: A) void { a.open(); }\n",
            ),
            ("c.rb", "open\n"),
        ],
        "A.open",
        &[
            "a.zig:3:28 call",
            "a.zig:5:21 call",
            "a.zig:5:32 call?",
            "b.zig:2:20 call?",
        ],
    );
}

#[test]
fn members_of_kotlin_are_resolved_in_their_file() {
    check(
        &[
            (
                "a.kt",
                "class A {\n fun open() { open(); this.open() }\n fun f() { use { open() } }\n}\n\
                 fun g(a: A) { A().open(); a.open() }\n",
            ),
            ("b.kt", "class B : A() {\n fun f() { open() }\n}\n"),
            ("c.java", "class C { void f(A a) { a.open(); } }\n"),
        ],
        "A.open",
        &[
            "a.kt:2:14 call",
            "a.kt:2:27 call",
            "a.kt:3:17 call?",
            "a.kt:5:18 call?",
            "a.kt:5:28 call?",
            "b.kt:2:11 call?",
        ],
    );
}

#[test]
fn members_of_dart_are_resolved_in_their_file() {
    check(
        &[
            (
                "a.dart",
                "class A extends B {\n void f() { open(); this.open(); top(); }\n void open() {}\n}\n\
                 void top() { A.open(); f(); }\n",
            ),
            (
                "b.dart",
                "import 'a.dart' show top;\nvoid f(A a) { a.open(); top(); }\n",
            ),
            ("c.java", "class C { void f(A a) { a.open(); } }\n"),
        ],
        "A.open",
        &[
            "a.dart:2:12 call",
            "a.dart:2:25 call",
            "a.dart:5:15 call",
            "b.dart:2:16 call?",
        ],
    );
    check(
        &[
            (
                "a.dart",
                "class A extends B {\n void f() { top(); }\n}\nvoid top() {}\n",
            ),
            ("b.dart", "import 'a.dart' show top;\nvoid f() { top(); }\n"),
        ],
        "a.top",
        &[
            "a.dart:2:12 call",
            "b.dart:1:21 import?",
            "b.dart:2:11 call?",
        ],
    );
}

#[test]
fn functions_of_bash_are_resolved_in_their_file() {
    check(
        &[
            ("a.sh", "open() { :; }\nrun() { open; echo open; }\n"),
            ("b.sh", "source ./a.sh\nopen && /bin/open\n"),
            ("c.rb", "open\n"),
        ],
        "a.open",
        &["a.sh:2:8 call", "b.sh:2:0 call?"],
    );
}

#[test]
fn functions_of_lua_are_resolved_in_their_file() {
    check(
        &[
            (
                "a.lua",
                "local open\nfunction open() return open() end\nlocal M = { open = open }\n",
            ),
            (
                "b.lua",
                "local function f(open) open() end\nM.open() M:open()\n",
            ),
            ("c.rb", "M.open\n"),
        ],
        "a.open",
        &[
            "a.lua:2:23 call",
            "a.lua:3:19 reference",
            "b.lua:2:2 call?",
            "b.lua:2:11 call?",
        ],
    );
}

fn steps(symbol: &str, word: &str, files: &[(&str, &str)]) -> Vec<String> {
    let host = MemoryHost::new(files);
    let options = LineageOptions::default();
    let result = run(lineage(&host, &settings(), symbol, word, &options));
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
    let upstream = result.head.direction == Direction::Upstream;
    assert_eq!(upstream, word == "upstream");
    let rows = result.items.iter();
    let row = |step: &ragnav::base::item::LineageItem| {
        let via = step.via.last().map(|id| id.dotted().to_owned());
        format!("{:?} {}", step.edge, via.unwrap_or_default())
    };
    rows.map(row).collect()
}

#[test]
fn lineage_follows_names() {
    let files = [
        (
            "a.go",
            "package a\nfunc Open() { helper() }\nfunc helper() {}\n",
        ),
        ("b.go", "package a\nfunc Start() { Open() }\n"),
        ("c.py", "def Open(): pass\nOpen()\n"),
    ];
    assert_eq!(steps("a.Open", "upstream", &files), ["Calls b.Start"]);
    assert_eq!(steps("a.Open", "downstream", &files), ["Calls a.helper"]);
    assert_eq!(steps("Start", "downstream", &files), ["Calls a.Open"]);
    let files = [
        ("A.java", "class A {}\n"),
        ("B.java", "class B extends A {}\nclass C {}\n"),
    ];
    assert_eq!(steps("A.A", "upstream", &files), ["Extends B.B"]);
    let files = [(
        "a.rs",
        "trait T {}\nstruct A;\nstruct B;\nimpl T for A {}\n",
    )];
    assert_eq!(steps("a.T", "upstream", &files), ["Extends "]);
    assert!(steps("a.B", "downstream", &files).is_empty());
}

const FILES: [&str; 16] = [
    "a.rs", "a.go", "A.java", "a.c", "a.rb", "a.php", "A.cs", "a.cc", "a.lua", "a.sh", "a.zig",
    "a.kt", "a.dart", "a.scala", "a.ex", "a.swift",
];

fn facts(file: &str, text: &str) -> Facts {
    let path = RepoPath::parse(file).unwrap();
    let language = syntax::detect_language(&path).unwrap();
    let facts = syntax::extract_facts(language, text);
    assert_eq!(
        facts.symbols(),
        syntax::extract_symbols(language, text),
        "{text}"
    );
    facts
}

/// Asserts the invariants of facts.
fn holds(file: &str, text: &str) {
    let facts = facts(file, text);
    let last = u32::try_from(text.matches(['\n', '\r']).count()).unwrap();
    for (id, definition) in (0..).zip(&facts.definitions) {
        assert!(
            definition.decorated_start_line <= definition.start_line,
            "{text}"
        );
        assert!(definition.start_line <= definition.end_line, "{text}");
        assert!(definition.end_line <= last + 1, "{text}");
        assert!(
            definition.parent.is_none_or(|parent| parent.0 < id),
            "{text}"
        );
        assert!((definition.scope.0 as usize) < facts.scopes.len());
    }
    for (id, scope) in (0..).zip(&facts.scopes) {
        assert!(scope.parent.is_none_or(|parent| parent.0 < id), "{text}");
    }
    assert!(
        facts.references.is_sorted_by_key(|one| one.position),
        "{text}"
    );
    assert!(
        facts.bindings.is_sorted_by_key(|one| one.position),
        "{text}"
    );
    for reference in &facts.references {
        assert!((reference.scope.0 as usize) < facts.scopes.len());
        assert!(!facts.name(reference.name).is_empty(), "{text}");
    }
    drop(FileFacts::new(facts));
}

/// Texts in each language, and in none.
const PIECES: [&str; 64] = [
    "class",
    "struct",
    "fn",
    "def",
    "func",
    "impl",
    "trait",
    "enum",
    "module",
    "namespace",
    "interface",
    "type",
    "typedef",
    "function",
    "let",
    "var",
    "x",
    "Foo",
    "self",
    "this",
    "$this",
    "::",
    ".",
    "->",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "=",
    ":=",
    ";",
    ",",
    "\n",
    "\r",
    "#",
    "//",
    "/*",
    "*/",
    "\"",
    "'",
    "`",
    "<?php",
    "?>",
    "use",
    "import",
    "include",
    "package",
    "end",
    "do",
    "|",
    "&",
    "*",
    "é",
    "𝒳",
    "\\",
    "@",
    "#[a]",
    "extends",
    "match",
    "for",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_fragments_have_facts(
        places in prop::collection::vec(0..PIECES.len(), 0..80),
        gaps in any::<u64>(),
    ) {
        let mut text = String::new();
        for (at, place) in places.iter().enumerate() {
            text.push_str(PIECES[*place]);
            if gaps >> (at % 64) & 1 == 0 {
                text.push(' ');
            }
        }
        for file in FILES { holds(file, &text); }
        for file in FILES { holds(file, &format!("<?php {text}")); }
    }

    #[test]
    fn any_text_has_facts(text in "\\PC{0,200}") {
        for file in FILES { holds(file, &text); }
    }

    /// The core's own sources, truncated anywhere.
    #[test]
    fn a_cut_source_has_facts(
        cut in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
    ) {
        let sources = [
            include_str!("../../crates/syntax/src/rule_based/facts.rs"),
            include_str!("../../crates/query/src/where_used.rs"),
            include_str!("lang_go.rs"),
            include_str!("lang_java.rs"),
            include_str!("lang_c.rs"),
            include_str!("lang_csharp.rs"),
            include_str!("lang_cpp.rs"),
            include_str!("lang_lua.rs"),
            include_str!("lang_bash.rs"),
            include_str!("lang_zig.rs"),
            include_str!("lang_kotlin.rs"),
            include_str!("lang_dart.rs"),
            include_str!("lang_scala.rs"),
            include_str!("lang_elixir.rs"),
            include_str!("lang_swift.rs"),
            include_str!("lang_ruby.rs"),
            include_str!("lang_php.rs"),
        ];
        let source = sources[place.index(sources.len())];
        let mut end = cut.index(source.len());
        while !source.is_char_boundary(end) {
            end -= 1;
        }
        for file in FILES { holds(file, &source[..end]); }
    }
}

/// A quadratic walk would take minutes.
#[test]
fn time_grows_with_the_text() {
    for (file, text) in [
        ("a.rs", repeated("mod a { fn f() { g(); } ", "", "}", 2_000)),
        ("a.rs", repeated("{ let x = ", "x", "; x }", 4_000)),
        (
            "a.rs",
            format!("fn f() {{ {} }}", "let x = x(x); ".repeat(20_000)),
        ),
        (
            "a.rs",
            format!("use a::{}b{};", "a::{".repeat(2_000), "}".repeat(2_000)),
        ),
        (
            "a.rs",
            format!("m!({}{})", "(".repeat(10_000), ")".repeat(10_000)),
        ),
        (
            "a.go",
            format!("package a\nfunc f() {{ {} }}", "x := x(y)\n".repeat(20_000)),
        ),
        (
            "a.go",
            format!("package a\nvar x = {}", "a.".repeat(20_000)),
        ),
        (
            "A.java",
            repeated("class A { void f() { ", "f();", "}}", 2_000),
        ),
        (
            "A.java",
            format!("class A {{ Object a = {}; }}", "a.b().".repeat(10_000)),
        ),
        (
            "A.cs",
            repeated("class A { void f() { ", "f();", "}}", 2_000),
        ),
        ("A.cs", repeated("#if A\n", "class A", "\n#endif", 10_000)),
        (
            "A.cs",
            format!("class A {{ object a = {}; }}", "a.b()?".repeat(10_000)),
        ),
        (
            "a.cc",
            repeated("namespace a { class A { void f() { ", "f();", "}};}", 2_000),
        ),
        (
            "a.cc",
            "API int f(int a UNUSED) NOEXCEPT { return g(1); }\n".repeat(10_000),
        ),
        ("a.cc", "API(".repeat(20_000)),
        ("a.cc", format!("{}f() {{}}", "a::".repeat(20_000))),
        (
            "a.h",
            format!("namespace a {{ int {}f; }}", "a<".repeat(10_000)),
        ),
        (
            "a.c",
            format!("int {}f{}(void) {{}}", "(".repeat(5_000), ")".repeat(5_000)),
        ),
        ("a.c", "int f(void) { return g(1); }\n".repeat(10_000)),
        (
            "a.rb",
            repeated("module A; def f; ", "f", "; end; end\n", 2_000),
        ),
        ("a.rb", "x = x + y\n".repeat(20_000)),
        ("a.sh", repeated("f() { ", "g", "; }", 2_000)),
        ("a.sh", format!("trap {}", "f ".repeat(20_000))),
        ("a.sh", format!("{}f a", "A=1 ".repeat(20_000))),
        ("a.sh", "f() { g \"$(f)\"; }\n".repeat(5_000)),
        (
            "a.zig",
            repeated("const A = struct { fn f() void { ", "f();", "} };", 2_000),
        ),
        ("a.zig", "fn f() void { g(1); }\n".repeat(10_000)),
        ("a.zig", format!("const a = {};", "a.".repeat(20_000))),
        (
            "a.zig",
            format!("fn f() void {{ {} }}", "const x = f(x);\n".repeat(10_000)),
        ),
        ("a.lua", repeated("a = { b = ", "1", " }", 2_000)),
        (
            "a.lua",
            repeated("a.b = function() f(); ", "", " end", 2_000),
        ),
        ("a.lua", format!("function {}f() end", "a.".repeat(20_000))),
        ("a.lua", "local f; local x = f(x)\n".repeat(10_000)),
        (
            "a.php",
            format!(
                "<?php {}",
                "function f() { $this->f(); f(); }\n".repeat(5_000)
            ),
        ),
    ] {
        facts(file, &text);
    }
}

#[test]
fn time_grows_with_the_text_of_kotlin_and_dart() {
    for (file, text) in [
        ("a.dart", repeated("void f() { ", "g();", "}", 2_000)),
        ("a.dart", "void f() { g(1); }\n".repeat(10_000)),
        ("a.dart", format!("var a = {}b;", "a.".repeat(20_000))),
        ("a.dart", format!("var a = b{};", "..c(1)".repeat(10_000))),
        ("a.dart", repeated("f(() { ", "g();", " });", 2_000)),
        (
            "a.dart",
            format!("var a = {};", repeated("'${", "a", "}'", 1_000)),
        ),
        (
            "a.dart",
            format!("import 'a' show {}b;", "a, ".repeat(20_000)),
        ),
        ("a.dart", "/// a\n".repeat(20_000)),
        (
            "a.kt",
            repeated("class A { fun f() { ", "f()", "}\n}\n", 2_000),
        ),
        ("a.kt", "fun f() { g(1) }\n".repeat(10_000)),
        ("a.kt", format!("val a = {}b", "a.".repeat(20_000))),
        ("a.kt", format!("val a: {}B", "A.".repeat(20_000))),
        ("a.kt", repeated("f { ", "g()", " }", 2_000)),
        ("a.kt", repeated("\"${", "a", "}\"", 2_000)),
        ("a.kt", "val a: B\n get() = c\n".repeat(10_000)),
        ("a.kt", format!("val a = {}", "b infix ".repeat(10_000))),
        ("a.kt", "// a\n".repeat(20_000)),
        ("a.kt", format!("class A{}", "\n".repeat(200_000))),
    ] {
        facts(file, &text);
    }
}

/// A quadratic walk would take minutes.
#[test]
fn time_grows_with_the_text_of_scala() {
    for text in [
        repeated("object A { def f = { ", "f", "} }", 2_000),
        format!("val a = {}b", "a.".repeat(20_000)),
        format!("val a: {}B = 1", "a.".repeat(20_000)),
        format!("val a = {}b", "a + ".repeat(20_000)),
        format!("import {}B", "A.".repeat(20_000)),
        format!("import {}C", "a.B, ".repeat(20_000)),
        format!("import a.{{{}D}}", "B => C, ".repeat(20_000)),
        format!("def f = {{ {} }}", "val x = f(x)\n".repeat(10_000)),
        format!("class A {{ {} }}", "val x = x\n".repeat(10_000)),
    ] {
        facts("a.scala", &text);
    }
}

/// A quadratic walk would take minutes.
#[test]
fn time_grows_with_the_text_of_elixir() {
    for text in [
        repeated("defmodule A do\n def f do\n", "f()", "\nend\nend\n", 2_000),
        format!("a = {}b", "a.".repeat(20_000)),
        format!("a = {}b", "A.".repeat(20_000)),
        format!("alias A.{{{}C}}", "B, ".repeat(20_000)),
        format!("a = {}b", "a |> ".repeat(20_000)),
        format!("f({}b)", "a, ".repeat(20_000)),
        "@spec f(a) :: b\n".repeat(5_000),
        "@doc \"a\"\ndef f(a), do: f(a)\n".repeat(5_000),
        format!("def f do\n{}end", "x = f(x)\n".repeat(10_000)),
    ] {
        facts("a.ex", &text);
    }
}

/// A quadratic walk would take minutes.
#[test]
fn time_grows_with_the_text_of_swift() {
    for text in [
        repeated("class A { func f() { ", "f()", "} }", 2_000),
        format!("let a = {}b", "a.".repeat(20_000)),
        format!("let a: {}B = 1", "A.".repeat(20_000)),
        format!("extension {}B {{}}", "A.".repeat(20_000)),
        format!("import {}B", "A.".repeat(20_000)),
        format!("func f() {{\n{}}}", "let x = f(x)\n".repeat(10_000)),
        format!("class A {{\n{}}}", "let x = x\n".repeat(10_000)),
        repeated("f { a in ", "a", " }", 1_000),
    ] {
        facts("a.swift", &text);
    }
}
