//! Plans from what models write: the corpus, more of its kinds, and what holds of any text.

use proptest::prelude::*;
use ragnav::agent::plan::Repair;
use ragnav::agent::repair::plan_from_text;
use ragnav::error::ErrorCode;
use serde_json::{Value, json};

fn draft(text: &str) -> Option<Value> {
    match plan_from_text(text) {
        Ok(repaired) => Some(serde_json::to_value(repaired.draft).unwrap()),
        Err(error) => {
            assert_eq!(error.code, ErrorCode::PlanFailed);
            None
        }
    }
}

#[test]
fn the_corpus() {
    let text = std::fs::read_to_string("tests/cases/malformed-plans.json").unwrap();
    let corpus: Value = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for case in corpus["cases"].as_array().unwrap() {
        let expected = Some(case["expect"].clone()).filter(|expected| !expected.is_null());
        let found = draft(case["text"].as_str().unwrap());
        if found != expected {
            wrong.push(format!("{}: {found:?}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
