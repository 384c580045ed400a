//! The files that a query mentions by their path, in a stack trace or as a module.

use ragnav_base::path::RepoPath;

use crate::identifiers::is_word_char;

/// The fewest parts of a path that stand for a file: `query.py` alone may be any of several.
const MIN_PARTS: usize = 2;

/// A path or a dotted name in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mention {
    /// The parts of the path, the last one without its extension.
    parts: Vec<String>,
}

/// The files that a query mentions.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::mentioned_files::MentionedFiles;
///
/// let trace = "File \"/srv/shop/cart.py\", line 15, in total";
/// let mentioned = MentionedFiles::new(trace);
/// assert!(mentioned.has(&RepoPath::parse("shop/cart.py").unwrap()));
/// assert!(!mentioned.has(&RepoPath::parse("shop/prices.py").unwrap()));
/// ```
#[derive(Debug, Clone, Default)]
pub struct MentionedFiles(Vec<Mention>);

impl MentionedFiles {
    /// Finds paths such as `db/models/query.py` and dotted names such as `db.models.query.QuerySet`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::mentioned_files::MentionedFiles;
    ///
    /// let path = RepoPath::parse("src/db/models/query.py").unwrap();
    /// for query in ["see db/models/query.py:12", "/usr/lib/src/db/models/query.py", "models.query.get"] {
    ///     assert!(MentionedFiles::new(query).has(&path), "{query}");
    /// }
    /// assert!(!MentionedFiles::new("query.py").has(&path));
    /// ```
    #[must_use]
    pub fn new(query: &str) -> Self {
        let is_part =
            |letter: char| is_word_char(letter) || matches!(letter, '/' | '.' | '-' | '\\');
        let mut mentions: Vec<Mention> = Vec::new();
        for token in query.split(|letter| !is_part(letter)) {
            let Some(mention) = mention(token) else {
                continue;
            };
            if !mentions.contains(&mention) {
                mentions.push(mention);
            }
        }
        Self(mentions)
    }

    /// Reports whether the query mentions a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::mentioned_files::MentionedFiles;
    ///
    /// let mentioned = MentionedFiles::new("why does shop.cart.Cart fail?");
    /// assert!(mentioned.has(&RepoPath::parse("src/shop/cart.py").unwrap()));
    /// ```
    #[must_use]
    pub fn has(&self, path: &RepoPath) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let path = path.as_str();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.split('.').next().unwrap_or_default();
        let mut parts: Vec<&str> = folders.split('/').filter(|part| !part.is_empty()).collect();
        if !matches!(stem, "__init__" | "index" | "mod") {
            parts.push(stem);
        }
        self.0.iter().any(|mention| mention.is_of(&parts))
    }
}

impl Mention {
    /// Reports whether the parts of a path end as the mention does. The mention may begin with the
    /// folders of an installation, and end with the name of a definition.
    fn is_of(&self, parts: &[&str]) -> bool {
        let mention: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let ends: [&[&str]; 3] = [
            &mention,
            mention.split_last().map_or(&[], |(_, rest)| rest),
            mention
                .get(..mention.len().saturating_sub(2))
                .unwrap_or_default(),
        ];
        ends.into_iter().any(|end| {
            let least = end.len().min(parts.len());
            least >= MIN_PARTS && (end.ends_with(parts) || parts.ends_with(end))
        })
    }
}

/// Returns the path or dotted name that a text between blanks is.
fn mention(token: &str) -> Option<Mention> {
    let token = token.trim_matches(['.', '/', '\\', '-']);
    let is_path = token.contains(['/', '\\']);
    let parts: Vec<&str> = if is_path {
        let mut parts: Vec<&str> = token.split(['/', '\\']).collect();
        let last = parts.pop()?;
        parts.push(last.split('.').next().unwrap_or_default());
        parts
    } else {
        token.split('.').collect()
    };
    let is_name = |part: &&str| !part.is_empty() && !part.bytes().all(|byte| byte.is_ascii_digit());
    (parts.len() >= MIN_PARTS && parts.iter().all(is_name)).then(|| Mention {
        parts: parts.into_iter().map(str::to_owned).collect(),
    })
}
