//! Malicious files, foreign indexes and texts of models. Fuzzing found most of these cases.

use postcard::to_allocvec;
use ragnav::agent::build::{BuildAllOptions, build_all};
use ragnav::agent::repair::plan_from_text;
use ragnav::agent::store::files::{DOCUMENTS_FILE, StoreCache, StoreFault, open};
use ragnav::base::envelope::FreshnessState;
use ragnav::base::item::SkipReason;
use ragnav::base::path::RepoPath;
use ragnav::index::content::ContentHash;
use ragnav::index::filter::Needle;
use ragnav::index::index::{INDEX_VERSION, Index};
use ragnav::index::index_builder::{FileContent, FileInput, IndexBuilder};
use ragnav::index::rag_graph::RagGraph;
use ragnav::index::segments::SegmentId;
use ragnav::matching::pattern::SearchMode;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::search::{SearchOptions, search};
use ragnav::syntax;
use serde_json::json;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

#[test]
fn a_path_that_becomes_a_drive_path_is_refused() {
    for text in ["./c:x", ".\\c:\\x", "././C:/x"] {
        assert!(RepoPath::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn a_plan_inside_a_value_is_no_plan() {
    let inner = json!({"semantic_search_needed": true, "semantic_query": "a", "response_format": "metadata_only"});
    for value in [inner.clone(), json!([inner]), inner.to_string().into()] {
        let filter = json!({"field": "a", "operator": "eq", "value": value});
        let plan = json!({"filters": [filter], "semantic_query": "b"});
        let found = plan_from_text(&plan.to_string()).unwrap();
        assert_eq!(serde_json::to_value(found.draft).unwrap(), plan);
        assert!(found.repairs.is_empty());
    }
}

#[test]
fn a_path_of_very_many_folders_is_parsed_in_time() {
    let times = 1 << 20;
    let graph = json!({"nodes": [
        {
            "id": format!("{}b", "a.".repeat(times)),
            "path": format!("{}c.py", "a/".repeat(times)),
            "summary": "x"
        }
    ]});
    // Anything slower than linear would take minutes here.
    RagGraph::parse(&graph.to_string()).unwrap();
}

/// Returns the fault of a store with only this segment.
fn fault_of_part(part: &[u8]) -> Option<StoreFault> {
    let host = MemoryHost::new(&[("a.md", "# A\nText.\n")]);
    let options = BuildAllOptions {
        documents: Some(true),
        ..BuildAllOptions::default()
    };
    let cache = StoreCache::default();
    run(build_all(&host, &settings(), &cache, &options, "me"));
    let is_part = |path: &&String| path.contains("/documents-");
    let path = host.files.borrow().keys().find(is_part).unwrap().clone();
    let id = |bytes: &[u8]| ContentHash::of(bytes).to_bytes();
    let known = id(&host.files.borrow()[&path]);
    let mut list = host.files.borrow()[DOCUMENTS_FILE].clone();
    let at = list.windows(16).position(|window| window == known).unwrap();
    list[at..at + 16].copy_from_slice(&id(part));
    let checksum = id(&list[24..]);
    list[8..24].copy_from_slice(&checksum);
    host.put(DOCUMENTS_FILE, &list);
    let path = SegmentId::of(part).path_with_prefix("documents-").unwrap();
    host.put(path.as_str(), part);
    run(open(&host, &StoreCache::default())).unwrap().fault
}

/// Builds a segment of a store with a table of these bytes and of a claimed size, without vectors.
fn part(table: &[u8], len: usize) -> Vec<u8> {
    let mut table = lz4_flex::compress_prepend_size(table);
    table[..4].copy_from_slice(&u32::try_from(len).unwrap().to_le_bytes());
    let mut part = to_allocvec(&serde_bytes::Bytes::new(&table)).unwrap();
    part.extend([0, 0, 0]);
    part
}

#[test]
fn a_segment_allocates_no_more_than_its_bytes_can_need() {
    let empty = [0; 9];
    assert_eq!(fault_of_part(&part(&empty, empty.len())), None);
    let claims_more = part(&empty, 1 << 30);
    assert_eq!(fault_of_part(&claims_more), Some(StoreFault::Damaged));
}

#[test]
fn a_segment_with_nested_lists_is_damaged() {
    // No fields; one file, of no source, with one value for the field 0: lists of one element each.
    let mut table = vec![0, 1, 0, 1, 0];
    table.extend([3, 1].repeat(1 << 20));
    let deep = part(&table, table.len());
    assert_eq!(fault_of_part(&deep), Some(StoreFault::Damaged));
}

#[test]
fn comments_without_end_hide_no_definition() {
    let python = syntax::find_language("python").unwrap();
    for line in [
        "#\n",
        "    # a comment as people write it\n\n",
        "# it's '''\n",
    ] {
        for times in [1 << 6, 1 << 12, 1 << 17] {
            let comments = line.repeat(times);
            let text = format!("def f():\n    pass\n{comments}def g():\n{comments}    pass\n");
            let facts = syntax::extract_facts(python, &text);
            let ends = facts.definitions.iter().map(|found| found.end_line);
            let last = u32::try_from(text.lines().count()).unwrap();
            assert_eq!(ends.collect::<Vec<_>>(), [2, last], "{line:?}");
            assert_eq!(facts.symbols(), syntax::extract_symbols(python, &text));
        }
    }
}

#[test]
fn texts_that_grammars_reparse_often_end_in_time() {
    let python = syntax::find_language("python").unwrap();
    let text = |times| format!("def f():\n    pass\n{}", "\\\n".repeat(times));
    assert_eq!(
        syntax::extract_facts(python, &text(1 << 20))
            .definitions
            .len(),
        0
    );
    // People's texts are far below this limit.
    assert_eq!(
        syntax::extract_facts(python, &text(1 << 10))
            .definitions
            .len(),
        1
    );
}

#[test]
fn texts_with_too_deep_nesting_are_read_up_to_it() {
    let javascript = syntax::find_language("javascript").unwrap();
    let nested = |times| {
        let (open, closed) = ("[".repeat(times), "]".repeat(times));
        format!("function before() {{}}\nx = {open}{closed};\nfunction after() {{}}\n")
    };
    // Whatever it is that counts, it is the stack that counts: others say the same in WebAssembly.
    for (times, names) in [
        (8_100, &["before", "after"][..]),
        (8_300, &["before"]),
        (1 << 20, &["before"]),
    ] {
        let outline = syntax::extract_outline(javascript, &nested(times));
        let found = outline.definitions.iter().map(|found| &*found.name_path);
        assert_eq!(found.collect::<Vec<_>>(), names, "{times}");
        assert_eq!(outline.is_partial, times > 8_192);
    }
}

#[test]
fn texts_with_much_to_repair_end_in_time() {
    for (language, text) in [
        ("typescript", "*/ in T"),
        ("typescript", "a: b\n  <T,"),
        ("typescript", "if (a && b) c && d ? e : f;"),
        ("cpp", "\n#if has_include(<"),
        ("cpp", "has_include(<"),
        ("rust", "cfg_select! { a => "),
    ] {
        let language = syntax::find_language(language).unwrap();
        let repeated = text.repeat(1 << 14);
        // Without limits, each of these would take minutes.
        assert!(syntax::extract_facts(language, &repeated).references.len() < repeated.len());
    }
    let typescript = syntax::find_language("typescript").unwrap();
    let chain = format!("const a = {}b;", "isC(b) && ".repeat(1 << 12));
    let facts = syntax::extract_facts(typescript, &chain);
    assert!(facts.references.len() > 1 << 12);
}

#[test]
fn ever_deeper_texts_end_in_time() {
    for (language, text) in [
        ("python", "<-"),
        ("javascript", "-> "),
        ("javascript", "match a:\n "),
        ("typescript", "case 1: "),
        ("typescript", "a<b,"),
        ("tsx", "a<b,"),
        ("bash", "$("),
        ("c", "%w("),
        ("c", "<-"),
        ("cpp", "<-"),
        ("csharp", "%w("),
        ("dart", "a<b,"),
        ("elixir", "%w("),
        ("go", "-> "),
        ("java", "%w("),
        ("java", "template<"),
        ("kotlin", "<-"),
        ("lua", "%w("),
        ("php", "<?php <-"),
        ("ruby", "=begin\n"),
        ("rust", "%w("),
        ("scala", "%w("),
        ("swift", "%w("),
        ("zig", "%w("),
    ] {
        let language = syntax::find_language(language).unwrap();
        // Without a limit, each would take minutes to days, and some of them all memory.
        let outline = syntax::extract_outline(language, &text.repeat(1 << 14));
        assert!(outline.is_partial, "{} {text}", language.name);
    }
}

/// An index of files with facts of these sizes in several segments, which share one filter.
fn forged(files: &[&str], facts_len: u32, segments: &[u32], filter: &[u8]) -> Index {
    let filter_len = u32::try_from(filter.len()).unwrap();
    let record = |(at, path): (usize, &&str)| {
        let segment = u32::try_from(at % segments.len()).unwrap();
        let facts = Some(((segment, 0_u32, facts_len), 0_u32, false, false));
        let text = (0_u8, [0_u8; 16], facts);
        (
            (*path).to_owned(),
            1_u64,
            None::<u64>,
            text,
            Some((0_u32, filter_len)),
        )
    };
    let files: Vec<_> = files.iter().enumerate().map(record).collect();
    let segments: Vec<([u8; 16], u32)> = segments.iter().map(|len| ([1; 16], *len)).collect();
    let generation = [0_u8; 16];
    let table = (
        syntax::extractors(),
        generation,
        files,
        segments,
        [0_u8; 3],
        None::<u32>,
    );
    let table = to_allocvec(&table).unwrap();
    let mut checked = u32::try_from(table.len()).unwrap().to_le_bytes().to_vec();
    checked.extend(table);
    checked.extend(filter);
    let mut bytes = b"ragnavix".to_vec();
    bytes.extend(INDEX_VERSION.to_le_bytes());
    bytes.extend(ContentHash::of(&checked).to_bytes());
    bytes.extend(checked);
    Index::open(bytes).unwrap()
}

/// Returns the segments that a build rewrites if it keeps all files of an index.
fn rewritten(index: &Index) -> usize {
    let mut builder = IndexBuilder::new(Some(index), index.files().len());
    for (at, file) in index.files().iter().enumerate() {
        let kept = FileInput {
            size: file.size,
            stamp: file.stamp,
            content: FileContent::Unchanged,
        };
        builder.add(at, &file.path, kept);
    }
    builder.wasteful_segments().len()
}

#[test]
fn facts_shared_by_several_files_are_not_copied() {
    let files = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    // Two files need the first segment.
    for (facts_len, count) in [(50, 8), (51, 7), (u32::MAX, 0)] {
        let index = forged(&files, facts_len, &[100; 8], &[]);
        assert_eq!(rewritten(&index), count, "{facts_len}");
    }
}

#[test]
fn an_overlong_filter_excludes_no_file() {
    let needle = Needle::new("needle", true);
    for (len, may_hold) in [(16 << 10, false), ((16 << 10) + 1, true)] {
        let index = forged(&["a"], 1, &[1], &vec![0; len]);
        assert_eq!(index.may_contain(&index.files()[0], &needle), may_hold);
    }
}

#[test]
fn names_in_facts_are_no_longer_than_the_text() {
    let name = "a".repeat(1 << 20);
    let nested = |open: &str| format!("{}{}", open.repeat(1 << 9), "}".repeat(1 << 9));
    for (language, text) in [
        (
            "python",
            format!("class {name}:\n{}", " def f(): pass\n".repeat(1 << 14)),
        ),
        (
            "javascript",
            format!("class {name} {{ {} }}", "f() {} ".repeat(1 << 14)),
        ),
        ("javascript", nested("function f() {")),
        ("rust", nested("mod a {")),
        ("java", nested("class A {")),
        ("csharp", nested("namespace a.b {")),
    ] {
        let language = syntax::find_language(language).unwrap();
        let facts = syntax::extract_facts(language, &text);
        let symbols = facts.symbols();
        let longest = symbols.iter().map(|symbol| symbol.name_path.len()).max();
        assert!(
            longest.is_some_and(|len| len <= 1 << 10),
            "{}",
            language.name
        );
        assert_eq!(symbols, syntax::extract_symbols(language, &text));
    }
}

#[test]
fn a_definition_among_the_names_of_a_declaration_is_in_the_facts() {
    let go = syntax::find_language("go").unwrap();
    let text = "interface{M(x}(t()):=z";
    let symbols = syntax::extract_symbols(go, text);
    assert_eq!(symbols[0].name_path, "M");
    assert_eq!(syntax::extract_facts(go, text).symbols(), symbols);
}

#[test]
fn a_large_expression_skips_files_of_long_lines_and_reports_them() {
    let long = "a".repeat(1 << 20);
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(&[("long.txt", &long), ("short.txt", "an aaab\n")])
    };
    let ask = |query: &str| {
        let options = SearchOptions {
            mode: Some(SearchMode::Regex),
            ..SearchOptions::default()
        };
        run(search(&host, &settings(), query, &options))
    };
    let ask_what_is_too_large = || {
        let found = ask("((((a{10}){10}){10}){10}){10}|a+b");
        assert_eq!(found.items.len(), 1);
        let [left_out] = &found.skipped[..] else {
            panic!("{:?}", found.skipped);
        };
        assert_eq!(left_out.file, "long.txt");
        assert_eq!(left_out.reason, SkipReason::TooLarge);
        assert!(found.truncated && found.total.is_none());
        let message = found.meta.message.unwrap();
        assert!(
            message.contains("1 file with long lines was not searched"),
            "{message}"
        );
        let files = found.meta.files.unwrap();
        let counts = [files.graph, files.live, files.changed, files.skipped];
        (found.meta.freshness_state, counts)
    };
    assert_eq!(
        ask_what_is_too_large(),
        (FreshnessState::Unknown, [0, 1, 0, 1])
    );
    for usual in [r"\w+a\b", r"[\p{L}_]{1,40}\s*\(|a+$", "(a+)+$", "(a|aa)+$"] {
        let found = ask(usual);
        assert_eq!(found.skipped, [], "{usual}");
        assert!(found.total.is_some(), "{usual}");
    }
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "me",
    ));
    // A file that is not searched is not unknown.
    assert_eq!(
        ask_what_is_too_large(),
        (FreshnessState::Fresh, [1, 0, 0, 1])
    );
    host.put("long.txt", &b"b".repeat(1 << 20));
    assert_eq!(
        ask_what_is_too_large(),
        (FreshnessState::Stale, [1, 0, 1, 1])
    );
}
