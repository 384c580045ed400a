//! Plans without a model: fixed questions in several time zones, over ends of years and clock
//! changes, and random ones.

use ragnav::agent::calendar::Day;
use ragnav::agent::catalogue::Catalogue;
use ragnav::agent::clock::Utc;
use ragnav::agent::deterministic::plan;
use ragnav::agent::plan::{PlanMeta, PlanWarningCode};
use ragnav::agent::validate::Mandatory;
use serde_json::{Value, json};

use crate::time_zones::{Zone, clock, zone, zones};

/// 2024-05-15T12:00:00Z, a Wednesday.
const NOW: i64 = 1_715_774_400;

fn notes(question: &str) -> PlanMeta {
    plan(
        question,
        &Catalogue::notes(),
        clock(&Utc, NOW),
        &Mandatory::default(),
    )
}

fn code(question: &str) -> PlanMeta {
    plan(
        question,
        &Catalogue::code(),
        clock(&Utc, NOW),
        &Mandatory::default(),
    )
}

/// Prints filters as `field operator value`, with dates as days in UTC.
fn shown(meta: &PlanMeta) -> Vec<String> {
    let show = |filter: &ragnav::agent::plan::Filter| {
        let value = serde_json::to_value(&filter.value).unwrap();
        let value = match value.as_i64() {
            Some(at) if at > 100_000 => Day::new(at.div_euclid(86_400)).to_string(),
            _ => value.to_string().trim_matches('"').to_owned(),
        };
        format!("{} {} {value}", filter.field, filter.operator.name())
    };
    meta.plan.filters.iter().map(show).collect()
}

fn wire(meta: &PlanMeta) -> Value {
    serde_json::to_value(&meta.plan).unwrap()
}

#[test]
fn lists_are_of_a_kind_of_document() {
    for (question, filters, query) in [
        (
            "list functions in shop/prices.py",
            vec!["kind eq function", "path like %shop/prices.py"],
            "",
        ),
        (
            "show me all Python classes about caching",
            vec!["language eq python", "kind eq class"],
            "caching",
        ),
        (
            "which methods check passwords?",
            vec!["kind eq method"],
            "check passwords",
        ),
        // A topic is no kind of document.
        ("find code about functions", vec![], "code about functions"),
        ("how are functions linked?", vec![], "functions linked"),
    ] {
        let meta = code(question);
        let mut expected = filters;
        expected.sort_unstable();
        let mut found = shown(&meta);
        found.sort_unstable();
        assert_eq!(found, expected, "{question}");
        assert_eq!(meta.plan.semantic_query, query, "{question}");
    }
}

#[test]
fn wikilink() {
    let expected = json!({
        "semantic_search_needed": false,
        "semantic_query": "",
        "filters": [{"field": "wikilinks", "operator": "contains", "value": "project"}],
        "response_format": "metadata_only",
    });
    assert_eq!(
        wire(&notes("notes containing wikilink [[project]]")),
        expected
    );
}

#[test]
fn tagged_files() {
    let expected = json!({
        "semantic_search_needed": false,
        "semantic_query": "",
        "filters": [{"field": "tags", "operator": "contains", "value": "project-hydra"}],
        "response_format": "metadata_only",
    });
    assert_eq!(
        wire(&notes("List all files tagged with 'project-hydra'.")),
        expected
    );
}

#[test]
fn tagged_files_of_a_level() {
    let expected = json!({
        "semantic_search_needed": false,
        "semantic_query": "",
        "filters": [
            {"field": "tags", "operator": "contains", "value": "project-hydra"},
            {"field": "level", "operator": "eq", "value": 2},
        ],
        "response_format": "metadata_only",
    });
    let meta = notes("Show me all files tagged 'project-hydra' that are level 2 headings");
    assert_eq!(wire(&meta), expected);
}

#[test]
fn questions_with_a_semantic_query() {
    for (question, query, format) in [
        (
            "What are my thoughts on modern application state management?",
            "modern application state management",
            "selective_context",
        ),
        (
            "What have I written about threat intelligence?",
            "threat intelligence",
            "metadata_only",
        ),
        ("find my notes about RAG", "RAG", "metadata_only"),
        (
            "how does the retry ladder work?",
            "retry ladder work",
            "selective_context",
        ),
        (
            "Show me how sessions are polled",
            "sessions are polled",
            "selective_context",
        ),
        (
            "how many notes mention rust",
            "mention rust",
            "metadata_only",
        ),
        (
            "summarise the discussion on \"exact phrases\"",
            "discussion on \"exact phrases\"",
            "selective_context",
        ),
        ("to be or not to be", "not", "selective_context"),
        ("what is it about", "it", "selective_context"),
        ("and so on", "so", "selective_context"),
        ("关于安全的笔记", "关于安全的笔记", "selective_context"),
        ("C# and issue #12", "C# and issue #12", "selective_context"),
        (
            "is http://example.com/a:b down",
            "http://example.com/a:b down",
            "selective_context",
        ),
        (
            "std::fs::read in wasm",
            "std::fs::read in wasm",
            "selective_context",
        ),
        (
            "don't repeat 'yourself",
            "don't repeat yourself",
            "selective_context",
        ),
    ] {
        let meta = notes(question);
        assert!(meta.plan.semantic_search_needed, "{question}");
        assert_eq!(
            meta.plan.semantic_query.trim_end_matches('?'),
            query,
            "{question}"
        );
        assert_eq!(wire(&meta)["response_format"], format, "{question}");
        assert_eq!(shown(&meta), [""; 0], "{question}");
    }
}

#[test]
fn an_empty_question_has_a_flagged_plan() {
    for question in ["", "  \n", "?!", "…"] {
        let meta = notes(question);
        assert_eq!(
            meta.warnings[0].code,
            PlanWarningCode::EmptyQuestion,
            "{question:?}"
        );
        assert!(!meta.plan.semantic_search_needed);
        assert_eq!(meta.plan.semantic_query, "");
        assert!(meta.plan.filters.is_empty());
    }
}

#[test]
fn filters_of_notes() {
    for (question, filters, query) in [
        (
            "#rag and #llm notes on chunking",
            vec!["tags contains rag", "tags contains llm"],
            "chunking",
        ),
        (
            "notes tagged rag, search and chroma about chunking",
            vec![
                "tags contains rag",
                "tags contains search",
                "tags contains chroma",
            ],
            "chunking",
        ),
        (
            "notes tagged rag or search",
            vec![r#"tags in ["rag","search"]"#],
            "",
        ),
        (
            "notes not tagged draft about chunking",
            vec!["tags not_contains draft"],
            "chunking",
        ),
        (
            "list notes without the tag 'draft'",
            vec!["tags not_contains draft"],
            "",
        ),
        (
            "notes tagged with the tags \"a b\" and \"c\"",
            vec!["tags contains a b", "tags contains c"],
            "",
        ),
        (
            "everything linking to [[Project X|the project]]",
            vec!["wikilinks contains Project X"],
            "",
        ),
        (
            "pages that link to [[a]] and [[b]]",
            vec!["wikilinks contains a", "wikilinks contains b"],
            "",
        ),
        (
            "list notes in folder projects/hydra",
            vec!["file_path starts_with projects/hydra/"],
            "",
        ),
        (
            "list notes in the 'Old Stuff' folder",
            vec!["file_path starts_with Old Stuff/"],
            "",
        ),
        (
            "what is in journal/2024/ about sleep",
            vec!["file_path starts_with journal/2024/"],
            "sleep",
        ),
    ] {
        let meta = notes(question);
        assert_eq!(shown(&meta), filters, "{question}");
        assert_eq!(meta.plan.semantic_query, query, "{question}");
        assert_eq!(meta.dropped, [], "{question}");
    }
}

#[test]
fn further_filters_of_notes() {
    for (question, filters, query) in [
        ("list md files", vec!["file_path like %.md"], ""),
        (
            "level-3 headings about caching",
            vec!["level eq 3"],
            "caching",
        ),
        ("all h2 headings", vec!["level eq 2"], ""),
        (
            "top-level headings on caching",
            vec!["level eq 1"],
            "caching",
        ),
        (
            "tags:rag level:>=2 chunking",
            vec!["tags contains rag", "level gte 2"],
            "chunking",
        ),
        (
            "level:2..4 -tag:draft",
            vec!["level gte 2", "level lte 4", "tags not_contains draft"],
            "",
        ),
        (
            "title:\"Weekly review\" goals",
            vec!["title contains Weekly review"],
            "goals",
        ),
        (
            "wikilinks:[[a b]] tag:#x",
            vec!["wikilinks contains a b", "tags contains x"],
            "",
        ),
        (
            "created:2024-01-01..2024-01-31",
            vec!["created_date gte 2024-01-01", "created_date lt 2024-02-01"],
            "",
        ),
        (
            "folder:inbox todo",
            vec!["file_path starts_with inbox/"],
            "todo",
        ),
        (
            "file_path:inbox/*.md",
            vec!["file_path like inbox/%.md"],
            "",
        ),
    ] {
        let meta = notes(question);
        assert_eq!(shown(&meta), filters, "{question}");
        assert_eq!(meta.plan.semantic_query, query, "{question}");
        assert_eq!(meta.dropped, [], "{question}");
    }
}

#[test]
fn filters_of_code() {
    for (question, filters, query) in [
        (
            "python functions that parse dates",
            vec!["language eq python"],
            "functions that parse dates",
        ),
        (
            "where is retrying written in Go",
            vec!["language eq go"],
            "retrying",
        ),
        (
            "how do errors work in Rust?",
            vec!["language eq rust"],
            "errors work",
        ),
        (
            "shell functions about help",
            vec!["language eq bash"],
            "functions about help",
        ),
        ("list js files", vec!["language eq javascript"], ""),
        (
            "list .py files under src/agent",
            vec!["path like %.py", "path starts_with src/agent/"],
            "",
        ),
        (
            "what does the driver do in model_driver.rs",
            vec![r"path like %model\\_driver.rs"],
            "driver",
        ),
        ("*.tsx components", vec!["path like %.tsx"], "components"),
        ("files with extension toml", vec!["path like %.toml"], ""),
        ("where to go in c minor", vec![], "go in c minor"),
        (
            "what changed in code modified today",
            vec!["modified gte 2024-05-15", "modified lt 2024-05-16"],
            "changed in code",
        ),
        ("kind:class session", vec!["kind eq class"], "session"),
        ("symbol:parse_*", vec![r"symbol like parse\\_%"], ""),
    ] {
        let meta = code(question);
        assert_eq!(shown(&meta), filters, "{question}");
        assert_eq!(meta.plan.semantic_query, query, "{question}");
    }
}

#[test]
fn dates_in_words() {
    for (words, from, to) in [
        ("from last week", "2024-05-06", "2024-05-13"),
        ("of this week", "2024-05-13", "2024-05-20"),
        ("last month", "2024-04-01", "2024-05-01"),
        ("from the last 7 days", "2024-05-09", "2024-05-16"),
        ("from the past week", "2024-05-09", "2024-05-16"),
        ("in the last two months", "2024-03-15", "2024-05-16"),
        ("from today", "2024-05-15", "2024-05-16"),
        ("from yesterday", "2024-05-14", "2024-05-15"),
        ("of last quarter", "2024-01-01", "2024-04-01"),
        ("from last year", "2023-01-01", "2024-01-01"),
        ("since 2024-01-31", "2024-01-31", ""),
        ("after 2024-01-31", "2024-02-01", ""),
        ("before 2024-01-31", "", "2024-01-31"),
        ("until 2024-01-31", "", "2024-02-01"),
        ("since last week", "2024-05-06", ""),
        ("older than 2 weeks", "", "2024-05-01"),
        ("newer than 2024-01-01", "2024-01-02", ""),
        ("from 3 days ago", "2024-05-12", "2024-05-13"),
        (
            "between 2024-01-01 and 2024-01-31",
            "2024-01-01",
            "2024-02-01",
        ),
        ("from January to March 2024", "2024-01-01", "2024-04-01"),
        ("in March 2024", "2024-03-01", "2024-04-01"),
        ("in March", "2024-03-01", "2024-04-01"),
        ("in November", "2023-11-01", "2023-12-01"),
        ("on January 31st, 2024", "2024-01-31", "2024-02-01"),
        ("on the 31st of January 2024", "2024-01-31", "2024-02-01"),
        ("from 2 May", "2024-05-02", "2024-05-03"),
        ("from 20 May", "2023-05-20", "2023-05-21"),
        ("in 2023", "2023-01-01", "2024-01-01"),
        ("since 2023", "2023-01-01", ""),
        ("in 2023-11", "2023-11-01", "2023-12-01"),
        ("since Monday", "2024-05-13", ""),
        ("on Wednesday", "2024-05-15", "2024-05-16"),
        ("from last Wednesday", "2024-05-08", "2024-05-09"),
    ] {
        let meta = notes(&format!("notes {words} about security"));
        let mut expected = Vec::new();
        if !from.is_empty() {
            expected.push(format!("created_date gte {from}"));
        }
        if !to.is_empty() {
            expected.push(format!("created_date lt {to}"));
        }
        assert_eq!(shown(&meta), expected, "{words}");
        assert_eq!(meta.plan.semantic_query, "security", "{words}");
    }
}

#[test]
fn words_that_only_look_like_dates() {
    for question in [
        "the state of AI today",
        "may I march in 5 days",
        "created by John",
        "error 2024 in the log",
        "notes on 2024-02-30",
        "version 2024.1 before release",
        "sun and moon",
    ] {
        assert_eq!(shown(&notes(question)), [""; 0], "{question}");
    }
}

#[test]
fn the_field_of_a_date() {
    for (question, field) in [
        ("notes modified today", "modified_date"),
        ("notes created yesterday", "created_date"),
        ("today's notes", "created_date"),
        ("files changed since 2024-01-01", "modified_date"),
        ("what was updated last week?", "modified_date"),
    ] {
        let filters = shown(&notes(question));
        assert!(
            !filters.is_empty() && filters.iter().all(|filter| filter.starts_with(field)),
            "{question}: {filters:?}"
        );
    }
}

/// Returns the bounds of "notes from last week about security" at a local time.
fn last_week(zone: &Zone, day: &str, hour: i64) -> (i64, i64) {
    let now = clock(zone, 0).start_of(Day::parse(day).unwrap()) + hour * 3600;
    let catalogue = Catalogue::notes();
    let meta = plan(
        "notes from last week about security",
        &catalogue,
        clock(zone, now),
        &Mandatory::default(),
    );
    assert_eq!(meta.plan.semantic_query, "security");
    assert!(meta.plan.semantic_search_needed);
    let bound = |index: usize, operator: &str| {
        let filter = serde_json::to_value(&meta.plan.filters[index]).unwrap();
        assert_eq!(
            (filter["field"].as_str(), filter["operator"].as_str()),
            (Some("created_date"), Some(operator))
        );
        filter["value"].as_i64().unwrap()
    };
    assert_eq!(meta.plan.filters.len(), 2);
    (bound(0, "gte"), bound(1, "lt"))
}

#[test]
fn last_week_over_clock_changes() {
    const HOUR: i64 = 3600;
    for (name, asked, hours) in [
        // Clocks went forward on Sunday 2024-03-31, back on 2024-10-27.
        ("Europe/Berlin", "2024-04-03", 167),
        ("Europe/Berlin", "2024-10-28", 169),
        ("America/New_York", "2024-03-11", 167),
        ("America/New_York", "2024-11-05", 169),
        // There was no midnight on Sunday 2018-11-04.
        ("America/Sao_Paulo", "2018-11-07", 167),
        ("Australia/Lord_Howe", "2024-10-09", 167),
        ("UTC", "2024-04-03", 168),
    ] {
        let (from, to) = last_week(&zone(name), asked, 12);
        let expected = hours * HOUR + i64::from(name == "Australia/Lord_Howe") * HOUR / 2;
        assert_eq!(to - from, expected, "{name} {asked}");
    }
}

#[test]
fn last_week_over_the_ends_of_years() {
    for zone in zones().iter().filter(|zone| zone.name != "Pacific/Apia") {
        for hour in [0, 12, 23] {
            for (asked, monday, next) in [
                ("2025-01-01", "2024-12-23", "2024-12-30"),
                ("2024-12-31", "2024-12-23", "2024-12-30"),
                ("2019-01-07", "2018-12-31", "2019-01-07"),
                ("2012-01-01", "2011-12-19", "2011-12-26"),
            ] {
                let start = |day: &str| clock(zone, 0).start_of(Day::parse(day).unwrap());
                let expected = (start(monday), start(next));
                assert_eq!(
                    last_week(zone, asked, hour),
                    expected,
                    "{} {asked} {hour}",
                    zone.name
                );
            }
        }
    }
    // Samoa had no 2011-12-30: that week had six days.
    let (from, to) = last_week(&zone("Pacific/Apia"), "2012-01-03", 12);
    assert_eq!(to - from, 6 * 86_400);
}

#[test]
fn milliseconds_and_sundays() {
    let mut fields = Catalogue::notes().fields().to_vec();
    fields[0].unit = Some("ms".to_owned());
    let catalogue = Catalogue::new(fields).unwrap();
    let mut clock = clock(&Utc, NOW);
    clock.first_day_of_week = ragnav::agent::calendar::Weekday::Sunday;
    let meta = plan(
        "notes from last week",
        &catalogue,
        clock,
        &Mandatory::default(),
    );
    let from = serde_json::to_value(&meta.plan.filters[0].value).unwrap();
    let sunday = Day::parse("2024-05-05").unwrap().days() * 86_400_000;
    assert_eq!(from, json!(sunday));
}

#[test]
fn the_text_of_an_issue_is_the_query_as_it_is() {
    let issue =
        "Notes are lost since last week\n\nSteps:\n1. write notes tagged x\n2. save\n3. look";
    let plan = notes(issue).plan;
    assert_eq!(
        (plan.semantic_query.as_str(), plan.filters.len()),
        (issue, 0)
    );
    assert_eq!(
        plan.response_format,
        ragnav::agent::plan::ResponseFormat::SelectiveContext
    );
}

#[test]
fn a_long_question_is_truncated_with_a_warning() {
    let meta = notes(&"ä security ".repeat(10_000));
    assert_eq!(meta.warnings[0].code, PlanWarningCode::QuestionCut);
    assert!(meta.plan.semantic_query.chars().count() <= 16_000);
}

proptest::proptest! {
    #[test]
    fn any_question_has_a_plan(question in "\\PC{0,200}") {
        let meta = notes(&question);
        let plan = &meta.plan;
        proptest::prop_assert!(plan.semantic_search_needed || plan.semantic_query.is_empty());
        code(&question);
    }

    #[test]
    fn any_words_have_a_plan(words in proptest::collection::vec(proptest::sample::select(vec![
        "notes", "tagged", "with", "'x'", "[[a]]", "#t", "level", "2", "last", "week", "from", "to", "between",
        "and", "2024-01-31", "May", "in", "folder", "src/a/", "or", "not", "since", ",", "tag:", "tag:x", "7", "days",
        "ago", "the", "\"", "'", ".py", "python",
    ]), 0..12)) {
        let question = words.join(" ");
        notes(&question);
        code(&question);
    }
}
