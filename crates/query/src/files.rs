//! `files`: what the walk admits and what it skips.

use xxhash_rust::xxh3::Xxh3;

use ragnav_base::argument::Count;
use ragnav_base::completeness::{Doubt, DoubtReason};
use ragnav_base::difference::RowPlace;
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Page, SkipReason};
use ragnav_base::path::RepoPath;
use ragnav_matching::globs::Globs;
use ragnav_repository::failure::{Failure, add_message};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};
use serde::{Deserialize, Serialize};

use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::cursor::Cursor;
use crate::options::{glob_list, parse_folder, without_files, without_matches};
use crate::page::{PageEnd, page_rows};
use crate::query::Query;
use crate::receipt::{AsRow, Row};

/// The default page size.
const DEFAULT_LIMIT: usize = 1_000;

/// The options of `files`.
///
/// # Examples
///
/// ```
/// use ragnav_query::files::FilesOptions;
///
/// let options: FilesOptions = serde_json::from_str(r#"{"include": ["*.py"]}"#).unwrap();
/// assert_eq!(options.include, Some(vec!["*.py".to_owned()]));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct FilesOptions {
    /// Rows of a page, at least 1. Default 1,000, at most 10,000.
    pub limit: Option<Count>,
    /// Globs in gitignore's syntax, such as `*.py` or `src/**`: only files that match one of them
    /// are listed. Default: all files.
    #[serde(deserialize_with = "glob_list")]
    pub include: Option<Vec<String>>,
    /// Globs in gitignore's syntax: files that match one of them are not listed. Default: none.
    #[serde(deserialize_with = "glob_list")]
    pub exclude: Option<Vec<String>>,
    /// Only rows in this folder, a path from the root. Default: all.
    pub folder: Option<String>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before, with the same globs. Default: the first page.
    pub cursor: Option<String>,
    /// The `receipt` of an earlier answer to this query. The answer then lists only the rows that
    /// differ, at most `limit` (default 50), and `meta.since` describes the differences. Default:
    /// all rows.
    pub since: Option<String>,
}

/// A file or folder as the walk sees it.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::files::{FilesOptions, files};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), FilesOptions::default());
/// let answer = block_on(files(&host, &settings, &options));
/// let json = r#"{"file":"a.py","language":"python","skipped":null}"#;
/// assert_eq!(serde_json::to_string(&answer.items[0]).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct FileItem {
    /// The path, relative to the repository's root; that of a skipped folder ends with `/`.
    pub file: String,
    /// The language that the file is parsed as, such as `python`; `null` for a file that is only
    /// searched.
    pub language: Option<String>,
    /// Why queries leave it out; `null` for a file that the walk admits.
    pub skipped: Option<SkipReason>,
}

impl AsRow for FileItem {
    fn as_row(&self) -> Row {
        Row {
            place: RowPlace {
                file: self.file.clone(),
                line: None,
            },
            column: 0,
            kind: "file".to_owned(),
            symbol: None,
            text: self.language.clone().unwrap_or_default(),
            says: format!("{:?}", self.skipped),
            provenance: None,
        }
    }
}

/// What `files` says beside its rows: nothing.
///
/// # Examples
///
/// ```
/// use ragnav_query::files::FilesHead;
///
/// assert_eq!(serde_json::to_string(&FilesHead {}).unwrap(), "{}");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct FilesHead {}

/// The answer of `files`: what the walk admits and what it skips, by path.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type FilesResult = Page<FileItem, FilesHead>;

/// Lists the files that the ignore rules admit, by path, with the language of each, and the files
/// and folders that every query leaves out, with the reason (`skipped`). Use it with `include` to
/// see what a folder holds, or to learn why a search finds nothing in a file.
///
/// Reads no file but the ignore rules.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::files::Files;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"exclude": ["*.py"]});
/// let answer = block_on(answer_arguments::<Files, _>(&host, &settings, arguments));
/// assert_eq!(answer.total, Some(0));
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "FilesArguments")
)]
pub struct Files {
    #[serde(flatten)]
    options: FilesOptions,
}

/// The parsed form of the options.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::files::Files;
///
/// let options = serde_json::from_str(r#"{"include": ["*.py"]}"#).unwrap();
/// let query = Files::new(&Arguments::lenient(serde_json::json!({}), &[]), options);
/// let valid = query.validate().unwrap();
/// assert!(Files::scope(&valid).admits(&RepoPath::parse("a.py").unwrap()));
/// ```
#[derive(Debug)]
pub struct ValidFiles {
    globs: Globs,
    cursor: Option<Cursor>,
    fingerprint: u64,
}

impl Query for Files {
    const NAME: &'static str = "files";
    const POSITIONAL: &'static [Positional] = &[];
    type Options = FilesOptions;
    type Answer = FilesResult;
    type Valid = ValidFiles;

    fn new(_: &Arguments, options: FilesOptions) -> Self {
        Self { options }
    }

    fn validate(&self) -> Result<ValidFiles, RagnavError> {
        let include = self.options.include.as_deref().unwrap_or_default();
        let exclude = self.options.exclude.as_deref().unwrap_or_default();
        let folder = parse_folder(self.options.folder.as_deref())?;
        let identity = format!("files {include:?} {exclude:?} {folder:?}");
        let (fingerprint, cursor) = Cursor::of_query(&identity, self.options.cursor.as_deref())?;
        let globs = Globs::new(include, exclude)?.within(folder);
        Ok(ValidFiles {
            globs,
            cursor,
            fingerprint,
        })
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(valid: &ValidFiles) -> Scope<'_> {
        Scope::Globs(&valid.globs)
    }

    async fn run<H: Host>(
        &self,
        valid: &ValidFiles,
        snapshot: Snapshot<'_, H>,
    ) -> Result<FilesResult, Failure> {
        let rows = rows(&snapshot);
        let limit = page_rows(self.options.limit, DEFAULT_LIMIT);
        let fingerprint = fingerprint(&rows);
        let total = rows.len();
        let page = Cursor::page(valid.cursor, limit, (valid.fingerprint, fingerprint), total)?;
        let items = rows.get(page.rows.clone()).unwrap_or_default().to_vec();
        let no_files = without_files(snapshot.files(), valid.globs.folder())
            .or_else(|| without_matches(snapshot.files(), &valid.globs));
        let mut finished = snapshot.finish(ReadOutcome::default())?;
        if let Some(message) = no_files {
            add_message(&mut finished.meta, &message);
        }
        // Skipped files are rows here, so they cannot hide any.
        let limit = (!finished.is_complete).then(|| Doubt::general(DoubtReason::Limit));
        let end = PageEnd {
            doubts: limit.into_iter().collect(),
            meta: finished.meta,
            skipped: finished.skipped,
            is_whole: finished.is_complete,
            total,
            next: page.next,
        };
        Ok(end.page(items, FilesHead {}))
    }

    fn failed(&self, meta: RagToolMeta) -> FilesResult {
        Page::failed(meta, FilesHead {})
    }
}

fn rows<H: Host>(snapshot: &Snapshot<'_, H>) -> Vec<FileItem> {
    let (files, skipped) = snapshot.walked();
    let admitted = files.iter().map(|path| FileItem {
        file: path.to_string(),
        language: language_of(path),
        skipped: None,
    });
    let skipped = skipped.iter().map(|skip| FileItem {
        file: skip.file.clone(),
        language: None,
        skipped: Some(skip.reason),
    });
    let mut rows: Vec<FileItem> = admitted.chain(skipped).collect();
    rows.sort_unstable_by(|a, b| a.file.cmp(&b.file));
    rows
}

fn language_of(path: &RepoPath) -> Option<String> {
    ragnav_syntax::detect_language(path).map(|language| language.name.to_owned())
}

fn fingerprint(rows: &[FileItem]) -> u64 {
    let mut hash = Xxh3::new();
    for row in rows {
        hash.update(row.file.as_bytes());
        hash.update(&[0, u8::from(row.skipped.is_some())]);
    }
    hash.digest()
}

/// Answers [`Files`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::files::{FilesOptions, files};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), FilesOptions::default());
/// let answer = block_on(files(&host, &settings, &options));
/// assert_eq!((answer.items[0].file.as_str(), answer.total), ("a.py", Some(1)));
/// ```
pub async fn files<H: Host>(host: &H, settings: &Settings, options: &FilesOptions) -> FilesResult {
    let options = options.clone();
    answer(host, settings, &Files { options }).await
}
