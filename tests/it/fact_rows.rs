//! Facts as texts, one per row: a place is `line:column`, a scope is `#` and a number.

use ragnav::syntax;
use ragnav::syntax::facts::{
    BindingTarget, DefinitionId, ExportedItem, Facts, ImportedItem, Outer, Position, Receiver,
    ReferenceKind, ScopeKind, TYPE_NUMBER, TypeShape, Value,
};

pub fn place(at: Position) -> String {
    format!("{}:{}", at.line, at.start_utf16)
}

pub fn value(facts: &Facts, value: Value) -> String {
    let call = if value.is_called { "()" } else { "" };
    let path = facts.name(value.path);
    let number = path.strip_prefix(TYPE_NUMBER);
    let number = number.and_then(|number| number.parse::<u32>().ok());
    let found = facts.types.iter().find(|one| Some(one.number) == number);
    let name = path.strip_prefix(TYPE_NUMBER).unwrap_or(path);
    let path = found.map_or_else(|| name.to_owned(), |found| shape(facts, &found.shape));
    format!("{path}{call}")
}

/// A type in the syntax of TypeScript. A function and an object type have the number of their
/// scope.
fn shape(facts: &Facts, shape: &TypeShape) -> String {
    match shape {
        TypeShape::Applied { of, arguments, .. } => {
            let arguments = arguments.iter().map(|one| optional(facts, *one));
            let arguments: Vec<String> = arguments.collect();
            format!("{}<{}>", value(facts, *of), arguments.join(","))
        }
        TypeShape::Call { of, arguments } => {
            let arguments = arguments.iter().map(|one| optional(facts, *one));
            let arguments: Vec<String> = arguments.collect();
            format!("{}({})", value(facts, *of), arguments.join(","))
        }
        TypeShape::Tuple(parts) => {
            let parts = parts.iter().map(|one| optional(facts, *one));
            let parts: Vec<String> = parts.collect();
            format!("[{}]", parts.join(","))
        }
        TypeShape::AnyOf(arms) => {
            let arms: Vec<String> = arms.iter().map(|arm| value(facts, *arm)).collect();
            arms.join("|")
        }
        TypeShape::Function(scope) => format!("(#{})", scope.0),
        TypeShape::Object(scope) => format!("{{#{}}}", scope.0),
        TypeShape::Variable(scope) => format!("variable #{}", scope.0),
        TypeShape::InstanceOf(of) => format!("new {}", value(facts, *of)),
        TypeShape::Guarded { by, otherwise, .. } => {
            format!("{} by {}", value(facts, *otherwise), value(facts, *by))
        }
        TypeShape::Inferring {
            of,
            arguments,
            expected,
        } => {
            let arguments = arguments.iter().map(|one| optional(facts, *one));
            let arguments: Vec<String> = arguments.collect();
            let of = value(facts, *of);
            let expected = optional(facts, *expected);
            format!("{of}<{}> as {expected}", arguments.join(","))
        }
    }
}

pub fn values(facts: &Facts, values: &[Value]) -> String {
    let texts: Vec<String> = values.iter().map(|one| value(facts, *one)).collect();
    texts.join(",")
}

pub fn optional(facts: &Facts, found: Option<Value>) -> String {
    found.map_or("-".into(), |one| value(facts, one))
}

pub fn scopes(facts: &Facts) -> Vec<String> {
    let row = |(id, scope): (usize, &syntax::facts::Scope)| {
        let kind = match scope.kind {
            ScopeKind::Module => "module",
            ScopeKind::Class => "class",
            ScopeKind::Function => "function",
            ScopeKind::Arrow => "arrow",
            ScopeKind::Comprehension => "comprehension",
            ScopeKind::TypeParameters => "parameters",
            ScopeKind::Block => "block",
            ScopeKind::Namespace => "namespace",
            ScopeKind::Documentation => "documentation",
        };
        let parent = scope
            .parent
            .map_or("-".into(), |parent| format!("#{}", parent.0));
        let definition = scope
            .definition
            .map_or("-".into(), |id| facts.name_path(id));
        format!("#{id} {kind} {parent} {definition}")
    };
    facts.scopes.iter().enumerate().map(row).collect()
}

pub fn definitions(facts: &Facts) -> Vec<String> {
    let row = |(id, fact): (u32, &syntax::facts::DefinitionFact)| {
        let path = facts.name_path(DefinitionId(id));
        let at = place(fact.name_position);
        let bases = values(facts, &fact.bases);
        let decorators = values(facts, &fact.decorators);
        let returns = optional(facts, fact.returns);
        let docstring = fact.docstring.as_deref().unwrap_or("-");
        format!(
            "{path} {at} #{} [{bases}] [{decorators}] {returns} {docstring}",
            fact.scope.0
        )
    };
    (0..).zip(&facts.definitions).map(row).collect()
}

pub fn bindings(facts: &Facts) -> Vec<String> {
    let row = |binding: &syntax::facts::Binding| {
        let to = match &binding.target {
            BindingTarget::Definition(id) => format!("definition {}", facts.name_path(*id)),
            BindingTarget::Import(id) => format!("import {}", id.0),
            BindingTarget::Parameter(found) => format!("parameter {}", optional(facts, *found)),
            BindingTarget::Variable(found) => format!("variable {}", optional(facts, *found)),
            BindingTarget::Attribute(found) => format!("attribute {}", optional(facts, *found)),
            BindingTarget::Outer(Outer::Global) => "global".into(),
            BindingTarget::Outer(Outer::Nonlocal) => "nonlocal".into(),
        };
        let name = facts.name(binding.name);
        format!(
            "#{} {} {name} {to}",
            binding.scope.0,
            place(binding.position)
        )
    };
    facts.bindings.iter().map(row).collect()
}

pub fn references(facts: &Facts) -> Vec<String> {
    let row = |reference: &syntax::facts::Reference| {
        let receiver = match reference.receiver {
            Receiver::None => String::new(),
            Receiver::Value(found) => format!("{}.", value(facts, found)),
            Receiver::Itself(found) => format!("={}:", value(facts, found)),
            Receiver::Unknown => "?.".into(),
        };
        let kind = match reference.kind {
            ReferenceKind::Call => "call",
            ReferenceKind::Import => "import",
            ReferenceKind::Inherit => "inherit",
            ReferenceKind::Reference => "read",
        };
        let name = facts.name(reference.name);
        format!(
            "#{} {} {receiver}{name} {kind}",
            reference.scope.0,
            place(reference.position)
        )
    };
    facts.references.iter().map(row).collect()
}

pub fn imports(facts: &Facts) -> Vec<String> {
    let row = |import: &syntax::facts::Import| {
        let dots = ".".repeat(import.level as usize);
        let what = match import.item {
            ImportedItem::Module => "module",
            ImportedItem::Member(name) => facts.name(name),
            ImportedItem::Star => "*",
        };
        let alias = import.alias.map_or("-", |alias| facts.name(alias));
        let module = facts.name(import.module);
        format!(
            "#{} {} {dots}{module} {what} {alias}",
            import.scope.0,
            place(import.position)
        )
    };
    facts.imports.iter().map(row).collect()
}

pub fn exported(facts: &Facts) -> Vec<String> {
    let row = |export: &syntax::facts::Export| {
        let what = match export.item {
            ExportedItem::Local(name) => format!("local {}", facts.name(name)),
            ExportedItem::Definition(id) => format!("definition {}", facts.name_path(id)),
            ExportedItem::From(id) => format!("import {}", id.0),
            ExportedItem::Value(found) => format!("value {}", value(facts, found)),
            ExportedItem::Other => "other".into(),
        };
        format!(
            "{} {} {what}",
            place(export.position),
            facts.name(export.name)
        )
    };
    facts.exported.iter().map(row).collect()
}

pub fn repeated(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

/// Returns the definitions by their name paths.
pub fn kinds(facts: &Facts) -> Vec<String> {
    let row = |(id, fact): (u32, &syntax::facts::DefinitionFact)| {
        let kind = format!("{:?}", fact.kind).to_lowercase();
        format!("{} {kind}", facts.name_path(DefinitionId(id)))
    };
    (0..).zip(&facts.definitions).map(row).collect()
}

/// Returns the lines of definitions: of the first decorator, the first and the last.
pub fn lines(facts: &Facts) -> Vec<String> {
    let row = |(id, fact): (u32, &syntax::facts::DefinitionFact)| {
        let path = facts.name_path(DefinitionId(id));
        let (start, end) = (fact.start_line, fact.end_line);
        format!("{path} {} {start}-{end}", fact.decorated_start_line)
    };
    (0..).zip(&facts.definitions).map(row).collect()
}
