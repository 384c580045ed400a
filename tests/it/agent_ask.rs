//! The micro-agent's answers: found documents, their verification, and the texts for a model.

use std::collections::BTreeMap;

use proptest::prelude::*;
use ragnav::agent::answer::{AgentResult, Citation};
use ragnav::agent::ask::{AgentQuery, AskOptions, ask};
use ragnav::agent::catalogue::Catalogue;
use ragnav::agent::chunk::tokens;
use ragnav::agent::model::SupportedFormats;
use ragnav::agent::normalise::{GetResults, Hit, deduplicate_by_file, normalise_columns};
use ragnav::agent::package::{Package, PackageSettings, package};
use ragnav::agent::passage_kind::PassageKind;
use ragnav::agent::plan::{Filter, Operator, Plan, PlanMeta, PlanSource, ResponseFormat};
use ragnav::agent::store::files::StoreCache;
use ragnav::agent::store::foreign::Measure;
use ragnav::base::argument::Count;
use ragnav::base::envelope::{
    FreshnessState, Proof, RagToolSource, RagToolStatus, RouteReason, SourceTag,
};
use ragnav::base::error::ErrorCode;
use ragnav::base::host::{Buffer, Commit};
use ragnav::base::item::Match;
use ragnav::query::StalePolicy;
use serde_json::{Value, json};

use crate::agent_store::{build, filled, letters, repository};
use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

fn plan(query: &str, filters: Vec<Filter>, format: ResponseFormat) -> Plan {
    Plan {
        semantic_search_needed: !query.is_empty(),
        semantic_query: query.to_owned(),
        filters,
        response_format: format,
    }
}

/// Answers a question with a given plan.
#[derive(Clone)]
struct Question {
    plan: Plan,
    source: PlanSource,
    options: AskOptions,
    is_foreign: bool,
    embeds: bool,
    mandatory: Vec<Filter>,
}

impl Question {
    fn new(plan: Plan) -> Self {
        Self {
            plan,
            source: PlanSource::Deterministic,
            options: AskOptions::default(),
            is_foreign: false,
            embeds: false,
            mandatory: Vec::new(),
        }
    }

    fn ask(&self, host: &MemoryHost) -> AgentResult {
        self.ask_with(host, &StoreCache::default())
    }

    fn ask_with(&self, host: &MemoryHost, cache: &StoreCache) -> AgentResult {
        let plan = PlanMeta {
            mandatory: 0,
            source: self.source,
            plan: self.plan.clone(),
            repairs: Vec::new(),
            warnings: Vec::new(),
            dropped: Vec::new(),
        };
        let asking = AgentQuery {
            question: "the question",
            plan,
            catalogue: &Catalogue::notes(),
            mandatory: &self.mandatory,
            options: &self.options,
            cache,
            is_foreign: self.is_foreign,
            embeds: self.embeds,
            model: None,
        };
        let answer = run(ask(
            host,
            &settings(),
            &asking,
            &mut SupportedFormats::default(),
        ));
        assert_eq!(answer.items, answer.results);
        assert_eq!(answer.source, answer.meta.source);
        assert_eq!(answer.freshness_state, answer.meta.freshness_state);
        assert!(answer.meta.plan.is_some());
        answer
    }
}

fn semantic(query: &str) -> Question {
    Question::new(plan(query, Vec::new(), ResponseFormat::SelectiveContext))
}

fn contents(answer: &AgentResult) -> Vec<(&str, &str)> {
    let items = answer.items.iter().filter_map(|item| match &item.package {
        Package::Context(package) => Some((package.id.as_str(), package.content.as_str())),
        Package::Metadata(_) => None,
    });
    items.collect()
}

fn state(
    answer: &AgentResult,
) -> (
    RagToolStatus,
    RagToolSource,
    FreshnessState,
    Option<RouteReason>,
) {
    let meta = &answer.meta;
    (meta.status, meta.source, meta.freshness_state, meta.reason)
}

const OK: (
    RagToolStatus,
    RagToolSource,
    FreshnessState,
    Option<RouteReason>,
) = (
    RagToolStatus::Ok,
    RagToolSource::RagGraph,
    FreshnessState::Fresh,
    Some(RouteReason::HeadMatches),
);

fn fallback(
    freshness: FreshnessState,
    reason: RouteReason,
) -> (
    RagToolStatus,
    RagToolSource,
    FreshnessState,
    Option<RouteReason>,
) {
    (
        RagToolStatus::Fallback,
        RagToolSource::LocalFallback,
        freshness,
        Some(reason),
    )
}

#[test]
fn ask_returns_proven_passages_with_citations() {
    let host = repository();
    filled(&host, None);
    let answer = semantic("check the password").ask(&host);
    assert_eq!(state(&answer), OK);
    let (id, content) = contents(&answer)[0];
    assert_eq!(id, "auth/login.py#Login.check_password");
    assert_eq!(
        content,
        "    def check_password(self, word):\n        return word == 'x'"
    );
    let first = &answer.items[0];
    let citation = Citation {
        path: "auth/login.py".to_owned(),
        start_line: Some(4),
        end_line: Some(5),
        heading: Some("Login.check_password".to_owned()),
    };
    assert_eq!(first.citation, Some(citation));
    assert_eq!(
        (first.source, first.proof, first.r#match),
        (SourceTag::RagGraph, Proof::Hash, None)
    );
    let wire = serde_json::to_value(&answer).unwrap();
    assert_eq!(wire["meta"]["retrieval"]["k"], 20);
    assert_eq!(wire["meta"]["retrieval"]["mode"], "semantic");
    assert_eq!(wire["meta"]["retrieval"]["where"], Value::Null);
    assert_eq!(wire["meta"]["plan"]["source"], "deterministic");
    assert_eq!(wire["items"][0]["title"], "Login.check_password");
    assert_eq!(wire["items"][0]["metadata"]["kind"], "method");
}

#[test]
fn a_listing_needs_no_text_and_reads_no_file() {
    let host = repository();
    filled(&host, None);
    let tagged = Filter::new("tags", Operator::Contains, "rag");
    let listing = Question::new(plan("", vec![tagged], ResponseFormat::MetadataOnly));
    host.requested.borrow_mut().clear();
    let answer = listing.ask(&host);
    assert_eq!(state(&answer), OK);
    assert_eq!(answer.items.len(), 1);
    let wire = serde_json::to_value(&answer.items[0]).unwrap();
    assert_eq!(wire["tags"], json!(["rag"]));
    assert_eq!(
        (&wire["title"], &wire["heading"]),
        (&json!("Search"), &json!("Ranking"))
    );
    assert_eq!(
        (&wire["siblings"], &wire["proof"]),
        (&json!(1), &json!("stat"))
    );
    assert!(wire.get("content").is_none());
    let retrieval = answer.meta.retrieval.unwrap();
    assert_eq!(
        retrieval["where"],
        json!({ "tags": { "$contains": "rag" } })
    );
    assert_eq!(
        (&retrieval["k"], &retrieval["mode"]),
        (&json!(100), &json!("metadata"))
    );
    assert_eq!(
        (&retrieval["returned"], &retrieval["collapsed"]),
        (&json!(2), &json!(1))
    );
}

#[test]
fn documents_of_a_changed_file_are_matched_or_omitted() {
    let host = repository();
    filled(&host, None);
    let moved = "# new first line\n\n\n\
         class Login:\n    \
         def check_password(self, word):\n        \
         return False\n";
    host.put("auth/login.py", moved.as_bytes());
    let mut question = semantic("check password log out");
    question.options.deduplicate = Some(false);
    let answer = question.ask(&host);
    assert_eq!(
        state(&answer),
        fallback(FreshnessState::Stale, RouteReason::FilesChanged)
    );
    let all = contents(&answer);
    let (_, content) = all
        .iter()
        .find(|(id, _)| id.ends_with("check_password"))
        .unwrap();
    assert_eq!(
        *content,
        "    def check_password(self, word):\n        return False"
    );
    assert!(!all.iter().any(|(id, _)| id.ends_with("log_out")));
    let item = &answer.items[0];
    assert_eq!(
        (item.source, item.freshness_state),
        (SourceTag::LocalFallback, FreshnessState::Fresh)
    );
    assert_eq!(
        (item.proof, item.r#match),
        (Proof::Live, Some(Match::Moved))
    );
    assert_eq!(item.citation.as_ref().unwrap().start_line, Some(5));
    assert_eq!(answer.meta.retrieval.as_ref().unwrap()["rebound"], 1);
    // A file that is gone.
    host.files.borrow_mut().remove("auth/login.py");
    let answer = question.ask(&host);
    assert_eq!(contents(&answer), []);
    assert_eq!(
        state(&answer),
        fallback(FreshnessState::Stale, RouteReason::FilesChanged)
    );
}

#[test]
fn new_documents_are_found_before_a_build() {
    let host = repository();
    filled(&host, None);
    let text = "# Ranking\nBM25 ranks passages by terms.\n\n# Zebras\nA zebra has stripes.\n";
    host.put("notes/search.md", text.as_bytes());
    host.put("notes/new.md", b"Another zebra.\n");
    let answer = semantic("zebra").ask(&host);
    let mut ids: Vec<&str> = contents(&answer).iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["notes/new.md#", "notes/search.md#Zebras"]);
    for item in &answer.items {
        assert_eq!((item.proof, item.r#match), (Proof::Live, None));
    }
}

#[test]
fn without_a_store_the_query_chunks_the_files() {
    let host = repository();
    build(&host);
    let question = semantic("password");
    let cache = StoreCache::default();
    let divided = question.ask_with(&host, &cache);
    // The documents stay in memory, and the next answer is equal.
    assert_eq!(question.ask_with(&host, &cache), divided);
    assert_eq!(
        state(&divided),
        fallback(FreshnessState::Unknown, RouteReason::DocumentsMissing)
    );
    assert_eq!(
        divided.meta.message.as_deref(),
        Some(
            "Some documents of this answer are not in the store. Run `build-graph` to add them. Read \
             live. Documents were built for this query."
        )
    );
    let files = divided.meta.files.unwrap();
    assert_eq!((files.graph, files.live), (0, 1));
    assert_eq!(divided.items[0].freshness_state, FreshnessState::Fresh);
    filled(&host, None);
    let stored = question.ask(&host);
    assert_eq!(state(&stored), OK);
    assert_eq!(contents(&stored), contents(&divided));
    question_refuses_what_is_not_there(&question);
}

#[test]
fn filters_are_met_before_the_best_files_are_chosen() {
    let code = (0..300).map(|at| {
        let text = "def zebra():\n    return zebra_stripes()\n".to_owned();
        (format!("zebra_{at}.py"), text)
    });
    let note = "---\ntags: [rare]\n---\n# Animals\nA horse, an okapi and a zebra.\n".to_owned();
    let texts: Vec<(String, String)> = code.chain([("docs/n.md".to_owned(), note)]).collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let host = MemoryHost::new(&files);
    filled(&host, None);
    let tagged = Filter::new("tags", Operator::Contains, "rare");
    let format = ResponseFormat::SelectiveContext;
    let found = Question::new(plan("zebra", vec![tagged], format)).ask(&host);
    assert_eq!(contents(&found)[0].0, "docs/n.md#Animals");
}

/// Code, docs and tests about zebras, with so many files of code that others have no place.
fn zebras() -> MemoryHost {
    let code = (0..300).map(|at| {
        let text = "def zebra():\n    return zebra_stripes()\n".to_owned();
        (format!("zebra_{at}.py"), text)
    });
    let other = (0..300).map(|at| {
        let text = if at % 2 == 0 { "" } else { "x = 1\n" };
        (format!("src/o{at}.py"), text.to_owned())
    });
    let rest = [
        (
            "docs/animals.txt",
            "Animals\n=======\n\nA horse and a zebra. Or two.\n",
        ),
        ("CHANGES", "A zebra was added.\n"),
        ("tests/README.adoc", "= Tests\n\nHow a zebra is tested.\n"),
        (
            "tests/test_herd.py",
            "class HerdTest:\n    def test_one(self):\n        \
             \"\"\"A herd has a zebra.\"\"\"\n        assert zebra()\n",
        ),
    ];
    let rest = rest.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let texts: Vec<(String, String)> = code.chain(other).chain(rest).collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    MemoryHost::new(&files)
}

fn paths(answer: &AgentResult) -> Vec<&str> {
    let citations = answer
        .items
        .iter()
        .filter_map(|item| item.citation.as_ref());
    let mut paths: Vec<&str> = citations.map(|citation| &*citation.path).collect();
    paths.sort_unstable();
    paths
}

#[test]
fn files_without_words_count_for_nothing_before_and_after_a_build() {
    let host = zebras();
    let question = semantic("a herd of zebras with a horse");
    let scores = |answer: AgentResult| -> Vec<Option<f64>> {
        answer.items.iter().map(|item| item.score).collect()
    };
    let before = scores(question.ask(&host));
    filled(&host, None);
    assert_eq!(before, scores(question.ask(&host)));
}

#[test]
fn a_question_may_be_about_one_kind_of_passages_only() {
    let host = zebras();
    let of = |only| {
        let mut question = semantic("zebra");
        question.options.only = Some(only);
        question
    };
    let docs = ["CHANGES", "docs/animals.txt", "tests/README.adoc"];
    let check = |why| {
        assert_eq!(paths(&of(PassageKind::Docs).ask(&host)), docs, "{why}");
        let tests = of(PassageKind::Tests).ask(&host);
        assert_eq!(paths(&tests), ["tests/test_herd.py"], "{why}");
        let code = of(PassageKind::Code).ask(&host);
        assert_eq!(code.items.len(), 20, "{why}");
        assert!(paths(&code).iter().all(|path| path.starts_with("zebra_")));
        (tests, code)
    };
    let (tests, code) = check("without an index");
    filled(&host, None);
    let (stored_tests, stored_code) = check("with a store");
    let score = |answer: &AgentResult| answer.items[0].score;
    assert_eq!(score(&tests), score(&stored_tests));
    assert_eq!(score(&code), score(&stored_code));
    // A listing has no query.
    let mut listing = Question::new(plan("", Vec::new(), ResponseFormat::MetadataOnly));
    listing.options.only = Some(PassageKind::Docs);
    assert_eq!(paths(&listing.ask(&host)), docs);
    // Nor does a retry without the filters of a model return other kinds.
    let mut retried = of(PassageKind::Docs);
    retried.plan.filters = vec![Filter::new("tags", Operator::Contains, "invented")];
    retried.source = PlanSource::Llm;
    let retried = retried.ask(&host);
    assert_eq!(retried.meta.retrieval.as_ref().unwrap()["relaxed"], true);
    assert_eq!(paths(&retried), docs);
}

#[test]
fn a_foreign_store_is_asked_until_it_has_enough_of_a_kind() {
    let mut host = repository();
    host.store = Some(Box::new(|request| {
        let k = usize::try_from(request["k"].as_u64().unwrap()).unwrap();
        let rows = (0..600).take(k).map(|at| {
            let path = match at {
                550 => "C:\\notes\\a.md".to_owned(),
                551 => "/home/me/notes/b.md".to_owned(),
                552 => String::new(),
                at => format!("src/{at}.py"),
            };
            json!({ "id": at.to_string(), "document": "x", "metadata": { "source": path },
                "value": 0.5 })
        });
        let rows: Vec<Value> = rows.collect();
        json!({ "response": "rows", "measure": "similarity", "rows": rows })
    }));
    let mut question = semantic("words");
    question.is_foreign = true;
    question.options.only = Some(PassageKind::Docs);
    let ids: Vec<String> = contents(&question.ask(&host))
        .iter()
        .map(|(id, _)| (*id).to_owned())
        .collect();
    assert_eq!(ids, ["550", "551"]);
}

#[test]
fn passages_say_what_they_are_and_where_the_terms_are() {
    let host = zebras();
    let mut question = semantic("how is a zebra tested");
    let described = |answer: &AgentResult| {
        let items = answer.items.iter();
        let described = items.map(|item| (item.about.clone(), item.summary.clone()));
        described.collect::<Vec<_>>()
    };
    let sentence = |text: &str| Some(text.to_owned());
    question.options.only = Some(PassageKind::Tests);
    let test = question.ask(&host);
    assert_eq!(
        described(&test),
        [(
            "method of HerdTest · test".to_owned(),
            sentence("A herd has a zebra.")
        )]
    );
    let Package::Context(package) = &test.items[0].package else {
        panic!("{test:?}");
    };
    let marked: Vec<&str> = test.items[0]
        .highlights_utf16
        .iter()
        .map(|(start, end)| &package.content[*start as usize..*end as usize])
        .collect();
    assert_eq!(marked, ["test", "zebra", "zebra"]);
    question.options.only = Some(PassageKind::Docs);
    let mut docs = described(&question.ask(&host));
    docs.sort();
    assert_eq!(
        docs,
        [
            (
                "section of README.adoc · test".to_owned(),
                sentence("How a zebra is tested.")
            ),
            (
                "section of animals.txt".to_owned(),
                sentence("A horse and a zebra.")
            ),
            ("text of CHANGES".to_owned(), sentence("A zebra was added.")),
        ]
    );
}

#[test]
fn without_a_store_only_the_files_that_fit_best_are_chunked() {
    let texts: Vec<(String, String)> = (0..700)
        .map(|at| {
            let body = ["queue", "cache", "route"][at % 3];
            (
                format!("m{at}.py"),
                format!("def {body}_{at}():\n    return fill_{body}()\n"),
            )
        })
        .chain([(
            "cache.py".to_owned(),
            "def fill_cache():\n    \"\"\"Fills it.\"\"\"\n".to_owned(),
        )])
        .collect();
    let files: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let host = MemoryHost::new(&files);
    let question = semantic("how does it fill the cache?");
    let cache = StoreCache::default();
    let found = question.ask_with(&host, &cache);
    assert_eq!(contents(&found)[0].0, "cache.py#fill_cache");
    assert!(found.meta.message.clone().unwrap().contains("fit best"));
    // The answer is the same again, with an index, and with a store of all documents.
    assert_eq!(question.ask_with(&host, &cache), found);
    let scores = |answer: &AgentResult| {
        let all = answer.items.iter().map(|item| item.score);
        all.collect::<Vec<_>>()
    };
    build(&host);
    let cache = StoreCache::default();
    for indexed in [
        question.ask_with(&host, &cache),
        question.ask_with(&host, &cache),
    ] {
        assert_eq!(contents(&indexed), contents(&found));
        assert_eq!(scores(&indexed), scores(&found));
    }
    filled(&host, None);
    let stored = question.ask(&host);
    assert_eq!(contents(&stored), contents(&found));
    assert_eq!(scores(&stored), scores(&found));
}

fn question_refuses_what_is_not_there(question: &Question) {
    let host = repository();
    host.files.borrow_mut().clear();
    let mut question = question.clone();
    question.options.stale_policy = Some(StalePolicy::Error);
    let refused = question.ask(&host);
    assert_eq!(refused.meta.error_code, Some(ErrorCode::StaleIndex.into()));
}

#[test]
fn a_changed_note_must_still_meet_the_filters() {
    let host = repository();
    filled(&host, None);
    let text = "---\ntags: [other]\n---\n# Ranking\nBM25 ranks.\n";
    host.put("notes/search.md", text.as_bytes());
    let tagged = Filter::new("tags", Operator::Contains, "rag");
    let answer = Question::new(plan("", vec![tagged], ResponseFormat::MetadataOnly)).ask(&host);
    assert_eq!(answer.items, []);
    assert_eq!(
        state(&answer),
        fallback(FreshnessState::Stale, RouteReason::FilesChanged)
    );
}

#[test]
fn unsaved_buffers_replace_files() {
    let host = MemoryHost {
        buffers: vec![Buffer {
            path: "notes/plain.md".to_owned(),
            text: "Just a line about [[Search]].\n".to_owned(),
        }],
        ..repository()
    };
    filled(&host, None);
    let answer = semantic("line about").ask(&host);
    assert_eq!(
        (state(&answer), answer.items[0].proof),
        (OK, Proof::Overlay)
    );
}

#[test]
fn an_index_of_another_commit_or_a_missing_one() {
    let host = repository();
    filled(&host, None);
    let host = MemoryHost {
        head: Some("f".repeat(40)),
        ..host
    };
    let question = semantic("password");
    let answer = question.ask(&host);
    assert_eq!(
        state(&answer),
        fallback(FreshnessState::Stale, RouteReason::HeadMoved)
    );
    assert_eq!(answer.items[0].freshness_state, FreshnessState::Fresh);
    host.files
        .borrow_mut()
        .remove(".llmc/rag/index_status.json");
    let answer = question.ask(&host);
    assert_eq!(
        state(&answer),
        fallback(FreshnessState::Unknown, RouteReason::NoStatus)
    );
    assert_eq!(answer.items.len(), 1);
}

#[test]
fn an_empty_answer_is_proven_by_all_files() {
    let host = repository();
    filled(&host, None);
    let question = semantic("zebra");
    assert_eq!(
        (question.ask(&host).items.len(), state(&question.ask(&host))),
        (0, OK)
    );
    host.put("notes/zebra.md", b"A zebra.\n");
    let stale = fallback(FreshnessState::Stale, RouteReason::FilesChanged);
    assert_eq!(state(&question.ask(&host)), stale);
    // The index is newer than the store, which lacks its documents.
    build(&host);
    let made = fallback(FreshnessState::Unknown, RouteReason::DocumentsMissing);
    let answer = question.ask(&host);
    assert_eq!((state(&answer), answer.items.len()), (made, 1));
    filled(&host, None);
    let answer = question.ask(&host);
    assert_eq!((state(&answer), answer.items.len()), (OK, 1));
}

#[test]
fn policies() {
    let host = repository();
    filled(&host, None);
    host.put("auth/login.py", b"def other():\n    pass\n");
    let mut question = semantic("password");
    question.options.stale_policy = Some(StalePolicy::Error);
    let refused = question.ask(&host);
    assert_eq!(refused.meta.error_code, Some(ErrorCode::StaleIndex.into()));
    question.options.stale_policy = Some(StalePolicy::Allow);
    let answer = question.ask(&host);
    assert_eq!(answer.meta.status, RagToolStatus::Ok);
    assert_eq!(answer.freshness_state, FreshnessState::Stale);
    let item = &answer.items[0];
    assert_eq!(
        (item.freshness_state, item.proof),
        (FreshnessState::Stale, Proof::None)
    );
    assert_eq!(contents(&answer)[0].1, "", "no text of what is not proven");
}

#[test]
fn filters_of_a_model_without_matches_are_dropped() {
    let host = repository();
    filled(&host, None);
    let wrong = Filter::new("tags", Operator::Contains, "invented");
    let mut question = semantic("password");
    question.plan.filters.push(wrong);
    assert_eq!(question.ask(&host).items, []);
    question.source = PlanSource::Llm;
    let answer = question.ask(&host);
    assert_eq!(answer.items.len(), 1);
    assert_eq!(answer.meta.retrieval.as_ref().unwrap()["relaxed"], true);
    assert!(answer.meta.message.unwrap().contains("without them"));
    // Mandatory filters are never dropped.
    question.mandatory = vec![Filter::new("path", Operator::StartsWith, "notes/")];
    assert_eq!(question.ask(&host).items, []);
}

#[test]
fn documents_of_a_foreign_collection_are_unproven() {
    let mut host = repository();
    filled(&host, None);
    host.store = Some(Box::new(|request| {
        assert_eq!(request["k"], 20);
        assert!(request["embedding"].is_null());
        json!({ "response": "rows", "measure": "similarity", "rows": [
            { "id": "1", "document": "one", "metadata": { "file_path": "a.md" }, "value": 0.9 },
            { "id": "2", "document": "two", "metadata": { "file_path": "a.md" }, "value": 0.8 },
            { "id": "3", "document": "three", "metadata": {}, "value": 0.7 },
        ] })
    }));
    let mut question = semantic("words");
    question.is_foreign = true;
    let answer = question.ask(&host);
    assert_eq!(
        state(&answer),
        fallback(FreshnessState::Unknown, RouteReason::FilesUnknown)
    );
    assert_eq!(contents(&answer), [("1", "one"), ("3", "three")]);
    let item = &answer.items[0];
    assert_eq!(
        (item.freshness_state, item.proof, item.siblings),
        (FreshnessState::Unknown, Proof::None, 1)
    );
    assert_eq!(answer.items[1].citation, None);
}

#[test]
fn a_question_is_embedded_if_the_store_has_vectors() {
    let host = MemoryHost {
        embed: Some(letters),
        ..repository()
    };
    filled(&host, Some("letters"));
    let mut question = semantic("cosine vectors cosine of two");
    question.embeds = true;
    question.options.limit = Count::new(1);
    host.requested.borrow_mut().clear();
    let answer = question.ask(&host);
    assert!(host.requested.borrow().contains(&"embed"));
    assert_eq!(contents(&answer)[0].0, "notes/search.md#Vectors");
    assert_eq!(answer.meta.retrieval.unwrap()["k"], 4);
}

fn hit(id: &str, file: Option<&str>, text: &str) -> Hit {
    Hit {
        id: id.to_owned(),
        document: Some(text.to_owned()),
        file_path: file.map(str::to_owned),
        ..Hit::default()
    }
}

#[test]
fn the_first_of_each_file_is_kept() {
    let hits = vec![
        hit("1", Some("a"), ""),
        hit("2", Some("b"), ""),
        hit("3", Some("a"), ""),
        hit("4", None, ""),
        hit("5", None, ""),
        hit("6", Some("a"), ""),
    ];
    let kept = deduplicate_by_file(hits);
    let kept: Vec<_> = kept
        .iter()
        .map(|hit| (hit.id.as_str(), hit.siblings))
        .collect();
    assert_eq!(kept, [("1", 2), ("2", 0), ("4", 0), ("5", 0)]);
}

#[test]
fn columns_become_rows() {
    let columns: GetResults = serde_json::from_value(json!({
        "ids": ["1", "2"],
        "documents": ["one", null],
        "metadatas": [{ "file_path": "a", "n": 1 }, null]
    }))
    .unwrap();
    let hits = normalise_columns(columns.clone(), None).unwrap();
    let wire = serde_json::to_value(&hits).unwrap();
    let second = json!({ "id": "2", "document": null, "metadata": {}, "score": null, "rank": 2,
        "file_path": null, "siblings": 0 });
    assert_eq!(wire[1], second);
    assert_eq!(
        (&wire[0]["file_path"], &wire[0]["metadata"]["n"]),
        (&json!("a"), &json!(1))
    );
    let with = GetResults {
        distances: Some(vec![Some(0.5), None]),
        ..columns.clone()
    };
    let hits = normalise_columns(with, Some(Measure::CosineDistance)).unwrap();
    assert_eq!((hits[0].score, hits[1].score), (Some(0.5), None));
    let short = GetResults {
        documents: Some(vec![None]),
        ..columns
    };
    assert!(normalise_columns(short, None).is_err());
}

#[test]
fn packages_have_the_documented_fields() {
    let metadata: BTreeMap<_, _> = [("title".to_owned(), "T".into())].into();
    let one = Hit {
        metadata: metadata.into_iter().collect(),
        ..hit("1", Some("a/b.md"), "text")
    };
    let context = serde_json::to_value(Package::selective_context(&one)).unwrap();
    assert_eq!(
        context,
        json!({ "id": "1", "title": "T", "content": "text", "metadata": { "title": "T" } })
    );
    let listed =
        serde_json::to_value(Package::metadata_only(&hit("1", Some("a/b.md"), ""))).unwrap();
    assert_eq!(
        listed,
        json!({ "id": "1", "title": "b.md", "heading": null, "tags": [] })
    );
}

const CONTEXT: ResponseFormat = ResponseFormat::SelectiveContext;

#[test]
fn a_first_result_over_the_budget_is_truncated() {
    let text = "first line\nsecond line\nthird line\n".repeat(20);
    let hits = [hit("1", None, &text), hit("2", None, "short")];
    let packaged = package(
        &hits,
        PackageSettings {
            format: CONTEXT,
            budget: 7,
        },
    );
    let [(0, Package::Context(only))] = &packaged.packages[..] else {
        panic!("{packaged:?}");
    };
    assert_eq!(only.content, "first line\nsecond line");
    assert_eq!((packaged.is_truncated, packaged.omitted), (true, 1));
    let packaged = package(
        &hits,
        PackageSettings {
            format: CONTEXT,
            budget: 1,
        },
    );
    assert!(
        matches!(&packaged.packages[..], [(0, Package::Context(only))] if only.content == "firs")
    );
}

#[test]
fn a_document_that_does_not_fit_gives_way_to_whole_ones() {
    let long = "a line\n".repeat(40);
    let hits = [
        hit("1", None, "first\n"),
        hit("2", None, &long),
        hit("3", None, "third\n"),
    ];
    let settings = PackageSettings {
        format: CONTEXT,
        budget: 8,
    };
    let packaged = package(&hits, settings);
    let kept: Vec<usize> = packaged.packages.iter().map(|(at, _)| *at).collect();
    assert_eq!(kept, [0, 2]);
    assert_eq!((packaged.is_truncated, packaged.omitted), (false, 1));
}

#[test]
fn documents_of_other_encodings_are_found() {
    let host = repository();
    host.put(
        "notes/caf\u{e9}.md",
        b"# Roasting\nA caf\xe9 roasts beans.\n",
    );
    host.put(
        "src/mill.py",
        b"# coding: latin-1\ndef roast():\n    \"\"\"For the caf\xe9.\"\"\"\n",
    );
    let live = semantic("roasts beans caf\u{e9}").ask(&host);
    let texts: Vec<&str> = contents(&live).into_iter().map(|(_, text)| text).collect();
    assert!(
        texts
            .iter()
            .any(|text| text.contains("A caf\u{fffd} roasts beans.")),
        "{texts:?}"
    );
    assert!(
        texts.iter().any(|text| text.contains("For the caf\u{e9}.")),
        "{texts:?}"
    );
    filled(&host, None);
    let stored = semantic("roasts beans caf\u{e9}").ask(&host);
    assert_eq!(stored.meta.status, RagToolStatus::Ok);
    assert_eq!(contents(&stored), contents(&live));
}

#[test]
fn the_history_orders_passages_that_fit_equally() {
    let text = b"# Refunds\nHow to refund an order.\n";
    let host = MemoryHost::default();
    for name in ["a.md", "b.md"] {
        host.put(name, text);
    }
    let commits = vec![Commit {
        files: vec!["b.md".to_owned()],
    }];
    let host = MemoryHost { commits, ..host };
    let mut question = semantic("refund an order");
    let first = |question: &Question| {
        let answer = question.ask(&host);
        answer.items[0].citation.as_ref().unwrap().path.clone()
    };
    assert_eq!(first(&question), "a.md");
    question.options.history = Some(true);
    assert_eq!(first(&question), "b.md");
    question.is_foreign = true;
    let store = |_: &Value| json!({ "response": "rows", "measure": "similarity", "rows": [] });
    let host = MemoryHost {
        store: Some(Box::new(store)),
        ..MemoryHost::default()
    };
    let message = question.ask(&host).meta.message.unwrap();
    assert!(
        message.contains("The history does not count: the store of the caller"),
        "{message}"
    );
}

/// Files of notes, of code and of other kinds, with their possible contents.
const NAMES: [&str; 4] = ["notes/a.md", "notes/b.md", "src/c.py", "d.txt"];
const TEXTS: [&str; 5] = [
    "# Zebras\nA zebra has stripes. #animals\n\n# Lions\nA lion has a mane.\n",
    "# Lions\nA lion sleeps beside the zebra.\n",
    "def zebra():\n    return lion\n\n\ndef lion():\n    pass\n",
    "zebra",
    "",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn answers_are_equal_before_and_after_a_build(
        edits in prop::collection::vec((0..NAMES.len(), prop::option::of(0..TEXTS.len())), 1..8),
        is_stored in any::<bool>(),
        counts_history in any::<bool>(),
    ) {
        let commits: Vec<Commit> = NAMES[1..].iter().map(|name| Commit {
            files: vec![(*name).to_owned()],
        }).collect();
        let host = MemoryHost { commits: commits.clone(), ..repository() };
        if is_stored {
            filled(&host, None);
        }
        let cache = StoreCache::default();
        let mut question = semantic("zebra and lion");
        question.options.deduplicate = Some(false);
        question.options.history = Some(counts_history);
        for (name, text) in edits {
            match text.and_then(|text| TEXTS.get(text)) {
                Some(text) => host.put(NAMES[name], text.as_bytes()),
                None => { host.files.borrow_mut().remove(NAMES[name]); }
            }
            let before = question.ask_with(&host, &cache);
            let built = MemoryHost {
                files: host.files.clone(),
                head: host.head.clone(),
                git_root: host.git_root.clone(),
                commits: commits.clone(),
                ..MemoryHost::default()
            };
            filled(&built, None);
            let after = question.ask(&built);
            prop_assert_eq!(after.meta.status, RagToolStatus::Ok);
            prop_assert_eq!(contents(&before), contents(&after));
            let scores = |answer: &AgentResult| -> Vec<_> {
                answer.items.iter().map(|item| item.score).collect()
            };
            prop_assert_eq!(scores(&before), scores(&after));
            for item in &before.items {
                prop_assert_eq!(item.freshness_state, FreshnessState::Fresh);
                let is_indexed = item.source == SourceTag::RagGraph;
                prop_assert!(is_indexed || before.meta.status == RagToolStatus::Fallback);
            }
        }
    }
}

proptest! {
    #[test]
    fn no_package_is_over_its_budget(
        texts in prop::collection::vec("([a-zé😀 ]{0,30}\n){0,8}", 0..8),
        budget in 1..60_usize,
    ) {
        let hits = texts.iter().enumerate();
        let hits: Vec<Hit> = hits.map(|(at, text)| hit(&at.to_string(), None, text)).collect();
        let packaged = package(&hits, PackageSettings { format: CONTEXT, budget });
        let all: usize = packaged.packages.iter().map(|(_, package)| match package {
            Package::Context(package) => tokens(&package.content),
            Package::Metadata(_) => 0,
        }).sum();
        prop_assert!(all <= budget);
        prop_assert!(packaged.packages.is_sorted_by_key(|(at, _)| *at));
        let is_cut = |at: usize| {
            packaged.packages.iter().any(|(own, package)| match package {
                Package::Context(package) => *own == at && package.content != texts[at],
                Package::Metadata(_) => false,
            })
        };
        // Only the first document is ever cut, and nothing is left out that would fit.
        prop_assert!((1..texts.len()).all(|at| !is_cut(at)));
        prop_assert_eq!(packaged.is_truncated, !texts.is_empty() && is_cut(0));
        let is_in = |at: usize| packaged.packages.iter().any(|(own, _)| *own == at);
        for at in (0..texts.len()).filter(|at| !is_in(*at)) {
            let before: usize = packaged.packages.iter().map(|(own, package)| match package {
                Package::Context(package) if *own < at => tokens(&package.content),
                _ => 0,
            }).sum();
            prop_assert!(before + tokens(&texts[at]) > budget);
        }
        prop_assert_eq!(packaged.packages.len() + packaged.omitted, hits.len());
        prop_assert_eq!(packaged.packages.is_empty(), hits.is_empty());
        for (at, package) in &packaged.packages {
            let Package::Context(package) = package else { panic!("without text") };
            prop_assert!(texts[*at].starts_with(&package.content));
        }
    }
}
