//! `occurrences`: the definitions of a file, and what its references mean.

use ragnav::base::completeness::Completeness;
use ragnav::base::envelope::{Proof, RagToolStatus, SourceTag};
use ragnav::base::error::ErrorCode;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::occurrences::item::OccurrenceItem;
use ragnav::query::occurrences::{OccurrencesOptions, OccurrencesResult, occurrences};
use ragnav::query::{Settings, StalePolicy};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

fn answer_of(host: &MemoryHost, file: &str) -> OccurrencesResult {
    let options = OccurrencesOptions::default();
    run(occurrences(host, &settings(), file, &options))
}

/// Prints each row as `line:start-end kind file name/name#ordinal`.
fn lines(items: &[OccurrenceItem]) -> Vec<String> {
    items.iter().map(line).collect()
}

fn line(row: &OccurrenceItem) -> String {
    let kind = serde_json::to_value(row.kind).unwrap();
    let names: Vec<&str> = row
        .definition
        .path
        .iter()
        .map(|part| part.name.as_str())
        .collect();
    format!(
        "{}:{}-{} {} {} {}#{}",
        row.line,
        row.start_utf16,
        row.end_utf16,
        kind.as_str().unwrap(),
        row.definition.file,
        names.join("/"),
        row.definition.ordinal
    )
}

/// Asserts the rows of a file without an index, and that an index changes only where they come from.
fn check(files: &[(&str, &str)], file: &str, expected: &[&str]) -> Vec<OccurrenceItem> {
    let mut host = MemoryHost::new(files);
    host.head = Some("a".repeat(40));
    let live = answer_of(&host, file);
    assert_eq!(lines(&live.items), expected);
    assert_eq!(live.meta.status, RagToolStatus::Fallback);
    assert!(
        live.items
            .iter()
            .all(|row| row.source == SourceTag::LocalFallback)
    );
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "one",
    ));
    let indexed = answer_of(&host, file);
    assert_eq!(indexed.meta.status, RagToolStatus::Ok);
    assert!(
        indexed
            .items
            .iter()
            .all(|row| row.source == SourceTag::RagGraph)
    );
    let without_source = |row: &OccurrenceItem| OccurrenceItem {
        source: SourceTag::LocalFallback,
        proof: Proof::Live,
        ..row.clone()
    };
    let same: Vec<OccurrenceItem> = indexed.items.iter().map(without_source).collect();
    assert_eq!(same, live.items);
    live.items
}

const PRICES: (&str, &str) = (
    "shop/prices.py",
    "class Price:\n    def of(self): return 1\n\ndef price_of(article): return 1\n",
);
const CART: (&str, &str) = (
    "shop/cart.py",
    "from shop.prices import Price, price_of\n\n\
     @final\nclass Sale(Price):\n    \
     def of(\n        self,\n    ):\n        \
     \"\"\"Halves the price.\"\"\"\n        \
     return price_of('tea') / 2\n",
);

#[test]
fn references_of_python_lead_to_other_files() {
    let expected = [
        "1:24-29 import shop/prices.py Price#0",
        "1:31-39 import shop/prices.py price_of#0",
        "4:6-10 definition shop/cart.py Sale#0",
        "4:11-16 inherit shop/prices.py Price#0",
        "5:8-10 definition shop/cart.py Sale/of#0",
        "9:15-23 call shop/prices.py price_of#0",
    ];
    let rows = check(&[PRICES, CART], CART.0, &expected);
    let sale = rows[2].whole.as_ref().unwrap();
    assert_eq!((sale.start_line, sale.start_utf16), (3, 0));
    assert_eq!((sale.end_line, sale.end_utf16), (9, Some(34)));
    assert_eq!(sale.signature.as_deref(), Some("class Sale(Price):"));
    assert_eq!(sale.implements[0].symbol.as_str(), "sym:shop.prices.Price");
    let of = rows[4].whole.as_ref().unwrap();
    assert_eq!((of.start_line, of.start_utf16), (5, 4));
    assert_eq!(of.signature.as_deref(), Some("def of(\n    self,\n):"));
    assert_eq!(of.docstring.as_deref(), Some("Halves the price."));
    assert_eq!(of.implements[0].symbol.as_str(), "sym:shop.prices.Price.of");
    assert_eq!(of.implements[0].line, 2);
}

#[test]
fn references_of_typescript_count_utf16_units() {
    let shape = (
        "shape.ts",
        "export interface Shape { area(): number }\nexport const unit = () => 1;\n",
    );
    let square = (
        "square.ts",
        "import { Shape, unit as one } from './shape';\n\
         export class Square implements Shape {\n  \
         area() { return \"😀\".length * one(); }\n}\n",
    );
    let expected = [
        "1:9-14 import shape.ts Shape#0",
        "1:16-20 import shape.ts unit#0",
        "2:13-19 definition square.ts Square#0",
        "2:31-36 inherit shape.ts Shape#0",
        "3:2-6 definition square.ts Square/area#0",
        "3:32-35 call shape.ts unit#0",
    ];
    let rows = check(&[shape, square], square.0, &expected);
    let area = rows[4].whole.as_ref().unwrap();
    assert_eq!(area.implements[0].symbol.as_str(), "sym:shape.Shape.area");
    let unit = answer_of(&MemoryHost::new(&[shape]), shape.0);
    let whole = unit.items[2].whole.as_ref().unwrap();
    assert_eq!((unit.items[2].start_utf16, whole.end_utf16), (13, Some(28)));
    assert!(whole.start_utf16 <= 13);
}

#[test]
fn references_of_go_lead_to_other_packages() {
    let module = ("go.mod", "module example.com/shop\n");
    let prices = (
        "prices/prices.go",
        "package prices\n\nfunc Of(article string) int { return 1 }\n",
    );
    let main = (
        "main.go",
        "package main\n\nimport \"example.com/shop/prices\"\n\n\
         func main() {\n\tprices.Of(\"tea\")\n}\n",
    );
    let expected = [
        "5:5-9 definition main.go main#0",
        "6:8-10 call prices/prices.go Of#0",
    ];
    check(&[module, prices, main], main.0, &expected);
}

#[test]
fn definitions_of_one_name_have_ordinals() {
    let text = "if fast:\n    def f(): pass\nelse:\n    def f(): pass\n\nf()\n";
    let host = MemoryHost::new(&[("a.py", text)]);
    let rows = lines(&answer_of(&host, "a.py").items);
    assert_eq!(
        rows[..2],
        ["2:8-9 definition a.py f#0", "4:8-9 definition a.py f#1"]
    );
}

#[test]
fn candidates_are_counted_and_left_out() {
    let text = "class Cart:\n    def total(self): pass\n\ndef pay(cart):\n    cart.total()\n";
    let answer = answer_of(&MemoryHost::new(&[("a.py", text)]), "a.py");
    assert_eq!(lines(&answer.items).len(), 3);
    assert_eq!(answer.completeness, Completeness::Bounded);
    assert_eq!(answer.doubts[0].count, Some(1));
}

#[test]
fn an_edit_of_another_file_is_seen_and_makes_the_row_live() {
    let host = MemoryHost::new(&[PRICES, CART]);
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "one",
    ));
    host.put(PRICES.0, b"\nclass Price:\n    pass\n");
    let rows = answer_of(&host, CART.0).items;
    let expected = [
        "1:24-29 import shop/prices.py Price#0",
        "4:6-10 definition shop/cart.py Sale#0",
        "4:11-16 inherit shop/prices.py Price#0",
        "5:8-10 definition shop/cart.py Sale/of#0",
    ];
    assert_eq!(lines(&rows), expected);
    assert_eq!(rows[0].source, SourceTag::LocalFallback);
    assert_eq!(rows[0].definition.line, 2);
}

#[test]
fn pages_have_all_rows_once() {
    let host = MemoryHost::new(&[PRICES, CART]);
    let whole = answer_of(&host, CART.0);
    let mut options: OccurrencesOptions = serde_json::from_str(r#"{"limit": 4}"#).unwrap();
    let first = run(occurrences(&host, &settings(), CART.0, &options));
    assert_eq!((first.items.len(), first.total), (4, Some(6)));
    options.cursor = first.cursor;
    let second = run(occurrences(&host, &settings(), CART.0, &options));
    assert_eq!(second.cursor, None);
    assert_eq!([first.items, second.items].concat(), whole.items);
    host.put(CART.0, b"price_of()\n");
    let stale = run(occurrences(&host, &settings(), CART.0, &options));
    assert_eq!(stale.meta.error_code, Some(ErrorCode::StaleCursor.into()));
}

#[test]
fn a_changed_file_has_no_text_under_allow() {
    let host = MemoryHost::new(&[PRICES, CART]);
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "one",
    ));
    host.put(CART.0, b"");
    let options = OccurrencesOptions {
        stale_policy: Some(StalePolicy::Allow),
        ..OccurrencesOptions::default()
    };
    let answer = run(occurrences(&host, &Settings::default(), CART.0, &options));
    let whole = answer.items[2].whole.as_ref().unwrap();
    assert_eq!((whole.end_utf16, &whole.signature), (None, &None));
    assert!(answer.items.iter().all(|row| row.proof == Proof::None));
}

#[test]
fn files_without_rows_say_why() {
    let host = MemoryHost::new(&[("a.py", "x = 1\n"), ("b.py", "\0"), ("a.bin", "x")]);
    assert!(answer_of(&host, "a.py").items.is_empty());
    let code = |file: &str| answer_of(&host, file).meta.error_code;
    assert_eq!(code("b.py"), Some(ErrorCode::FileUnreadable.into()));
    assert_eq!(code("c.py"), Some(ErrorCode::FileUnreadable.into()));
    assert_eq!(code("a.bin"), Some(ErrorCode::LanguageUnavailable.into()));
    assert_eq!(code("../a.py"), Some(ErrorCode::InvalidArgument.into()));
}
