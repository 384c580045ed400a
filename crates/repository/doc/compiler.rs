// The set-up of the examples in the documentation, which include this file.

use std::collections::BTreeSet;

use ragnav_base::memory_host::{MemoryHost, block_on};
use ragnav_base::path::RepoPath;
use ragnav_repository::compiler::given::{
    GivenDocument, GivenIndex, PositionEncoding, encode_occurrences,
};
use ragnav_repository::compiler::verify::{NamePlace, VerifiedIndex, verify};
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::Settings;
use ragnav_repository::snapshot::Snapshot;

/// Returns a place in `a.py`.
#[allow(dead_code)]
pub fn place(line: u32, start_utf16: u32) -> NamePlace {
    let path = RepoPath::parse("a.py").unwrap();
    NamePlace { path, line, start_utf16 }
}

/// Verifies an index of `a.py`, in which line 1 defines `total` and line 3 refers to it.
#[allow(dead_code)]
pub fn verified(text: &str) -> VerifiedIndex {
    let document = GivenDocument {
        path: "a.py".to_owned(),
        text: None,
        encoding: PositionEncoding::Utf8,
        occurrences: encode_occurrences(&[[0, 4, 0, 9, 0, 1], [2, 0, 2, 5, 0, 0]]),
    };
    let settings = Settings::default();
    settings.compiler.put(GivenIndex {
        path: "index.scip".to_owned(),
        problem: None,
        written: None,
        symbols: vec!["example . . . a/total().".to_owned()],
        implementations: Vec::new(),
        documents: vec![document],
    });
    let repository = MemoryHost::new(&[("a.py", text)]);
    let host = block_on(Overlaid::new(&repository)).unwrap();
    let corrections = BTreeSet::new();
    let taken = Snapshot::take(&host, &settings, None, Scope::Links, &corrections);
    let snapshot = block_on(taken).unwrap();
    block_on(verify(&snapshot)).unwrap().remove(0)
}
