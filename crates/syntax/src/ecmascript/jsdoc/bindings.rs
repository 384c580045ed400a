//! Binds parameters, results, variables and attributes to the types of comments.

use super::tags::{PARAM, RETURNS, Tag, tags};
use super::types::{DocType, is_letter};
use super::values::MAX_DEPTH;
use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::facts::{BindingTarget, DefinitionId, RETURNED, ScopeId, TypeShape, Value};
use crate::tree::NodeIndex;

impl<'t> FactsBuilder<'_, 't> {
    /// Binds the parameters, `this` and the result of a function to the types of its comment.
    pub(in crate::ecmascript) fn bind_documented_function(
        &mut self,
        (function, enclosing): (NodeIndex, ScopeId),
        id: Option<DefinitionId>,
        scope: ScopeId,
    ) {
        if !self.documented.is_read {
            return;
        }
        self.documented.begin(function, enclosing);
        let first = self.documented_node(function, id);
        if let Some(comment) = self.tree.leading_documentation(first) {
            self.bind_parameter_tags(function, comment, scope);
            for tag in own_tags(comment) {
                match tag.name {
                    RETURNS => {
                        let target = BindingTarget::Variable(self.tag_value(&tag));
                        self.bind_documented(RETURNED, (function, scope), target);
                    }
                    "this" => {
                        let target = BindingTarget::Parameter(self.tag_value(&tag));
                        self.bind_documented("this", (function, scope), target);
                    }
                    "type" => self.bind_expected_parameters(function, &tag, scope),
                    _ => {}
                }
            }
        }
        self.bind_typed_parameters(function, scope);
    }

    /// Returns the first node of what a comment documents: of the statement or the property that
    /// has a function as its value.
    fn documented_node(&self, function: NodeIndex, id: Option<DefinitionId>) -> NodeIndex {
        let found = id.and_then(|id| self.definitions.get(id.0 as usize));
        if let Some(found) = found {
            let decorators = found.decorators.first().copied();
            return decorators.map_or(found.statement, |first| first.min(found.statement));
        }
        let holder = self.tree.parent(function);
        match self.tree.kind(holder) {
            Kind::Pair | Kind::Return => holder,
            _ => function,
        }
    }

    /// Binds the parameters that a comment describes. Those of members of a parameter follow its
    /// own: `@param {object} a`, `@param {B} a.b`.
    fn bind_parameter_tags(&mut self, function: NodeIndex, comment: &'t str, scope: ScopeId) {
        let mut described: Vec<(&str, Option<DocType<'_>>)> = Vec::new();
        for tag in own_tags(comment).filter(|tag| tag.name == PARAM) {
            let name = tag.described();
            match (name.split_once(['.', '[']), described.last_mut()) {
                (None, _) if tag.is_object() => {
                    described.push((name, Some(DocType::Object(Vec::new()))));
                }
                (None, _) => described.push((name, tag.doc_type())),
                (Some((of, member)), Some((name, Some(DocType::Object(members)))))
                    if of == *name && member.chars().all(is_letter) =>
                {
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
            Some(DocType::Name(name)) => {
                let named = self.documented.named.get(name);
                named.map(|(of, _)| of.clone())
            }
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
            // Parts of the pattern are looked up in the scope of the function, where only numbers
            // of types mean the same.
            self.documented.patterns.insert(parameter, value);
        }
    }

    /// Returns the declared type of a parameter that is a pattern: `{ a }` or `{ a } = {}`.
    pub(in crate::ecmascript) fn documented_pattern(&self, parameter: NodeIndex) -> Option<Value> {
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
    pub(in crate::ecmascript) fn bind_documented_variable(
        &mut self,
        (binder, value, enclosing): (NodeIndex, Option<NodeIndex>, ScopeId),
        name: NodeIndex,
        (scope, target): (ScopeId, fn(Option<Value>) -> BindingTarget),
    ) {
        if !self.documented.is_read {
            return;
        }
        self.documented.begin(binder, enclosing);
        let statement = self.tree.statement(binder);
        let cast = value.and_then(|value| self.cast_type(value));
        let found = cast.or_else(|| self.documented_type(statement));
        let found = found.or_else(|| self.documented_type(binder));
        if let (Some(found), Some(text)) = (found, self.tree.key(name)) {
            let text = self.intern(text);
            let value_scope = self.documentation_scope(enclosing);
            self.bind_name(text, name, scope, target(Some(found)), value_scope);
        }
    }

    /// Binds the result of a function to the type of a cast: `return /** @type {A} */ (b)`.
    pub(in crate::ecmascript) fn bind_cast_result(
        &mut self,
        value: NodeIndex,
        function: ScopeId,
        enclosing: ScopeId,
    ) {
        self.documented.begin(value, enclosing);
        if let Some(found) = self.cast_type(value) {
            let target = BindingTarget::Variable(Some(found));
            self.bind_documented(RETURNED, (value, function), target);
        }
    }

    /// Returns the type of the object of a member: that of `(/** @type {A} */ (b)).c`.
    pub(in crate::ecmascript) fn cast_receiver(
        &mut self,
        member: NodeIndex,
        enclosing: ScopeId,
    ) -> Option<Value> {
        self.documented.begin(member, enclosing);
        let object = self.tree.operands(self.tree.parent(member)).next()?;
        self.cast_type(object)
    }

    /// Returns the type of the comment before an expression in brackets.
    fn cast_type(&mut self, value: NodeIndex) -> Option<Value> {
        let mut inner = value;
        for _ in 0..MAX_DEPTH {
            if !self.documented.is_read || self.tree.kind(inner) != Kind::Parenthesized {
                break;
            }
            if let Some(found) = self.documented_type(inner) {
                return Some(found);
            }
            inner = self.tree.operands(inner).next()?;
        }
        None
    }

    /// Returns the type of the tag `@type` before a node.
    fn documented_type(&mut self, node: NodeIndex) -> Option<Value> {
        let comment = self.tree.leading_documentation(node)?;
        let tag = own_tags(comment).find(|tag| tag.name == "type")?;
        self.tag_value(&tag)
    }

    fn tag_value(&mut self, tag: &Tag<'t>) -> Option<Value> {
        self.doc_value(&tag.doc_type()?, MAX_DEPTH)
    }

    /// Binds a name to a type, if the type is known.
    fn bind_documented(
        &mut self,
        name: &'t str,
        (node, scope): (NodeIndex, ScopeId),
        target: BindingTarget,
    ) {
        if let BindingTarget::Variable(Some(_)) | BindingTarget::Parameter(Some(_)) = target {
            let name = self.intern(name);
            let value_scope = self.documentation_scope(self.documented.documented_scope);
            self.bind_name(name, node, scope, target, value_scope);
        }
    }
}

/// Returns the tags of a comment that describe the code after it.
fn own_tags(comment: &str) -> impl Iterator<Item = Tag<'_>> {
    tags(comment).take_while(|tag| !tag.begins_another())
}
