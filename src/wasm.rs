//! The boundary to JavaScript. No other code uses wasm-bindgen.
//!
//! Every export is synchronous. A query is a [`JsSession`] that JavaScript steps: it returns a
//! request, takes the response, and so on until it ends. Only plain values cross. JavaScript holds
//! a reference to the session and to the [`Core`], and to nothing else.

#![expect(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "the callers are in JavaScript, where errors are thrown"
)]

pub mod agent;
mod convert;
pub mod pure;
mod queries;
pub mod retrieval;

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use crate::session::{self, Mailbox, Session};
use ragnav_agent::build::{BuildAllResult, build_all};
use ragnav_agent::store::files::StoreCache;
use ragnav_base::argument::Count;
use ragnav_base::envelope::IndexStatus;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{Request, Response};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_query::build_graph;
use ragnav_query::route::compute_route;
use ragnav_repository::compiler::given::GivenIndex;
use ragnav_repository::own_files::{OwnFiles, OwnFilesHost};
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::status as index_status;
use ragnav_repository::walk::Limits;

/// The options of a core.
#[derive(Debug, Default, Deserialize, Tsify)]
struct CoreOptions {
    /// The root as the host names it, for messages and `IndexStatus.repo`.
    #[tsify(optional, type = "string | null | undefined")]
    repo: Option<String>,
    /// The folders that are repositories of their own. Default: the whole tree is one.
    #[tsify(optional, type = "string[] | null | undefined")]
    roots: Option<Vec<String>>,
    /// Whether the host can write; if not, the index lives in memory. Default `true`.
    #[tsify(optional, type = "boolean | null | undefined")]
    writable: Option<bool>,
    /// The source of answers if the index is not proven. Default `merge`.
    #[tsify(optional, type = "StalePolicy | null | undefined")]
    stale_policy: Option<StalePolicy>,
    /// The size above which files are skipped, in bytes. Default 4 MiB.
    #[tsify(optional, type = "number | null | undefined")]
    max_file_bytes: Option<Count>,
    /// The number of files at which the walk ends; the answer is then partial. Default 500,000.
    #[tsify(optional, type = "number | null | undefined")]
    max_files: Option<Count>,
    /// The number of folders at which the walk ends; the answer is then partial. Default 500,000.
    #[tsify(optional, type = "number | null | undefined")]
    max_folders: Option<Count>,
    /// The depth below which folders are skipped, in levels. Default 256.
    #[tsify(optional, type = "number | null | undefined")]
    max_depth: Option<Count>,
}

/// The result of a step of a session.
#[derive(Serialize, Tsify)]
#[serde(tag = "state", rename_all = "snake_case")]
enum Step<'s> {
    /// The session needs the response to this request.
    Need {
        /// The request.
        request: &'s Request,
    },
    /// The session has ended.
    Done {
        /// The answer.
        #[tsify(type = "unknown")]
        #[serde(with = "serde_wasm_bindgen::preserve")]
        value: JsValue,
    },
}

/// The queries about one repository.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Core {
    settings: Rc<Settings>,
    /// ragnav's own files, if the host cannot write.
    own_files: Option<OwnFiles>,
    documents: Rc<StoreCache>,
}

#[wasm_bindgen]
impl Core {
    /// Builds a core. Throws a `RagnavErrorValue` for invalid options.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "CoreOptions")] options: &JsValue,
    ) -> Result<Core, JsValue> {
        let options: CoreOptions =
            convert::options("options", options).map_err(|error| convert::thrown(&error))?;
        let writable = options.writable.unwrap_or(true);
        let settings = settings(options);
        Ok(Self {
            settings: Rc::new(settings),
            own_files: (!writable).then(OwnFiles::default),
            documents: Rc::default(),
        })
    }

    fn start<T: Serialize, F: Future<Output = T> + 'static>(
        &self,
        run: impl FnOnce(OwnFilesHost<Rc<Mailbox>>, Rc<Settings>) -> F + 'static,
    ) -> JsSession {
        let settings = Rc::clone(&self.settings);
        let own_files = self.own_files.clone();
        JsSession::new(move |mailbox| run(OwnFilesHost::new(mailbox, own_files), settings))
    }

    /// Adds an index that a compiler made, or replaces the one with the same path. Throws a
    /// `RagnavErrorValue` for a value that is no index.
    #[wasm_bindgen(js_name = putCompilerIndex)]
    pub fn put_compiler_index(
        &self,
        #[wasm_bindgen(unchecked_param_type = "GivenIndex")] given: JsValue,
    ) -> Result<(), JsValue> {
        let index: Result<GivenIndex, _> = serde_wasm_bindgen::from_value(given);
        let index = index.map_err(|error| {
            convert::thrown(&RagnavError::invalid(format!("an index: {error}")))
        })?;
        self.settings.compiler.put(index);
        Ok(())
    }

    /// Starts a query by its name. It ends with the answer that `Queries` names. Throws a
    /// `RagnavErrorValue` for an unknown name.
    pub fn query(
        &self,
        #[wasm_bindgen(unchecked_param_type = "keyof Queries")] name: &str,
        #[wasm_bindgen(unchecked_param_type = "object")] arguments: &JsValue,
    ) -> Result<JsSession, JsValue> {
        let arguments = convert::arguments(arguments);
        queries::session(self, name, arguments).ok_or_else(|| unknown_query(name))
    }

    /// Starts a question to the agent. It ends with an `AnswerByModel`.
    #[wasm_bindgen(js_name = askAgent)]
    pub fn ask_agent(
        &self,
        question: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "PlanningOptions")] planning: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "ModelChoice | null")] model: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "SupportedFormats")] formats: &JsValue,
        options: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "AskPorts")] ports: &JsValue,
    ) -> JsSession {
        let parsed = agent::Question::parse(question, planning, model, formats, options, ports);
        let parsed = parsed.map_err(|error| agent::refusal_of(question, error));
        let cache = Rc::clone(&self.documents);
        self.start(move |host, settings| async move {
            match parsed {
                Ok(question) => question.answer(&host, &settings, &cache).await,
                Err(answer) => answer,
            }
        })
    }

    /// Builds or updates the index. It ends with a `BuildAllResult`. `owner` is a name that no
    /// other build has.
    #[wasm_bindgen(js_name = buildGraph)]
    pub fn build_graph(&self, options: &JsValue, owner: String) -> JsSession {
        let parsed = convert::options("options", options);
        let cache = Rc::clone(&self.documents);
        self.start(move |host, settings| async move {
            match parsed {
                Ok(options) => build_all(&host, &settings, &cache, &options, &owner).await,
                Err(error) => BuildAllResult {
                    graph: build_graph::build_error(error),
                    documents: None,
                },
            }
        })
    }

    /// Releases the lock of an interrupted build. It ends with `null`.
    #[wasm_bindgen(js_name = abandonBuild)]
    pub fn abandon_build(&self, owner: String) -> JsSession {
        self.start(move |host, _| async move {
            build_graph::abandon_build(&host, &owner).await;
        })
    }

    /// Decides whether the index may be used. It ends with a `RouteDecision`.
    pub fn route(&self) -> JsSession {
        self.start(move |host, settings| async move { compute_route(&host, &settings).await })
    }

    /// Saves a status. It ends with `null`, or with a `RagnavErrorValue` if it cannot be written.
    #[wasm_bindgen(js_name = saveStatus)]
    pub fn save_status(status: &JsValue) -> JsSession {
        let parsed = convert::required::<IndexStatus>("status", status);
        JsSession::new(move |host| async move {
            match parsed {
                Ok(status) => index_status::save_status(&*host, &status).await.err(),
                Err(error) => Some(error),
            }
        })
    }

    /// Reads the status. It ends with an `IndexStatus`, or `null` if there is no readable one.
    #[wasm_bindgen(js_name = loadStatus)]
    pub fn load_status(&self) -> JsSession {
        self.start(move |host, settings| async move {
            let stored = index_status::load_status(&host, &settings.repo).await;
            stored.ok().map(|stored| stored.status)
        })
    }
}

/// A query in progress.
#[wasm_bindgen(js_name = Session)]
pub struct JsSession {
    session: Session<JsValue>,
    pending: Option<Request>,
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

    /// Runs until the first request.
    #[wasm_bindgen(unchecked_return_type = "Step")]
    pub fn start(&mut self) -> Result<JsValue, JsValue> {
        self.step(None)
    }

    /// Continues with the host's response to the previous request.
    #[wasm_bindgen(unchecked_return_type = "Step")]
    pub fn respond(&mut self, response: &JsValue) -> Result<JsValue, JsValue> {
        let response = match &self.pending {
            Some(request) => convert::response(request, response),
            None => Response::Failed("the session has no request yet".to_owned()),
        };
        self.step(Some(response))
    }

    /// Continues after the host threw an error with this message.
    #[wasm_bindgen(unchecked_return_type = "Step")]
    pub fn fail(&mut self, message: String) -> Result<JsValue, JsValue> {
        self.step(Some(Response::Failed(message)))
    }

    fn step(&mut self, response: Option<Response>) -> Result<JsValue, JsValue> {
        match self.session.step(response) {
            Ok(session::Step::Need(request)) => {
                let step = convert::value(&Step::Need { request: &request });
                self.pending = Some(request);
                Ok(step)
            }
            Ok(session::Step::Done(value)) => Ok(convert::value(&Step::Done { value })),
            Err(error) => Err(convert::thrown(&error)),
        }
    }
}

/// Returns the answer of a query that failed outside of the core, such as by its time limit or
/// because the navigator was closed. Throws a `RagnavErrorValue` for an unknown name.
#[wasm_bindgen(js_name = failedAnswer)]
pub fn failed_answer(
    #[wasm_bindgen(unchecked_param_type = "keyof Queries")] name: &str,
    #[wasm_bindgen(unchecked_param_type = "object")] arguments: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "ErrorCode")] code: &JsValue,
    message: String,
) -> Result<JsValue, JsValue> {
    let code = serde_wasm_bindgen::from_value(code.clone()).unwrap_or(ErrorCode::InternalPanic);
    let error = RagnavError::new(code, message);
    queries::failed(name, convert::arguments(arguments), error).ok_or_else(|| unknown_query(name))
}

fn unknown_query(name: &str) -> JsValue {
    convert::thrown(&RagnavError::invalid(format!("there is no query {name:?}")))
}

fn settings(options: CoreOptions) -> Settings {
    let defaults = Limits::default();
    let roots = options.roots.unwrap_or_default();
    Settings {
        stale_policy: options.stale_policy.unwrap_or_default(),
        repo: options.repo.unwrap_or_default(),
        roots: roots
            .iter()
            .filter_map(|root| RepoPath::parse(root).ok())
            .collect(),
        limits: Limits {
            max_file_bytes: options
                .max_file_bytes
                .map_or(defaults.max_file_bytes, |limit| wire(limit.get())),
            max_files: options.max_files.map_or(defaults.max_files, Count::get),
            max_folders: options.max_folders.map_or(defaults.max_folders, Count::get),
            max_depth: options.max_depth.map_or(defaults.max_depth, Count::get),
        },
        compiler: Rc::default(),
        caches: Rc::default(),
        snapshots: Rc::default(),
    }
}
