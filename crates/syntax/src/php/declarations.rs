//! Visits namespaces, imports, classes, functions and variables.

use super::builder::{FactsBuilder, Role};
use super::doc_comments::DocComment;
use super::kinds::{Field, Kind};
use super::values::is_plain;
use crate::facts::{
    BindingTarget, ELEMENTS, Import, ImportId, ImportedItem, METHOD, NAMESPACE, Receiver,
    ReferenceKind, ScopeId, ScopeKind, Space,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::position::wire;

/// The longest stored name of an import, in bytes.
const MAX_MODULE: usize = 400;

/// The level of an import of a function: `use function a\b;`.
const OF_FUNCTION: u32 = 1;

impl FactsBuilder<'_> {
    pub(super) fn visit_namespace(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let name = tree.child(node, Field::Name);
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
        }
        let Some(body) = tree.child(node, Field::Body) else {
            return self.begin_namespace(name, scope);
        };
        let id = self.writer.next_definition(node);
        let inside = self.open_scope(ScopeKind::Namespace, scope, id);
        if let (Some(name), Some(_)) = (name, id) {
            let last = tree.operands(name).last().unwrap_or(name);
            let last = self.name_at(last);
            self.writer
                .add_definition(last, inside, Vec::new(), Vec::new());
        }
        self.roles.set(body, Role::OwnScope, inside);
    }

    /// Visits `namespace a;`, which holds up to the next one. Names in the file are those of the
    /// last one; definitions of several are told apart by the places where these begin.
    fn begin_namespace(&mut self, name: Option<NodeIndex>, scope: ScopeId) {
        let tree = self.tree;
        if let Some(name) = name {
            let value = ValueText::name(tree.text(name)).within_limit();
            let target = BindingTarget::Variable(self.writer.intern_value(value));
            let offset = tree.node(name).start;
            self.writer
                .bind_text(NAMESPACE.to_owned(), offset, scope, target);
        }
        let name = name.map(|name| tree.text(name));
        self.writer.facts.package = name.map(|name| self.writer.names.intern(name));
    }

    /// Visits `use a\B, c\D as E;` and `use a\{B, C};`.
    pub(super) fn visit_use(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        self.roles.set_children(node, Role::Handled, scope);
        let is_of = |node: NodeIndex, word: &str| {
            let of = tree.child(node, Field::Type);
            of.is_some_and(|of| tree.text(of) == word)
        };
        let prefix = tree
            .operands(node)
            .find(|one| tree.kind(*one) == Kind::NamespaceName);
        let prefix = prefix.map(|prefix| format!("{}\\", tree.text(prefix)));
        let prefix = prefix.unwrap_or_default();
        let end = tree.subtree_end(node);
        let clauses: Vec<NodeIndex> = (node..end)
            .filter(|one| tree.kind(*one) == Kind::UseClause)
            .collect();
        for clause in clauses {
            if is_of(node, "const") || is_of(clause, "const") {
                continue;
            }
            let is_function = is_of(node, "function") || is_of(clause, "function");
            self.visit_use_clause(clause, scope, (&prefix, is_function));
        }
    }

    fn visit_use_clause(
        &mut self,
        clause: NodeIndex,
        scope: ScopeId,
        (prefix, is_function): (&str, bool),
    ) {
        let tree = self.tree;
        self.roles.set_children(clause, Role::Handled, scope);
        let alias = tree.child(clause, Field::Alias);
        let mut named = tree.operands(clause).filter(|one| Some(*one) != alias);
        let Some(of) =
            named.find(|one| matches!(tree.kind(*one), Kind::Name | Kind::QualifiedName))
        else {
            return;
        };
        let full = format!("{prefix}{}", tree.text(of).trim_start_matches('\\'));
        if full.len() > MAX_MODULE {
            return;
        }
        let name = match tree.kind(of) {
            Kind::QualifiedName => tree.operands(of).last().unwrap_or(of),
            _ => of,
        };
        let text = tree.text(name);
        let id = ImportId(wire(self.writer.facts.imports.len()));
        let offset = tree.node(name).start;
        let import = Import {
            module: self.writer.names.intern(full),
            level: if is_function { OF_FUNCTION } else { 0 },
            item: ImportedItem::Member(self.writer.names.intern(text)),
            alias: alias.map(|alias| self.writer.names.intern(tree.text(alias))),
            scope,
            position: self.writer.position_at(offset),
        };
        self.writer.facts.imports.push(import);
        let bound = alias.map_or(text, |alias| tree.text(alias));
        let bound = if is_function {
            format!("{METHOD}{bound}")
        } else {
            bound.to_owned()
        };
        self.writer
            .bind_text(bound, offset, scope, BindingTarget::Import(id));
        let to = (ReferenceKind::Import, Receiver::Unknown, Space::Any);
        self.add_reference(name, scope, to);
    }

    pub(super) fn visit_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let inside = self.open_scope(ScopeKind::Class, scope, id);
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            if let Some(id) = id {
                self.bind(name, scope, BindingTarget::Definition(id));
                let bases = self.bases(node);
                let at = self.name_at(name);
                self.writer.add_definition(at, inside, bases, Vec::new());
                self.add_attributes(node, name);
                self.bind_documented_members(node, name, inside);
            }
        }
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    /// Binds the members that only the comment of a class declares: `@property A $b`,
    /// `@method A c()`, and the elements of `@extends Repository<A>`.
    fn bind_documented_members(&mut self, node: NodeIndex, name: NodeIndex, inside: ScopeId) {
        let Some(doc) = self.tree.doc_comment(node) else {
            return;
        };
        for (property, values) in doc.properties() {
            for value in values {
                self.bind_property((property, name), inside, (Some(value), inside));
            }
        }
        let elements = doc.elements().into_iter().map(|value| (ELEMENTS, value));
        let offset = self.tree.node(name).start;
        for (member, value) in doc.methods().into_iter().chain(elements) {
            let target = BindingTarget::Attribute(self.writer.intern_value(Some(value)));
            self.writer
                .bind_text(member.to_owned(), offset, inside, target);
        }
    }

    /// Returns the superclass, the interfaces and the traits of a class.
    fn bases(&self, node: NodeIndex) -> Vec<ValueText> {
        let tree = self.tree;
        let body = tree.child(node, Field::Body);
        let inner = body.into_iter().flat_map(|body| tree.operands(body));
        let traits = inner.filter(|one| tree.kind(*one) == Kind::TraitUse);
        let clauses = tree.operands(node);
        let clauses = clauses.filter(|one| tree.kind(*one) == Kind::BaseClause);
        // A trait has the methods before a superclass.
        let named = traits.chain(clauses).flat_map(|one| tree.operands(one));
        let paths = named.filter_map(|name| tree.class_path(name));
        paths.map(ValueText::name).collect()
    }

    /// Visits `new class extends A { … }`, whose members no name leads to.
    pub(super) fn visit_anonymous_class(&mut self, node: NodeIndex, scope: ScopeId) {
        let inside = self.open_scope(ScopeKind::Class, scope, None);
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    pub(super) fn visit_function(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let inside = self.open_scope(ScopeKind::Function, scope, id);
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            if let Some(id) = id {
                if tree.kind(node) == Kind::Function {
                    let text = format!("{METHOD}{}", tree.text(name));
                    let offset = tree.node(name).start;
                    let target = BindingTarget::Definition(id);
                    self.writer.bind_text(text, offset, scope, target);
                }
                self.add_function(node, name, inside);
            }
        }
        if let Some(list) = tree.child(node, Field::Parameters) {
            self.writer
                .add_signature(inside, &tree.parameter_names(list));
        }
        self.roles
            .set_field(node, Field::Parameters, Role::OwnScope, inside);
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    /// Adds the definition of a function with what it returns.
    fn add_function(&mut self, node: NodeIndex, name: NodeIndex, inside: ScopeId) {
        let tree = self.tree;
        let documented = tree.doc_comment(node).map(DocComment::returned);
        // What an array contains is said by what the function returns.
        let declared = tree.child(node, Field::ReturnType);
        let declared = declared.filter(|one| !is_any_container(tree.text(*one)));
        let values = tree.declared_values(documented, declared);
        let result = match &values[..] {
            [value] => Some(value.clone()),
            _ => None,
        };
        let at = self.name_at(name);
        self.writer
            .add_definition(at, inside, Vec::new(), vec![result.clone()]);
        self.add_attributes(node, name);
        if result.is_none() {
            for value in values {
                self.bind_returned(name, inside, (value, inside));
            }
        }
    }

    /// Adds the attributes of the last definition, which stand before its name.
    fn add_attributes(&mut self, node: NodeIndex, name: NodeIndex) {
        let tree = self.tree;
        let attributes = (node..name).filter(|one| tree.kind(*one) == Kind::Attribute);
        let names = attributes.filter_map(|one| tree.operands(one).next());
        self.writer.decorate(names.map(|name| tree.text(name)));
    }

    /// Visits `function ($a) use ($b) { … }`, which sees only the variables that it names.
    pub(super) fn visit_closure(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_scope(ScopeKind::Function, scope, None);
        for field in [Field::Parameters, Field::Body] {
            self.roles.set_field(node, field, Role::OwnScope, inside);
        }
        let used = tree
            .operands(node)
            .find(|one| tree.kind(*one) == Kind::ClosureUse);
        let end = used.map_or(0, |used| tree.subtree_end(used));
        for name in used.unwrap_or(end)..end {
            if tree.kind(name) == Kind::Variable {
                let value = Some(ValueText::name(tree.text(name)));
                let place = self.name_at(name);
                let value = (value, scope);
                self.writer
                    .bind_value(place, inside, value, BindingTarget::Variable);
            }
        }
    }

    pub(super) fn visit_arrow_function(&mut self, node: NodeIndex, scope: ScopeId) {
        let inside = self.open_scope(ScopeKind::Block, scope, None);
        self.roles.set_children(node, Role::Read, inside);
    }

    /// Visits a parameter. One with a visibility is a property, too.
    pub(super) fn visit_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        let function = tree.parent(tree.parent(node));
        let documented = tree.doc_comment(function);
        let documented = documented.map(|doc| doc.parameter(tree.text(name)));
        let own = tree.doc_comment(node).map(DocComment::declared);
        let documented = documented.filter(|values| !values.is_empty()).or(own);
        let mut values = tree.declared_values(documented, tree.child(node, Field::Type));
        if tree.kind(node) == Kind::Variadic {
            let sequences = values.into_iter().map(ValueText::into_sequence);
            values = sequences.collect();
        }
        let is_property = tree.child(node, Field::Visibility).is_some();
        if let Some(class) = self.class_around(scope).filter(|_| is_property) {
            for value in &values {
                let value = (Some(value.clone()), scope);
                self.bind_property((tree.text(name), name), class, value);
            }
        }
        let received = tree.received_element(node).filter(|_| values.is_empty());
        if let Some(received) = received {
            // The array is one of the code around the function.
            let around = self.writer.facts.enclosing_scope(scope);
            return self.bind_variable_in(name, scope, (vec![received], around));
        }
        if !values.is_empty() {
            return self.bind_variable(name, scope, values);
        }
        if let Some(class) = self.class_around(scope).filter(|_| is_property) {
            let value = (Some(ValueText::name(tree.text(name))), scope);
            self.bind_property((tree.text(name), name), class, value);
        }
        let default = tree.child(node, Field::DefaultValue);
        let default = default.and_then(|value| tree.value_text(value));
        self.bind_parameter(name, scope, default.filter(|value| !is_plain(value)));
    }

    pub(super) fn visit_property(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let documented = tree.doc_comment(node).map(DocComment::declared);
        let values = tree.declared_values(documented, tree.child(node, Field::Type));
        let elements: Vec<NodeIndex> = tree.operands(node).collect();
        for element in elements {
            let name = tree.child(element, Field::Name);
            let name = name.filter(|_| tree.kind(element) == Kind::PropertyElement);
            for (name, value) in name
                .into_iter()
                .flat_map(|name| values.iter().map(move |value| (name, value)))
            {
                let value = (Some(value.clone()), scope);
                self.bind_property((tree.text(name), name), scope, value);
            }
        }
    }

    /// Visits `case A;`, which is an instance of its enumeration.
    pub(super) fn visit_enum_case(&mut self, node: NodeIndex, scope: ScopeId) {
        if let Some(name) = self.tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            let value = (Some(ValueText::call("self")), scope);
            let name = self.name_at(name);
            self.writer
                .bind_value(name, scope, value, BindingTarget::Attribute);
        }
    }
}

/// Reports whether a type is one of containers, which does not say what they contain. Without `\`,
/// a name may be that of another class.
fn is_any_container(of: &str) -> bool {
    let containers = [
        "array",
        "iterable",
        "\\Generator",
        "\\Iterator",
        "\\Traversable",
    ];
    containers.contains(&of.trim_start_matches('?'))
}
