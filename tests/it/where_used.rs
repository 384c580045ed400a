//! Where used: who means a symbol, through imports, aliases, classes and inheritance.

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use ragnav::item::{ItemKind, Resolution, WhereUsedResult};
use ragnav::tools::build_graph::{BuildOptions, build_graph};
use ragnav::tools::where_used::{Confidence, WhereUsedOptions, where_used};

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
    assert_eq!(rows(&live), expected, "live, {:?}", live.definitions);
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
    assert!(nothing.items.is_empty() && nothing.definitions.is_empty());
    assert_eq!(nothing.meta.error_code, None);
}

#[test]
fn pages_together_are_the_whole() {
    let calls = "f()\n".repeat(7);
    let host = MemoryHost::new(&[("a.py", &format!("def f(): pass\n{calls}"))]);
    let mut options = WhereUsedOptions {
        limit: Some(3.0),
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
