//! Binds variables and properties to what is assigned to them, and functions to what they return.

use super::builder::FactsBuilder;
use super::doc_comments::DocComment;
use super::kinds::{Field, FlatTree, Kind};
use super::values;
use crate::facts::{Binding, BindingTarget, FIELD, RETURNED, ScopeId, ScopeKind};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of brackets around a variable that is assigned to.
const MAX_STEPS: usize = 8;

impl FactsBuilder<'_> {
    /// Visits `catch (A | B $c)`.
    pub(super) fn visit_catch(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        let values = of.map(|of| tree.type_values(of)).unwrap_or_default();
        if let Some(name) = tree.child(node, Field::Name) {
            self.bind_variable(name, scope, values);
        }
    }

    pub(super) fn visit_assignment(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let (Some(left), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return;
        };
        let documented = self.documented(tree.parent(node), left);
        if !documented.is_empty() {
            return self.assign_each(left, documented, scope);
        }
        let is_list = matches!(tree.kind(left), Kind::List | Kind::ArrayCreation);
        if is_list && tree.kind(right) == Kind::ArrayCreation {
            let parts: Vec<NodeIndex> = tree.operands(left).collect();
            for part in parts {
                let element = tree.operands(right).nth(tree.place_in_list(part));
                let value = element.and_then(|element| tree.operands(element).last());
                let value = value.and_then(|value| tree.value_text(value));
                self.assign(part, value, scope, MAX_STEPS);
            }
            return;
        }
        let values = self.alternative_values(right);
        if values.len() > 1 {
            return self.assign_each(left, values, scope);
        }
        self.assign(left, tree.value_text(right), scope, MAX_STEPS);
    }

    /// Visits `$a ??= b`, which keeps the value that `$a` may have.
    pub(super) fn visit_null_assignment(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let (Some(left), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return;
        };
        let between = tree.slice(tree.node(left).end, tree.node(right).start);
        if between.trim() != "??=" {
            return;
        }
        for value in self.possible_values(right) {
            match tree.kind(left) {
                Kind::Variable => {
                    let place = self.name_at(left);
                    let value = (Some(value), scope);
                    self.writer
                        .bind_value(place, scope, value, BindingTarget::Variable);
                }
                _ => self.assign(left, Some(value), scope, MAX_STEPS),
            }
        }
    }

    /// Returns the values of the branches of an expression.
    fn alternative_values(&self, node: NodeIndex) -> Vec<ValueText> {
        let alternatives = self.tree.alternatives(node).into_iter();
        alternatives
            .filter_map(|one| self.tree.value_text(one))
            .collect()
    }

    /// Returns the values of the branches of an expression, or else its own.
    pub(super) fn possible_values(&self, node: NodeIndex) -> Vec<ValueText> {
        let mut values = self.alternative_values(node);
        if values.is_empty() {
            values.extend(self.tree.value_text(node));
        }
        values
    }

    /// Returns the values that the comment before a statement gives to a variable.
    fn documented(&self, statement: NodeIndex, variable: NodeIndex) -> Vec<ValueText> {
        let doc = self.tree.doc_comment(statement);
        let name = self.tree.text(variable);
        doc.map(|doc| doc.variable(name)).unwrap_or_default()
    }

    fn assign_each(&mut self, left: NodeIndex, values: Vec<ValueText>, scope: ScopeId) {
        for value in values {
            self.assign(left, Some(value), scope, MAX_STEPS);
        }
    }

    /// Binds what an expression on the left of `=` names.
    fn assign(&mut self, left: NodeIndex, value: Option<ValueText>, scope: ScopeId, steps: usize) {
        let tree = self.tree;
        let Some(steps) = steps.checked_sub(1) else {
            return;
        };
        match tree.kind(left) {
            Kind::Variable => self.bind_variable(left, scope, value.into_iter().collect()),
            Kind::MemberAccess => self.assign_property(left, Field::Object, value, scope),
            Kind::ScopedProperty => self.assign_property(left, Field::Scope, value, scope),
            Kind::Subscript => {
                let value = value.map(ValueText::into_sequence);
                if let (Some(of), Some(_)) = (tree.operands(left).next(), &value) {
                    self.assign(of, value, scope, steps);
                }
            }
            Kind::List | Kind::ArrayCreation => {
                let parts: Vec<NodeIndex> = tree.operands(left).collect();
                for part in parts {
                    let value = value.clone();
                    let element = if tree.has_key(part) {
                        value
                            .filter(|of| !of.is_tuple())
                            .and_then(ValueText::element)
                    } else {
                        value.and_then(|of| values::part(of, tree.place_in_list(part)))
                    };
                    self.assign(part, element, scope, steps);
                }
            }
            // `&$a`, `$key => $a`, or one of several names in brackets.
            Kind::ArrayElement | Kind::Pair | Kind::Other => {
                if let Some(last) = tree.operands(left).last() {
                    self.assign(last, value, scope, steps);
                }
            }
            _ => {}
        }
    }

    /// Binds `$this->a` or `self::$a`.
    fn assign_property(
        &mut self,
        left: NodeIndex,
        of: Field,
        value: Option<ValueText>,
        scope: ScopeId,
    ) {
        let tree = self.tree;
        let of = tree.child(left, of).map(|of| tree.text(of));
        let is_own = of.is_some_and(|of| matches!(of, "$this" | "self" | "static"));
        let name = tree.child(left, Field::Name);
        let class = self.class_around(scope).filter(|_| is_own);
        let (Some(name), Some(class), Some(value)) = (name, class, value) else {
            return;
        };
        let own = format!("$this.{FIELD}{}", tree.text(name));
        if !value.path.contains(&own) {
            self.bind_property((tree.text(name), name), class, (Some(value), scope));
        }
    }

    /// Visits `foreach ($a as $b => $c)`.
    pub(super) fn visit_foreach(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut parts = tree.operands(node);
        let (Some(of), Some(to)) = (parts.next(), parts.next()) else {
            return;
        };
        let to = match tree.kind(to) {
            Kind::Pair => tree.operands(to).last().unwrap_or(to),
            _ => to,
        };
        let documented = self.documented(node, to);
        if !documented.is_empty() {
            return self.assign_each(to, documented, scope);
        }
        if tree.kind(of) == Kind::ArrayCreation {
            let elements = tree
                .operands(of)
                .filter_map(|one| tree.operands(one).last());
            let values: Vec<_> = elements.map(|one| tree.value_text(one)).collect();
            for value in values {
                self.assign(to, value, scope, MAX_STEPS);
            }
            return;
        }
        let element = tree.value_text(of).and_then(ValueText::loop_element);
        self.assign(to, element, scope, MAX_STEPS);
    }

    /// Visits `/** @var A $b */`, which may stand anywhere in a function.
    pub(super) fn visit_comment(&mut self, node: NodeIndex, scope: ScopeId) {
        let Some(doc) = DocComment::new(self.tree.text(node)) else {
            return;
        };
        let scopes = &self.writer.facts;
        let kind = scopes.scope(scope).map(|scope| scope.kind);
        if kind != Some(ScopeKind::Function) {
            return;
        }
        let offset = self.tree.node(node).start;
        for (name, values) in doc.variables() {
            for value in values {
                let value = self.writer.intern_value(Some(value));
                let target = BindingTarget::Variable(value);
                self.writer
                    .bind_text(name.to_owned(), offset, scope, target);
            }
        }
    }

    /// Visits `$a instanceof B`.
    pub(super) fn visit_binary(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let (Some(left), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return;
        };
        let between = tree.slice(tree.node(left).end, tree.node(right).start);
        if between.trim().eq_ignore_ascii_case("instanceof")
            && let Some(class) = tree.class_path(right)
        {
            self.bind_tested(node, (left, class), scope);
        }
    }

    /// Visits `is_a($a, B::class)`.
    pub(super) fn visit_class_test(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let function = tree.child(call, Field::Function);
        let is_test = function.is_some_and(|name| matches!(tree.text(name), "is_a" | "\\is_a"));
        let list = tree.child(call, Field::Arguments).filter(|_| is_test);
        let arguments = list.into_iter().flat_map(|list| tree.operands(list));
        let mut arguments = arguments.filter_map(|argument| tree.operands(argument).last());
        let (Some(variable), Some(class)) = (arguments.next(), arguments.next()) else {
            return;
        };
        let is_class = tree.text(class).ends_with("::class");
        let class = tree.operands(class).next().filter(|_| is_class);
        if let Some(class) = class.and_then(|class| tree.class_path(class)) {
            self.bind_tested(call, (variable, class), scope);
        }
    }

    /// Binds a variable where a test says that it has a class.
    fn bind_tested(&mut self, node: NodeIndex, (left, class): (NodeIndex, String), scope: ScopeId) {
        if self.tree.kind(left) != Kind::Variable {
            return;
        }
        let place = self.name_at(left);
        let name = self.writer.names.intern(place.text);
        if !self.note_test((scope, name), left, node) {
            self.assigned.push((scope, name, left));
        }
        let value = (Some(ValueText::call(class)), scope);
        self.writer
            .bind_value(place, scope, value, BindingTarget::Variable);
    }

    /// Visits `yield $a`, `yield $b => $a` and `yield from $a`: the function returns a generator of
    /// such elements.
    pub(super) fn visit_yield(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let operand = tree.operands(node).next();
        let function = self.writer.function_around(scope);
        let function = function.filter(|_| !tree.is_in_arrow_function(node));
        let Some((function, operand)) = function.zip(operand) else {
            return;
        };
        let is_element = tree.kind(operand) == Kind::ArrayElement;
        let given = tree.operands(operand).last().filter(|_| is_element);
        let given = given.unwrap_or(operand);
        let values = self.possible_values(given);
        if values.is_empty() {
            self.bind_returned_value(node, function, (None, scope));
        }
        for value in values {
            let value = if is_element {
                value.into_sequence()
            } else {
                value
            };
            self.bind_returned(node, function, (value, scope));
        }
    }

    /// Visits `return $a;`.
    pub(super) fn visit_return(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let returned = tree.operands(node).next();
        let function = self.writer.function_around(scope);
        let Some((function, returned)) = function.zip(returned) else {
            return;
        };
        for value in self.possible_values(returned) {
            self.bind_returned(node, function, (value, scope));
        }
    }

    /// Binds what a function returns.
    pub(super) fn bind_returned(
        &mut self,
        node: NodeIndex,
        function: ScopeId,
        (value, value_scope): (ValueText, ScopeId),
    ) {
        self.bind_returned_value(node, function, (Some(value), value_scope));
    }

    fn bind_returned_value(
        &mut self,
        node: NodeIndex,
        function: ScopeId,
        (value, value_scope): (Option<ValueText>, ScopeId),
    ) {
        let binding = Binding {
            scope: function,
            name: self.writer.names.intern(RETURNED),
            position: self.writer.position_at(self.tree.node(node).start),
            target: BindingTarget::Variable(self.writer.intern_value(value)),
            value_scope,
        };
        self.writer.facts.bindings.push(binding);
    }
}

impl FlatTree<'_> {
    /// Returns the index of a part of `[$a, , $b]`, of which some may be empty.
    fn place_in_list(&self, part: NodeIndex) -> usize {
        let list = self.parent(part);
        let mut start = self.node(list).start;
        let mut place = 0;
        for one in self.operands(list) {
            let between = self.slice(start, self.node(one).start);
            place += between.matches(',').count();
            if one == part {
                break;
            }
            start = self.node(one).end;
        }
        place
    }

    /// Reports whether a part of a list has a key: `'a' => $b`.
    fn has_key(&self, part: NodeIndex) -> bool {
        let mut operands = self.operands(part);
        let (first, last) = (operands.next(), operands.last());
        self.kind(part) != Kind::Variable && first.is_some() && last.is_some()
    }
}
