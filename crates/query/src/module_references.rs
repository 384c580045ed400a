//! The imports of modules, and the uses of components.

use std::collections::BTreeSet;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{utf16_len, wire};
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_matching::vendored::is_vendored;
use ragnav_resolve::{FileFacts, Resolver, is_component, share_family};
use ragnav_syntax::facts::{Import, ImportedItem};

use crate::code_facts::CodeFacts;
use crate::reference_site::ReferenceSite;

/// How files inside of a Python package begin to import from it without its name.
const RELATIVE: &str = "from .";

/// Returns the imports of modules, or from them: one for each line.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn imports_of<H: Host>(
    code: &mut CodeFacts<'_, H>,
    modules: &BTreeSet<RepoPath>,
) -> Result<Vec<ReferenceSite>, RagnavError> {
    let mut files = BTreeSet::new();
    for module in modules {
        files.extend(possible_importers(code, module).await?);
    }
    code.load(&files).await?;
    loop {
        let sites = sites(code, &files, modules);
        if !code.load_missing().await? {
            return Ok(sites);
        }
    }
}

/// Returns the uses of components, such as those in `.vue` files, by the names of their files: in
/// templates, and imports of them through other modules.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn uses_of_components<H: Host>(
    code: &mut CodeFacts<'_, H>,
    modules: &BTreeSet<RepoPath>,
) -> Result<Vec<ReferenceSite>, RagnavError> {
    let mut sites = Vec::new();
    for module in modules.iter().filter(|module| is_component(module)) {
        let name = module.name().split('.').next().unwrap_or_default();
        let files = code.files_that_may_contain(name).into_iter();
        let files = files.filter(|file| share_family(file, module)).collect();
        code.load(&files).await?;
        sites.extend(loop {
            let found = uses(code, &files, (module, name));
            if !code.load_missing().await? {
                break found;
            }
        });
    }
    Ok(sites)
}

/// Returns the references of a name to a module.
fn uses<H: Host>(
    code: &CodeFacts<'_, H>,
    files: &BTreeSet<RepoPath>,
    (module, name): (&RepoPath, &str),
) -> Vec<ReferenceSite> {
    let resolver = Resolver::new(&code.world);
    let mut sites = Vec::new();
    for path in files {
        let Some(file) = code.world.facts(path) else {
            continue;
        };
        let references = file.facts.references.iter();
        for reference in references.filter(|one| file.facts.name(one.name) == name) {
            code.world.start_tracking();
            let meaning = resolver.resolve_reference(path, &file, reference);
            let is_meant = resolver.modules(&meaning).any(|meant| meant == module);
            let mut consulted = code.world.take_dependencies().files;
            if is_meant {
                consulted.push(path.clone());
                let is_proven = code.are_proven(&consulted);
                let how = Resolution::Resolved;
                sites.push(ReferenceSite::new(path, &file, reference, how, is_proven));
            }
        }
    }
    sites
}

/// Returns the files that may import a module.
async fn possible_importers<H: Host>(
    code: &mut CodeFacts<'_, H>,
    module: &RepoPath,
) -> Result<BTreeSet<RepoPath>, RagnavError> {
    let keys = Resolver::new(&code.world).import_keys(module);
    let mut files = code.importing(&keys).await?;
    if keys.is_empty() {
        files.extend(files_naming(code, module).await?);
    }
    files.retain(|file| share_family(file, module));
    Ok(files)
}

/// Returns the files that have the name of a module in their text, or import from the package
/// around them.
async fn files_naming<H: Host>(
    code: &mut CodeFacts<'_, H>,
    module: &RepoPath,
) -> Result<BTreeSet<RepoPath>, RagnavError> {
    let stem = module.name().split('.').next().unwrap_or_default();
    let language = ragnav_syntax::detect_language(module);
    let package = language
        .filter(|language| language.package_file == Some(stem))
        .and_then(|_| module.parent());
    let name = package.as_ref().map_or(stem, RepoPath::name);
    let mut files = match name {
        "" => BTreeSet::new(),
        name => {
            let pattern = naming(code, module, name)?;
            code.files_matching(&pattern, name).await?
        }
    };
    if let Some(folder) = package {
        let pattern = Pattern::new(RELATIVE, SearchMode::Literal, true)?;
        let relative = code.files_matching(&pattern, RELATIVE).await?.into_iter();
        files.extend(relative.filter(|file| file.below(&folder).is_some()));
    }
    Ok(files)
}

/// Returns the pattern of texts that may import a module by its name: an import with the name in
/// its line or parentheses where imports look so, else the name anywhere.
///
/// # Errors
/// `INVALID_ARGUMENT` if the name is too long for a pattern.
fn naming<H: Host>(
    code: &CodeFacts<'_, H>,
    module: &RepoPath,
    name: &str,
) -> Result<Pattern, RagnavError> {
    if !Resolver::new(&code.world).finds_importers(module) {
        return Pattern::new(name, SearchMode::Literal, true);
    }
    let name = regex_syntax::escape(name);
    let in_line = format!(r"\b(?:import|from|include)\b(?:\\\r?\n|[^\n])*\b{name}\b");
    let in_parentheses = format!(r"\bimport\s*\((?:[^)#]|#[^\n]*)*\b{name}\b");
    let pattern = format!("{in_line}|{in_parentheses}");
    Pattern::new(&pattern, SearchMode::Regex, true)
}

fn sites<H: Host>(
    code: &CodeFacts<'_, H>,
    files: &BTreeSet<RepoPath>,
    modules: &BTreeSet<RepoPath>,
) -> Vec<ReferenceSite> {
    let resolver = Resolver::new(&code.world);
    let mut sites: Vec<ReferenceSite> = Vec::new();
    for path in files {
        let Some(file) = code.world.facts(path) else {
            continue;
        };
        for import in &file.facts.imports {
            code.world.start_tracking();
            let imported = resolver.imported_files(path, &file, import);
            let mut consulted = code.world.take_dependencies().files;
            if imported.is_disjoint(modules) {
                continue;
            }
            consulted.push(path.clone());
            let is_proven = code.are_proven(&consulted);
            sites.push(import_site(path, &file, import, is_proven));
        }
    }
    sites.sort_unstable();
    sites.dedup_by(|a, b| (&a.path, a.line) == (&b.path, b.line));
    sites
}

/// Returns the place of the imported name, or of the module.
pub(super) fn import_site(
    path: &RepoPath,
    file: &FileFacts,
    import: &Import,
    is_proven: bool,
) -> ReferenceSite {
    let mut references = file.facts.references.iter();
    let named = references.find(|reference| reference.position == import.position);
    if let Some(reference) = named {
        return ReferenceSite::new(path, file, reference, Resolution::Resolved, is_proven);
    }
    let name = match import.item {
        ImportedItem::Member(name) => file.facts.name(name),
        ImportedItem::Module | ImportedItem::Star => file.facts.name(import.module),
    };
    let start_utf16 = import.position.start_utf16;
    ReferenceSite {
        resolution: Resolution::Resolved,
        is_vendored: is_vendored(path),
        path: path.clone(),
        line: import.position.line,
        start_utf16,
        end_utf16: start_utf16 + wire(utf16_len(name)),
        kind: ItemKind::Import,
        is_proven,
        evidence: None,
    }
}
