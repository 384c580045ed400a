//! Several repositories in one tree: names resolve from one to another by the names of packages.

use ragnav::base::host::IgnoreRules;
use ragnav::base::path::RepoPath;
use ragnav::query::Settings;
use ragnav::query::files::{FilesOptions, files};
use ragnav::query::where_used::{WhereUsedOptions, WhereUsedResult, where_used};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

fn in_roots(names: &[&str]) -> Settings {
    let roots = names.iter().map(|name| RepoPath::parse(name).unwrap());
    Settings {
        roots: roots.collect(),
        ..settings()
    }
}

fn uses(files: &[(&str, &str)], roots: &[&str], symbol: &str) -> Vec<String> {
    let host = MemoryHost::new(files);
    let options = WhereUsedOptions::default();
    let answer = run(where_used(&host, &in_roots(roots), symbol, &options));
    assert_eq!(answer.meta.error_code, None, "{:?}", answer.meta.message);
    rows(&answer)
}

fn rows(answer: &WhereUsedResult) -> Vec<String> {
    let rows = answer.items.iter().map(|row| {
        let resolution = serde_json::to_value(row.resolution).unwrap();
        format!("{}:{} {}", row.file, row.line, resolution.as_str().unwrap())
    });
    rows.collect()
}

#[test]
fn a_dependency_of_npm_is_a_package_of_another_repository() {
    let files = [
        (
            "money/package.json",
            r#"{"name": "@acme/money", "exports": {".": "./dist/index.js"}}"#,
        ),
        ("money/src/index.ts", "export function cents(x) {}\n"),
        (
            "shop/package.json",
            r#"{"name": "shop", "dependencies": {"@acme/money": "^1.2.0"}}"#,
        ),
        (
            "shop/cart.ts",
            "import { cents } from '@acme/money';\ncents(1);\n",
        ),
    ];
    let expected = ["shop/cart.ts:1 resolved", "shop/cart.ts:2 resolved"];
    assert_eq!(
        uses(&files, &["money", "shop"], "money.src.cents"),
        expected
    );
    // In one repository it is the installed package.
    let alone = uses(&files, &[], "money.src.cents");
    assert!(
        alone.iter().all(|row| row.ends_with("candidate")),
        "{alone:?}"
    );
}

#[test]
fn a_relative_path_does_not_lead_into_another_repository() {
    let files = [
        ("money/a.ts", "export function cents(x) {}\n"),
        (
            "shop/cart.ts",
            "import { cents } from '../money/a';\ncents(1);\n",
        ),
    ];
    let rows = uses(&files, &["money", "shop"], "money.a.cents");
    assert!(
        rows.iter().all(|row| row.ends_with("candidate")),
        "{rows:?}"
    );
}

#[test]
fn a_python_package_is_found_in_its_source_folder() {
    let files = [
        ("money/src/money/__init__.py", ""),
        ("money/src/money/units.py", "def cents(x): ...\n"),
        ("money/tools/units.py", "def cents(x): ...\n"),
        (
            "shop/cart.py",
            "from money.units import cents\ncents(1)\n\nimport units\nunits.cents(1)\n",
        ),
    ];
    let rows = uses(&files, &["money", "shop"], "src.money.units.cents");
    assert_eq!(
        rows,
        ["shop/cart.py:1 resolved", "shop/cart.py:2 resolved",]
    );
}

#[test]
fn a_python_module_of_the_own_repository_comes_first() {
    let files = [
        ("money/app/__init__.py", "def start(): ...\n"),
        ("shop/app/__init__.py", "def start(): ...\n"),
        ("shop/run/main.py", "from app import start\nstart()\n"),
    ];
    let rows = uses(&files, &["money", "shop"], "shop.app.start");
    assert_eq!(
        rows,
        ["shop/run/main.py:1 resolved", "shop/run/main.py:2 resolved"]
    );
    assert_eq!(
        uses(&files, &["money", "shop"], "money.app.start"),
        Vec::<String>::new()
    );
}

#[test]
fn a_go_module_is_found_by_its_path() {
    let files = [
        ("money/go.mod", "module example.org/money\n"),
        (
            "money/units/units.go",
            "package units\n\nfunc Cents(x int) {}\n",
        ),
        ("shop/go.mod", "module example.org/shop\n"),
        (
            "shop/main.go",
            "package main\n\nimport \"example.org/money/units\"\n\nfunc main() { units.Cents(1) }\n",
        ),
    ];
    let rows = uses(&files, &["money", "shop"], "Cents");
    assert_eq!(rows, ["shop/main.go:5 resolved"]);
}

#[test]
fn two_copies_of_a_go_module_contradict_each_other_elsewhere() {
    let copy = |name: &str| {
        [
            (format!("{name}/go.mod"), "module example.org/money\n"),
            (
                format!("{name}/u/u.go"),
                "package u\n\nfunc Cents(x int) {}\n",
            ),
            (
                format!("{name}/main.go"),
                "package main\n\nimport \"example.org/money/u\"\n\nfunc main() { u.Cents(1) }\n",
            ),
        ]
    };
    let (one, other) = (copy("fork"), copy("money"));
    let mut files: Vec<(&str, &str)> = one
        .iter()
        .chain(&other)
        .map(|(path, text)| (path.as_str(), *text))
        .collect();
    files.push((
        "shop/main.go",
        "package main\n\nimport \"example.org/money/u\"\n\nfunc main() { u.Cents(1) }\n",
    ));
    let rows = uses(&files, &["fork", "money", "shop"], "fork.u.u.Cents");
    assert!(
        rows.contains(&"fork/main.go:5 resolved".to_owned()),
        "{rows:?}"
    );
    assert!(
        !rows.contains(&"shop/main.go:5 resolved".to_owned()),
        "{rows:?}"
    );
}

#[test]
fn a_crate_is_found_by_its_name() {
    let files = [
        ("money/Cargo.toml", "[package]\nname = \"acme-money\"\n"),
        ("money/src/lib.rs", "pub fn cents(x: u32) {}\n"),
        ("shop/Cargo.toml", "[package]\nname = \"shop\"\n"),
        (
            "shop/src/main.rs",
            "use acme_money::cents;\n\nfn main() { cents(1); }\n",
        ),
    ];
    let rows = uses(&files, &["money", "shop"], "cents");
    assert_eq!(
        rows,
        ["shop/src/main.rs:1 resolved", "shop/src/main.rs:3 resolved"]
    );
}

#[test]
fn a_crate_of_the_own_repository_comes_first() {
    let files = [
        ("money/common/Cargo.toml", "[package]\nname = \"common\"\n"),
        ("money/common/src/lib.rs", "pub fn cents(x: u32) {}\n"),
        ("money/app/Cargo.toml", "[package]\nname = \"app\"\n"),
        (
            "money/app/src/main.rs",
            "use common::cents;\n\nfn main() { cents(1); }\n",
        ),
        ("shop/common/Cargo.toml", "[package]\nname = \"common\"\n"),
        ("shop/common/src/lib.rs", "pub fn cents(x: u32) {}\n"),
    ];
    let rows = uses(&files, &["money", "shop"], "money.common.src.lib.cents");
    assert_eq!(
        rows,
        [
            "money/app/src/main.rs:1 resolved",
            "money/app/src/main.rs:3 resolved"
        ]
    );
}

#[test]
fn a_java_package_is_found_below_any_source_folder() {
    let files = [
        (
            "money/src/main/java/org/acme/Money.java",
            "package org.acme;\n\npublic class Money { public static void cents() {} }\n",
        ),
        (
            "shop/src/main/java/org/shop/Cart.java",
            "package org.shop;\n\nimport org.acme.Money;\n\nclass Cart { void f() { Money.cents(); } }\n",
        ),
    ];
    let rows = uses(&files, &["money", "shop"], "cents");
    assert_eq!(rows, ["shop/src/main/java/org/shop/Cart.java:5 resolved"]);
}

#[test]
fn rules_from_outside_hold_in_their_repository_alone() {
    let mut host = MemoryHost::new(&[
        ("money/.git/HEAD", ""),
        ("money/a.py", "def cents(): ...\n"),
        ("money/b.py", "cents()\n"),
        ("shop/.gitignore", "dist\n"),
        ("shop/b.py", "cents()\n"),
        ("shop/dist/c.py", "cents()\n"),
        ("notes/.gitignore", "dist\n"),
        ("notes/dist/c.py", "cents()\n"),
    ]);
    let rules = |folder: &str, prefix: &str, line: &str| IgnoreRules {
        folder: folder.to_owned(),
        prefix: prefix.to_owned(),
        lines: vec![line.to_owned()],
        global: false,
    };
    host.ignore_rules = vec![
        rules("money", "packages/money", "/packages/money/b.py"),
        rules("shop", "", "x"),
    ];
    let options = FilesOptions::default();
    let roots = in_roots(&["money", "shop", "notes"]);
    let answer = run(files(&host, &roots, &options));
    let found: Vec<&str> = answer.items.iter().map(|row| row.file.as_str()).collect();
    // `notes` is no repository of git, so its `.gitignore` does not count.
    assert_eq!(found, ["money/a.py", "notes/dist/c.py", "shop/b.py"]);
}
