//! Prints the core's facts of the files named on standard input, for `npm run facts-accuracy`.
//!
//! One JSON object a file, of the form that `facts_truth.py` describes.

#![expect(
    clippy::disallowed_methods,
    reason = "a program that reads the files it is told to"
)]

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};

use ragnav::base::path::RepoPath;
use ragnav::base::text;
use ragnav::syntax;
use ragnav::syntax::facts::{
    BindingTarget, DefinitionFact, Facts, Import, ImportedItem, RETURNED, Receiver, Reference,
    ReferenceKind, Scope, ScopeId, ScopeKind,
};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    for file in io::stdin().lock().lines() {
        let file = file?;
        let bytes = std::fs::read(&file)?;
        let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let language = syntax::require_language(&RepoPath::parse(name)?)?;
        let facts = text::decode(&bytes).ok();
        let facts = facts.map(|text| answer(&syntax::extract_facts(language, &text)));
        writeln!(out, "{}", json!({ "file": file, "facts": facts }))?;
    }
    Ok(())
}

fn answer(facts: &Facts) -> Value {
    // The other tools do not read comments.
    let is_code = |scope: ScopeId| {
        let scope = facts.scopes.get(scope.0 as usize);
        scope.is_none_or(|scope| scope.kind != ScopeKind::Documentation)
    };
    let imports = facts.imports.iter().filter(|row| is_code(row.scope));
    let imports = imports.map(|row| import(facts, row));
    let references = facts.references.iter().filter(|row| is_code(row.scope));
    let references = references.filter(|row| row.kind != ReferenceKind::Import);
    let bases = facts.definitions.iter().flat_map(|row| bases(facts, row));
    let docstrings = facts.definitions.iter().filter_map(docstring);
    json!({
        "imports": imports.collect::<Vec<_>>(),
        "references": references.map(|row| reference(facts, row)).collect::<Vec<_>>(),
        "bases": bases.collect::<Vec<_>>(),
        "docstrings": docstrings.collect::<Vec<_>>(),
        "bindings": bindings(facts),
        "definitions": definitions(facts),
        "names": names(facts),
        "exports": exports(facts),
    })
}

fn definitions(facts: &Facts) -> Vec<Value> {
    let symbols = facts.symbols();
    let rows = symbols.iter().map(|symbol| {
        let (start, end) = (symbol.start_line, symbol.end_line);
        json!([symbol.name_path, symbol.kind, start, end])
    });
    rows.collect()
}

/// Returns the places of the definitions' names.
fn names(facts: &Facts) -> Vec<Value> {
    let symbols = facts.symbols();
    let rows = symbols.iter().zip(&facts.definitions);
    let rows = rows.map(|(symbol, definition)| {
        let at = definition.name_position;
        json!([symbol.name_path, symbol.kind, at.line, at.start_utf16])
    });
    rows.collect()
}

fn exports(facts: &Facts) -> Vec<Value> {
    let exported = facts.exported.iter();
    let rows = exported.map(|row| json!([row.position.line, facts.name(row.name)]));
    rows.collect()
}

fn import(facts: &Facts, import: &Import) -> Value {
    let member = match import.item {
        ImportedItem::Module => None,
        ImportedItem::Member(name) => Some(facts.name(name)),
        ImportedItem::Star => Some("*"),
    };
    let alias = import.alias.map(|alias| facts.name(alias));
    json!([facts.name(import.module), import.level, member, alias])
}

fn reference(facts: &Facts, reference: &Reference) -> Value {
    let kind = match reference.kind {
        ReferenceKind::Call => "call",
        ReferenceKind::Import => "import",
        ReferenceKind::Inherit => "inherit",
        ReferenceKind::Reference => "reference",
    };
    let receiver = match reference.receiver {
        Receiver::None => String::new(),
        Receiver::Itself(value) => format!("={}", facts.name(value.path)),
        Receiver::Value(value) if value.is_called => format!("{}()", facts.name(value.path)),
        Receiver::Value(value) => facts.name(value.path).to_owned(),
        Receiver::Unknown => "?".to_owned(),
    };
    let (name, at) = (facts.name(reference.name), reference.position);
    json!([at.line, at.start_utf16, name, kind, receiver])
}

fn bases(facts: &Facts, definition: &DefinitionFact) -> Vec<Value> {
    let row = |base: &syntax::facts::Value| {
        json!([definition.start_line, facts.name(base.path), base.is_called])
    };
    let bases = definition.bases.iter();
    // An unreadable import has no name.
    let named = bases.filter(|base| !facts.name(base.path).is_empty());
    named.map(row).collect()
}

fn docstring(definition: &DefinitionFact) -> Option<Value> {
    let line = definition.docstring.as_ref()?;
    Some(json!([definition.start_line, line]))
}

fn bindings(facts: &Facts) -> Vec<Value> {
    let bindings = facts.bindings.iter();
    let bindings = bindings.filter(|row| !matches!(row.target, BindingTarget::Attribute(_)));
    let bindings = bindings.filter(|row| facts.name(row.name) != RETURNED);
    // A scope has one binding of a name.
    let unique: BTreeSet<(ScopeId, &str)> = bindings
        .map(|row| (row.scope, facts.name(row.name)))
        .collect();
    let row = |(scope, name): (ScopeId, &str)| {
        let (line, kind) = scope_key(facts, facts.scopes.get(scope.0 as usize)?)?;
        Some(json!([line, kind, name]))
    };
    unique.into_iter().filter_map(row).collect()
}

/// Returns the line and the kind of the definition of a scope.
fn scope_key<'a>(facts: &Facts, scope: &Scope) -> Option<(u32, &'a str)> {
    let definition = scope
        .definition
        .and_then(|id| facts.definitions.get(id.0 as usize));
    let line = definition.map_or(0, |definition| definition.start_line);
    let own = definition.and_then(|definition| facts.scopes.get(definition.scope.0 as usize));
    let is_own = own.is_some_and(|own| std::ptr::eq(own, scope));
    let kind = match scope.kind {
        ScopeKind::Module => "module",
        ScopeKind::Class => "class",
        ScopeKind::Function | ScopeKind::Arrow if is_own => "function",
        ScopeKind::Function | ScopeKind::Arrow => "lambda",
        ScopeKind::Comprehension => "comprehension",
        ScopeKind::Block => "block",
        ScopeKind::Namespace => "namespace",
        ScopeKind::TypeParameters | ScopeKind::Documentation => return None,
    };
    Some((line, kind))
}
