//! Moves in JavaScript and TypeScript.

mod specifiers;
mod statements;

use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{ExportedItem, Import, ImportedItem, MODULE};
use ragnav_syntax::layout::ImportForm;

use self::specifiers::{Specifiers, carried, module_of};
use self::statements::{directives, is_of_types, own_name, statement_of};
use super::files::OpenFile;
use super::moved::Moved;
use super::names::ClassScopes;
use super::rules::{ImportKey, ImportRequest, Imported, Rules, imported_name};
use crate::edit_plan::{Change, Refusal, RefusalReason};

/// The beginnings of declarations whose values change.
const VARIABLES: [&str; 4] = ["let ", "var ", "export let ", "export var "];

/// The rules of JavaScript and TypeScript.
pub(super) struct Ecmascript {
    specifiers: Specifiers,
}

impl Ecmascript {
    pub(super) fn new(source: &RepoPath, examples: &[(RepoPath, String)]) -> Self {
        Self {
            specifiers: Specifiers::new(source, examples),
        }
    }
}

impl Rules for Ecmascript {
    fn comment(&self) -> &'static str {
        "//"
    }

    fn class_scopes(&self) -> ClassScopes {
        ClassScopes::Enums
    }

    fn blank_lines(&self) -> usize {
        1
    }

    fn target_problem(&self, source: &RepoPath, target: &RepoPath) -> Option<String> {
        let language = |path: &RepoPath| ragnav_syntax::detect_language(path).map(|one| one.name);
        let is_declaration = |path: &RepoPath| path.name().contains(".d.");
        if is_declaration(source) || is_declaration(target) {
            return Some("files of declarations follow other files".to_owned());
        }
        (language(source) != language(target)).then(|| {
            format!(
                "{source} and {target} are of different languages, so that the text may not fit"
            )
        })
    }

    fn specifier(
        &self,
        (from, to): (&RepoPath, &RepoPath),
        like: &OpenFile,
        example: Option<&str>,
    ) -> Option<String> {
        self.specifiers.specifier(from, to, (like, example))
    }

    fn statement(&self, specifier: &str, imported: &[Imported], form: ImportForm) -> String {
        let keyword = match form {
            ImportForm::Exports => "export",
            ImportForm::ExportedTypes => "export type",
            ImportForm::Types => "import type",
            _ => "import",
        };
        if let [
            Imported {
                name: None,
                alias: Some(alias),
            },
        ] = imported
        {
            return format!("{keyword} * as {alias} from {specifier};");
        }
        let names = imported.iter().map(|one| {
            let name = one.name.as_deref().unwrap_or_default();
            let alias = one.alias.as_ref();
            alias.map_or_else(|| name.to_owned(), |alias| format!("{name} as {alias}"))
        });
        let names: Vec<String> = names.collect();
        format!("{keyword} {{ {} }} from {specifier};", names.join(", "))
    }

    fn key(&self, path: &RepoPath, file: &FileFacts, import: &Import) -> ImportKey {
        ImportKey {
            module: module_of(path, file.facts.name(import.module)),
            name: imported_name(file, import).map(str::to_owned),
        }
    }

    fn module(&self, path: &RepoPath) -> String {
        module_of(path, &format!("./{}", path.name()))
    }

    fn copied(
        &self,
        source: &OpenFile,
        import: &Import,
        target: &RepoPath,
    ) -> Result<ImportRequest, Refusal> {
        let facts = &source.facts.facts;
        let statement = statement_of(source, import);
        let module = statement.and_then(|one| one.module.clone());
        let specifier =
            module.and_then(|module| carried(&source.path, source.slice(module), target));
        let (Some(statement), Some(specifier)) = (statement, specifier) else {
            let message = format!("{target} cannot import what {} imports.", source.path);
            return Err(Refusal::in_files(
                RefusalReason::Target,
                1,
                [&source.path],
                message,
            ));
        };
        let name = imported_name(&source.facts, import).map(str::to_owned);
        let alias = import.alias.map(|alias| facts.name(alias).to_owned());
        let alias = alias.filter(|alias| Some(alias) != name.as_ref());
        let form = if is_of_types(source, statement, import) {
            ImportForm::Types
        } else if name.is_none() {
            ImportForm::Modules
        } else {
            ImportForm::Names
        };
        Ok(ImportRequest {
            specifier,
            imported: Imported { name, alias },
            form,
        })
    }

    fn may_share_name(&self, _: &ImportKey, _: &ImportKey) -> bool {
        false
    }

    fn text_problem(&self, source: &OpenFile, moved: &Moved, target: &OpenFile) -> Option<Refusal> {
        let facts = &source.facts.facts;
        let text = source.slice(moved.statement.clone());
        let form = |file: &OpenFile, message: String| {
            Some(Refusal::in_files(
                RefusalReason::Form,
                1,
                [&file.path],
                message,
            ))
        };
        for file in [source, target] {
            if let Some(name) = own_name(&file.facts, file.facts.facts.references.iter()) {
                let message = format!(
                    "{} uses `{name}`; only modules with `import` and `export` are edited.",
                    file.path
                );
                return form(file, message);
            }
        }
        if text.contains("import.meta") || text.contains("import(") {
            let message = format!(
                "`{}` uses `import` as an expression, which depends on its file.",
                moved.name
            );
            return form(source, message);
        }
        if text.starts_with("export default") {
            let message = format!(
                "`{}` is the default export of {}; export it by its name first.",
                moved.name, source.path
            );
            return form(source, message);
        }
        let has_others = facts.bindings.iter().any(|one| {
            let at = (one.position.line, one.position.start_utf16);
            one.scope == MODULE
                && facts.name(one.name) != moved.name
                && moved.statement.contains(&source.changes.offset_of(at))
        });
        if has_others || VARIABLES.iter().any(|start| text.starts_with(start)) {
            let message = format!(
                "The statement of `{}` declares several names or a variable; divide it first.",
                moved.name
            );
            return form(source, message);
        }
        if !target.changes.is_new() && directives(source) != directives(target) {
            let message = format!(
                "{} and {} begin with different directives, such as \"use client\".",
                source.path, target.path
            );
            return form(target, message);
        }
        None
    }

    fn import_problem(&self, source: &OpenFile, name: &str) -> Option<Refusal> {
        let facts = &source.facts.facts;
        let is_exported = facts.exported.iter().any(|one| {
            let is_own = match one.item {
                ExportedItem::Local(local) => facts.name(local) == name,
                ExportedItem::Definition(id) => {
                    let definition = facts.definition(id);
                    definition.is_some_and(|one| facts.name(one.name) == name)
                }
                _ => false,
            };
            is_own && facts.name(one.name) == name
        });
        let mut bindings = facts.bindings.iter().filter(|one| one.scope == MODULE);
        let binding = bindings.find(|one| facts.name(one.name) == name);
        let at = binding.map(|one| (one.position.line, one.position.start_utf16));
        let at = at.map(|at| source.changes.offset_of(at));
        let statement = source
            .layout
            .statements
            .iter()
            .find(|one| at.is_some_and(|at| one.range.contains(&at)));
        let text = statement
            .map(|one| source.slice(one.range.clone()))
            .unwrap_or_default();
        let is_variable = VARIABLES.iter().any(|start| text.starts_with(start));
        if is_exported && !is_variable {
            return None;
        }
        let message = if is_variable {
            format!(
                "The definition uses the variable `{name}` of {}.",
                source.path
            )
        } else {
            format!(
                "The definition uses `{name}`, which {} does not export; export it or move it \
                 first.",
                source.path
            )
        };
        Some(Refusal::in_files(
            RefusalReason::ModuleState,
            1,
            [&source.path],
            message,
        ))
    }

    /// Names that no scope binds belong to the platform.
    fn is_builtin(&self, _: &str) -> bool {
        true
    }

    fn export_changes(
        &self,
        source: &OpenFile,
        moved: &Moved,
        _: &OpenFile,
    ) -> Result<(Vec<Change>, Vec<Change>), Refusal> {
        let facts = &source.facts.facts;
        let is_listed = facts.exported.iter().any(|one| {
            let is_own = match one.item {
                ExportedItem::Local(local) => facts.name(local) == moved.name,
                ExportedItem::Definition(id) => id == moved.id,
                _ => false,
            };
            let at = (one.position.line, one.position.start_utf16);
            is_own && !moved.range.contains(&source.changes.offset_of(at))
        });
        if is_listed {
            let message = format!(
                "`{}` is exported by a statement of its own in {}; write `export` before its \
                 definition first.",
                moved.name, source.path
            );
            return Err(Refusal::in_files(
                RefusalReason::Form,
                1,
                [&source.path],
                message,
            ));
        }
        Ok((Vec::new(), Vec::new()))
    }

    fn moved_text(&self, source: &OpenFile, moved: &Moved, is_imported: bool) -> String {
        let before = source.slice(moved.range.start..moved.statement.start);
        let text = source.slice(moved.statement.start..moved.range.end);
        let needs_keyword = is_imported && !text.starts_with("export");
        let keyword = if needs_keyword { "export " } else { "" };
        format!("{before}{keyword}{text}")
    }

    fn head_of_new(&self, source: &OpenFile) -> Option<String> {
        let directives = directives(source);
        (!directives.is_empty()).then(|| directives.join("\n"))
    }

    fn is_facade(&self, _: &RepoPath) -> bool {
        false
    }

    fn module_import(
        &self,
        (from, to): (&RepoPath, &RepoPath),
        like: &OpenFile,
        example: Option<&str>,
    ) -> Option<(String, ImportRequest)> {
        let name = to
            .name()
            .split('.')
            .next()
            .filter(|name| is_identifier(name))?;
        let request = ImportRequest {
            specifier: self.specifiers.specifier(from, to, (like, example))?,
            imported: Imported {
                name: None,
                alias: Some(name.to_owned()),
            },
            form: ImportForm::Modules,
        };
        Some((name.to_owned(), request))
    }

    fn empty_statement(&self) -> &'static str {
        ""
    }

    fn is_exported(&self, source: &OpenFile, moved: &Moved) -> bool {
        source.slice(moved.statement.clone()).starts_with("export")
    }

    fn form_of(&self, source: &OpenFile, name: &str) -> ImportForm {
        let facts = &source.facts.facts;
        let mut own = facts
            .definitions
            .iter()
            .filter(|one| one.parent.is_none() && facts.name(one.name) == name);
        let is_type = |kind| matches!(kind, DefinitionKind::Interface | DefinitionKind::Type);
        if own.next().is_some_and(|one| is_type(one.kind)) {
            ImportForm::Types
        } else {
            ImportForm::Names
        }
    }

    fn is_star(&self, import: &Import) -> bool {
        import.item == ImportedItem::Star
    }

    fn packages_between(&self, _: &RepoPath, _: &RepoPath) -> Vec<RepoPath> {
        Vec::new()
    }
}

fn is_identifier(text: &str) -> bool {
    let is_mark = |letter: char| letter == '_' || letter == '$';
    let mut letters = text.chars();
    let starts = letters
        .next()
        .is_some_and(|first| first.is_alphabetic() || is_mark(first));
    starts && letters.all(|letter| letter.is_alphanumeric() || is_mark(letter))
}
