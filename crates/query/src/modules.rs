//! Modules as symbols: a file as a whole.

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, DefinitionKind, NavItem};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::symbol_id::{self, SymbolId};
use ragnav_base::text;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;
use ragnav_syntax::locator;

use crate::file_definitions::FileDefinitions;
use crate::find_definitions::SymbolQuery;

/// A module that a symbol names.
#[derive(Debug, Clone)]
pub(super) struct FoundModule {
    /// The file.
    pub(super) path: RepoPath,
    /// The row of the module.
    pub(super) definition: Definition,
}

/// The modules that a symbol names.
#[derive(Debug, Default)]
pub(super) struct FoundModules {
    /// The modules, by path.
    pub(super) modules: Vec<FoundModule>,
    /// The number of files that could not be read.
    pub(super) unread: usize,
}

/// Returns the modules that a symbol names: the one whose id it is, or else all whose ids end with
/// it.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn find_modules<H: Host>(
    snapshot: &Snapshot<'_, H>,
    query: &SymbolQuery,
) -> Result<FoundModules, RagnavError> {
    let files = snapshot.files().iter().chain(snapshot.unproven_files());
    let ids = files.filter_map(|path| Some((path.clone(), id_of(path)?)));
    let meant: Vec<(RepoPath, SymbolId)> = ids.filter(|(_, id)| query.names(id)).collect();
    let is_exact = |(_, id): &&(RepoPath, SymbolId)| id.dotted() == query.as_str();
    let exact: Vec<RepoPath> = meant
        .iter()
        .filter(is_exact)
        .map(|(path, _)| path.clone())
        .collect();
    let paths = if exact.is_empty() {
        meant.into_iter().map(|(path, _)| path).collect()
    } else {
        exact
    };
    let mut found = FoundModules::default();
    for path in paths {
        match module_at(snapshot, &path).await? {
            Some(module) => found.modules.push(module),
            None => found.unread += 1,
        }
    }
    Ok(found)
}

/// Returns the module that a file is, or `None` if the file cannot be read or its module has no
/// name.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn module_at<H: Host>(
    snapshot: &Snapshot<'_, H>,
    path: &RepoPath,
) -> Result<Option<FoundModule>, RagnavError> {
    let (lines, provenance) = if snapshot.uses_unproven_index(path) {
        let known = FileDefinitions::indexed(snapshot, path).await;
        let lines = known.as_ref().map_or(1, FileDefinitions::known_lines);
        (lines, snapshot.unproven_provenance(path))
    } else {
        let Ok(bytes) = snapshot.read(path).await? else {
            return Ok(None);
        };
        let Ok(text) = text::decode(&bytes) else {
            return Ok(None);
        };
        let provenance = snapshot.provenance(path, &bytes);
        (locator::count_lines(&text), provenance)
    };
    let definition = module_definition(path, lines, provenance);
    Ok(definition.map(|definition| FoundModule {
        path: path.clone(),
        definition,
    }))
}

/// Gives rows outside of definitions the modules of their files as symbols.
pub(super) fn name_modules(rows: &mut [NavItem]) {
    for row in rows.iter_mut().filter(|row| row.symbol.is_none()) {
        let path = RepoPath::parse(&row.file);
        row.symbol = path.ok().as_ref().and_then(id_of);
    }
}

/// Returns the row of a module with so many lines, or `None` if the module has no name.
pub(super) fn module_definition(
    path: &RepoPath,
    lines: usize,
    provenance: Provenance,
) -> Option<Definition> {
    Some(Definition {
        symbol: id_of(path)?,
        ordinal: 0,
        kind: DefinitionKind::Module,
        file: path.to_string(),
        start_line: 1,
        end_line: wire(lines.max(1)),
        source: provenance.source,
        freshness_state: provenance.freshness_state,
        proof: provenance.proof,
        r#match: None,
        condition: None,
        evidence: None,
    })
}

/// Returns the id of the module that a file is. `None` if no language is known for the file, or its
/// module has no name.
pub(super) fn id_of(path: &RepoPath) -> Option<SymbolId> {
    let language = ragnav_syntax::detect_language(path)?;
    SymbolId::of_module(&symbol_id::module_of(path, language.package_file))
}
