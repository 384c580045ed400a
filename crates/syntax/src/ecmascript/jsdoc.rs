//! Binds the types that documentation comments declare in JavaScript: `@param`, `@returns`,
//! `@type`, `@this`, and those that `@typedef` and `@import` name.
//!
//! No compiler need have checked these types, so they are further values beside those that flow.
//!
//! <https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html>

mod tags;
mod types;

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::position::wire;

use self::tags::{ImportTag, Tag, tags};
use self::types::DocType;
use super::annotations::TRANSPARENT;
use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use super::roles::MODULE;
use crate::facts::{
    Binding, BindingTarget, DOCUMENTED, DefinitionId, ImportedItem, Name, Position, RETURNED,
    Receiver, Reference, ReferenceKind, ScopeId, ScopeKind, Space, TYPE_NUMBER, TypeFact,
    TypeShape, Value,
};
use crate::tree::NodeIndex;

/// The maximum number of types of one file that no name expresses.
const MAX_TYPES: usize = 5_000;

/// The maximum depth of types that name each other.
const MAX_DEPTH: usize = 8;

/// The names of tags that have synonyms.
const PARAM: &str = "param";
const ARG: &str = "arg";
const ARGUMENT: &str = "argument";
const RETURNS: &str = "returns";
const RETURN: &str = "return";

/// The types that the documentation comments of a file name.
#[derive(Default)]
pub(super) struct DocumentedTypes<'t> {
    /// Whether the language leaves types to comments.
    is_read: bool,
    /// The types of `@typedef` and `@import`, by their names.
    named: HashMap<&'t str, DocType<'t>>,
    /// The names of `@template`, which stand for any type.
    templates: HashSet<&'t str>,
    /// The values of the types of `named`, without those that are being read.
    values: HashMap<&'t str, Option<Value>>,
    /// The names of imported modules, by their specifiers.
    modules: HashMap<&'t str, String>,
    /// The types of parameters that are patterns.
    patterns: HashMap<NodeIndex, Value>,
    /// The scope in which the names of types are looked up.
    scope: Option<ScopeId>,
    facts: Vec<TypeFact>,
}

impl<'t> FactsBuilder<'_, 't> {
    /// Collects the types that comments name, before what they document is visited, and adds the
    /// references to these types.
    pub(super) fn collect_documented_types(&mut self) {
        self.documented.is_read = true;
        let tree = self.tree;
        let mut referred = Vec::new();
        for node in 0..tree.len() {
            let comment = tree.text(node);
            if tree.kind(node) != Kind::Comment || !comment.starts_with("/**") {
                continue;
            }
            self.collect_typedef(comment);
            for tag in tags(comment) {
                referred.extend(tag.doc_type());
                match tag.name {
                    "import" => self.collect_import_tag(&tag),
                    "template" => {
                        let names = tag.rest.lines().next().unwrap_or("").split([',', ' ']);
                        let names = names.map(str::trim).filter(|name| !name.is_empty());
                        self.documented.templates.extend(names);
                    }
                    _ => {}
                }
            }
        }
        for of in referred {
            self.refer_to_type(&of);
        }
        self.bind_named_types();
    }

    /// Collects the types of `@typedef {A} B`, of `@typedef B` and its `@property` tags, and of
    /// `@callback B` with its parameters and its result.
    fn collect_typedef(&mut self, comment: &'t str) {
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
                ("property" | "prop", Some(of)) => {
                    let members = of.get_or_insert_with(|| DocType::Object(Vec::new()));
                    if let DocType::Object(members) = members {
                        members.push((tag.described(), tag.doc_type()));
                    }
                }
                (PARAM | ARG | ARGUMENT, Some(Some(DocType::Function { parameters, .. }))) => {
                    parameters.push(tag.doc_type());
                }
                (RETURNS | RETURN, Some(Some(DocType::Function { returns, .. }))) => {
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
    fn bind_named_types(&mut self) {
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
    fn collect_import_tag(&mut self, tag: &Tag<'t>) {
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

    /// Adds the references of a type to the types that it consists of.
    fn refer_to_type(&mut self, of: &DocType<'t>) {
        match of {
            DocType::Plain => {}
            DocType::Name(path) => {
                let first = path.split('.').next().unwrap_or(path);
                let is_alias = self.documented.named.contains_key(first);
                if !is_alias && !self.documented.templates.contains(first) {
                    self.refer_to_path(None, path);
                }
            }
            DocType::Import { module, members } => {
                let module = self.documented_module(module);
                self.refer_to_path(Some(module), members);
            }
            DocType::TypeOf(of) => self.refer_to_type(of),
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
    fn refer_to_path(&mut self, module: Option<String>, path: &'t str) {
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
            self.add_documented_reference(name, ReferenceKind::Reference, receiver);
            before = Some(match before {
                Some(before) => format!("{before}.{name}"),
                None => name.to_owned(),
            });
        }
    }

    /// Adds a reference to a type, which may be a constructor function.
    fn add_documented_reference(&mut self, name: &'t str, kind: ReferenceKind, receiver: Receiver) {
        if name.is_empty() {
            return;
        }
        let reference = Reference {
            name: self.intern(name),
            receiver,
            kind,
            position: self.position_in_comment(name),
            scope: self.documentation_scope(),
            space: Space::Any,
            arguments: None,
        };
        self.facts.references.push(reference);
    }

    fn add_documented_binding(
        &mut self,
        (scope, name): (ScopeId, Name),
        position: Position,
        target: BindingTarget,
    ) {
        let value_scope = self.documentation_scope();
        self.facts.bindings.push(Binding {
            scope,
            name,
            position,
            target,
            value_scope,
        });
    }

    fn position_in_comment(&mut self, part: &str) -> Position {
        let offset = self.tree.offset_of(part).unwrap_or_default();
        self.positions.position_at(offset)
    }

    /// Binds the parameters, `this` and the result of a function to the types of its comment.
    pub(super) fn bind_documented_function(
        &mut self,
        function: NodeIndex,
        id: Option<DefinitionId>,
        scope: ScopeId,
    ) {
        if !self.documented.is_read {
            return;
        }
        let found = id.and_then(|id| self.definitions.get(id.0 as usize));
        let first = found.map_or(function, |found| {
            let decorators = found.decorators.first().copied();
            decorators.map_or(found.statement, |first| first.min(found.statement))
        });
        if let Some(comment) = self.tree.documentation(first) {
            self.bind_parameter_tags(function, comment, scope);
            for tag in tags(comment) {
                let (name, is_parameter) = match tag.name {
                    RETURNS | RETURN => (RETURNED, false),
                    "this" => ("this", true),
                    "type" => {
                        self.bind_expected_parameters(function, &tag, scope);
                        continue;
                    }
                    _ => continue,
                };
                let value = self.tag_value(&tag);
                if value.is_some() {
                    let target = if is_parameter {
                        BindingTarget::Parameter(value)
                    } else {
                        BindingTarget::Variable(value)
                    };
                    self.bind_documented(name, (function, scope), target);
                }
            }
        }
        self.bind_typed_parameters(function, scope);
    }

    /// Binds the parameters that a comment describes. Those of members of a parameter follow its
    /// own: `@param {object} a`, `@param {B} a.b`.
    fn bind_parameter_tags(&mut self, function: NodeIndex, comment: &'t str, scope: ScopeId) {
        let mut described: Vec<(&str, Option<DocType<'_>>)> = Vec::new();
        for tag in tags(comment).filter(|tag| matches!(tag.name, PARAM | ARG | ARGUMENT)) {
            let name = tag.described();
            match (name.split_once('.'), described.last_mut()) {
                (None, _) if tag.is_object() => {
                    described.push((name, Some(DocType::Object(Vec::new()))));
                }
                (None, _) => described.push((name, tag.doc_type())),
                (Some((_, member)), Some((_, Some(DocType::Object(members))))) => {
                    members.push((member, tag.doc_type()));
                }
                (Some(_), _) => {}
            }
        }
        let parameters = self.parameters_of(function);
        for (place, (name, of)) in described.into_iter().enumerate() {
            let is_named = |&&one: &&NodeIndex| self.tree.text(one) == name;
            // The name of a pattern is any, so its place counts.
            let at_place = parameters.get(place).filter(|&&one| !self.is_name(one));
            let Some(&parameter) = parameters.iter().find(is_named).or(at_place) else {
                continue;
            };
            let Some(of) = of.filter(|of| *of != DocType::Object(Vec::new())) else {
                continue;
            };
            if let Some(value) = self.doc_value(&of, MAX_DEPTH) {
                self.bind_documented_parameter(parameter, value, scope);
            }
        }
    }

    /// Binds the parameters of a function that a comment gives a function type.
    fn bind_expected_parameters(&mut self, function: NodeIndex, tag: &Tag<'t>, scope: ScopeId) {
        let of = match tag.doc_type() {
            Some(DocType::Name(name)) => self.documented.named.get(name).cloned(),
            of => of,
        };
        let Some(DocType::Function { parameters, .. }) = of else {
            return;
        };
        for (parameter, of) in self.parameters_of(function).into_iter().zip(parameters) {
            let value = of.and_then(|of| self.doc_value(&of, MAX_DEPTH));
            if let Some(value) = value {
                self.bind_documented_parameter(parameter, value, scope);
            }
        }
    }

    /// Binds parameters that have a comment each: `(/** @type {A} */ a) => …`.
    fn bind_typed_parameters(&mut self, function: NodeIndex, scope: ScopeId) {
        for parameter in self.parameters_of(function) {
            if let Some(value) = self.documented_type(parameter) {
                self.bind_documented_parameter(parameter, value, scope);
            }
        }
    }

    fn bind_documented_parameter(&mut self, parameter: NodeIndex, value: Value, scope: ScopeId) {
        if self.is_name(parameter) {
            let name = self.tree.text(parameter);
            let target = BindingTarget::Parameter(Some(value));
            self.bind_documented(name, (parameter, scope), target);
        } else if let Some(value) = self.numbered(TypeShape::AnyOf(vec![value])) {
            self.documented.patterns.insert(parameter, value);
        }
    }

    /// Returns the declared type of a parameter that is a pattern: `{ a }` or `{ a } = {}`.
    pub(super) fn documented_pattern(&self, parameter: NodeIndex) -> Option<Value> {
        let pattern = self.tree.child(parameter, Field::Left);
        let found = self.documented.patterns.get(&pattern.unwrap_or(parameter));
        found.copied()
    }

    /// Returns the names and patterns of the parameters of a function.
    fn parameters_of(&self, function: NodeIndex) -> Vec<NodeIndex> {
        let tree = self.tree;
        if let Some(single) = tree.child(function, Field::Parameter) {
            return vec![single];
        }
        let parameters = tree.child(function, Field::Parameters);
        let parameters = parameters.into_iter().flat_map(|all| tree.operands(all));
        let parameters = parameters.map(|parameter| match tree.kind(parameter) {
            Kind::AssignmentPattern => tree.child(parameter, Field::Left).unwrap_or(parameter),
            Kind::RestPattern => tree.operands(parameter).next().unwrap_or(parameter),
            _ => parameter,
        });
        parameters.collect()
    }

    fn is_name(&self, parameter: NodeIndex) -> bool {
        self.tree.kind(parameter) == Kind::Identifier
    }

    /// Binds a variable or an attribute to the type of the comment before its statement, or before
    /// its value: `/** @type {A} */ (b)`.
    pub(super) fn bind_documented_variable(
        &mut self,
        (binder, value): (NodeIndex, Option<NodeIndex>),
        name: NodeIndex,
        (scope, target): (ScopeId, fn(Option<Value>) -> BindingTarget),
    ) {
        if !self.documented.is_read {
            return;
        }
        let statement = self.tree.statement(binder);
        let cast = value.filter(|&value| self.tree.kind(value) == Kind::Parenthesized);
        let cast = cast.and_then(|cast| self.documented_type(cast));
        let found = cast.or_else(|| self.documented_type(statement));
        let found = found.or_else(|| self.documented_type(binder));
        if let (Some(found), Some(text)) = (found, self.tree.key(name)) {
            let text = self.intern(text);
            let scope_of_types = self.documentation_scope();
            self.bind_name(text, name, scope, target(Some(found)), scope_of_types);
        }
    }

    /// Returns the type of the tag `@type` before a node.
    fn documented_type(&mut self, node: NodeIndex) -> Option<Value> {
        let comment = self.tree.documentation(node)?;
        let tag = tags(comment).find(|tag| tag.name == "type")?;
        self.tag_value(&tag)
    }

    fn tag_value(&mut self, tag: &Tag<'t>) -> Option<Value> {
        self.doc_value(&tag.doc_type()?, MAX_DEPTH)
    }

    fn bind_documented(
        &mut self,
        name: &'t str,
        (node, scope): (NodeIndex, ScopeId),
        target: BindingTarget,
    ) {
        let name = self.intern(name);
        let scope_of_types = self.documentation_scope();
        self.bind_name(name, node, scope, target, scope_of_types);
    }

    /// Returns the scope in which the names of types are looked up.
    fn documentation_scope(&mut self) -> ScopeId {
        if let Some(scope) = self.documented.scope {
            return scope;
        }
        let scope = self.open_scope(ScopeKind::Documentation, MODULE, None);
        self.documented.scope = Some(scope);
        scope
    }

    /// Returns the value of a type: a call of its class.
    fn doc_value(&mut self, of: &DocType<'t>, depth: usize) -> Option<Value> {
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
    fn named_value(&mut self, name: &'t str, of: &DocType<'t>, depth: usize) -> Option<Value> {
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
    fn documented_module(&mut self, module: &'t str) -> String {
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
    fn numbered(&mut self, shape: TypeShape) -> Option<Value> {
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
    pub(super) fn add_documented_types(&mut self) {
        self.facts.types.append(&mut self.documented.facts);
    }
}
