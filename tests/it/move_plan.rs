//! `move_plan`: the edits that move a definition to another file, and why a plan is refused.

use std::collections::BTreeMap;

use ragnav::query::edit_plan::RefusalReason;
use ragnav::query::move_plan::{MoveCandidates, MovePlanOptions, MovePlanResult, move_plan};
use ragnav_base::text_edit::edited_bytes;
use ragnav_index::content::ContentHash;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

type Files<'t> = &'t [(&'t str, &'t str)];

fn plan_with(
    files: Files,
    symbol: &str,
    target: &str,
    options: &MovePlanOptions,
) -> MovePlanResult {
    let host = MemoryHost::new(files);
    run(move_plan(&host, &settings(), symbol, target, options))
}

fn plan(files: Files, symbol: &str, target: &str) -> MovePlanResult {
    plan_with(files, symbol, target, &MovePlanOptions::default())
}

/// Returns the files that a plan changes, as they are afterwards.
fn applied(files: Files, plan: &MovePlanResult) -> BTreeMap<String, String> {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let after = plan.head.files.iter().map(|edited| {
        let before = files.get(edited.file.as_str()).map(|text| text.as_bytes());
        let hash = before.map(|bytes| ContentHash::of(bytes).to_hex());
        assert_eq!(edited.hash, hash);
        let own = plan.items.iter().filter(|one| one.file == edited.file);
        let edits: Vec<_> = own.map(|one| one.edit.clone()).collect();
        let bytes = edited_bytes(before.unwrap_or_default(), &edits).unwrap();
        (edited.file.clone(), String::from_utf8(bytes).unwrap())
    });
    after.collect()
}

fn reasons(files: Files, symbol: &str, target: &str) -> Vec<RefusalReason> {
    let plan = plan(files, symbol, target);
    plan.head.refusals.iter().map(|one| one.reason).collect()
}

/// Asserts that a plan is allowed and gives these files.
fn assert_moves(files: Files, symbol: &str, target: &str, expected: Files) {
    let plan = plan(files, symbol, target);
    assert_eq!(plan.head.refusals, [], "{symbol}");
    let expected = expected
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    assert_eq!(applied(files, &plan), expected.collect(), "{symbol}");
}

/// The second move of `cart.total` to `sums.py`.
fn assert_refused(files: Files, reason: RefusalReason) {
    assert_eq!(
        reasons(files, "cart.total", "sums.py"),
        [reason],
        "{files:?}"
    );
}

#[test]
fn a_function_of_python_moves_with_its_comment_decorators_and_imports() {
    let files = [
        (
            "cart.py",
            "import functools\nimport os\nfrom decimal import Decimal as D\n\nRATE = 2\n\n\n# Adds.\n@functools.cache\ndef total(a):\n    return D(a) * RATE\n\n\ndef other():\n    return os.name\n",
        ),
        ("sums.py", "\"\"\"Sums.\"\"\"\nimport re\n\nX = re.I\n"),
        (
            "shop.py",
            "from cart import total, other\n\ntotal(other())\n",
        ),
    ];
    let expected = [
        (
            "cart.py",
            "import os\n\nRATE = 2\n\n\ndef other():\n    return os.name\n",
        ),
        (
            "sums.py",
            "\"\"\"Sums.\"\"\"\nimport re\nimport functools\nfrom decimal import Decimal as D\nfrom cart import RATE\n\nX = re.I\n\n\n# Adds.\n@functools.cache\ndef total(a):\n    return D(a) * RATE\n",
        ),
        (
            "shop.py",
            "from sums import total\nfrom cart import other\n\ntotal(other())\n",
        ),
    ];
    assert_moves(&files, "cart.total", "sums.py", &expected);
}

#[test]
fn a_new_file_of_python_is_created_in_a_package() {
    let files = [
        (
            "shop/__init__.py",
            "from .cart import Cart, add\n__all__ = ['Cart', 'add']\n",
        ),
        (
            "shop/cart.py",
            "from __future__ import annotations\n\nfrom .money import Money\n\n\nclass Cart:\n    sum: Money\n\n    def copy(self) -> Cart:\n        return Cart()\n\n\ndef add():\n    return 1\n",
        ),
        ("shop/money.py", "class Money: pass\n"),
        (
            "main.py",
            "import shop.cart\nfrom shop import Cart\nprint(shop.cart.Cart(), Cart())\n",
        ),
    ];
    let expected = [
        (
            "shop/__init__.py",
            "from .basket import Cart\nfrom .cart import add\n__all__ = ['Cart', 'add']\n",
        ),
        (
            "shop/cart.py",
            "from __future__ import annotations\n\n\n\ndef add():\n    return 1\n",
        ),
        (
            "shop/basket.py",
            "from __future__ import annotations\n\nfrom .money import Money\n\n\nclass Cart:\n    sum: Money\n\n    def copy(self) -> Cart:\n        return Cart()\n",
        ),
        (
            "main.py",
            "import shop.cart\nfrom shop import Cart\nfrom shop import basket\nprint(basket.Cart(), Cart())\n",
        ),
    ];
    assert_moves(&files, "shop.cart.Cart", "shop/basket.py", &expected);
}

#[test]
fn what_stays_in_the_source_imports_the_definition() {
    let files = [
        (
            "cart.py",
            "__all__ = [\"total\", \"pay\"]\n\n\ndef total():\n    return 1\n\n\ndef pay():\n    return total()\n",
        ),
        ("sums.py", "__all__ = [\"add\"]\r\n\r\ndef add(): pass\r\n"),
    ];
    let expected = [
        (
            "cart.py",
            "from sums import total\n\n__all__ = [\"pay\"]\n\n\ndef pay():\n    return total()\n",
        ),
        (
            "sums.py",
            "__all__ = [\"add\", \"total\"]\r\n\r\ndef add(): pass\r\n\r\n\r\ndef total():\r\n    return 1\r\n",
        ),
    ];
    assert_moves(&files, "cart.total", "sums.py", &expected);
}

#[test]
fn a_target_of_python_that_used_the_definition_has_it_before_its_code() {
    let files = [
        ("cart.py", "def total():\n    return 1\n"),
        (
            "sums.py",
            "import os\nfrom cart import total\nimport cart\n\nSUM = total() + cart.total()\n",
        ),
    ];
    let expected = [
        ("cart.py", ""),
        (
            "sums.py",
            "import os\nimport cart\n\n\ndef total():\n    return 1\n\nSUM = total() + total()\n",
        ),
    ];
    assert_moves(&files, "cart.total", "sums.py", &expected);
}

#[test]
fn imports_of_python_are_reused_and_relative_ones_computed_again() {
    let files = [
        ("pkg/__init__.py", ""),
        ("pkg/a/__init__.py", ""),
        (
            "pkg/a/cart.py",
            "import re\nfrom . import rates\nfrom ..money import Money as M\nfrom .rates import RATE\n\n\ndef total():\n    return re.I, rates.RATE, M, RATE\n",
        ),
        ("pkg/a/rates.py", "RATE = 1\n"),
        ("pkg/money.py", "class Money: pass\n"),
        (
            "pkg/sums.py",
            "import re\nfrom pkg.a.rates import RATE\n\nx = re.I\n",
        ),
        (
            "pkg/shop.py",
            "def f():\n    from .a.cart import total as t\n    return t()\n",
        ),
    ];
    let expected = [
        ("pkg/a/cart.py", ""),
        (
            "pkg/sums.py",
            "import re\nfrom pkg.a.rates import RATE\nfrom .a import rates\nfrom .money import Money as M\n\nx = re.I\n\n\ndef total():\n    return re.I, rates.RATE, M, RATE\n",
        ),
        (
            "pkg/shop.py",
            "def f():\n    from .sums import total as t\n    return t()\n",
        ),
    ];
    assert_moves(&files, "pkg.a.cart.total", "pkg/sums.py", &expected);
}

#[test]
fn a_module_of_a_package_with_the_name_of_a_library_misleads_no_import() {
    let files = [
        ("src/pkg/__init__.py", ""),
        ("src/pkg/types.py", ""),
        (
            "src/pkg/cart.py",
            "from types import ModuleType\n\nX = ModuleType\n\n\ndef total():\n    return 1\n\n\nY = total()\n",
        ),
    ];
    let plan = plan(&files, "cart.total", "src/pkg/sums.py");
    assert_eq!(plan.head.refusals, []);
    assert!(applied(&files, &plan)["src/pkg/cart.py"].contains("from pkg.sums import total\n"));
}

#[test]
fn an_import_that_others_take_from_the_source_stays() {
    let files = [
        (
            "cart.py",
            "import os\nimport re\nimport json as js  # noqa\nimport a.b\n\n\ndef total():\n    return os.name, re.I, js, a.b\n",
        ),
        ("shop.py", "from cart import os\nimport cart\n\ncart.re.I\n"),
        ("a/b.py", ""),
    ];
    let plan = plan(&files, "cart.total", "sums.py");
    assert_eq!(plan.head.refusals, []);
    assert_eq!(
        applied(&files, &plan)["cart.py"],
        "import os\nimport re\nimport json as js  # noqa\nimport a.b\n"
    );
}

#[test]
fn a_move_that_would_change_what_code_means_is_refused() {
    let total = "def total():\n    return 1\n";
    let with = |text: &str| format!("{total}{text}");
    // The target has the name.
    assert_refused(
        &[("cart.py", total), ("sums.py", "total = 3\n")],
        RefusalReason::NameTaken,
    );
    assert_refused(
        &[
            ("cart.py", total),
            ("sums.py", "from other import total\n"),
            ("other.py", total),
        ],
        RefusalReason::NameTaken,
    );
    // What the definition uses means something else in the target.
    assert_refused(
        &[
            ("cart.py", "import os\ndef total():\n    return os.name\n"),
            ("sums.py", "os = 1\n"),
        ],
        RefusalReason::NameTaken,
    );
    assert_refused(
        &[
            ("cart.py", "def total():\n    return len('')\n"),
            ("sums.py", "def len(x): pass\n"),
        ],
        RefusalReason::NameTaken,
    );
    // Both files would need each other.
    assert_refused(
        &[
            ("cart.py", "X = 1\ndef total():\n    return X\ntotal()\n"),
            ("sums.py", ""),
        ],
        RefusalReason::Cycle,
    );
    assert_refused(
        &[
            ("cart.py", &with("total()\n")),
            ("sums.py", "import cart\n"),
        ],
        RefusalReason::Cycle,
    );
    assert_refused(
        &[
            ("cart.py", total),
            ("sums.py", "import shop\n"),
            ("shop.py", "from cart import total\ntotal()\n"),
        ],
        RefusalReason::Cycle,
    );
}

#[test]
fn a_definition_that_depends_on_its_module_is_refused() {
    let total = "def total():\n    return 1\n";
    let with = |text: &str| format!("{total}{text}");
    // Imports of everything decide.
    assert_refused(
        &[
            ("cart.py", "from x import *\ndef total():\n    return y\n"),
            ("sums.py", ""),
        ],
        RefusalReason::StarImport,
    );
    assert_refused(
        &[
            ("cart.py", total),
            ("sums.py", ""),
            ("shop.py", "from cart import *\ntotal()\n"),
        ],
        RefusalReason::Captured,
    );
    // The state of the module.
    assert_refused(
        &[
            (
                "cart.py",
                "N = 0\ndef add():\n    global N\n    N = 2\ndef total():\n    return N\n",
            ),
            ("sums.py", ""),
        ],
        RefusalReason::ModuleState,
    );
    assert_refused(
        &[
            ("cart.py", "def total():\n    return __name__\n"),
            ("sums.py", ""),
        ],
        RefusalReason::ModuleState,
    );
    assert_refused(
        &[
            ("cart.py", total),
            ("sums.py", ""),
            ("t.py", "import cart\ncart.total = 3\n"),
        ],
        RefusalReason::ModuleState,
    );
    // Conditional imports cannot be copied.
    assert_refused(
        &[
            (
                "cart.py",
                "try:\n    import x\nexcept ImportError:\n    import y as x\ndef total():\n    return x\n",
            ),
            ("sums.py", ""),
        ],
        RefusalReason::Form,
    );
    assert_refused(
        &[("cart.py", &with("def (:\n")), ("sums.py", "")],
        RefusalReason::Syntax,
    );
}

#[test]
fn only_what_stands_alone_at_the_top_of_a_file_moves() {
    let files = [
        (
            "a.py",
            "class A:\n    def f(self): pass\ndef g():\n    def h(): pass\nif A:\n    def i(): pass\ntry:\n    def j(): pass\nexcept E:\n    def j(): pass\ndef k(): pass\nk = 3\n",
        ),
        ("b.rb", "def f; end\n"),
    ];
    for name in ["a.A.f", "g.h", "a.i", "a.j", "a.k"] {
        assert_eq!(
            reasons(&files, name, "b.py"),
            [RefusalReason::NotAtTop],
            "{name}"
        );
    }
    assert_eq!(reasons(&files, "b.f", "b.py"), [RefusalReason::Language]);
    assert_eq!(reasons(&files, "a.A", "b.rb"), [RefusalReason::Language]);
    assert_eq!(reasons(&files, "a.A", "a.py"), [RefusalReason::Target]);
    assert_eq!(
        reasons(&files, "a.A", "no/folder.py"),
        [RefusalReason::Target]
    );
    assert_eq!(
        reasons(&files, "a.A", "not-a-module.py"),
        [RefusalReason::Target]
    );
    assert_eq!(
        reasons(&files, "nothing", "b.py"),
        [RefusalReason::Undefined]
    );
    assert_eq!(reasons(&files, "f", "b.py"), [RefusalReason::Ambiguous]);
}

#[test]
fn an_ambiguous_name_is_refused_with_each_id_once() {
    let text =
        "if x:\n    def f(): pass\nelse:\n    def f(): pass\nclass A:\n    def f(self): pass\n";
    let refusals = plan(&[("a.py", text), ("b.py", "")], "f", "b.py")
        .head
        .refusals;
    let messages: Vec<&str> = refusals.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        ["The name means 2 definitions: `a.A.f`, `a.f`. Give the id of one."]
    );
}

#[test]
fn references_that_only_share_the_name_are_left_if_that_is_allowed() {
    let files = [
        ("cart.py", "def total():\n    return 1\n"),
        ("shop.py", "def f(x):\n    return x.total()\n"),
    ];
    assert_eq!(
        reasons(&files, "cart.total", "sums.py"),
        [RefusalReason::Candidates]
    );
    let options = MovePlanOptions {
        candidates: Some(MoveCandidates::Leave),
        ..MovePlanOptions::default()
    };
    let plan = plan_with(&files, "cart.total", "sums.py", &options);
    assert_eq!(plan.head.refusals, []);
    assert_eq!(plan.head.candidates_total, 1);
}

#[test]
fn a_function_of_typescript_moves_with_its_imports_and_types() {
    let files = [
        (
            "src/cart.ts",
            "import { round, floor } from \"./round.js\";\nimport type { Money } from './money.js';\nimport * as fs from \"node:fs\";\n\nexport const RATE = 2;\n\n/** Adds. */\nexport function total(a: Money): number {\n  return round(a) * RATE + fs.constants.R_OK;\n}\n\nexport function other() {\n  return floor(1);\n}\n",
        ),
        (
            "src/round.ts",
            "export const round = (a: unknown) => 1;\nexport const floor = (a: unknown) => 1;\n",
        ),
        ("src/money.ts", "export type Money = number;\n"),
        (
            "src/shop.ts",
            "import { total as sum, other } from \"./cart.js\";\nsum(other());\n",
        ),
        (
            "src/index.ts",
            "export { total } from \"./cart.js\";\nexport type { Money } from \"./money.js\";\n",
        ),
        (
            "src/all.ts",
            "import * as cart from './cart.js';\ncart.total(cart.other());\n",
        ),
    ];
    let expected = [
        (
            "src/cart.ts",
            "import { floor } from \"./round.js\";\n\nexport const RATE = 2;\n\nexport function other() {\n  return floor(1);\n}\n",
        ),
        (
            "src/deep/sums.ts",
            "import { round } from \"../round.js\";\nimport type { Money } from '../money.js';\nimport * as fs from \"node:fs\";\nimport { RATE } from \"../cart.js\";\n\n/** Adds. */\nexport function total(a: Money): number {\n  return round(a) * RATE + fs.constants.R_OK;\n}\n",
        ),
        (
            "src/shop.ts",
            "import { total as sum } from \"./deep/sums.js\";\nimport { other } from \"./cart.js\";\nsum(other());\n",
        ),
        (
            "src/index.ts",
            "export { total } from \"./deep/sums.js\";\nexport type { Money } from \"./money.js\";\n",
        ),
        (
            "src/all.ts",
            "import * as cart from './cart.js';\nimport * as sums from './deep/sums.js';\nsums.total(cart.other());\n",
        ),
        ("src/deep/x.ts", ""),
    ];
    let files = [&files[..], &[("src/deep/x.ts", "")]].concat();
    assert_moves(&files, "cart.total", "src/deep/sums.ts", &expected[..5]);
}

#[test]
fn what_a_file_of_typescript_kept_to_itself_is_exported_when_it_moves() {
    let files = [
        (
            "a.ts",
            "import { B } from './b';\n\ninterface Shape {\n  b: B;\n}\n\nexport const shape = (): Shape => ({ b: 1 });\n",
        ),
        ("b.ts", "export type B = number;\n"),
    ];
    let expected = [
        (
            "a.ts",
            "import type { Shape } from './b';\n\nexport const shape = (): Shape => ({ b: 1 });\n",
        ),
        (
            "b.ts",
            "export type B = number;\n\nexport interface Shape {\n  b: B;\n}\n",
        ),
    ];
    assert_moves(&files, "a.Shape", "b.ts", &expected);
}

#[test]
fn a_class_of_javascript_moves_into_a_file_that_used_it() {
    let files = [
        (
            "a.mjs",
            "export class A {\n  make() { return new A(); }\n}\n",
        ),
        (
            "b.mjs",
            "import { A } from \"./a.mjs\";\nexport { A } from \"./a.mjs\";\n\nnew A();\n",
        ),
        ("c.mjs", "import { A } from \"./a.mjs\"\nnew A()\n"),
    ];
    let expected = [
        ("a.mjs", ""),
        (
            "b.mjs",
            "\nexport class A {\n  make() { return new A(); }\n}\n\nnew A();\n",
        ),
        ("c.mjs", "import { A } from \"./b.mjs\"\nnew A()\n"),
    ];
    assert_moves(&files, "a.A", "b.mjs", &expected);
}

#[test]
fn types_in_comments_of_javascript_name_the_moved_class() {
    let shop = "export class Cart {}\nexport class Other {}\n";
    let files = [
        ("a.js", shop),
        ("b.js", "export class Basket {}\n"),
        (
            "c.js",
            "import * as shop from './a.js';\n\
             /** @param {shop.Cart} cart @returns {shop.Other} */\n\
             export function pay(cart) {}\n",
        ),
    ];
    let expected = [
        ("a.js", "export class Other {}\n"),
        ("b.js", "export class Basket {}\n\nexport class Cart {}\n"),
        (
            "c.js",
            "import * as shop from './a.js';\n\
             import * as b from './b.js';\n\
             /** @param {b.Cart} cart @returns {shop.Other} */\n\
             export function pay(cart) {}\n",
        ),
    ];
    assert_moves(&files, "a.Cart", "b.js", &expected);
    let comments = [
        (
            "/** @import { Cart } from './a.js' */\n",
            RefusalReason::Form,
        ),
        (
            "/** @typedef {import('./a.js').Cart} Paid */\n",
            RefusalReason::Captured,
        ),
    ];
    for (comment, reason) in comments {
        let files = [("a.js", shop), ("b.js", ""), ("c.js", comment)];
        assert_eq!(reasons(&files, "a.Cart", "b.js"), [reason], "{comment}");
    }
}

#[test]
fn a_move_in_typescript_that_would_be_wrong_is_refused() {
    let refused = |files: Files, reason: RefusalReason| {
        assert_eq!(reasons(files, "a.f", "b.ts"), [reason], "{files:?}");
    };
    let f = "export function f() {}\n";
    refused(
        &[("a.ts", f), ("b.ts", "const f = 1;\n")],
        RefusalReason::NameTaken,
    );
    refused(
        &[("a.ts", "export default function f() {}\n"), ("b.ts", "")],
        RefusalReason::Form,
    );
    refused(
        &[("a.ts", "function f() {}\nexport { f };\n"), ("b.ts", "")],
        RefusalReason::Form,
    );
    refused(
        &[
            ("a.ts", "const x = 1;\nexport function f() { return x; }\n"),
            ("b.ts", ""),
        ],
        RefusalReason::ModuleState,
    );
    refused(
        &[
            (
                "a.ts",
                "export let x = 1;\nexport function f() { return x; }\n",
            ),
            ("b.ts", ""),
        ],
        RefusalReason::ModuleState,
    );
    refused(
        &[
            (
                "a.ts",
                "export const x = 1;\nexport function f() { return x; }\nf();\n",
            ),
            ("b.ts", ""),
        ],
        RefusalReason::Cycle,
    );
    refused(
        &[
            ("a.ts", "export function f() { return import.meta.url; }\n"),
            ("b.ts", ""),
        ],
        RefusalReason::Form,
    );
    refused(
        &[
            ("a.ts", f),
            ("b.ts", ""),
            ("c.ts", "import D, { f } from './a';\nf(D);\n"),
        ],
        RefusalReason::Form,
    );
    refused(
        &[
            ("a.ts", f),
            ("b.ts", ""),
            ("c.ts", "export * from './a';\n"),
            ("d.ts", "import { f } from './c';\nf();\n"),
        ],
        RefusalReason::Captured,
    );
    refused(
        &[
            (
                "a.ts",
                "export function f(): void;\nexport function f(x?: 1) {}\n",
            ),
            ("b.ts", ""),
        ],
        RefusalReason::NotAtTop,
    );
    refused(
        &[
            ("a.ts", "export const f = () => 1, g = () => 2;\n"),
            ("b.ts", ""),
        ],
        RefusalReason::Form,
    );
    assert_eq!(
        reasons(&[("a.ts", f)], "a.f", "b.js"),
        [RefusalReason::Target]
    );
    let common = [
        ("a.js", "function f() {}\nmodule.exports = { f };\n"),
        ("b.js", ""),
    ];
    assert_eq!(reasons(&common, "a.f", "b.js"), [RefusalReason::Form]);
}
