//! Adds the references of the types of comments to definitions.

use super::types::DocType;
use crate::ecmascript::builder::FactsBuilder;
use crate::facts::{MODULE, Receiver, Reference, ReferenceKind, ScopeId, Space, Value};

impl<'t> FactsBuilder<'_, 't> {
    /// Adds the references of a type to the types that it consists of.
    pub(super) fn refer_to_type(&mut self, of: &DocType<'t>) {
        match of {
            DocType::Plain => {}
            DocType::Name(path) => {
                let first = path.split('.').next().unwrap_or(path);
                let is_alias = self.documented.named.contains_key(first);
                if !is_alias && !self.documented.is_open(first) {
                    let scope = self.scope_of_type(path);
                    self.refer_to_path(None, path, scope);
                }
            }
            DocType::Import { module, members } => {
                let module = self.documented_module(module);
                let scope = self.documentation_scope(MODULE);
                self.refer_to_path(Some(module), members, scope);
            }
            DocType::TypeOf(of) | DocType::Predicate(of) => self.refer_to_type(of),
            DocType::Applied { of, arguments } => {
                self.refer_to_type(of);
                self.refer_to_types(arguments.iter().flatten());
            }
            DocType::AnyOf(arms) => self.refer_to_types(arms.iter()),
            DocType::Tuple(parts) => self.refer_to_types(parts.iter().flatten()),
            DocType::Function {
                parameters,
                returns,
            } => {
                self.refer_to_types(parameters.iter().flatten());
                self.refer_to_types(returns.iter().map(|of| &**of));
            }
            DocType::Object(members) => {
                self.refer_to_types(members.iter().filter_map(|(_, of)| of.as_ref()));
            }
        }
    }

    fn refer_to_types<'d>(&mut self, types: impl Iterator<Item = &'d DocType<'t>>)
    where
        't: 'd,
    {
        for of in types {
            self.refer_to_type(of);
        }
    }

    /// Adds a reference for each name of `A.B`, which may be that of a member of a module.
    fn refer_to_path(&mut self, module: Option<String>, path: &'t str, scope: ScopeId) {
        let mut before = module;
        for name in path.split('.') {
            if self.tree.offset_of(name).is_none() {
                return;
            }
            let receiver = before.as_ref().map_or(Receiver::None, |before| {
                let path = self.names.intern(before.clone());
                let is_called = false;
                Receiver::Value(Value { path, is_called })
            });
            self.add_documented_reference(name, (scope, ReferenceKind::Reference), receiver);
            before = Some(match before {
                Some(before) => format!("{before}.{name}"),
                None => name.to_owned(),
            });
        }
    }

    /// Adds a reference to a type, which may be a constructor function.
    pub(super) fn add_documented_reference(
        &mut self,
        name: &'t str,
        (scope, kind): (ScopeId, ReferenceKind),
        receiver: Receiver,
    ) {
        if name.is_empty() {
            return;
        }
        let reference = Reference {
            name: self.intern(name),
            receiver,
            kind,
            position: self.position_in_comment(name),
            scope,
            space: Space::Any,
            arguments: None,
        };
        self.facts.references.push(reference);
    }
}
