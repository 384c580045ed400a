//! Reads the types of comments as values: instances of classes and other types by number.

use super::types::DocType;
use crate::ecmascript::annotations::TRANSPARENT;
use crate::ecmascript::builder::FactsBuilder;
use crate::facts::{
    BindingTarget, DOCUMENTED, ImportedItem, MODULE, RETURNED, ScopeId, ScopeKind, Space,
    TYPE_NUMBER, TypeFact, TypeShape, UNNAMED_MODULE, Value,
};
use ragnav_base::position::wire;

/// The maximum number of types of one file that no name expresses.
const MAX_TYPES: usize = 5_000;

/// The maximum depth of types that name each other.
pub(super) const MAX_DEPTH: usize = 8;

impl<'t> FactsBuilder<'_, 't> {
    /// Returns the value of a type, if it says anything.
    pub(super) fn doc_value(&mut self, of: &DocType<'t>, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let shape = match of {
            DocType::Plain | DocType::Predicate(_) => return None,
            DocType::Name(_) | DocType::Import { .. } => return self.instance_value(of),
            DocType::TypeOf(of) => {
                let (of, scope) = self.type_path(of)?;
                return self.numbered_in(scope, TypeShape::AnyOf(vec![of]));
            }
            DocType::Applied { of, arguments } => return self.applied_value(of, arguments, depth),
            DocType::AnyOf(arms) => {
                let arms = arms.iter().filter_map(|arm| self.doc_value(arm, depth));
                TypeShape::AnyOf(arms.collect())
            }
            DocType::Tuple(parts) => TypeShape::Tuple(self.doc_values(parts, depth)),
            DocType::Object(members) => TypeShape::Object(self.documented_object(members, depth)),
            DocType::Function { returns, .. } => {
                TypeShape::Function(self.documented_result(returns.as_deref(), depth))
            }
        };
        self.numbered(shape)
    }

    /// Returns the value of a type by its name, which a tag or code may define.
    fn instance_value(&mut self, of: &DocType<'t>) -> Option<Value> {
        let (of, scope) = self.type_path(of)?;
        if let Some(&known) = self.documented.values.get(&(scope, of.path)) {
            return Some(known);
        }
        let value = self.numbered_in(scope, TypeShape::InstanceOf(of))?;
        self.documented.values.insert((scope, of.path), value);
        Some(value)
    }

    /// Returns the path of the name of a type, and the scope in which it is looked up.
    fn type_path(&mut self, of: &DocType<'t>) -> Option<(Value, ScopeId)> {
        let (path, scope) = match of {
            DocType::Import { module, members } => {
                let module = self.documented_module(module);
                let dot = if members.is_empty() { "" } else { "." };
                let scope = self.documentation_scope(MODULE);
                (format!("{module}{dot}{members}"), scope)
            }
            DocType::Name(path) => {
                let first = path.split('.').next().unwrap_or(path);
                if self.documented.is_open(first) {
                    return None;
                }
                let scope = self.scope_of_type(path);
                let is_named = self.documented.named.contains_key(first);
                let prefix = if is_named { DOCUMENTED } else { "" };
                (format!("{prefix}{path}"), scope)
            }
            _ => return None,
        };
        let path = self.intern(path);
        let is_called = false;
        Some((Value { path, is_called }, scope))
    }

    fn applied_value(
        &mut self,
        of: &DocType<'t>,
        arguments: &[Option<DocType<'t>>],
        depth: usize,
    ) -> Option<Value> {
        if matches!(of, DocType::Name(name) if TRANSPARENT.contains(name)) {
            return self.doc_value(arguments.first()?.as_ref()?, depth);
        }
        let (of, scope) = self.type_path(of)?;
        let space = Space::Types;
        let arguments = self.doc_values(arguments, depth);
        let shape = TypeShape::Applied {
            of,
            space,
            arguments,
        };
        self.numbered_in(scope, shape)
    }

    fn doc_values(&mut self, of: &[Option<DocType<'t>>], depth: usize) -> Vec<Option<Value>> {
        let values = of.iter();
        let values = values.map(|one| self.doc_value(one.as_ref()?, depth));
        values.collect()
    }

    /// Returns the scope that binds the members of an object type.
    fn documented_object(
        &mut self,
        members: &[(&'t str, Option<DocType<'t>>)],
        depth: usize,
    ) -> ScopeId {
        let enclosing = self.documentation_scope(self.documented.documented_scope);
        let scope = self.open_scope(ScopeKind::Class, enclosing, None);
        for (name, of) in members {
            let value = of.as_ref().and_then(|of| self.doc_value(of, depth));
            let position = self.position_in_comment(name);
            let name = self.intern(*name);
            self.add_documented_binding((scope, name), position, BindingTarget::Attribute(value));
        }
        scope
    }

    /// Returns the scope that binds the result of a function type.
    fn documented_result(&mut self, returns: Option<&DocType<'t>>, depth: usize) -> ScopeId {
        let enclosing = self.documentation_scope(self.documented.documented_scope);
        let scope = self.open_scope(ScopeKind::Arrow, enclosing, None);
        let value = returns.and_then(|of| self.doc_value(of, depth));
        let name = self.intern(RETURNED);
        // A result has no name, so nothing reads this position.
        let position = self.position_in_comment("");
        self.add_documented_binding((scope, name), position, BindingTarget::Variable(value));
        scope
    }

    /// Returns the name under which the module of `import("./a")` is bound.
    pub(super) fn documented_module(&mut self, module: &'t str) -> String {
        if let Some(name) = self.documented.modules.get(module) {
            return name.clone();
        }
        let position = self.position_in_comment(module);
        let scope = self.documentation_scope(MODULE);
        let specifier = self.intern(module);
        let id = self.add_import(specifier, ImportedItem::Module, None, scope, position);
        let name = format!("{UNNAMED_MODULE}of types {}", id.0);
        let bound = self.intern(name.clone());
        self.add_documented_binding((MODULE, bound), position, BindingTarget::Import(id));
        self.documented.modules.insert(module, name.clone());
        name
    }

    /// Returns the value of a type in the scope of the current comment.
    pub(super) fn numbered(&mut self, shape: TypeShape) -> Option<Value> {
        let scope = self.documentation_scope(self.documented.documented_scope);
        self.numbered_in(scope, shape)
    }

    /// Returns the value of a type by its number, which follows those of the nodes.
    fn numbered_in(&mut self, scope: ScopeId, shape: TypeShape) -> Option<Value> {
        let place = self.documented.facts.len();
        if place >= MAX_TYPES {
            return None;
        }
        let number = wire(self.tree.len() + place);
        // A generic type is itself, and a call of it an instance.
        let is_called = matches!(shape, TypeShape::Applied { .. });
        self.documented.facts.push(TypeFact {
            number,
            scope,
            shape,
        });
        let path = self.intern(format!("{TYPE_NUMBER}{number}"));
        Some(Value { path, is_called })
    }

    /// Adds the types to which values refer by number to the facts.
    pub(in crate::ecmascript) fn add_documented_types(&mut self) {
        self.facts.types.append(&mut self.documented.facts);
    }
}
