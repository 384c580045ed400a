//! `impact`: the symbols that a change touches, what refers to them, and the tests that reach them.

use std::collections::BTreeMap;

use ragnav::base::host::Buffer;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::impact::{ImpactOptions, ImpactResult, impact};
use ragnav_base::completeness::Completeness;
use ragnav_base::envelope::{Proof, RagToolStatus};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

fn state(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    let files = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    files.collect()
}

fn host(before: &[(&str, &str)], now: &[(&str, &str)]) -> MemoryHost {
    let mut host = MemoryHost::new(now);
    host.head = Some("a".repeat(40));
    host.states = BTreeMap::from([("HEAD".to_owned(), state(before))]);
    host
}

fn ask(host: &MemoryHost, options: &ImpactOptions) -> ImpactResult {
    run(impact(host, &settings(), options))
}

/// Returns the changed symbols as `symbol: changes`.
fn changed(answer: &ImpactResult) -> Vec<String> {
    assert_ne!(
        answer.meta.status,
        RagToolStatus::Error,
        "{:?}",
        answer.meta
    );
    let items = answer.items.iter().map(|item| {
        let changes: Vec<String> = item
            .changes
            .iter()
            .map(|change| format!("{change:?}").to_lowercase())
            .collect();
        format!("{}: {}", item.symbol.dotted(), changes.join(" "))
    });
    items.collect()
}

/// Returns the references as `file:line of the changed symbol`.
fn affected(answer: &ImpactResult) -> Vec<String> {
    let rows = answer.head.affected.iter().map(|row| {
        let at = &row.step.item;
        format!("{}:{} {}", at.file, at.line, row.of.dotted())
    });
    rows.collect()
}

const CART: &str = "class Cart:\n    limit = 3\n    def total(self, a):\n        return a\n    def \
                    size(self): return 1\ndef helper(x):\n    y = x + 1\n    return y * 2 + \
                    len(str(y))\n";

#[test]
fn every_kind_of_change_is_told_apart() {
    let before = [
        ("cart.py", CART),
        ("gone.py", "def gone(): pass\n"),
        ("kept.py", "def kept(): return 1\n"),
    ];
    let now = [
        (
            "cart.py",
            "class Cart:\n    limit = 3\n    def total(self, a, b=0):\n        return a\n    def \
             size(self): return 2\n    def added(self): pass\n",
        ),
        (
            "util.py",
            "def assist(x):\n    y = x + 1\n    return y * 2 + len(str(y))\n",
        ),
        // Other lines and comments are no change.
        ("kept.py", "# a comment\n\ndef kept(): return 1\n"),
    ];
    let answer = ask(&host(&before, &now), &ImpactOptions::default());
    assert_eq!(
        changed(&answer),
        [
            "cart.Cart.total: signature",
            "cart.Cart.size: body",
            "cart.Cart.added: added",
            "gone.gone: removed",
            "util.assist: moved renamed",
        ]
    );
    let was = answer.items[4].was.as_ref().unwrap();
    assert_eq!((was.file.as_str(), was.start_line), ("cart.py", 6));
    assert_eq!(answer.head.from, "HEAD");
    assert_eq!(answer.total, Some(5));
}

#[test]
fn a_class_differs_by_its_own_lines_alone() {
    let now = [("cart.py", CART.replace("limit = 3", "limit = 4"))];
    let now: Vec<(&str, &str)> = now
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let answer = ask(&host(&[("cart.py", CART)], &now), &ImpactOptions::default());
    assert_eq!(changed(&answer), ["cart.Cart: body"]);
    let now = [("cart.py", CART.replace("class Cart:", "class Cart(dict):"))];
    let now: Vec<(&str, &str)> = now
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let answer = ask(&host(&[("cart.py", CART)], &now), &ImpactOptions::default());
    assert_eq!(changed(&answer), ["cart.Cart: signature"]);
}

#[test]
fn heads_of_other_languages_end_where_their_bodies_begin() {
    let before = [(
        "a.ts",
        "export function f(a: { b: number }, c = 1): number {\n  return c;\n}\nclass A extends B \
         {\n  x = 1;\n  m() { return 1; }\n}\n",
    )];
    let now = [(
        "a.ts",
        "export function f(a: { b: number },\n  c = 1): number {\n  return c + 1;\n}\nclass A \
         extends C {\n  x = 1;\n  m(y: string) { return 1; }\n}\n",
    )];
    let answer = ask(&host(&before, &now), &ImpactOptions::default());
    assert_eq!(
        changed(&answer),
        ["a.f: body", "a.A: signature", "a.A.m: signature"]
    );
}

#[test]
fn definitions_on_one_line_have_a_head_and_a_body() {
    for (path, before, body, head) in [
        (
            "a.kt",
            "fun f(a: Int = 1): Int = g(a)\n",
            "fun f(a: Int = 1): Int = h(a)\n",
            "fun f(a: Int = 2): Int = g(a)\n",
        ),
        (
            "a.scala",
            "def f(a: Int): Int => Int = g(a)\n",
            "def f(a: Int): Int => Int = h(a)\n",
            "def f(a: Int): Int => Long = g(a)\n",
        ),
        (
            "a.rb",
            "def f(a) = g(a)\n",
            "def f(a) = h(a)\n",
            "def f(b) = g(a)\n",
        ),
        (
            "a.rb",
            "def f=(a); @f = a; end\n",
            "def f=(a); @f = 2; end\n",
            "def f=(b); @f = a; end\n",
        ),
        (
            "a.ex",
            "defmodule A do\n  def f(a), do: g(a)\nend\n",
            "defmodule A do\n  def f(a), do: h(a)\nend\n",
            "defmodule A do\n  def f(b), do: g(a)\nend\n",
        ),
        (
            "a.lua",
            "function f(a) return g(a) end\n",
            "function f(a) return h(a) end\n",
            "function f(b) return g(a) end\n",
        ),
    ] {
        let changed_by = |now| {
            let answer = ask(
                &host(&[(path, before)], &[(path, now)]),
                &ImpactOptions::default(),
            );
            let changed = changed(&answer);
            let kinds = changed.iter().filter_map(|one| one.split(": ").nth(1));
            kinds.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(changed_by(body), ["body"], "{before}");
        assert_eq!(changed_by(head), ["signature"], "{before}");
    }
}

const TEST: &str = "from shop import order\n\ndef test_order():\n    order()\n";

#[test]
fn references_and_tests_are_found_over_several_steps_live_and_indexed() {
    let before = [
        ("price.py", "def price(): return 1\ndef old(): return 2\n"),
        (
            "shop.py",
            "from price import price, old\ndef order():\n    old()\n    return price()\n",
        ),
        ("tests/test_shop.py", TEST),
    ];
    let mut now = before;
    now[0].1 = "def price(): return 3\n";
    let host = host(&before, &now);
    let live = ask(&host, &ImpactOptions::default());
    assert_eq!(changed(&live), ["price.price: body", "price.old: removed"]);
    assert_eq!(
        affected(&live),
        [
            "shop.py:1 price.price",
            "shop.py:4 price.price",
            "shop.py:1 price.old",
            "shop.py:3 price.old",
            "tests/test_shop.py:1 price.price",
            "tests/test_shop.py:4 price.price",
        ]
    );
    assert_eq!(live.head.affected_total, 6);
    assert_eq!(live.completeness, Completeness::Bounded);
    let test = &live.head.tests[0];
    let symbol = test.symbol.as_ref().unwrap();
    assert_eq!(symbol.dotted(), "tests.test_shop.test_order");
    assert_eq!((test.depth, test.reaches, live.head.tests_total), (2, 1, 1));
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "me",
    ));
    let indexed = ask(&host, &ImpactOptions::default());
    assert_eq!(changed(&indexed), changed(&live));
    assert_eq!(affected(&indexed), affected(&live));
    assert_eq!(indexed.head.tests, live.head.tests);
}

#[test]
fn unsaved_text_counts_and_two_commits_are_compared() {
    let old = [("a.py", "def f(): return 1\n")];
    let mut host = host(&old, &old);
    assert_eq!(ask(&host, &ImpactOptions::default()).items, []);
    host.buffers = vec![Buffer {
        path: "a.py".to_owned(),
        text: "def f(): return 2\n".to_owned(),
    }];
    let unsaved = ask(&host, &ImpactOptions::default());
    assert_eq!(changed(&unsaved), ["a.f: body"]);
    assert_eq!(unsaved.items[0].proof, Proof::Overlay);
    let new = state(&[("a.py", "def g(): return 5 if unknown else 7\n")]);
    host.states.insert("next".to_owned(), new);
    let to = Some("next".to_owned());
    let answer = ask(
        &host,
        &ImpactOptions {
            to,
            ..ImpactOptions::default()
        },
    );
    assert_eq!(changed(&answer), ["a.f: removed", "a.g: added"]);
    assert_eq!(answer.items[0].proof, Proof::Hash);
}

#[test]
fn a_line_end_is_no_change_and_an_unknown_commit_is_refused() {
    let host = host(
        &[("a.py", "def f():\n  return 1\n")],
        &[("a.py", "def f():\r\n  return 1\r\n")],
    );
    assert_eq!(ask(&host, &ImpactOptions::default()).items, []);
    for (from, to) in [(Some("nowhere"), None), (None, Some("nowhere"))] {
        let options = ImpactOptions {
            from: from.map(str::to_owned),
            to: to.map(str::to_owned),
            ..ImpactOptions::default()
        };
        let message = ask(&host, &options).meta.message.unwrap_or_default();
        let words = "there is no commit `nowhere` in this repository";
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn the_index_and_the_saved_files_are_states_too() {
    let built = "class Cart:\n    def total(self): return 1\n\ndef old(x):\n    y = x + 1\n    return y * 2 + len(str(y))\n";
    let saved = "class Cart:\n    def total(self): return 2\n\ndef renamed(x):\n    y = x + 1\n    return y * 2 + len(str(y))\n";
    let typed = "class Cart:\n    def total(self): return 2\n\ndef renamed(x):\n    y = x + 1\n    return y * 2 + len(str(y))\n\ndef typed(): pass\n";
    let mut host = host(&[("cart.py", built)], &[("cart.py", built)]);
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "me",
    ));
    host.put("cart.py", saved.as_bytes());
    host.put("new.py", b"def new(): pass\n");
    host.buffers = vec![Buffer {
        path: "cart.py".to_owned(),
        text: typed.to_owned(),
    }];
    let between = |from: &str, to: Option<&str>| {
        let answer = ask(
            &host,
            &ImpactOptions {
                from: Some(from.to_owned()),
                to: to.map(str::to_owned),
                ..ImpactOptions::default()
            },
        );
        (
            answer.head.from.clone(),
            answer.head.to.clone(),
            changed(&answer),
        )
    };
    let since_build = [
        "cart.Cart: text",
        "cart.Cart.total: text",
        "cart.renamed: renamed",
        "new.new: added",
    ];
    assert_eq!(
        between("index", Some("disk")),
        (
            "index".to_owned(),
            Some("disk".to_owned()),
            since_build.map(str::to_owned).to_vec()
        )
    );
    let mut now = since_build.map(str::to_owned).to_vec();
    now.insert(3, "cart.typed: added".to_owned());
    assert_eq!(between("index", None), ("index".to_owned(), None, now));
    assert_eq!(between("disk", None).2, ["cart.typed: added"]);
    assert_eq!(
        between("HEAD", Some("disk")).2,
        [
            "cart.Cart.total: body",
            "cart.renamed: renamed",
            "new.new: added"
        ]
    );
    assert_eq!(
        between("disk", Some("HEAD")).2,
        [
            "cart.Cart.total: body",
            "cart.old: renamed",
            "new.new: removed"
        ]
    );
    assert_eq!(between("disk", Some("disk")).2, [""; 0]);
    assert_eq!(between("index", Some("HEAD")).2, [""; 0]);
}

#[test]
fn without_an_index_there_is_none_to_compare_with() {
    let host = host(
        &[("a.py", "def a(): pass\n")],
        &[("a.py", "def a(): pass\n")],
    );
    let from = Some("index".to_owned());
    let answer = ask(
        &host,
        &ImpactOptions {
            from,
            ..ImpactOptions::default()
        },
    );
    assert!(
        answer
            .meta
            .message
            .unwrap()
            .contains("no index to compare with")
    );
}

#[test]
fn a_statement_that_leaves_a_block_changes_the_body() {
    let before = "def f(a):\n    with a:\n        print(a)\n    g(a)\n";
    let now = "def f(a):\n    with a:\n        print(a)\n        g(a)\n";
    let answer = ask(
        &host(&[("a.py", before)], &[("a.py", now)]),
        &ImpactOptions::default(),
    );
    assert_eq!(changed(&answer), ["a.f: body"]);
}
