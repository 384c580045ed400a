//! The definitions of a text: one walk in its order.

use std::borrow::Cow;

use super::export_names::DEFAULT;
use super::kinds::{Field, FlatTree, Kind};
use super::value_names::Way;
use crate::raw_definition::{MAX_NESTING, RawDefinition, name_path};
use crate::symbol::Outline;
use crate::tree::At;
use ragnav_base::item::DefinitionKind;

/// A definition with where it is in the tree.
#[derive(Debug)]
pub(super) struct Found<'t> {
    pub(super) raw: RawDefinition,
    /// The function, class or other declaration.
    pub(super) node: At,
    /// Where its name stands.
    pub(super) name: At,
    /// Its own name.
    pub(super) text: Cow<'t, str>,
    /// What its name path has between its parent and its name.
    pub(super) qualifier: Option<String>,
    /// The statement or member that it is or is in, decorators not counted.
    pub(super) statement: At,
    pub(super) decorators: Vec<At>,
}

/// A definition whose inside the walk is in.
struct Open {
    behind: At,
    index: usize,
}

/// The decorators that stand before a member of a class.
#[derive(Default)]
struct Pending {
    decorators: Vec<At>,
    /// The node behind them.
    behind: At,
}

struct Finder<'f, 't> {
    tree: &'f FlatTree<'t>,
    found: Vec<Found<'t>>,
    open: Vec<Open>,
    pending: Pending,
    is_partial: bool,
}

/// The definitions, each behind those around it.
pub(super) fn find<'t>(tree: &FlatTree<'t>) -> Outline<Found<'t>> {
    let mut finder = Finder {
        tree,
        found: Vec::new(),
        open: Vec::new(),
        pending: Pending::default(),
        is_partial: false,
    };
    for at in 0..tree.len() {
        finder.visit(at);
    }
    Outline {
        definitions: finder.found,
        is_partial: finder.is_partial,
    }
}

impl<'t> Finder<'_, 't> {
    fn visit(&mut self, at: At) {
        let tree = self.tree;
        while self.open.pop_if(|open| open.behind <= at).is_some() {}
        match tree.kind(at) {
            Kind::Decorator => self.pend(at),
            Kind::Comment if self.pending.behind == at => self.pending.behind = tree.next(at),
            Kind::FunctionDeclaration => self.declared(at, DefinitionKind::Function),
            Kind::Interface => self.declared(at, DefinitionKind::Interface),
            Kind::Enum => self.declared(at, DefinitionKind::Enum),
            Kind::TypeAlias => self.declared(at, DefinitionKind::Type),
            Kind::Namespace => self.namespace(at),
            Kind::Class if tree.is_declaration(at) => self.declared(at, DefinitionKind::Class),
            Kind::Class => self.value(at, DefinitionKind::Class),
            Kind::MethodSignature => self.signature(at),
            Kind::ArrowFunction | Kind::FunctionExpression | Kind::Method => {
                self.value(at, DefinitionKind::Function);
            }
            _ => {}
        }
    }

    /// TypeScript's grammar has a member's decorators beside it.
    fn pend(&mut self, decorator: At) {
        if self.pending.behind != decorator {
            self.pending.decorators.clear();
        }
        self.pending.decorators.push(decorator);
        self.pending.behind = self.tree.next(decorator);
    }

    /// What is declared by a name of its own.
    fn declared(&mut self, at: At, kind: DefinitionKind) {
        let Some(name) = self.tree.child(at, Field::Name) else {
            return self.value(at, kind);
        };
        let way = Way {
            text: self.tree.text(name).into(),
            name,
            qualifier: None,
            binder: at,
            of_this: false,
        };
        self.add(at, kind, way);
    }

    /// `namespace A.B {}` is `A.B`; what a string names is a module elsewhere.
    fn namespace(&mut self, at: At) {
        let tree = self.tree;
        let named = tree.child(at, Field::Name);
        let Some(segments) = named.and_then(|name| tree.segments(name)) else {
            return;
        };
        let Some((&name, before)) = segments.split_last() else {
            return;
        };
        let before: Vec<&str> = before.iter().map(|&segment| tree.text(segment)).collect();
        let way = Way {
            text: tree.text(name).into(),
            name,
            qualifier: (!before.is_empty()).then(|| before.join(".")),
            binder: at,
            of_this: false,
        };
        self.add(at, DefinitionKind::Namespace, way);
    }

    /// A method without a body, where a class or interface that is a definition has it.
    fn signature(&mut self, at: At) {
        let tree = self.tree;
        let body = tree.parent(at);
        let is_member = matches!(tree.kind(body), Kind::ClassBody | Kind::InterfaceBody)
            || tree.kind(tree.parent(body)) == Kind::Interface;
        let name = tree.child(at, Field::Name).filter(|_| is_member);
        let Some((name, text)) = name.and_then(|name| Some((name, tree.key(name)?))) else {
            return;
        };
        let way = Way {
            text,
            name,
            qualifier: None,
            binder: at,
            of_this: false,
        };
        self.add(at, DefinitionKind::Method, way);
    }

    /// A function or class that is bound to a name, or else has one of its own.
    fn value(&mut self, at: At, kind: DefinitionKind) {
        let tree = self.tree;
        let own = tree.child(at, Field::Name);
        let own = own.and_then(|name| Some((name, tree.key(name)?)));
        let own = own.map(|(name, text)| Way {
            text,
            name,
            qualifier: None,
            binder: at,
            of_this: false,
        });
        let way = tree.way(at);
        let is_nameless = |way: &Way<'_>| way.text == DEFAULT && way.name == at;
        let way = match way {
            Some(way) if own.is_some() && is_nameless(&way) => own.map(|own| Way {
                binder: way.binder,
                ..own
            }),
            Some(way) => Some(way),
            None => own,
        };
        if let Some(way) = way {
            self.add(at, kind, way);
        }
    }

    fn add(&mut self, node: At, kind: DefinitionKind, way: Way<'t>) {
        if way.text.is_empty() {
            return;
        }
        if self.open.len() >= MAX_NESTING {
            self.is_partial = true;
            return;
        }
        let tree = self.tree;
        let parent = self.parent(&way);
        let around = parent.and_then(|parent| self.found.get(parent));
        let holds_members = around.is_some_and(|around| {
            matches!(
                around.raw.kind,
                DefinitionKind::Class | DefinitionKind::Interface
            )
        });
        let is_method = kind == DefinitionKind::Function
            && (way.of_this
                || way.qualifier.is_some()
                || holds_members && tree.is_member(way.binder));
        let around = around.map(|around| &around.raw);
        let Ok(name_path) = name_path(around, way.qualifier.as_deref(), &way.text) else {
            self.is_partial = true;
            return;
        };
        let statement = tree.statement(way.binder);
        let decorators = self.decorators(node, statement);
        let start = tree.undecorated_start(statement);
        let first = decorators
            .first()
            .map(|&first| tree.node(first).start as usize);
        self.open.push(Open {
            behind: tree.next(node),
            index: self.found.len(),
        });
        self.found.push(Found {
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
                end: tree.node(way.binder).end.max(tree.node(node).end) as usize,
            },
            node,
            name: way.name,
            text: way.text,
            qualifier: way.qualifier,
            statement,
            decorators,
        });
    }

    /// A member of `this` belongs to the class of the method it is assigned in.
    fn parent(&self, way: &Way<'_>) -> Option<usize> {
        let innermost = self.open.last()?.index;
        let around = self.found.get(innermost)?;
        let in_method = way.of_this && around.raw.kind == DefinitionKind::Method;
        if in_method && around.qualifier.is_none() {
            return around.raw.parent.or(Some(innermost));
        }
        Some(innermost)
    }

    fn decorators(&mut self, node: At, statement: At) -> Vec<At> {
        let tree = self.tree;
        let mut decorators = Vec::new();
        if self.pending.behind == statement {
            decorators = std::mem::take(&mut self.pending.decorators);
        }
        let holds = matches!(
            tree.kind(statement),
            Kind::Class | Kind::Export | Kind::FieldDefinition | Kind::Method
        );
        let inner = node != statement && tree.kind(node) == Kind::Class;
        let holders = [holds.then_some(statement), inner.then_some(node)];
        for holder in holders.into_iter().flatten() {
            let inside = tree.children(holder);
            decorators.extend(inside.filter(|&child| tree.kind(child) == Kind::Decorator));
        }
        decorators
    }
}
