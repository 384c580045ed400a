//! Collects imports, and exports by `__all__`.

use super::builder::{Context, FactsBuilder, MODULE, Role};
use super::kinds::{Field, Kind};
use super::value_text::ValueText;
use crate::facts::{
    BindingTarget, Import, ImportId, ImportedItem, Name, Position, Receiver, ReferenceKind, ScopeId,
};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// The module of a `from … import …` statement.
#[derive(Debug, Clone, Copy)]
struct ImportSource {
    module: Name,
    level: u32,
    scope: ScopeId,
    /// The position of a star import: that of the module.
    position: Position,
}

impl FactsBuilder<'_> {
    pub(super) fn visit_import(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let from = match tree.kind(node) {
            Kind::ImportStatement => None,
            _ => Some(self.import_source(node, context.scope)),
        };
        for child in tree.operands(node) {
            let is_name = tree.node(child).field == Field::Name;
            if !is_name && tree.kind(child) != Kind::WildcardImport {
                continue;
            }
            self.roles.set(child, Role::Handled, context.scope);
            match from {
                None => self.add_module_import(child, context.scope),
                Some(from) if is_name => self.add_member_import(child, from),
                Some(from) => self.add_star_import(from),
            }
        }
    }

    /// Returns the module of a `from … import …` statement.
    fn import_source(&mut self, node: NodeIndex, scope: ScopeId) -> ImportSource {
        let tree = self.tree;
        let Some(module_node) = tree.child(node, Field::ModuleName) else {
            return ImportSource {
                module: self.intern("__future__"),
                level: 0,
                scope,
                position: self.position_of(node),
            };
        };
        self.roles.set(module_node, Role::Handled, scope);
        let mut dotted = Some(module_node);
        let mut level = 0;
        if tree.kind(module_node) == Kind::RelativeImport {
            let mut parts = tree.operands(module_node);
            let prefix = parts.next().map(|prefix| tree.text(prefix));
            level = prefix.unwrap_or_default().matches('.').count();
            dotted = parts.next();
        }
        let last = dotted.and_then(|dotted| tree.operands(dotted).last());
        ImportSource {
            module: match dotted {
                Some(dotted) => self.intern(tree.dotted(dotted)),
                None => self.intern(""),
            },
            level: wire(level),
            scope,
            position: self.position_of(last.unwrap_or(module_node)),
        }
    }

    /// Adds `import a.b` or `import a.b as c`.
    fn add_module_import(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let (dotted, alias) = self.split_alias(node);
        let (Some(first), Some(last)) =
            (tree.operands(dotted).next(), tree.operands(dotted).last())
        else {
            return;
        };
        let bound_name = alias.unwrap_or(first);
        let path = tree.before_segment(dotted, last);
        let receiver = match path {
            Some(path) => {
                let value_text = ValueText {
                    path,
                    is_called: false,
                };
                self.intern_value(Some(value_text))
                    .map_or(Receiver::Unknown, Receiver::Value)
            }
            None if first == last => Receiver::None,
            None => Receiver::Unknown,
        };
        let module = self.intern(tree.dotted(dotted));
        let import = Import {
            module,
            level: 0,
            item: ImportedItem::Module,
            alias: Some(self.intern(tree.text(bound_name))),
            scope,
            position: self.position_of(last),
        };
        self.add_import(import, last, bound_name, receiver);
    }

    /// Adds `from a import b` or `from a import b as c`.
    fn add_member_import(&mut self, node: NodeIndex, from: ImportSource) {
        let tree = self.tree;
        let (member, alias) = self.split_alias(node);
        let Some(member) = tree.operands(member).next() else {
            return;
        };
        let bound_name = alias.unwrap_or(member);
        let import = Import {
            module: from.module,
            level: from.level,
            item: ImportedItem::Member(self.intern(tree.text(member))),
            alias: Some(self.intern(tree.text(bound_name))),
            scope: from.scope,
            position: self.position_of(member),
        };
        self.add_import(import, member, bound_name, Receiver::None);
    }

    fn add_star_import(&mut self, from: ImportSource) {
        self.facts.imports.push(Import {
            module: from.module,
            level: from.level,
            item: ImportedItem::Star,
            alias: None,
            scope: from.scope,
            position: from.position,
        });
    }

    fn split_alias(&self, node: NodeIndex) -> (NodeIndex, Option<NodeIndex>) {
        if self.tree.kind(node) != Kind::AliasedImport {
            return (node, None);
        }
        let name = self.tree.child(node, Field::Name);
        (name.unwrap_or(node), self.tree.child(node, Field::Alias))
    }

    fn add_import(
        &mut self,
        import: Import,
        name: NodeIndex,
        bound_name: NodeIndex,
        receiver: Receiver,
    ) {
        let scope = import.scope;
        let id = ImportId(wire(self.facts.imports.len()));
        self.facts.imports.push(import);
        self.add_reference(name, scope, ReferenceKind::Import, receiver);
        self.bind(bound_name, scope, BindingTarget::Import(id), scope);
    }

    /// Collects `__all__ = […]` and `__all__ += […]`.
    pub(super) fn collect_assigned_exports(
        &mut self,
        left: NodeIndex,
        right: Option<NodeIndex>,
        context: Context,
    ) {
        if context.scope != MODULE || self.tree.text(left) != "__all__" {
            return;
        }
        if let Some(right) = right {
            self.collect_exports(right);
        }
    }

    /// Collects `__all__.extend([…])` and `__all__.append(…)`.
    pub(super) fn collect_extended_exports(&mut self, call: NodeIndex, context: Context) {
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
            self.collect_exports(arguments);
        }
    }

    /// Collects the strings of lists and tuples, also of sums of them.
    fn collect_exports(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let end = tree.subtree_end(node);
        let mut next = node;
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
            if kind == Kind::String && next != node {
                self.add_export_name(next);
            }
            next = if is_container {
                next + 1
            } else {
                tree.subtree_end(next)
            };
        }
    }

    /// Adds the name that a string exports, and a reference to it.
    fn add_export_name(&mut self, string: NodeIndex) {
        let tree = self.tree;
        let content = tree.string_content(string).filter(|name| !name.is_empty());
        let Some(content) = content else {
            return;
        };
        let name = self.intern(content);
        self.facts.exports.get_or_insert_default().push(name);
        let mut children = tree.children(string);
        let text = children.find(|&child| tree.kind(child) == Kind::StringContent);
        if let Some(text) = text {
            self.add_reference(text, MODULE, ReferenceKind::Reference, Receiver::None);
        }
    }
}
