//! The ignore rules of a repository, with the same results as ripgrep.
//!
//! Within one file the last matching line wins. Between files the deeper folder wins. Between kinds
//! the order is `.ignore`, `.gitignore`, `.git/info/exclude`, and rules from outside the root.
//! Git's rules apply only inside a git repository, and not across the root of a nested one.

use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use ragnav_base::host::IgnoreRules;
use ragnav_base::path::RepoPath;
use ragnav_matching::globs::is_too_deep;

/// The rules file that applies with and without git.
pub(crate) const IGNORE_FILE: &str = ".ignore";
/// Git's rules file.
pub(crate) const GITIGNORE_FILE: &str = ".gitignore";

/// The rules of one folder and of the folders above it.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::ignore_rules::{FolderFiles, FolderRules, RuleMatch};
///
/// let files = FolderFiles {
///     ignore: Some("*.log\n!keep.log\n".to_owned()),
///     ..FolderFiles::default()
/// };
/// let rules = FolderRules::default().enter(&RepoPath::root(), &files);
/// let match_path = |path: &str| rules.match_path(&RepoPath::parse(path).unwrap(), false, None);
/// assert_eq!(match_path("debug.log"), RuleMatch::Ignored);
/// assert_eq!(match_path("keep.log"), RuleMatch::Included);
/// assert_eq!(match_path("a.py"), RuleMatch::None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct FolderRules(Option<Rc<Level>>);

#[derive(Debug)]
struct Level {
    above: FolderRules,
    ignore: Vec<Gitignore>,
    git: Vec<Gitignore>,
    is_git_root: bool,
    /// The folder, if it is a repository below the root.
    nested: Option<RepoPath>,
}

/// The rules that do not come from listed folders, weakest first.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::IgnoreRules;
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::ignore_rules::{FolderFiles, FolderRules, OutsideRules, RuleMatch};
///
/// // The root is the folder `app` of a repository whose `.gitignore` names `app/dist`.
/// let outside = OutsideRules::new(vec![IgnoreRules {
///     folder: String::new(),
///     prefix: "app".to_owned(),
///     lines: vec!["/app/dist".to_owned()],
///     global: false,
/// }]);
/// let rules = FolderRules::default().enter(&RepoPath::root(), &FolderFiles::default());
/// let dist = RepoPath::parse("dist").unwrap();
/// assert_eq!(rules.match_path(&dist, true, Some(&outside)), RuleMatch::Ignored);
/// assert_eq!(rules.match_path(&dist, true, None), RuleMatch::None);
/// ```
#[derive(Debug, Default)]
pub struct OutsideRules {
    rules: Vec<Outside>,
    /// The folders that the host knows to lie in a repository.
    in_repositories: Vec<RepoPath>,
}

#[derive(Debug)]
struct Outside {
    folder: RepoPath,
    prefix: String,
    lines: Vec<Gitignore>,
    global: bool,
}

/// The rules files in one folder.
///
/// # Examples
///
/// ```
/// use ragnav_repository::ignore_rules::FolderFiles;
///
/// let files = FolderFiles {
///     gitignore: Some("dist/\n".to_owned()),
///     is_git_root: true,
///     ..FolderFiles::default()
/// };
/// assert_eq!(files.exclude, None);
/// ```
#[derive(Debug, Default)]
pub struct FolderFiles {
    /// The text of its `.ignore`.
    pub ignore: Option<String>,
    /// The text of its `.gitignore`.
    pub gitignore: Option<String>,
    /// The text of its `.git/info/exclude`.
    pub exclude: Option<String>,
    /// Whether the folder holds a `.git`.
    pub is_git_root: bool,
}

/// What the rules say about an entry.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::ignore_rules::{FolderRules, RuleMatch};
///
/// let path = RepoPath::parse("a.py").unwrap();
/// // There are no rules.
/// assert_eq!(FolderRules::default().match_path(&path, false, None), RuleMatch::None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleMatch {
    /// A rule excludes the entry.
    Ignored,
    /// A rule includes the entry, even if it is hidden.
    Included,
    /// No rule matches the entry.
    None,
}

impl FolderRules {
    /// Builds the rules inside `folder`, a folder directly below the one of these rules.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::ignore_rules::{FolderFiles, FolderRules, RuleMatch};
    ///
    /// let ignore = |text: &str| FolderFiles {
    ///     ignore: Some(text.to_owned()),
    ///     ..FolderFiles::default()
    /// };
    /// let root = FolderRules::default().enter(&RepoPath::root(), &ignore("*.log\n"));
    /// let docs = root.enter(&RepoPath::parse("docs").unwrap(), &ignore("!*.log\n"));
    /// // The rules of the inner folder are stronger.
    /// let path = RepoPath::parse("docs/build.log").unwrap();
    /// assert_eq!(docs.match_path(&path, false, None), RuleMatch::Included);
    /// ```
    #[must_use]
    pub fn enter(&self, folder: &RepoPath, files: &FolderFiles) -> Self {
        let compiled = |text: &String| compile(folder.as_str(), text);
        let ignore: Vec<Gitignore> = files.ignore.iter().flat_map(compiled).collect();
        let git: Vec<Gitignore> = [&files.gitignore, &files.exclude]
            .into_iter()
            .flatten()
            .flat_map(compiled)
            .collect();
        if ignore.is_empty() && git.is_empty() && !files.is_git_root {
            return self.clone();
        }
        let is_nested = files.is_git_root && *folder != RepoPath::root();
        Self(Some(Rc::new(Level {
            above: self.clone(),
            ignore,
            git,
            is_git_root: files.is_git_root,
            nested: is_nested.then(|| folder.clone()),
        })))
    }

    /// Matches an entry of this folder with the rules. Rules from outside apply only in git
    /// repositories.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::ignore_rules::{FolderFiles, FolderRules, RuleMatch};
    ///
    /// let files = FolderFiles {
    ///     ignore: Some("build/\n".to_owned()),
    ///     ..FolderFiles::default()
    /// };
    /// let rules = FolderRules::default().enter(&RepoPath::root(), &files);
    /// let build = RepoPath::parse("build").unwrap();
    /// // The rule is about folders only.
    /// assert_eq!(rules.match_path(&build, true, None), RuleMatch::Ignored);
    /// assert_eq!(rules.match_path(&build, false, None), RuleMatch::None);
    /// ```
    #[must_use]
    pub fn match_path(
        &self,
        path: &RepoPath,
        is_dir: bool,
        outside: Option<&OutsideRules>,
    ) -> RuleMatch {
        let mut from_git = RuleMatch::None;
        let mut from_ignore = RuleMatch::None;
        let mut git_ends = false;
        let mut nested = None;
        let mut level = self.0.as_deref();
        while let Some(rules) = level {
            if from_ignore == RuleMatch::None {
                from_ignore = first_match(rules.ignore.iter(), path.as_str(), is_dir);
            }
            if from_git == RuleMatch::None && !git_ends {
                from_git = first_match(rules.git.iter(), path.as_str(), is_dir);
            }
            git_ends |= rules.is_git_root;
            nested = nested.or(rules.nested.as_ref());
            level = rules.above.0.as_deref();
        }
        let outside = outside
            .into_iter()
            .flat_map(|rules| rules.match_path(path, is_dir, nested));
        strongest([from_ignore, from_git].into_iter().chain(outside))
    }
}

impl OutsideRules {
    /// Compiles the rules from outside the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::IgnoreRules;
    /// use ragnav_repository::ignore_rules::OutsideRules;
    ///
    /// let of_user = IgnoreRules {
    ///     folder: String::new(),
    ///     prefix: String::new(),
    ///     lines: vec![".DS_Store".to_owned()],
    ///     global: true,
    /// };
    /// let rules = OutsideRules::new(vec![of_user]);
    /// # let _ = rules;
    /// ```
    #[must_use]
    pub fn new(given: Vec<IgnoreRules>) -> Self {
        let rules = given.into_iter().filter_map(|given| {
            Some(Outside {
                folder: folder_of(&given)?,
                lines: compile("", &given.lines.join("\n")),
                prefix: given.prefix,
                global: given.global,
            })
        });
        let rules: Vec<Outside> = rules.collect();
        let own = rules.iter().filter(|rules| !rules.global);
        let in_repositories = own.map(|rules| rules.folder.clone()).collect();
        Self {
            rules,
            in_repositories,
        }
    }

    /// Reports whether the host knows that a folder is the root of a part that lies in a
    /// repository.
    #[must_use]
    pub(crate) fn is_in_repository(&self, folder: &RepoPath) -> bool {
        self.in_repositories.contains(folder)
    }

    /// Returns the matching rules for an entry, strongest first. `nested` is the innermost
    /// repository below the root. In it the user's rules apply, but not those of an outer
    /// repository. Outside of all repositories neither apply.
    fn match_path(
        &self,
        path: &RepoPath,
        is_dir: bool,
        nested: Option<&RepoPath>,
    ) -> impl Iterator<Item = RuleMatch> {
        let is_outer = move |folder: &RepoPath| nested.is_some_and(|nested| nested != folder);
        let rules = self.rules.iter().rev();
        rules.filter_map(move |rules| {
            let inside = path.below(&rules.folder)?;
            if !rules.global && is_outer(&rules.folder) {
                return None;
            }
            if rules.prefix.is_empty() {
                return Some(first_match(rules.lines.iter(), inside, is_dir));
            }
            let path = format!("{}/{inside}", rules.prefix);
            Some(first_match(rules.lines.iter(), &path, is_dir))
        })
    }
}

/// Returns the folder in which rules hold, or `None` for an invalid path.
fn folder_of(rules: &IgnoreRules) -> Option<RepoPath> {
    match rules.folder.as_str() {
        "" => Some(RepoPath::root()),
        folder => RepoPath::parse(folder).ok(),
    }
}

fn first_match<'r>(
    rules: impl Iterator<Item = &'r Gitignore>,
    path: &str,
    is_dir: bool,
) -> RuleMatch {
    strongest(rules.map(|rules| match_rules(rules, path, is_dir)))
}

fn strongest(mut matches: impl Iterator<Item = RuleMatch>) -> RuleMatch {
    matches
        .find(|found| *found != RuleMatch::None)
        .unwrap_or(RuleMatch::None)
}

fn match_rules(rules: &Gitignore, path: &str, is_dir: bool) -> RuleMatch {
    match rules.matched(path, is_dir) {
        Match::Ignore(_) => RuleMatch::Ignored,
        Match::Whitelist(_) => RuleMatch::Included,
        Match::None => RuleMatch::None,
    }
}

/// The length above which a rule is ignored, in bytes. No file system has such paths, and compiling
/// the rule would take long.
const MAX_LINE: usize = 4 << 10;

/// The number of bytes of rules that are compiled together at first.
const MAX_TOGETHER: usize = 64 << 10;

/// The rules of one text, strongest first, in parts that are small enough to compile. A line that
/// is not a valid glob is ignored, as in git.
fn compile(folder: &str, text: &str) -> Vec<Gitignore> {
    let lines = ragnav_base::text::without_bom(text).lines();
    let lines: Vec<&str> = lines
        .filter(|line| line.len() <= MAX_LINE && !is_too_deep(line))
        .collect();
    let mut open = vec![&lines[..]];
    let mut compiled = Vec::new();
    while let Some(part) = open.pop() {
        let bytes: usize = part.iter().map(|line| line.len() + 1).sum();
        let whole = (bytes <= MAX_TOGETHER || part.len() < 2)
            .then(|| compile_together(folder, part))
            .flatten();
        match whole {
            Some(rules) if rules.is_empty() => {}
            Some(rules) => compiled.push(rules),
            // If the rules are too large together, only those that are too large alone are ignored.
            None if part.len() > 1 => {
                let (weaker, stronger) = part.split_at(part.len() / 2);
                open.extend([weaker, stronger]);
            }
            None => {}
        }
    }
    compiled
}

fn compile_together(folder: &str, lines: &[&str]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    for line in lines {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
