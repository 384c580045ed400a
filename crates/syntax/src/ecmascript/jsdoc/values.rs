//! Reads the types of comments as values: a call of a class.

use super::types::DocType;
use crate::ecmascript::annotations::TRANSPARENT;
use crate::ecmascript::builder::FactsBuilder;
use crate::facts::{
    BindingTarget, ImportedItem, Position, RETURNED, ScopeId, ScopeKind, Space, TYPE_NUMBER,
    TypeFact, TypeShape, Value,
};
use ragnav_base::position::wire;

/// The maximum number of types of one file that no name expresses.
const MAX_TYPES: usize = 5_000;

/// The maximum depth of types that name each other.
pub(super) const MAX_DEPTH: usize = 8;

impl<'t> FactsBuilder<'_, 't> {
    /// Returns the value of a type: a call of its class.
    pub(super) fn doc_value(&mut self, of: &DocType<'t>, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let path = match of {
            DocType::Plain => return None,
            DocType::Name(name) if self.documented.templates.contains(name) => return None,
            DocType::Name(name) => match self.documented.named.get(name).cloned() {
                Some(of) => return self.named_value(name, &of, depth),
                // The type may be a constructor function.
                None => (*name).to_owned(),
            },
            DocType::Import { members: "", .. } => return None,
            DocType::Import { module, members } => {
                let module = self.documented_module(module);
                format!("{module}.{members}")
            }
            DocType::TypeOf(of) => return self.class_value(of, depth),
            DocType::Applied { of, arguments } => return self.applied_value(of, arguments, depth),
            DocType::AnyOf(arms) => {
                let arms = arms.iter().filter_map(|arm| self.doc_value(arm, depth));
                let shape = TypeShape::AnyOf(arms.collect());
                return self.numbered(shape);
            }
            DocType::Tuple(parts) => {
                let shape = TypeShape::Tuple(self.doc_values(parts, depth));
                return self.numbered(shape);
            }
            DocType::Object(members) => {
                let scope = self.documented_object(members, depth);
                return self.numbered(TypeShape::Object(scope));
            }
            DocType::Function { returns, .. } => {
                let scope = self.documented_result(returns.as_deref(), depth);
                return self.numbered(TypeShape::Function(scope));
            }
        };
        let path = self.intern(path);
        let is_called = true;
        Some(Value { path, is_called })
    }

    /// Returns the value of a type that a tag names. One that contains itself has none inside.
    pub(super) fn named_value(
        &mut self,
        name: &'t str,
        of: &DocType<'t>,
        depth: usize,
    ) -> Option<Value> {
        if let Some(&known) = self.documented.values.get(name) {
            return known;
        }
        self.documented.values.insert(name, None);
        let value = match of {
            // A class of the file may have the same name: `@typedef {import("./a").A} A`.
            DocType::Name(same) if *same == name => None,
            _ => self.doc_value(of, depth),
        };
        self.documented.values.insert(name, value);
        value
    }

    /// Returns the value of `typeof A`, which is `A` itself.
    fn class_value(&mut self, of: &DocType<'t>, depth: usize) -> Option<Value> {
        let path = match of {
            DocType::Import { module, members } => {
                let module = self.documented_module(module);
                let dot = if members.is_empty() { "" } else { "." };
                format!("{module}{dot}{members}")
            }
            DocType::Name(name) => match self.documented.named.get(name).cloned() {
                Some(of @ DocType::Import { .. }) => return self.class_value(&of, depth),
                _ => (*name).to_owned(),
            },
            _ => return None,
        };
        let path = self.intern(path);
        let is_called = false;
        Some(Value { path, is_called })
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
        let of = self.class_value(of, depth)?;
        let arguments = self.doc_values(arguments, depth);
        self.numbered(TypeShape::Applied {
            of,
            space: Space::Types,
            arguments,
        })
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
        let enclosing = self.documentation_scope();
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
        let enclosing = self.documentation_scope();
        let scope = self.open_scope(ScopeKind::Arrow, enclosing, None);
        let value = returns.and_then(|of| self.doc_value(of, depth));
        let name = self.intern(RETURNED);
        let position = Position {
            line: 1,
            start_utf16: 0,
        };
        self.add_documented_binding((scope, name), position, BindingTarget::Variable(value));
        scope
    }

    /// Returns the name under which the module of `import("./a")` is bound.
    pub(super) fn documented_module(&mut self, module: &'t str) -> String {
        if let Some(name) = self.documented.modules.get(module) {
            return name.clone();
        }
        let position = self.position_in_comment(module);
        let scope = self.documentation_scope();
        let specifier = self.intern(module);
        let id = self.add_import(specifier, ImportedItem::Module, None, scope, position);
        let name = format!("import {number} of types", number = id.0);
        let bound = self.intern(name.clone());
        self.add_documented_binding((scope, bound), position, BindingTarget::Import(id));
        self.documented.modules.insert(module, name.clone());
        name
    }

    /// Returns the value of a type that no name expresses. Its number follows those of the nodes.
    pub(super) fn numbered(&mut self, shape: TypeShape) -> Option<Value> {
        let place = self.documented.facts.len();
        if place >= MAX_TYPES {
            return None;
        }
        let number = wire(self.tree.len() + place);
        // An array is one however it is called.
        let is_called = matches!(shape, TypeShape::Applied { .. });
        let scope = self.documentation_scope();
        self.documented.facts.push(TypeFact {
            number,
            scope,
            shape,
        });
        let path = self.intern(format!("{TYPE_NUMBER}{number}"));
        Some(Value { path, is_called })
    }

    /// Adds the types that no name expresses to the facts.
    pub(in crate::ecmascript) fn add_documented_types(&mut self) {
        self.facts.types.append(&mut self.documented.facts);
    }
}
