//! How sure answers are to have every row, and why not, live and indexed.

use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::lineage::{LineageOptions, lineage};
use ragnav::query::locate::locate;
use ragnav::query::search::{SearchOptions, search};
use ragnav::query::where_used::{Confidence, WhereUsedOptions, where_used};
use ragnav::query::{QuestionOptions, Settings, StalePolicy};
use ragnav_base::completeness::{Completeness, Doubt, DoubtReason};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

fn host(files: &[(&str, &str)]) -> MemoryHost {
    let mut host = MemoryHost::new(files);
    host.head = Some("a".repeat(40));
    host
}

fn doubts(host: &MemoryHost, settings: &Settings, symbol: &str) -> (Completeness, Vec<Doubt>) {
    let options = WhereUsedOptions::default();
    let answer = run(where_used(host, settings, symbol, &options));
    let upstream = run(lineage(
        host,
        settings,
        symbol,
        "upstream",
        &LineageOptions::default(),
    ));
    assert_eq!(upstream.doubts, answer.doubts, "{symbol}");
    (answer.completeness, answer.doubts)
}

/// Checks the doubts about the references to a symbol: reason, count and files.
#[track_caller]
fn check(files: &[(&str, &str)], symbol: &str, expected: &[(DoubtReason, Option<u32>, &[&str])]) {
    let host = host(files);
    let settings = settings();
    let (completeness, live) = doubts(&host, &settings, symbol);
    let found: Vec<(DoubtReason, Option<u32>, Vec<&str>)> = live
        .iter()
        .map(|doubt| {
            let files = doubt.files.iter().map(String::as_str);
            (doubt.reason, doubt.count, files.collect())
        })
        .collect();
    let expected: Vec<(DoubtReason, Option<u32>, Vec<&str>)> = expected
        .iter()
        .map(|(reason, count, files)| (*reason, *count, files.to_vec()))
        .collect();
    assert_eq!(found, expected, "{symbol}");
    run(build_graph(
        &host,
        &settings,
        &BuildOptions::default(),
        "me",
    ));
    for _ in 0..2 {
        let indexed = doubts(&host, &settings, symbol);
        assert_eq!(indexed, (completeness, live.clone()), "{symbol}, indexed");
    }
}

#[test]
fn nobody_refers_to_a_function_and_that_is_proven() {
    let files = [
        ("a.py", "def unused(): pass\ndef used(): pass\nused()\n"),
        ("b.py", "from a import used\n"),
    ];
    check(&files, "a.unused", &[]);
    check(&files, "a.used", &[]);
    let host = host(&files);
    let (completeness, _) = doubts(&host, &settings(), "a.unused");
    assert_eq!(completeness, Completeness::Proven);
}

#[test]
fn candidates_are_doubts_even_where_only_resolved_rows_are_wanted() {
    let files = [(
        "a.py",
        "class A:\n  def go(self): pass\ndef f(x):\n  x.go()\n",
    )];
    check(
        &files,
        "A.go",
        &[(DoubtReason::Candidates, Some(1), &["a.py"])],
    );
    let host = host(&files);
    let options = WhereUsedOptions {
        confidence: Some(Confidence::Resolved),
        ..WhereUsedOptions::default()
    };
    let answer = run(where_used(&host, &settings(), "A.go", &options));
    assert!(answer.items.is_empty());
    assert_eq!(answer.completeness, Completeness::Bounded);
}

#[test]
fn strings_with_the_name_are_doubts_and_longer_texts_are_not() {
    let files = [
        ("a.py", "def login(): pass\n"),
        (
            "b.py",
            "ENTRY = 'shop.a:login'\nNAMES = [\"login\", 'logins']\n",
        ),
        (
            "c.py",
            "# login of a user, 'as login here'\nPATH = './login'\n",
        ),
    ];
    check(
        &files,
        "a.login",
        &[(DoubtReason::Strings, Some(2), &["b.py"])],
    );
}

#[test]
fn functions_that_compute_names_are_doubts_for_what_they_reach() {
    let files = [
        ("a.py", "class A:\n  def go(self): pass\ndef f(): pass\n"),
        ("b.py", "def call(o, name): return getattr(o, name)()\n"),
        (
            "c.py",
            "import importlib\nm = importlib.import_module('x')\n",
        ),
        ("d.rb", "o.send(:go)\n"),
    ];
    check(
        &files,
        "A.go",
        &[
            (DoubtReason::OtherLanguages, Some(1), &["d.rb"]),
            (DoubtReason::Computed, Some(1), &["b.py"]),
        ],
    );
    check(
        &files,
        "a.f",
        &[(DoubtReason::Computed, Some(1), &["c.py"])],
    );
    let script = [("a.js", "class A { go() {} }\nfunction f() {}\n")];
    check(&script, "A.go", &[(DoubtReason::Untracked, None, &[])]);
    check(&script, "f", &[]);
    let lua = [("a.lua", "function go() end\n")];
    check(
        &lua,
        "go",
        &[
            (DoubtReason::ByName, None, &[]),
            (DoubtReason::Untracked, None, &[]),
        ],
    );
}

#[test]
fn what_could_not_be_looked_at_makes_an_answer_unknown() {
    let files = [("a.py", "def login(): pass\n"), ("b.py", "login\u{0}\n")];
    let host = host(&files);
    let found = run(search(
        &host,
        &settings(),
        "login",
        &SearchOptions::default(),
    ));
    assert_eq!(found.completeness, Completeness::Bounded);
    assert_eq!(found.doubts[0].reason, DoubtReason::Skipped);
    assert_eq!(found.doubts[0].files, ["b.py"]);
    let mut settings = settings();
    settings.limits.max_files = 1;
    let found = run(search(&host, &settings, "login", &SearchOptions::default()));
    assert_eq!(found.completeness, Completeness::Unknown);
    let options = QuestionOptions::default();
    let found = run(locate(&host, &settings, "nothing", &options));
    assert_eq!(found.completeness, Completeness::Unknown);
    assert!(found.items.is_empty());
    let message = found.meta.message.unwrap_or_default();
    assert!(
        message.contains("in the files that could be read"),
        "{message}"
    );
}

#[test]
fn a_name_in_code_that_is_lost_to_a_syntax_error_is_a_doubt() {
    let lost = "y<E extends v P nd\nexport function lost() {}\nused();\n";
    let files = [
        ("lost.ts", lost),
        ("used.ts", "export function used() {}\n"),
        (
            "other.ts",
            "export function other() {}\n// lost(\nconst a = = 1\n",
        ),
    ];
    check(
        &files,
        "lost",
        &[(DoubtReason::Unparsed, Some(1), &["lost.ts"])],
    );
    check(
        &files,
        "used.used",
        &[(DoubtReason::Unparsed, Some(1), &["lost.ts"])],
    );
    check(&files, "other.other", &[]);
    let host = host(&files);
    for is_indexed in [false, true] {
        if is_indexed {
            run(build_graph(
                &host,
                &settings(),
                &BuildOptions::default(),
                "me",
            ));
        }
        let answer = run(locate(
            &host,
            &settings(),
            "lost",
            &QuestionOptions::default(),
        ));
        assert_eq!(answer.completeness, Completeness::Bounded);
    }
}

#[test]
fn a_name_that_nothing_defines_may_be_a_variable() {
    let files = [
        ("a.py", "LIMIT = 3\n"),
        ("b.py", "from a import LIMIT\nprint(LIMIT)\n"),
        ("c.rs", "const OTHER_LIMIT: u8 = 3;\n"),
        ("notes.md", "LIMIT is 3.\n"),
    ];
    let undefined = [(DoubtReason::Undefined, Some(2), &["a.py", "b.py"][..])];
    check(&files, "LIMIT", &undefined);
    check(&files, "a.LIMIT", &undefined);
    check(&files, "a::LIMIT", &undefined);
    check(&files, "b.py:2:7", &undefined);
    check(&files, "MISSING", &[]);
}

#[test]
fn symbols_of_ruby_are_as_strings() {
    let files = [
        ("a.rb", "class Cart\n  def total; end\nend\n"),
        (
            "b.rb",
            "carts.map(&:total)\ncart.public_send(:total)\nCart::total\n",
        ),
        ("c.rb", "{ total: 1 }\n"),
    ];
    let host = host(&files);
    let (_, doubts) = doubts(&host, &settings(), "a.Cart.total");
    let symbols = Doubt::in_files(DoubtReason::Strings, 2, ["b.rb".to_owned()]);
    assert!(doubts.contains(&symbols), "{doubts:?}");
}

#[test]
fn bodies_of_macros_are_doubts() {
    let files = [
        (
            "a.h",
            "int add(int a, int b);\n#define add_one(a) add(a, 1)\n",
        ),
        (
            "a.c",
            "#include \"a.h\"\n#define BOTH(a) \\\n  add(a, a) + \\\n  add(1, a)\nint add(int a, int b) { return a + b; }\n",
        ),
        ("b.h", "#undef add\n#define add 3\n"),
    ];
    let host = host(&files);
    let (completeness, doubts) = doubts(&host, &settings(), "add");
    let files = ["a.c".to_owned(), "a.h".to_owned()];
    assert!(
        doubts.contains(&Doubt::in_files(DoubtReason::Macros, 3, files)),
        "{doubts:?}"
    );
    assert_eq!(completeness, Completeness::Bounded);
}

#[test]
fn code_may_run_definitions_without_their_names() {
    let unnamed: &[(DoubtReason, Option<u32>, &[&str])] = &[(DoubtReason::Unnamed, None, &[])];
    let python = [(
        "a.py",
        "class A:\n    def __len__(self): pass\n    def __init__(self): pass\nlen(A())\n",
    )];
    check(&python, "A.__len__", unnamed);
    check(&python, "A.__init__", &[]);
    let cpp = [(
        "a.cpp",
        "struct A {\n  A(int n);\n  ~A();\n  bool operator==(int n);\n  void operators();\n};\n",
    )];
    for name in ["A.A", "A.~A", "A.operator=="] {
        check(&cpp, name, unnamed);
    }
    check(&cpp, "A.operators", &[]);
    let csharp = [(
        "a.cs",
        "class A {
    A() {}
    A(int a) {}
    public static A operator +(A a, A b) => a;
    public void Dispose() {}
    public void Total() {}
}
",
    )];
    for name in ["a.cs:2:5", "a.cs:3:5", "A.operator+", "A.Dispose"] {
        check(&csharp, name, unnamed);
    }
    check(&csharp, "A.Total", &[]);
    let java = [(
        "A.java",
        "class A {
    A() {}
    A(int a) {}
    public String toString() { return null; }
}
",
    )];
    for name in ["A.java:2:5", "A.toString"] {
        check(&java, name, unnamed);
    }
    check(&java, "A.java:3:5", &[]);
    let ruby = [(
        "a.rb",
        "class A\n  def +(other); end\n  def to_s; end\n  def total; end\nend\n",
    )];
    for name in ["a.rb:2:7", "A.to_s"] {
        check(&ruby, name, unnamed);
    }
    check(&ruby, "A.total", &[]);
}

#[test]
fn frameworks_and_programs_may_call_definitions() {
    let unnamed: &[(DoubtReason, Option<u32>, &[&str])] = &[(DoubtReason::Unnamed, None, &[])];
    let python = [
        (
            "app.py",
            "import functools
import flask
app = flask.Flask()
@app.route('/')
def index(): pass
@functools.cache
def total(): pass
@(lambda f: f)
def other(): pass
class A:
    @property
    def size(self): pass
def test_size(): pass
",
        ),
        (
            "tests/test_app.py",
            "def test_total(): pass\ndef helper(): pass\n",
        ),
    ];
    for name in ["app.index", "app.other", "test_total"] {
        check(&python, name, unnamed);
    }
    for name in ["app.total", "A.size", "app.test_size", "helper"] {
        check(&python, name, &[]);
    }
    let typescript = [(
        "a.ts",
        "@Injectable()\nclass A { @Get() list() {} size() {} }\n",
    )];
    let untracked: &[(DoubtReason, Option<u32>, &[&str])] = &[(DoubtReason::Untracked, None, &[])];
    check(&typescript, "a.A", unnamed);
    check(&typescript, "A.list", &[unnamed, untracked].concat());
    check(&typescript, "A.size", untracked);
    let go = [
        (
            "a.go",
            "package a\nfunc init() {}\nfunc TestA() {}\nfunc other() {}\n",
        ),
        ("a_test.go", "package a\nfunc TestB() {}\nfunc help() {}\n"),
    ];
    for name in ["a.init", "TestB"] {
        check(&go, name, unnamed);
    }
    for name in ["a.other", "TestA", "help"] {
        check(&go, name, &[]);
    }
    let programs = [
        ("a.rs", "fn main() {}\n", "a.rs:1:4"),
        ("a.c", "int main(void) { return 0; }\n", "a.c:1:5"),
        (
            "A.java",
            "class A { public static void main(String[] args) {} }\n",
            "A.main",
        ),
        ("a.cs", "class A { static void Main() {} }\n", "A.Main"),
    ];
    for (path, text, name) in programs {
        check(&[(path, text)], name, unnamed);
    }
}

#[test]
fn annotations_and_attributes_may_register_definitions() {
    let unnamed: &[(DoubtReason, Option<u32>, &[&str])] = &[(DoubtReason::Unnamed, None, &[])];
    let untracked: &[(DoubtReason, Option<u32>, &[&str])] = &[(DoubtReason::Untracked, None, &[])];
    let java = [(
        "A.java",
        "@Component class A {
    @Test void total() {} @org.junit.jupiter.api.Test void size() {}
    @GetMapping(\"/\") String list() { return null; }
    @Deprecated @lombok.Generated void old() {}
    void plain() {}
}
@Data class B {}
",
    )];
    for name in ["A.java:1:18", "A.total", "A.size", "A.list"] {
        check(&java, name, unnamed);
    }
    for name in ["A.old", "A.plain", "A.java:7:13"] {
        check(&java, name, &[]);
    }
    let csharp = [(
        "a.cs",
        "[ApiController] class A {
    [Fact] void Total() {} [Xunit.FactAttribute] void Size() {}
    [Obsolete(\"old\"), System.CLSCompliantAttribute(false)] void Old() {}
    [Parameter] public int Count { get; set; }
    void Plain([NotNull] string a) {}
}
[Serializable] class B {}
",
    )];
    for name in ["a.cs:1:23", "A.Total", "A.Size", "A.Count"] {
        check(&csharp, name, unnamed);
    }
    for name in ["A.Old", "A.Plain", "a.cs:7:22"] {
        check(&csharp, name, &[]);
    }
    let rust = [(
        "src/lib.rs",
        "#![allow(unused)]
fn first() {}
#[test]
// Adds up.
/// All.
fn total() {}
#[inline] #[must_use = \"yes\"] fn plain() {}
#[cfg_attr(test, tokio::main)] fn start() {}
#[unsafe(no_mangle)] pub extern \"C\" fn exported() {}
struct A;
#[pymethods]
impl A { #[new] fn create() {} fn size(&self) {} }
#[async_trait]
impl B for A { fn run(&self) {} }
trait B { fn run(&self); }
",
    )];
    for name in ["total", "start", "A.create", "A.size"] {
        check(&rust, name, unnamed);
    }
    for name in ["first", "plain", "exported", "B.run"] {
        check(&rust, name, &[]);
    }
    let c = [(
        "a.c",
        "__attribute__((constructor)) static void start(void) {}
static void __attribute__((__destructor__)) stop(void) {}
__attribute__((noreturn)) void plain(void) {}
[[gnu::used]] void kept(void) {}
",
    )];
    for name in ["start", "stop", "kept"] {
        check(&c, name, unnamed);
    }
    check(&c, "a.c:3:32", &[]);
    let php = [(
        "a.php",
        "<?php
#[AsCommand] class A {
    #[Route('/')] public function total() {}
    #[\\Override, Pure] public function plain() {}
}
",
    )];
    for name in ["a.php:2:20", "A.total"] {
        check(&php, name, &[unnamed, untracked].concat());
    }
    check(&php, "A.plain", untracked);
}

#[test]
fn methods_may_be_called_through_what_is_outside_of_the_repository() {
    let outside: &[(DoubtReason, Option<u32>, &[&str])] = &[(DoubtReason::OutsideBase, None, &[])];
    let go = [(
        "a.go",
        "package a\ntype T int\nfunc (t T) String() string { return \"\" }\nfunc (t T) Total() {}\n",
    )];
    check(&go, "T.String", outside);
    check(&go, "T.Total", &[]);
    let rust = [(
        "src/lib.rs",
        "struct A;\nstruct B;\ntrait Own { fn own(&self); }
impl Own for A { fn own(&self) {} }
impl From<A> for B { fn from(a: A) -> B { B } }
impl B { fn total(&self) {} }
",
    )];
    check(&rust, "B.from", outside);
    check(&rust, "A.own", &[]);
    check(&rust, "B.total", &[]);
    let java = [(
        "A.java",
        "import lib.Reader;
class A {
    Reader open() { return new Reader() { public int read() { return 1; } }; }
    int total() { return 1; }
}
",
    )];
    check(&java, "read", outside);
    check(&java, "A.total", &[]);
}

#[test]
fn a_new_file_that_the_policy_leaves_out_is_a_doubt() {
    let host = host(&[("a.py", "def total(): pass\n")]);
    let settings = settings();
    let options = BuildOptions::default();
    run(build_graph(&host, &settings, &options, "me"));
    host.put("b.py", b"from a import total\ntotal()\n");
    let options = WhereUsedOptions {
        stale_policy: Some(StalePolicy::Allow),
        ..WhereUsedOptions::default()
    };
    let answer = run(where_used(&host, &settings, "total", &options));
    assert_eq!(answer.items.len(), 0);
    let reasons = answer.doubts.iter().map(|doubt| doubt.reason);
    assert_eq!(reasons.collect::<Vec<_>>(), [DoubtReason::Stale]);
}

#[test]
fn templates_that_use_a_name_are_doubts_and_their_texts_are_not() {
    let files = [
        (
            "cart.rb",
            "class Cart\n  def total; 1; end\n  def items; []; end\nend\n",
        ),
        (
            "views/cart.html.erb",
            "<h1>Your items</h1>\n<b class=\"items\"><%= @cart.total %></b>\n",
        ),
        (
            "views/text.html",
            "<!-- total --><p>The total of all items</p>\n",
        ),
        ("views/row.haml", "%b= total\n"),
        // A template that is no text says nothing.
        ("views/broken.tpl", "total \u{0}\u{0}\u{0}"),
        ("notes.txt", "total items\n"),
    ];
    check(
        &files,
        "Cart.total",
        &[(
            DoubtReason::OtherLanguages,
            Some(2),
            &["views/cart.html.erb", "views/row.haml"],
        )],
    );
    check(&files, "Cart.items", &[]);
}

#[test]
fn a_link_to_a_text_is_no_doubt_and_one_to_code_is() {
    let linked = |link: &str| {
        let mut host = host(&[("a.py", "def total(): pass\n"), ("AGENTS.md", "# Total\n")]);
        host.links = vec![link.to_owned()];
        let (_, doubts) = doubts(&host, &settings(), "a.total");
        let reasons = doubts.iter().map(|doubt| doubt.reason);
        reasons.collect::<Vec<_>>()
    };
    assert_eq!(linked("CLAUDE.md"), []);
    assert_eq!(linked("b.py"), [DoubtReason::Skipped]);
}
