//! Finds the definitions of a text in one pass over the nodes.

use std::borrow::Cow;

use super::export_names::DEFAULT;
use super::kinds::{Field, FlatTree, Kind};
use super::value_names::ValueName;
use crate::body_hash::NamedNode;
use crate::facts::Conditions;
use crate::raw_definition::{MAX_NESTING, RawDefinition, name_path};
use crate::symbol::Outline;
use crate::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// A definition with its nodes.
#[derive(Debug)]
pub(super) struct FoundDefinition<'t> {
    pub(super) raw: RawDefinition,
    /// The function, class or other declaration.
    pub(super) node: NodeIndex,
    /// The node of the name.
    pub(super) name: NodeIndex,
    /// Its own name.
    pub(super) text: Cow<'t, str>,
    /// The part of the name path between the parent and the name.
    pub(super) qualifier: Option<String>,
    /// The statement or member that contains the definition, without decorators.
    pub(super) statement: NodeIndex,
    pub(super) decorators: Vec<NodeIndex>,
}

impl FoundDefinition<'_> {
    pub(super) fn named(&self) -> NamedNode {
        NamedNode {
            definition: self.node,
            name: self.name,
        }
    }
}

/// A definition that encloses the current node.
struct OpenDefinition {
    end: NodeIndex,
    index: usize,
}

/// The decorators that precede a member of a class.
#[derive(Default)]
struct PendingDecorators {
    decorators: Vec<NodeIndex>,
    /// The first node after the decorators.
    end: NodeIndex,
}

struct Finder<'f, 't> {
    tree: &'f FlatTree<'t>,
    definitions: Vec<FoundDefinition<'t>>,
    open: Vec<OpenDefinition>,
    pending_decorators: PendingDecorators,
    is_partial: bool,
}

/// Finds the definitions. An enclosing definition precedes those inside it.
pub(super) fn find_definitions<'t>(tree: &FlatTree<'t>) -> Outline<FoundDefinition<'t>> {
    let mut finder = Finder {
        tree,
        definitions: Vec::new(),
        open: Vec::new(),
        pending_decorators: PendingDecorators::default(),
        is_partial: false,
    };
    for node in 0..tree.len() {
        finder.visit(node);
    }
    Outline {
        has_errors: false,
        definitions: finder.definitions,
        conditions: Conditions::default(),
        is_partial: finder.is_partial,
    }
}

impl<'t> Finder<'_, 't> {
    fn visit(&mut self, node: NodeIndex) {
        let tree = self.tree;
        while self.open.pop_if(|open| open.end <= node).is_some() {}
        match tree.kind(node) {
            Kind::Decorator => self.collect_decorator(node),
            Kind::Comment if self.pending_decorators.end == node => {
                self.pending_decorators.end = tree.subtree_end(node);
            }
            Kind::FunctionDeclaration => self.add_declaration(node, DefinitionKind::Function),
            Kind::Interface => self.add_declaration(node, DefinitionKind::Interface),
            Kind::Enum => self.add_declaration(node, DefinitionKind::Enum),
            Kind::TypeAlias => self.add_declaration(node, DefinitionKind::Type),
            Kind::Namespace => self.add_namespace(node),
            Kind::Class if tree.is_declaration(node) => {
                self.add_declaration(node, DefinitionKind::Class);
            }
            Kind::Class => self.add_value(node, DefinitionKind::Class),
            Kind::MethodSignature => self.add_signature(node),
            Kind::ArrowFunction | Kind::FunctionExpression | Kind::Method => {
                self.add_value(node, DefinitionKind::Function);
            }
            _ => {}
        }
    }

    /// Collects a decorator. In TypeScript's grammar it is a sibling of its member.
    fn collect_decorator(&mut self, decorator: NodeIndex) {
        if self.pending_decorators.end != decorator {
            self.pending_decorators.decorators.clear();
        }
        self.pending_decorators.decorators.push(decorator);
        self.pending_decorators.end = self.tree.subtree_end(decorator);
    }

    /// Adds a declaration that has a name of its own.
    fn add_declaration(&mut self, node: NodeIndex, kind: DefinitionKind) {
        let Some(name) = self.tree.child(node, Field::Name) else {
            return self.add_value(node, kind);
        };
        let value_name = ValueName {
            text: self.tree.text(name).into(),
            name,
            qualifier: None,
            binder: node,
            is_this_member: false,
        };
        self.add_definition(node, kind, value_name);
    }

    /// Adds `namespace A.B {}` as `A.B`. A quoted name belongs to a module in another file.
    fn add_namespace(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let named = tree.child(node, Field::Name);
        let Some(segments) = named.and_then(|name| tree.segments(name)) else {
            return;
        };
        let Some((&name, before)) = segments.split_last() else {
            return;
        };
        let before: Vec<&str> = before.iter().map(|&segment| tree.text(segment)).collect();
        let value_name = ValueName {
            text: tree.text(name).into(),
            name,
            qualifier: (!before.is_empty()).then(|| before.join(".")),
            binder: node,
            is_this_member: false,
        };
        self.add_definition(node, DefinitionKind::Namespace, value_name);
    }

    /// Adds a method without a body in a class or interface that is a definition.
    fn add_signature(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let body = tree.parent(node);
        let is_member = matches!(tree.kind(body), Kind::ClassBody | Kind::InterfaceBody)
            || tree.kind(tree.parent(body)) == Kind::Interface;
        let name = tree.child(node, Field::Name).filter(|_| is_member);
        let Some((name, text)) = name.and_then(|name| Some((name, tree.key(name)?))) else {
            return;
        };
        let value_name = ValueName {
            text,
            name,
            qualifier: None,
            binder: node,
            is_this_member: false,
        };
        self.add_definition(node, DefinitionKind::Method, value_name);
    }

    /// Adds a function or class by the name that it is bound to, or else by its own name.
    fn add_value(&mut self, node: NodeIndex, kind: DefinitionKind) {
        let tree = self.tree;
        let own = tree.child(node, Field::Name);
        let own = own.and_then(|name| Some((name, tree.key(name)?)));
        let own = own.map(|(name, text)| ValueName {
            text,
            name,
            qualifier: None,
            binder: node,
            is_this_member: false,
        });
        let value_name = tree.name_of_value(node);
        let is_nameless =
            |value_name: &ValueName<'_>| value_name.text == DEFAULT && value_name.name == node;
        let value_name = match value_name {
            Some(value_name) if own.is_some() && is_nameless(&value_name) => {
                own.map(|own| ValueName {
                    binder: value_name.binder,
                    ..own
                })
            }
            Some(value_name) => Some(value_name),
            None => own,
        };
        if let Some(value_name) = value_name {
            self.add_definition(node, kind, value_name);
        }
    }

    fn add_definition(&mut self, node: NodeIndex, kind: DefinitionKind, value_name: ValueName<'t>) {
        if value_name.text.is_empty() {
            return;
        }
        if self.open.len() >= MAX_NESTING {
            self.is_partial = true;
            return;
        }
        let tree = self.tree;
        let parent = self.parent_of(&value_name);
        let enclosing = parent.and_then(|parent| self.definitions.get(parent));
        let holds_members = enclosing.is_some_and(|enclosing| {
            matches!(
                enclosing.raw.kind,
                DefinitionKind::Class | DefinitionKind::Interface
            )
        });
        let is_method = kind == DefinitionKind::Function
            && (value_name.is_this_member
                || value_name.qualifier.is_some()
                || holds_members && tree.is_member(value_name.binder));
        let enclosing = enclosing.map(|enclosing| &enclosing.raw);
        let Ok(name_path) = name_path(enclosing, value_name.qualifier.as_deref(), &value_name.text)
        else {
            self.is_partial = true;
            return;
        };
        let statement = tree.statement(value_name.binder);
        let decorators = self.decorators(node, statement);
        let start = tree.undecorated_start(statement);
        let first = decorators
            .first()
            .map(|&first| tree.node(first).start as usize);
        self.open.push(OpenDefinition {
            end: tree.subtree_end(node),
            index: self.definitions.len(),
        });
        self.definitions.push(FoundDefinition {
            raw: RawDefinition {
                kind: if is_method {
                    DefinitionKind::Method
                } else {
                    kind
                },
                name_path,
                parent,
                decorated_start: first.unwrap_or(start).min(start),
                start,
                end: tree.node(value_name.binder).end.max(tree.node(node).end) as usize,
            },
            node,
            name: value_name.name,
            text: value_name.text,
            qualifier: value_name.qualifier,
            statement,
            decorators,
        });
    }

    /// Returns the parent of a definition. `this.m = …` in a method belongs to the class of the
    /// method.
    fn parent_of(&self, value_name: &ValueName<'_>) -> Option<usize> {
        let innermost = self.open.last()?.index;
        let enclosing = self.definitions.get(innermost)?;
        let in_method = value_name.is_this_member && enclosing.raw.kind == DefinitionKind::Method;
        if in_method && enclosing.qualifier.is_none() {
            return enclosing.raw.parent.or(Some(innermost));
        }
        Some(innermost)
    }

    fn decorators(&mut self, node: NodeIndex, statement: NodeIndex) -> Vec<NodeIndex> {
        let tree = self.tree;
        let mut decorators = Vec::new();
        if self.pending_decorators.end == statement {
            decorators = std::mem::take(&mut self.pending_decorators.decorators);
        }
        let holds = matches!(
            tree.kind(statement),
            Kind::Class | Kind::Export | Kind::FieldDefinition | Kind::Method
        );
        let inner = node != statement && tree.kind(node) == Kind::Class;
        let holders = [holds.then_some(statement), inner.then_some(node)];
        for declaring_scope in holders.into_iter().flatten() {
            let inside = tree.children(declaring_scope);
            decorators.extend(inside.filter(|&child| tree.kind(child) == Kind::Decorator));
        }
        decorators
    }
}
