//! Python's facts: one walk in the order of the text, in which each node tells those inside it what they are for.
//!
//! Scopes are CPython's: defaults, decorators, annotations, superclasses and a comprehension's first iterable
//! belong to the scope around.

use tree_sitter::Tree;

use super::annotations;
use super::kinds::FlatTree;
use super::kinds::{Field, Kind, NUMBERS};
use super::scopes::Surroundings;
use crate::body::{self, Named};
use crate::facts::{Facts, Outer, ReferenceKind, Scope, ScopeId, ScopeKind, Value};
use crate::names::{Names, Positions};
use crate::tree::At;
use crate::{RawDefinition, Symbol, symbols_of};

/// What a node is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is read.
    Read,
    /// It is an annotation, of which parts may stand in quotes.
    Annotation,
    /// It is called.
    Callee,
    /// A class inherits from it.
    Base,
    /// Something is assigned to it.
    Target(Option<Value>),
    /// It is read and assigned to: `target += 1`.
    Updated,
    /// It is a parameter.
    Parameter(Option<Value>),
    /// It declares type parameters.
    Declared,
    /// It is the last segment of a dotted name.
    Member(ReferenceKind),
    /// It is the last segment of a dotted name that is assigned to.
    TargetMember(Option<Value>),
    /// It is declared to be of an outer scope.
    Outer(Outer),
    /// It is a class's superclasses and keywords.
    Superclasses,
    /// It is the class that a pattern names.
    PatternClass,
    /// It is a comprehension's first `for`.
    FirstFor,
    /// Whoever gave this role took care of all that is inside.
    Done,
}

impl Role {
    /// The role of the elements of what has this role.
    fn of_elements(self) -> Self {
        match self {
            Self::Target(_) => Self::Target(None),
            Self::Parameter(_) => Self::Parameter(None),
            Self::Annotation => Self::Annotation,
            _ => Self::Read,
        }
    }
}

/// What a node is for and where its names are looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub(super) role: Role,
    pub(super) scope: ScopeId,
}

/// The module's scope.
pub(super) const MODULE: ScopeId = ScopeId(0);

/// The walk with what it found so far.
pub(super) struct Walk<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) facts: Facts,
    pub(super) names: Names<'t>,
    pub(super) positions: Positions<'t>,
    /// What else is known of [`Facts::scopes`].
    pub(super) surroundings: Vec<Surroundings>,
    /// The definitions that are still to come, in reverse.
    pub(super) expected: Vec<(RawDefinition, Symbol)>,
    /// The nodes of the definitions that came.
    pub(super) found: Vec<Named>,
    /// One for each node of the tree, set before the node's turn comes.
    contexts: Vec<Context>,
}

pub(super) fn facts(tree: &Tree, text: &str) -> Facts {
    let outline = super::definitions(tree, text);
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
        let hashes = body::hashes(self.tree, &self.found);
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

    pub(super) fn give(&mut self, at: At, role: Role, scope: ScopeId) {
        if let Some(context) = self.contexts.get_mut(at) {
            *context = Context { role, scope };
        }
    }

    fn give_all(&mut self, at: At, role: Role, scope: ScopeId) {
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

    fn give_operand(&mut self, at: At, index: usize, role: Role, scope: ScopeId) {
        let operand = self.tree.operands(at).nth(index);
        if let Some(operand) = operand {
            self.give(operand, role, scope);
        }
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
