//! The questions about one repository, as hosts of components ask them.

use std::rc::Rc;

use serde::Serialize;

use super::Component;
use super::asking::answered;
use super::bindings::exports::ragnav::core::navigation::{
    AskOptions, BuildOptions, Direction, Error, Guest, GuestNavigator, LineageOptions,
    Navigator as Handle, OpenOptions, QuestionOptions, RouteDecision, SearchOptions,
    WhereUsedOptions,
};
use super::bindings::ragnav::core::host as imported;
use super::convert::{asking, failure};
use crate::session::Mailbox;
use ragnav_agent::answer::AgentResult;
use ragnav_agent::ask::{self, Asking};
use ragnav_agent::build::{BuildAllResult, build_all};
use ragnav_agent::model::{self, Rungs};
use ragnav_agent::store::files::StoreCache;
use ragnav_base::argument::whole_number;
use ragnav_base::envelope::{RagResult, RagToolMeta};
use ragnav_base::error::{AnyErrorCode, ErrorCode, RagnavError};
use ragnav_base::item::{LineageResult, SearchResult, WhereUsedResult};
use ragnav_base::position::wire;
use ragnav_query::{Settings, identify, lineage, locate, route, search, status, where_used};
use ragnav_repository::own_files::{Keeping, OwnFiles};
use ragnav_repository::walk::Limits;

impl Guest for Component {
    type Navigator = Navigator;
}

/// What a navigator keeps between questions.
pub(super) struct Navigator {
    settings: Rc<Settings>,
    /// ragnav's own files, where the host keeps none.
    own_files: Option<OwnFiles>,
    documents: Rc<StoreCache>,
}

type CoreHost = Keeping<Rc<Mailbox>>;

impl Navigator {
    fn ask<T, F: Future<Output = T> + 'static>(
        &self,
        question: impl FnOnce(CoreHost, Rc<Settings>) -> F,
    ) -> Result<T, RagnavError> {
        let settings = Rc::clone(&self.settings);
        let own_files = self.own_files.clone();
        answered(|mailbox| question(Keeping::new(mailbox, own_files), settings))
    }

    /// As [`Self::ask`], with the answer's envelope as text.
    fn tell<T: Envelope, F: Future<Output = T> + 'static>(
        &self,
        question: impl FnOnce(CoreHost, Rc<Settings>) -> F,
    ) -> Result<String, Error> {
        told(&self.ask(question)?)
    }
}

/// An answer that says of itself whether it failed.
trait Envelope: Serialize {
    fn meta(&self) -> &RagToolMeta;
}

impl<T: Serialize> Envelope for RagResult<T> {
    fn meta(&self) -> &RagToolMeta {
        &self.meta
    }
}

/// Envelopes with a field `meta`.
macro_rules! envelopes {
    ($($answer:ty)+) => {
        $(impl Envelope for $answer {
            fn meta(&self) -> &RagToolMeta {
                &self.meta
            }
        })+
    };
}

envelopes!(SearchResult WhereUsedResult LineageResult AgentResult);

impl Envelope for BuildAllResult {
    fn meta(&self) -> &RagToolMeta {
        &self.graph.meta
    }
}

/// The envelope as text; one that says that the question failed is an error.
fn told<T: Envelope>(answer: &T) -> Result<String, Error> {
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

    fn search(&self, query: String, options: Option<SearchOptions>) -> Result<String, Error> {
        let options = options.map(Into::into).unwrap_or_default();
        self.tell(move |host, settings| async move {
            search::search(&host, &settings, &query, &options).await
        })
    }

    fn where_used(
        &self,
        symbol: String,
        options: Option<WhereUsedOptions>,
    ) -> Result<String, Error> {
        let options = options.map(Into::into).unwrap_or_default();
        self.tell(move |host, settings| async move {
            where_used::where_used(&host, &settings, &symbol, &options).await
        })
    }

    fn lineage(
        &self,
        symbol: String,
        direction: Direction,
        options: Option<LineageOptions>,
    ) -> Result<String, Error> {
        let options = options.map(Into::into).unwrap_or_default();
        let word = match direction {
            Direction::Upstream => "upstream",
            Direction::Downstream => "downstream",
        };
        self.tell(move |host, settings| async move {
            lineage::lineage(&host, &settings, &symbol, word, &options).await
        })
    }

    fn locate(&self, symbol: String, options: Option<QuestionOptions>) -> Result<String, Error> {
        let options = options.map(Into::into).unwrap_or_default();
        self.tell(move |host, settings| async move {
            locate::locate(&host, &settings, &symbol, &options).await
        })
    }

    fn identify(
        &self,
        file: String,
        line: u32,
        options: Option<QuestionOptions>,
    ) -> Result<String, Error> {
        let options = options.map(Into::into).unwrap_or_default();
        let line = f64::from(line);
        self.tell(move |host, settings| async move {
            identify::identify(&host, &settings, &file, line, &options).await
        })
    }

    fn status(&self, options: Option<QuestionOptions>) -> Result<String, Error> {
        let options = options.map(Into::into).unwrap_or_default();
        self.tell(
            move |host, settings| async move { status::status(&host, &settings, &options).await },
        )
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
        self.tell(move |host, settings| async move {
            build_all(&host, &settings, &cache, &options, &owner).await
        })
    }

    fn ask(&self, question: String, options: Option<AskOptions>) -> Result<String, Error> {
        let cache = Rc::clone(&self.documents);
        let understood = asking(options);
        self.tell(move |host, settings| async move {
            let (planning, options) = match understood {
                Ok(understood) => understood,
                Err(error) => return ask::ask_error(&question, error),
            };
            let plan = model::plan(&host, &question, &planning, &mut Rungs::default()).await;
            let asking = Asking {
                question: &question,
                plan,
                catalogue: &planning.catalogue,
                mandatory: planning.mandatory.filters(),
                options: &options,
                cache: &cache,
                is_foreign: false,
                embeds: false,
            };
            ask::ask(&host, &settings, &asking).await
        })
    }
}

fn settings(options: OpenOptions) -> Result<Settings, RagnavError> {
    let defaults = Limits::default();
    let limit = |name, given: Option<u32>| {
        let given = given.map(f64::from);
        given.map(|given| whole_number(name, given)).transpose()
    };
    let max_file_bytes = limit("max-file-bytes", options.max_file_bytes)?;
    let max_files = limit("max-files", options.max_files)?;
    let max_folders = limit("max-folders", options.max_folders)?;
    let max_depth = limit("max-depth", options.max_depth)?;
    Ok(Settings {
        stale_policy: options.stale_policy.map(Into::into).unwrap_or_default(),
        repo: options.repo.unwrap_or_default(),
        limits: Limits {
            max_file_bytes: max_file_bytes.map_or(defaults.max_file_bytes, wire),
            max_files: max_files.unwrap_or(defaults.max_files),
            max_folders: max_folders.unwrap_or(defaults.max_folders),
            max_depth: max_depth.unwrap_or(defaults.max_depth),
        },
        ..Settings::default()
    })
}
