//! Reads `tsconfig.json` and `jsconfig.json`.
//!
//! Source: `paths` and `baseUrl` in the TypeScript handbook.

use jsonc_parser::ast::Object;

use super::json;
use super::package::match_star;

/// Patterns of specifiers with their substitutions, in source order.
pub(super) type Paths = Vec<(String, Vec<String>)>;

/// The options of a `tsconfig.json` that matter for resolution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TsConfig {
    /// The configurations that this one extends, the last one first.
    pub(super) extends: Vec<String>,
    /// The configurations of the referenced projects.
    pub(super) references: Vec<String>,
    /// The folder in which bare specifiers are looked up.
    pub(super) base_url: Option<String>,
    /// The substitutions for specifiers; a `*` matches any text. `None` if there is no such option.
    pub(super) paths: Option<Paths>,
    /// The folder of the compiled files, and the folder of their sources.
    pub(super) out_dir: Option<String>,
    pub(super) root_dir: Option<String>,
}

impl TsConfig {
    pub(super) fn parse(text: &str) -> Self {
        json::with_object(text, Self::from_object).unwrap_or_default()
    }

    fn from_object(object: &Object<'_>) -> Self {
        let mut extends = json::string_list(object, "extends");
        extends.reverse();
        let references = object.get_array("references").into_iter();
        let references = references.flat_map(|list| &list.elements);
        let references = references.filter_map(|one| json::string(one.as_object()?, "path"));
        let config = Self {
            extends,
            references: references.collect(),
            ..Self::default()
        };
        let Some(options) = object.get_object("compilerOptions") else {
            return config;
        };
        let paths = options.get_object("paths").map(|paths| {
            let paths = paths.properties.iter();
            paths
                .map(|path| {
                    let name = path.name.as_str().to_owned();
                    (name, json::string_values(&path.value))
                })
                .collect()
        });
        Self {
            base_url: json::string(options, "baseUrl"),
            paths,
            out_dir: json::string(options, "outDir"),
            root_dir: json::string(options, "rootDir"),
            ..config
        }
    }
}

/// Substitutes a specifier by its exact entry, or else by the longest matching pattern.
pub(super) fn substitute(paths: &Paths, specifier: &str) -> Vec<String> {
    if let Some((_, targets)) = paths.iter().find(|(name, _)| name == specifier) {
        return targets.clone();
    }
    let fitting = paths
        .iter()
        .filter_map(|(name, targets)| Some((name, targets, match_star(name, specifier)?)));
    let prefix = |name: &str| name.find('*').unwrap_or(name.len());
    let best = fitting.max_by_key(|(name, ..)| prefix(name));
    best.map(|(_, targets, star)| {
        let targets = targets.iter();
        targets.map(|target| target.replace('*', star)).collect()
    })
    .unwrap_or_default()
}
