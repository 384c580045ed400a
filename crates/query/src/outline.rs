//! `outline`: the definitions of a file as a tree.

use std::collections::BTreeSet;

use ragnav_base::envelope::{RagResult, RagToolMeta};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Definition;
use ragnav_base::path::RepoPath;
use ragnav_repository::failure::{Failure, add_partial};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};
use serde::Serialize;

use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::definitions_of_file::{FileAnswer, definitions_of_file};
use crate::options::FileOptions;
use crate::page::limit_items;
use crate::query::Query;
use crate::receipt::{AsRow, Row};

/// One definition of a file, with the definitions inside it.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::outline::outline;
/// use ragnav_query::{FileOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), FileOptions::default());
/// let answer = block_on(outline(&host, &settings, "a.py", &options));
/// let total = &answer.items[0];
/// assert_eq!((total.name.as_str(), total.children.len()), ("total", 0));
/// assert_eq!(total.definition.start_line, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct OutlineItem {
    /// The name without the names around it.
    pub name: String,
    /// The definition.
    #[serde(flatten)]
    pub definition: Definition,
    /// The definitions directly inside this one, by line.
    pub children: Vec<OutlineItem>,
}

impl AsRow for OutlineItem {
    fn as_row(&self) -> Row {
        let row = self.definition.as_row();
        let members = members(self, self.definition.start_line);
        Row {
            says: format!("{} {members}", row.says),
            ..row
        }
    }
}

/// Returns the members of a definition with their lines, counted from a first one.
fn members(item: &OutlineItem, first: u32) -> String {
    let members = item.children.iter().map(|child| {
        let line = child.definition.start_line.saturating_sub(first);
        let row = child.definition.as_row();
        let inner = members(child, first);
        format!("({} {line} {} {inner})", row.text, row.says)
    });
    members.collect()
}

/// Lists the definitions of a file as a tree, in the order of the text: a method is inside its
/// class, a nested function inside its function. Use it to learn what a file holds without reading
/// it. `limit` counts the definitions at the top of the tree.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::outline::Outline;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"file": "a.py"});
/// let answer = block_on(answer_arguments::<Outline, _>(&host, &settings, arguments));
/// assert_eq!(answer.items[0].name, "total");
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "OutlineArguments")
)]
pub struct Outline {
    /// The path of the file from the repository's root, with `/`.
    file: String,
    #[serde(flatten)]
    options: FileOptions,
}

impl Query for Outline {
    const NAME: &'static str = "outline";
    const POSITIONAL: &'static [Positional] = &[Positional::text("file")];
    type Options = FileOptions;
    type Answer = RagResult<OutlineItem>;
    type Valid = RepoPath;

    fn new(arguments: &Arguments, options: FileOptions) -> Self {
        let file = arguments.text("file");
        Self { file, options }
    }

    fn validate(&self) -> Result<RepoPath, RagnavError> {
        RepoPath::parse(&self.file)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(path: &RepoPath) -> Scope<'_> {
        Scope::File(path)
    }

    async fn run<H: Host>(
        &self,
        path: &RepoPath,
        snapshot: Snapshot<'_, H>,
    ) -> Result<Self::Answer, Failure> {
        let FileAnswer {
            definitions,
            module,
            is_partial,
            ..
        } = definitions_of_file(&snapshot, path).await?;
        let mut items = tree(definitions);
        if self.options.include_module == Some(true) {
            items = around(module, items);
        }
        let mut meta = snapshot.finish(ReadOutcome::default())?.meta;
        limit_items(&mut items, self.options.limit, &mut meta);
        if is_partial {
            add_partial(&mut meta, &BTreeSet::from([path.clone()]));
        }
        Ok(RagResult { meta, items })
    }

    fn failed(&self, meta: RagToolMeta) -> Self::Answer {
        RagResult::failed(meta)
    }
}

/// Nests definitions that come in the order of the text by their ids and lines. The stack holds the definitions around
/// the current one.
fn tree(definitions: Vec<Definition>) -> Vec<OutlineItem> {
    let mut top = Vec::new();
    let mut open: Vec<OutlineItem> = Vec::new();
    for definition in definitions {
        while let Some(around) = open.pop() {
            if is_inside(&definition, &around.definition) {
                open.push(around);
                break;
            }
            close(around, &mut open, &mut top);
        }
        open.push(OutlineItem {
            name: name_of(&definition),
            definition,
            children: Vec::new(),
        });
    }
    while let Some(around) = open.pop() {
        close(around, &mut open, &mut top);
    }
    top
}

/// Returns the module with the definitions of its file.
fn around(module: Option<Definition>, children: Vec<OutlineItem>) -> Vec<OutlineItem> {
    match module {
        Some(definition) => vec![OutlineItem {
            name: name_of(&definition),
            definition,
            children,
        }],
        None => children,
    }
}

fn close(item: OutlineItem, open: &mut [OutlineItem], top: &mut Vec<OutlineItem>) {
    match open.last_mut() {
        Some(around) => around.children.push(item),
        None => top.push(item),
    }
}

fn is_inside(inner: &Definition, outer: &Definition) -> bool {
    let prefix = inner.symbol.dotted().strip_prefix(outer.symbol.dotted());
    let is_nested = prefix.is_some_and(|rest| rest.starts_with('.'));
    is_nested && outer.start_line <= inner.start_line && inner.end_line <= outer.end_line
}

fn name_of(definition: &Definition) -> String {
    let dotted = definition.symbol.dotted();
    let name = dotted.rsplit('.').next().unwrap_or(dotted);
    name.replace("%2E", ".")
}

/// Answers [`Outline`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::outline::outline;
/// use ragnav_query::{FileOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), FileOptions::default());
/// let answer = block_on(outline(&host, &settings, "a.py", &options));
/// assert_eq!(answer.items[0].name, "total");
/// ```
pub async fn outline<H: Host>(
    host: &H,
    settings: &Settings,
    file: &str,
    options: &FileOptions,
) -> RagResult<OutlineItem> {
    let (file, options) = (file.to_owned(), options.clone());
    answer(host, settings, &Outline { file, options }).await
}
