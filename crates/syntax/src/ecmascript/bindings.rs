//! What binds names: declarations, assignments, parameters, attributes.

use std::collections::HashMap;

use super::builder::{Assigned, Walk};
use super::kinds::{Field, Kind};
use super::references::bound;
use super::roles::{Binds, Context, MODULE, Role, To};
use super::value_text::Said;
use crate::facts::{Binding, Bound, Name, ScopeId};
use crate::tree::At;

/// An assignment farther inside than this many scopes is to nobody's name.
const MAX_SCOPES: usize = 256;

impl<'t> Walk<'_, 't> {
    pub(super) fn declarator(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let Some(name) = tree.child(at, Field::Name) else {
            return;
        };
        let declaration = tree.parent(at);
        let scope = match tree.kind(declaration) {
            Kind::VariableDeclaration => self.surroundings(context.scope).host,
            _ => context.scope,
        };
        let exported = self.role(declaration) == Role::Exported && scope == MODULE;
        let value = tree.child(at, Field::Value);
        if let Some(value) = value {
            self.required(name, value, scope);
        }
        let annotation = tree.child(at, Field::Type);
        let annotated = annotation.and_then(|annotation| tree.annotation(annotation));
        let to = self.to(name, value, annotated);
        let binds = Binds {
            scope,
            to,
            exported,
        };
        self.give(name, Role::Bound(binds), context.scope);
    }

    /// What a name is bound to: the definition that goes by it, or what it says it is, or what its value is.
    pub(super) fn to(&mut self, name: At, value: Option<At>, annotated: Option<Said<'t>>) -> To {
        let tree = self.tree;
        if let Some(id) = value.and_then(|value| self.definition_at(tree.bare(value)))
            && self.is_named(id, name)
        {
            return To::Definition(id);
        }
        let said = annotated.or_else(|| tree.value(value?));
        To::Variable(self.value(said))
    }

    pub(super) fn assignment(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let (left, right) = (tree.child(at, Field::Left), tree.child(at, Field::Right));
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        self.assigned_exports(left, right, context.scope);
        self.required(left, right, context.scope);
        let name = tree
            .segments(left)
            .and_then(|segments| segments.last().copied());
        let to = self.to(name.unwrap_or(left), Some(right), None);
        self.give(left, Role::Assigned(to), context.scope);
    }

    /// Gives assignments to the scopes that declare their names, or else to the module's.
    pub(super) fn bind_assigned(&mut self) {
        let declared = self.facts.bindings.iter();
        let declared: HashMap<(ScopeId, Name), bool> = declared
            .filter(|row| !matches!(row.to, Bound::Attribute(_)))
            .map(|row| {
                let is_variable = matches!(row.to, Bound::Variable(_) | Bound::Parameter(_));
                ((row.scope, row.name), is_variable)
            })
            .collect();
        for assigned in std::mem::take(&mut self.assigned) {
            let Assigned {
                name,
                at,
                to,
                scope,
            } = assigned;
            let holder = self.holder(&declared, name, scope);
            if declared.get(&(holder, name)) == Some(&false) && !matches!(to, To::Definition(_)) {
                continue;
            }
            self.facts.bindings.push(Binding {
                scope: holder,
                name,
                at,
                to: bound(to),
                value_scope: scope,
            });
        }
    }

    fn holder<V>(
        &self,
        declared: &HashMap<(ScopeId, Name), V>,
        name: Name,
        scope: ScopeId,
    ) -> ScopeId {
        let mut holder = scope;
        for _ in 0..MAX_SCOPES {
            if holder == MODULE || declared.contains_key(&(holder, name)) {
                return holder;
            }
            holder = self.around(holder);
        }
        MODULE
    }

    /// `this.name = …` in a method or in a function that constructs.
    pub(super) fn assign_attribute(&mut self, at: At, to: To, scope: ScopeId) {
        let tree = self.tree;
        let object = tree.operands(tree.parent(at)).next();
        let is_this = object.is_some_and(|object| tree.kind(object) == Kind::This);
        let Some(class) = self.surroundings(scope).instance.filter(|_| is_this) else {
            return;
        };
        let to = match to {
            To::Definition(id) => Bound::Definition(id),
            To::Variable(value) => Bound::Attribute(value),
            _ => Bound::Attribute(None),
        };
        let name = self.name(tree.text(at));
        self.bind_as(name, at, class, to, scope);
    }
}
