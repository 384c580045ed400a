//! The segments of an index: updates, damage and workers.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use ragnav::base::envelope::RagToolStatus;
use ragnav::index::graph_file::GRAPH_FILE;
use ragnav::index::index::INDEX_FILE;
use ragnav::index::segments::SegmentId;
use ragnav::matching::pattern::SearchMode;
use ragnav::query::QuestionOptions;
use ragnav::query::build_graph::{BuildOptions, BuildResult, build_graph};
use ragnav::query::locate::locate;
use ragnav::query::search::{SearchOptions, search};
use ragnav::query::where_used::{WhereUsedOptions, where_used};
use ragnav::repository::own_files::{OwnFiles, WithOwnFiles};
use serde_json::Value;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

fn repository(files: &BTreeMap<String, String>) -> MemoryHost {
    let host = MemoryHost {
        head: Some(COMMIT.to_owned()),
        git_root: Some(String::new()),
        ..MemoryHost::default()
    };
    for (path, text) in files {
        host.put(path, text.as_bytes());
    }
    host
}

fn module(number: usize) -> (String, String) {
    let next = number + 1;
    let text = format!(
        "from pkg.m{next} import f{next}\n\n\n\
         def f{number}(x):\n    \
         \"\"\"Calls the next.\"\"\"\n    \
         return f{next}(x)\n"
    );
    (format!("pkg/m{number}.py"), text)
}

fn modules(count: usize) -> BTreeMap<String, String> {
    (0..count).map(module).collect()
}

fn ranked() -> SearchOptions {
    SearchOptions {
        mode: Some(SearchMode::Ranked),
        ..SearchOptions::default()
    }
}

fn build(host: &MemoryHost) -> BuildResult {
    let options = BuildOptions::default();
    let result = run(build_graph(host, &settings(), &options, "me"));
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
    result
}

fn segments(host: &MemoryHost) -> Vec<String> {
    let files = host.files.borrow();
    let names = files.keys().filter_map(|path| {
        let name = path.strip_prefix(".llmc/rag/")?;
        SegmentId::from_file_name(name).map(|_| path.clone())
    });
    names.collect()
}

/// Returns the graph without the time of its build.
fn graph(host: &MemoryHost) -> Value {
    let mut graph: Value = serde_json::from_slice(&host.files.borrow()[GRAPH_FILE]).unwrap();
    graph.as_object_mut().unwrap().remove("indexed_at");
    graph
}

/// Runs queries over a repository, and returns their answers.
fn answers(host: &MemoryHost) -> Vec<Value> {
    let settings = settings();
    let mut all = Vec::new();
    for number in 0..8 {
        let name = format!("f{number}");
        let used = run(where_used(
            host,
            &settings,
            &name,
            &WhereUsedOptions::default(),
        ));
        assert_ne!(
            used.meta.status,
            RagToolStatus::Error,
            "{:?}",
            used.meta.message
        );
        all.push(serde_json::to_value(&used.items).unwrap());
        let found = run(locate(host, &settings, &name, &QuestionOptions::default()));
        all.push(serde_json::to_value(&found.items).unwrap());
        let ranked = run(search(host, &settings, &name, &ranked()));
        all.push(serde_json::to_value(&ranked.items).unwrap());
    }
    all
}

#[test]
fn an_update_writes_new_segments_and_removes_unused_ones() {
    let host = repository(&modules(40));
    build(&host);
    let [facts, terms] = &segments(&host)[..] else {
        panic!("one segment holds so few facts, and one the terms");
    };
    let whole = [facts, terms]
        .into_iter()
        .max_by_key(|path| host.files.borrow()[*path].len());
    let whole = whole.unwrap().clone();
    host.put(&module(7).0, b"def f7(x):\n    return x\n");
    build(&host);
    let after = segments(&host);
    // The old facts, the new ones, and the terms of all files.
    assert_eq!(after.len(), 3);
    assert!(after.contains(&whole));
    let sizes: Vec<usize> = after
        .iter()
        .map(|path| host.files.borrow()[path].len())
        .collect();
    assert!(sizes.iter().min() < Some(&400), "{sizes:?}");
    // The files of a killed build are unused.
    let orphan = SegmentId::of(b"orphan").path().unwrap();
    host.put(orphan.as_str(), b"orphan");
    host.put(&module(8).0, b"def f8(x):\n    return x\n");
    build(&host);
    assert_eq!(segments(&host).len(), 4);
    assert!(!segments(&host).contains(&orphan.to_string()));
}

#[test]
fn many_updates_leave_few_segments() {
    let host = repository(&modules(40));
    build(&host);
    for edit in 0..60 {
        let text = format!("def f{edit}(x):\n    return {edit}\n");
        host.put(&module(edit % 40).0, text.as_bytes());
        build(&host);
        assert!(segments(&host).len() <= 10, "{:?}", segments(&host));
    }
    let files = host.files.borrow();
    let sources = files.iter().filter(|(path, _)| !path.starts_with(".llmc"));
    let sources =
        sources.map(|(path, bytes)| (path.clone(), String::from_utf8(bytes.clone()).unwrap()));
    let full = repository(&sources.collect());
    build(&full);
    drop(files);
    assert_eq!(graph(&host), graph(&full));
    assert_eq!(answers(&host), answers(&full));
}

#[test]
fn a_missing_segment_is_rebuilt() {
    let host = repository(&modules(40));
    build(&host);
    let before = answers(&host);
    for segment in segments(&host) {
        let bytes = host.files.borrow_mut().remove(&segment).unwrap();
        let given = answers(&host);
        assert_eq!(given, before, "the files say what the segment said");
        let again = build(&host);
        assert_eq!(again.counts.unchanged, 40, "no file changed");
        assert_eq!(host.files.borrow().get(&segment), Some(&bytes));
        assert_eq!(answers(&host), before);
    }
}

#[test]
fn a_damaged_segment_is_not_used_and_is_rebuilt() {
    let host = repository(&modules(40));
    build(&host);
    let before = answers(&host);
    for segment in segments(&host) {
        let bytes = host.files.borrow()[&segment].clone();
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 0xff;
        host.put(&segment, &damaged);
        assert_eq!(answers(&host), before);
        let again = build(&host);
        assert_eq!(again.counts.unchanged, 40, "no file changed");
        assert_eq!(host.files.borrow().get(&segment), Some(&bytes));
    }
}

#[test]
fn workers_and_a_single_core_extract_equal_facts() {
    let files = modules(200);
    let alone = repository(&files);
    let helped = MemoryHost {
        helps: true,
        ..repository(&files)
    };
    for host in [&alone, &helped] {
        host.put("notes.bin", &[0, 1, 2]);
        host.put("large.py", &vec![b'#'; 5 << 20]);
        build(host);
    }
    assert!(helped.requested.borrow().contains(&"extract"));
    assert_eq!(graph(&alone), graph(&helped));
    let index = |host: &MemoryHost| host.files.borrow()[INDEX_FILE].clone();
    assert_eq!(index(&alone), index(&helped));
    assert_eq!(segments(&alone), segments(&helped));
    // A touched file with equal content is not extracted again.
    let mut stamps = helped.stamps.borrow_mut();
    stamps.extend(
        files
            .keys()
            .map(|path| (path.clone(), format!("touched {path}"))),
    );
    drop(stamps);
    assert_eq!(build(&helped).counts.unchanged, 200);
    assert_eq!(segments(&alone), segments(&helped));
}

#[test]
fn an_index_in_memory_keeps_its_segments() {
    let host = repository(&modules(40));
    let own = OwnFiles::default();
    let reading = WithOwnFiles::new(host, own);
    let settings = settings();
    let built = run(build_graph(
        &reading,
        &settings,
        &BuildOptions::default(),
        "me",
    ));
    assert_eq!(built.meta.status, RagToolStatus::Ok);
    let found = run(locate(
        &reading,
        &settings,
        "f3",
        &QuestionOptions::default(),
    ));
    assert_eq!(
        (found.items.len(), found.meta.status),
        (1, RagToolStatus::Ok)
    );
    let again = run(build_graph(
        &reading,
        &settings,
        &BuildOptions::default(),
        "me",
    ));
    assert!(again.up_to_date);
}

#[derive(Debug, Clone)]
enum Edit {
    Write(usize, usize),
    Remove(usize),
    Touch(usize),
    Enrich(usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        6 => (0..12_usize, 0..30_usize).prop_map(|(file, text)| Edit::Write(file, text)),
        2 => (0..12_usize).prop_map(Edit::Remove),
        1 => (0..12_usize).prop_map(Edit::Touch),
        1 => (0..12_usize).prop_map(Edit::Enrich),
    ]
}

fn apply(host: &MemoryHost, edit: &Edit) {
    match edit {
        Edit::Write(file, text) => {
            host.stamps.borrow_mut().remove(&module(*file).0);
            host.put(&module(*file).0, module(*text).1.as_bytes());
        }
        Edit::Remove(file) => {
            host.files.borrow_mut().remove(&module(*file).0);
        }
        Edit::Touch(file) => {
            let path = module(*file).0;
            // The stamp contains the content: a host must not reuse a stamp for another content.
            let content = host.files.borrow().get(&path).cloned().unwrap_or_default();
            let stamp = format!("touched {}", String::from_utf8_lossy(&content));
            host.stamps.borrow_mut().insert(path, stamp);
        }
        Edit::Enrich(entity) => {
            let mut graph: Value =
                serde_json::from_slice(&host.files.borrow()[GRAPH_FILE]).unwrap();
            let Some(entity) = graph["entities"].get_mut(*entity) else {
                return;
            };
            entity["metadata"] = serde_json::json!({ "summary": format!("of {}", entity["id"]) });
            host.put(GRAPH_FILE, graph.to_string().as_bytes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn updates_and_a_full_build_give_equal_indexes(
        edits in prop::collection::vec(prop::collection::vec(edit(), 1..4), 1..8),
    ) {
        let host = repository(&modules(6));
        build(&host);
        for step in &edits {
            for edit in step {
                apply(&host, edit);
            }
            // Enrichment is copied from graph to graph, so a full build needs the same first graph.
            let full = repository(&BTreeMap::new());
            for (path, bytes) in host.files.borrow().iter() {
                if !path.starts_with(".llmc") || path == GRAPH_FILE {
                    full.put(path, bytes);
                }
            }
            full.stamps.replace(host.stamps.borrow().clone());
            build(&host);
            build(&full);
            prop_assert_eq!(graph(&host), graph(&full));
            prop_assert_eq!(answers(&host), answers(&full));
        }
    }
}
