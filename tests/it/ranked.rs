//! Ranked search: the order of rows, properties of every answer, and independence of an index.

use std::cell::Cell;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use proptest::prelude::*;
use ragnav::base::argument::Count;
use ragnav::base::envelope::{Proof, RagToolStatus, SourceTag};
use ragnav::base::error::ErrorCode;
use ragnav::base::host::{Buffer, Commit, Host, Request, Response};
use ragnav::base::item::{ItemKind, NavItem, SkipReason};
use ragnav::base::path::RepoPath;
use ragnav::base::symbol_id::SymbolId;
use ragnav::matching::pattern::SearchMode;
use ragnav::query::StalePolicy;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::search::SearchResult;
use ragnav::query::search::{SearchOptions, search};

fn options() -> SearchOptions {
    SearchOptions {
        mode: Some(SearchMode::Ranked),
        ..SearchOptions::default()
    }
}

fn ask(host: &impl Host, query: &str, options: &SearchOptions) -> SearchResult {
    run(search(host, &settings(), query, options))
}

fn find(host: &MemoryHost, query: &str) -> SearchResult {
    let result = ask(host, query, &options());
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
    assert_ranked(&result);
    result
}

/// Asserts the properties of every ranked answer.
fn assert_ranked(result: &SearchResult) {
    let scores: Vec<f64> = result.items.iter().filter_map(|item| item.score).collect();
    assert_eq!(scores.len(), result.items.len());
    assert!(scores.iter().all(|score| score.is_finite() && *score > 0.0));
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    for pair in result.items.windows(2) {
        let place = |item: &NavItem| (item.file.clone(), item.line, item.start_utf16);
        assert!(pair[0].score > pair[1].score || place(&pair[0]) < place(&pair[1]));
    }
    for item in &result.items {
        assert_eq!(item.resolution, None);
        assert!(matches!(item.kind, ItemKind::Definition | ItemKind::Text));
    }
}

/// Formats each row as `file:line kind symbol`.
fn rows(result: &SearchResult) -> Vec<String> {
    let rows = result.items.iter();
    rows.map(|item| {
        let kind = match item.kind {
            ItemKind::Definition => "definition",
            _ => "text",
        };
        let symbol = item.symbol.as_ref().map_or("-", SymbolId::as_str);
        format!("{}:{} {kind} {symbol}", item.file, item.line)
    })
    .collect()
}

fn first(host: &MemoryHost, query: &str) -> String {
    let result = find(host, query);
    rows(&result).into_iter().next().unwrap_or_default()
}

const ACCOUNTS: &str = r#"
from store import user_store

MAX_USERS = 10  # how many a user list shows


class UserPermissions:
    """What a user may do."""

    def allows(self, user):
        return user in self.allowed


def get_user_name(user):
    """The name that a user is greeted with."""
    return user.name


def get_user(user_id):
    name = user_store[user_id]
    return get_user_name(name)


class HTTPServer:
    def handle(self, request):
        # get the user and his name, and greet him by the name
        return greet(request)
"#;

const APP: &str = r"
import { userName } from './names.js';

export function renderUserCard(user) {
  return `<b>${userName(user)}</b>`;
}

const parseURLs = (text) => text.split(' ');
";

const NOTES: &str = "# Users

Every user has a name. `get_user_name` gives it.

Request C++ people why.
";

fn repository() -> MemoryHost {
    MemoryHost {
        head: Some("a".repeat(40)),
        git_root: Some(String::new()),
        ..MemoryHost::new(&[
            ("accounts.py", ACCOUNTS),
            ("web/app.js", APP),
            ("docs/notes.md", NOTES),
            ("empty.txt", ""),
        ])
    }
}

fn build(host: &MemoryHost) {
    let options = BuildOptions::default();
    let result = run(build_graph(host, &settings(), &options, "me"));
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
}

#[test]
fn an_identifier_finds_its_definition_in_any_spelling() {
    let host = repository();
    for query in [
        "get_user_name",
        "getUserName",
        "GetUserName",
        "get-user-name",
        "GET_USER_NAME",
        "get user name",
        "accounts.get_user_name",
        "\"get_user_name\"",
        "get_user_name()",
    ] {
        assert_eq!(
            first(&host, query),
            "accounts.py:14 definition sym:accounts.get_user_name",
            "{query}"
        );
    }
    for (query, expected) in [
        (
            "render_user_card",
            "web/app.js:4 definition sym:web.app.renderUserCard",
        ),
        (
            "parse_urls",
            "web/app.js:8 definition sym:web.app.parseURLs",
        ),
        (
            "http_server",
            "accounts.py:24 definition sym:accounts.HTTPServer",
        ),
        (
            "http server handle",
            "accounts.py:25 definition sym:accounts.HTTPServer.handle",
        ),
        (
            "server.handle",
            "accounts.py:25 definition sym:accounts.HTTPServer.handle",
        ),
        (
            "user permissions",
            "accounts.py:7 definition sym:accounts.UserPermissions",
        ),
        (
            "get user",
            "accounts.py:19 definition sym:accounts.get_user",
        ),
    ] {
        assert_eq!(first(&host, query), expected, "{query}");
    }
}

#[test]
fn named_definitions_precede_references() {
    let host = MemoryHost::new(&[
        ("a.md", &"price of price of price of\n".repeat(30)),
        (
            "b.py",
            &format!("def other():\n{}", "    price; of; price_of\n".repeat(9)),
        ),
        (
            "deep/er/prices_of_articles.py",
            "def the_price_of_an_article_in_a_long_name(): pass\n",
        ),
    ]);
    let found = find(&host, "price of");
    assert_eq!(
        rows(&found)[..2],
        [
            "deep/er/prices_of_articles.py:1 definition \
             sym:deep.er.prices_of_articles.the_price_of_an_article_in_a_long_name",
            "b.py:1 definition sym:b.other",
        ]
    );
    // There is at most one row for each passage of twenty lines.
    let passages: Vec<u32> = found.items[2..].iter().map(|item| item.line).collect();
    assert_eq!((passages.len(), found.total), (2, Some(4)));
    assert!(passages.iter().any(|line| *line <= 20) && passages.iter().any(|line| *line > 20));
}

#[test]
fn a_row_has_the_place_of_the_name_or_of_the_best_match() {
    let host = repository();
    let found = find(&host, "user name");
    let by_kind = |kind: ItemKind, file: &str| {
        let mut items = found.items.iter();
        let item = items.find(|item| item.kind == kind && item.file == file);
        let item = item.unwrap();
        (item.line, item.start_utf16, item.end_utf16)
    };
    assert_eq!(by_kind(ItemKind::Definition, "accounts.py"), (14, 4, 17));
    // The line with both words comes first, and of two equally rare ones the earlier.
    assert_eq!(by_kind(ItemKind::Text, "docs/notes.md"), (3, 6, 10));
    let import = by_kind(ItemKind::Text, "web/app.js");
    assert_eq!(import, (2, 9, 17), "the identifier that is the query");
    let item = &found.items[0];
    assert!(item.snippet.text.contains("def get_user_name(user):"));
    assert_eq!(
        (item.proof, item.source),
        (Proof::Live, SourceTag::LocalFallback)
    );
}

#[test]
fn a_row_says_what_its_score_consists_of() {
    let explained = SearchOptions {
        explain: Some(true),
        ..options()
    };
    let found = ask(&repository(), "the user name of accounts", &explained);
    assert!(!found.items.is_empty());
    for item in &found.items {
        let parts = item.explanation.as_ref().unwrap();
        assert!(parts.history.abs() < f64::EPSILON);
        let file = parts.text + parts.path + parts.name + parts.mentioned + parts.documents;
        let score = parts.factor * (parts.document + parts.share * file);
        assert!((score - item.score.unwrap()).abs() < 1e-3, "{item:?}");
        assert!(!parts.terms.is_empty() && !parts.terms.contains(&"the".to_owned()));
    }
    let plain = find(&repository(), "the user name of accounts");
    assert!(plain.items.iter().all(|item| item.explanation.is_none()));
}

/// A repository with two equal files, of which the second was changed, and their commits.
fn with_history() -> MemoryHost {
    let host = MemoryHost::default();
    for name in ["a.py", "b.py", "c.py"] {
        host.put(name, b"def refund(order):\n    return order\n");
    }
    let commit = |files: &[&str]| Commit {
        files: files.iter().map(|name| (*name).to_owned()).collect(),
    };
    // The host may name files that are gone or lie outside.
    let commits = vec![
        commit(&["b.py", "gone.py", "../x"]),
        commit(&["b.py"]),
        commit(&["c.py"]),
    ];
    MemoryHost {
        commits,
        head: Some("a".repeat(40)),
        ..host
    }
}

#[test]
fn the_history_counts_if_the_query_asks_for_it() {
    let host = with_history();
    let wanted = SearchOptions {
        history: Some(true),
        explain: Some(true),
        ..options()
    };
    let files = |result: &SearchResult| -> Vec<String> {
        result.items.iter().map(|item| item.file.clone()).collect()
    };
    let query = "refund of an order";
    assert_eq!(files(&find(&host, query)), ["a.py", "b.py", "c.py"]);
    let found = ask(&host, query, &wanted);
    assert_eq!(files(&found), ["b.py", "c.py", "a.py"]);
    for item in &found.items {
        let parts = item.explanation.as_ref().unwrap();
        let file = parts.text + parts.path + parts.name + parts.history + parts.documents;
        let score = parts.factor * (parts.document + parts.share * file);
        assert!((score - item.score.unwrap()).abs() < 1e-3, "{item:?}");
    }
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "test",
    ));
    let indexed = ask(&host, query, &wanted);
    assert_eq!(indexed.meta.status, RagToolStatus::Ok);
    let scores = |result: &SearchResult| -> Vec<Option<f64>> {
        result.items.iter().map(|item| item.score).collect()
    };
    assert_eq!(
        (files(&indexed), scores(&indexed)),
        (files(&found), scores(&found))
    );
}

#[test]
fn an_answer_without_history_says_so() {
    let wanted = SearchOptions {
        history: Some(true),
        ..options()
    };
    let query = "the user name of accounts";
    let message = |host: &MemoryHost| ask(host, query, &wanted).meta.message.unwrap();
    let host = repository();
    assert!(message(&host).contains("The history does not count: there are no commits."));
    let failing = MemoryHost {
        throws: vec!["history"],
        ..repository()
    };
    let failed = ask(&failing, query, &wanted);
    assert_eq!(rows(&failed), rows(&find(&host, query)));
    assert!(message(&failing).contains("The history does not count: "));
}

#[test]
fn docstrings_paths_and_bodies_find_definitions() {
    let host = repository();
    assert_eq!(
        first(&host, "greeted"),
        "accounts.py:14 definition sym:accounts.get_user_name"
    );
    // Both words have one stem, and a docstring counts more than a body.
    assert_eq!(
        first(&host, "greet"),
        "accounts.py:14 definition sym:accounts.get_user_name"
    );
    // A match of the path alone gives no row.
    assert_eq!(find(&host, "docs").total, Some(0));
}

#[test]
fn every_query_is_legal() {
    let host = repository();
    assert_eq!(first(&host, "C++"), "docs/notes.md:5 text -");
    for query in [
        "auth.login",
        "C++",
        "\"quoted",
        "a AND b",
        "😀",
        "->",
        "(",
        "[a-z",
        "get\nuser",
        "\u{0}",
        "\u{301}",
        &"x".repeat(10_000),
        &"word ".repeat(10_000),
        &"né".repeat(40_000),
    ] {
        let found = find(&host, query);
        assert!(found.total.is_some(), "{query}");
    }
    let nothing = find(&host, "😀");
    assert_eq!((nothing.total, nothing.truncated), (Some(0), false));
    let message = nothing.meta.message.unwrap_or_default();
    assert!(
        message.contains("No file in scope holds a term"),
        "{message}"
    );
    assert_eq!(
        find(&host, "<b>$").total,
        Some(1),
        "the signs as they stand"
    );
}

#[test]
fn invalid_queries_are_refused() {
    let host = repository();
    let refused = |query: &str, options: SearchOptions| {
        let result = ask(&host, query, &options);
        assert_eq!(result.meta.status, RagToolStatus::Error, "{query:?}");
        assert_eq!(
            result.meta.error_code,
            Some(ErrorCode::InvalidArgument.into())
        );
        result.meta.message.unwrap_or_default()
    };
    for blank in ["", " ", "\t\n"] {
        assert!(refused(blank, options()).contains("blank"));
    }
    let with_case = |case_sensitive| SearchOptions {
        case_sensitive: Some(case_sensitive),
        ..options()
    };
    assert!(refused("user", with_case(true)).contains("case_sensitive"));
    assert!(ask(&host, "user", &with_case(false)).total > Some(0));
    let globs = SearchOptions {
        include: Some(vec!["!a".to_owned()]),
        ..options()
    };
    refused("user", globs);
}

/// Returns rows without the fields that depend on an index.
fn told(result: &SearchResult) -> Vec<NavItem> {
    let rows = result.items.iter().cloned();
    rows.map(|item| NavItem {
        source: SourceTag::LocalFallback,
        proof: Proof::Live,
        ..item
    })
    .collect()
}

#[test]
fn an_index_changes_no_row_and_no_score() {
    let (live, indexed) = (repository(), repository());
    build(&indexed);
    for query in ["get user name", "user", "HTTPServer", "name -> user", "C++"] {
        let (before, after) = (find(&live, query), find(&indexed, query));
        assert_eq!(told(&before), told(&after), "{query}");
        assert_eq!(after.meta.status, RagToolStatus::Ok);
        let proven =
            |item: &NavItem| (item.source, item.proof) == (SourceTag::RagGraph, Proof::Hash);
        assert!(!after.items.is_empty() && after.items.iter().all(proven));
    }
    for host in [&live, &indexed] {
        host.put(
            "accounts.py",
            ACCOUNTS.replace("get_user(", "fetch_user(").as_bytes(),
        );
        host.put("new.py", b"def get_user(): pass\n");
        host.files.borrow_mut().remove("docs/notes.md");
    }
    let (before, after) = (find(&live, "get user"), find(&indexed, "get user"));
    assert_eq!(told(&before), told(&after));
    assert_eq!(after.meta.status, RagToolStatus::Fallback);
    assert_eq!(rows(&after)[0], "new.py:1 definition sym:new.get_user");
    let sources: Vec<SourceTag> = after.items.iter().map(|item| item.source).collect();
    assert!(sources.contains(&SourceTag::RagGraph) && sources.contains(&SourceTag::LocalFallback));
}

#[test]
fn policies_apply_to_ranked_search() {
    let host = repository();
    build(&host);
    host.put("accounts.py", format!("# edited\n{ACCOUNTS}").as_bytes());
    let with = |policy| {
        let options = SearchOptions {
            stale_policy: Some(policy),
            ..options()
        };
        ask(&host, "user name", &options)
    };
    let refused = with(StalePolicy::Error);
    assert_eq!(refused.meta.error_code, Some(ErrorCode::StaleIndex.into()));
    let live = with(StalePolicy::Live);
    let is_live = |item: &NavItem| item.source == SourceTag::LocalFallback;
    assert!(!live.items.is_empty() && live.items.iter().all(is_live));
    let allowed = with(StalePolicy::Allow);
    assert!(allowed.items.iter().all(|item| item.file != "accounts.py"));
    let skips = allowed.skipped.iter();
    let skips: Vec<_> = skips
        .map(|skip| (skip.file.as_str(), skip.reason))
        .collect();
    assert_eq!(skips, [("accounts.py", SkipReason::Changed)]);
}

#[test]
fn pages_together_are_the_whole_and_go_stale_with_it() {
    let host = repository();
    let whole = find(&host, "user name");
    let mut paged = Vec::new();
    let mut page = options();
    page.limit = Count::new(2);
    loop {
        let result = ask(&host, "user name", &page);
        assert_eq!(
            (result.total, result.truncated),
            (whole.total, result.cursor.is_some())
        );
        paged.extend(result.items);
        page.cursor = result.cursor;
        if page.cursor.is_none() {
            break;
        }
    }
    assert!(paged.len() > 4);
    assert_eq!(paged, whole.items);
    page.cursor = ask(&host, "user name", &page).cursor;
    let lines = SearchOptions {
        mode: None,
        ..page.clone()
    };
    let other = ask(&host, "user name", &lines).meta.error_code;
    assert_eq!(other, Some(ErrorCode::InvalidArgument.into()));
    host.put("new.md", b"user\n");
    let stale = ask(&host, "user name", &page).meta.error_code;
    assert_eq!(stale, Some(ErrorCode::StaleCursor.into()));
}

#[test]
fn scopes_limits_and_buffers_apply() {
    let mut host = repository();
    host.put("huge.md", &b"user name\n".repeat(1 << 19));
    host.put("image.bin", b"user\0");
    let within = SearchOptions {
        include: Some(vec!["*.md".to_owned()]),
        exclude: Some(vec!["huge.md".to_owned()]),
        ..options()
    };
    let found = ask(&host, "user name", &within);
    assert_eq!(rows(&found), ["docs/notes.md:3 text -"]);
    let skips = find(&host, "user").skipped;
    let skips: Vec<_> = skips.iter().map(|skip| skip.reason).collect();
    assert_eq!(skips, [SkipReason::TooLarge, SkipReason::Binary]);
    host.buffers = vec![Buffer {
        path: "docs/notes.md".to_owned(),
        text: "nothing\n\nthe user's name\n".to_owned(),
    }];
    let found = ask(&host, "user name", &within);
    assert_eq!(rows(&found), ["docs/notes.md:3 text -"]);
    assert_eq!(found.items[0].proof, Proof::Overlay);
}

#[test]
fn of_many_files_those_with_the_definition_are_read() {
    let mut files: Vec<(String, String)> = (0..300)
        .map(|at| {
            let text = format!("def f{at}():\n{}", "    return run(run)\n".repeat(5));
            (format!("a{at}.py"), text)
        })
        .collect();
    let padding = "x = 1\n".repeat(5000);
    files.push(("z.py".to_owned(), format!("{padding}def run(): pass\n")));
    let named: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let host = MemoryHost::new(&named);
    let found = find(&host, "run");
    assert_eq!(rows(&found)[0], "z.py:5001 definition sym:z.run");
    assert_eq!((found.total, found.truncated), (None, true));
    let message = found.meta.message.unwrap_or_default();
    assert!(
        message.contains("301 files") && message.contains("256"),
        "{message}"
    );
    // With fewer files in scope, every file is counted.
    let fewer = SearchOptions {
        include: Some(vec!["a1*.py".to_owned(), "z.py".to_owned()]),
        ..options()
    };
    let found = ask(&host, "run", &fewer);
    assert_eq!(found.total, Some(112));
}

#[test]
fn of_much_code_the_first_mebibytes_are_read() {
    let padding = "x = 1\n".repeat(140_000);
    let host = MemoryHost::new(&[
        ("a.py", &format!("{padding}run = run\n")),
        ("b.py", &format!("{padding}def run(): pass\n")),
        ("c.py", &format!("{padding}def run_it(): pass\n")),
        ("d.py", &format!("{padding}def run_that(): pass\n")),
        ("notes.md", "run\n"),
    ]);
    let found = find(&host, "run");
    let files: Vec<&str> = found.items.iter().map(|item| item.file.as_str()).collect();
    assert_eq!(files, ["b.py", "c.py", "d.py", "notes.md"]);
    assert_eq!((found.total, found.truncated), (None, true));
}

/// A host whose file changes after each of the first reads.
struct Restless<'h> {
    host: &'h MemoryHost,
    left: Cell<usize>,
}

impl Host for Restless<'_> {
    async fn respond(&self, request: Request) -> Response {
        let is_accounts = |path: &RepoPath| path.as_str() == "accounts.py";
        let reads = match &request {
            Request::ReadMany(request) => request.paths.iter().any(is_accounts),
            _ => false,
        };
        let response = self.host.respond(request).await;
        if reads && self.left.get() > 0 {
            self.left.set(self.left.get() - 1);
            let text = format!("# {}\n{ACCOUNTS}", self.left.get());
            self.host.put("accounts.py", text.as_bytes());
        }
        response
    }
}

#[test]
fn a_file_that_changes_between_two_reads_is_read_again() {
    for (changes, code) in [
        (0, None),
        (1, None),
        (6, Some(ErrorCode::HostFailed.into())),
    ] {
        let host = repository();
        let restless = Restless {
            host: &host,
            left: Cell::new(changes),
        };
        let result = ask(&restless, "user name", &options());
        assert_eq!(result.meta.error_code, code, "{changes} changes");
        for item in &result.items {
            let files = host.files.borrow();
            let text = std::str::from_utf8(&files[&item.file]).unwrap();
            assert!(text.contains(&item.snippet.text));
        }
    }
}

/// Queries and texts of the same words, so that they match.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "get",
        "User",
        "name_of",
        "getUser",
        "def ",
        "class ",
        "function ",
        "(",
        ")",
        ":",
        "{",
        "}",
        "\n",
        "\n    ",
        " ",
        ".",
        "-",
        "\"",
        "é",
        "😀",
        "\r",
        "=",
        "=>",
        "pass",
        "1",
    ]);
    prop::collection::vec(word, 0..40).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_query_over_any_text_is_answered_alike_live_and_from_an_index(
        query in prop_oneof![words(), any::<String>()],
        code in words(),
        script in words(),
        notes in words(),
    ) {
        let own = [("a.py", code.as_str()), ("b.js", &script), ("c.md", &notes)];
        let files = [&own[..], &[("d.py", ACCOUNTS)]].concat();
        let host = MemoryHost { head: Some("a".repeat(40)), ..MemoryHost::new(&files) };
        let all = SearchOptions { limit: Count::new(10_000), ..options() };
        let live = ask(&host, &query, &all);
        prop_assert_eq!(live.meta.status == RagToolStatus::Error, query.trim().is_empty());
        assert_ranked(&live);
        prop_assert_eq!(live.total.unwrap_or_default() as usize, live.items.len());
        for item in &live.items {
            let text = files.iter().find(|(path, _)| *path == item.file).unwrap().1;
            let first = item.snippet.text.lines().next().unwrap_or("");
            prop_assert!(item.line >= 1 && text.contains(first));
            prop_assert!(item.start_utf16 <= item.end_utf16);
        }
        let again = ask(&host, &query, &all);
        prop_assert_eq!(&again.items, &live.items);
        build(&host);
        prop_assert_eq!(told(&ask(&host, &query, &all)), told(&live));
    }
}
