//! `rename_plan`: the edits that give a symbol another name, checked by resolving references again.

mod check;
mod edits;
mod symbol;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use ragnav_base::completeness::DoubtReason;
use ragnav_base::envelope::{FreshnessState, Proof, RagToolMeta, SourceTag};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, ItemKind, NavItem, Page, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::text_edit::TextEdit;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;

use self::check::{Moves, check};
use self::edits::{Edits, Replacement, edits, keeps_a_property};
use self::symbol::RenamedSymbol;
use crate::arguments::{Arguments, Positional};
use crate::code_facts::CodeFacts;
use crate::doubts::reference_doubts;
use crate::file_definitions::FileDefinitions;
use crate::find_definitions::FoundDefinition;
use crate::page::PageEnd;
use crate::query::{Query, answer};
use crate::reference_rows::{PageRequest, ReferenceSite, finish, site_page};
use crate::subject::{FoundSubject, Subject};

/// The number of candidates that a plan shows.
const SHOWN_CANDIDATES: usize = 50;
/// The number of files that a refusal names.
const NAMED_FILES: usize = 5;
/// The largest number of edits.
const MAX_EDITS: usize = 10_000;
/// The longest name, in bytes.
const MAX_NAME: usize = 1_000;

/// What a rename does with references that may mean the symbol, but only share its name.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::CandidateRule;
///
/// let rule: CandidateRule = serde_json::from_str(r#""leave""#).unwrap();
/// assert_eq!(rule, CandidateRule::Leave);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum CandidateRule {
    /// The plan is refused if there are any.
    #[default]
    Refuse,
    /// They keep their name.
    Leave,
    /// They are renamed too.
    Rename,
}

/// A risk that a caller may accept.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::RenameRisk;
///
/// let risk: RenameRisk = serde_json::from_str(r#""outside_base""#).unwrap();
/// assert_eq!(risk, RenameRisk::OutsideBase);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RenameRisk {
    /// A base class from outside of the repository may declare the method.
    OutsideBase,
    /// A part of the repository could not be searched.
    Unsearched,
}

/// The options of `renamePlan`.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::RenamePlanOptions;
///
/// let options: RenamePlanOptions = serde_json::from_str(r#"{"candidates": "leave"}"#).unwrap();
/// assert!(options.accept.is_none());
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct RenamePlanOptions {
    /// What happens to references that only share the name: `refuse` refuses the plan, `leave` keeps
    /// them, `rename` edits them too. Default `refuse`.
    pub candidates: Option<CandidateRule>,
    /// Risks to accept: `outside_base`, a base class from outside may declare the method;
    /// `unsearched`, a part of the repository could not be searched. Default: none.
    pub accept: Option<Vec<RenameRisk>>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
}

/// One edit of a plan.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::PlannedEdit;
///
/// fn is_certain(edit: &PlannedEdit) -> bool {
///     edit.resolution != Some(ragnav_base::item::Resolution::Candidate)
/// }
/// # let _ = is_certain;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct PlannedEdit {
    /// The file, relative to the repository's root.
    pub file: String,
    /// The edit.
    #[serde(flatten)]
    pub edit: TextEdit,
    /// What the name is there.
    pub kind: ItemKind,
    /// The certainty that the name means the symbol; `null` for a definition of it.
    pub resolution: Option<Resolution>,
    /// The origin of this row.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// The proof that this row is current.
    pub proof: Proof,
}

/// A file that a plan edits.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::EditedFile;
///
/// let file = EditedFile { file: "a.py".to_owned(), hash: String::new(), moves_to: None };
/// assert_eq!(serde_json::to_value(&file).unwrap()["file"], "a.py");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct EditedFile {
    /// The file, relative to the repository's root.
    pub file: String,
    /// The 128-bit xxh3 hash of the contents that the edits are made for, in hexadecimal.
    pub hash: String,
    /// The new path of a file that has to have the name of its class; else `null`.
    pub moves_to: Option<String>,
}

/// Why a plan is refused.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::RefusalReason;
///
/// assert_eq!(serde_json::to_value(RefusalReason::NameTaken).unwrap(), "name_taken");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// Nothing has the name, or what it means is not known.
    Undefined,
    /// The name means several symbols.
    Ambiguous,
    /// References may mean the symbol, but only share its name. `candidates` decides about them.
    Candidates,
    /// References may mean the symbol, and also mean others.
    Shared,
    /// A base class from outside of the repository may declare the method. It can be accepted.
    OutsideBase,
    /// A part of the repository could not be searched. It can be accepted.
    Unsearched,
    /// The language gives the name its meaning.
    Reserved,
    /// The new name is no name in the language.
    InvalidName,
    /// Something else has the new name, so that it would be overridden, or mistaken for the symbol.
    NameTaken,
    /// With the new name, references would mean something else.
    Captured,
    /// A definition does not have its name in the text, so that it cannot be edited.
    Unwritten,
    /// A file is not in UTF-8.
    Encoding,
    /// There are more edits than a plan may have.
    Limit,
}

/// A reason why a plan must not be applied.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::{Refusal, RefusalReason};
///
/// let refusal = Refusal::new(RefusalReason::Undefined, "Nothing defines `total`.");
/// assert_eq!((refusal.count, refusal.files.len()), (0, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Refusal {
    /// The reason.
    pub reason: RefusalReason,
    /// The number of what the reason is about.
    pub count: u32,
    /// The first files that the reason is about, 5 at most.
    pub files: Vec<String>,
    /// The reason for people, with what to do.
    pub message: String,
}

impl Refusal {
    /// Builds a refusal that is not about certain files.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::rename_plan::{Refusal, RefusalReason};
    ///
    /// let refusal = Refusal::new(RefusalReason::Limit, "There are too many edits.");
    /// assert_eq!(refusal.message, "There are too many edits.");
    /// ```
    #[must_use]
    pub fn new(reason: RefusalReason, message: impl Into<String>) -> Self {
        Self::in_files(reason, 0, [], message)
    }

    /// Builds a refusal about a number of things in some files, of which it names the first.
    fn in_files(
        reason: RefusalReason,
        count: u32,
        files: impl IntoIterator<Item = String>,
        message: impl Into<String>,
    ) -> Self {
        let files: BTreeSet<String> = files.into_iter().collect();
        Self {
            reason,
            count,
            files: files.into_iter().take(NAMED_FILES).collect(),
            message: message.into(),
        }
    }
}

/// What a plan says beside its edits.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::RenamePlanHead;
///
/// assert!(RenamePlanHead::default().refusals.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct RenamePlanHead {
    /// The symbol as it was given.
    pub symbol: String,
    /// The new name.
    pub new_name: String,
    /// The definitions that get the new name: those of the symbol, its constructors, and for a method
    /// those that override it or that it overrides.
    pub definitions: Vec<Definition>,
    /// The files that the plan edits. Apply it only while each has its hash.
    pub files: Vec<EditedFile>,
    /// The first references that only share the name and keep it.
    pub candidates: Vec<NavItem>,
    /// The number of such references.
    pub candidates_total: u32,
    /// Why the plan must not be applied; empty for one that may be.
    pub refusals: Vec<Refusal>,
}

/// The answer of `renamePlan`: the edits by file and place.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type RenamePlanResult = Page<PlannedEdit, RenamePlanHead>;

/// Plans the edits that give a symbol another name: its definitions, all references to it, and for a
/// method those that override it. The plan is checked: with its edits, the same references mean the
/// symbol. It changes no file. `refusals` says why it must not be applied: a reference that may mean
/// something else, a name that is taken.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::rename_plan::RenamePlan;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let arguments = serde_json::json!({"symbol": "total", "new_name": "price"});
/// let answer = block_on(answer_arguments::<RenamePlan, _>(&host, &Settings::default(), arguments));
/// let places: Vec<_> = answer.items.iter().map(|one| (one.edit.line, one.edit.start_utf16)).collect();
/// assert_eq!(places, [(1, 4), (3, 0)]);
/// assert!(answer.head.refusals.is_empty());
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "RenamePlanArguments")
)]
pub struct RenamePlan {
    /// The symbol: a full id (`sym:src.auth.Auth.login`), a dotted suffix (`Auth.login`), a bare
    /// name (`login`), or the place of the name in a file (`src/app.py:12:5`; the line and the
    /// column count from 1).
    symbol: String,
    /// The new name, without what encloses the symbol.
    new_name: String,
    #[cfg_attr(feature = "tsify", serde(flatten))]
    options: RenamePlanOptions,
}

impl Query for RenamePlan {
    const POSITIONAL: &'static [Positional] =
        &[Positional::text("symbol"), Positional::text("new_name")];
    type Options = RenamePlanOptions;
    type Answer = RenamePlanResult;
    type Valid = Subject;

    fn new(arguments: &Arguments, options: RenamePlanOptions) -> Self {
        Self {
            symbol: arguments.text("symbol"),
            new_name: arguments.text("new_name"),
            options,
        }
    }

    fn validate(&self) -> Result<Subject, RagnavError> {
        if !is_name(&self.new_name) {
            let message = format!(
                "{:?} is not a name; give letters, digits and underscores, and no digit first",
                self.new_name
            );
            return Err(RagnavError::invalid(message));
        }
        Subject::parse(&self.symbol)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &Subject) -> Scope<'_> {
        Scope::Links
    }

    async fn run<H: Host>(
        &self,
        subject: &Subject,
        snapshot: Snapshot<'_, H>,
    ) -> Result<RenamePlanResult, Failure> {
        let mut code = CodeFacts::new(&snapshot).await?;
        let found = subject.find(&snapshot, &mut code).await?;
        let symbol = match self.symbol(&mut code, &found).await? {
            Ok(symbol) => symbol,
            Err(refusal) => {
                let read = code.into_outcome(found.unread, found.partial, None);
                let rest = finish(snapshot, read, None)?;
                return Ok(self.refused(rest, found.definitions, refusal));
            }
        };
        let plan = self.plan(&snapshot, &code, &symbol).await?;
        let names = BTreeSet::from([symbol.name.clone()]);
        let mut doubts =
            reference_doubts(&mut code, &found.definitions, &names, &symbol.sites).await?;
        let candidates: Vec<ReferenceSite> = self.left(&symbol).cloned().collect();
        let request = PageRequest {
            cursor: None,
            fingerprint: 0,
            limit: SHOWN_CANDIDATES,
        };
        let shown = site_page(&snapshot, &code, &candidates, request).await?;
        let mut head = RenamePlanHead {
            definitions: definitions(&snapshot, &code, &symbol),
            files: plan.files(),
            candidates: shown.items,
            candidates_total: wire(candidates.len()),
            refusals: plan.refusals,
            ..self.head()
        };
        let items: Vec<PlannedEdit> = plan
            .edits
            .iter()
            .flat_map(|(path, file)| file.rows(path))
            .collect();
        let unfollowed = code
            .is_truncated()
            .then_some("The references were not followed to their end.");
        let read = code.into_outcome(found.unread, found.partial, found.note);
        let rest = finish(snapshot, read, unfollowed)?;
        let refusal = self.unsearched(&rest);
        head.refusals.extend(refusal);
        doubts.extend(rest.doubts);
        let end = PageEnd {
            total: items.len(),
            doubts,
            ..rest
        };
        Ok(end.page(items, head))
    }

    fn failed(&self, meta: RagToolMeta) -> RenamePlanResult {
        Page::failed(meta, self.head())
    }
}

/// The edits of a plan, and why it must not be applied.
struct Planned {
    edits: Edits,
    moves: Moves,
    refusals: Vec<Refusal>,
}

impl Planned {
    fn files(&self) -> Vec<EditedFile> {
        let files = self.edits.iter().map(|(path, file)| EditedFile {
            file: path.to_string(),
            hash: file.hash(),
            moves_to: self.moves.get(path).map(RepoPath::to_string),
        });
        files.collect()
    }
}

impl RenamePlan {
    fn head(&self) -> RenamePlanHead {
        RenamePlanHead {
            symbol: self.symbol.clone(),
            new_name: self.new_name.clone(),
            ..RenamePlanHead::default()
        }
    }

    /// Finds the symbol that is renamed, or why there is none.
    async fn symbol<H: Host>(
        &self,
        code: &mut CodeFacts<'_, H>,
        found: &FoundSubject,
    ) -> Result<Result<RenamedSymbol, Refusal>, RagnavError> {
        if found.definitions.is_empty() || found.is_by_name_only {
            let message = found.note.clone();
            let message = message.unwrap_or_else(|| "Nothing has this name.".to_owned());
            return Ok(Err(Refusal::new(RefusalReason::Undefined, message)));
        }
        let symbol = RenamedSymbol::find(code, &found.definitions).await?;
        Ok(
            symbol.and_then(|symbol| match reserved(&symbol, &self.new_name) {
                Some(refusal) => Err(refusal),
                None => Ok(symbol),
            }),
        )
    }

    /// Returns the candidates that keep their name.
    fn left<'s>(&self, symbol: &'s RenamedSymbol) -> impl Iterator<Item = &'s ReferenceSite> {
        let rule = self.options.candidates.unwrap_or_default();
        let sites = symbol.sites.iter();
        sites.filter(move |site| {
            site.resolution == Resolution::Candidate && rule != CandidateRule::Rename
        })
    }

    async fn plan<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        code: &CodeFacts<'_, H>,
        symbol: &RenamedSymbol,
    ) -> Result<Planned, Failure> {
        let mut refusals = self.refusals(code, symbol);
        let rule = self.options.candidates.unwrap_or_default();
        let renamed = symbol.sites.iter();
        let renamed: Vec<&ReferenceSite> = renamed
            .filter(|site| site.resolution == Resolution::Resolved || rule == CandidateRule::Rename)
            .collect();
        if renamed.len() > MAX_EDITS {
            let message = format!("More than {MAX_EDITS} places would have to be edited.");
            refusals.push(Refusal::new(RefusalReason::Limit, message));
            return Ok(Planned {
                edits: Edits::new(),
                moves: Moves::new(),
                refusals,
            });
        }
        let mut replacement = Replacement {
            old: &symbol.name,
            new: &self.new_name,
            keeps_properties: true,
        };
        let (mut edits_now, mut unedited) =
            edits(snapshot, code, symbol, &renamed, &replacement).await?;
        let moves = moves(code, symbol, &self.new_name);
        let mut wrong = check(snapshot, code, symbol, (&edits_now, &moves), &self.new_name).await?;
        // Where the property is how others refer to the symbol, both get the new name.
        if !wrong.is_empty() && keeps_a_property(&edits_now, &self.new_name) {
            replacement.keeps_properties = false;
            (edits_now, unedited) = edits(snapshot, code, symbol, &renamed, &replacement).await?;
            wrong = check(snapshot, code, symbol, (&edits_now, &moves), &self.new_name).await?;
        }
        if unedited.is_empty() {
            refusals.append(&mut wrong);
        }
        refusals.append(&mut unedited);
        Ok(Planned {
            edits: edits_now,
            moves,
            refusals,
        })
    }

    /// Returns why the references do not allow a rename.
    fn refusals<H: Host>(&self, code: &CodeFacts<'_, H>, symbol: &RenamedSymbol) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let candidates: Vec<&ReferenceSite> = self.left(symbol).collect();
        let rule = self.options.candidates.unwrap_or_default();
        if rule == CandidateRule::Refuse && !candidates.is_empty() {
            let message = format!(
                "{} references share the name and may mean the symbol; look at `candidates`, then \
                 choose to leave or to rename them.",
                candidates.len()
            );
            let files = candidates.iter().map(|site| site.path.to_string());
            let count = wire(candidates.len());
            refusals.push(Refusal::in_files(
                RefusalReason::Candidates,
                count,
                files,
                message,
            ));
        }
        if symbol.shared_count > 0 {
            let message = format!(
                "{} references also mean other definitions named `{}`.",
                symbol.shared_count, symbol.name
            );
            let files = symbol.shared.iter().map(RepoPath::to_string);
            let count = wire(symbol.shared_count);
            refusals.push(Refusal::in_files(
                RefusalReason::Shared,
                count,
                files,
                message,
            ));
        }
        let outside = symbol.outside_bases(code);
        if !outside.is_empty() && !self.accepts(RenameRisk::OutsideBase) {
            let message = "A base class from outside of the repository may declare this method; \
                           accept `outside_base` if it does not.";
            let files = outside.iter().map(|(path, _)| path.to_string());
            let count = wire(outside.len());
            refusals.push(Refusal::in_files(
                RefusalReason::OutsideBase,
                count,
                files,
                message,
            ));
        }
        refusals
    }

    fn accepts(&self, risk: RenameRisk) -> bool {
        let accepted = self.options.accept.as_deref().unwrap_or_default();
        accepted.contains(&risk)
    }

    /// Returns the refusal for a repository that could not be searched as a whole.
    fn unsearched(&self, end: &PageEnd) -> Option<Refusal> {
        let is_gap = |reason| {
            matches!(
                reason,
                DoubtReason::Stale
                    | DoubtReason::Partial
                    | DoubtReason::Unread
                    | DoubtReason::Limit
            )
        };
        let gaps: Vec<_> = end.doubts.iter().filter(|one| is_gap(one.reason)).collect();
        if gaps.is_empty() || self.accepts(RenameRisk::Unsearched) {
            return None;
        }
        let message = "A part of the repository could not be searched for references; accept \
                       `unsearched` if there are none.";
        let files = gaps.iter().flat_map(|one| one.files.iter().cloned());
        let count = wire(gaps.len());
        Some(Refusal::in_files(
            RefusalReason::Unsearched,
            count,
            files,
            message,
        ))
    }

    /// Returns the answer of a plan without edits.
    fn refused(
        &self,
        end: PageEnd,
        found: Vec<FoundDefinition>,
        refusal: Refusal,
    ) -> RenamePlanResult {
        let head = RenamePlanHead {
            definitions: found.into_iter().map(|one| one.definition).collect(),
            refusals: vec![refusal],
            ..self.head()
        };
        end.page(Vec::new(), head)
    }
}

/// Reports whether a text can be a name: `total`, `_x1`, `$el`, `valid?`.
fn is_name(text: &str) -> bool {
    let own = text.strip_suffix(['?', '!', '=']).unwrap_or(text);
    let own = own.strip_prefix('#').unwrap_or(own);
    let mut letters = own.chars();
    let is_mark = |letter: char| letter == '_' || letter == '$';
    let starts = letters
        .next()
        .is_some_and(|first| first.is_alphabetic() || is_mark(first));
    starts
        && text.len() <= MAX_NAME
        && letters.all(|letter| letter.is_alphanumeric() || is_mark(letter))
}

/// Returns the refusal for a name that its language gives a meaning: `__init__`, `constructor`.
fn reserved(symbol: &RenamedSymbol, new_name: &str) -> Option<Refusal> {
    let is_special = |name: &str| {
        let is_dunder = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
        is_dunder || name == "constructor" || name == "initialize"
    };
    let name = &symbol.name;
    if name == new_name {
        let message = format!("The symbol is named `{name}` already.");
        return Some(Refusal::new(RefusalReason::NameTaken, message));
    }
    let special = [name.as_str(), new_name];
    let special = special.into_iter().find(|name| is_special(name))?;
    let message = format!("The language calls `{special}` by itself.");
    Some(Refusal::new(RefusalReason::Reserved, message))
}

/// Returns where the files go that have to have the name of their class.
fn moves<H: Host>(code: &CodeFacts<'_, H>, symbol: &RenamedSymbol, new_name: &str) -> Moves {
    let mut moves = Moves::new();
    for (path, id) in &symbol.targets {
        let language = ragnav_syntax::detect_language(path).map(|language| language.name);
        let is_named = matches!(language, Some("java" | "php"));
        let file = code.world.facts(path);
        let is_at_top = file.is_some_and(|file| {
            let definition = file.facts.definitions.get(id.0 as usize);
            definition.is_some_and(|found| found.parent.is_none())
        });
        let extension = path.extension().unwrap_or_default();
        let own = format!("{}.{extension}", symbol.name);
        if !is_named || !is_at_top || path.name() != own {
            continue;
        }
        let folder = path.parent().unwrap_or_else(RepoPath::root);
        let moved = folder.join(&format!("{new_name}.{extension}"));
        if let Some(moved) = moved {
            moves.insert(path.clone(), moved);
        }
    }
    moves
}

/// Returns the definitions that get the new name, as rows.
fn definitions<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &CodeFacts<'_, H>,
    symbol: &RenamedSymbol,
) -> Vec<Definition> {
    let rows = symbol.targets.iter().filter_map(|(path, id)| {
        let file = code.world.facts(path)?;
        let definitions = FileDefinitions::of_facts(path, &file.facts);
        let found = definitions.symbols.get(id.0 as usize)?;
        let provenance = snapshot.read_provenance(path);
        Some(definitions.definition(path, found, provenance, None))
    });
    rows.collect()
}

/// Answers [`RenamePlan`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::rename_plan::{RefusalReason, RenamePlanOptions, rename_plan};
///
/// let text = "def total():\n    return 0\ndef f(price):\n    return total() + price\n";
/// let host = MemoryHost::new(&[("a.py", text)]);
/// let (settings, options) = (Settings::default(), RenamePlanOptions::default());
/// let plan = block_on(rename_plan(&host, &settings, "total", "price", &options));
/// assert_eq!(plan.head.refusals[0].reason, RefusalReason::Captured);
/// ```
pub async fn rename_plan<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    new_name: &str,
    options: &RenamePlanOptions,
) -> RenamePlanResult {
    let query = RenamePlan {
        symbol: symbol.to_owned(),
        new_name: new_name.to_owned(),
        options: options.clone(),
    };
    answer(host, settings, &query).await
}
