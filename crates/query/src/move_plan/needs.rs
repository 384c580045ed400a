//! The imports that a definition needs in its new file.

use std::collections::BTreeSet;

use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_syntax::facts::{Binding, BindingTarget, Import, MODULE, Position, Reference};

use super::cycles::imported_files;
use super::files::OpenFile;
use super::moved::Moved;
use super::names::{bindings_at_top, is_assigned_by_functions, is_of_module, names_of};
use super::rules::{ImportKey, ImportRequest, Imported, Rules};
use crate::code_facts::CodeFacts;
use crate::edit_plan::{Refusal, RefusalReason};

/// What the target gets, and what the source may lose.
#[derive(Default)]
pub(super) struct Needs {
    pub(super) requests: Vec<ImportRequest>,
    /// The files that the target imports newly.
    pub(super) files: BTreeSet<RepoPath>,
    /// The imported names of the source that the definition uses.
    pub(super) imported: BTreeSet<String>,
    /// Whether the definition uses what the target defines.
    pub(super) uses_target: bool,
}

/// Where a definition comes from and goes to.
pub(super) struct Way<'w> {
    pub(super) source: &'w OpenFile,
    pub(super) target: &'w OpenFile,
    pub(super) moved: &'w Moved,
    pub(super) rules: &'w dyn Rules,
}

impl Way<'_> {
    /// Returns the references inside of the definition.
    fn references(&self) -> impl Iterator<Item = &Reference> {
        let all = self.source.facts.facts.references.iter();
        all.filter(|one| self.moved.contains(one))
    }

    fn refuse(&self, reason: RefusalReason, message: String) -> Refusal {
        Refusal::in_files(reason, 1, [&self.source.path], message)
    }

    /// Finds the imports that the definition needs.
    pub(super) fn needs<H: Host>(&self, code: &CodeFacts<'_, H>) -> Result<Needs, Vec<Refusal>> {
        let mut needs = Needs::default();
        let mut refusals = Vec::new();
        let classes = self.rules.class_scopes();
        let names = names_of(&self.source.facts, self.references(), classes);
        let mut names: Vec<String> = names.into_iter().collect();
        // In the order of the source, as people sorted its imports.
        names.small_sort_by_key(|name| self.first_binding(name));
        for name in names {
            if name == self.moved.name {
                continue;
            }
            if let Err(refusal) = self.add(code, &name, &mut needs) {
                refusals.push(refusal);
            }
        }
        if refusals.is_empty() {
            Ok(needs)
        } else {
            Err(refusals)
        }
    }

    /// Returns whether a name is no import, and the place at which it is bound first.
    fn first_binding(&self, name: &str) -> Option<(bool, Position)> {
        let first = bindings_at_top(&self.source.facts, name).next();
        let is_import = |one: &Binding| matches!(one.target, BindingTarget::Import(_));
        first.map(|one| (!is_import(one), one.position))
    }

    fn add<H: Host>(
        &self,
        code: &CodeFacts<'_, H>,
        name: &str,
        needs: &mut Needs,
    ) -> Result<(), Refusal> {
        let facts = &self.source.facts;
        let bindings: Vec<&Binding> = bindings_at_top(facts, name).collect();
        if bindings.is_empty() {
            return self.add_unbound(name);
        }
        let imports: Vec<&Import> = bindings
            .iter()
            .filter_map(|binding| match binding.target {
                BindingTarget::Import(id) => facts.import(id),
                _ => None,
            })
            .collect();
        if imports.len() == bindings.len() {
            for import in imports {
                self.add_import(code, name, import, needs)?;
            }
            needs.imported.insert(name.to_owned());
            return Ok(());
        }
        let positions = bindings.iter().map(|one| one.position);
        let first = bindings.first().map(|one| one.position);
        let is_single = positions.into_iter().all(|one| Some(one) == first);
        if !is_single || is_assigned_by_functions(facts, name) {
            let message = format!(
                "`{}` uses `{name}`, which is assigned several times in {}.",
                self.moved.name, self.source.path
            );
            return Err(self.refuse(RefusalReason::ModuleState, message));
        }
        if let Some(refusal) = self.rules.import_problem(self.source, name) {
            return Err(refusal);
        }
        self.add_own(name, needs)
    }

    /// Adds a name that the source defines itself.
    fn add_own(&self, name: &str, needs: &mut Needs) -> Result<(), Refusal> {
        let path = &self.source.path;
        let key = ImportKey {
            module: self.rules.module(path),
            name: Some(name.to_owned()),
        };
        if self.target_has(name, &key)? {
            return Ok(());
        }
        let target = &self.target.path;
        let like = if self.target.changes.is_new() {
            self.source
        } else {
            self.target
        };
        let specifier = self.rules.specifier((target, path), like, None);
        let Some(specifier) = specifier else {
            let message = format!("{target} cannot import `{name}` from {path}.");
            return Err(self.refuse(RefusalReason::Target, message));
        };
        let imported = Imported {
            name: Some(name.to_owned()),
            alias: None,
        };
        needs.requests.push(ImportRequest {
            specifier,
            imported,
            form: self.rules.form_of(self.source, name),
        });
        needs.files.insert(path.clone());
        Ok(())
    }

    fn add_import<H: Host>(
        &self,
        code: &CodeFacts<'_, H>,
        name: &str,
        import: &Import,
        needs: &mut Needs,
    ) -> Result<(), Refusal> {
        let Self {
            source,
            target,
            rules,
            ..
        } = self;
        let at = source
            .changes
            .offset_of((import.position.line, import.position.start_utf16));
        let mut statements = source.layout.imports.iter();
        let is_plain = import.scope == MODULE
            && statements.any(|one| one.is_at_top && one.range.contains(&at));
        if !is_plain {
            let message = format!(
                "`{}` uses `{name}`, which {} imports under a condition or in another form that \
                 cannot be copied.",
                self.moved.name, source.path
            );
            return Err(self.refuse(RefusalReason::Form, message));
        }
        let key = rules.key(&source.path, &source.facts, import);
        let own_module = rules.module(&target.path);
        if key.module == own_module {
            needs.uses_target = true;
            let is_same = key.name.as_deref() == Some(name);
            let is_defined = bindings_at_top(&target.facts, name).next().is_some();
            if is_same && is_defined {
                return Ok(());
            }
            let message = format!(
                "`{}` uses {} as `{name}`, which would be the file that it stands in.",
                self.moved.name, target.path
            );
            return Err(self.refuse(RefusalReason::Cycle, message));
        }
        if self.target_has(name, &key)? {
            return Ok(());
        }
        let request = rules.copied(source, import, &target.path)?;
        if !needs.requests.contains(&request) {
            needs.requests.push(request);
        }
        needs
            .files
            .extend(imported_files(code, &source.path, &source.facts, import));
        Ok(())
    }

    /// Reports whether the target has a name with a meaning, or refuses if it has another one.
    fn target_has(&self, name: &str, key: &ImportKey) -> Result<bool, Refusal> {
        let target = self.target;
        let mut is_bound = false;
        for binding in bindings_at_top(&target.facts, name) {
            let import = match binding.target {
                BindingTarget::Import(id) => target.facts.import(id),
                _ => None,
            };
            let known = import.map(|one| self.rules.key(&target.path, &target.facts, one));
            match known {
                Some(known) if known == *key => is_bound = true,
                Some(known) if self.rules.may_share_name(&known, key) => {}
                _ => return Err(self.taken(name)),
            }
        }
        let classes = self.rules.class_scopes();
        let mut uses = target.facts.facts.references.iter();
        let is_used = !is_bound
            && uses.any(|one| {
                target.facts.facts.name(one.name) == name
                    && is_of_module(&target.facts, one, classes)
            });
        let is_free = bindings_at_top(&target.facts, name).next().is_none();
        if is_used && is_free {
            return Err(self.taken(name));
        }
        Ok(is_bound)
    }

    fn taken(&self, name: &str) -> Refusal {
        let path = &self.target.path;
        let message = format!(
            "`{}` uses `{name}`, which means something else in {path}.",
            self.moved.name
        );
        Refusal::in_files(RefusalReason::NameTaken, 1, [path], message)
    }

    /// Checks a name that nothing in the source binds.
    fn add_unbound(&self, name: &str) -> Result<(), Refusal> {
        let is_known = self.rules.is_builtin(name);
        let stars = [self.source, self.target].map(|file| {
            let mut imports = file.facts.facts.imports.iter();
            imports.any(|one| self.rules.is_star(one))
        });
        if !is_known && stars.contains(&true) {
            let message = format!(
                "`{}` uses `{name}`, which an import of everything may define; import it by its \
                 name first.",
                self.moved.name
            );
            return Err(self.refuse(RefusalReason::StarImport, message));
        }
        if bindings_at_top(&self.target.facts, name).next().is_some() {
            return Err(self.taken(name));
        }
        Ok(())
    }
}
