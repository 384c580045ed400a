//! Building the index and, from it, the document store.

use ragnav_query::Answer;
use serde::{Deserialize, Serialize};

use super::fill_store::{FillOptions, FillResult, fill_store};
use super::store::files::{DOCUMENTS_FILE, StoreCache};
use ragnav_base::envelope::{RagToolMeta, RagToolStatus};
use ragnav_base::host::{self, Host};
use ragnav_base::path::RepoPath;
use ragnav_query::build_graph::{BuildOptions, BuildResult, build_graph};
use ragnav_repository::failure::add_message;
use ragnav_repository::settings::Settings;

/// The options of a build.
///
/// # Examples
///
/// ```
/// use ragnav_agent::build::BuildAllOptions;
///
/// let options: BuildAllOptions = serde_json::from_str(r#"{"documents": true}"#).unwrap();
/// assert_eq!((options.documents, options.check), (Some(true), None));
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct BuildAllOptions {
    /// Whether to report changes without writing anything. Default `false`.
    pub check: Option<bool>,
    /// Whether to fill the document store. Default: if there is one. A check never fills it.
    pub documents: Option<bool>,
    /// The name of the host's embedding model; without it documents have no vectors.
    pub embedder: Option<String>,
}

/// The answer of a build.
///
/// # Examples
///
/// ```
/// use ragnav_agent::build::{BuildAllOptions, build_all};
/// use ragnav_agent::store::files::StoreCache;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
///
/// let host = MemoryHost::new(&[("notes.md", "# Deployment\nRun the script.\n")]);
/// let (settings, cache, options) = Default::default();
/// let built = block_on(build_all(&host, &settings, &cache, &options, "build-1"));
/// assert_eq!(built.graph.counts.added, 1);
/// // Without a store and without the option, no documents are built.
/// assert!(built.documents.is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct BuildAllResult {
    /// The result for the index.
    #[serde(flatten)]
    pub graph: BuildResult,
    /// The result for the document store; `null` if it was not filled. After a failure the message
    /// gives the reason.
    pub documents: Option<FillResult>,
}

impl Answer for BuildAllResult {
    fn meta(&self) -> &RagToolMeta {
        &self.graph.meta
    }
}

/// Reports whether a document store exists. A host without stamps reports none.
async fn has_store<H: Host>(host: &H) -> bool {
    let Ok(path) = RepoPath::parse(DOCUMENTS_FILE) else {
        return false;
    };
    host::stat_one(host, &path)
        .await
        .is_ok_and(|stat| stat.is_ok())
}

/// Builds or updates the index of a repository and its document store. The index is kept even if
/// the store fails.
///
/// `owner` is a name of this build that is unique across processes.
///
/// # Examples
///
/// ```
/// use ragnav_agent::build::{BuildAllOptions, build_all};
/// use ragnav_agent::store::files::StoreCache;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
///
/// let host = MemoryHost::new(&[("notes.md", "# Deployment\nRun the script.\n")]);
/// let options = BuildAllOptions { documents: Some(true), ..BuildAllOptions::default() };
/// let (settings, cache) = (Settings::default(), StoreCache::default());
/// let built = block_on(build_all(&host, &settings, &cache, &options, "build-1"));
/// assert_eq!(built.documents.unwrap().documents, 1);
/// ```
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
    match fill_store(host, settings, cache, &filling, owner).await {
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
