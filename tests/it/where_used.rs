//! Where used: who means a symbol, through imports, aliases, classes and inheritance.

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use ragnav::base::argument::Count;
use ragnav::base::item::{ItemKind, Resolution};
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::where_used::WhereUsedResult;
use ragnav::query::where_used::{Confidence, WhereUsedOptions, where_used};

pub fn ask(host: &MemoryHost, symbol: &str) -> WhereUsedResult {
    run(where_used(
        host,
        &settings(),
        symbol,
        &WhereUsedOptions::default(),
    ))
}

pub fn rows(result: &WhereUsedResult) -> Vec<String> {
    let kind = |kind| match kind {
        ItemKind::Call => "call",
        ItemKind::Import => "import",
        ItemKind::Inherit => "inherit",
        ItemKind::Reference => "reference",
        ItemKind::Text => "text",
        ItemKind::Definition => "definition",
    };
    let items = result.items.iter();
    items
        .map(|item| {
            let doubt = match item.resolution {
                Some(Resolution::Candidate) => "?",
                _ => "",
            };
            let (file, line) = (&item.file, item.line);
            format!(
                "{file}:{line}:{} {}{doubt}",
                item.start_utf16,
                kind(item.kind)
            )
        })
        .collect()
}

/// Asks without an index and with one: the rows are the same.
#[track_caller]
pub fn check(files: &[(&str, &str)], symbol: &str, expected: &[&str]) {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(files)
    };
    let live = ask(&host, symbol);
    assert_eq!(live.meta.error_code, None, "{:?}", live.meta.message);
    assert_eq!(rows(&live), expected, "live, {:?}", live.head.definitions);
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "test",
    ));
    let indexed = ask(&host, symbol);
    assert_eq!(indexed.meta.message, None);
    assert_eq!(rows(&indexed), expected, "indexed");
}

#[test]
fn names_are_followed_through_imports() {
    check(
        &[
            ("a.py", "def f(): pass\nf()\n"),
            ("b.py", "from a import f\nf()\n"),
            ("c.py", "import a\na.f()\n"),
            ("d.py", "from a import f as g\ng()\n"),
            ("e.py", "import a as x\nx.f\n"),
            ("f.py", "def f(): pass\nf()\n"),
            ("g.py", "from a import *\nf()\n"),
        ],
        "a.f",
        &[
            "a.py:2:0 call",
            "b.py:1:14 import",
            "b.py:2:0 call",
            "c.py:2:2 call",
            "d.py:1:14 import",
            "d.py:2:0 call",
            "e.py:2:2 reference",
            "g.py:2:0 call",
        ],
    );
}

#[test]
fn packages_hand_names_on() {
    check(
        &[
            (
                "p/__init__.py",
                "from .impl import f as public\nfrom . import impl\n",
            ),
            ("p/impl.py", "def f(): pass\n"),
            (
                "p/sub/x.py",
                "from ..impl import f\nfrom .. import impl\nimpl.f()\n",
            ),
            (
                "use.py",
                "import p\nfrom p import public\np.public()\npublic()\np.impl.f()\n",
            ),
            ("src/q/m.py", "def f(): pass\n"),
            ("src/q/use.py", "from q.m import f\nf()\n"),
        ],
        "p.impl.f",
        &[
            "p/__init__.py:1:18 import",
            "p/sub/x.py:1:19 import",
            "p/sub/x.py:3:5 call",
            "use.py:2:14 import",
            "use.py:3:2 call",
            "use.py:4:0 call",
            "use.py:5:7 call",
        ],
    );
}

#[test]
fn methods_are_found_through_instances_and_inheritance() {
    check(
        &[
            (
                "a.py",
                "class A:\n    def m(self): pass\n    def n(self):\n        self.m()\n    @classmethod\n    def c(cls):\n        cls.m\nclass B(A):\n    def k(self):\n        self.m()\n        super().m()\n",
            ),
            (
                "b.py",
                "from a import A, B\nA().m()\nb = B()\nb.m()\ndef f(x: A, y):\n    x.m()\n    y.m()\ndef make() -> B: ...\nmake().m()\nclass C:\n    def __init__(self):\n        self.a = A()\n    def go(self):\n        self.a.m()\n",
            ),
        ],
        "A.m",
        &[
            "a.py:4:13 call",
            "a.py:7:12 reference",
            "a.py:10:13 call",
            "a.py:11:16 call",
            "b.py:2:4 call",
            "b.py:4:2 call",
            "b.py:6:6 call",
            "b.py:9:7 call",
            "b.py:14:15 call",
            "b.py:7:6 call?",
        ],
    );
}

#[test]
fn other_things_of_the_name_are_not_meant() {
    check(
        &[
            (
                "a.py",
                "def f(): pass\ndef g(f):\n    f()\ndef h():\n    f = 1\n    f\ndef i():\n    def f(): pass\n    f()\n[f for f in ()]\n",
            ),
            (
                "b.py",
                "class f: pass\nf()\nimport os\nos.f()\nfrom elsewhere import f\nf()\n",
            ),
        ],
        "a.f",
        &[],
    );
}

#[test]
fn classes_are_inherited_from_and_called() {
    check(
        &[
            ("a.py", "class A: pass\nA()\n"),
            ("b.py", "import a\nclass B(a.A): pass\nx: a.A = None\n"),
        ],
        "A",
        &["a.py:2:0 call", "b.py:2:10 inherit", "b.py:3:5 reference"],
    );
}

#[test]
fn confidence_leaves_candidates_out_and_an_unknown_symbol_is_no_error() {
    let host = MemoryHost::new(&[(
        "a.py",
        "class A:\n    def m(self): pass\ndef f(x):\n    x.m()\n",
    )]);
    assert_eq!(rows(&ask(&host, "A.m")), ["a.py:4:6 call?"]);
    let options = WhereUsedOptions {
        confidence: Some(Confidence::Resolved),
        ..WhereUsedOptions::default()
    };
    assert!(
        run(where_used(&host, &settings(), "A.m", &options))
            .items
            .is_empty()
    );
    let nothing = ask(&host, "nobody");
    assert!(nothing.items.is_empty() && nothing.head.definitions.is_empty());
    assert_eq!(nothing.meta.error_code, None);
}

#[test]
fn pages_together_are_the_whole() {
    let calls = "f()\n".repeat(7);
    let host = MemoryHost::new(&[("a.py", &format!("def f(): pass\n{calls}"))]);
    let mut options = WhereUsedOptions {
        limit: Count::new(3),
        ..WhereUsedOptions::default()
    };
    let mut lines = Vec::new();
    loop {
        let page = run(where_used(&host, &settings(), "f", &options));
        assert_eq!(page.total, Some(7));
        lines.extend(page.items.iter().map(|item| item.line));
        assert_eq!(page.truncated, page.cursor.is_some());
        let Some(cursor) = page.cursor else { break };
        options.cursor = Some(cursor);
    }
    assert_eq!(lines, (2..=8).collect::<Vec<_>>());
}

#[test]
fn a_module_under_a_name_of_another_one_is_imported_by_it() {
    check(
        &[
            (
                "os.py",
                "import sys\nif sys.x:\n    import posixpath as path\nelse:\n    import ntpath as path\n",
            ),
            ("posixpath.py", "def join(): pass\n"),
            ("ntpath.py", "def join(): pass\n"),
            ("a.py", "from os.path import join\njoin()\n"),
            ("b.py", "import os.path\nos.path.join()\n"),
            ("c.py", "import os.path as p\np.join()\n"),
            ("d.py", "from os.path import *\njoin()\n"),
        ],
        "posixpath.join",
        &[
            "a.py:1:20 import",
            "a.py:2:0 call",
            "b.py:2:8 call",
            "c.py:2:2 call",
            "d.py:2:0 call",
        ],
    );
}

const SHAPES: &str =
    "class A:\n    def m(self): return self\n    @property\n    def p(self): return A()\n";

#[test]
fn names_in_quoted_annotations_are_references() {
    check(
        &[(
            "a.py",
            "from typing import cast, Dict, Literal, Annotated\nclass A: pass\ndef f(x: 'A', y: list['A | None']) -> \"dict[str, A]\": pass\nB = Dict['A', int]\nz: Literal['A'] = 'A'\ncast('A', z)\nw: 'an A'\nv: Annotated['A', 'A']\n",
        )],
        "a.A",
        &[
            "a.py:3:10 reference",
            "a.py:3:23 reference",
            "a.py:3:49 reference",
            "a.py:4:10 reference",
            "a.py:6:6 reference",
            "a.py:8:14 reference",
        ],
    );
}

#[test]
fn chains_of_calls_are_followed() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from a import A\ndef make(): return A()\nmake().m().m()\nA().p.m().p.m\nmake\\\n  ().m\nx = make().p\nx.m()\nA().m(1)(2).m()\n",
            ),
        ],
        "A.m",
        &[
            "b.py:3:7 call",
            "b.py:3:11 call",
            "b.py:4:6 call",
            "b.py:4:12 reference",
            "b.py:6:5 reference",
            "b.py:8:2 call",
            "b.py:9:4 call",
            "b.py:9:12 call?",
        ],
    );
}

#[test]
fn what_functions_return_is_inferred() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from a import A\ndef f(c):\n    if c: return None\n    return A() if c else c\ndef g(): return f(1)\nasync def h(): return A()\ndef i() -> str: return A()\nf(1).m()\ng().m()\n(await h()).m()\ni().m()\n",
            ),
        ],
        "A.m",
        &["b.py:8:5 call", "b.py:9:4 call", "b.py:10:12 call"],
    );
}

#[test]
fn elements_of_what_is_annotated_are_known() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from a import A\nfrom typing import Iterator\nclass Box:\n    def __iter__(self) -> Iterator[A]: ...\n    def __getitem__(self, at) -> A: ...\ndef f(xs: list[A], ys: 'dict[str, A]', box: Box):\n    for x in xs: x.m()\n    [x.m() for x in box]\n    xs[0].m()\n    ys['a'].m()\n    for y in ys.values(): y.m()\n    for k in ys: k.m()\n    box[1].m()\n    xs[1:].m()\n    xs.m()\n",
            ),
        ],
        "A.m",
        &[
            "b.py:7:19 call",
            "b.py:8:7 call",
            "b.py:9:10 call",
            "b.py:10:12 call",
            "b.py:11:28 call",
            "b.py:13:11 call",
            "b.py:12:19 call?",
            "b.py:14:11 call?",
        ],
    );
}

#[test]
fn either_side_of_a_choice_may_be_meant() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from a import A\nclass C:\n    def __init__(self, a):\n        self.a = a or A()\n    def n(self): self.a.m()\ndef f(b):\n    c = A() if b else None\n    c.m()\n    with A() as d: d.m()\n",
            ),
        ],
        "A.m",
        &["b.py:5:24 call", "b.py:8:6 call", "b.py:9:21 call"],
    );
}

#[test]
fn assigning_to_an_attribute_mentions_what_it_replaces() {
    check(
        &[(
            "a.py",
            "class A:\n    @property\n    def p(self) -> int: ...\n    @p.setter\n    def p(self, value): ...\n    def n(self):\n        self.p = 1\n        p = self.p\n        p\ndef f(a: A):\n    a.p = 2\n    a.p += 2\n",
        )],
        "A.p",
        &[
            "a.py:4:5 reference",
            "a.py:7:13 reference",
            "a.py:8:17 reference",
            "a.py:11:6 reference",
            "a.py:12:6 reference",
        ],
    );
}

#[test]
fn calls_of_a_class_run_its_constructor() {
    let files = [
        (
            "a.py",
            "class A:\n    def __init__(self): pass\nclass B(A): pass\nclass C(A):\n    def __init__(self):\n        super().__init__()\nA()\nB()\nC()\n",
        ),
        ("b.py", "from a import B as D\nclass E(D): pass\nE()\nD()\n"),
    ];
    check(
        &files,
        "A.__init__",
        &[
            "a.py:6:16 call",
            "a.py:7:0 call",
            "a.py:8:0 call",
            "b.py:3:0 call",
            "b.py:4:0 call",
        ],
    );
    check(&files, "C.__init__", &["a.py:9:0 call"]);
}

#[test]
fn a_method_that_overrides_another_may_run_in_its_place() {
    let files = [(
        "a.py",
        "class A:\n    def m(self): pass\n    def n(self): self.m()\nclass B(A): pass\nclass C(B):\n    def m(self): super().m()\ndef f(a: A, c: C):\n    a.m()\n    c.m()\n    A.m(c)\n",
    )];
    check(
        &files,
        "A.m",
        &[
            "a.py:3:22 call",
            "a.py:6:25 call",
            "a.py:8:6 call",
            "a.py:10:6 call",
        ],
    );
    check(
        &files,
        "C.m",
        &["a.py:9:6 call", "a.py:3:22 call?", "a.py:8:6 call?"],
    );
}

#[test]
fn what_a_type_variable_stands_for_is_not_known() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from typing import TypeVar\nT = TypeVar('T')\ndef f(x: T) -> T:\n    x.m()\nf(1).m()\n",
            ),
        ],
        "A.m",
        &["b.py:4:6 call?", "b.py:5:5 call?"],
    );
}
