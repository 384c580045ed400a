//! Reads under which other names a manifest of Cargo uses packages.
//!
//! Source: <https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html>.

use super::quoted_text::quoted_text;

/// The dependencies of a manifest whose names in code are not those of their packages.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RenamedDependencies {
    /// The renamed dependencies of the package: their names in code and their packages.
    pub(super) own: Vec<(String, String)>,
    /// The names in code of the dependencies that the workspace describes.
    pub(super) of_workspace: Vec<String>,
    /// The renamed dependencies that a workspace describes for its packages.
    pub(super) shared: Vec<(String, String)>,
}

impl RenamedDependencies {
    /// Reads tables such as `[dependencies]` with `b = { path = "../a", package = "a-lib" }`.
    pub(super) fn read(manifest: &str) -> Self {
        let mut found = Self::default();
        let mut table = "";
        for line in manifest.lines().map(str::trim) {
            if let Some(head) = line.strip_prefix('[') {
                table = head.split(']').next().unwrap_or_default().trim();
            } else if table.ends_with("dependencies") {
                let (key, values) = line.split_once('=').unwrap_or_default();
                match key.trim().rsplit_once('.') {
                    Some((name, inner)) => found.add(table, name, &format!("{inner} = {values}")),
                    None => found.add(table, key, values),
                }
            } else if let Some((_, name)) = table.split_once("dependencies.") {
                found.add(table, name, line);
            }
        }
        found
    }

    fn add(&mut self, table: &str, name: &str, values: &str) {
        let values = values.split('#').next().unwrap_or_default();
        let name = name.trim().trim_matches(['"', '\'']).replace('-', "_");
        if value_of("workspace", values).is_some_and(|value| value.starts_with("true")) {
            self.of_workspace.push(name.clone());
        }
        let package = value_of("package", values).and_then(quoted_text);
        if let Some(package) = package {
            let of = if table.starts_with("workspace.") {
                &mut self.shared
            } else {
                &mut self.own
            };
            of.push((name, package.to_owned()));
        }
    }
}

/// Returns what follows `key =` in an inline table or on a line.
fn value_of<'v>(key: &str, values: &'v str) -> Option<&'v str> {
    let mut keys = values.match_indices(key);
    keys.find_map(|(at, _)| {
        let before = values.get(..at)?.trim_end();
        let is_key = before.is_empty() || before.ends_with(['{', ',']);
        let rest = values.get(at + key.len()..)?.trim_start();
        Some(rest.strip_prefix('=')?.trim_start()).filter(|_| is_key)
    })
}

#[cfg(test)]
mod tests {
    use super::RenamedDependencies;

    #[test]
    fn names_of_code_lead_to_packages() {
        let manifest = "[package]\nname = \"app\"\npackage = \"no\"\n\n[dependencies]\n\
            serde = \"1\" # { package = \"no\" }\n\
            my-lib = { path = \"sub\", package = \"sub-lib\" } # package\n\
            dotted.package = \"d\"\nshared.workspace = true\nother2 = { workspace = true }\n\
            [target.'cfg(unix)'.dev-dependencies.other]\n\
            path = \"x\"\npackage = 'x-lib'\n\
            [workspace.dependencies]\n\
            a = { version = \"1\", default-package = \"b\" }\n\
            shared = { path = \"s\", package = \"s-lib\" }\n";
        let pairs = |pairs: &[(&str, &str)]| {
            let owned = pairs
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
            owned.collect()
        };
        let expected = RenamedDependencies {
            own: pairs(&[("my_lib", "sub-lib"), ("dotted", "d"), ("other", "x-lib")]),
            of_workspace: ["shared", "other2"].map(str::to_owned).to_vec(),
            shared: pairs(&[("shared", "s-lib")]),
        };
        assert_eq!(RenamedDependencies::read(manifest), expected);
    }
}
