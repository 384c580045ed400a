//! Python's facts: one walk in the order of the text, in which each node tells those inside it what they are for.
//!
//! Scopes are CPython's: defaults, decorators, annotations, superclasses and a comprehension's first iterable
//! belong to the scope around.

use tree_sitter::Tree;

use super::annotations;
use super::builder::{Context, MODULE, Role, Surroundings, Walk};
use super::kinds::FlatTree;
use super::kinds::{Field, Kind, NUMBERS};
use crate::body_hash;
use crate::facts::{Facts, Outer, ReferenceKind, Scope, ScopeKind};
use crate::name_table::Names;
use crate::positions::Positions;
use crate::raw_definition::symbols_of;
use crate::tree::At;

pub(super) fn facts(tree: &Tree, text: &str) -> Facts {
    let outline = super::definitions::definitions(tree, text);
    let definitions = outline.definitions;
    let symbols = symbols_of(definitions.clone(), text);
    let flat = FlatTree::new(tree, text, &NUMBERS);
    let context = Context {
        role: Role::Read,
        scope: MODULE,
    };
    let mut walk = Walk {
        tree: &flat,
        facts: Facts {
            is_partial: outline.is_partial,
            ..Facts::default()
        },
        names: Names::default(),
        positions: Positions::new(text),
        surroundings: Vec::new(),
        expected: definitions.into_iter().zip(symbols).rev().collect(),
        found: Vec::new(),
        contexts: vec![context; flat.len()],
    };
    walk.facts.scopes.push(Scope {
        kind: ScopeKind::Module,
        parent: None,
        definition: None,
    });
    walk.surroundings.push(Surroundings::default());
    for at in 0..flat.len() {
        walk.visit(at);
    }
    walk.finish()
}

impl Walk<'_> {
    fn finish(mut self) -> Facts {
        let hashes = body_hash::hashes(self.tree, &self.found);
        for (definition, hash) in self.facts.definitions.iter_mut().zip(hashes) {
            definition.body = hash;
        }
        // An error inside an import comes after all that is imported.
        self.facts.references.sort_by_key(|reference| reference.at);
        self.facts.bindings.sort_by_key(|binding| binding.at);
        self.facts.names = self.names.into_texts();
        self.facts
    }

    fn visit(&mut self, at: At) {
        let Some(&context) = self.contexts.get(at) else {
            return;
        };
        let kind = self.tree.kind(at);
        if kind == Kind::Identifier {
            return self.identifier(at, context);
        }
        if self.tree.is_leaf(at) {
            return;
        }
        self.give_all(at, role_of_children(kind, context.role), context.scope);
        if context.role == Role::Done {
            return;
        }
        match kind {
            Kind::FunctionDefinition => self.function(at, context),
            Kind::ClassDefinition => self.class(at, context),
            Kind::Lambda => self.lambda(at, context),
            Kind::Comprehension => self.comprehension(at, context),
            Kind::ForInClause => self.for_in(at, context),
            Kind::Parameters => self.parameters(at, context),
            Kind::TypedParameter => self.typed_parameter(at, context),
            Kind::DefaultParameter => self.default_parameter(at, context),
            Kind::TypeAliasStatement => self.type_alias(at, context),
            Kind::ImportStatement | Kind::FutureImportStatement | Kind::ImportFromStatement => {
                self.import(at, context);
            }
            Kind::ArgumentList if context.role == Role::Superclasses => {
                self.superclasses(at, context);
            }
            Kind::Call => {
                self.give_field(at, Field::Function, Role::Callee, context.scope);
                self.quoted_arguments(at, context);
                self.extended_exports(at, context);
            }
            Kind::Assignment | Kind::AugmentedAssignment => self.assignment(at, context),
            Kind::NamedExpression => self.named_expression(at, context),
            _ => self.visit_names(at, kind, context),
        }
    }

    /// The smaller constructs in which not all children are read.
    fn visit_names(&mut self, at: At, kind: Kind, context: Context) {
        let scope = context.scope;
        match kind {
            Kind::Attribute | Kind::MemberType => self.attribute(at, context),
            Kind::String if context.role == Role::Annotation => self.quoted(at, scope),
            Kind::Subscript | Kind::TypeParameter if context.role == Role::Annotation => {
                self.generic_annotation(at, scope);
            }
            // What a type alias holds may stand in quotes too.
            Kind::Subscript if context.role == Role::Read && self.is_generic(at) => {
                self.give_all(at, Role::Annotation, scope);
                self.generic_annotation(at, scope);
            }
            Kind::ReturnStatement => self.returned(at, scope),
            Kind::Subscript if context.role == Role::Base => {
                self.give_field(at, Field::Value, Role::Base, scope);
            }
            Kind::KeywordArgument => self.give_field(at, Field::Name, Role::Done, scope),
            Kind::KeywordPattern => self.give_operand(at, 0, Role::Done, scope),
            Kind::ForStatement => {
                let element = self.element(at);
                self.give_field(at, Field::Left, Role::Target(element), scope);
            }
            Kind::AsPattern => self.as_pattern(at, context),
            Kind::ExceptClause => self.except(at, context),
            Kind::ClassPattern => self.give_operand(at, 0, Role::PatternClass, scope),
            Kind::GenericType if matches!(context.role, Role::Target(_)) => {
                self.generic_alias(at, context);
            }
            Kind::DottedName => self.dotted_name(at, context),
            Kind::ConstrainedType if context.role == Role::Declared => {
                self.give_operand(at, 0, Role::Declared, scope);
            }
            _ => {}
        }
    }

    fn is_generic(&self, subscript: At) -> bool {
        let of = self.tree.child(subscript, Field::Value);
        let name = of.and_then(|of| self.tree.last_name(of));
        name.is_some_and(annotations::is_generic)
    }

    /// `a.b`: `b` is what the whole is for, `a` is read.
    fn attribute(&mut self, at: At, context: Context) {
        let role = match context.role {
            Role::Target(value) => Role::TargetMember(value),
            Role::Callee => Role::Member(ReferenceKind::Call),
            Role::Base => Role::Member(ReferenceKind::Inherit),
            _ => Role::Member(ReferenceKind::Reference),
        };
        self.give_operand(at, 1, role, context.scope);
    }

    /// In a pattern a single name is bound, unless it is a class's.
    fn dotted_name(&mut self, at: At, context: Context) {
        let in_pattern = matches!(
            self.tree.kind(self.tree.parent(at)),
            Kind::Pattern | Kind::KeywordPattern
        );
        let is_class = context.role == Role::PatternClass;
        let is_capture = in_pattern && !is_class && self.tree.operands(at).nth(1).is_none();
        let first = if is_capture {
            Role::Target(None)
        } else {
            Role::Read
        };
        self.give_all(at, Role::Member(ReferenceKind::Reference), context.scope);
        self.give_operand(at, 0, first, context.scope);
    }
}

/// What children are for, unless their parent says otherwise.
fn role_of_children(kind: Kind, role: Role) -> Role {
    match kind {
        _ if role == Role::Done => Role::Done,
        Kind::ParenthesizedExpression | Kind::AsPatternTarget | Kind::Type => role,
        Kind::BinaryOperator
        | Kind::GenericType
        | Kind::Subscript
        | Kind::TypeParameter
        | Kind::UnionType
            if role == Role::Annotation =>
        {
            role
        }
        Kind::TypeParameter | Kind::SplatType if role == Role::Declared => role,
        // To the grammar `*f()` is a call of `*f`.
        Kind::Splat if role == Role::Callee => role,
        Kind::Elements | Kind::List | Kind::Splat | Kind::Tuple => role.of_elements(),
        Kind::GlobalStatement => Role::Outer(Outer::Global),
        Kind::NonlocalStatement => Role::Outer(Outer::Nonlocal),
        Kind::SplatPattern => Role::Target(None),
        _ => Role::Read,
    }
}
