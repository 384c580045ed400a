//! The changes of all files, or why they cannot be made.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::host::Host;
use ragnav_base::item::{ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{BindingTarget, Reference};

use super::cycles::NewImports;
use super::files::OpenFiles;
use super::importers::{Rewritten, Route};
use super::insertion::{Spot, fill_new, insert_definition, insert_imports};
use super::moved::Moved;
use super::names::{bindings_at_top, is_of_module, runs_in_function};
use super::needs::{Needs, Way};
use super::order::Order;
use super::rules::{ImportRequest, Imported, Rules};
use super::unused::removals;
use crate::code_facts::CodeFacts;
use crate::edit_plan::{Change, Refusal, RefusalReason};
use crate::reference_site::ReferenceSite;

/// The changes of the source and the target beside those of references.
pub(super) struct Texts {
    removals: Vec<Change>,
    source_lists: Vec<Change>,
    target_lists: Vec<Change>,
    pub(super) text: String,
    spot: Spot,
}

impl Order<'_> {
    /// Finds what the definition needs in the target, or why it cannot stand there.
    pub(super) fn needs<H: Host>(
        &self,
        code: &CodeFacts<'_, H>,
        way: &Way<'_>,
    ) -> Result<Needs, Vec<Refusal>> {
        let mut refusals: Vec<Refusal> = way
            .rules
            .text_problem(way.source, way.moved, way.target)
            .into_iter()
            .collect();
        let target = &way.target.facts;
        let is_taken = bindings_at_top(target, self.name).any(|binding| match binding.target {
            BindingTarget::Import(id) => {
                let import = target.import(id);
                let key = import.map(|one| way.rules.key(self.target, target, one));
                key.is_none_or(|key| {
                    key.module != way.rules.module(self.source)
                        || key.name.as_deref() != Some(self.name)
                })
            }
            _ => true,
        });
        if is_taken {
            let message = format!(
                "{} has something named `{}` already.",
                self.target, self.name
            );
            refusals.push(Refusal::in_files(
                RefusalReason::NameTaken,
                1,
                [self.target],
                message,
            ));
        }
        match way.needs(code) {
            Ok(needs) if refusals.is_empty() => Ok(needs),
            Ok(_) => Err(refusals),
            Err(more) => Err(refusals.into_iter().chain(more).collect()),
        }
    }

    /// Returns all changes, or why they cannot be made.
    pub(super) fn changes<H: Host>(
        &self,
        route: &Route<'_, '_, H>,
        way: &Way<'_>,
        (needs, unused): (&Needs, &BTreeSet<String>),
        files: &OpenFiles,
    ) -> Result<(Texts, BTreeMap<RepoPath, Rewritten>), Vec<Refusal>> {
        let mut refusals = Vec::new();
        let lists = way.rules.export_changes(way.source, way.moved, way.target);
        let (source_lists, target_lists) = lists.unwrap_or_else(|refusal| {
            refusals.push(refusal);
            (Vec::new(), Vec::new())
        });
        let mut rewritten = BTreeMap::new();
        for (path, file) in files {
            let own = self.sites.iter().filter(|site| {
                let is_moved = path == self.source && way.moved.has_line(site.line);
                site.path == *path && site.resolution == Resolution::Resolved && !is_moved
            });
            let own: Vec<&ReferenceSite> = own.collect();
            match route.rewrite(file, &own) {
                Ok(mut found) => {
                    if path == self.source {
                        self.import_into_source(way, &source_lists, &mut found)
                            .unwrap_or_else(|refusal| refusals.push(refusal));
                    }
                    rewritten.insert(path.clone(), found);
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        let spot = self.spot(way, needs).unwrap_or_else(|refusal| {
            refusals.push(refusal);
            Spot::End
        });
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let is_imported = rewritten.values().any(|one| one.imports_target)
            || way.rules.is_exported(way.source, way.moved);
        let texts = Texts {
            removals: removals(route, way.source, unused),
            source_lists,
            target_lists,
            text: way.rules.moved_text(way.source, way.moved, is_imported),
            spot,
        };
        Ok((texts, rewritten))
    }

    /// Adds the import of the definition to the source, if it still uses it.
    pub(super) fn import_into_source(
        &self,
        way: &Way<'_>,
        lists: &[Change],
        found: &mut Rewritten,
    ) -> Result<(), Refusal> {
        let (source, classes) = (way.source, way.rules.class_scopes());
        let is_listed = |at: usize| lists.iter().any(|list| list.range.contains(&at));
        let mut uses = source.facts.facts.references.iter().filter(|one| {
            let at = (one.position.line, one.position.start_utf16);
            source.facts.facts.name(one.name) == self.name
                && !way.moved.contains(one)
                && is_of_module(&source.facts, one, classes)
                && !is_listed(source.changes.offset_of(at))
        });
        if uses.next().is_none() {
            return Ok(());
        }
        let specifier = way
            .rules
            .specifier((self.source, self.target), source, None);
        let Some(specifier) = specifier else {
            let message = format!("{} cannot import from {}.", self.source, self.target);
            return Err(Refusal::in_files(
                RefusalReason::Target,
                1,
                [self.source],
                message,
            ));
        };
        found.imports_target = true;
        found.requests.push(ImportRequest {
            specifier,
            imported: Imported {
                name: Some(self.name.to_owned()),
                alias: None,
            },
            form: way.rules.form_of(way.source, self.name),
        });
        Ok(())
    }

    /// Returns where in the target the definition goes: behind the imports if the target uses it,
    /// for code may run before its end.
    pub(super) fn spot(&self, way: &Way<'_>, needs: &Needs) -> Result<Spot, Refusal> {
        let target = &way.target.facts;
        let classes = way.rules.class_scopes();
        let is_use = |one: &&Reference| {
            target.facts.name(one.name) == self.name && is_of_module(target, one, classes)
        };
        let uses_now = self
            .sites
            .iter()
            .any(|site| site.path == *self.target && site.kind != ItemKind::Import);
        if !uses_now && !target.facts.references.iter().any(|one| is_use(&one)) {
            return Ok(Spot::End);
        }
        if !needs.uses_target {
            return Ok(Spot::BehindImports);
        }
        let source = &way.source.facts;
        let own = source
            .facts
            .references
            .iter()
            .filter(|one| way.moved.contains(one));
        let mut eager = own.filter(|one| !runs_in_function(source, one.scope));
        let is_of_target = |one: &Reference| {
            bindings_at_top(target, source.facts.name(one.name))
                .next()
                .is_some()
        };
        if eager.any(is_of_target) {
            let message = format!(
                "{} uses `{}` while it is imported, and `{}` uses what {} defines.",
                self.target, self.name, self.name, self.target
            );
            return Err(Refusal::in_files(
                RefusalReason::Cycle,
                1,
                [self.target],
                message,
            ));
        }
        Ok(Spot::BehindImports)
    }

    pub(super) fn new_imports(
        &self,
        needs: &Needs,
        rewritten: &BTreeMap<RepoPath, Rewritten>,
    ) -> NewImports {
        let mut all = NewImports::new();
        let importers = rewritten.iter().filter(|(_, one)| one.imports_target);
        for (path, _) in importers {
            all.entry(path.clone())
                .or_default()
                .insert(self.target.clone());
        }
        if !needs.files.is_empty() {
            all.entry(self.target.clone())
                .or_default()
                .extend(needs.files.iter().cloned());
        }
        all
    }
}

/// Puts the changes into the files.
pub(super) fn apply(
    files: &mut OpenFiles,
    order: &Order<'_>,
    (rules, moved): (&dyn Rules, &Moved),
    (needs, texts, rewritten): (&Needs, Texts, BTreeMap<RepoPath, Rewritten>),
) {
    let (target, source) = (files.remove(order.target), files.get_mut(order.source));
    let (Some(mut target), Some(source)) = (target, source) else {
        return;
    };
    if target.changes.is_new() {
        let content = (needs.requests.as_slice(), texts.text.as_str());
        fill_new(&mut target, rules, source, content);
    } else {
        texts
            .target_lists
            .into_iter()
            .for_each(|change| target.changes.change(change));
        insert_imports(&mut target, rules, &needs.requests);
        let place = (rules.blank_lines(), texts.spot);
        insert_definition(&mut target, &texts.text, place);
    }
    let removed = moved.removed(source.text());
    source.changes.change(Change {
        range: removed,
        new_text: String::new(),
        kind: ItemKind::Definition,
        resolution: None,
    });
    let own = texts.source_lists.into_iter().chain(texts.removals);
    own.for_each(|change| source.changes.change(change));
    files.insert(order.target.clone(), target);
    for (path, found) in rewritten {
        let Some(file) = files.get_mut(&path) else {
            continue;
        };
        found
            .changes
            .into_iter()
            .for_each(|change| file.changes.change(change));
        insert_imports(file, rules, &found.requests);
    }
}
