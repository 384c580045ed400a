//! The embedded store: its queries and its files; and the requests to a supplied store.

use std::collections::BTreeSet;

use proptest::prelude::*;
use ragnav::agent::build::{BuildAllOptions, build_all};
use ragnav::agent::catalogue::Catalogue;
use ragnav::agent::fill_store::{FillOptions, FillResult, fill_store};
use ragnav::agent::plan::{Filter, Operator};
use ragnav::agent::store::embedded::EmbeddedStore;
use ragnav::agent::store::files::{DOCUMENTS_FILE, StoreCache, StoreFault, open};
use ragnav::agent::store::foreign::{ForeignStore, Measure};
use ragnav::agent::store::{Document, Query, Store};
use ragnav::base::envelope::RagToolStatus;
use ragnav::base::error::ErrorCode;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use serde_json::{Value, json};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

pub const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

pub fn repository() -> MemoryHost {
    MemoryHost {
        head: Some(COMMIT.into()),
        git_root: Some(String::new()),
        ..MemoryHost::new(&[
            (
                "auth/login.py",
                "class Login:\n    \
                 \"\"\"Lets people in.\"\"\"\n\n    \
                 def check_password(self, word):\n        \
                 return word == 'x'\n\n\n\
                 def log_out():\n    \
                 pass\n",
            ),
            (
                "notes/search.md",
                "---\n\
                 title: Search\n\
                 tags: [rag]\n\
                 created_date: 2024-05-01\n\
                 ---\n\
                 # Ranking\n\
                 BM25 ranks passages by terms.\n\n\
                 # Vectors\n\
                 Cosine of two vectors.\n",
            ),
            ("notes/plain.md", "Just a line about [[Search]].\n"),
            ("data.txt", "password password password\n"),
        ])
    }
}

pub fn build(host: &MemoryHost) {
    let options = BuildOptions::default();
    let built = run(build_graph(host, &settings(), &options, "me"));
    assert_eq!(built.meta.error_code, None, "{:?}", built.meta.message);
}

pub fn filled(host: &MemoryHost, embedder: Option<&str>) -> FillResult {
    build(host);
    let options = FillOptions {
        embedder: embedder.map(str::to_owned),
    };
    let cache = StoreCache::default();
    let result = run(fill_store(host, &settings(), &cache, &options, "me")).unwrap();
    assert!(!host.files.borrow().contains_key(".llmc/rag/build.lock"));
    result
}

fn stored(host: &MemoryHost) -> EmbeddedStore {
    let opened = run(open(host, &StoreCache::default())).unwrap();
    assert_eq!(opened.fault, None);
    (*opened.store).clone()
}

fn found(store: &impl Store, text: &str, filters: &[Filter]) -> Vec<String> {
    let query = Query {
        text,
        embedding: None,
        filters,
        only: None,
        k: 20,
        others: None,
        history: None,
    };
    let rows = run(store.query(query)).unwrap();
    for row in &rows {
        assert!((0.0..=1.0).contains(&row.similarity.unwrap()));
    }
    rows.into_iter().map(|row| row.id).collect()
}

fn parts(host: &MemoryHost) -> BTreeSet<String> {
    let files = host.files.borrow();
    let names = files.keys().filter(|path| path.contains("/documents-"));
    names.cloned().collect()
}

#[test]
fn a_filled_store_finds_documents() {
    let host = repository();
    let result = filled(&host, None);
    assert_eq!((result.made, result.documents), (3, 6));
    let store = stored(&host);
    assert_eq!(
        found(&store, "check password", &[])[0],
        "auth/login.py#Login.check_password"
    );
    assert_eq!(
        found(&store, "checkPassword", &[])[0],
        "auth/login.py#Login.check_password"
    );
    assert_eq!(
        found(&store, "how does BM25 rank", &[])[0],
        "notes/search.md#Ranking"
    );
    // A query finds every form of a word.
    assert_eq!(
        found(&store, "checking the passwords", &[])[0],
        "auth/login.py#Login.check_password"
    );
    assert_eq!(found(&store, "nothing_at_all", &[]), Vec::<String>::new());
    let tagged = Filter::new("tags", Operator::Contains, "rag");
    let both = run(store.get(std::slice::from_ref(&tagged), None, 100)).unwrap();
    let ids: Vec<&str> = both.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["notes/search.md#Ranking", "notes/search.md#Vectors"]);
    assert_eq!(found(&store, "password", &[tagged]), Vec::<String>::new());
    assert_eq!(both[0].metadata["created_date"], 1_714_521_600.0.into());
    assert_eq!(run(store.get(&[], None, 2)).unwrap().len(), 2);
}

#[test]
fn a_build_fills_the_store() {
    let host = repository();
    let build = |options: &BuildAllOptions| {
        let cache = StoreCache::default();
        run(build_all(&host, &settings(), &cache, options, "me"))
    };
    let checked = build(&BuildAllOptions {
        check: Some(true),
        ..BuildAllOptions::default()
    });
    assert_eq!(checked.documents, None);
    let without = build(&BuildAllOptions {
        documents: Some(false),
        ..BuildAllOptions::default()
    });
    assert_eq!((without.documents, parts(&host).len()), (None, 0));
    let unasked = build(&BuildAllOptions::default());
    assert_eq!(unasked.documents, None);
    let whole = build(&BuildAllOptions {
        documents: Some(true),
        ..BuildAllOptions::default()
    });
    let kept = build(&BuildAllOptions::default());
    assert_eq!(kept.documents.map(|filled| filled.kept), Some(3));
    assert_eq!(whole.documents.map(|filled| filled.documents), Some(6));
    let wire = serde_json::to_value(&whole).unwrap();
    assert_eq!(
        (&wire["up_to_date"], &wire["documents"]["made"]),
        (&json!(true), &json!(3))
    );
    // If the host fails to embed, the index stays unchanged.
    let failed = build(&BuildAllOptions {
        embedder: Some("none".to_owned()),
        ..BuildAllOptions::default()
    });
    assert_eq!(
        (failed.documents, failed.graph.meta.status),
        (None, RagToolStatus::Ok)
    );
    assert!(failed.graph.meta.message.unwrap().contains("embed failed"));
    assert_eq!(stored(&host).count(), 6);
}

#[test]
fn dates_without_a_zone_are_local() {
    let host = MemoryHost {
        offset: 7200,
        ..repository()
    };
    filled(&host, None);
    let from = Filter::new("created_date", Operator::Gte, 1_714_514_400.0);
    let to = Filter::new("created_date", Operator::Lt, 1_714_514_401.0);
    assert_eq!(
        run(stored(&host).get(&[from, to], None, 9)).unwrap().len(),
        2
    );
}

#[test]
fn only_changed_documents_are_built_again() {
    let host = repository();
    filled(&host, None);
    let first = parts(&host);
    let again = filled(&host, None);
    assert_eq!((again.made, again.kept, again.wrote), (0, 3, false));
    host.put("notes/plain.md", b"Another line about penguins.\n");
    let result = filled(&host, None);
    assert_eq!(
        (result.made, result.kept, result.removed, result.documents),
        (1, 2, 1, 6)
    );
    assert_eq!(parts(&host).len(), first.len() + 1);
    // Few documents of the first segment are current: they are rewritten, and the segment is
    // removed.
    host.files.borrow_mut().remove("auth/login.py");
    assert_eq!(filled(&host, None).documents, 3);
    assert!(first.is_disjoint(&parts(&host)));
    let store = stored(&host);
    assert_eq!(found(&store, "penguins", &[]), ["notes/plain.md#"]);
    assert_eq!(found(&store, "password", &[]), Vec::<String>::new());
}

#[test]
fn many_updates_leave_few_segments_and_equal_answers() {
    let host = repository();
    for edit in 0..40 {
        let text = format!("# Note\nnumber{edit} of the edits\n");
        host.put(&format!("notes/n{}.md", edit % 7), text.as_bytes());
        filled(&host, None);
        assert!(parts(&host).len() <= 10, "{:?}", parts(&host));
    }
    let full = repository();
    for (path, bytes) in host.files.borrow().iter() {
        if !path.starts_with(".llmc") {
            full.put(path, bytes);
        }
    }
    filled(&full, None);
    for query in ["edits", "number39", "password", "note search"] {
        assert_eq!(
            found(&stored(&host), query, &[]),
            found(&stored(&full), query, &[])
        );
    }
}

#[test]
fn damage_is_detected_and_repaired() {
    let host = repository();
    filled(&host, None);
    let part = parts(&host).into_iter().next().unwrap();
    host.put(&part, b"damaged");
    let opened = run(open(&host, &StoreCache::default())).unwrap();
    assert_eq!(opened.fault, Some(StoreFault::Damaged));
    assert!(filled(&host, None).wrote);
    assert_eq!(stored(&host).count(), 6);
    host.put(DOCUMENTS_FILE, b"ragnavdo");
    let opened = run(open(&host, &StoreCache::default())).unwrap();
    assert_eq!(opened.fault, Some(StoreFault::Damaged));
    host.files.borrow_mut().remove(DOCUMENTS_FILE);
    let opened = run(open(&host, &StoreCache::default())).unwrap();
    assert_eq!(opened.fault, Some(StoreFault::Missing));
    filled(&host, None);
    assert_eq!(stored(&host).count(), 6);
}

/// Embeds texts by the numbers of their letters.
pub fn letters(text: &str) -> Vec<f32> {
    let mut counts = vec![0.01; 26];
    for letter in text.to_ascii_lowercase().bytes() {
        if letter.is_ascii_lowercase() {
            counts[usize::from(letter - b'a')] += 1.0;
        }
    }
    counts
}

#[test]
fn texts_are_embedded_once() {
    let host = MemoryHost {
        embed: Some(letters),
        ..repository()
    };
    assert_eq!(filled(&host, Some("letters")).embedded, 6);
    assert_eq!(filled(&host, Some("letters")).embedded, 0);
    let text = "---\ntitle: Search\n---\n# Vectors\nCosine of two vectors.\n# New\nzzz zzz\n";
    host.put("notes/search.md", text.as_bytes());
    let result = filled(&host, Some("letters"));
    assert_eq!((result.embedded, result.made), (1, 1));
    let store = stored(&host);
    assert_eq!(store.count_without_vector(), 0);
    let embedding = letters("zzz zzz new");
    let query = Query {
        text: "zzz zzz new",
        embedding: Some(&embedding),
        filters: &[],
        only: None,
        k: 3,
        others: None,
        history: None,
    };
    let rows = run(store.query(query)).unwrap();
    assert_eq!(rows[0].id, "notes/search.md#New");
    assert!(rows.is_sorted_by(|a, b| a.similarity >= b.similarity));
    let wrong = Query {
        embedding: Some(&[1.0, 2.0]),
        ..query
    };
    let refused = run(store.query(wrong)).unwrap_err();
    assert_eq!(refused.code, ErrorCode::StoreFailed);
    assert!(refused.message.contains("26 dimensions"), "{refused}");
    // Another model embeds all texts again.
    assert_eq!(filled(&host, Some("other")).embedded, 6);
}

#[test]
fn the_same_text_in_another_file_is_another_text() {
    let host = MemoryHost {
        embed: Some(letters),
        ..repository()
    };
    assert_eq!(filled(&host, Some("letters")).embedded, 6);
    let moved = host.files.borrow_mut().remove("notes/plain.md").unwrap();
    host.put("notes/zebra.md", &moved);
    assert_eq!(filled(&host, Some("letters")).embedded, 1);
}

/// Queries with a vector made of other words than the text.
fn by_both(store: &EmbeddedStore, text: &str, similar_to: &str) -> Vec<String> {
    let embedding = letters(similar_to);
    let query = Query {
        text,
        embedding: Some(&embedding),
        filters: &[],
        k: 20,
        others: None,
        history: None,
        only: None,
    };
    let rows = run(store.query(query)).unwrap();
    assert!(rows.is_sorted_by(|a, b| a.similarity >= b.similarity));
    rows.into_iter().map(|row| row.id).collect()
}

#[test]
fn terms_and_vectors_rank_together() {
    let host = MemoryHost {
        embed: Some(letters),
        ..MemoryHost::new(&[
            ("a.md", "# Apples\nxyzzy xyzzy apples\n"),
            ("b.md", "# Bees\nqqq qqq qqq bees\n"),
            ("c.md", "# Cars\nwheels and cars\n"),
        ])
    };
    filled(&host, Some("letters"));
    let store = stored(&host);
    // The first two have a term or a similar vector; the last one has neither.
    let found = by_both(&store, "apples", "qqq qqq qqq qqq");
    assert_eq!(found, ["a.md#Apples", "b.md#Bees", "c.md#Cars"]);
    // Words that no file contains leave the vectors alone.
    let found = by_both(&store, "unheard", "qqq qqq qqq qqq");
    assert_eq!(found[0], "b.md#Bees");
    // The vectors decide between files that fit the words equally well.
    let found = by_both(&store, "and apples bees", "wheels and cars");
    assert_eq!(found[0], "c.md#Cars");
}

fn document(id: &str, text: &str) -> Document {
    Document {
        id: id.to_owned(),
        text: text.to_owned(),
        ..Document::default()
    }
}

#[test]
fn documents_are_inserted_replaced_and_deleted() {
    let mut store = EmbeddedStore::default();
    let documents = vec![document("a", "red fox"), document("b", "red hen")];
    run(store.upsert(documents)).unwrap();
    assert_eq!(found(&store, "red", &[]), ["a", "b"]);
    run(store.upsert(vec![document("b", "blue"), document("b", "green hen")])).unwrap();
    assert_eq!(store.count(), 2);
    assert_eq!(found(&store, "red", &[]), ["a"]);
    let rows = run(store.get(&[], None, 9)).unwrap();
    assert_eq!(rows[1].document.as_deref(), Some("green hen"));
    run(store.delete(&["a".to_owned(), "zz".to_owned()])).unwrap();
    assert_eq!(found(&store, "fox hen", &[]), ["b"]);
}

fn foreign(reply: impl Fn(&Value) -> Value + 'static) -> MemoryHost {
    MemoryHost {
        store: Some(Box::new(reply)),
        ..MemoryHost::default()
    }
}

#[test]
fn a_foreign_store_is_queried_through_the_host() {
    let host = foreign(|request| {
        assert_eq!(request["request"], "query");
        assert_eq!(request["where"], json!({ "tags": { "$contains": "rag" } }));
        assert_eq!(request["k"], 100);
        let row = |id: &str, title: &str, value: f64| {
            json!({ "id": id, "document": "text", "value": value,
                "metadata": { "title": title, "tags": ["rag"], "other": null } })
        };
        json!({ "response": "rows", "measure": "cosine_distance",
            "rows": [row("1", "Search", 0.25), row("2", "No", 0.5), row("3", "Searching", 1.5)] })
    });
    let catalogue = Catalogue::notes();
    let store = ForeignStore::new(&host, &catalogue);
    let filters = [
        Filter::new("tags", Operator::Contains, "rag"),
        Filter::new("title", Operator::StartsWith, "Search"),
    ];
    let query = Query {
        text: "words",
        embedding: None,
        filters: &filters,
        only: None,
        k: 20,
        others: None,
        history: None,
    };
    let rows = run(store.query(query)).unwrap();
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.id.as_str(), row.similarity))
        .collect();
    assert_eq!(told, [("1", Some(0.75)), ("3", Some(0.0))]);
    assert!(!rows[0].metadata.contains_key("other"));
}

#[test]
fn a_failure_of_a_foreign_store_is_reported() {
    let catalogue = Catalogue::notes();
    for (response, why) in [
        (
            json!({ "response": "refused", "message": "there is no collection \"notes\"" }),
            "no collection",
        ),
        (json!({ "response": "done" }), "another request"),
        (json!("what"), "is invalid"),
    ] {
        let host = foreign(move |_| response.clone());
        let store = ForeignStore::new(&host, &catalogue);
        let failed = run(store.get(&[], None, 3)).unwrap_err();
        assert_eq!(failed.code, ErrorCode::StoreFailed);
        assert!(failed.message.contains(why), "{failed}");
    }
    let host = MemoryHost::default();
    let mut store = ForeignStore::new(&host, &catalogue);
    let failed = run(store.delete(&["a".to_owned()])).unwrap_err();
    assert_eq!(failed.code, ErrorCode::StoreFailed);
}

#[test]
fn distances_are_similarities() {
    for (measure, value, expected) in [
        (Measure::CosineDistance, 0.2, 0.8),
        (Measure::CosineDistance, 1.7, 0.0),
        (Measure::SquaredDistance, 1.0, 0.5),
        (Measure::InnerProductDistance, -3.0, 1.0),
        (Measure::Similarity, 0.4, 0.4),
        (Measure::Similarity, f64::NAN, 0.0),
    ] {
        assert!((measure.similarity(value) - expected).abs() < 1e-12);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_index_finds_what_a_scan_of_all_documents_finds(
        texts in prop::collection::vec("[xyz]{1,2}( [xyz]{1,2}){0,4}", 1..30),
        query in "[xyz]{1,2}( [xyz]{1,2}){0,1}",
        split in 0..30_usize,
    ) {
        let mut store = EmbeddedStore::default();
        let all: Vec<Document> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| document(&format!("{at:02}"), text))
            .collect();
        let (one, other) = all.split_at(split.min(all.len()));
        run(store.upsert(one.to_vec())).unwrap();
        run(store.upsert(other.to_vec())).unwrap();
        let query_text = Query {
            text: &query,
            embedding: None,
            filters: &[],
            only: None,
            k: 100,
            others: None,
            history: None,
        };
        let rows = run(store.query(query_text)).unwrap();
        let ids: BTreeSet<String> = rows.iter().map(|row| row.id.clone()).collect();
        let words: BTreeSet<&str> = query.split(' ').collect();
        let holds = |text: &str| text.split(' ').any(|word| words.contains(word));
        let expected = all.iter().filter(|document| holds(&document.text));
        let joined = query.replace(' ', "");
        let has_name = |text: &str| text.split(' ').any(|word| word == joined);
        let by_name = all.iter().filter(|document| has_name(&document.text));
        let expected = expected.chain(by_name).map(|document| document.id.clone());
        let expected: BTreeSet<String> = expected.collect();
        prop_assert_eq!(ids, expected);
        let few = run(store.query(Query { k: 3, ..query_text })).unwrap();
        prop_assert_eq!(&few[..], &rows[..few.len()]);
    }

    #[test]
    fn scores_by_vectors_do_not_depend_on_segments(
        texts in prop::collection::vec("[a-z]{1,4}( [a-z]{1,4}){0,4}", 1..30),
        query in "[a-z]{1,4}( [a-z]{1,4}){0,2}",
        split in 0..30_usize,
    ) {
        let all: Vec<Document> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| Document {
                embedding: Some(letters(text)),
                ..document(&format!("{at:02}"), text)
            })
            .collect();
        let (one, other) = all.split_at(split.min(all.len()));
        let mut divided = EmbeddedStore::default();
        run(divided.upsert(other.to_vec())).unwrap();
        run(divided.upsert(one.to_vec())).unwrap();
        let mut whole = EmbeddedStore::default();
        run(whole.upsert(all.clone())).unwrap();
        let embedding = letters(&query);
        let query = Query {
            text: &query,
            embedding: Some(&embedding),
            filters: &[],
            k: 100,
            others: None,
            history: None,
            only: None,
        };
        let rows = run(whole.query(query)).unwrap();
        prop_assert_eq!(rows.len(), all.len());
        prop_assert_eq!(rows, run(divided.query(query)).unwrap());
    }
}
