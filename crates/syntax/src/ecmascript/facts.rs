//! Facts of JavaScript and TypeScript: one walk in the order of the text, in which each node tells those inside it what they are for.

use std::collections::{HashMap, HashSet};

use super::builder::{Surroundings, Walk};
use super::definitions::{self};
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Binds, Context, MODULE, Role, To};
use crate::body_hash::{self, Named};
use crate::facts::{Facts, Scope, ScopeKind};
use crate::name_table::Names;
use crate::positions::Positions;
use crate::tree::At;

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
        let hashes = body_hash::hashes(self.tree, &named);
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
