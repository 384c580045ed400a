//! Reads under which other names a manifest of Cargo uses packages.
//!
//! Source: <https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html>.

/// Returns the name of each renamed dependency in code and that of its package: `("b", "a-lib")`
/// for `b = { path = "../a", package = "a-lib" }`.
pub(super) fn renamed_dependencies(manifest: &str) -> Vec<(String, &str)> {
    let mut renamed = Vec::new();
    let mut table = "";
    for line in manifest.lines().map(str::trim) {
        if let Some(head) = line.strip_prefix('[') {
            table = head.split(']').next().unwrap_or_default().trim();
            continue;
        }
        if table.ends_with("dependencies") {
            let (name, values) = line.split_once('=').unwrap_or_default();
            renamed.extend(package_in(values).map(|package| (in_code(name), package)));
        } else if let Some((_, name)) = table.split_once("dependencies.") {
            renamed.extend(package_in(line).map(|package| (in_code(name), package)));
        }
    }
    renamed
}

/// Returns the text of `package = "text"` in an inline table or on a line.
fn package_in(values: &str) -> Option<&str> {
    const KEY: &str = "package";
    let mut keys = values.match_indices(KEY);
    keys.find_map(|(at, _)| {
        let before = values.get(..at)?.trim_end();
        if !before.is_empty() && !before.ends_with(['{', ',']) {
            return None;
        }
        let value = values.get(at + KEY.len()..)?.trim_start();
        let value = value.strip_prefix('=')?.trim_start();
        let quote = value
            .chars()
            .next()
            .filter(|one| matches!(one, '"' | '\''))?;
        value.get(1..)?.split(quote).next()
    })
}

/// Returns the name of a dependency as code has it.
fn in_code(name: &str) -> String {
    name.trim().trim_matches(['"', '\'']).replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::renamed_dependencies;

    #[test]
    fn names_of_code_lead_to_packages() {
        let manifest = "[package]\nname = \"app\"\npackage = \"no\"\n\n[dependencies]\n\
            serde = \"1\"\n\
            my-lib = { path = \"sub\", package = \"sub-lib\" } # package\n\
            [target.'cfg(unix)'.dev-dependencies.other]\n\
            path = \"x\"\npackage = 'x-lib'\n\
            [workspace.dependencies]\n\
            a = { version = \"1\", default-package = \"b\" }\n";
        let expected = [("my_lib", "sub-lib"), ("other", "x-lib")];
        let found = renamed_dependencies(manifest);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (a.as_str(), *b)).collect();
        assert_eq!(found, expected);
    }
}
