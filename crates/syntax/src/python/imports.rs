//! Imports, and exports by `__all__`.

use super::builder::{Context, MODULE, Role, Walk};
use super::kinds::{Field, Kind};
use super::value_text::Said;
use crate::facts::{
    Bound, Import, ImportId, Imported, Name, Position, Receiver, ReferenceKind, ScopeId,
};
use crate::tree::At;
use ragnav_base::position::wire;

/// What of a module one statement imports from.
#[derive(Debug, Clone, Copy)]
struct From {
    module: Name,
    level: u32,
    scope: ScopeId,
    /// Where a star's module stands.
    at: Position,
}

impl Walk<'_> {
    pub(super) fn import(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let from = match tree.kind(at) {
            Kind::ImportStatement => None,
            _ => Some(self.module(at, context.scope)),
        };
        for child in tree.operands(at) {
            let is_name = tree.node(child).field == Field::Name;
            if !is_name && tree.kind(child) != Kind::WildcardImport {
                continue;
            }
            self.give(child, Role::Done, context.scope);
            match from {
                None => self.module_import(child, context.scope),
                Some(from) if is_name => self.member_import(child, from),
                Some(from) => self.star_import(from),
            }
        }
    }

    /// The module that a `from` names.
    fn module(&mut self, at: At, scope: ScopeId) -> From {
        let tree = self.tree;
        let Some(named) = tree.child(at, Field::ModuleName) else {
            return From {
                module: self.name("__future__"),
                level: 0,
                scope,
                at: self.position(at),
            };
        };
        self.give(named, Role::Done, scope);
        let mut dotted = Some(named);
        let mut level = 0;
        if tree.kind(named) == Kind::RelativeImport {
            let mut parts = tree.operands(named);
            let prefix = parts.next().map(|prefix| tree.text(prefix));
            level = prefix.unwrap_or_default().matches('.').count();
            dotted = parts.next();
        }
        let last = dotted.and_then(|dotted| tree.operands(dotted).last());
        From {
            module: match dotted {
                Some(dotted) => self.name(tree.dotted(dotted)),
                None => self.name(""),
            },
            level: wire(level),
            scope,
            at: self.position(last.unwrap_or(named)),
        }
    }

    /// `import a.b` or `import a.b as c`
    fn module_import(&mut self, at: At, scope: ScopeId) {
        let tree = self.tree;
        let (dotted, alias) = self.aliased(at);
        let (Some(first), Some(last)) =
            (tree.operands(dotted).next(), tree.operands(dotted).last())
        else {
            return;
        };
        let bound = alias.unwrap_or(first);
        let path = tree.before_segment(dotted, last);
        let receiver = match path {
            Some(path) => {
                let said = Said {
                    path,
                    called: false,
                };
                self.value(Some(said))
                    .map_or(Receiver::Unknown, Receiver::Value)
            }
            None if first == last => Receiver::None,
            None => Receiver::Unknown,
        };
        let module = self.name(tree.dotted(dotted));
        let import = Import {
            module,
            level: 0,
            what: Imported::Module,
            alias: Some(self.name(tree.text(bound))),
            scope,
            at: self.position(last),
        };
        self.imported(import, last, bound, receiver);
    }

    /// `from a import b` or `from a import b as c`
    fn member_import(&mut self, at: At, from: From) {
        let tree = self.tree;
        let (member, alias) = self.aliased(at);
        let Some(member) = tree.operands(member).next() else {
            return;
        };
        let bound = alias.unwrap_or(member);
        let import = Import {
            module: from.module,
            level: from.level,
            what: Imported::Member(self.name(tree.text(member))),
            alias: Some(self.name(tree.text(bound))),
            scope: from.scope,
            at: self.position(member),
        };
        self.imported(import, member, bound, Receiver::None);
    }

    fn star_import(&mut self, from: From) {
        self.facts.imports.push(Import {
            module: from.module,
            level: from.level,
            what: Imported::Star,
            alias: None,
            scope: from.scope,
            at: from.at,
        });
    }

    fn aliased(&self, at: At) -> (At, Option<At>) {
        if self.tree.kind(at) != Kind::AliasedImport {
            return (at, None);
        }
        let name = self.tree.child(at, Field::Name);
        (name.unwrap_or(at), self.tree.child(at, Field::Alias))
    }

    fn imported(&mut self, import: Import, name: At, bound: At, receiver: Receiver) {
        let scope = import.scope;
        let id = ImportId(wire(self.facts.imports.len()));
        self.facts.imports.push(import);
        self.refer(name, scope, ReferenceKind::Import, receiver);
        self.bind(bound, scope, Bound::Import(id), scope);
    }

    /// `__all__ = […]` and `__all__ += […]`
    pub(super) fn assigned_exports(&mut self, left: At, right: Option<At>, context: Context) {
        if context.scope != MODULE || self.tree.text(left) != "__all__" {
            return;
        }
        if let Some(right) = right {
            self.export(right);
        }
    }

    /// `__all__.extend([…])` and `__all__.append(…)`
    pub(super) fn extended_exports(&mut self, call: At, context: Context) {
        let tree = self.tree;
        if context.scope != MODULE {
            return;
        }
        let mut parts = tree.operands(call);
        let (Some(function), Some(arguments)) = (parts.next(), parts.next()) else {
            return;
        };
        let method = tree.text(function).strip_prefix("__all__.");
        if matches!(method, Some("extend" | "append")) {
            self.export(arguments);
        }
    }

    /// Takes the strings of lists and tuples, also where some are added to others.
    fn export(&mut self, at: At) {
        let tree = self.tree;
        let end = tree.next(at);
        let mut next = at;
        while next < end {
            let kind = tree.kind(next);
            if matches!(kind, Kind::List | Kind::Tuple) {
                self.facts.exports.get_or_insert_default();
            }
            let is_container = matches!(
                kind,
                Kind::ArgumentList
                    | Kind::BinaryOperator
                    | Kind::Elements
                    | Kind::List
                    | Kind::ParenthesizedExpression
                    | Kind::Tuple
            );
            if kind == Kind::String && next != at {
                self.export_name(next);
            }
            next = if is_container {
                next + 1
            } else {
                tree.next(next)
            };
        }
    }

    fn export_name(&mut self, string: At) {
        let content = self
            .tree
            .string_content(string)
            .filter(|name| !name.is_empty());
        if let Some(content) = content {
            let name = self.name(content);
            self.facts.exports.get_or_insert_default().push(name);
        }
    }
}
