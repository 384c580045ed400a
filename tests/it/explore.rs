//! `explore`: a first answer about a symbol or a subject, within a budget of tokens.

use ragnav::query::explore::{ExploreOptions, ExploreResult, FoundBy, explore};
use ragnav_base::argument::Count;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

const FILES: [(&str, &str); 4] = [
    ("prices.py", "def price_of(article):\n    return 1\n"),
    (
        "cart.py",
        "from prices import price_of\n\n\nclass Cart:\n    def total(self):\n        \"\"\"The sum of all prices.\"\"\"\n        return self.sum(price_of(a) for a in self.rows)\n\n    def sum(self, rows):\n        return sum(rows)\n",
    ),
    (
        "shop.py",
        "from cart import Cart\n\n\ndef order():\n    return Cart().total()\n",
    ),
    (
        "tests/test_shop.py",
        "from shop import order\n\n\ndef test_order():\n    order()\n",
    ),
];

fn explored(about: &str, tokens: u32) -> ExploreResult {
    let host = MemoryHost::new(&FILES);
    let options = ExploreOptions {
        token_budget: Count::new(tokens),
        ..ExploreOptions::default()
    };
    run(explore(&host, &settings(), about, &options))
}

#[test]
fn a_symbol_comes_with_its_source_its_neighbours_and_its_tests() {
    let answer = explored("Cart.total", 2_000);
    let code = answer.head.code.unwrap();
    assert_eq!(
        (code.start_line, code.end_line, code.shown_lines),
        (5, 7, 3)
    );
    assert!(code.text.starts_with("    def total(self):\n"));
    assert!(code.text.ends_with("self.rows)"));
    let callers = answer.head.callers.iter();
    let callers = callers.map(|row| (row.item.file.as_str(), row.item.line, row.via[0].dotted()));
    assert_eq!(callers.collect::<Vec<_>>(), [("shop.py", 5, "shop.order")]);
    let called = answer.head.callees.iter().map(|row| row.via[0].dotted());
    assert_eq!(
        called.collect::<Vec<_>>(),
        ["cart.Cart.sum", "prices.price_of"]
    );
    let tests = answer.head.tests.iter();
    let tests = tests.map(|test| (test.symbol.as_ref().unwrap().dotted(), test.depth));
    assert_eq!(
        tests.collect::<Vec<_>>(),
        [("tests.test_shop.test_order", 2)]
    );
    assert_eq!(answer.total, Some(1));
    let importers = explored("price_of", 2_000).head.callers;
    let importers = importers.iter().map(|row| (row.item.line, row.via.len()));
    assert_eq!(importers.collect::<Vec<_>>(), [(1, 0), (7, 1)]);
}

#[test]
fn words_lead_to_the_definition_that_fits_best() {
    let answer = explored("the total sum of all prices", 2_000);
    assert_eq!(answer.head.found_by, FoundBy::Words);
    assert_eq!(answer.items[0].symbol.dotted(), "cart.Cart.total");
    assert_eq!(answer.head.callers_total, 1);
}

#[test]
fn the_budget_bounds_the_source_and_the_rows() {
    let answer = explored("Cart.total", 20);
    let code = answer.head.code.unwrap();
    assert_eq!((code.shown_lines, code.end_line), (1, 7));
    assert_eq!(code.text, "    def total(self):");
    assert_eq!(
        (answer.head.callees.len(), answer.head.callees_total),
        (1, 2)
    );
}

#[test]
fn the_line_of_a_minified_text_is_cut() {
    let text = format!("function total() {{ return [{}]; }}\n", "'é', ".repeat(900));
    let host = MemoryHost::new(&[("a.js", &text)]);
    let options = ExploreOptions {
        token_budget: Count::new(100),
        ..ExploreOptions::default()
    };
    let answer = run(explore(&host, &settings(), "total", &options));
    let code = answer.head.code.unwrap();
    assert!(code.text.starts_with("function total()") && code.text.len() <= 200);
}

#[test]
fn a_symbol_that_nothing_defines_has_suggestions() {
    let answer = explored("Cart.totl", 2_000);
    assert_eq!(answer.items, []);
    assert_eq!(answer.head.suggestions[0], "Cart.total");
    assert!(answer.meta.message.unwrap().contains("Did you mean"));
    let message = explored("?? !!", 10).meta.message.unwrap();
    assert!(message.contains("word"), "{message}");
}
