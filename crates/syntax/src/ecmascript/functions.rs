//! Visits functions: their names, `this`, and returned values.

use super::annotations::type_number;
use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::references::binding_target;
use super::roles::{self, Context, Declaration, DeclaredTarget, Role};
use super::value_text::ValueText;
use crate::facts::{ACCESSOR, BindingTarget, DefinitionId, RETURNED, ScopeId, ScopeKind};
use crate::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

impl<'t> FactsBuilder<'_, 't> {
    pub(super) fn visit_function(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let kind = tree.kind(node);
        let id = self.definition_at(node);
        if kind == Kind::MethodSignature && id.is_none() {
            return self.visit_function_type(node, context);
        }
        let mut enclosing = context.scope;
        // The name of a function expression is visible only inside it, and declarations shadow it.
        if kind == Kind::FunctionExpression && tree.child(node, Field::Name).is_some() {
            enclosing = self.open_scope(ScopeKind::Block, enclosing, id);
        }
        let named = enclosing;
        let enclosing = self.type_parameters(node, enclosing, id);
        let opened = match kind {
            Kind::ArrowFunction => ScopeKind::Arrow,
            _ => ScopeKind::Function,
        };
        let scope = self.open_scope(opened, enclosing, id);
        self.set_definition_scope(id, scope);
        self.bind_own_name(node, id, named, context);
        self.set_this(node, id, scope, context.scope);
        self.mark_accessor(node, scope);
        self.bind_predicate(node, scope, enclosing);
        self.bind_imported_parameter(node, scope);
        self.bind_documented_function((node, context.scope), id, scope);
        if id.is_none() {
            self.bind_argument_result(node, scope, enclosing);
        }
        self.roles
            .set_field(node, Field::Parameters, Role::Read, scope);
        if let Some(single) = tree.child(node, Field::Parameter) {
            let target = DeclaredTarget::Parameter(self.contextual_value(single));
            let parameter = Declaration {
                scope,
                target,
                is_exported: false,
            };
            self.roles.set(single, Role::Declared(parameter), enclosing);
        }
        self.roles
            .set_field(node, Field::ReturnType, Role::Read, enclosing);
        let body = tree.child(node, Field::Body);
        if let Some(body) = body {
            let is_block = tree.kind(body) == Kind::Block;
            if is_block && tree.is_strict(body) {
                self.set_strict(scope);
            }
            if !is_block {
                let text = self.value_text(body);
                self.bind_returned((body, text), scope, scope);
                self.bind_cast_result(body, scope, scope);
            }
            let inside = if is_block {
                self.open_body_scope(node, scope)
            } else {
                scope
            };
            self.roles
                .set(body, if is_block { Role::Body } else { Role::Read }, inside);
        }
    }

    /// Marks a getter or setter of TypeScript, or a getter of the instances of a class of
    /// JavaScript.
    fn mark_accessor(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let name = tree.child(node, Field::Name).unwrap_or(node);
        let words = tree.children(node).take_while(|&child| child < name);
        let words: Vec<&str> = words.map(|word| tree.text(word)).collect();
        let is_accessor = if self.is_typed {
            words.contains(&"get") || words.contains(&"set")
        } else {
            words.contains(&"get") && !words.contains(&"static")
        };
        if is_accessor {
            let name = self.intern(ACCESSOR);
            self.bind_name(name, node, scope, BindingTarget::Variable(None), scope);
        }
    }

    /// Opens a scope for the body if default values of parameters refer to names.
    ///
    /// Default values do not see the variables of the body.
    fn open_body_scope(&mut self, function: NodeIndex, scope: ScopeId) -> ScopeId {
        let tree = self.tree;
        let parameters = tree.child(function, Field::Parameters);
        if !parameters.is_some_and(|parameters| tree.has_named_default(parameters)) {
            return scope;
        }
        let body = self.open_scope(ScopeKind::Block, scope, None);
        self.set_variable_scope(body);
        body
    }

    /// Binds the name of a function.
    ///
    /// A declaration binds it in the enclosing scope, an expression inside itself, a method in its
    /// class.
    fn bind_own_name(
        &mut self,
        node: NodeIndex,
        id: Option<DefinitionId>,
        enclosing: ScopeId,
        context: Context,
    ) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        let target = id.map_or(DeclaredTarget::Variable(None), DeclaredTarget::Definition);
        let (scope, is_exported) = match tree.kind(node) {
            Kind::FunctionDeclaration => {
                let scope_info = self.scope_info(context.scope);
                let declaring_scope = if scope_info.is_strict {
                    context.scope
                } else {
                    scope_info.variable_scope
                };
                (declaring_scope, roles::is_exported(context))
            }
            Kind::FunctionExpression => (enclosing, false),
            _ => {
                return self.bind_member(
                    name,
                    binding_target(target),
                    context.scope,
                    context.scope,
                );
            }
        };
        let declaration = Declaration {
            scope,
            target,
            is_exported,
        };
        self.roles
            .set(name, Role::Declared(declaration), context.scope);
    }

    /// Binds a member of a class, interface or enum. Members of objects are not bound.
    pub(super) fn bind_member(
        &mut self,
        key: NodeIndex,
        target: BindingTarget,
        class: ScopeId,
        value_scope: ScopeId,
    ) {
        let tree = self.tree;
        let is_class = self
            .facts
            .scope(class)
            .is_some_and(|class| class.kind == ScopeKind::Class);
        if tree.kind(key) == Kind::ComputedName {
            let enclosing = if is_class {
                self.facts.enclosing_scope(class)
            } else {
                class
            };
            self.roles.set(key, Role::Read, enclosing);
        } else {
            self.roles.set(key, Role::Handled, class);
        }
        let is_member = !matches!(tree.kind(tree.parent(tree.parent(key))), Kind::Object);
        if let Some(text) = tree.key(key).filter(|_| is_class && is_member) {
            let name = self.intern(text);
            self.bind_name(name, key, class, target, value_scope);
        }
    }

    /// Sets the instance that `this` refers to. An arrow function inherits it.
    fn set_this(
        &mut self,
        node: NodeIndex,
        id: Option<DefinitionId>,
        scope: ScopeId,
        enclosing: ScopeId,
    ) {
        let tree = self.tree;
        if tree.kind(node) == Kind::ArrowFunction {
            return;
        }
        let inherited = self.scope_info(enclosing).instance;
        let is_object = tree.kind(tree.parent(node)) == Kind::Object;
        // The scope of a method is directly inside its class or its type parameters.
        if inherited == Some(enclosing) && !is_object {
            let in_class = self
                .facts
                .scope(enclosing)
                .is_some_and(|enclosing| enclosing.kind == ScopeKind::Class);
            if in_class {
                return;
            }
        }
        let is_function = id.is_some_and(|id| {
            let definition = self.facts.definition(id);
            definition.is_some_and(|fact| fact.kind == DefinitionKind::Function)
        });
        self.set_instance(scope, is_function.then_some(scope));
        let hides = inherited
            .and_then(|inherited| self.facts.scope(inherited))
            .is_some_and(|inherited| inherited.kind == ScopeKind::Class);
        if hides {
            let name = self.intern("this");
            self.bind_name(name, node, scope, BindingTarget::Parameter(None), scope);
        }
    }

    pub(super) fn visit_return(&mut self, node: NodeIndex, context: Context) {
        let value = self.tree.operands(node).next();
        let function = self.scope_info(context.scope).function;
        let in_function = self
            .facts
            .scope(function)
            .is_some_and(|scope| matches!(scope.kind, ScopeKind::Arrow | ScopeKind::Function));
        if let Some(value) = value.filter(|_| in_function) {
            let text = self.value_text(value);
            self.bind_returned((value, text), function, context.scope);
            self.bind_cast_result(value, function, context.scope);
        }
    }

    /// Visits `yield a`, by which a function of TypeScript returns an iterator.
    pub(super) fn visit_yield(&mut self, node: NodeIndex, context: Context) {
        let function = self.scope_info(context.scope).function;
        self.bind_returned((node, Some(type_number(node))), function, context.scope);
    }

    /// Binds the declared result of a function that is an argument in TypeScript, or keeps the
    /// results that it returns.
    fn bind_argument_result(&mut self, function: NodeIndex, scope: ScopeId, enclosing: ScopeId) {
        let tree = self.tree;
        if !self.is_typed || tree.kind(tree.parent(function)) != Kind::Arguments {
            return;
        }
        let Some(declared) = tree.child(function, Field::ReturnType) else {
            return self.keep_results(scope);
        };
        let target = BindingTarget::Variable(self.type_value(declared));
        let name = self.intern(RETURNED);
        self.bind_name(name, declared, scope, target, enclosing);
    }

    /// Binds a returned value of a definition without a declared return type, or of an argument.
    fn bind_returned(
        &mut self,
        (value, text): (NodeIndex, Option<ValueText<'t>>),
        function: ScopeId,
        scope: ScopeId,
    ) {
        let definition = self
            .facts
            .scope(function)
            .and_then(|scope| scope.definition);
        let definition = definition.and_then(|id| self.facts.definition(id));
        let has_no_return_type =
            definition.is_some_and(|fact| fact.scope == function && fact.returns.is_none());
        if has_no_return_type || self.scope_info(function).has_results {
            let target = BindingTarget::Variable(self.intern_value(text));
            let name = self.intern(RETURNED);
            self.bind_name(name, value, function, target, scope);
        }
    }

    /// Visits parameters without a body, in which only types are references.
    pub(super) fn visit_function_type(&mut self, node: NodeIndex, context: Context) {
        let scope = self.type_parameters(node, context.scope, None);
        self.roles
            .set_field(node, Field::Parameters, Role::Signature, scope);
        self.roles
            .set_field(node, Field::ReturnType, Role::Read, scope);
        self.roles.set_field(node, Field::Type, Role::Read, scope);
    }
}

impl FlatTree<'_> {
    /// Reports whether a default value refers to a name.
    fn has_named_default(&self, parameters: NodeIndex) -> bool {
        let mut end = parameters;
        for node in parameters..self.subtree_end(parameters) {
            let is_name = matches!(self.kind(node), Kind::Identifier | Kind::Shorthand);
            if is_name && node < end {
                return true;
            }
            let value = match self.kind(self.parent(node)) {
                Kind::AssignmentPattern => Field::Right,
                Kind::Parameter => Field::Value,
                _ => continue,
            };
            if self.node(node).field != value {
                continue;
            }
            if is_name {
                return true;
            }
            end = end.max(self.subtree_end(node));
        }
        false
    }
}
