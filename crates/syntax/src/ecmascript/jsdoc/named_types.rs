//! Collects the types that comments name: `@typedef`, `@callback` and `@import`.

use super::tags::{ImportTag, PARAM, PROPERTY, RETURNS, Tag, tags};
use super::types::DocType;
use super::values::MAX_DEPTH;
use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::roles::MODULE;
use crate::facts::{BindingTarget, DOCUMENTED, ImportedItem, Receiver, ReferenceKind};

impl<'t> FactsBuilder<'_, 't> {
    /// Collects the types of `@typedef {A} B`, of `@typedef B` and its `@property` tags, and of
    /// `@callback B` with its parameters and its result.
    pub(super) fn collect_typedef(&mut self, comment: &'t str) {
        let mut current: Option<(&str, Option<DocType<'_>>)> = None;
        for tag in tags(comment) {
            let of = current.as_mut().map(|(_, of)| of);
            match (tag.name, of) {
                ("typedef", _) => {
                    self.name_type(current.take());
                    current = Some((tag.described(), tag.doc_type()));
                }
                ("callback", _) => {
                    self.name_type(current.take());
                    let function = DocType::Function {
                        parameters: Vec::new(),
                        returns: None,
                    };
                    current = Some((tag.described(), Some(function)));
                }
                (PROPERTY, Some(of)) => {
                    let members = of.get_or_insert_with(|| DocType::Object(Vec::new()));
                    if let DocType::Object(members) = members {
                        members.push((tag.described(), tag.doc_type()));
                    }
                }
                (PARAM, Some(Some(DocType::Function { parameters, .. }))) => {
                    parameters.push(tag.doc_type());
                }
                (RETURNS, Some(Some(DocType::Function { returns, .. }))) => {
                    *returns = tag.doc_type().map(Box::new);
                }
                _ => {}
            }
        }
        self.name_type(current);
    }

    fn name_type(&mut self, named: Option<(&'t str, Option<DocType<'t>>)>) {
        if let Some((name, Some(of))) = named {
            self.documented.named.insert(name, of);
        }
    }

    /// Binds the names of the types of this file, which other files may import.
    pub(super) fn bind_named_types(&mut self) {
        let mut names: Vec<&str> = self.documented.named.keys().copied().collect();
        names.sort_unstable();
        for name in names {
            let Some(of) = self.documented.named.get(name).cloned() else {
                continue;
            };
            if let Some(value) = self.named_value(name, &of, MAX_DEPTH) {
                let position = self.position_in_comment(name);
                let bound = self.intern(format!("{DOCUMENTED}{name}"));
                let target = BindingTarget::Variable(Some(value));
                self.add_documented_binding((MODULE, bound), position, target);
            }
        }
    }

    /// Binds the names of `@import { A, B as C } from "module"`.
    pub(super) fn collect_import_tag(&mut self, tag: &Tag<'t>) {
        let Some(ImportTag { module, names }) = ImportTag::parse(tag.rest) else {
            return;
        };
        let scope = self.documentation_scope();
        let module = self.intern(module);
        for (alias, name) in names {
            let item = match name {
                "" => ImportedItem::Module,
                name => ImportedItem::Member(self.intern(name)),
            };
            let written = if self.tree.offset_of(name).is_some() {
                name
            } else {
                alias
            };
            let position = self.position_in_comment(written);
            let bound = self.intern(alias);
            let id = self.add_import(module, item, Some(bound), scope, position);
            self.add_documented_reference(written, ReferenceKind::Import, Receiver::None);
            let target = BindingTarget::Import(id);
            self.add_documented_binding((scope, bound), position, target);
        }
    }
}
