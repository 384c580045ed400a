//! Collects the types that comments name: `@typedef`, `@callback` and `@import`.

use super::tags::{ImportTag, ImportedName, PARAM, PROPERTY, RETURNS, Tag, tags};
use super::types::{DocType, is_letter};
use super::values::MAX_DEPTH;
use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::export_names::DEFAULT;
use crate::ecmascript::roles::MODULE;
use crate::facts::{BindingTarget, DOCUMENTED, ImportedItem, Receiver, ReferenceKind};
use crate::tree::NodeIndex;

impl<'t> FactsBuilder<'_, 't> {
    /// Collects the types of `@typedef {A} B`, of `@typedef B` and its `@property` tags, and of
    /// `@callback B` with its parameters and its result.
    pub(super) fn collect_typedef(&mut self, node: NodeIndex) {
        let comment = self.tree.text(node);
        let mut current: Option<(&str, Option<DocType<'_>>)> = None;
        for tag in tags(comment) {
            let of = current.as_mut().map(|(_, of)| of);
            match (tag.name, of) {
                ("typedef", _) => {
                    self.name_type(node, current.take());
                    current = Some((tag.described(), tag.doc_type()));
                }
                ("callback", _) => {
                    self.name_type(node, current.take());
                    let function = DocType::Function {
                        parameters: Vec::new(),
                        returns: None,
                    };
                    current = Some((tag.described(), Some(function)));
                }
                (PROPERTY, Some(of)) => {
                    let members = of.get_or_insert_with(|| DocType::Object(Vec::new()));
                    let name = tag.described();
                    if let DocType::Object(members) = members
                        && name.chars().all(is_letter)
                    {
                        members.push((name, tag.doc_type()));
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
        self.name_type(node, current);
    }

    fn name_type(&mut self, comment: NodeIndex, named: Option<(&'t str, Option<DocType<'t>>)>) {
        let Some((name, of)) = named else {
            return;
        };
        let Some(of) = of else {
            self.documented.open_names.insert(name);
            return;
        };
        let before = self.documented.named.get(name);
        if before.is_some_and(|(before, _)| *before != of) {
            self.documented.open_names.insert(name);
        }
        self.documented.named.insert(name, (of, comment));
    }

    /// Binds the names of the types of this file, which other files may import.
    pub(super) fn bind_named_types(&mut self) {
        let mut named: Vec<_> = self.documented.named.clone().into_iter().collect();
        named.sort_unstable_by_key(|(name, _)| *name);
        for (name, (of, comment)) in named {
            if self.documented.open_names.contains(name) {
                continue;
            }
            self.documented.begin(comment, MODULE);
            if let Some(value) = self.doc_value(&of, MAX_DEPTH) {
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
        let scope = self.documentation_scope(MODULE);
        let module = self.intern(module);
        for imported in names {
            let (item, written, alias) = match imported {
                ImportedName::Default(alias) => {
                    let item = ImportedItem::Member(self.intern(DEFAULT));
                    (item, alias, alias)
                }
                ImportedName::Module(alias) => (ImportedItem::Module, alias, alias),
                ImportedName::Member { name, alias } => {
                    (ImportedItem::Member(self.intern(name)), name, alias)
                }
            };
            let position = self.position_in_comment(written);
            let bound = self.intern(alias);
            let id = self.add_import(module, item, Some(bound), scope, position);
            self.add_documented_reference(written, (scope, ReferenceKind::Import), Receiver::None);
            self.add_documented_binding((scope, bound), position, BindingTarget::Import(id));
            self.documented.imported.insert(alias);
        }
    }
}
