//! Collects parameters, and attributes assigned through the first parameter of a method.

use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, Kind};
use crate::facts::{BindingTarget, Name, ScopeId, Value};
use crate::tree::NodeIndex;

impl FactsBuilder<'_> {
    pub(super) fn visit_parameters(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        for parameter in tree.operands(node) {
            self.roles
                .set(parameter, Role::Parameter(None), context.scope);
        }
    }

    pub(super) fn visit_typed_parameter(&mut self, node: NodeIndex, context: Context) {
        let Some(name) = self.tree.operands(node).next() else {
            return;
        };
        let value = self.annotation_value(node, context);
        let value = match self.tree.kind(name) {
            Kind::Splat => self.value_of_rest(name, value),
            _ => value,
        };
        self.roles.set(name, Role::Parameter(value), context.scope);
    }

    /// Returns the value of a parameter that receives further arguments of a type: a sequence for
    /// `*a: A` and a mapping for `**a: A`.
    fn value_of_rest(&mut self, parameter: NodeIndex, each: Option<Value>) -> Option<Value> {
        let Value { path, is_called } = each?;
        let path = self.names.text(path);
        let name = path.rsplit('.').next().unwrap_or(path);
        // `P.args` of a `ParamSpec`, types of each argument, and types that say nothing.
        if matches!(name, "Any" | "Unpack" | "args" | "kwargs" | "object") {
            return None;
        }
        let each = if is_called {
            format!("{path}()")
        } else {
            path.to_owned()
        };
        let is_mapping = self.tree.text(parameter).starts_with("**");
        let path = if is_mapping {
            format!("{{{each}}}")
        } else {
            format!("[{each}]")
        };
        Some(self.path_value(&path))
    }

    pub(super) fn visit_default_parameter(&mut self, node: NodeIndex, context: Context) {
        let value = self.annotation_value(node, context);
        self.roles
            .set_field(node, Field::Name, Role::Parameter(value), context.scope);
        self.roles.set_field(
            node,
            Field::Value,
            Role::Read,
            self.facts.enclosing_scope(context.scope),
        );
    }

    /// Returns the type of a parameter. Its annotation is evaluated in the enclosing scope.
    fn annotation_value(&mut self, parameter: NodeIndex, context: Context) -> Option<Value> {
        let annotation = self.tree.child(parameter, Field::Type)?;
        let enclosing = self.facts.enclosing_scope(context.scope);
        self.roles.set(annotation, Role::Annotation, enclosing);
        let value_text = self.annotation_text(annotation, enclosing);
        self.intern_value(value_text)
    }

    pub(super) fn bind_parameter(&mut self, node: NodeIndex, scope: ScopeId, value: Option<Value>) {
        let name = self.intern(self.tree.text(node));
        let enclosing = self.facts.enclosing_scope(scope);
        let inherited = self.scope_info(enclosing).instance;
        // A parameter of a nested function may shadow the instance parameter of its method.
        let hides = inherited.is_some_and(|(hidden, _)| hidden == name);
        if let Some(inside) = self.scope_info.get_mut(scope.0 as usize)
            && hides
            && inside.instance == inherited
        {
            inside.instance = None;
        }
        self.bind(node, scope, BindingTarget::Parameter(value), enclosing);
    }

    /// Binds the attribute of `self.name = …` in a method.
    pub(super) fn bind_attribute(&mut self, node: NodeIndex, scope: ScopeId, value: Option<Value>) {
        let object = self.tree.operands(self.tree.parent(node)).next();
        let Some((instance, class)) = self.scope_info(scope).instance else {
            return;
        };
        let is_instance = object.is_some_and(|object| {
            self.tree.kind(object) == Kind::Identifier
                && self.intern(self.tree.text(object)) == instance
        });
        if is_instance {
            self.bind(node, class, BindingTarget::Attribute(value), scope);
        }
    }

    /// Returns the first parameter of a method: the instance or the class.
    pub(super) fn instance_parameter(&mut self, method: NodeIndex) -> Option<Name> {
        let decorators = self.decorator_texts(method);
        if decorators
            .iter()
            .any(|decorator| decorator.path == "staticmethod")
        {
            return None;
        }
        let parameters = self.tree.child(method, Field::Parameters)?;
        let first = self.tree.operands(parameters).next()?;
        let name = match self.tree.kind(first) {
            Kind::Identifier => first,
            Kind::TypedParameter | Kind::DefaultParameter => self.tree.operands(first).next()?,
            _ => return None,
        };
        let is_name = self.tree.kind(name) == Kind::Identifier;
        is_name.then(|| self.intern(self.tree.text(name)))
    }
}
