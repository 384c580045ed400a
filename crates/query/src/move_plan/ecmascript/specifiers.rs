//! The specifiers of files in JavaScript and TypeScript.

use ragnav_base::path::RepoPath;

use crate::move_plan::files::OpenFile;

/// The extensions that a specifier may omit or write.
const EXTENSIONS: [&str; 8] = ["ts", "tsx", "js", "jsx", "mts", "cts", "mjs", "cjs"];

/// What a specifier writes at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Nothing,
    /// The extension of the compiled file.
    Compiled,
    /// The extension of the file.
    Own,
}

/// How files of a repository name each other.
pub(super) struct Specifiers {
    source: RepoPath,
    ending: Ending,
}

impl Specifiers {
    /// `examples` are files with the specifiers by which others import them.
    pub(super) fn new(source: &RepoPath, examples: &[(RepoPath, String)]) -> Self {
        let relative = examples
            .iter()
            .find(|(_, specifier)| is_relative(specifier));
        let default = match source.extension() {
            // Node needs the extension.
            Some("js" | "mjs" | "jsx" | "cjs") => Ending::Own,
            _ => Ending::Nothing,
        };
        Self {
            source: source.clone(),
            ending: relative.map_or(default, |(_, specifier)| ending_of(specifier)),
        }
    }

    /// Returns how a file names another one, with quotes.
    pub(super) fn specifier(
        &self,
        from: &RepoPath,
        to: &RepoPath,
        (like, example): (&OpenFile, Option<&str>),
    ) -> Option<String> {
        let own = like
            .layout
            .imports
            .iter()
            .filter_map(|one| one.module.clone());
        let own: Vec<&str> = own.map(|module| like.slice(module)).collect();
        let example = example.or_else(|| {
            let mut relative = own.iter().filter(|one| is_relative(unquoted(one)));
            relative.next().copied()
        });
        let quote = example.or_else(|| own.first().copied());
        let quote = quote.and_then(|one| one.chars().next()).unwrap_or('"');
        let example = example.map(unquoted);
        let text = if let Some(example) = example.filter(|one| !is_relative(one)) {
            self.renamed(example, to)?
        } else {
            let ending = example.map_or(self.ending, ending_of);
            relative_path(from, &with_ending(to, ending))
        };
        Some(format!("{quote}{text}{quote}"))
    }

    /// Returns the specifier of a file that begins as one of the source does: `@/sums` for `@/cart`.
    fn renamed(&self, example: &str, to: &RepoPath) -> Option<String> {
        let ending = ending_of(example);
        let stem = |path: &RepoPath, ending| -> Vec<String> {
            with_ending(path, ending)
                .split('/')
                .map(str::to_owned)
                .collect()
        };
        let source = stem(&self.source, ending);
        let target = stem(to, ending);
        let given: Vec<&str> = example.split('/').collect();
        let ends = source.iter().rev().zip(given.iter().rev());
        let common = ends.take_while(|(one, other)| one == other).count();
        let prefix = given.get(..given.len() - common)?;
        let root = source.get(..source.len() - common)?;
        if common == 0 || prefix.is_empty() {
            return None;
        }
        let inside = target.strip_prefix(root)?;
        Some(format!("{}/{}", prefix.join("/"), inside.join("/")))
    }
}

/// Returns a specifier of one file as another file writes it. Both have quotes.
pub(super) fn carried(from: &RepoPath, written: &str, target: &RepoPath) -> Option<String> {
    let text = unquoted(written);
    if !is_relative(text) {
        return Some(written.to_owned());
    }
    let quote = written.chars().next()?;
    let path = joined(from, text)?;
    Some(format!("{quote}{}{quote}", relative_path(target, &path)))
}

/// Returns what a specifier means, independent of its file and of how its end is written.
pub(super) fn module_of(from: &RepoPath, specifier: &str) -> String {
    if !is_relative(specifier) {
        return specifier.to_owned();
    }
    let path = joined(from, specifier).unwrap_or_else(|| specifier.to_owned());
    let stem = without_extension(&path);
    let stem = stem.strip_suffix("/index").unwrap_or(stem);
    format!("./{stem}")
}

fn is_relative(specifier: &str) -> bool {
    specifier == "."
        || specifier == ".."
        || specifier.starts_with("./")
        || specifier.starts_with("../")
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

fn without_extension(path: &str) -> &str {
    let known = path
        .rsplit_once('.')
        .filter(|(_, end)| EXTENSIONS.contains(end));
    known.map_or(path, |(stem, _)| stem)
}

fn ending_of(specifier: &str) -> Ending {
    let end = specifier.rsplit_once('.').map(|(_, end)| end);
    match end {
        Some("js" | "jsx" | "mjs" | "cjs") => Ending::Compiled,
        Some("ts" | "tsx" | "mts" | "cts") => Ending::Own,
        _ => Ending::Nothing,
    }
}

/// Returns the path of a file as a specifier ends.
fn with_ending(file: &RepoPath, ending: Ending) -> String {
    let stem = without_extension(file.as_str());
    let own = file.extension().unwrap_or_default();
    let compiled = match own {
        "ts" | "tsx" => "js",
        "mts" => "mjs",
        "cts" => "cjs",
        other => other,
    };
    match ending {
        // These extensions cannot be omitted.
        Ending::Nothing if !matches!(own, "mts" | "cts" | "mjs" | "cjs") => stem.to_owned(),
        Ending::Nothing | Ending::Compiled => format!("{stem}.{compiled}"),
        Ending::Own => format!("{stem}.{own}"),
    }
}

/// Returns the path that a relative specifier means, from the root.
fn joined(from: &RepoPath, specifier: &str) -> Option<String> {
    let mut parts = folder_of(from);
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

fn folder_of(file: &RepoPath) -> Vec<&str> {
    let folder = file
        .as_str()
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    folder.split('/').filter(|part| !part.is_empty()).collect()
}

/// Returns a path from the root as a file names it.
fn relative_path(from: &RepoPath, path: &str) -> String {
    let folder = folder_of(from);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let common = folder
        .iter()
        .zip(&parts)
        .take_while(|(one, other)| one == other)
        .count();
    let up = folder.len() - common;
    let start = if up == 0 {
        "./".to_owned()
    } else {
        "../".repeat(up)
    };
    let rest = parts.get(common..).unwrap_or_default().join("/");
    let whole = format!("{start}{rest}");
    whole.strip_suffix('/').unwrap_or(&whole).to_owned()
}
