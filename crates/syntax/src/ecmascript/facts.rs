//! Facts of JavaScript and TypeScript: one walk in the order of the text, in which each node tells those inside it what they are for.

use std::collections::{HashMap, HashSet};

use super::commonjs::Star;
use super::definitions::{self, Found};
use super::kinds::{Field, FlatTree, Kind};
use super::scopes::Surroundings;
use crate::body::{self, Named};
use crate::facts::{
    DefinitionId, Facts, ImportId, Name, Position, ReferenceKind, Scope, ScopeId, ScopeKind, Value,
};
use crate::names::{Names, Positions};
use crate::tree::At;

/// What a name is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    Variable(Option<Value>),
    Parameter(Option<Value>),
    Definition(DefinitionId),
    Import(ImportId),
}

impl To {
    /// What the parts of a pattern are bound to that is bound to this.
    pub(super) fn of_parts(self) -> Self {
        match self {
            Self::Parameter(_) => Self::Parameter(None),
            _ => Self::Variable(None),
        }
    }
}

/// A name's binding in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Binds {
    pub(super) scope: ScopeId,
    pub(super) to: To,
    /// Whether the module exports the name.
    pub(super) exported: bool,
}

/// What a node is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is read.
    Read,
    /// It is called.
    Callee,
    /// A class inherits from it.
    Base,
    /// It is declared.
    Bound(Binds),
    /// Something is assigned to it.
    Assigned(To),
    /// It is the last segment of a dotted name.
    Member(ReferenceKind),
    /// It is the last segment of a dotted name that is assigned to.
    AssignedMember(To),
    /// It is a declaration that is exported by its names.
    Exported,
    /// It is the body of what opened a scope.
    Body,
    /// It is the signature of a function's type, whose parameters are none of a scope.
    Signature,
    /// Whoever gave this role took care of all that is inside.
    Done,
}

/// What a node is for and where its names are looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub(super) role: Role,
    pub(super) scope: ScopeId,
}

/// An assignment to a name that is declared somewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Assigned {
    pub(super) name: Name,
    pub(super) at: Position,
    pub(super) to: To,
    pub(super) scope: ScopeId,
}

/// The module's scope.
pub(super) const MODULE: ScopeId = ScopeId(0);

/// The walk with what it found so far.
pub(super) struct Walk<'f, 't> {
    pub(super) tree: &'f FlatTree<'t>,
    pub(super) facts: Facts,
    pub(super) names: Names<'t>,
    pub(super) positions: Positions<'t>,
    /// What else is known of [`Facts::scopes`].
    pub(super) surroundings: Vec<Surroundings>,
    pub(super) found: Vec<Found<'t>>,
    pub(super) assigned: Vec<Assigned>,
    /// The imports that calls are, and members of calls.
    pub(super) imported: HashMap<At, ImportId>,
    /// The imports that names are bound to.
    pub(super) bound_imports: HashMap<At, ImportId>,
    /// The scopes that bind a name by which the module's exports go, and the name.
    pub(super) shadows: HashSet<(ScopeId, &'static str)>,
    pub(super) stars: Vec<Star>,
    /// The names of import aliases.
    pub(super) aliases: HashSet<&'t str>,
    /// One for each node of the tree, set before the node's turn comes.
    contexts: Vec<Context>,
}

pub(super) fn facts<'t>(tree: &FlatTree<'t>, text: &'t str) -> Facts {
    let context = Context {
        role: Role::Read,
        scope: MODULE,
    };
    let outline = definitions::find(tree);
    let mut walk = Walk {
        tree,
        facts: Facts {
            is_partial: outline.is_partial,
            ..Facts::default()
        },
        names: Names::default(),
        positions: Positions::new(text),
        surroundings: vec![Surroundings::default()],
        found: outline.definitions,
        assigned: Vec::new(),
        imported: HashMap::new(),
        bound_imports: HashMap::new(),
        shadows: HashSet::new(),
        stars: Vec::new(),
        aliases: HashSet::new(),
        contexts: vec![context; tree.len()],
    };
    walk.facts.scopes.push(Scope {
        kind: ScopeKind::Module,
        parent: None,
        definition: None,
    });
    if tree.is_strict(0) {
        walk.set_strict(MODULE);
    }
    walk.tell_definitions(text);
    for at in 0..tree.len() {
        walk.visit(at);
    }
    walk.finish()
}

impl Walk<'_, '_> {
    fn finish(mut self) -> Facts {
        let named = self.found.iter().map(|found| Named {
            definition: found.node,
            name: found.name,
        });
        let named: Vec<Named> = named.collect();
        let hashes = body::hashes(self.tree, &named);
        for (definition, hash) in self.facts.definitions.iter_mut().zip(hashes) {
            definition.body = hash;
        }
        self.bind_assigned();
        self.export_stars();
        self.mention_aliases();
        self.facts.references.sort_by_key(|reference| reference.at);
        self.facts.bindings.sort_by_key(|binding| binding.at);
        self.facts.exported.sort_by_key(|export| export.at);
        self.facts.names = self.names.into_texts();
        self.facts
    }

    fn visit(&mut self, at: At) {
        let Some(&context) = self.contexts.get(at) else {
            return;
        };
        let kind = self.tree.kind(at);
        if self.tree.is_leaf(at) {
            return self.leaf(at, kind, context);
        }
        self.give_all(at, role_of_children(kind, context.role), context.scope);
        if context.role == Role::Done {
            return;
        }
        match kind {
            Kind::FunctionDeclaration
            | Kind::FunctionExpression
            | Kind::ArrowFunction
            | Kind::Method
            | Kind::MethodSignature => self.function(at, context),
            Kind::FunctionType => self.function_type(at, context),
            Kind::Class => self.class(at, context),
            Kind::Interface => self.interface(at, context),
            Kind::Enum => self.enumeration(at, context),
            Kind::Namespace => self.namespace(at, context),
            Kind::TypeAlias => self.type_alias(at, context),
            Kind::ClassBody => self.members(at, context),
            Kind::FieldDefinition => self.field(at, context),
            Kind::ClassStaticBlock => self.static_block(at, context),
            Kind::Block | Kind::SwitchBody => self.block(at, context),
            Kind::For => self.for_loop(at, context),
            Kind::ForIn => self.for_in(at, context),
            Kind::Catch => self.catch(at, context),
            _ => self.visit_statement(at, kind, context),
        }
    }

    fn visit_statement(&mut self, at: At, kind: Kind, context: Context) {
        match kind {
            Kind::ImportStatement => self.import(at, context),
            Kind::ImportAlias => self.import_alias(at, context),
            Kind::Export => self.export(at, context),
            Kind::VariableDeclarator => self.declarator(at, context),
            Kind::Assignment => self.assignment(at, context),
            Kind::FormalParameters => self.parameters(at, context),
            Kind::Return => self.returned(at, context),
            Kind::Parameter => self.parameter(at, context),
            Kind::ObjectPattern => self.object_pattern(at, context),
            Kind::PairPattern => self.pair_pattern(at, context),
            Kind::AssignmentPattern => {
                self.give_field(at, Field::Left, context.role, context.scope);
                self.give_field(at, Field::Right, Role::Read, context.scope);
            }
            _ => self.visit_expression(at, kind, context),
        }
    }

    fn visit_expression(&mut self, at: At, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Call => self.call(at, context),
            Kind::New => self.give_field(at, Field::Constructor, Role::Callee, scope),
            Kind::Member => self.member(at, context),
            Kind::Subscript => self.subscript(at, context),
            Kind::JsxOpening => self.element(at, context),
            Kind::JsxClosing | Kind::JsxNamespaceName => self.give_all(at, Role::Done, scope),
            Kind::ExtendsClause => self.heritage(at, context),
            Kind::GenericType => self.give_first(at, context.role, scope),
            _ => self.visit_type(at, kind, context),
        }
    }

    pub(super) fn role(&self, at: At) -> Role {
        let context = self.contexts.get(at);
        context.map_or(Role::Read, |context| context.role)
    }

    pub(super) fn give(&mut self, at: At, role: Role, scope: ScopeId) {
        if let Some(context) = self.contexts.get_mut(at) {
            *context = Context { role, scope };
        }
    }

    pub(super) fn give_all(&mut self, at: At, role: Role, scope: ScopeId) {
        let tree = self.tree;
        for child in tree.children(at) {
            self.give(child, role, scope);
        }
    }

    pub(super) fn give_field(&mut self, at: At, field: Field, role: Role, scope: ScopeId) {
        if let Some(child) = self.tree.child(at, field) {
            self.give(child, role, scope);
        }
    }

    pub(super) fn give_first(&mut self, at: At, role: Role, scope: ScopeId) {
        let first = self.tree.operands(at).next();
        if let Some(first) = first {
            self.give(first, role, scope);
        }
    }
}

/// What children are for, unless their parent says otherwise.
fn role_of_children(kind: Kind, role: Role) -> Role {
    match (kind, role) {
        (_, Role::Done) => Role::Done,
        (Kind::Parenthesized | Kind::NonNull, Role::Signature | Role::Body) => Role::Read,
        (Kind::Parenthesized | Kind::NonNull, _) | (Kind::AmbientDeclaration, Role::Exported) => {
            role
        }
        (Kind::ClassHeritage, _) => Role::Base,
        (Kind::ArrayPattern | Kind::RestPattern | Kind::Array | Kind::Spread, _) => match role {
            Role::Bound(binds) => Role::Bound(Binds {
                to: binds.to.of_parts(),
                ..binds
            }),
            Role::Assigned(_) => Role::Assigned(To::Variable(None)),
            _ => Role::Read,
        },
        _ => Role::Read,
    }
}
