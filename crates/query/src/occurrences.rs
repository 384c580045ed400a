//! `occurrences`: the definitions of a file, and its references with the definitions that they mean.

pub mod item;
mod links;
mod rows;
mod signature;

use std::collections::BTreeSet;

use ragnav_base::argument::Count;
use ragnav_base::completeness::{Doubt, DoubtReason};
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Page;
use ragnav_base::path::RepoPath;
use ragnav_base::position::LineIndex;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use self::item::OccurrenceItem;
use self::links::links_of;
use self::rows::RowFile;
use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::code_facts::CodeFacts;
use crate::cursor::Cursor;
use crate::definitions_of_file::no_facts;
use crate::page::{PageEnd, page_rows};
use crate::partial_files::PartialFiles;
use crate::query::Query;
use crate::reference_rows::{finish, text_of};
use crate::row_conditions::add_module_conditions;

/// The default page size.
const DEFAULT_LIMIT: usize = 1_000;

/// The options of `occurrences`.
///
/// # Examples
///
/// ```
/// use ragnav_query::occurrences::OccurrencesOptions;
///
/// let options: OccurrencesOptions = serde_json::from_str(r#"{"limit": 2}"#).unwrap();
/// assert_eq!(options.limit.map(|limit| limit.get()), Some(2));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct OccurrencesOptions {
    /// Rows of a page, at least 1. Default 1,000, at most 10,000.
    pub limit: Option<Count>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before, with the same file. Default: the first page.
    pub cursor: Option<String>,
    /// The `receipt` of an earlier answer to this query. The answer then lists only the rows that
    /// differ, at most `limit` (default 50), and `meta.since` describes the differences. Default:
    /// all rows.
    pub since: Option<String>,
}

/// What `occurrences` says beside its rows.
///
/// # Examples
///
/// ```
/// use ragnav_query::occurrences::OccurrencesHead;
///
/// let head = OccurrencesHead { file: "a.py".to_owned(), language: Some("python".to_owned()) };
/// let json = r#"{"file":"a.py","language":"python"}"#;
/// assert_eq!(serde_json::to_string(&head).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct OccurrencesHead {
    /// The file as it was given.
    pub file: String,
    /// The language that it is parsed as, such as `python`; `null` if there is none.
    pub language: Option<String>,
}

/// The answer of `occurrences`: the names in a file by line and column. A reference that may mean
/// several definitions has a row for each.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type OccurrencesResult = Page<OccurrenceItem, OccurrencesHead>;

/// Lists the definitions of a file, and every reference in it that resolves, with the definition
/// that it means. References that only share a name with a definition are left out. Use it to write
/// an index for other programs, or to show all links of a file.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::occurrences::Occurrences;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"file": "a.py"});
/// let answer = block_on(answer_arguments::<Occurrences, _>(&host, &settings, arguments));
/// assert_eq!(answer.total, Some(2));
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "OccurrencesArguments")
)]
pub struct Occurrences {
    /// The path of the file from the repository's root, with `/`.
    file: String,
    #[serde(flatten)]
    options: OccurrencesOptions,
}

/// The parsed form of the arguments.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::occurrences::Occurrences;
///
/// let arguments = serde_json::json!({"file": "../a.py"});
/// let arguments = Arguments::lenient(arguments, Occurrences::POSITIONAL);
/// assert!(Occurrences::new(&arguments, Default::default()).validate().is_err());
/// ```
#[derive(Debug)]
pub struct ValidOccurrences {
    path: RepoPath,
    cursor: Option<Cursor>,
    fingerprint: u64,
}

impl Query for Occurrences {
    const NAME: &'static str = "occurrences";
    const POSITIONAL: &'static [Positional] = &[Positional::text("file")];
    type Options = OccurrencesOptions;
    type Answer = OccurrencesResult;
    type Valid = ValidOccurrences;

    fn new(arguments: &Arguments, options: OccurrencesOptions) -> Self {
        let file = arguments.text("file");
        Self { file, options }
    }

    fn validate(&self) -> Result<ValidOccurrences, RagnavError> {
        let path = RepoPath::parse(&self.file)?;
        let identity = format!("occurrences {path}");
        let (fingerprint, cursor) = Cursor::of_query(&identity, self.options.cursor.as_deref())?;
        Ok(ValidOccurrences {
            path,
            cursor,
            fingerprint,
        })
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &ValidOccurrences) -> Scope<'_> {
        Scope::Links
    }

    async fn run<H: Host>(
        &self,
        valid: &ValidOccurrences,
        snapshot: Snapshot<'_, H>,
    ) -> Result<OccurrencesResult, Failure> {
        let path = &valid.path;
        let mut code = CodeFacts::new(&snapshot).await?;
        code.load(&BTreeSet::from([path.clone()])).await?;
        let Some(file) = code.world.facts(path) else {
            return Err(no_facts(&snapshot, path).await?.into());
        };
        let links = links_of(&mut code, path, &file).await?;
        let decoded = text_of(&snapshot, &code, path).await?;
        let text = decoded.map(|decoded| {
            let index = LineIndex::new(&decoded.text);
            (decoded.text, index)
        });
        let rows = RowFile {
            snapshot: &snapshot,
            code: &code,
            path,
            file: &file,
            text,
            links,
        };
        let (items, unknown) = (rows.rows(), rows.unknown());
        let limit = page_rows(self.options.limit, DEFAULT_LIMIT);
        let fingerprints = (valid.fingerprint, fingerprint(&items));
        let page = Cursor::page(valid.cursor, limit, fingerprints, items.len())?;
        let mut shown = items.get(page.rows).unwrap_or_default().to_vec();
        add_module_conditions(&snapshot, &mut shown).await?;
        let unfollowed = code
            .is_truncated()
            .then_some("Not every reference was resolved.");
        let read = code.into_outcome(0, PartialFiles::default(), None);
        let rest = finish(snapshot, read, unfollowed)?;
        let mut doubts: Vec<Doubt> = (unknown > 0)
            .then(|| Doubt::in_files(DoubtReason::Candidates, unknown, [path.to_string()]))
            .into_iter()
            .collect();
        doubts.extend(rest.doubts);
        let end = PageEnd {
            total: items.len(),
            next: page.next,
            doubts,
            ..rest
        };
        Ok(end.page(shown, self.head()))
    }

    fn failed(&self, meta: RagToolMeta) -> OccurrencesResult {
        Page::failed(meta, self.head())
    }
}

impl Occurrences {
    fn head(&self) -> OccurrencesHead {
        let path = RepoPath::parse(&self.file).ok();
        let language = path.as_ref().and_then(ragnav_syntax::detect_language);
        OccurrencesHead {
            file: self.file.clone(),
            language: language.map(|language| language.name.to_owned()),
        }
    }
}

/// Returns a hash of the rows, so that a cursor notices when they change.
fn fingerprint(rows: &[OccurrenceItem]) -> u64 {
    let mut hash = Xxh3::new();
    for row in rows {
        hash.update(&row.line.to_le_bytes());
        hash.update(&row.start_utf16.to_le_bytes());
        hash.update(&[row.kind as u8]);
        hash.update(row.definition.file.as_bytes());
        hash.update(row.definition.symbol.as_str().as_bytes());
        hash.update(&row.definition.ordinal.to_le_bytes());
    }
    hash.digest()
}

/// Answers [`Occurrences`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::occurrences::{OccurrencesOptions, occurrences};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let options = OccurrencesOptions::default();
/// let answer = block_on(occurrences(&host, &Settings::default(), "a.py", &options));
/// assert_eq!(answer.items[1].definition.symbol.as_str(), "sym:a.total");
/// ```
pub async fn occurrences<H: Host>(
    host: &H,
    settings: &Settings,
    file: &str,
    options: &OccurrencesOptions,
) -> OccurrencesResult {
    let (file, options) = (file.to_owned(), options.clone());
    answer(host, settings, &Occurrences { file, options }).await
}
