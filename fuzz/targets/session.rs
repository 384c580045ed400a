//! Questions whose host answers anything in any order, also over an index that somebody damaged:
//! none panics, all end, and every envelope says of itself what it may.

#![no_main]

use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use ragnav::agent::ask::{AgentQuery, AskOptions, ask};
use ragnav::agent::build::{BuildAllOptions, build_all};
use ragnav::agent::calendar::Weekday;
use ragnav::agent::catalogue::Catalogue;
use ragnav::agent::model::{ModelOptions, PlanSettings, SupportedFormats, plan};
use ragnav::agent::passage_kind::PassageKind;
use ragnav::agent::store::files::{DOCUMENTS_FILE, StoreCache};
use ragnav::agent::validate::Mandatory;
use ragnav::base::argument::Count;
use ragnav::base::host::{
    Buffer, DirEntry, EntryKind, FileStamp, GitHead, Host, HostError, IgnoreRules, ModelResponse,
    Request, Response, Time, WatchToken,
};
use ragnav::base::path::RepoPath;
use ragnav::index::graph_file::GRAPH_FILE;
use ragnav::index::index::INDEX_FILE;
use ragnav::query::build_graph::abandon_build;
use ragnav::query::files::Files;
use ragnav::query::identify::Identify;
use ragnav::query::lineage::Lineage;
use ragnav::query::locate::Locate;
use ragnav::query::outline::Outline;
use ragnav::query::route::compute_route;
use ragnav::query::search::Search;
use ragnav::query::status::Status;
use ragnav::query::where_used::WhereUsed;
use ragnav::query::{Query, Settings, StalePolicy, answer_arguments};
use ragnav::repository::own_files::{OwnFiles, OwnFilesHost};
use ragnav::repository::status::{STATUS_FILE, load_status};
use ragnav::repository::walk::Limits;
use ragnav::session::{Mailbox, Session, Step};
use ragnav_fuzz::common::MemoryHost;
use serde_json::{Value, json, to_value};
use xxhash_rust::xxh3::xxh3_128;

/// A question over a few files asks less often than this, whatever it is answered.
const MAX_REQUESTS: usize = 2_000;
const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

const NAMES: [&str; 16] = [
    "a.py",
    "pkg/__init__.py",
    "pkg/b.py",
    "src/c.ts",
    "src/d.tsx",
    "e.rs",
    "f.go",
    "notes/n.md",
    ".gitignore",
    ".ignore",
    "package.json",
    "tsconfig.json",
    STATUS_FILE,
    INDEX_FILE,
    GRAPH_FILE,
    DOCUMENTS_FILE,
];

const TEXTS: [&str; 12] = [
    "from pkg.b import B, f as g\nclass A(B):\n    def m(self):\n        return g(self.n)\n",
    "from a import A\n\
     class B(A):\n    \
     n = 1\n    \
     def m(self): return super().m()\n\
     def f(x): return x\n",
    "from .b import *\n",
    "import { x } from './d'\n\
     export class A extends x.B { m() { return this.m() } }\n\
     export * from './c'\n",
    "export const x = { B: class { m() {} } }; import './c'\nfunction f() { return <x.B/> }\n",
    "pub struct A; impl A { pub fn m(&self) { f() } } fn f() {}\n",
    "package a\nfunc f() { m() }\nfunc (a A) m() { f() }\n",
    "---\ntags: [f]\ncreated_date: 2024-05-01\n---\n# f\nAbout m and A.\n",
    "*.py\n!a.py\n/src\n",
    "{\"name\": \"x\", \"main\": \"src/c.ts\", \"exports\": {\".\": \"./src/*.ts\"}, \
     \"compilerOptions\": {\"paths\": {\"@/*\": [\"./*\"]}}}",
    "\0binary",
    "",
];

const HOSTILE: [&str; 14] = [
    "..",
    ".",
    "",
    "a/b",
    "a\\b",
    "c:x",
    "/etc/passwd",
    "../../x",
    "a\0b",
    "\u{fffd}",
    ".git",
    ".llmc",
    "a.py/",
    "CON",
];

const SYMBOLS: [&str; 10] = [
    "f",
    "A.m",
    "a.A",
    "pkg.b.B.m",
    "sym:src.c.A",
    "m",
    "x.B",
    "",
    "sym:",
    "a.A.m.f",
];

/// Where the input is over, everything is as it should be.
struct Input<'d>(Unstructured<'d>);

impl Input<'_> {
    fn below(&mut self, end: usize) -> usize {
        self.0.arbitrary::<u8>().map_or(0, usize::from) % end
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }

    fn bytes(&mut self) -> Vec<u8> {
        let len = self.below(48);
        self.0
            .bytes(len.min(self.0.len()))
            .unwrap_or_default()
            .to_vec()
    }

    fn text(&mut self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    fn word(&mut self) -> String {
        match self.below(3) {
            0 => self.of(&SYMBOLS).to_owned(),
            1 => self.of(&HOSTILE).to_owned(),
            _ => self.text(),
        }
    }

    fn count(&mut self) -> Option<Count> {
        Count::new(self.0.arbitrary().unwrap_or_default())
    }

    fn number(&mut self) -> f64 {
        match self.below(4) {
            0 => 1.0,
            1 => f64::from(self.0.arbitrary::<u8>().unwrap_or_default()),
            2 => self.of(&[
                0.0,
                -1.0,
                f64::NAN,
                f64::INFINITY,
                1e300,
                0.5,
                4_294_967_296.0,
            ]),
            _ => self.0.arbitrary().unwrap_or_default(),
        }
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.yes().then(|| make(self))
    }

    fn error(&mut self) -> HostError {
        self.of(&[
            HostError::Missing,
            HostError::Denied,
            HostError::TooLarge,
            HostError::Io,
        ])
    }

    fn policy(&mut self) -> Option<StalePolicy> {
        self.of(&[
            None,
            Some(StalePolicy::Merge),
            Some(StalePolicy::Live),
            Some(StalePolicy::Error),
            Some(StalePolicy::Allow),
        ])
    }

    fn content(&mut self) -> Vec<u8> {
        match self.below(4) {
            3 => self.bytes(),
            _ => self.of(&TEXTS).as_bytes().to_vec(),
        }
    }

    fn stamp(&mut self) -> FileStamp {
        FileStamp {
            size: self.0.arbitrary().unwrap_or_default(),
            stamp: self.text(),
            racy: self.yes(),
        }
    }
}

fn repository(input: &mut Input<'_>) -> MemoryHost {
    let mut host = MemoryHost {
        head: Some(COMMIT.to_owned()),
        git_root: Some(String::new()),
        embed: Some(|text| {
            vec![
                1.0,
                f32::from(u8::try_from(text.len() % 251).unwrap_or_default()),
                0.5,
            ]
        }),
        ..MemoryHost::default()
    };
    for _ in 0..input.below(8) {
        let (name, content) = (input.of(&NAMES[..12]), input.content());
        host.put(name, &content);
    }
    host.helps = input.yes();
    host.without_stamps = input.below(4) == 3;
    if input.yes() {
        host.token
            .replace(Some(WatchToken::Watcher("1".to_owned())));
    }
    host
}

/// Changes the index that a build left: a byte or more of a file, its checksums made right again,
/// so that what is behind them is reached.
fn forge(input: &mut Input<'_>, host: &MemoryHost) {
    let names: Vec<String> = host
        .files
        .borrow()
        .keys()
        .filter(|name| name.starts_with(".llmc/"))
        .cloned()
        .collect();
    if names.is_empty() {
        return;
    }
    let name = input.of(&names);
    let mut bytes = host.files.borrow()[&name].clone();
    for _ in 0..=input.below(4) {
        let at = input.0.arbitrary::<u16>().map_or(0, usize::from) % bytes.len().max(1);
        let value = input.0.arbitrary().unwrap_or_default();
        match input.below(3) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at.min(bytes.len()), value),
            _ => bytes
                .iter_mut()
                .skip(at)
                .take(1)
                .for_each(|byte| *byte = value),
        }
    }
    put_checked(host, &name, bytes);
}

fn put_checked(host: &MemoryHost, name: &str, mut bytes: Vec<u8>) {
    let checksum = match name {
        INDEX_FILE => Some((12, 28)),
        DOCUMENTS_FILE => Some((8, 24)),
        _ => None,
    };
    if let Some((start, end)) = checksum
        && bytes.len() > end
    {
        let hash = xxh3_128(&bytes[end..]).to_le_bytes();
        bytes[start..end].copy_from_slice(&hash);
    }
    let Some((prefix, hash)) = name
        .strip_suffix(".bin")
        .and_then(|stem| stem.rsplit_once('-'))
    else {
        return host.put(name, &bytes);
    };
    // A part is named for its hash, and the list of parts knows it by that.
    let now = xxh3_128(&bytes);
    let then = u128::from_str_radix(hash, 16)
        .unwrap_or_default()
        .to_le_bytes();
    host.put(&format!("{prefix}-{now:032x}.bin"), &bytes);
    for list in [INDEX_FILE, DOCUMENTS_FILE] {
        let Some(mut bytes) = host.files.borrow().get(list).cloned() else {
            continue;
        };
        if let Some(at) = bytes.windows(16).position(|window| window == then) {
            bytes[at..at + 16].copy_from_slice(&now.to_le_bytes());
            put_checked(host, list, bytes);
        }
    }
}

/// What a host answers that works.
fn right(host: &MemoryHost, request: Request) -> Response {
    let answer = pin!(host.respond(request));
    match answer.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => Response::Failed("it never is".to_owned()),
    }
}

/// Something else than was asked for.
fn other(input: &mut Input<'_>) -> Response {
    match input.below(14) {
        0 => Response::Failed(input.text()),
        1 => Response::Write(()),
        2 => Response::GitHead(GitHead {
            head: input.maybe(|input| {
                if input.yes() {
                    COMMIT.to_owned()
                } else {
                    input.text()
                }
            }),
            git_root: input.maybe(Input::word),
        }),
        3 => Response::ReadDirs(Vec::new()),
        4 => Response::ReadMany(vec![Ok(input.content())]),
        5 => Response::Stat(vec![Ok(input.stamp())]),
        6 => Response::Now(Time {
            iso: input.text(),
            ms: input.number() as i64,
        }),
        7 => Response::Overlay(vec![Buffer {
            path: if input.yes() {
                input.of(&NAMES).to_owned()
            } else {
                input.word()
            },
            text: String::from_utf8_lossy(&input.content()).into_owned(),
        }]),
        8 => Response::IgnoreRules(vec![IgnoreRules {
            folder: input.word(),
            prefix: input.word(),
            lines: vec![input.text(), "*.ts".to_owned()],
            global: input.yes(),
        }]),
        9 => Response::Watch(input.maybe(|input| WatchToken::Instant(input.text()))),
        10 => Response::Model(ModelResponse {
            status: input.of(&[200, 200, 400, 429, 500, 0]),
            retry_after: input.maybe(Input::text),
            body: model_body(input),
        }),
        11 => Response::Offsets(vec![input.0.arbitrary().unwrap_or_default()]),
        12 => Response::Embed(vec![vec![f32::NAN; input.below(4)]]),
        _ => Response::Store(
            json!({"rows": [{"id": input.text(), "metadata": {"path": input.word()}, "distance": input.number()}]}),
        ),
    }
}

fn model_body(input: &mut Input<'_>) -> String {
    let content = match input.below(3) {
        0 => input.text(),
        1 => r#"{"semantic_search_needed": true, "semantic_query": "m", "filters": [], "response_format": "metadata_only"}"#.to_owned(),
        _ => r#"{"filters": [{"field": "tags", "operator": "contains", "value": "f"}]"#.to_owned(),
    };
    json!({"choices": [{"message": {"content": content}}]}).to_string()
}

/// A right answer with something wrong in it.
fn twisted(input: &mut Input<'_>, mut answer: Response) -> Response {
    match &mut answer {
        Response::ReadDirs(dirs) => {
            let at = input.below(dirs.len().max(1));
            match (input.below(4), dirs.get_mut(at)) {
                (0, Some(dir)) => *dir = Err(input.error()),
                (1, _) => dirs.push(Ok(Vec::new())),
                (_, Some(Ok(entries))) => entries.push(DirEntry {
                    name: if input.yes() {
                        input.of(&HOSTILE).to_owned()
                    } else {
                        input.text()
                    },
                    kind: input.of(&[EntryKind::File, EntryKind::Dir, EntryKind::Link]),
                    stamp: input.maybe(Input::stamp),
                }),
                _ => {}
            }
        }
        Response::ReadMany(files) | Response::Extract(Some(files)) => {
            let at = input.below(files.len().max(1));
            match (input.below(5), files.get_mut(at)) {
                (0, Some(file)) => *file = Err(input.error()),
                (1, Some(file)) => *file = Ok(input.content()),
                (2, _) => drop(files.pop()),
                (3, Some(Ok(bytes))) => bytes.truncate(bytes.len() / 2),
                (_, Some(Ok(bytes))) => {
                    let at = input.0.arbitrary::<u16>().map_or(0, usize::from) % bytes.len().max(1);
                    let value = input.0.arbitrary().unwrap_or_default();
                    bytes
                        .iter_mut()
                        .skip(at)
                        .take(1)
                        .for_each(|byte| *byte = value);
                }
                _ => {}
            }
        }
        Response::Stat(stats) => {
            let at = input.below(stats.len().max(1));
            match (input.below(4), stats.get_mut(at)) {
                (0, Some(stat)) => *stat = Err(input.error()),
                (1, Some(stat)) => *stat = Ok(input.stamp()),
                (2, _) => drop(stats.pop()),
                (_, Some(Ok(stat))) => stat.racy = true,
                _ => {}
            }
        }
        Response::Embed(vectors) => {
            let len = input.below(5);
            let number = input.of(&[0.0, 1.0, f32::NAN, f32::MAX, 1e-45]);
            vectors
                .iter_mut()
                .take(1)
                .for_each(|vector| *vector = vec![number; len]);
        }
        _ => return other(input),
    }
    answer
}

/// What happens to the files meanwhile.
fn edit(input: &mut Input<'_>, host: &MemoryHost) {
    let name = input.of(&NAMES);
    if input.below(3) == 0 {
        host.files.borrow_mut().remove(name);
    } else {
        host.put(name, &input.content());
    }
    if input.yes() {
        host.token.replace(Some(WatchToken::Watcher(input.text())));
    }
}

fn answer(input: &mut Input<'_>, host: &MemoryHost, request: Request) -> Response {
    host.now.set(host.now.get() + 1_000);
    match input.below(16) {
        10 => other(input),
        11 => {
            edit(input, host);
            right(host, request)
        }
        12 => {
            let answer = right(host, request);
            edit(input, host);
            answer
        }
        13 => Response::Failed("no".to_owned()),
        14 | 15 => {
            let answer = match request {
                // The memory has none of these.
                Request::Model(_) | Request::Store(_) => Response::Commit(()),
                request => right(host, request),
            };
            twisted(input, answer)
        }
        _ => match request {
            Request::Model(_) => Response::Model(ModelResponse {
                status: 200,
                retry_after: None,
                body: model_body(input),
            }),
            request => right(host, request),
        },
    }
}

fn policy_name(policy: StalePolicy) -> &'static str {
    match policy {
        StalePolicy::Merge => "merge",
        StalePolicy::Live => "live",
        StalePolicy::Error => "error",
        StalePolicy::Allow => "allow",
    }
}

/// What all questions of one play share.
#[derive(Clone)]
struct Asker {
    settings: Rc<Settings>,
    own_files: Option<OwnFiles>,
    documents: Rc<StoreCache>,
}

impl Asker {
    fn session<F: Future<Output = Value> + 'static>(
        &self,
        question: impl FnOnce(OwnFilesHost<Rc<Mailbox>>, Self) -> F,
    ) -> Session<Value> {
        Session::new(|mailbox| {
            question(
                OwnFilesHost::new(mailbox, self.own_files.clone()),
                self.clone(),
            )
        })
    }

    fn build(&self, options: BuildAllOptions) -> Session<Value> {
        self.session(|host, asker| async move {
            json(&build_all(&host, &asker.settings, &asker.documents, &options, "me").await)
        })
    }

    /// Asks a query by arguments as a caller would write them, whatever they hold.
    fn query<Q: Query + 'static>(&self, arguments: Value) -> Session<Value> {
        self.session(move |host, asker| async move {
            json(&answer_arguments::<Q, _>(&host, &asker.settings, arguments).await)
        })
    }

    fn question(&self, input: &mut Input<'_>) -> Session<Value> {
        let word = input.word();
        let policy = input.policy().map(policy_name);
        let limit = input.maybe(Input::number);
        match input.below(11) {
            0 | 1 => self.search(input, word),
            2 => {
                let (file, line) = (input.of(&NAMES), input.number());
                self.query::<Identify>(json!({
                    "file": file, "line": line, "stale_policy": policy, "limit": limit,
                }))
            }
            3 => self.query::<Locate>(json!({
                "symbol": word, "stale_policy": policy, "limit": limit,
            })),
            4 => {
                let cursor = input.maybe(Input::text);
                self.query::<WhereUsed>(json!({
                    "symbol": word, "limit": limit, "stale_policy": policy, "cursor": cursor,
                }))
            }
            5 => {
                let depth = input.maybe(Input::number);
                let direction = input.of(&["upstream", "callees", "sideways"]);
                self.query::<Lineage>(json!({
                    "symbol": word,
                    "direction": direction,
                    "max_results": limit,
                    "depth": depth,
                    "stale_policy": policy,
                }))
            }
            6 => match input.below(3) {
                0 => self.query::<Status>(json!({ "stale_policy": policy, "limit": limit })),
                1 => self.query::<Outline>(json!({
                    "file": input.of(&NAMES), "stale_policy": policy, "limit": limit,
                })),
                _ => self.query::<Files>(json!({
                    "limit": limit,
                    "stale_policy": policy,
                    "cursor": input.maybe(Input::text),
                })),
            },
            7 => self.session(|host, asker| async move {
                json(&compute_route(&host, &asker.settings).await)
            }),
            8 => self.build(BuildAllOptions {
                check: input.maybe(Input::yes),
                documents: input.maybe(Input::yes),
                embedder: input.maybe(|_| "e".to_owned()),
            }),
            9 => self.session(|host, asker| async move {
                abandon_build(&host, "me").await;
                json(
                    &load_status(&host, &asker.settings.repo)
                        .await
                        .ok()
                        .map(|stored| stored.status),
                )
            }),
            _ => self.ask(input, word),
        }
    }

    fn search(&self, input: &mut Input<'_>, query: String) -> Session<Value> {
        let globs = |input: &mut Input<'_>| {
            vec![
                input
                    .of(&["*.py", "src", "!a", "**/*", "[", "a.py"])
                    .to_owned(),
            ]
        };
        let limit = input.maybe(Input::number);
        let mode = input.of(&[None, Some("literal"), Some("regex"), Some("ranked")]);
        let case_sensitive = input.maybe(Input::yes);
        let (include, exclude) = (input.maybe(globs), input.maybe(globs));
        let policy = input.policy().map(policy_name);
        let cursor = input.maybe(Input::text);
        self.query::<Search>(json!({
            "query": query,
            "limit": limit,
            "mode": mode,
            "case_sensitive": case_sensitive,
            "include": include,
            "exclude": exclude,
            "stale_policy": policy,
            "cursor": cursor,
        }))
    }

    fn ask(&self, input: &mut Input<'_>, question: String) -> Session<Value> {
        let planning = PlanSettings {
            catalogue: Catalogue::all(),
            first_day_of_week: Weekday::default(),
            mandatory: Mandatory::default(),
            model: input.maybe(|_| ModelOptions::new("http://x", "m")),
        };
        let options = AskOptions {
            limit: input.maybe(Input::count).flatten(),
            token_budget: input.maybe(Input::count).flatten(),
            deduplicate: input.maybe(Input::yes),
            only: input.of(&[
                None,
                Some(PassageKind::Code),
                Some(PassageKind::Docs),
                Some(PassageKind::Tests),
            ]),
            rerank: input.maybe(Input::yes),
            stale_policy: input.policy(),
            history: input.maybe(Input::yes),
        };
        let (is_foreign, embeds) = (input.below(4) == 3, input.yes());
        self.session(move |host, asker| async move {
            let mut formats = SupportedFormats::default();
            let plan = plan(&host, &question, &planning, &mut formats).await;
            let asking = AgentQuery {
                question: &question,
                plan,
                catalogue: &planning.catalogue,
                mandatory: &[],
                options: &options,
                cache: &asker.documents,
                is_foreign,
                embeds,
                model: planning.model.as_ref(),
            };
            json(&ask(&host, &asker.settings, &asking, &mut formats).await)
        })
    }
}

fn json(value: &impl serde::Serialize) -> Value {
    to_value(value).expect("answers are JSON")
}

/// Steps a question to its end, unless it is dropped before.
fn play(
    mut session: Session<Value>,
    mut answer: impl FnMut(Request) -> Option<Response>,
) -> Option<Value> {
    let mut given = None;
    for _ in 0..MAX_REQUESTS {
        match session
            .step(given.take())
            .expect("each request has its response")
        {
            Step::Done(value) => return Some(value),
            Step::Need(request) => given = Some(answer(request)?),
        }
    }
    panic!("it sends requests for ever");
}

/// What every envelope says of itself.
fn check(answer: &Value) {
    let Some(meta) = answer.get("meta") else {
        return;
    };
    let (status, source) = (meta["status"].as_str(), meta["source"].as_str());
    let fits = match status {
        Some("OK") => source == Some("RAG_GRAPH"),
        Some("FALLBACK") => source == Some("LOCAL_FALLBACK") && meta["freshness_state"] != "FRESH",
        _ => status == Some("ERROR") && source == Some("NONE"),
    };
    assert!(fits, "{meta}");
    let is_error = status == Some("ERROR");
    assert_eq!(is_error, meta["error_code"].is_string(), "{meta}");
    assert!(!is_error || meta["message"].is_string(), "{meta}");
    let items = answer["items"].as_array().map_or(&[][..], Vec::as_slice);
    assert!(!is_error || items.is_empty(), "{answer}");
    for item in items {
        check_item(item);
    }
}

fn check_item(item: &Value) {
    for file in [&item["file"], &item["citation"]["path"]] {
        if let Some(file) = file.as_str() {
            assert!(RepoPath::try_from(file.to_owned()).is_ok(), "{item}");
        }
    }
    // What nothing proves is never fresh.
    let is_proven = item["proof"].is_string() && item["proof"] != "none";
    let is_fresh = item["freshness_state"] == "FRESH";
    assert!(!is_fresh || is_proven, "{item}");
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input(Unstructured::new(bytes));
    let host = repository(&mut input);
    let settings = Settings {
        repo: "/repo".to_owned(),
        stale_policy: StalePolicy::default(),
        limits: Limits {
            max_file_bytes: 1 << 16,
            max_files: 1 + input.below(32),
            max_depth: 8,
            ..Limits::default()
        },
        ..Settings::default()
    };
    let asker = Asker {
        settings: Rc::new(settings),
        own_files: input.maybe(|_| OwnFiles::default()),
        documents: Rc::default(),
    };
    if input.below(4) > 0 {
        let documents = Some(input.yes());
        let embedder = input.maybe(|_| "e".to_owned());
        let session = asker.build(BuildAllOptions {
            check: None,
            documents,
            embedder,
        });
        let built = play(session, |request| Some(right(&host, request)));
        check(&built.expect("it was not dropped"));
        for _ in 0..input.below(4) {
            forge(&mut input, &host);
        }
    }
    for _ in 0..=input.below(4) {
        let session = asker.question(&mut input);
        let dropped = Cell::new(input.below(8) == 7);
        let answered = play(session, |request| {
            let given = answer(&mut input, &host, request);
            let goes_on = !dropped.get() || input.below(8) > 0;
            goes_on.then_some(given)
        });
        answered.iter().for_each(check);
    }
});
