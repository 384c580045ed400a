//! `tsconfig.json` and `jsconfig.json`: what specifiers stand for. Source: the TypeScript handbook on `paths` and `baseUrl`.

use jsonc_parser::ast::Object;

use super::json;
use super::package::starred;

/// What specifiers stand for, in the order of the text.
pub(super) type Paths = Vec<(String, Vec<String>)>;

/// What a `tsconfig.json` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Config {
    /// The configurations whose options it takes over, the last one first.
    pub(super) extends: Vec<String>,
    /// The configurations of the projects that it is made of.
    pub(super) references: Vec<String>,
    /// The folder below which bare specifiers are looked for.
    pub(super) base_url: Option<String>,
    /// What specifiers stand for; a `*` stands for anything. `None` where it does not say.
    pub(super) paths: Option<Paths>,
    /// The folder that built files go to, and the one that they are built of.
    pub(super) out_dir: Option<String>,
    pub(super) root_dir: Option<String>,
}

impl Config {
    pub(super) fn parse(text: &str) -> Self {
        json::with_object(text, Self::of).unwrap_or_default()
    }

    fn of(object: &Object<'_>) -> Self {
        let mut extends = json::texts(object, "extends");
        extends.reverse();
        let references = object.get_array("references").into_iter();
        let references = references.flat_map(|list| &list.elements);
        let references = references.filter_map(|one| json::text(one.as_object()?, "path"));
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
                    (name, json::texts_of(&path.value))
                })
                .collect()
        });
        Self {
            base_url: json::text(options, "baseUrl"),
            paths,
            out_dir: json::text(options, "outDir"),
            root_dir: json::text(options, "rootDir"),
            ..config
        }
    }
}

/// What a specifier stands for by the entry of its name, or else by the longest pattern that it fits.
pub(super) fn substitutes(paths: &Paths, specifier: &str) -> Vec<String> {
    if let Some((_, targets)) = paths.iter().find(|(name, _)| name == specifier) {
        return targets.clone();
    }
    let fitting = paths
        .iter()
        .filter_map(|(name, targets)| Some((name, targets, starred(name, specifier)?)));
    let prefix = |name: &str| name.find('*').unwrap_or(name.len());
    let best = fitting.max_by_key(|(name, ..)| prefix(name));
    best.map(|(_, targets, star)| {
        let targets = targets.iter();
        targets.map(|target| target.replace('*', star)).collect()
    })
    .unwrap_or_default()
}
