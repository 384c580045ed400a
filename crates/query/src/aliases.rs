//! The names of a symbol in other files, and the files that may contain them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use crate::code_facts::CodeFacts;
use crate::targets::Targets;
use ragnav_base::error::RagnavError;
use ragnav_base::hash::HashMap;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_resolve::FileFacts;
use ragnav_resolve::Resolver;
use ragnav_syntax::facts::{DefinitionId, Export, ExportedItem, Import, ImportedItem};

const DEFAULT: &str = "default";
/// The maximum length of what follows a name in calls of calls, in bytes.
const MAX_CALLS: usize = "()()()()".len();
/// What follows a name if it stands for what calls of it return.
const CALLS: [&str; 3] = ["", "()", "()()"];

/// The names of a symbol: its own, and those from imports, exports and assignments, by file.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// The files that may contain references to the symbol.
    pub(super) files: BTreeSet<RepoPath>,
    /// The names that the symbol may have in any file.
    global: BTreeSet<String>,
    /// The names that the symbol has in one file only.
    local: BTreeMap<RepoPath, BTreeSet<String>>,
    /// The modules whose default export, or whole value, is the symbol. Importers of these choose
    /// the name.
    modules: BTreeSet<RepoPath>,
    /// Whether a target is at the top level of its file, so that others import it by its name.
    is_importable: bool,
    /// The names and modules whose users have not been searched yet.
    names_ahead: Vec<String>,
    modules_ahead: Vec<RepoPath>,
}

impl Aliases {
    /// Follows the names of definitions that share one name through the code.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn find<H: Host>(
        code: &mut CodeFacts<'_, H>,
        name: &str,
        targets: &Targets,
    ) -> Result<Self, RagnavError> {
        let mut mentions = Self::default();
        let homes: BTreeSet<RepoPath> = targets.iter().map(|(path, _)| path.clone()).collect();
        code.load(&homes).await?;
        mentions.is_importable = targets.iter().any(|(home, id)| {
            let file = code.world.facts(home);
            let definitions = file.as_ref().map(|file| &file.facts.definitions);
            let target = definitions.and_then(|all| all.get(id.0 as usize));
            target.is_some_and(|target| target.parent.is_none())
        });
        if !targets
            .iter()
            .all(|target| is_named_by_importers(code, target))
        {
            mentions.add_global(name);
        }
        mentions.add_files(code, homes, targets).await?;
        loop {
            let names = std::mem::take(&mut mentions.names_ahead);
            if !names.is_empty() {
                // Minified code gives one value many names, which the same large file mentions.
                let mut mentioning = BTreeSet::new();
                for name in names {
                    mentioning.append(&mut code.files_with_name(&name).await?);
                }
                mentions.add_files(code, mentioning, targets).await?;
            } else if let Some(module) = mentions.modules_ahead.pop() {
                let keys = Resolver::new(&code.world).import_keys(&module);
                let importing = code.importing(&keys).await?;
                mentions.add_files(code, importing, targets).await?;
            } else {
                return Ok(mentions);
            }
        }
    }

    async fn add_files<H: Host>(
        &mut self,
        code: &mut CodeFacts<'_, H>,
        files: BTreeSet<RepoPath>,
        targets: &Targets,
    ) -> Result<(), RagnavError> {
        code.load(&files).await?;
        for path in files {
            if let Some(file) = code.world.facts(&path) {
                let resolver = Resolver::new(&code.world);
                self.follow(resolver, &path, &file, targets);
            }
            self.files.insert(path);
        }
        Ok(())
    }

    /// Reports whether a name in a file may be one of the symbol's.
    pub(super) fn hold(&self, file: &RepoPath, name: &str) -> bool {
        let local = self.local.get(file);
        self.global.contains(name) || local.is_some_and(|names| names.contains(name))
    }

    /// Reports whether a name of the symbol in a file starts with a text.
    fn hold_start(&self, file: &RepoPath, text: &str) -> bool {
        let starts = |names: &BTreeSet<String>| {
            let mut names = names.range::<str, _>((Bound::Included(text), Bound::Unbounded));
            names.next().is_some_and(|name| name.starts_with(text))
        };
        starts(&self.global) || self.local.get(file).is_some_and(starts)
    }

    /// Returns the names that the symbol may have in a file.
    pub(super) fn names_in(&self, file: &RepoPath) -> impl Iterator<Item = &str> {
        let local = self.local.get(file).into_iter().flatten();
        self.global.iter().chain(local).map(String::as_str)
    }

    fn add_global(&mut self, name: &str) {
        if self.global.insert(name.to_owned()) {
            let text = name.trim_end_matches("()");
            self.names_ahead.push(text.to_owned());
        }
    }

    fn add_local(&mut self, file: &RepoPath, name: &str) {
        let names = self.local.entry(file.clone()).or_default();
        names.insert(name.to_owned());
    }

    /// Records the names that a file gives to a value with one of these names.
    fn follow(
        &mut self,
        resolver: Resolver<'_>,
        path: &RepoPath,
        file: &FileFacts,
        targets: &Targets,
    ) {
        for import in &file.facts.imports {
            if self.binds_any_name(resolver, path, file, import) {
                self.add_local(path, DEFAULT);
                let alias = import.alias.map(|alias| file.facts.name(alias));
                if let Some(alias) = alias {
                    self.add_local(path, alias);
                }
            }
        }
        for (given, of, is_global) in file.aliases() {
            if !self.hold_start(path, of) {
                continue;
            }
            let is_chosen = resolver.is_named_by_importers(path, of);
            self.follow_flow_name(path, (&format!("{given}()"), &format!("{of}()")));
            if !is_chosen && self.hold(path, of) && !self.hold(path, given) {
                self.add_local(path, given);
                if is_global {
                    self.add_global(given);
                }
            }
        }
        if self.may_flow(path, file, targets) {
            self.follow_flow(path, file);
        }
        for export in &file.facts.exported {
            if self.is_exported(resolver, path, file, export, targets) {
                let name = file.facts.name(export.name);
                let is_chosen = resolver.is_named_by_importers(path, name);
                self.add_exported(path, name, is_chosen);
            }
        }
    }

    /// Reports whether values of a target may flow in a file: it defines one, or it imports a name
    /// that one may have at the top level of its file, or that of a function that returns one.
    fn may_flow(&self, path: &RepoPath, file: &FileFacts, targets: &Targets) -> bool {
        let is_home = targets.iter().any(|(home, _)| home == path);
        let is_imported = |import: &Import| match import.item {
            ImportedItem::Member(name) => {
                let name = file.facts.name(name);
                self.hold(path, name) || self.hold(path, &format!("{name}()"))
            }
            _ => false,
        };
        is_home || (self.is_importable && file.facts.imports.iter().any(is_imported))
    }

    /// Records the names to which the values of these names flow inside a file.
    ///
    /// Other files may call the functions that return a target.
    fn follow_flow(&mut self, path: &RepoPath, file: &FileFacts) {
        let mut given_by: HashMap<&str, Vec<&str>> = HashMap::default();
        for (given, of) in file.flow_names() {
            given_by.entry(of).or_default().push(given);
        }
        let mut ahead: Vec<String> = self.names_in(path).map(str::to_owned).collect();
        while let Some(name) = ahead.pop() {
            for calls in CALLS {
                let of = name.strip_suffix(calls).and_then(|of| given_by.get(of));
                for given in of.into_iter().flatten() {
                    let given = format!("{given}{calls}");
                    let end = given.find('(').unwrap_or(given.len());
                    let is_short = given.len() - end <= MAX_CALLS;
                    if is_short && !self.hold(path, &given) {
                        self.add_local(path, &given);
                        ahead.push(given);
                    }
                }
            }
        }
        let returning = file.module_functions();
        let returning = returning.map(|function| format!("{function}()"));
        for call in returning
            .filter(|call| self.hold(path, call))
            .collect::<Vec<_>>()
        {
            self.add_global(&call);
        }
    }

    /// Records what a name holds if it has a value of another one: the same as that, and what calls
    /// of that return.
    fn follow_flow_name(&mut self, path: &RepoPath, (given, of): (&str, &str)) {
        for calls in CALLS {
            let (given, of) = (format!("{given}{calls}"), format!("{of}{calls}"));
            if self.hold(path, &of) && !self.hold(path, &given) {
                self.add_local(path, &given);
            }
        }
    }

    /// Reports whether an import may bind the symbol to any name.
    fn binds_any_name(
        &self,
        resolver: Resolver<'_>,
        path: &RepoPath,
        file: &FileFacts,
        import: &Import,
    ) -> bool {
        let is_whole = match import.item {
            ImportedItem::Module => true,
            ImportedItem::Member(name) => file.facts.name(name) == DEFAULT,
            ImportedItem::Star => false,
        };
        // Resolving costs more than checking whether there is anything to resolve.
        if !is_whole || self.modules.is_empty() {
            return false;
        }
        let module = resolver.resolve_import_file(path, file, import);
        module.is_some_and(|module| self.modules.contains(&module))
    }

    fn is_exported(
        &self,
        resolver: Resolver<'_>,
        path: &RepoPath,
        file: &FileFacts,
        export: &Export,
        targets: &Targets,
    ) -> bool {
        match export.item {
            ExportedItem::Definition(id) => targets.contains(&(path.clone(), id)),
            ExportedItem::Local(name) => self.hold(path, file.facts.name(name)),
            ExportedItem::Value(value) if !value.is_called => {
                let name = file.facts.name(value.path);
                self.hold(path, name.rsplit('.').next().unwrap_or(name))
            }
            ExportedItem::From(id) => {
                let Some(import) = file.import(id) else {
                    return false;
                };
                let by_name = match import.item {
                    ImportedItem::Member(name) => {
                        let name = file.facts.name(name);
                        !resolver.is_named_by_importers(path, name) && self.hold(path, name)
                    }
                    ImportedItem::Module | ImportedItem::Star => false,
                };
                by_name || self.binds_any_name(resolver, path, file, import)
            }
            ExportedItem::Value(_) | ExportedItem::Other => false,
        }
    }

    fn add_exported(&mut self, path: &RepoPath, name: &str, is_chosen: bool) {
        if is_chosen {
            if self.modules.insert(path.clone()) {
                self.modules_ahead.push(path.clone());
            }
        } else if name != "*" {
            self.add_global(name);
        }
    }
}

/// Reports whether only importers name a definition: it is a default export without a name.
fn is_named_by_importers<H: Host>(
    code: &CodeFacts<'_, H>,
    (path, id): &(RepoPath, DefinitionId),
) -> bool {
    let file = code.world.facts(path);
    let resolver = Resolver::new(&code.world);
    file.is_some_and(|file| {
        let definition = file.facts.definition(*id);
        definition.is_some_and(|found| {
            let is_member = found.parent.is_some() || found.qualifier.is_some();
            !is_member && resolver.is_named_by_importers(path, file.facts.name(found.name))
        })
    })
}
