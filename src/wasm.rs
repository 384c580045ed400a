//! The boundary to JavaScript: the only code that names wasm-bindgen.
//!
//! Every export is synchronous. A question is a [`JsSession`] that JavaScript steps: it asks, gets an answer, asks on, and is
//! done. What crosses are plain values; nothing of the core is reachable from JavaScript by reference but the session itself.

#![expect(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "the callers are in JavaScript: what is thrown is said in words"
)]

pub mod agent;
mod convert;
pub mod pure;
pub mod retrieval;

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use crate::session::{Mailbox, Session, Step};
use ragnav_agent::build::{BuildAllResult, build_all};
use ragnav_agent::store::files::StoreCache;
use ragnav_base::argument::whole_number;
use ragnav_base::envelope::{ErrorOptions, IndexStatus, RagResult, error_result};
use ragnav_base::error::RagnavError;
use ragnav_base::host::{Answer, Ask};
use ragnav_base::position::wire;
use ragnav_query::{
    Settings, StalePolicy, build_graph, identify, lineage, locate, route, search, status,
    where_used,
};
use ragnav_repository::own_files::{Keeping, OwnFiles};
use ragnav_repository::status as index_status;
use ragnav_repository::walk::Limits;

/// What a core is told once.
#[derive(Debug, Default, Deserialize, Tsify)]
struct CoreOptions {
    /// The root as the host names it, for messages and `IndexStatus.repo`.
    #[tsify(optional, type = "string | null | undefined")]
    repo: Option<String>,
    /// Whether the host can write; if not, the index lives in memory. Default `true`.
    #[tsify(optional, type = "boolean | null | undefined")]
    writable: Option<bool>,
    /// What an answer may come from where the index is not proven. Default `merge`.
    #[tsify(optional, type = "StalePolicy | null | undefined")]
    stale_policy: Option<StalePolicy>,
    /// Larger files are skipped, in bytes. Default 4 MiB.
    #[tsify(optional, type = "number | null | undefined")]
    max_file_bytes: Option<f64>,
    /// The walk ends at this many files, and the answer says so. Default 500,000.
    #[tsify(optional, type = "number | null | undefined")]
    max_files: Option<f64>,
    /// The walk ends at this many folders, and the answer says so. Default 500,000.
    #[tsify(optional, type = "number | null | undefined")]
    max_folders: Option<f64>,
    /// Folders nested deeper are skipped, in levels. Default 256.
    #[tsify(optional, type = "number | null | undefined")]
    max_depth: Option<f64>,
}

#[wasm_bindgen(typescript_custom_section)]
const STEP: &str = r#"
/** What the core asks of its host. */
export type Ask =
    | { ask: "git_head" }
    | { ask: "read_dirs"; paths: string[] }
    | { ask: "read_many"; paths: string[]; max_bytes: number }
    | { ask: "stat"; paths: string[] }
    | { ask: "write"; path: string; bytes: Uint8Array; exclusive: boolean }
    | { ask: "remove"; path: string }
    | { ask: "extract"; files: ToExtract[]; max_bytes: number; done: number; total: number | null }
    | { ask: "now" }
    | { ask: "commit" }
    | { ask: "overlay" }
    | { ask: "ignore_rules" }
    | { ask: "watch" }
    | { ask: "model"; body: string; timeout_ms: number }
    | { ask: "wait"; ms: number }
    | { ask: "offsets"; instants: number[] }
    | { ask: "embed"; texts: string[] }
    | { ask: "store"; request: unknown }
    | { ask: "yield"; done: number; total: number | null; phase: "files" | "documents" };
/** A file to be extracted; `known` is the hash of what the index has already. */
export interface ToExtract { path: string; known: Uint8Array | null }
/** What a session says: it needs an answer, or it is done. */
export type Step = { state: "need"; ask: Ask } | { state: "done"; value: unknown };
"#;

/// The questions about one repository.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Core {
    settings: Rc<Settings>,
    /// ragnav's own files, where the host keeps none.
    own_files: Option<OwnFiles>,
    documents: Rc<StoreCache>,
}

#[wasm_bindgen]
impl Core {
    /// A core; throws a `RagnavErrorValue` for options that make no sense.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "CoreOptions")] options: &JsValue,
    ) -> Result<Core, JsValue> {
        let options: CoreOptions =
            convert::options("options", options).map_err(|error| convert::thrown(&error))?;
        let writable = options.writable.unwrap_or(true);
        let settings = settings(options).map_err(|error| convert::thrown(&error))?;
        Ok(Self {
            settings: Rc::new(settings),
            own_files: (!writable).then(OwnFiles::default),
            documents: Rc::default(),
        })
    }

    fn ask<T: Serialize, F: Future<Output = T> + 'static>(
        &self,
        question: impl FnOnce(Keeping<Rc<Mailbox>>, Rc<Settings>) -> F + 'static,
    ) -> JsSession {
        let settings = Rc::clone(&self.settings);
        let own_files = self.own_files.clone();
        JsSession::new(move |mailbox| question(Keeping::new(mailbox, own_files), settings))
    }

    /// Asks where lines match, or what fits best; done with a `SearchResult`.
    pub fn search(&self, query: &JsValue, options: &JsValue) -> JsSession {
        let asked = convert::text("query", query);
        let shown = asked.clone().unwrap_or_default();
        let understood = asked.and_then(|query| Ok((query, convert::options("options", options)?)));
        self.ask(move |host, settings| async move {
            match understood {
                Ok((query, options)) => search::search(&host, &settings, &query, &options).await,
                Err(error) => search::search_error(&shown, error),
            }
        })
    }

    /// Asks which definitions enclose a line; done with a `RagResult<Definition>`.
    pub fn identify(&self, file: &JsValue, line: &JsValue, options: &JsValue) -> JsSession {
        let understood = convert::text("file", file).and_then(|file| {
            let line = convert::number("line", line)?;
            Ok((file, line, convert::options("options", options)?))
        });
        self.ask(move |host, settings| async move {
            match understood {
                Ok((file, line, options)) => {
                    identify::identify(&host, &settings, &file, line, &options).await
                }
                Err(error) => failed(error),
            }
        })
    }

    /// Asks where a symbol is defined; done with a `RagResult<Definition>`.
    pub fn locate(&self, symbol: &JsValue, options: &JsValue) -> JsSession {
        let understood = convert::text("symbol", symbol)
            .and_then(|symbol| Ok((symbol, convert::options("options", options)?)));
        self.ask(move |host, settings| async move {
            match understood {
                Ok((symbol, options)) => locate::locate(&host, &settings, &symbol, &options).await,
                Err(error) => failed(error),
            }
        })
    }

    /// Asks who refers to a symbol; done with a `WhereUsedResult`.
    #[wasm_bindgen(js_name = whereUsed)]
    pub fn where_used(&self, symbol: &JsValue, options: &JsValue) -> JsSession {
        let asked = convert::text("symbol", symbol);
        let shown = asked.clone().unwrap_or_default();
        let understood =
            asked.and_then(|symbol| Ok((symbol, convert::options("options", options)?)));
        self.ask(move |host, settings| async move {
            match understood {
                Ok((symbol, options)) => {
                    where_used::where_used(&host, &settings, &symbol, &options).await
                }
                Err(error) => where_used::where_used_error(&shown, error),
            }
        })
    }

    /// Asks who leads to a symbol, or where it leads; done with a `LineageResult`.
    pub fn lineage(&self, symbol: &JsValue, direction: &JsValue, options: &JsValue) -> JsSession {
        let asked = convert::text("symbol", symbol);
        let shown = asked.clone().unwrap_or_default();
        let word = direction.as_string().unwrap_or_default();
        let understood = asked.and_then(|symbol| {
            convert::text("direction", direction)?;
            Ok((symbol, convert::options("options", options)?))
        });
        self.ask(move |host, settings| async move {
            match understood {
                Ok((symbol, options)) => {
                    lineage::lineage(&host, &settings, &symbol, &word, &options).await
                }
                Err(error) => lineage::lineage_error(&shown, &word, error),
            }
        })
    }

    /// Asks how every file stands to the index; done with a `RagResult<FileVerdict>`.
    pub fn status(&self, options: &JsValue) -> JsSession {
        let understood = convert::options("options", options);
        self.ask(move |host, settings| async move {
            match understood {
                Ok(options) => status::status(&host, &settings, &options).await,
                Err(error) => failed(error),
            }
        })
    }

    /// Asks for what answers a question; done with an `AnswerByModel`.
    #[wasm_bindgen(js_name = askAgent)]
    pub fn ask_agent(
        &self,
        question: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "PlanningOptions")] planning: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "ModelChoice | null")] model: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Rungs")] rungs: &JsValue,
        options: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "AskPorts")] ports: &JsValue,
    ) -> JsSession {
        let understood =
            agent::Question::understand(question, planning, model, rungs, options, ports);
        let understood = understood.map_err(|error| agent::not_understood(question, error));
        let cache = Rc::clone(&self.documents);
        self.ask(move |host, settings| async move {
            match understood {
                Ok(question) => question.answer(&host, &settings, &cache).await,
                Err(answer) => answer,
            }
        })
    }

    /// Has the index made or brought up to date; done with a `BuildAllResult`. `owner` is a name that no other build has.
    #[wasm_bindgen(js_name = buildGraph)]
    pub fn build_graph(&self, options: &JsValue, owner: String) -> JsSession {
        let understood = convert::options("options", options);
        let cache = Rc::clone(&self.documents);
        self.ask(move |host, settings| async move {
            match understood {
                Ok(options) => build_all(&host, &settings, &cache, &options, &owner).await,
                Err(error) => BuildAllResult {
                    graph: build_graph::build_error(error),
                    documents: None,
                },
            }
        })
    }

    /// Gives back the lock of a build that was interrupted; done with `null`.
    #[wasm_bindgen(js_name = abandonBuild)]
    pub fn abandon_build(&self, owner: String) -> JsSession {
        self.ask(move |host, _| async move {
            build_graph::abandon_build(&host, &owner).await;
        })
    }

    /// Asks whether the index may be used; done with a `RouteDecision`.
    pub fn route(&self) -> JsSession {
        self.ask(move |host, settings| async move { route::compute_route(&host, &settings).await })
    }

    /// Saves a status; done with `null`, or with a `RagnavErrorValue` where it cannot be written.
    #[wasm_bindgen(js_name = saveStatus)]
    pub fn save_status(status: &JsValue) -> JsSession {
        let understood = convert::required::<IndexStatus>("status", status);
        JsSession::new(move |host| async move {
            match understood {
                Ok(status) => index_status::save_status(&*host, &status).await.err(),
                Err(error) => Some(error),
            }
        })
    }

    /// Reads the status; done with an `IndexStatus`, or `null` where there is none that can be read.
    #[wasm_bindgen(js_name = loadStatus)]
    pub fn load_status(&self) -> JsSession {
        self.ask(move |host, settings| async move {
            let stored = index_status::load_status(&host, &settings.repo).await;
            stored.ok().map(|stored| stored.status)
        })
    }
}

/// A question that is being answered.
#[wasm_bindgen(js_name = Session)]
pub struct JsSession {
    session: Session<JsValue>,
    pending: Option<Ask>,
}

#[wasm_bindgen(js_class = Session)]
impl JsSession {
    fn new<T: Serialize, F: Future<Output = T> + 'static>(
        start: impl FnOnce(Rc<Mailbox>) -> F + 'static,
    ) -> Self {
        let session = Session::new(|host| async move { convert::value(&start(host).await) });
        Self {
            session,
            pending: None,
        }
    }

    /// Runs up to the first ask.
    #[wasm_bindgen(unchecked_return_type = "Step")]
    pub fn start(&mut self) -> Result<JsValue, JsValue> {
        self.step(None)
    }

    /// Goes on with what the host answered to the ask before.
    #[wasm_bindgen(unchecked_return_type = "Step")]
    pub fn answer(&mut self, answer: &JsValue) -> Result<JsValue, JsValue> {
        let answer = match &self.pending {
            Some(ask) => convert::answer(ask, answer),
            None => Answer::Done,
        };
        self.step(Some(answer))
    }

    /// Goes on after the host threw, with its message.
    #[wasm_bindgen(unchecked_return_type = "Step")]
    pub fn fail(&mut self, message: String) -> Result<JsValue, JsValue> {
        self.step(Some(Answer::Failed(message)))
    }

    fn step(&mut self, answer: Option<Answer>) -> Result<JsValue, JsValue> {
        match self.session.step(answer) {
            Ok(Step::Need(ask)) => {
                let step = convert::need(&ask);
                self.pending = Some(ask);
                Ok(step)
            }
            Ok(Step::Done(value)) => Ok(convert::done(&value)),
            Err(error) => Err(convert::thrown(&error)),
        }
    }
}

fn failed<T>(error: RagnavError) -> RagResult<T> {
    error_result(ErrorOptions::from_error(error))
}

fn settings(options: CoreOptions) -> Result<Settings, RagnavError> {
    let defaults = Limits::default();
    let limit = |name, given: Option<f64>| given.map(|given| whole_number(name, given)).transpose();
    let max_file_bytes = limit("max_file_bytes", options.max_file_bytes)?;
    let max_files = limit("max_files", options.max_files)?;
    let max_folders = limit("max_folders", options.max_folders)?;
    let max_depth = limit("max_depth", options.max_depth)?;
    Ok(Settings {
        stale_policy: options.stale_policy.unwrap_or_default(),
        repo: options.repo.unwrap_or_default(),
        limits: Limits {
            max_file_bytes: max_file_bytes.map_or(defaults.max_file_bytes, wire),
            max_files: max_files.unwrap_or(defaults.max_files),
            max_folders: max_folders.unwrap_or(defaults.max_folders),
            max_depth: max_depth.unwrap_or(defaults.max_depth),
        },
        caches: Rc::default(),
        kept: Rc::default(),
    })
}
