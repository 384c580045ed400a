//! The folders of includes in `compile_commands.json`,
//! <https://clang.llvm.org/docs/JSONCompilationDatabase.html>.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{CollectOptions, ParseOptions};

use crate::files::{Files, join_relative};
use crate::manifest::Manifest;
use ragnav_base::path::RepoPath;

/// The options before the path of a folder.
const OPTIONS: [&str; 4] = ["-isystem", "-iquote", "-idirafter", "-I"];

/// The number of commands that are read, and of folders that are kept.
const MAX_COMMANDS: usize = 20_000;
const MAX_FOLDERS: usize = 500;

/// Reports whether a file lists the commands of compilers.
pub(super) fn is_compile_commands(path: &RepoPath) -> bool {
    path.name() == "compile_commands.json"
}

/// Returns the folders in which the commands look up includes, in their order.
pub(super) fn include_folders(files: &Files, manifests: &[Manifest]) -> Vec<RepoPath> {
    let mut folders = Vec::new();
    for manifest in manifests
        .iter()
        .filter(|one| is_compile_commands(&one.path))
    {
        let options = (CollectOptions::default(), ParseOptions::default());
        let parsed = jsonc_parser::parse_to_ast(&manifest.text, &options.0, &options.1);
        let Some(Value::Array(commands)) = parsed.ok().and_then(|parsed| parsed.value) else {
            continue;
        };
        let commands = commands.elements.iter().take(MAX_COMMANDS);
        let root = files.root_of(&manifest.path);
        for command in commands.filter_map(Value::as_object) {
            add_folders(files, &root, command, &mut folders);
        }
    }
    folders
}

fn add_folders(files: &Files, root: &RepoPath, command: &Object<'_>, folders: &mut Vec<RepoPath>) {
    let text = |key: &str| Some(command.get_string(key)?.value.as_ref());
    let (Some(directory), Some(file)) = (text("directory"), text("file")) else {
        return;
    };
    let Some(outside) = path_of(files, root, &absolute(directory, file)) else {
        return;
    };
    let arguments = command.get_array("arguments");
    let listed = arguments.map(|list| {
        let texts = list.elements.iter().filter_map(Value::as_string_lit);
        texts.map(|text| text.value.to_string()).collect()
    });
    let words: Vec<String> = listed.unwrap_or_else(|| {
        let words = text("command").unwrap_or_default().split_whitespace();
        words.map(|word| word.replace(['"', '\''], "")).collect()
    });
    for path in folders_in(&words) {
        let path = absolute(directory, path);
        let inside = path
            .strip_prefix(&outside)
            .and_then(|path| join_relative(root, path));
        let inside = inside.filter(|folder| files.contains_folder(folder));
        if let Some(folder) = inside.filter(|folder| !folders.contains(folder))
            && folders.len() < MAX_FOLDERS
        {
            folders.push(folder);
        }
    }
}

/// Returns the paths behind `-I` and similar options.
fn folders_in(words: &[String]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let option = OPTIONS.iter().find_map(|option| word.strip_prefix(option));
        match option {
            Some("") => found.extend(words.peek().map(|next| next.as_str())),
            Some(path) => found.push(path),
            None => {}
        }
    }
    found
}

/// Returns the absolute path of a repository's root, by a file whose path ends as one of the
/// repository.
fn path_of(files: &Files, root: &RepoPath, file: &str) -> Option<String> {
    let slashes = file.match_indices('/').map(|(slash, _)| slash + 1);
    let mut starts = slashes.filter(|start| {
        let rest = file
            .get(*start..)
            .and_then(|rest| join_relative(root, rest));
        rest.is_some_and(|rest| files.contains(&rest))
    });
    let start = starts.next()?;
    Some(file.get(..start)?.to_owned())
}

/// Returns an absolute path without `.` and `..`.
fn absolute(directory: &str, path: &str) -> String {
    let path = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{directory}/{path}")
    };
    let mut segments: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            part => segments.push(part),
        }
    }
    format!("/{}", segments.join("/"))
}
