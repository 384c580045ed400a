//! The names of a symbol in other files, and the files that may contain them.

use std::collections::{BTreeMap, BTreeSet};

use crate::code_facts::CodeFacts;
use crate::targets::Targets;
use ragnav_base::error::RagnavError;
use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_resolve::{Family, FileFacts, FlowName, Resolver};
use ragnav_syntax::facts::{DefinitionId, Export, ExportedItem, Import, ImportedItem, ScopeId};

const DEFAULT: &str = "default";
/// The maximum length of what follows a name in calls of calls, in bytes.
const MAX_CALLS: usize = "()()()()".len();
/// What follows a name for each call of it.
const CALL: &str = "()";
/// What follows a name if it stands for what calls of it return.
const CALLS: [&str; 3] = ["", "()", "()()"];

/// The names of a symbol: its own, and those from imports, exports and assignments, by file.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// The files that may contain references to the symbol.
    files: BTreeMap<RepoPath, FileNames>,
    /// The names that the symbol may have in any file, by the family of the file that gives them.
    global: BTreeMap<Option<Family>, BTreeSet<String>>,
    /// The modules whose default export, or whole value, is the symbol. Importers of these choose
    /// the name.
    modules: BTreeSet<RepoPath>,
    /// Whether a target is at the top level of its file, so that others import it by its name.
    is_importable: bool,
    /// The names and modules whose users have not been searched yet.
    names_ahead: Vec<(Option<Family>, String)>,
    modules_ahead: Vec<RepoPath>,
}

/// The names that the symbol has in one file only.
#[derive(Debug)]
struct FileNames {
    family: Option<Family>,
    names: BTreeSet<String>,
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
        for target in targets {
            if !is_named_by_importers(code, target) {
                mentions.add_global(&target.0, name);
            }
        }
        mentions.add_files(code, homes, targets).await?;
        loop {
            let names = std::mem::take(&mut mentions.names_ahead);
            if !names.is_empty() {
                // Minified code gives one value many names, which the same large file mentions.
                let mut mentioning = BTreeSet::new();
                for (family, name) in names {
                    let mut files = code.files_with_name(&name).await?;
                    files.retain(|file| Family::of(file) == family);
                    mentioning.append(&mut files);
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
            self.files.entry(path.clone()).or_insert_with(|| FileNames {
                family: Family::of(&path),
                names: BTreeSet::new(),
            });
            if let Some(file) = code.world.facts(&path) {
                let resolver = Resolver::new(&code.world);
                self.follow(resolver, &path, &file, targets);
            }
        }
        Ok(())
    }

    /// Returns the files that may contain references to the symbol, sorted.
    pub(super) fn files(&self) -> impl Iterator<Item = &RepoPath> {
        self.files.keys()
    }

    /// Reports whether a name in a file may be one of the symbol's.
    pub(super) fn hold(&self, file: &RepoPath, name: &str) -> bool {
        let mut names = self.sets_of(file);
        names.any(|names| names.contains(name))
    }

    /// Returns the names that the symbol may have in a file.
    pub(super) fn names_in(&self, file: &RepoPath) -> impl Iterator<Item = &str> {
        self.sets_of(file).flatten().map(String::as_str)
    }

    /// Returns the sets of names that the symbol may have in a file.
    fn sets_of(&self, file: &RepoPath) -> impl Iterator<Item = &BTreeSet<String>> {
        let own = self.files.get(file);
        let global = own.and_then(|own| self.global.get(&own.family));
        let own = own.map(|own| &own.names);
        global.into_iter().chain(own)
    }

    /// Records a name that a file gives to the symbol for all files of its family.
    fn add_global(&mut self, file: &RepoPath, name: &str) {
        let family = Family::of(file);
        let names = self.global.entry(family).or_default();
        if names.insert(name.to_owned()) {
            let text = without_calls(name).to_owned();
            self.names_ahead.push((family, text));
        }
    }

    fn add_local(&mut self, file: &RepoPath, name: &str) {
        if let Some(own) = self.files.get_mut(file) {
            own.names.insert(name.to_owned());
        }
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
        // Most values have no name of the symbol. This set tells at the least cost.
        let held = self.names_in(path);
        let mut held: HashSet<String> = held.map(|name| without_calls(name).to_owned()).collect();
        for (given, of, is_global) in file.aliases() {
            if !held.contains(of) {
                continue;
            }
            held.insert(given.to_owned());
            let is_chosen = resolver.is_named_by_importers(path, of);
            self.follow_flow_name(path, (&format!("{given}()"), &format!("{of}()")));
            if !is_chosen && self.hold(path, of) && !self.hold(path, given) {
                self.add_local(path, given);
                if is_global {
                    self.add_global(path, given);
                }
            }
        }
        if self.may_flow(path, file, targets) {
            self.follow_flow(path, file);
            self.add_returning(path, file);
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
    fn follow_flow(&mut self, path: &RepoPath, file: &FileFacts) {
        if !self.has_flow(path, file) {
            return;
        }
        let mut given_by: HashMap<(&str, Option<ScopeId>), Vec<&FlowName>> = HashMap::default();
        for (given, of) in file.flow_names() {
            let all = given_by.entry((&of.name, of.scope)).or_default();
            all.push(given);
        }
        // A variable of a function that has a name of the symbol is another one.
        let names = self.names_in(path).map(|name| FlowName {
            name: name.to_owned(),
            scope: None,
        });
        let mut ahead: Vec<FlowName> = names.collect();
        let mut found = HashSet::default();
        while let Some(holder) = ahead.pop() {
            for calls in CALLS {
                let of = holder.name.strip_suffix(calls);
                let of = of.and_then(|of| given_by.get(&(of, holder.scope)));
                for given in of.into_iter().flatten() {
                    let given = FlowName {
                        name: format!("{}{calls}", given.name),
                        scope: given.scope,
                    };
                    let len_of_calls = given.name.len() - without_calls(&given.name).len();
                    if len_of_calls <= MAX_CALLS && found.insert(given.clone()) {
                        self.add_local(path, &given.name);
                        ahead.push(given);
                    }
                }
            }
        }
    }

    /// Reports whether a value of one of these names may flow to another name inside a file.
    fn has_flow(&self, path: &RepoPath, file: &FileFacts) -> bool {
        let mut held: HashMap<&str, usize> = HashMap::default();
        for name in self.names_in(path) {
            let base = without_calls(name);
            let calls = (name.len() - base.len()) / CALL.len();
            let most = held.entry(base).or_default();
            *most = calls.max(*most);
        }
        file.has_flow_of(|name, calls| held.get(name).is_some_and(|most| calls <= *most))
    }

    /// Records the functions of a file that return a target: other files may call them.
    fn add_returning(&mut self, path: &RepoPath, file: &FileFacts) {
        let returning = file.importable_functions();
        let returning = returning.map(|function| format!("{function}()"));
        for call in returning
            .filter(|call| self.hold(path, call))
            .collect::<Vec<_>>()
        {
            self.add_global(path, &call);
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
            self.add_global(path, name);
        }
    }
}

/// Returns a name without the calls behind it.
fn without_calls(name: &str) -> &str {
    name.trim_end_matches(CALL)
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
