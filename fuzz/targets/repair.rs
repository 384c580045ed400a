//! What a model wrote becomes a plan or an error, whatever it is, and soon. That clean plans are found as they are is a property test of the
//! project's own (`tests/it/plan_repair.rs`): most of what is thrown here is no plan.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ragnav::agent::repair::plan_from_text;

fuzz_target!(|text: &str| {
    if let Ok(found) = plan_from_text(text) {
        serde_json::to_string(&found.draft).expect("a draft is JSON");
    }
});
