//! The rules for folders, files, extensions, programming languages and kinds of definitions.

use super::cursor::{Cursor, RuleMatch};
use super::tokens::{Kind, Token};
use super::wording;
use crate::catalogue::{Field, Role};
use crate::draft::DraftFilter;

const FOLDER: [&str; 5] = ["folder", "directory", "dir", "subfolder", "subdirectory"];
const IN: [&str; 6] = ["in", "under", "inside", "within", "from", "of"];

/// Words that are extensions even without a dot: "md files".
const EXTENSIONS: [&str; 31] = [
    "md", "markdown", "txt", "rst", "adoc", "org", "pdf", "py", "rs", "ts", "tsx", "js", "jsx",
    "mjs", "cjs", "go", "java", "c", "h", "cpp", "hpp", "cs", "rb", "php", "sh", "json", "yaml",
    "yml", "toml", "html", "css",
];

/// Programming languages by their names, as documents have them.
const LANGUAGES: [(&str, &str); 38] = [
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
    ("bash", "bash"),
    ("shell", "bash"),
    ("sql", "sql"),
    ("html", "html"),
    ("css", "css"),
    ("markdown", "markdown"),
    ("restructuredtext", "restructuredtext"),
    ("asciidoc", "asciidoc"),
    ("zig", "zig"),
    ("dart", "dart"),
    ("vue", "vue"),
    ("svelte", "svelte"),
    ("astro", "astro"),
    ("jupyter", "jupyter"),
];

/// Words for code: "Python functions".
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

fn build_match(used: usize, field: &Field, operator: &str, value: String) -> RuleMatch {
    RuleMatch {
        used,
        filters: vec![DraftFilter::new(&field.name, operator, value)],
        is_explicit: false,
    }
}

/// Parses "in folder X", "in the X folder", "in X/" and "under X/Y".
pub(super) fn match_folder(cursor: &Cursor<'_>) -> Option<RuleMatch> {
    let field = cursor.field(Role::Path)?;
    if !IN.contains(&cursor.word(0)) || cursor.before() == "not" {
        return None;
    }
    let at = 1 + cursor.skip(1, &["the", "my", "our", "a"]);
    if FOLDER.contains(&cursor.word(at)) {
        let named = at + 1 + cursor.skip(at + 1, &["called", "named"]);
        let token = cursor.token(named).filter(|token| is_name(token))?;
        return Some(build_match(
            named + 1,
            field,
            "starts_with",
            folder_prefix(token.text),
        ));
    }
    let token = cursor.token(at).filter(|token| is_name(token))?;
    if FOLDER.contains(&cursor.word(at + 1)) {
        return Some(build_match(
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
                || ["under", "inside", "within"].contains(&cursor.word(0))));
    let is_folder = text.ends_with('/') || (is_nested && !last.contains('.'));
    let is_path = is_folder
        && !text.contains("://")
        && !text.starts_with(|letter: char| letter.is_ascii_digit() && slashes > 1)
        && text.trim_matches('/').contains(char::is_alphanumeric);
    is_path.then(|| build_match(at + 1, field, "starts_with", folder_prefix(text)))
}

fn is_name(token: &Token<'_>) -> bool {
    token.kind == Kind::Quoted || (token.kind == Kind::Word && !wording::is_stop_word(&token.word))
}

/// Parses "in parser.py", "*.py", ".py files", "py files" and "files with extension py".
pub(super) fn match_file(cursor: &Cursor<'_>) -> Option<RuleMatch> {
    let field = cursor.field(Role::Path)?;
    let token = cursor.token(0).filter(|token| token.kind == Kind::Word)?;
    let files = ["file", "files"];
    if let Some(extension) = token
        .text
        .strip_prefix("*.")
        .filter(|end| is_extension(end))
    {
        return Some(build_match(
            1 + cursor.skip(1, &files),
            field,
            "like",
            extension_pattern(extension),
        ));
    }
    // The tokenizer strips a dot behind a word only, so `.py` keeps its dot.
    if let Some(extension) = token.text.strip_prefix('.').filter(|end| is_extension(end)) {
        return Some(build_match(
            1 + cursor.skip(1, &files),
            field,
            "like",
            extension_pattern(extension),
        ));
    }
    if EXTENSIONS.contains(&token.word.as_str()) && files.contains(&cursor.word(1)) {
        return Some(build_match(
            2,
            field,
            "like",
            extension_pattern(&token.word),
        ));
    }
    let lead = cursor.skip(0, &["with", "having"]);
    let lead = lead + cursor.skip(lead, &["the", "an"]);
    if cursor.word(lead) == "extension" {
        let named = cursor.token(lead + 1)?;
        let extension = named.text.trim_start_matches(['*', '.']);
        let pattern = is_extension(extension).then(|| extension_pattern(extension))?;
        return Some(build_match(lead + 2, field, "like", pattern));
    }
    let mut at = cursor.skip(0, &IN);
    at += cursor.skip(at, &["the"]);
    at += cursor.skip(at, &["file"]);
    let named = cursor.token(at).filter(|_| at > 0)?;
    let (stem, extension) = named.text.rsplit_once('.')?;
    let is_file = [Kind::Word, Kind::Quoted].contains(&named.kind)
        && !stem.is_empty()
        && !named.text.contains("://")
        && !named.text.contains(char::is_whitespace)
        && EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str());
    is_file.then(|| {
        let path = named.text.trim_start_matches("./").trim_start_matches('/');
        build_match(at + 1, field, "like", format!("%{}", escape_like(path)))
    })
}

/// Parses "in Rust", "written in Go" and "Python code".
pub(super) fn match_language(cursor: &Cursor<'_>) -> Option<RuleMatch> {
    let field = cursor.field(Role::Language)?;
    let written = cursor.skip(0, &["written", "implemented"]);
    let lead = written + cursor.skip(written, &["in"]);
    let token = cursor
        .token(lead)
        .filter(|token| token.kind == Kind::Word)?;
    let known = field.known_values.iter().flatten();
    let named = known
        .map(|value| (value.to_lowercase(), value.as_str()))
        .find(|(lower, _)| *lower == token.word)
        .map(|(_, value)| value);
    let listed = LANGUAGES.iter().find(|(word, _)| *word == token.word);
    let language = named.or(listed.map(|(_, language)| *language))?;
    // "go" and "c" are languages only if the context says so.
    let is_named = lead > written
        && (token.word.len() > 2 || token.text.starts_with(char::is_uppercase) || written > 0);
    let has_code = CODE.contains(&cursor.word(lead + 1));
    if !is_named && !has_code {
        return None;
    }
    let used = lead + 1 + cursor.skip(lead + 1, &["file", "files", "code", "source"]);
    Some(build_match(used, field, "eq", language.to_owned()))
}

/// The kinds of definitions by their plurals.
const KINDS: [(&str, &str); 7] = [
    ("functions", "function"),
    ("classes", "class"),
    ("methods", "method"),
    ("interfaces", "interface"),
    ("enums", "enum"),
    ("types", "type"),
    ("namespaces", "namespace"),
];

/// Parses "list functions" and "which Python classes". The kind must be what is listed, and not the
/// topic.
pub(super) fn match_kind(cursor: &Cursor<'_>) -> Option<RuleMatch> {
    let field = cursor.field(Role::Kind)?;
    let (_, kind) = KINDS.iter().find(|(word, _)| *word == cursor.word(0))?;
    let mut before = cursor.tokens.iter().take(cursor.at);
    let lists = before.next().is_some_and(|first| is_listing(&first.word));
    let leads = |token: &Token<'_>| {
        let word = token.word.as_str();
        let is_language = LANGUAGES.iter().any(|(known, _)| *known == word);
        is_language || is_listing(word) || ["me", "all", "the", "my", "every"].contains(&word)
    };
    (lists && before.all(leads)).then(|| build_match(1, field, "eq", (*kind).to_owned()))
}

fn is_listing(word: &str) -> bool {
    wording::LISTING.contains(&word)
}

fn is_extension(text: &str) -> bool {
    (1..=8).contains(&text.len())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric())
        && text.contains(|letter: char| letter.is_ascii_alphabetic())
}

/// Returns the prefix of the paths in a folder.
pub(super) fn folder_prefix(written: &str) -> String {
    let path = written.trim_start_matches("./").trim_matches('/');
    format!("{path}/")
}

/// Returns the `like` pattern of paths with an extension.
pub(super) fn extension_pattern(written: &str) -> String {
    let extension = written.trim_start_matches(['*', '.']).to_ascii_lowercase();
    format!("%.{}", escape_like(&extension))
}

/// Converts a pattern with `*` to a `like` pattern.
pub(super) fn like_pattern(written: &str) -> String {
    escape_like(written).replace('*', "%")
}

fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_can_name_each_language() {
        for language in ragnav_syntax::languages() {
            let mut known = LANGUAGES.iter();
            assert!(
                known.any(|(_, name)| *name == language.name),
                "{}",
                language.name
            );
        }
    }
}
