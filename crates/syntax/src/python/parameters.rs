//! Parameters, and the attributes that methods give to what they call their instance.

use super::builder::{Context, Role, Walk};
use super::kinds::{Field, Kind};
use crate::facts::{Bound, Name, ScopeId, Value};
use crate::tree::At;

impl Walk<'_> {
    pub(super) fn parameters(&mut self, at: At, context: Context) {
        let tree = self.tree;
        for parameter in tree.operands(at) {
            self.give(parameter, Role::Parameter(None), context.scope);
        }
    }

    pub(super) fn typed_parameter(&mut self, at: At, context: Context) {
        let Some(name) = self.tree.operands(at).next() else {
            return;
        };
        let value = self.annotated(at, context);
        self.give(name, Role::Parameter(value), context.scope);
    }

    pub(super) fn default_parameter(&mut self, at: At, context: Context) {
        let value = self.annotated(at, context);
        self.give_field(at, Field::Name, Role::Parameter(value), context.scope);
        self.give_field(at, Field::Value, Role::Read, self.around(context.scope));
    }

    /// A parameter's annotation, which is evaluated around the function.
    fn annotated(&mut self, parameter: At, context: Context) -> Option<Value> {
        let annotation = self.tree.child(parameter, Field::Type)?;
        self.give(annotation, Role::Annotation, self.around(context.scope));
        let said = self.tree.annotation(annotation);
        self.value(said)
    }

    pub(super) fn bind_parameter(&mut self, at: At, scope: ScopeId, value: Option<Value>) {
        let name = self.name(self.tree.text(at));
        let around = self.around(scope);
        let inherited = self.surroundings(around).instance;
        // A parameter of a function inside a method can hide the method's instance.
        let hides = inherited.is_some_and(|(hidden, _)| hidden == name);
        if let Some(inside) = self.surroundings.get_mut(scope.0 as usize)
            && hides
            && inside.instance == inherited
        {
            inside.instance = None;
        }
        self.bind(at, scope, Bound::Parameter(value), around);
    }

    /// `self.name = …` in a method.
    pub(super) fn bind_attribute(&mut self, at: At, scope: ScopeId, value: Option<Value>) {
        let object = self.tree.operands(self.tree.parent(at)).next();
        let Some((instance, class)) = self.surroundings(scope).instance else {
            return;
        };
        let is_instance = object.is_some_and(|object| {
            self.tree.kind(object) == Kind::Identifier
                && self.name(self.tree.text(object)) == instance
        });
        if is_instance {
            self.bind(at, class, Bound::Attribute(value), scope);
        }
    }

    /// What a method directly in a class calls its instance or class: its first parameter.
    pub(super) fn instance(&mut self, method: At) -> Option<Name> {
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
        is_name.then(|| self.name(self.tree.text(name)))
    }
}
