// The set-up of the examples in the documentation, which include this file.

use ragnav_agent::answer::AgentResult;
use ragnav_agent::ask::{AgentQuery, AskOptions, ask};
use ragnav_agent::build::{BuildAllOptions, build_all};
use ragnav_agent::calendar::Weekday;
use ragnav_agent::catalogue::Catalogue;
use ragnav_agent::clock::{Clock, Utc};
use ragnav_agent::deterministic;
use ragnav_agent::model::SupportedFormats;
use ragnav_agent::plan::PlanMeta;
use ragnav_agent::store::files::StoreCache;
use ragnav_agent::store::{Document, Query};
use ragnav_agent::validate::Mandatory;
use ragnav_base::host::{Host, Request, Response};
use ragnav_base::memory_host::{MemoryHost, block_on};
use ragnav_base::path::RepoPath;
use ragnav_query::Settings;

/// Parses a path.
pub fn path(text: &str) -> RepoPath {
    RepoPath::parse(text).unwrap()
}

/// Returns a clock in UTC that shows the start of 1970.
pub fn clock() -> Clock<'static> {
    Clock {
        now_ms: 0,
        zone: &Utc,
        first_day_of_week: Weekday::Monday,
    }
}

/// Plans a question by its words.
pub fn plan(question: &str) -> PlanMeta {
    deterministic::plan(question, &Catalogue::all(), clock(), &Mandatory::default())
}

/// Returns a host with these files, their index and their documents.
pub fn built(files: &[(&str, &str)]) -> MemoryHost {
    let host = MemoryHost::new(files);
    let options = BuildAllOptions {
        documents: Some(true),
        ..BuildAllOptions::default()
    };
    let (settings, cache) = (Settings::default(), StoreCache::default());
    let built = block_on(build_all(&host, &settings, &cache, &options, "build-1"));
    assert!(built.documents.is_some());
    host
}

/// Answers a question about files.
pub fn ask_about(files: &[(&str, &str)], question: &str) -> AgentResult {
    let query = AgentQuery {
        question,
        plan: plan(question),
        catalogue: &Catalogue::all(),
        mandatory: &[],
        options: &AskOptions::default(),
        cache: &StoreCache::default(),
        is_foreign: false,
        embeds: false,
        model: None,
    };
    let host = built(files);
    block_on(ask(&host, &Settings::default(), &query, &mut SupportedFormats::default()))
}

/// Returns a document without metadata.
pub fn document(id: &str, text: &str) -> Document {
    Document {
        id: id.to_owned(),
        text: text.to_owned(),
        ..Document::default()
    }
}

/// Returns a query for the ten best documents.
pub fn query(text: &str) -> Query<'_> {
    Query {
        text,
        embedding: None,
        filters: &[],
        only: None,
        k: 10,
        others: None,
        history: None,
    }
}

/// A host whose document store responds to every request with this JSON.
pub struct StoreHost(pub serde_json::Value);

impl Host for StoreHost {
    async fn respond(&self, request: Request) -> Response {
        match request {
            Request::Store(_) => Response::Store(self.0.clone()),
            other => MemoryHost::default().respond(other).await,
        }
    }
}
