//! Modules as symbols: what imports a file, what a file uses, and the file as a row.

use ragnav::base::completeness::Completeness;
use ragnav::base::item::{DefinitionKind, NavItem};
use ragnav::base::symbol_id::SymbolId;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::definition::definition;
use ragnav::query::explore::{ExploreOptions, explore};
use ragnav::query::identify::identify;
use ragnav::query::lineage::{LineageOptions, lineage};
use ragnav::query::locate::locate;
use ragnav::query::outline::outline;
use ragnav::query::where_used::{WhereUsedOptions, where_used};
use ragnav::query::{FileOptions, QuestionOptions};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

const SHOP: &[(&str, &str)] = &[
    ("shop/__init__.py", "from .prices import price\n"),
    (
        "shop/prices.py",
        "RATE = 2\n\n\ndef price():\n    return RATE\n",
    ),
    (
        "shop/cart.py",
        "from . import prices\nfrom .prices import (\n    RATE,\n    price,\n)\n\ndef total():\n    return price()\n\ntotal()\n",
    ),
    ("pay.py", "import shop.cart\n\nshop.cart.total()\n"),
    ("other.py", "prices = 'prices'\n"),
];

/// Runs a check without an index and with one.
fn twice(files: &[(&str, &str)], check: impl Fn(&MemoryHost)) {
    let mut host = MemoryHost::new(files);
    host.head = Some("a".repeat(40));
    check(&host);
    let options = BuildOptions::default();
    run(build_graph(&host, &settings(), &options, "one"));
    check(&host);
}

fn places(rows: &[NavItem]) -> Vec<String> {
    let place = |row: &NavItem| {
        let symbol = row.symbol.as_ref().map_or("null", |id| id.as_str());
        format!("{}:{} {symbol}", row.file, row.line)
    };
    rows.iter().map(place).collect()
}

fn importers(host: &MemoryHost, symbol: &str) -> Vec<String> {
    let answer = run(where_used(
        host,
        &settings(),
        symbol,
        &WhereUsedOptions::default(),
    ));
    assert!(
        answer
            .items
            .iter()
            .all(|row| serde_json::to_value(row.kind).unwrap() == "import")
    );
    places(&answer.items)
}

#[test]
fn a_module_is_located_where_no_definition_has_its_name() {
    twice(SHOP, |host| {
        let at = |symbol: &str| {
            let answer = run(locate(
                host,
                &settings(),
                symbol,
                &QuestionOptions::default(),
            ));
            let row = |row: &ragnav::base::item::Definition| {
                (row.file.clone(), row.kind, row.start_line, row.end_line)
            };
            answer.items.iter().map(row).collect::<Vec<_>>()
        };
        let module = DefinitionKind::Module;
        assert_eq!(
            at("sym:shop.cart"),
            [("shop/cart.py".to_owned(), module, 1, 10)]
        );
        assert_eq!(at("prices"), [("shop/prices.py".to_owned(), module, 1, 5)]);
        assert_eq!(at("shop"), [("shop/__init__.py".to_owned(), module, 1, 1)]);
        // A full id is no suffix.
        assert_eq!(at("sym:cart"), []);
        assert_eq!(at("total")[0].1, DefinitionKind::Function);
    });
}

#[test]
fn the_references_to_a_module_are_its_imports() {
    twice(SHOP, |host| {
        assert_eq!(
            importers(host, "sym:shop.prices"),
            [
                "shop/__init__.py:1 null",
                "shop/cart.py:1 null",
                "shop/cart.py:3 null",
                "shop/cart.py:4 null",
            ]
        );
        assert_eq!(importers(host, "shop.cart"), ["pay.py:1 null"]);
        // `from . import` has no name of the package.
        assert_eq!(importers(host, "sym:shop"), ["shop/cart.py:1 null"]);
        assert_eq!(importers(host, "sym:pay"), [] as [&str; 0]);
        let answer = run(where_used(
            host,
            &settings(),
            "sym:pay",
            &WhereUsedOptions::default(),
        ));
        assert_eq!(
            answer.completeness,
            Completeness::Proven,
            "{:?}",
            answer.doubts
        );
        let answer = run(where_used(
            host,
            &settings(),
            "sym:shop.prices",
            &WhereUsedOptions::default(),
        ));
        assert_eq!(
            answer.completeness,
            Completeness::Bounded,
            "a string has the name"
        );
    });
}

#[test]
fn a_lineage_leads_through_modules() {
    twice(SHOP, |host| {
        let options = |include_module| LineageOptions {
            depth: ragnav::base::argument::Count::new(3),
            include_module,
            ..LineageOptions::default()
        };
        let rows = |symbol: &str, direction: &str, include_module| {
            let answer = run(lineage(
                host,
                &settings(),
                symbol,
                direction,
                &options(include_module),
            ));
            let row = |row: &ragnav::base::item::LineageItem| {
                let via: Vec<&str> = row.via.iter().map(SymbolId::dotted).collect();
                format!(
                    "{} {}:{} {}",
                    row.depth,
                    row.item.file,
                    row.item.line,
                    via.join(" > ")
                )
            };
            answer.items.iter().map(row).collect::<Vec<_>>()
        };
        assert_eq!(
            rows("sym:shop.cart", "downstream", None),
            [
                "2 shop/__init__.py:1 shop > shop.prices.price",
                "1 shop/cart.py:1 shop",
                "1 shop/cart.py:1 shop.prices",
                "1 shop/cart.py:3 shop.prices",
                "1 shop/cart.py:4 shop.prices.price",
                "2 shop/cart.py:8 shop.cart.total > shop.prices.price",
                "1 shop/cart.py:10 shop.cart.total",
            ]
        );
        assert_eq!(
            rows("sym:shop.prices", "upstream", None),
            [
                "2 pay.py:1 shop.cart > pay",
                "1 shop/__init__.py:1 shop",
                "1 shop/cart.py:1 shop.cart",
                "1 shop/cart.py:3 shop.cart",
                "1 shop/cart.py:4 shop.cart",
            ]
        );
        assert_eq!(
            rows("total", "upstream", None),
            ["1 pay.py:3 ", "1 shop/cart.py:10 "]
        );
        assert_eq!(
            rows("total", "upstream", Some(true)),
            [
                "2 pay.py:1 shop.cart > pay",
                "1 pay.py:3 pay",
                "1 shop/cart.py:10 shop.cart"
            ]
        );
    });
}

#[test]
fn rows_outside_of_definitions_have_a_module_where_it_is_asked_for() {
    twice(SHOP, |host| {
        let options = WhereUsedOptions {
            include_module: Some(true),
            ..WhereUsedOptions::default()
        };
        let answer = run(where_used(host, &settings(), "total", &options));
        assert_eq!(
            places(&answer.items),
            ["pay.py:3 sym:pay", "shop/cart.py:10 sym:shop.cart"]
        );
        let options = FileOptions {
            include_module: Some(true),
            ..FileOptions::default()
        };
        let at = |line, options: &FileOptions| {
            let answer = run(identify(host, &settings(), "shop/cart.py", line, options));
            let ids = answer
                .items
                .iter()
                .map(|row| row.symbol.as_str().to_owned());
            ids.collect::<Vec<_>>()
        };
        assert_eq!(at(10, &options), ["sym:shop.cart"]);
        assert_eq!(at(8, &options), ["sym:shop.cart.total", "sym:shop.cart"]);
        assert_eq!(at(99, &options), [] as [&str; 0]);
        assert_eq!(at(10, &FileOptions::default()), [] as [&str; 0]);
        let tree = run(outline(host, &settings(), "shop/cart.py", &options)).items;
        assert_eq!((tree.len(), tree[0].name.as_str()), (1, "cart"));
        assert_eq!(tree[0].children[0].name, "total");
    });
}

#[test]
fn an_import_leads_to_its_module() {
    twice(SHOP, |host| {
        let at = |place: &str| {
            let answer = run(definition(
                host,
                &settings(),
                place,
                &QuestionOptions::default(),
            ));
            answer
                .items
                .first()
                .map(|row| row.symbol.as_str().to_owned())
        };
        assert_eq!(at("shop/cart.py:1:15").as_deref(), Some("sym:shop.prices"));
        assert_eq!(at("pay.py:1:13").as_deref(), Some("sym:shop.cart"));
        let about = run(explore(
            host,
            &settings(),
            "sym:shop.cart",
            &ExploreOptions::default(),
        ));
        assert_eq!(about.items[0].kind, DefinitionKind::Module);
        assert_eq!(
            (about.head.callers_total, about.head.callers[0].item.line),
            (1, 1)
        );
    });
}

#[test]
fn modules_of_other_languages() {
    let typescript: &[(&str, &str)] = &[
        (
            "src/cart/index.ts",
            "export const rate = 2;\nexport default function () {}\n",
        ),
        (
            "src/pay.ts",
            "import run, { rate } from './cart';\nrun(rate);\n",
        ),
        (
            "src/all.ts",
            "export * from './cart/index';\nimport './cart';\n",
        ),
        ("src/old.js", "const cart = require('./cart');\n"),
    ];
    twice(typescript, |host| {
        assert_eq!(
            importers(host, "sym:src.cart"),
            [
                "src/all.ts:1 null",
                "src/all.ts:2 null",
                "src/old.js:1 null",
                "src/pay.ts:1 null",
            ]
        );
    });
    let c: &[(&str, &str)] = &[
        ("cart.h", "int total(void);\n"),
        (
            "cart.c",
            "#include \"cart.h\"\nint total(void) { return 0; }\n",
        ),
    ];
    twice(c, |host| {
        assert_eq!(importers(host, "cart")[0], "cart.c:1 null");
    });
    let ruby: &[(&str, &str)] = &[
        ("lib/shop/cart.rb", "class Cart\nend\n"),
        (
            "lib/shop.rb",
            "require 'json'\nrequire_relative './shop/cart'\nautoload :Cart, 'shop/cart'\n",
        ),
        (
            "test/cart_test.rb",
            "require File.expand_path('../../lib/shop/cart', __FILE__)\n",
        ),
        (
            "bin/shop.rb",
            "load File.join(__dir__, '..', 'lib/shop/cart.rb')\n",
        ),
        ("other/lib/shop/cart.rb", "require 'shop/cart'\n"),
    ];
    twice(ruby, |host| {
        assert_eq!(
            importers(host, "sym:lib.shop.cart"),
            [
                "bin/shop.rb:1 null",
                "lib/shop.rb:2 null",
                "lib/shop.rb:3 null",
                "test/cart_test.rb:1 null",
            ]
        );
    });
    let java: &[(&str, &str)] = &[
        ("shop/Cart.java", "package shop;\npublic class Cart {}\n"),
        (
            "pay/Pay.java",
            "package pay;\nimport shop.Cart;\nclass Pay { Cart cart; }\n",
        ),
    ];
    twice(java, |host| {
        let options = WhereUsedOptions::default();
        let answer = run(where_used(host, &settings(), "sym:shop.Cart", &options));
        assert_eq!(places(&answer.items), ["pay/Pay.java:2 null"]);
        assert_eq!(answer.completeness, Completeness::Unknown);
    });
}
