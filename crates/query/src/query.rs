//! What a query and its answer are.

use serde::Serialize;
use serde::de::DeserializeOwned;

use ragnav_base::completeness::Doubt;
use ragnav_base::envelope::{RagResult, RagToolMeta};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Page;
use ragnav_base::position::wire;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::StalePolicy;
use ragnav_repository::snapshot::Snapshot;

use crate::arguments::{Arguments, Positional};
use crate::receipt::{AsRow, Row, keep_rows, rows_of};

/// A query: its options, its answer and how it runs. Each is one file of this crate and one row of
/// [`for_each_query`](crate::for_each_query). Both boundaries, the TypeScript types, the MCP tools
/// and the commands derive from these.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::outline::Outline;
/// use ragnav_query::{Query, Settings, answer_arguments};
///
/// assert_eq!(Outline::POSITIONAL[0].name, "file");
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
/// let arguments = serde_json::json!({"file": "a.py", "stale_policy": "live"});
/// let answer = block_on(answer_arguments::<Outline, _>(&host, &Settings::default(), arguments));
/// assert_eq!(answer.items[0].name, "total");
/// ```
pub trait Query: Sized + Serialize {
    /// The name on every surface, that of its row in the registry.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::Query;
    /// use ragnav_query::where_used::WhereUsed;
    ///
    /// assert_eq!(WhereUsed::NAME, "where_used");
    /// ```
    const NAME: &'static str;

    /// The arguments that are not options, in the order of the JavaScript method.
    const POSITIONAL: &'static [Positional];

    /// The options. Every field is optional.
    type Options: DeserializeOwned + Default;

    /// The answer, as every surface shows it.
    type Answer: QueryAnswer;

    /// The parsed form of the arguments.
    type Valid;

    /// Returns the query of some arguments. An argument that is missing or of the wrong type is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{FileOptions, Query};
    ///
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let query = Outline::new(&arguments, FileOptions::default());
    /// assert!(query.validate().is_ok());
    /// ```
    fn new(arguments: &Arguments, options: Self::Options) -> Self;

    /// Parses the arguments.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`, with a message that says what to give instead.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{FileOptions, Query};
    ///
    /// let arguments = serde_json::json!({"file": "../outside.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// assert!(Outline::new(&arguments, FileOptions::default()).validate().is_err());
    /// ```
    fn validate(&self) -> Result<Self::Valid, RagnavError>;

    /// The policy that the options name.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{FileOptions, Query, StalePolicy};
    ///
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let stale_policy = Some(StalePolicy::Live);
    /// let options = FileOptions { stale_policy, ..FileOptions::default() };
    /// assert_eq!(Outline::new(&arguments, options).stale_policy(), stale_policy);
    /// ```
    fn stale_policy(&self) -> Option<StalePolicy>;

    /// Returns the files that the query is about.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{FileOptions, Query};
    ///
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let valid = Outline::new(&arguments, FileOptions::default()).validate().unwrap();
    /// assert!(Outline::scope(&valid).admits(&RepoPath::parse("a.py").unwrap()));
    /// assert!(!Outline::scope(&valid).admits(&RepoPath::parse("b.py").unwrap()));
    /// ```
    fn scope(valid: &Self::Valid) -> Scope<'_>;

    /// Runs the query over one snapshot.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeSet;
    ///
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{FileOptions, Query, Settings};
    /// use ragnav_repository::overlay::Overlaid;
    /// use ragnav_repository::snapshot::Snapshot;
    ///
    /// let repository = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
    /// let host = block_on(Overlaid::new(&repository)).unwrap();
    /// let (settings, corrections) = (Settings::default(), BTreeSet::new());
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let query = Outline::new(&arguments, FileOptions::default());
    /// let valid = query.validate().unwrap();
    /// let taken = Snapshot::take(&host, &settings, None, Outline::scope(&valid), &corrections);
    /// let answer = block_on(query.run(&valid, block_on(taken).unwrap())).unwrap();
    /// assert_eq!(answer.items[0].name, "total");
    /// ```
    fn run<H: Host>(
        &self,
        valid: &Self::Valid,
        snapshot: Snapshot<'_, H>,
    ) -> impl Future<Output = Result<Self::Answer, Failure>>;

    /// Returns the answer of this query when it failed.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{RagToolMeta, RagToolStatus};
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{FileOptions, Query};
    ///
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let meta = RagToolMeta { status: RagToolStatus::Error, ..RagToolMeta::default() };
    /// let answer = Outline::new(&arguments, FileOptions::default()).failed(meta);
    /// assert!(answer.items.is_empty());
    /// ```
    fn failed(&self, meta: RagToolMeta) -> Self::Answer;
}

/// The answer of a query: an envelope.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{OkOptions, RagToolStatus, ok_result};
/// use ragnav_query::Answer;
///
/// let answer = ok_result(vec!["a.py"], OkOptions::default());
/// assert_eq!(Answer::meta(&answer).status, RagToolStatus::Ok);
/// ```
pub trait Answer: Serialize {
    /// The metadata of the answer.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{FallbackOptions, RagToolStatus, fallback_result};
    /// use ragnav_query::Answer;
    ///
    /// let answer = fallback_result(vec!["a.py"], FallbackOptions::default());
    /// assert_eq!(Answer::meta(&answer).status, RagToolStatus::Fallback);
    /// ```
    fn meta(&self) -> &RagToolMeta;
}

/// The answer of a query of the registry.
///
/// # Examples
///
/// ```
/// use ragnav_query::files::FilesResult;
/// use ragnav_query::QueryAnswer;
///
/// fn rows<A: QueryAnswer>(answer: &A) -> usize {
///     answer.rows().map_or(0, |rows| rows.len())
/// }
/// # let _ = rows::<FilesResult>;
/// ```
pub trait QueryAnswer: Answer {
    /// The metadata of the answer, to be added to.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{OkOptions, ok_result};
    /// use ragnav_query::QueryAnswer;
    ///
    /// let mut answer = ok_result::<ragnav_query::files::FileItem>(Vec::new(), OkOptions::default());
    /// QueryAnswer::meta_mut(&mut answer).message = Some("Nothing is here.".to_owned());
    /// assert!(answer.meta.message.is_some());
    /// ```
    fn meta_mut(&mut self) -> &mut RagToolMeta;

    /// The rows for a receipt; `None` for an answer that has none.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{OkOptions, ok_result};
    /// use ragnav_query::QueryAnswer;
    ///
    /// let answer = ok_result::<ragnav_query::files::FileItem>(Vec::new(), OkOptions::default());
    /// assert_eq!(QueryAnswer::rows(&answer).map(|rows| rows.len()), Some(0));
    /// ```
    fn rows(&self) -> Option<Vec<Row>> {
        None
    }

    /// Leaves the rows whose index is in a sorted list, of `total` such rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::files::{FilesOptions, files};
    /// use ragnav_query::{QueryAnswer, Settings};
    ///
    /// let host = MemoryHost::new(&[("a.py", ""), ("b.py", "")]);
    /// let mut answer = block_on(files(&host, &Settings::default(), &FilesOptions::default()));
    /// QueryAnswer::keep(&mut answer, &[1], 1);
    /// assert_eq!(answer.items[0].file, "b.py");
    /// ```
    fn keep(&mut self, _kept: &[usize], _total: usize) {}

    /// Why there may be other rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::files::{FilesOptions, files};
    /// use ragnav_query::{QueryAnswer, Settings};
    ///
    /// let host = MemoryHost::default();
    /// let answer = block_on(files(&host, &Settings::default(), &FilesOptions::default()));
    /// assert!(QueryAnswer::doubts(&answer).is_empty());
    /// ```
    fn doubts(&self) -> &[Doubt] {
        &[]
    }

    /// Reports whether there is a further page.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::files::{FilesOptions, files};
    /// use ragnav_query::{QueryAnswer, Settings};
    ///
    /// let host = MemoryHost::default();
    /// let answer = block_on(files(&host, &Settings::default(), &FilesOptions::default()));
    /// assert!(!answer.has_more());
    /// ```
    fn has_more(&self) -> bool {
        false
    }
}

impl<T: Serialize> Answer for RagResult<T> {
    fn meta(&self) -> &RagToolMeta {
        &self.meta
    }
}

impl<T: AsRow + Serialize> QueryAnswer for RagResult<T> {
    fn meta_mut(&mut self) -> &mut RagToolMeta {
        &mut self.meta
    }

    fn rows(&self) -> Option<Vec<Row>> {
        Some(rows_of(&self.items))
    }

    fn keep(&mut self, kept: &[usize], _: usize) {
        keep_rows(&mut self.items, kept);
    }
}

impl<T: Serialize, E: Serialize> Answer for Page<T, E> {
    fn meta(&self) -> &RagToolMeta {
        &self.meta
    }
}

impl<T: AsRow + Serialize, E: Serialize> QueryAnswer for Page<T, E> {
    fn meta_mut(&mut self) -> &mut RagToolMeta {
        &mut self.meta
    }

    fn rows(&self) -> Option<Vec<Row>> {
        Some(rows_of(&self.items))
    }

    fn keep(&mut self, kept: &[usize], total: usize) {
        keep_rows(&mut self.items, kept);
        self.truncated |= total > kept.len();
        self.total = self.total.map(|_| wire(total));
        self.cursor = None;
    }

    fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    fn has_more(&self) -> bool {
        self.cursor.is_some()
    }
}
