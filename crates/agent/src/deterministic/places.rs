//! Folders, files, extensions and programming languages.

use super::tokens::{Kind, Token};
use super::view::{Claim, View};
use super::wording;
use crate::catalogue::{Field, Role};
use crate::draft::DraftFilter;

const FOLDER: [&str; 5] = ["folder", "directory", "dir", "subfolder", "subdirectory"];
const IN: [&str; 6] = ["in", "under", "inside", "within", "from", "of"];

/// Extensions that are one without a dot before them: "md files".
const EXTENSIONS: [&str; 30] = [
    "md", "markdown", "txt", "rst", "org", "pdf", "py", "rs", "ts", "tsx", "js", "jsx", "mjs",
    "cjs", "go", "java", "c", "h", "cpp", "hpp", "cs", "rb", "php", "sh", "json", "yaml", "yml",
    "toml", "html", "css",
];

/// Languages by the words for them.
const LANGUAGES: [(&str, &str); 31] = [
    ("python", "python"),
    ("rust", "rust"),
    ("javascript", "javascript"),
    ("js", "javascript"),
    ("typescript", "typescript"),
    ("ts", "typescript"),
    ("tsx", "tsx"),
    ("go", "go"),
    ("golang", "go"),
    ("java", "java"),
    ("kotlin", "kotlin"),
    ("scala", "scala"),
    ("swift", "swift"),
    ("c", "c"),
    ("c++", "cpp"),
    ("cpp", "cpp"),
    ("c#", "csharp"),
    ("csharp", "csharp"),
    ("ruby", "ruby"),
    ("php", "php"),
    ("perl", "perl"),
    ("lua", "lua"),
    ("haskell", "haskell"),
    ("elixir", "elixir"),
    ("bash", "shell"),
    ("shell", "shell"),
    ("sql", "sql"),
    ("html", "html"),
    ("css", "css"),
    ("markdown", "markdown"),
    ("zig", "zig"),
];

/// What code is called: "Python functions".
const CODE: [&str; 16] = [
    "file",
    "files",
    "code",
    "source",
    "sources",
    "function",
    "functions",
    "class",
    "classes",
    "method",
    "methods",
    "module",
    "modules",
    "script",
    "scripts",
    "tests",
];

fn claim(used: usize, field: &Field, operator: &str, value: String) -> Claim {
    Claim {
        used,
        filters: vec![DraftFilter::new(&field.name, operator, value)],
        is_explicit: false,
    }
}

/// "in folder X", "in the X folder", "in X/", "under X/Y".
pub(super) fn folder(view: &View<'_>) -> Option<Claim> {
    let field = view.field(Role::Path)?;
    if !IN.contains(&view.word(0)) || view.before() == "not" {
        return None;
    }
    let at = 1 + view.skip(1, &["the", "my", "our", "a"]);
    if FOLDER.contains(&view.word(at)) {
        let named = at + 1 + view.skip(at + 1, &["called", "named"]);
        let token = view.token(named).filter(|token| is_name(token))?;
        return Some(claim(
            named + 1,
            field,
            "starts_with",
            folder_prefix(token.text),
        ));
    }
    let token = view.token(at).filter(|token| is_name(token))?;
    if FOLDER.contains(&view.word(at + 1)) {
        return Some(claim(
            at + 2,
            field,
            "starts_with",
            folder_prefix(token.text),
        ));
    }
    let text = token.text;
    let last = text
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let slashes = text.matches('/').count();
    let is_nested = slashes > 1
        || text.starts_with("./")
        || (slashes == 1
            && (token.kind == Kind::Quoted
                || ["under", "inside", "within"].contains(&view.word(0))));
    let is_folder = text.ends_with('/') || (is_nested && !last.contains('.'));
    let is_path = is_folder
        && !text.contains("://")
        && !text.starts_with(|letter: char| letter.is_ascii_digit() && slashes > 1)
        && text.trim_matches('/').contains(char::is_alphanumeric);
    is_path.then(|| claim(at + 1, field, "starts_with", folder_prefix(text)))
}

fn is_name(token: &Token<'_>) -> bool {
    token.kind == Kind::Quoted || (token.kind == Kind::Word && !wording::is_small(&token.word))
}

/// "in parser.py", "*.py", ".py files", "py files", "files with extension py".
pub(super) fn file(view: &View<'_>) -> Option<Claim> {
    let field = view.field(Role::Path)?;
    let token = view.token(0).filter(|token| token.kind == Kind::Word)?;
    let files = ["file", "files"];
    if let Some(extension) = token
        .text
        .strip_prefix("*.")
        .filter(|end| is_extension(end))
    {
        return Some(claim(
            1 + view.skip(1, &files),
            field,
            "like",
            extension_pattern(extension),
        ));
    }
    // A dot before the word is a sign around it only behind: `.py` keeps its own.
    if let Some(extension) = token.text.strip_prefix('.').filter(|end| is_extension(end)) {
        return Some(claim(
            1 + view.skip(1, &files),
            field,
            "like",
            extension_pattern(extension),
        ));
    }
    if EXTENSIONS.contains(&token.word.as_str()) && files.contains(&view.word(1)) {
        return Some(claim(2, field, "like", extension_pattern(&token.word)));
    }
    let lead = view.skip(0, &["with", "having"]);
    let lead = lead + view.skip(lead, &["the", "an"]);
    if view.word(lead) == "extension" {
        let named = view.token(lead + 1)?;
        let extension = named.text.trim_start_matches(['*', '.']);
        let pattern = is_extension(extension).then(|| extension_pattern(extension))?;
        return Some(claim(lead + 2, field, "like", pattern));
    }
    let mut at = view.skip(0, &IN);
    at += view.skip(at, &["the"]);
    at += view.skip(at, &["file"]);
    let named = view.token(at).filter(|_| at > 0)?;
    let (stem, extension) = named.text.rsplit_once('.')?;
    let is_file = [Kind::Word, Kind::Quoted].contains(&named.kind)
        && !stem.is_empty()
        && !named.text.contains("://")
        && !named.text.contains(char::is_whitespace)
        && EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str());
    is_file.then(|| {
        let path = named.text.trim_start_matches("./").trim_start_matches('/');
        claim(at + 1, field, "like", format!("%{}", escaped(path)))
    })
}

/// "in Rust", "written in Go", "Python code".
pub(super) fn language(view: &View<'_>) -> Option<Claim> {
    let field = view.field(Role::Language)?;
    let written = view.skip(0, &["written", "implemented"]);
    let lead = written + view.skip(written, &["in"]);
    let token = view.token(lead).filter(|token| token.kind == Kind::Word)?;
    let known = field.known_values.iter().flatten();
    let named = known
        .map(|value| (value.to_lowercase(), value.as_str()))
        .find(|(lower, _)| *lower == token.word)
        .map(|(_, value)| value);
    let listed = LANGUAGES.iter().find(|(word, _)| *word == token.word);
    let language = named.or(listed.map(|(_, language)| *language))?;
    // "go" and "c" are languages where they are written as such, and words otherwise.
    let is_named = lead > written
        && (token.word.len() > 2 || token.text.starts_with(char::is_uppercase) || written > 0);
    let has_code = CODE.contains(&view.word(lead + 1));
    if !is_named && !has_code {
        return None;
    }
    let used = lead + 1 + view.skip(lead + 1, &["file", "files", "code", "source"]);
    Some(claim(used, field, "eq", language.to_owned()))
}

/// Definitions by the words for several of them, and their kinds.
const KINDS: [(&str, &str); 7] = [
    ("functions", "function"),
    ("classes", "class"),
    ("methods", "method"),
    ("interfaces", "interface"),
    ("enums", "enum"),
    ("types", "type"),
    ("namespaces", "namespace"),
];

/// "list functions", "which Python classes": what is listed, and not what something is about.
pub(super) fn kind(view: &View<'_>) -> Option<Claim> {
    let field = view.field(Role::Kind)?;
    let (_, kind) = KINDS.iter().find(|(word, _)| *word == view.word(0))?;
    let mut before = view.tokens.iter().take(view.at);
    let lists = before.next().is_some_and(|first| is_listing(&first.word));
    let leads = |token: &Token<'_>| {
        let word = token.word.as_str();
        let is_language = LANGUAGES.iter().any(|(known, _)| *known == word);
        is_language || is_listing(word) || ["me", "all", "the", "my", "every"].contains(&word)
    };
    (lists && before.all(leads)).then(|| claim(1, field, "eq", (*kind).to_owned()))
}

fn is_listing(word: &str) -> bool {
    wording::LISTING.contains(&word)
}

fn is_extension(text: &str) -> bool {
    (1..=8).contains(&text.len())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric())
        && text.contains(|letter: char| letter.is_ascii_alphabetic())
}

/// What the paths in a folder begin with.
pub(super) fn folder_prefix(written: &str) -> String {
    let path = written.trim_start_matches("./").trim_matches('/');
    format!("{path}/")
}

/// What the paths with an extension are like.
pub(super) fn extension_pattern(written: &str) -> String {
    let extension = written.trim_start_matches(['*', '.']).to_ascii_lowercase();
    format!("%.{}", escaped(&extension))
}

/// A pattern with `*` as one of `like`.
pub(super) fn pattern(written: &str) -> String {
    escaped(written).replace('*', "%")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_")
}
