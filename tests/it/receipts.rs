//! Receipts: what became of the rows of an answer.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use ragnav::base::argument::Count;
use ragnav::base::envelope::RagToolMeta;
use ragnav::base::error::ErrorCode;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::files::Files;
use ragnav::query::impact::Impact;
use ragnav::query::lineage::Lineage;
use ragnav::query::locate::Locate;
use ragnav::query::outline::Outline;
use ragnav::query::recheck::{Recheck, RecheckResult};
use ragnav::query::search::Search;
use ragnav::query::where_used::WhereUsed;
use ragnav::query::{Query, Settings, answer_arguments};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

const PRICES: &str = "def price_of(article):\n    return 1\n";
const CART: &str = "from prices import price_of\n\ndef total():\n    return price_of('tea')\n";

fn shop() -> MemoryHost {
    MemoryHost::new(&[("prices.py", PRICES), ("cart.py", CART)])
}

fn ask<Q: Query>(host: &MemoryHost, arguments: Value) -> Value {
    let answer = run(answer_arguments::<Q, _>(host, &settings(), arguments));
    serde_json::to_value(answer).unwrap()
}

fn receipt(answer: &Value) -> String {
    let receipt = answer["meta"]["receipt"].as_str();
    receipt.unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn recheck(host: &MemoryHost, receipt: &str) -> RecheckResult {
    let arguments = json!({"receipt": receipt});
    run(answer_arguments::<Recheck, _>(host, &settings(), arguments))
}

/// Returns the rows of a recheck as `state was now`.
fn states(answer: &RecheckResult) -> Vec<String> {
    let rows = serde_json::to_value(&answer.items).unwrap();
    let place = |place: &Value| match (&place["file"], &place["line"]) {
        (Value::String(file), Value::Number(line)) => format!("{file}:{line}"),
        (Value::String(file), _) => file.clone(),
        _ => "-".to_owned(),
    };
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| {
        let state = row["state"].as_str().unwrap();
        format!("{state} {} {}", place(&row["was"]), place(&row["now"]))
    })
    .collect()
}

#[track_caller]
fn assert_invalid(meta: &RagToolMeta, part: &str) {
    assert_eq!(meta.error_code, Some(ErrorCode::InvalidArgument.into()));
    let message = meta.message.as_deref().unwrap_or_default();
    assert!(message.contains(part), "{message}");
}

#[test]
fn every_query_with_rows_has_a_receipt_that_is_true_at_once() {
    let host = shop();
    let answers = [
        ask::<Search>(&host, json!({"query": "price_of"})),
        ask::<Search>(&host, json!({"query": "price", "mode": "ranked"})),
        ask::<WhereUsed>(&host, json!({"symbol": "price_of"})),
        ask::<Lineage>(
            &host,
            json!({"symbol": "price_of", "direction": "upstream"}),
        ),
        ask::<Locate>(&host, json!({"symbol": "price_of"})),
        ask::<Outline>(&host, json!({"file": "cart.py"})),
        ask::<Files>(&host, json!({})),
    ];
    for answer in answers {
        let rechecked = recheck(&host, &receipt(&answer));
        let rows = answer["items"].as_array().unwrap().len();
        assert!(rows > 0, "{answer}");
        assert_eq!(rechecked.counts.unchanged as usize, rows, "{answer}");
        assert_eq!(rechecked.items.len(), rows);
        assert_eq!(
            rechecked.meta.receipt.as_deref(),
            answer["meta"]["receipt"].as_str()
        );
    }
}

#[test]
fn a_recheck_depends_on_the_files_of_its_query_only() {
    let mut host = shop();
    let head = "a".repeat(40);
    host.head = Some(head);
    let (settings, options) = (settings(), BuildOptions::default());
    let built = run(build_graph(&host, &settings, &options, "test"));
    assert_eq!(built.meta.error_code, None);
    let outline = json!({"file": "prices.py"});
    let receipt = receipt(&ask::<Outline>(&host, outline));
    host.put("cart.py", b"x = 1\n");
    let arguments = json!({"receipt": receipt, "stale_policy": "error"});
    let answer = run(answer_arguments::<Recheck, _>(&host, &settings, arguments));
    assert_eq!(states(&answer), ["unchanged prices.py:1 prices.py:1"]);
}

#[test]
fn recheck_says_what_became_of_each_row() {
    let host = shop();
    let found = ask::<WhereUsed>(&host, json!({"symbol": "price_of"}));
    let receipt = receipt(&found);
    host.put(
        "cart.py",
        b"# A cart.\nfrom prices import price_of\n\ndef total():\n    return 2 * price_of('tea')\n",
    );
    host.put("more.py", b"import prices\n\nprices.price_of('milk')\n");
    let answer = recheck(&host, &receipt);
    assert_eq!(
        states(&answer),
        [
            "moved cart.py:1 cart.py:2",
            "changed cart.py:4 cart.py:5",
            "new - more.py:3",
        ]
    );
    assert_eq!(answer.query, "where_used");
    assert_eq!(answer.arguments["symbol"], "price_of");
    let text = answer.items[1].text.as_deref();
    assert_eq!(text, Some("    return 2 * price_of('tea')"));
    host.put("cart.py", b"\n");
    let answer = recheck(&host, &receipt);
    assert_eq!(
        states(&answer),
        ["gone cart.py:1 -", "gone cart.py:4 -", "new - more.py:3"]
    );
    assert_eq!(answer.items[0].proof, None);
}

#[test]
fn rows_follow_a_file_that_was_renamed() {
    let host = shop();
    let used = receipt(&ask::<WhereUsed>(&host, json!({"symbol": "price_of"})));
    let located = receipt(&ask::<Locate>(&host, json!({"symbol": "total"})));
    host.put("basket.py", CART.as_bytes());
    // The old file is still there, so its rows are where they were.
    let states_before = states(&recheck(&host, &used));
    assert_eq!(
        states_before,
        [
            "unchanged cart.py:1 cart.py:1",
            "unchanged cart.py:4 cart.py:4",
            "new - basket.py:1",
            "new - basket.py:4"
        ]
    );
    host.remove("cart.py");
    assert_eq!(
        states(&recheck(&host, &used)),
        ["moved cart.py:1 basket.py:1", "moved cart.py:4 basket.py:4"]
    );
    assert_eq!(
        states(&recheck(&host, &located)),
        ["moved cart.py:3 basket.py:3"]
    );
}

#[test]
fn a_reference_that_is_no_longer_proven_has_changed() {
    let host = MemoryHost::new(&[
        ("a.py", "class A:\n    def go(self): pass\n"),
        ("b.py", "from a import A\n\ndef f(one: A):\n    one.go()\n"),
    ]);
    let found = receipt(&ask::<WhereUsed>(&host, json!({"symbol": "A.go"})));
    host.put("b.py", b"from a import A\n\ndef f(one):\n    one.go()\n");
    assert_eq!(states(&recheck(&host, &found)), ["changed b.py:4 b.py:4"]);
}

#[test]
fn since_gives_only_what_differs_and_a_receipt_to_go_on_with() {
    let host = shop();
    let arguments = json!({"query": "price_of"});
    let found = ask::<Search>(&host, arguments.clone());
    let since = |receipt: &str, limit: Option<u32>| {
        let arguments = json!({"query": "price_of", "since": receipt, "limit": limit});
        ask::<Search>(&host, arguments)
    };
    let same = since(&receipt(&found), None);
    assert_eq!(same["items"], json!([]));
    assert_eq!(same["meta"]["since"]["unchanged"], 3);
    assert_eq!(same["total"], 0);
    assert_eq!(receipt(&same), receipt(&found));

    host.put(
        "cart.py",
        b"from prices import price_of\n\n\nprice_of(1)\nprice_of(2)\n",
    );
    let answer = since(&receipt(&found), None);
    let lines: Vec<u64> = answer["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| row["line"].as_u64())
        .collect();
    assert_eq!(lines, [4, 5]);
    let differs = &answer["meta"]["since"];
    assert_eq!(differs["unchanged"], 2);
    assert_eq!(differs["gone"], json!([{"file": "cart.py", "line": 4}]));
    assert_eq!(
        differs["differences"][0],
        json!({"state": "new", "was": null})
    );
    assert_eq!(since(&receipt(&answer), None)["items"], json!([]));

    let first = since(&receipt(&found), Some(1));
    assert_eq!(
        (first["total"].as_u64(), &first["truncated"]),
        (Some(2), &json!(true))
    );
    assert!(
        first["meta"]["message"]
            .as_str()
            .unwrap()
            .contains("2 rows differ")
    );
    let second = since(&receipt(&first), Some(1));
    assert_eq!(second["items"][0]["line"], 5);
    assert_eq!(since(&receipt(&second), Some(1))["items"], json!([]));
}

#[test]
fn rows_of_other_pages_count_as_new() {
    let host = shop();
    let page = ask::<Search>(&host, json!({"query": "price_of", "limit": 1}));
    let counts = recheck(&host, &receipt(&page)).counts;
    assert_eq!((counts.unchanged, counts.new), (1, 2));
}

#[test]
fn wrong_receipts_are_refused() {
    let host = shop();
    let found = receipt(&ask::<Search>(&host, json!({"query": "price_of"})));
    for wrong in [
        "",
        "r1.",
        "nonsense",
        &found[..found.len() - 1],
        &format!("{found}A"),
    ] {
        assert_invalid(&recheck(&host, wrong).meta, "is no receipt");
        let arguments = json!({"query": "price_of", "since": wrong});
        let answer = run(answer_arguments::<Search, _>(&host, &settings(), arguments));
        assert_invalid(&answer.meta, "is no receipt");
    }
    let other = json!({"query": "total", "since": found});
    let answer = run(answer_arguments::<Search, _>(&host, &settings(), other));
    assert_invalid(&answer.meta, "another query");
    let page = ask::<Search>(&host, json!({"query": "price_of", "limit": 1}));
    let both = json!({"query": "price_of", "since": found, "cursor": page["cursor"]});
    let answer = run(answer_arguments::<Search, _>(&host, &settings(), both));
    assert_invalid(&answer.meta, "leave out `cursor`");
}

#[test]
fn a_failed_query_has_no_receipt() {
    let host = shop();
    let failed = ask::<Search>(&host, json!({"query": ""}));
    assert_eq!(failed["meta"]["receipt"], Value::Null);
    let failed = ask::<Impact>(&host, json!({}));
    assert_eq!(failed["meta"]["receipt"], Value::Null);
}

#[test]
fn a_receipt_of_a_page_is_short() {
    let text = "price_of(article)\n".repeat(200);
    let host = MemoryHost::new(&[("shop/prices.py", &text)]);
    let page = ask::<Search>(&host, json!({"query": "price_of", "limit": 50}));
    assert!(receipt(&page).len() < 900);
}

/// A line of a file, or none.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof![
        Just("price_of(1)".to_owned()),
        Just("price_of(2)".to_owned()),
        Just("def price_of(n): pass".to_owned()),
        Just("pass".to_owned()),
        "[a-c]{1,2} = price_of".prop_map(|text| text),
    ];
    prop::collection::vec(line, 0..6)
}

fn files() -> impl Strategy<Value = Vec<Option<Vec<String>>>> {
    prop::collection::vec(prop::option::weighted(0.8, lines()), 3)
}

fn write(host: &MemoryHost, files: &[Option<Vec<String>>]) {
    for (at, lines) in files.iter().enumerate() {
        let path = format!("f{at}.py");
        match lines {
            Some(lines) => host.put(&path, format!("{}\n", lines.join("\n")).as_bytes()),
            None => host.remove(&path),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever changes, each row of the receipt has one state, each row of now is one of them or
    /// new, an unchanged row is the same row, and an index changes nothing of that.
    #[test]
    fn every_row_has_one_state(before in files(), after in files(), page in 1_u32..8) {
        let host = MemoryHost::new(&[]);
        write(&host, &before);
        let arguments = json!({"query": "price_of", "limit": page});
        let found = ask::<Search>(&host, arguments);
        let receipt = receipt(&found);
        write(&host, &after);
        let live = recheck(&host, &receipt);
        let now = ask::<Search>(&host, json!({"query": "price_of", "limit": 1000}));
        let place = |row: &Value| (row["file"].to_string(), row["line"].to_string());
        let now_places: Vec<_> = now["items"].as_array().unwrap().iter().map(place).collect();
        let rechecked = serde_json::to_value(&live.items).unwrap();
        let rechecked = rechecked.as_array().unwrap();
        let was = rechecked.iter().filter(|row| !row["was"].is_null());
        prop_assert_eq!(was.count(), found["items"].as_array().unwrap().len());
        let are: Vec<_> = rechecked.iter().filter(|row| !row["now"].is_null()).collect();
        prop_assert_eq!(are.len(), now_places.len());
        let distinct: BTreeSet<_> = are.iter().map(|row| place(&row["now"])).collect();
        prop_assert_eq!(distinct, now_places.iter().cloned().collect::<BTreeSet<_>>());
        for row in rechecked.iter().filter(|row| row["state"] == "unchanged") {
            prop_assert_eq!(&row["was"], &row["now"]);
            let old = found["items"].as_array().unwrap().iter();
            let mut old = old.filter(|old| place(old) == place(&row["was"]));
            let text = row["text"].as_str().unwrap();
            prop_assert!(old.any(|old| old["snippet"]["text"].as_str().unwrap().contains(text)));
        }
        run(build_graph(&host, &settings(), &BuildOptions::default(), "me"));
        let indexed = recheck(&host, &receipt);
        prop_assert_eq!(indexed.counts, live.counts);
        prop_assert_eq!(states(&indexed), states(&live));
        prop_assert_eq!(indexed.meta.receipt, live.meta.receipt);
    }

    /// No text makes the reader of receipts panic.
    #[test]
    fn any_text_is_refused_or_read(text in "(r1\\.)?[A-Za-z0-9_-]{0,80}") {
        let answer = recheck(&shop(), &text);
        prop_assert!(answer.meta.error_code.is_some());
    }
}

#[test]
fn receipts_work_for_every_page_size() {
    let host = shop();
    let settings: Settings = settings();
    for limit in 1..4 {
        let limit = Count::new(limit);
        let options = ragnav::query::search::SearchOptions {
            limit,
            ..Default::default()
        };
        let typed = run(ragnav::query::search::search(
            &host, &settings, "price_of", &options,
        ));
        let rechecked = recheck(&host, &typed.meta.receipt.unwrap());
        assert_eq!(
            Some(rechecked.counts.unchanged as usize),
            limit.map(Count::get)
        );
    }
}
