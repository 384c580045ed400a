//! Queries about the name at a place in a file: `shop/cart.py:14:9`.

use ragnav::base::completeness::Completeness;
use ragnav::base::error::ErrorCode;
use ragnav::base::item::Resolution;
use ragnav::query::QuestionOptions;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::definition::definition;
use ragnav::query::lineage::{LineageOptions, lineage};
use ragnav::query::locate::locate;
use ragnav::query::type_definition::type_definition;
use ragnav::query::where_used::{WhereUsedOptions, where_used};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

const PRICES: &str = "def price_of(article):\n    return 1\n";
const CART: &str = "from shop.prices import price_of\n\n\
    def total(lines, unknown):\n    \
    unknown.get(1)\n    \
    return sum(price_of(line) for line in lines)\n";
const STORE: &str = "class Store:\n    def get(self, key):\n        return key\n";
const JQUERY: &str = "var jQuery = { get: function (key) { return key; } };\njQuery.get(1);\n";

fn shop() -> MemoryHost {
    let mut host = MemoryHost::new(&[
        ("shop/prices.py", PRICES),
        ("shop/cart.py", CART),
        ("shop/store.py", STORE),
        ("other/prices.py", PRICES),
        ("static/vendor/jquery.js", JQUERY),
    ]);
    host.head = Some("a".repeat(40));
    host
}

fn symbols(host: &MemoryHost, place: &str) -> Vec<String> {
    let options = QuestionOptions::default();
    let found = run(definition(host, &settings(), place, &options));
    let symbols = found.items.iter().map(|one| one.symbol.as_str().to_owned());
    symbols.collect()
}

#[test]
fn a_reference_leads_to_the_definition_that_it_means_live_and_indexed() {
    let host = shop();
    for is_indexed in [false, true] {
        if is_indexed {
            run(build_graph(
                &host,
                &settings(),
                &BuildOptions::default(),
                "me",
            ));
        }
        // A use, an import, and the name of the definition itself.
        for place in [
            "shop/cart.py:5:16",
            "shop/cart.py:1:25",
            "shop/prices.py:1:5",
        ] {
            assert_eq!(
                symbols(&host, place),
                ["sym:shop.prices.price_of"],
                "{place}"
            );
        }
    }
}

#[test]
fn where_used_and_lineage_of_a_place_are_about_that_definition_alone() {
    let host = shop();
    let options = WhereUsedOptions::default();
    let used = run(where_used(
        &host,
        &settings(),
        "shop/cart.py:5:16",
        &options,
    ));
    assert_eq!(used.head.definitions.len(), 1);
    let rows: Vec<_> = used
        .items
        .iter()
        .map(|row| (row.file.as_str(), row.line))
        .collect();
    assert_eq!(rows, [("shop/cart.py", 1), ("shop/cart.py", 5)]);
    let options = LineageOptions::default();
    let place = "shop/prices.py:1:5";
    let steps = run(lineage(&host, &settings(), place, "callers", &options));
    assert_eq!(steps.head.definitions.len(), 1);
    assert!(!steps.items.is_empty());
}

#[test]
fn an_unproven_member_is_answered_by_its_name_within_its_languages() {
    let host = shop();
    let options = WhereUsedOptions::default();
    let used = run(where_used(
        &host,
        &settings(),
        "shop/cart.py:4:13",
        &options,
    ));
    let symbols: Vec<_> = used
        .head
        .definitions
        .iter()
        .map(|one| one.symbol.as_str().to_owned())
        .collect();
    assert_eq!(symbols, ["sym:shop.store.Store.get"]);
    let is_candidate =
        |row: &ragnav::base::item::NavItem| row.resolution == Some(Resolution::Candidate);
    assert!(used.items.iter().all(is_candidate));
    let message = used.meta.message.unwrap_or_default();
    assert!(
        message.contains("What `get` means at shop/cart.py:4:13 cannot be proven"),
        "{message}"
    );
}

#[test]
fn vendored_files_come_last() {
    let options = QuestionOptions::default();
    let found = run(locate(&shop(), &settings(), "get", &options));
    let files: Vec<_> = found.items.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(files, ["shop/store.py", "static/vendor/jquery.js"]);
}

#[test]
fn a_place_without_a_name_is_an_error_that_says_so() {
    let options = QuestionOptions::default();
    for (place, message) in [
        (
            "shop/cart.py:2:1",
            "there is no name of a definition or reference at shop/cart.py:2:1",
        ),
        (
            "shop/cart.py:0:1",
            "\"shop/cart.py:0:1\": lines and columns count from 1",
        ),
        (
            "shop/cart.py:2",
            "\"shop/cart.py:2\" has no column; give the place of a name, as in src/app.py:12:5, or ask \
             `identify` which definitions enclose the line",
        ),
        (
            "price_of",
            "\"price_of\" is not a place; give one as in src/app.py:12:5",
        ),
    ] {
        let answer = run(definition(&shop(), &settings(), place, &options));
        assert_eq!(
            answer.meta.error_code,
            Some(ErrorCode::InvalidArgument.into())
        );
        assert_eq!(answer.meta.message.as_deref(), Some(message));
    }
    let answer = run(definition(&shop(), &settings(), "gone.py:1:1", &options));
    assert_eq!(
        answer.meta.error_code,
        Some(ErrorCode::FileUnreadable.into())
    );
}

#[test]
fn rows_can_be_limited_to_a_folder() {
    let folder = Some("shop/".to_owned());
    let options = WhereUsedOptions {
        folder,
        ..WhereUsedOptions::default()
    };
    let host = MemoryHost::new(&[
        ("shop/prices.py", PRICES),
        ("shop/cart.py", CART),
        (
            "app/main.py",
            "from shop.prices import price_of\nprice_of(1)\n",
        ),
    ]);
    let used = run(where_used(&host, &settings(), "price_of", &options));
    assert!(
        used.items.iter().all(|row| row.file == "shop/cart.py"),
        "{:?}",
        used.items
    );
    assert_eq!(used.total, Some(2));
}

fn types(files: &[(&str, &str)], place: &str) -> (Vec<String>, Option<String>) {
    let host = MemoryHost::new(files);
    let answer = run(type_definition(
        &host,
        &settings(),
        place,
        &QuestionOptions::default(),
    ));
    let symbols = answer
        .items
        .iter()
        .map(|row| row.symbol.dotted().to_owned());
    (symbols.collect(), answer.meta.message)
}

#[test]
fn a_place_leads_to_the_types_of_its_name() {
    let python = [
        (
            "cart.py",
            "class Cart:\n    def copy(self) -> 'Cart': ...\n",
        ),
        (
            "pay.py",
            "from cart import Cart\n\ndef pay(cart: Cart, other, all: list[Cart]):\n    cart.copy()\n    other.copy()\n    all\n",
        ),
    ];
    let cart = ["cart.Cart"];
    assert_eq!(types(&python, "pay.py:4:5").0, cart, "a parameter");
    assert_eq!(
        types(&python, "pay.py:4:10").0,
        cart,
        "what a method returns"
    );
    assert_eq!(types(&python, "pay.py:1:18").0, cart, "a class");
    assert_eq!(
        types(&python, "pay.py:6:5").0,
        cart,
        "the elements of a list"
    );
    assert_eq!(types(&python, "cart.py:2:9").0, cart, "a definition");
    let (unknown, message) = types(&python, "pay.py:5:5");
    assert_eq!(unknown, [""; 0]);
    assert!(
        message
            .unwrap()
            .contains("The type of what is at pay.py:5:5 is not known.")
    );
    let typescript = [(
        "cart.ts",
        "class Cart {}\nconst cart = new Cart();\nconst make = () => cart;\nmake();\nexport { cart };\n",
    )];
    assert_eq!(types(&typescript, "cart.ts:3:20").0, ["cart.Cart"]);
    assert_eq!(types(&typescript, "cart.ts:4:1").0, ["cart.Cart"]);
}

#[test]
fn a_name_whose_meaning_is_not_known_is_a_doubt() {
    let host = MemoryHost::new(&[("a.py", "import lib\nlib.open()\n")]);
    let options = QuestionOptions::default();
    let found = run(definition(&host, &settings(), "a.py:2:5", &options));
    assert_eq!(found.items.len(), 0);
    assert_eq!(found.completeness, Completeness::Bounded);
    assert_eq!(found.doubts[0].files, ["a.py"]);
}

#[test]
fn symbols_may_be_written_as_their_language_writes_them() {
    let text = "namespace shop { struct Cart { void total(); }; }\n";
    let host = MemoryHost::new(&[("a.cpp", text)]);
    for symbol in [
        "Cart::total",
        "shop::Cart::total",
        "::shop::Cart::total",
        r"\shop\Cart",
    ] {
        let found = run(locate(
            &host,
            &settings(),
            symbol,
            &QuestionOptions::default(),
        ));
        assert_eq!(found.items.len(), 1, "{symbol}");
    }
}

#[test]
fn the_name_of_a_decorator_is_that_of_the_function_that_makes_it() {
    let text = "def inject(**kw):\n    def wrapper(func):\n        return func\n    \
        return wrapper\n\n\n\
        @inject(extra=1)\ndef page(): pass\n\n\ninject()(page)\n";
    let host = MemoryHost::new(&[("a.py", text)]);
    for place in ["a.py:7:2", "a.py:11:1"] {
        assert_eq!(symbols(&host, place), ["sym:a.inject"], "{place}");
    }
}
