//! A build with all that answers questions: the index, and the store of documents made of it.

use ragnav_query::Answer;
use serde::{Deserialize, Serialize};

use super::fill::{FillOptions, FillResult, fill};
use super::store::files::{DOCUMENTS_FILE, StoreCache};
use ragnav_base::envelope::{RagToolMeta, RagToolStatus};
use ragnav_base::host::{self, Host};
use ragnav_base::path::RepoPath;
use ragnav_query::build_graph::{BuildOptions, BuildResult, build_graph};
use ragnav_repository::failure::add_message;
use ragnav_repository::settings::Settings;

/// What a build may be told.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct BuildAllOptions {
    /// Whether to write nothing and say what would change. Default `false`.
    pub check: Option<bool>,
    /// Whether the store of documents is filled as well. Default: where there is one. What only checks fills nothing.
    pub documents: Option<bool>,
    /// The name of the model that the host embeds with; documents have no vectors without one.
    pub embedder: Option<String>,
}

/// The answer of a build.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct BuildAllResult {
    /// What became of the index.
    #[serde(flatten)]
    pub graph: BuildResult,
    /// What became of the store; `null` where it was not filled, and where that failed the message says why.
    pub documents: Option<FillResult>,
}

impl Answer for BuildAllResult {
    fn meta(&self) -> &RagToolMeta {
        &self.graph.meta
    }
}

/// Whether documents were stored before. A host without stamps does not say.
async fn has_store<H: Host>(host: &H) -> bool {
    let Ok(path) = RepoPath::parse(DOCUMENTS_FILE) else {
        return false;
    };
    let stats = host::stat(host, &[path]).await;
    stats.is_ok_and(|stats| stats.iter().any(Result::is_ok))
}

/// Makes the index of a repository and fills the store of its documents, or brings them up to date. An index stands although the store
/// failed.
///
/// `owner` is a name of this build that no other one has, in whichever process.
pub async fn build_all<H: Host>(
    host: &H,
    settings: &Settings,
    cache: &StoreCache,
    options: &BuildAllOptions,
    owner: &str,
) -> BuildAllResult {
    let check = options.check;
    let mut graph = build_graph(host, settings, &BuildOptions { check }, owner).await;
    let is_built = graph.meta.status != RagToolStatus::Error && check != Some(true);
    let is_wanted = match options.documents {
        Some(documents) => documents,
        None => is_built && has_store(host).await,
    };
    if !is_built || !is_wanted {
        return BuildAllResult {
            graph,
            documents: None,
        };
    }
    let filling = FillOptions {
        embedder: options.embedder.clone(),
    };
    match fill(host, settings, cache, &filling, owner).await {
        Ok(filled) => BuildAllResult {
            graph,
            documents: Some(filled),
        },
        Err(error) => {
            let message = format!("The store of documents was not filled: {error}.");
            add_message(&mut graph.meta, &message);
            BuildAllResult {
                graph,
                documents: None,
            }
        }
    }
}
