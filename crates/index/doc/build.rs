// The set-up of the examples in the documentation, which include this file.

use ragnav_base::path::RepoPath;
use ragnav_index::extract::extract;
use ragnav_index::index_builder::{BuiltIndex, FileContent, FileInput, IndexBuilder};
use ragnav_index::term_index::TermIndex;

/// Parses a path.
pub fn path(text: &str) -> RepoPath {
    RepoPath::parse(text).unwrap()
}

/// Builds the index of files from their paths, which are sorted, and texts.
pub fn build(files: &[(&str, &str)]) -> BuiltIndex {
    let mut builder = IndexBuilder::new(None, files.len());
    for (at, (name, text)) in files.iter().enumerate() {
        let extracted = extract(&path(name), text.as_bytes(), None);
        let file = FileInput {
            size: text.len() as u64,
            stamp: None,
            content: FileContent::Extracted(extracted),
        };
        builder.add(at, &path(name), file);
    }
    builder.finish(&TermIndex::default()).unwrap()
}
