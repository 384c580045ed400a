//! The queries about one repository, as hosts of components call them.

use std::rc::Rc;

use super::Component;
use super::bindings::exports::ragnav::core::navigation::{
    AskOptions, BuildOptions, Direction, Error, Guest, GuestNavigator, LineageOptions,
    Navigator as Handle, OpenOptions, QuestionOptions, RouteDecision, SearchOptions,
    WhereUsedOptions,
};
use super::bindings::ragnav::core::host as imported;
use super::convert::{asking, count, failure};
use super::host::run_query;
use super::queries::{self, AnswerQuery};
use crate::session::Mailbox;
use ragnav_agent::ask::{self, AgentQuery};
use ragnav_agent::build::build_all;
use ragnav_agent::model::{self, SupportedFormats};
use ragnav_agent::store::files::StoreCache;
use ragnav_base::argument::Count;
use ragnav_base::error::{AnyErrorCode, ErrorCode, RagnavError};
use ragnav_base::position::wire;
use ragnav_query::{
    Answer, Query, Settings, answer_arguments, identify, lineage, locate, route, search, status,
    where_used,
};
use ragnav_repository::own_files::{OwnFiles, OwnFilesHost};
use ragnav_repository::walk::Limits;
use serde_json::{Value, json};

impl Guest for Component {
    type Navigator = Navigator;
}

/// The state that a navigator keeps between queries.
pub(super) struct Navigator {
    settings: Rc<Settings>,
    /// ragnav's own files, if the host cannot write.
    own_files: Option<OwnFiles>,
    documents: Rc<StoreCache>,
}

type CoreHost = OwnFilesHost<Rc<Mailbox>>;

impl Navigator {
    fn ask<T, F: Future<Output = T> + 'static>(
        &self,
        question: impl FnOnce(CoreHost, Rc<Settings>) -> F,
    ) -> Result<T, RagnavError> {
        let settings = Rc::clone(&self.settings);
        let own_files = self.own_files.clone();
        run_query(|mailbox| question(OwnFilesHost::new(mailbox, own_files), settings))
    }

    /// Answers a query whose options are separate from its other arguments.
    fn answer<Q: Query>(
        &self,
        mut arguments: Value,
        options: Option<impl Into<Value>>,
    ) -> Result<String, Error> {
        let options = options.map_or(Value::Null, Into::into);
        if let (Value::Object(all), Value::Object(options)) = (&mut arguments, options) {
            all.extend(options);
        }
        self.answer_arguments::<Q>(arguments)
    }

    /// Runs a query as [`Self::ask`] does, and returns the envelope as JSON text.
    fn text<T: Answer, F: Future<Output = T> + 'static>(
        &self,
        question: impl FnOnce(CoreHost, Rc<Settings>) -> F,
    ) -> Result<String, Error> {
        text_of(&self.ask(question)?)
    }
}

/// Returns an envelope as JSON text. An envelope with an error becomes an error.
fn text_of<T: Answer>(answer: &T) -> Result<String, Error> {
    let text = serde_json::to_string(answer)
        .map_err(|error| RagnavError::new(ErrorCode::InternalPanic, error.to_string()))?;
    let meta = answer.meta();
    match &meta.error_code {
        Some(AnyErrorCode::Known(code)) => {
            let message = meta.message.clone().unwrap_or_default();
            Err(failure(*code, message, Some(text)))
        }
        _ => Ok(text),
    }
}

impl AnswerQuery for Navigator {
    fn answer_arguments<Q: Query>(&self, arguments: Value) -> Result<String, Error> {
        self.text(move |host, settings| async move {
            answer_arguments::<Q, _>(&host, &settings, arguments).await
        })
    }
}

impl GuestNavigator for Navigator {
    fn open(options: Option<OpenOptions>) -> Result<Handle, Error> {
        let writable = options.as_ref().and_then(|options| options.writable);
        let settings = options.map(settings).transpose()?.unwrap_or_default();
        Ok(Handle::new(Self {
            settings: Rc::new(settings),
            own_files: (!writable.unwrap_or(true)).then(OwnFiles::default),
            documents: Rc::default(),
        }))
    }

    fn query(&self, name: String, arguments: String) -> Result<String, Error> {
        let arguments = serde_json::from_str(&arguments)
            .map_err(|error| RagnavError::invalid(format!("arguments: {error}")))?;
        let answer = queries::answer(self, &name, arguments);
        answer.unwrap_or_else(|| {
            let message = format!("there is no query {name:?}");
            Err(RagnavError::invalid(message).into())
        })
    }

    fn search(&self, query: String, options: Option<SearchOptions>) -> Result<String, Error> {
        self.answer::<search::Search>(json!({ "query": query }), options)
    }

    fn where_used(
        &self,
        symbol: String,
        options: Option<WhereUsedOptions>,
    ) -> Result<String, Error> {
        self.answer::<where_used::WhereUsed>(json!({ "symbol": symbol }), options)
    }

    fn lineage(
        &self,
        symbol: String,
        direction: Direction,
        options: Option<LineageOptions>,
    ) -> Result<String, Error> {
        let direction = match direction {
            Direction::Upstream => "upstream",
            Direction::Downstream => "downstream",
        };
        let arguments = json!({ "symbol": symbol, "direction": direction });
        self.answer::<lineage::Lineage>(arguments, options)
    }

    fn locate(&self, symbol: String, options: Option<QuestionOptions>) -> Result<String, Error> {
        self.answer::<locate::Locate>(json!({ "symbol": symbol }), options)
    }

    fn identify(
        &self,
        file: String,
        line: u32,
        options: Option<QuestionOptions>,
    ) -> Result<String, Error> {
        let arguments = json!({ "file": file, "line": line });
        self.answer::<identify::Identify>(arguments, options)
    }

    fn status(&self, options: Option<QuestionOptions>) -> Result<String, Error> {
        self.answer::<status::Status>(json!({}), options)
    }

    fn route(&self) -> Result<RouteDecision, Error> {
        let route =
            self.ask(|host, settings| async move { route::compute_route(&host, &settings).await });
        Ok(route?.into())
    }

    fn build_graph(&self, options: Option<BuildOptions>) -> Result<String, Error> {
        let options = options.map(Into::into).unwrap_or_default();
        let owner = imported::unique_name();
        let cache = Rc::clone(&self.documents);
        self.text(move |host, settings| async move {
            build_all(&host, &settings, &cache, &options, &owner).await
        })
    }

    fn ask(&self, question: String, options: Option<AskOptions>) -> Result<String, Error> {
        let cache = Rc::clone(&self.documents);
        let parsed = asking(options);
        self.text(move |host, settings| async move {
            let (planning, options) = match parsed {
                Ok(parsed) => parsed,
                Err(error) => return ask::ask_error(&question, error),
            };
            let mut formats = SupportedFormats::default();
            let plan = model::plan(&host, &question, &planning, &mut formats).await;
            let asking = AgentQuery {
                question: &question,
                plan,
                catalogue: &planning.catalogue,
                mandatory: planning.mandatory.filters(),
                options: &options,
                cache: &cache,
                is_foreign: false,
                embeds: false,
                model: None,
            };
            ask::ask(&host, &settings, &asking, &mut formats).await
        })
    }
}

fn settings(options: OpenOptions) -> Result<Settings, RagnavError> {
    let defaults = Limits::default();
    let limit = |name, given: Option<u32>| given.map(|given| count(name, given)).transpose();
    let max_file_bytes = limit("max-file-bytes", options.max_file_bytes)?;
    let max_files = limit("max-files", options.max_files)?;
    let max_folders = limit("max-folders", options.max_folders)?;
    let max_depth = limit("max-depth", options.max_depth)?;
    Ok(Settings {
        stale_policy: options.stale_policy.map(Into::into).unwrap_or_default(),
        repo: options.repo.unwrap_or_default(),
        limits: Limits {
            max_file_bytes: max_file_bytes
                .map_or(defaults.max_file_bytes, |limit| wire(limit.get())),
            max_files: max_files.map_or(defaults.max_files, Count::get),
            max_folders: max_folders.map_or(defaults.max_folders, Count::get),
            max_depth: max_depth.map_or(defaults.max_depth, Count::get),
        },
        ..Settings::default()
    })
}
