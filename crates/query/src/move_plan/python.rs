//! Moves in Python.

mod builtins;
mod exports;
mod modules;

use ragnav_base::item::ItemKind;
use ragnav_base::path::RepoPath;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{Import, ImportedItem, MODULE};
use ragnav_syntax::layout::{ImportForm, StatementKind};

use self::builtins::BUILTINS;
use self::exports::{added, removed};
use self::modules::{Modules, Style};
use super::files::OpenFile;
use super::moved::Moved;
use super::names::{ClassScopes, has_word, is_of_module};
use super::rules::{ImportKey, ImportRequest, Imported, Rules, imported_name};
use crate::edit_plan::{Change, Refusal, RefusalReason};

/// A longer import is written in parentheses, as formatters do it.
const MAX_LINE: usize = 88;

/// The import that makes annotations texts.
const FUTURE: &str = "__future__";

/// What the text of a module can ask about the module itself.
const OWN_NAMES: [&str; 12] = [
    "__name__",
    "__file__",
    "__package__",
    "__path__",
    "__spec__",
    "__loader__",
    "__doc__",
    "__all__",
    "globals",
    "locals",
    "eval",
    "exec",
];

/// The rules of Python.
pub(super) struct Python {
    modules: Modules,
}

impl Python {
    pub(super) fn new(
        files: &[RepoPath],
        source: &RepoPath,
        examples: &[(RepoPath, String)],
    ) -> Self {
        Self {
            modules: Modules::new(files, source, examples),
        }
    }

    /// Returns the full name of the module of an import.
    fn full_name(&self, path: &RepoPath, file: &FileFacts, import: &Import) -> String {
        let module = file.facts.name(import.module);
        if import.level == 0 {
            return module.to_owned();
        }
        let parts = Modules::parts_of_relative(path, import.level, module);
        self.modules.full_name_of(&parts)
    }
}

/// Reports whether relative imports are the style of a file.
fn style(file: &OpenFile, example: Option<&str>) -> Style {
    let is_relative = match example {
        Some(example) => example.starts_with('.'),
        None => file
            .facts
            .facts
            .imports
            .iter()
            .any(|import| import.level > 0),
    };
    if is_relative {
        Style::Relative
    } else {
        Style::Absolute
    }
}

fn has_future_annotations(file: &OpenFile) -> bool {
    let facts = &file.facts.facts;
    facts.imports.iter().any(|import| {
        facts.name(import.module) == FUTURE
            && imported_name(&file.facts, import) == Some("annotations")
    }) || file.text().contains("from __future__ import annotations")
}

impl Rules for Python {
    fn comment(&self) -> &'static str {
        "#"
    }

    fn class_scopes(&self) -> ClassScopes {
        ClassScopes::All
    }

    fn blank_lines(&self) -> usize {
        2
    }

    fn target_problem(&self, source: &RepoPath, target: &RepoPath) -> Option<String> {
        let is_module = |path: &RepoPath| path.extension() == Some("py");
        if !is_module(source) || !is_module(target) {
            return Some("definitions of Python move between files that end with `.py`".to_owned());
        }
        self.modules.problem_of(target)
    }

    fn specifier(
        &self,
        (from, to): (&RepoPath, &RepoPath),
        like: &OpenFile,
        example: Option<&str>,
    ) -> Option<String> {
        self.modules
            .specifier(from, &Modules::parts_of(to), style(like, example))
    }

    fn statement(&self, specifier: &str, imported: &[Imported], form: ImportForm) -> String {
        let names: Vec<String> = imported
            .iter()
            .map(|one| {
                let name = one.name.as_deref().unwrap_or(specifier);
                one.alias
                    .as_ref()
                    .map_or_else(|| name.to_owned(), |alias| format!("{name} as {alias}"))
            })
            .collect();
        if form == ImportForm::Modules {
            return format!("import {}", names.join(", "));
        }
        let line = format!("from {specifier} import {}", names.join(", "));
        if line.len() <= MAX_LINE {
            return line;
        }
        format!(
            "from {specifier} import (\n    {},\n)",
            names.join(",\n    ")
        )
    }

    fn key(&self, path: &RepoPath, file: &FileFacts, import: &Import) -> ImportKey {
        ImportKey {
            module: self.full_name(path, file, import),
            name: imported_name(file, import).map(str::to_owned),
        }
    }

    fn module(&self, path: &RepoPath) -> String {
        self.modules.full_name_of(&Modules::parts_of(path))
    }

    fn copied(
        &self,
        source: &OpenFile,
        import: &Import,
        target: &RepoPath,
    ) -> Result<ImportRequest, Refusal> {
        let facts = &source.facts.facts;
        let module = facts.name(import.module);
        let name = imported_name(&source.facts, import).map(str::to_owned);
        // `import a.b` binds `a`, which facts note as its alias.
        let alias = import.alias.map(|alias| facts.name(alias).to_owned());
        let own = name.as_deref().unwrap_or(module);
        let first = own.split('.').next();
        let alias = alias.filter(|alias| Some(alias.as_str()) != first || own == alias);
        let alias = alias.filter(|alias| alias != own);
        let specifier = if import.level == 0 {
            Some(module.to_owned())
        } else {
            let parts = Modules::parts_of_relative(&source.path, import.level, module);
            self.modules.specifier(target, &parts, Style::Relative)
        };
        let Some(specifier) = specifier else {
            let message = format!(
                "{target} cannot import what {} imports by a relative name.",
                source.path
            );
            return Err(Refusal::in_files(
                RefusalReason::Target,
                1,
                [&source.path],
                message,
            ));
        };
        let form = if name.is_some() {
            ImportForm::Names
        } else {
            ImportForm::Modules
        };
        Ok(ImportRequest {
            specifier,
            imported: Imported { name, alias },
            form,
        })
    }

    fn may_share_name(&self, one: &ImportKey, other: &ImportKey) -> bool {
        let first = |key: &ImportKey| key.module.split('.').next().map(str::to_owned);
        one.name.is_none() && other.name.is_none() && first(one) == first(other)
    }

    fn text_problem(&self, source: &OpenFile, moved: &Moved, target: &OpenFile) -> Option<Refusal> {
        let facts = &source.facts.facts;
        let own = facts.references.iter().filter(|one| moved.contains(one));
        let mut own = own.filter(|one| is_of_module(&source.facts, one, ClassScopes::All));
        let asks = own.find(|one| OWN_NAMES.contains(&facts.name(one.name)));
        if let Some(asks) = asks {
            let name = facts.name(asks.name);
            let message = format!(
                "`{}` uses `{name}` in {}, line {}, which is about the file that it stands in.",
                moved.name, source.path, asks.position.line
            );
            let reason = RefusalReason::ModuleState;
            return Some(Refusal::in_files(reason, 1, [&source.path], message));
        }
        let is_empty = |file: &OpenFile| {
            let mut all = file.layout.statements.iter();
            all.all(|one| matches!(one.kind, StatementKind::Comment | StatementKind::Text))
        };
        if has_future_annotations(source) && !has_future_annotations(target) && !is_empty(target) {
            let message = format!(
                "{} has `from __future__ import annotations` and {} has not; add it there first.",
                source.path, target.path
            );
            return Some(Refusal::in_files(
                RefusalReason::Form,
                1,
                [&target.path],
                message,
            ));
        }
        None
    }

    fn import_problem(&self, _: &OpenFile, _: &str) -> Option<Refusal> {
        None
    }

    fn is_builtin(&self, name: &str) -> bool {
        BUILTINS.split_ascii_whitespace().any(|one| one == name)
    }

    fn export_changes(
        &self,
        source: &OpenFile,
        moved: &Moved,
        target: &OpenFile,
    ) -> Result<(Vec<Change>, Vec<Change>), Refusal> {
        let facts = &source.facts.facts;
        let exports = facts.exports.as_deref().unwrap_or_default();
        let is_listed = exports.iter().any(|name| facts.name(*name) == moved.name);
        let mentions = source.layout.statements.iter().any(|one| {
            let text = source.slice(one.range.clone());
            one.kind == StatementKind::Other
                && text.starts_with("__all__")
                && has_word(text, &moved.name)
        });
        if !is_listed && !mentions {
            return Ok((Vec::new(), Vec::new()));
        }
        let Some(range) = removed(source, &moved.name) else {
            let message = format!(
                "`{}` is in `__all__` of {}, which is no plain list of names; remove it there \
                 first.",
                moved.name, source.path
            );
            return Err(Refusal::in_files(
                RefusalReason::Form,
                1,
                [&source.path],
                message,
            ));
        };
        let change = |range, new_text| Change {
            range,
            new_text,
            kind: ItemKind::Reference,
            resolution: None,
        };
        let addition = added(target, &moved.name);
        let addition = addition.map(|(at, text)| change(at..at, text));
        Ok((
            vec![change(range, String::new())],
            addition.into_iter().collect(),
        ))
    }

    fn moved_text(&self, source: &OpenFile, moved: &Moved, _: bool) -> String {
        source.slice(moved.range.clone()).to_owned()
    }

    fn head_of_new(&self, source: &OpenFile) -> Option<String> {
        has_future_annotations(source).then(|| "from __future__ import annotations".to_owned())
    }

    fn is_facade(&self, path: &RepoPath) -> bool {
        path.name().starts_with("__init__.")
    }

    fn module_import(
        &self,
        (from, to): (&RepoPath, &RepoPath),
        like: &OpenFile,
        example: Option<&str>,
    ) -> Option<(String, ImportRequest)> {
        let parts = Modules::parts_of(to);
        let (last, parent) = parts.split_last()?;
        let style = style(like, example);
        let specifier = self.modules.specifier(from, parent, style);
        let (specifier, name, form) = match specifier {
            Some(parent) => (parent, Some(last.clone()), ImportForm::Names),
            None => (
                self.modules.specifier(from, &parts, Style::Absolute)?,
                None,
                ImportForm::Modules,
            ),
        };
        // `import a.b` binds `a` alone.
        if form == ImportForm::Modules && specifier.contains('.') {
            return None;
        }
        let imported = Imported { name, alias: None };
        Some((
            last.clone(),
            ImportRequest {
                specifier,
                imported,
                form,
            },
        ))
    }

    fn is_exported(&self, _: &OpenFile, _: &Moved) -> bool {
        true
    }

    fn form_of(&self, _: &OpenFile, _: &str) -> ImportForm {
        ImportForm::Names
    }

    fn is_star(&self, import: &Import) -> bool {
        import.item == ImportedItem::Star && import.scope == MODULE
    }

    fn empty_statement(&self) -> &'static str {
        "pass"
    }

    fn packages_between(&self, from: &RepoPath, to: &RepoPath) -> Vec<RepoPath> {
        self.modules.packages_between(from, to)
    }
}
