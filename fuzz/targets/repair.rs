//! What a model wrote becomes a plan or an error, whatever it is; and a plan, written as clean JSON, is found as it is.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ragnav::agent::repair::plan_from_text;

fuzz_target!(|text: &str| {
    let Ok(found) = plan_from_text(text) else {
        return;
    };
    let clean = serde_json::to_string(&found.draft).expect("a draft is JSON");
    // A draft without any part is what prose comes to as well.
    if clean == "{}" {
        return;
    }
    let again = plan_from_text(&clean).expect("a draft is a plan");
    assert_eq!(again.draft, found.draft, "{clean}");
});
