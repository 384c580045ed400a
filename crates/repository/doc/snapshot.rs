// The set-up of the examples in the documentation, which include this file.

use std::collections::BTreeSet;

use ragnav_base::host::{FileStamp, write};
use ragnav_base::memory_host::{MemoryHost, block_on};
use ragnav_base::path::RepoPath;
use ragnav_index::content::StampHash;
use ragnav_index::extract::extract;
use ragnav_index::index::INDEX_FILE;
use ragnav_index::index_builder::{FileContent, FileInput, IndexBuilder};
use ragnav_index::segments::SegmentCache;
use ragnav_index::term_index::TermIndex;
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::Settings;
use ragnav_repository::snapshot::Snapshot;
use ragnav_repository::status::STATUS_FILE;

/// Parses a path.
pub fn path(text: &str) -> RepoPath {
    RepoPath::parse(text).unwrap()
}

/// Returns a host with these files, whose paths are sorted, and an index of them.
pub fn indexed(files: &[(&str, &str)]) -> MemoryHost {
    let host = MemoryHost::new(files);
    let mut builder = IndexBuilder::new(None, files.len());
    for (at, (name, text)) in files.iter().enumerate() {
        let stamp = FileStamp {
            size: text.len() as u64,
            stamp: (*text).to_owned(),
            racy: false,
        };
        let file = FileInput {
            size: stamp.size,
            stamp: StampHash::of(&stamp),
            content: FileContent::Extracted(extract(&path(name), text.as_bytes(), None)),
        };
        builder.add(at, &path(name), file);
    }
    let built = builder.finish(&TermIndex::default()).unwrap();
    let segments = SegmentCache::default();
    segments.stage(built.unwritten);
    block_on(segments.write(&host)).unwrap();
    block_on(write(&host, path(INDEX_FILE), built.index.bytes().to_vec())).unwrap();
    let status = br#"{"index_state": "fresh", "schema_version": "2"}"#;
    block_on(write(&host, path(STATUS_FILE), status.to_vec())).unwrap();
    host
}

/// Takes a snapshot of all files of a host.
pub fn with_snapshot(host: &MemoryHost, check: impl FnOnce(Snapshot<'_, MemoryHost>)) {
    let host = block_on(Overlaid::new(host)).unwrap();
    let (settings, corrections) = (Settings::default(), BTreeSet::new());
    let taken = Snapshot::take(&host, &settings, None, Scope::Everything, &corrections);
    check(block_on(taken).unwrap());
}
