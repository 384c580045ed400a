//! Members of instances whose values are not known.

use ragnav_base::hash::{HashMap, HashSet};

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::facts::{BindingTarget, Name, ScopeId};
use crate::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

impl<'t> FactsBuilder<'_, 't> {
    /// Counts `a.b = c` by the name of the member, unless the value is a literal.
    pub(super) fn count_member_assignment(&mut self, assignment: NodeIndex) {
        let tree = self.tree;
        let (Some(left), Some(right)) = (
            tree.child(assignment, Field::Left),
            tree.child(assignment, Field::Right),
        ) else {
            return;
        };
        let is_literal = matches!(tree.kind(right), Kind::String | Kind::Other);
        if tree.kind(left) != Kind::Member || is_literal {
            return;
        }
        let name = self.last_name_node(left);
        if let Some(name) = name.and_then(|name| self.names.find(tree.text(name))) {
            *self.flow.member_assignments.entry(name).or_default() += 1;
        }
    }

    /// Collects the classes of which the file passes an instance to an imported function.
    pub(super) fn collect_changed_classes(&mut self) {
        let tree = self.tree;
        let instances: HashMap<(ScopeId, Name), &'t str> = (0..tree.len())
            .filter(|&node| tree.kind(node) == Kind::VariableDeclarator)
            .filter_map(|node| self.constructed(node))
            .collect();
        if instances.is_empty() {
            return;
        }
        let mut changed: HashSet<&'t str> = HashSet::default();
        for call in (0..tree.len()).filter(|&node| tree.kind(node) == Kind::Call) {
            let callee = tree.child(call, Field::Function);
            if callee.is_some_and(|callee| self.is_imported(callee)) {
                let arguments = self.arguments_of(call).into_iter();
                let keys = arguments.filter_map(|argument| self.bound_key(argument));
                changed.extend(keys.filter_map(|key| instances.get(&key).copied()));
            }
        }
        for definition in &self.facts.definitions {
            if changed.contains(&self.names.text(definition.name)) {
                self.flow.changed_classes.insert(definition.scope);
            }
        }
    }

    /// Returns the variable and the class of `const a = new A()`.
    fn constructed(&self, declarator: NodeIndex) -> Option<((ScopeId, Name), &'t str)> {
        let tree = self.tree;
        let value = tree.child(declarator, Field::Value)?;
        let class = tree.child(value, Field::Constructor)?;
        let name = tree.child(declarator, Field::Name)?;
        let is_name = tree.kind(class) == Kind::Identifier;
        Some((self.bound_key(name)?, tree.text(class))).filter(|_| is_name)
    }

    /// Reports whether an identifier is bound by an import alone.
    fn is_imported(&self, identifier: NodeIndex) -> bool {
        let key = self.bound_key(identifier);
        key.is_some_and(|(_, name)| !self.flow.own_names.contains(&name))
    }

    /// Reports whether a member has a parameter as its value, and the file assigns to a member of
    /// that name elsewhere too, or passes instances to functions of other files.
    ///
    /// Which of the assignments an instance had last is not known then.
    pub(super) fn is_ambiguous_member(&self, target: NodeIndex, value: NodeIndex) -> bool {
        let tree = self.tree;
        if tree.kind(target) != Kind::Member {
            return false;
        }
        let name = tree.operands(target).last();
        let name = name.and_then(|name| self.names.find(tree.text(name)));
        let count = name.and_then(|name| self.flow.member_assignments.get(&name));
        let is_parameter = self
            .bound_key(tree.strip_wrappers(value))
            .is_some_and(|key| self.flow.parameters.contains(&key));
        let class = self.scope_info(self.scope_of(target)).instance;
        let is_changed = class.is_some_and(|class| self.flow.changed_classes.contains(&class));
        is_parameter && (is_changed || count.is_some_and(|count| *count > 1))
    }

    /// Makes the value of `this.a` unknown.
    pub(super) fn forget_member(&mut self, target: NodeIndex) {
        let tree = self.tree;
        let mut operands = tree.operands(target);
        let (Some(object), Some(member)) = (operands.next(), operands.last()) else {
            return;
        };
        let class = self.scope_info(self.scope_of(target)).instance;
        if let Some(class) = class.filter(|_| tree.kind(object) == Kind::This) {
            let name = self.intern(tree.text(member));
            let unknown = BindingTarget::Attribute(None);
            self.flow_bind_target((class, name), member, unknown, class);
        }
    }

    /// Visits `Object.assign(a, { b: c })`, which assigns `c` to `a.b`.
    pub(super) fn flow_into_assigned(&mut self, call: NodeIndex) {
        let arguments = self.arguments_of(call);
        let [target, source] = *arguments else {
            return;
        };
        let Some(source) = self.object_literal(source) else {
            return;
        };
        if let Some(class) = self.class_of_prototype(target) {
            for (suffix, values, scope) in self.own_properties(source) {
                let name = self.intern(suffix.trim_start_matches('.').to_owned());
                for value in values {
                    let target = BindingTarget::Attribute(Some(self.path_value(&value)));
                    self.flow_bind_target((class, name), call, target, scope);
                }
            }
            return;
        }
        let path = self.flow_path(target);
        let Some(path) = path.filter(|path| !path.contains(['(', '[']) && path != "this") else {
            return;
        };
        let scope = self.scope_of(target);
        for (suffix, values, value_scope) in self.own_properties(source) {
            let name = self.intern(format!("{path}{suffix}"));
            for value in values {
                self.flow_bind((scope, name), target, (&value, value_scope));
            }
        }
    }

    /// Returns an object, or that of a constant.
    fn object_literal(&self, node: NodeIndex) -> Option<NodeIndex> {
        let key = self.bound_key(node);
        let constant = key.and_then(|key| self.flow.constants.get(&key));
        let object = constant.copied().unwrap_or(node);
        (self.tree.kind(object) == Kind::Object).then_some(object)
    }

    /// Returns the scope of the only class `A` of `A.prototype`.
    fn class_of_prototype(&self, node: NodeIndex) -> Option<ScopeId> {
        let name = self.tree.text(node).strip_suffix(".prototype")?;
        let name = self.names.find(name)?;
        let definitions = self.facts.definitions.iter();
        let mut named = definitions.filter(|found| found.name == name);
        let class = named
            .next()
            .filter(|found| found.kind == DefinitionKind::Class)?;
        named.next().is_none().then_some(class.scope)
    }
}
