//! Which entries a repository's ignore rules leave out, as ripgrep decides it.
//!
//! Within one file the last matching line wins; between files, the deeper folder; between kinds,
//! `.ignore`, then `.gitignore`, then `.git/info/exclude`, then rules from outside the root. Git's
//! rules hold only inside a git repository, and not across the root of a repository nested in it.

use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use ragnav_base::host::IgnoreRules;
use ragnav_base::path::RepoPath;
use ragnav_matching::globs::is_too_deep;

/// The name of the rules file that holds with and without git.
pub const IGNORE_FILE: &str = ".ignore";
/// The name of git's rules file.
pub const GITIGNORE_FILE: &str = ".gitignore";

/// The rules of one folder and of those above it.
#[derive(Debug, Clone, Default)]
pub struct FolderRules(Option<Rc<Level>>);

#[derive(Debug)]
struct Level {
    above: FolderRules,
    ignore: Vec<Gitignore>,
    git: Vec<Gitignore>,
    is_git_root: bool,
    is_nested: bool,
}

/// The rules that the walk does not come by, weakest first.
#[derive(Debug, Default)]
pub struct OutsideRules {
    rules: Vec<Outside>,
    in_repository: bool,
}

#[derive(Debug)]
struct Outside {
    prefix: String,
    lines: Vec<Gitignore>,
    global: bool,
}

/// What was found in one folder that speaks of ignoring.
#[derive(Debug, Default)]
pub struct FolderFiles {
    /// The text of its `.ignore`.
    pub ignore: Option<String>,
    /// The text of its `.gitignore`.
    pub gitignore: Option<String>,
    /// The text of its `.git/info/exclude`.
    pub exclude: Option<String>,
    /// Whether it holds a `.git`.
    pub is_git_root: bool,
}

/// What the rules say of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A rule leaves it out.
    Ignored,
    /// A rule takes it in, though it be hidden.
    Admitted,
    /// No rule speaks of it.
    Silent,
}

impl FolderRules {
    /// The rules inside `folder`, which lies in the folder these rules are of.
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
        Self(Some(Rc::new(Level {
            above: self.clone(),
            ignore,
            git,
            is_git_root: files.is_git_root,
            is_nested: files.is_git_root && *folder != RepoPath::root(),
        })))
    }

    /// What the rules say of an entry of the folder they are of; those from outside hold in git repositories only.
    #[must_use]
    pub fn judge(&self, path: &RepoPath, is_dir: bool, outside: Option<&OutsideRules>) -> Verdict {
        let mut from_git = Verdict::Silent;
        let mut from_ignore = Verdict::Silent;
        let mut git_ends = false;
        let mut in_nested = false;
        let mut level = self.0.as_deref();
        while let Some(rules) = level {
            if from_ignore == Verdict::Silent {
                from_ignore = first_word(rules.ignore.iter(), path.as_str(), is_dir);
            }
            if from_git == Verdict::Silent && !git_ends {
                from_git = first_word(rules.git.iter(), path.as_str(), is_dir);
            }
            git_ends |= rules.is_git_root;
            in_nested |= rules.is_nested;
            level = rules.above.0.as_deref();
        }
        let outside = outside
            .into_iter()
            .flat_map(|rules| rules.judge(path, is_dir, in_nested));
        first_of([from_ignore, from_git].into_iter().chain(outside))
    }
}

impl OutsideRules {
    /// Compiles what the host gave.
    #[must_use]
    pub fn new(given: Vec<IgnoreRules>) -> Self {
        let in_repository = given.iter().any(|rules| !rules.global);
        let rules = given.into_iter().map(|given| Outside {
            lines: compile("", &given.lines.join("\n")),
            prefix: given.prefix,
            global: given.global,
        });
        Self {
            rules: rules.collect(),
            in_repository,
        }
    }

    /// Whether the host knows the root to lie in a repository.
    #[must_use]
    pub fn in_repository(&self) -> bool {
        self.in_repository
    }

    /// The words on an entry, strongest first. Below a nested repository the rules of the one around
    /// it do not hold, those of the user do; outside all repositories neither does.
    fn judge(
        &self,
        path: &RepoPath,
        is_dir: bool,
        in_nested: bool,
    ) -> impl Iterator<Item = Verdict> {
        let holding = self
            .rules
            .iter()
            .rev()
            .filter(move |rules| rules.global || !in_nested);
        holding.map(move |rules| {
            if rules.prefix.is_empty() {
                return first_word(rules.lines.iter(), path.as_str(), is_dir);
            }
            let path = format!("{}/{path}", rules.prefix);
            first_word(rules.lines.iter(), &path, is_dir)
        })
    }
}

fn first_word<'r>(rules: impl Iterator<Item = &'r Gitignore>, path: &str, is_dir: bool) -> Verdict {
    first_of(rules.map(|rules| word(rules, path, is_dir)))
}

fn first_of(mut words: impl Iterator<Item = Verdict>) -> Verdict {
    words
        .find(|verdict| *verdict != Verdict::Silent)
        .unwrap_or(Verdict::Silent)
}

fn word(rules: &Gitignore, path: &str, is_dir: bool) -> Verdict {
    match rules.matched(path, is_dir) {
        Match::Ignore(_) => Verdict::Ignored,
        Match::Whitelist(_) => Verdict::Admitted,
        Match::None => Verdict::Silent,
    }
}

/// A longer rule fits no path that a file system has, and costs as if it did.
const MAX_LINE: usize = 4 << 10;

/// As many rules, in bytes, are compiled together at first.
const MAX_TOGETHER: usize = 64 << 10;

/// The rules of one text, strongest first, in as many parts as are small enough. A line that is no valid glob is passed over, as git
/// does.
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
            // Of rules that are too much together, those that are too much alone are passed over, and no others.
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
