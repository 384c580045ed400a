//! Bytes where parts of an index or a store should be, also behind checksums that are right, are
//! refused or answer questions; what was read and is written again is the same. The first byte
//! chooses the part.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ragnav::agent::build::{BuildAllOptions, build_all};
use ragnav::agent::passage_kind::PassageKind;
use ragnav::agent::plan::{Filter, Operator};
use ragnav::agent::store::files::{DOCUMENTS_FILE, StoreCache, open, save};
use ragnav::agent::store::{Query, Store};
use ragnav::base::host::FileStamp;
use ragnav::base::path::RepoPath;
use ragnav::index::content::StampHash;
use ragnav::index::extract::{Extract, ExtractedContent};
use ragnav::index::filter::Needle;
use ragnav::index::index::{INDEX_VERSION, Index};
use ragnav::index::index_builder::{FileContent, FileInput, IndexBuilder};
use ragnav::index::packed::{pack, unpack};
use ragnav::index::segments::{SegmentCache, SegmentId};
use ragnav::index::term_index::TermIndex;
use ragnav::resolve::FileFacts;
use ragnav::syntax;
use ragnav::syntax::facts::{DefinitionId, Facts};
use ragnav_fuzz::common::{MemoryHost, settings};
use ragnav_fuzz::fs_host::run;
use xxhash_rust::xxh3::xxh3_128;

fn check_facts(facts: Facts) {
    assert_eq!(unpack(&pack(&facts)).as_ref(), Some(&facts));
    let _ = facts.symbols();
    for id in (0..facts.definitions.len()).take(8) {
        let _ = facts.name_path(DefinitionId(u32::try_from(id).expect("there are few")));
    }
    let facts = FileFacts::new(facts);
    facts.aliases().count();
    facts.references_in(Some(DefinitionId(0))).count();
    facts.references_in(None).count();
}

/// An index of a table and filters as they are, with the header that belongs to them.
fn with_header(table: &[u8], filters: &[u8]) -> Vec<u8> {
    let len = u32::try_from(table.len()).expect("inputs are short");
    let checked = [&len.to_le_bytes()[..], table, filters].concat();
    let checksum = xxh3_128(&checked).to_le_bytes();
    [
        b"ragnavix",
        &INDEX_VERSION.to_le_bytes()[..],
        &checksum,
        &checked,
    ]
    .concat()
}

fn check_index(bytes: Vec<u8>) {
    let Ok(index) = Index::open(bytes) else {
        return;
    };
    let host = MemoryHost::default();
    let segments = SegmentCache::default();
    let needle = Needle::new("needle", true);
    for file in index.files() {
        assert_eq!(RepoPath::parse(file.path.as_str()).as_ref(), Ok(&file.path));
        assert_eq!(index.file(&file.path), Some(file));
        let _ = index.may_contain(file, &needle);
        assert_eq!(run(index.facts(&host, &segments, file)), None);
    }
    for name in ["f", "login", "a"] {
        index.files_mentioning(name).count();
        index.files_defining(name).count();
        index.files_importing(name).count();
    }
    rebuild(&index);
}

/// Half of the files are kept, as a build does after the others changed.
fn rebuild(index: &Index) {
    let mut builder = IndexBuilder::new(Some(index), index.files().len());
    for (at, file) in index.files().iter().enumerate().step_by(2) {
        let kept = FileInput {
            size: file.size,
            stamp: file.stamp,
            content: FileContent::Unchanged,
        };
        builder.add(at, &file.path, kept);
    }
    for (place, _) in builder.wasteful_segments() {
        builder.rewrite(place, &[0; 64]);
    }
    let _ = builder.is_unchanged();
    let built = builder.finish(&TermIndex::default()).expect("it is small");
    let again = Index::open(built.index.bytes().to_vec()).expect("what was built is an index");
    assert_eq!(again.files(), built.index.files());
}

fn check_extract(bytes: &[u8]) {
    let Some(extract) = Extract::from_bytes(bytes) else {
        return;
    };
    assert_eq!(
        Extract::from_bytes(&extract.to_bytes()),
        Some(extract.clone())
    );
    if let ExtractedContent::Text(text) = &extract.content
        && let Some(facts) = text.facts.as_deref().and_then(unpack)
    {
        check_facts(facts);
    }
    let path = RepoPath::parse("a.py").expect("it is a path");
    let stamp = FileStamp {
        size: extract.size,
        stamp: "1".to_owned(),
        racy: false,
    };
    let mut builder = IndexBuilder::new(None, 1);
    let looked = FileInput {
        size: extract.size,
        stamp: StampHash::of(&stamp),
        content: FileContent::Extracted(extract),
    };
    builder.add(0, &path, looked);
    let built = builder.finish(&TermIndex::default()).expect("it is small");
    check_index(built.index.bytes().to_vec());
}

thread_local! {
    /// What made the documents of a store stands first in its list: it is taken from one.
    static MADE_BY: Vec<u8> = made_by();
}

fn made_by() -> Vec<u8> {
    let host = MemoryHost::new(&[("a.md", "# A\nText.\n")]);
    let options = BuildAllOptions {
        documents: Some(true),
        ..BuildAllOptions::default()
    };
    run(build_all(
        &host,
        &settings(),
        &StoreCache::default(),
        &options,
        "me",
    ));
    let list = host.files.borrow()[DOCUMENTS_FILE][24..].to_vec();
    let (versions, rest): ((u32, u32, u32, Vec<(String, u64)>), _) =
        postcard::take_from_bytes(&list).expect("the list begins with versions");
    assert_eq!(versions.3, syntax::extractors());
    list[..list.len() - rest.len()].to_vec()
}

/// A part whose table is these bytes; behind it stand its vectors.
fn check_part(bytes: &[u8]) {
    let Some((len, rest)) = bytes.split_first_chunk::<2>() else {
        return;
    };
    let Some((table, vectors)) = rest.split_at_checked(usize::from(u16::from_le_bytes(*len)))
    else {
        return;
    };
    let table = lz4_flex::block::compress_prepend_size(table);
    let mut part =
        postcard::to_allocvec(&serde_bytes::Bytes::new(&table)).expect("bytes are written");
    part.extend_from_slice(vectors);
    check_store(&part);
}

fn check_store(part: &[u8]) {
    let parts = vec![(
        (
            xxh3_128(part).to_le_bytes(),
            u32::try_from(part.len()).expect("inputs are short"),
        ),
        vec![(1_u32, 2_u32)],
    )];
    let mut list = MADE_BY.with(Clone::clone);
    list.extend(
        postcard::to_allocvec(&(None::<String>, None::<String>, parts)).expect("it is written"),
    );
    let host = MemoryHost::default();
    let checksum = xxh3_128(&list).to_le_bytes();
    host.put(
        DOCUMENTS_FILE,
        &[b"ragnavdo", &checksum[..], &list].concat(),
    );
    let id = SegmentId::of(part)
        .path_with_prefix("documents-")
        .expect("its name is plain");
    host.put(id.as_str(), part);
    let opened = run(open(&host, &StoreCache::default())).expect("memory does not fail");
    if opened.fault.is_some() {
        return;
    }
    let mut store = (*opened.store).clone();
    let filters = [Filter::new("heading", Operator::Eq, "A")];
    for (embedding, filters) in [
        (None, &filters[..0]),
        (None, &filters),
        (Some(&[1.0, 0.5][..]), &filters[..0]),
    ] {
        let query = Query {
            text: "text of a",
            embedding,
            filters,
            only: None,
            k: 5,
            others: None,
            history: None,
        };
        // Vectors of another length are refused.
        let _ = run(store.query(query));
        let _ = run(store.get(filters, Some(PassageKind::Code), 5));
    }
    for (path, _) in store.files() {
        assert_eq!(RepoPath::parse(path.as_str()).as_ref(), Ok(path));
    }
    let _ = store.count_without_vector();
    let _ = run(store.delete(&["a.md#A".to_owned()]));
    run(save(&host, &store)).expect("memory can be written");
    let again = run(open(&host, &StoreCache::default())).expect("memory does not fail");
    assert_eq!((again.fault, again.store.count()), (None, store.count()));
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    match first % 8 {
        0 => check_index(rest.to_vec()),
        1 => check_index(with_header(rest, &[])),
        2 => check_index(with_header(rest, &[0x55; 64])),
        3 => unpack(rest).into_iter().for_each(check_facts),
        4 => unpack(&lz4_flex::compress_prepend_size(rest))
            .into_iter()
            .for_each(check_facts),
        5 => check_extract(rest),
        6 => check_store(rest),
        _ => check_part(rest),
    }
});
