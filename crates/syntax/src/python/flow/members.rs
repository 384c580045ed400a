//! Attributes whose values are not known, although a parameter is assigned to them.

use ragnav_base::hash::{HashMap, HashSet};

use crate::facts::{BindingTarget, Name, ScopeId};
use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

/// An attribute of a class to which a parameter is assigned.
struct Held {
    class: ScopeId,
    name: Name,
    node: NodeIndex,
}

impl FactsBuilder<'_> {
    /// Makes the value of `self.a = parameter` unknown if the file assigns to an attribute `a`
    /// elsewhere too, or passes instances to functions of other files.
    ///
    /// Which of the values an instance had last is not known then. A parameter with a type keeps it.
    pub(super) fn forget_changed_attributes(&mut self) {
        let held = self.attributes_with_parameters();
        if held.is_empty() {
            return;
        }
        let assigned = self.count_assigned_attributes();
        let passed = self.classes_passed_to_imports();
        for Held { class, name, node } in held {
            let is_assigned_again = assigned.get(&name).is_some_and(|count| *count > 1);
            if is_assigned_again || passed.contains(&class) {
                let unknown = BindingTarget::Attribute(None);
                self.flow_bind_target((class, name), node, unknown, class);
            }
        }
    }

    fn attributes_with_parameters(&mut self) -> Vec<Held> {
        let parameters: HashSet<(ScopeId, Name)> = self
            .facts
            .bindings
            .iter()
            .filter(|binding| binding.target == BindingTarget::Parameter(None))
            .map(|binding| (binding.scope, binding.name))
            .collect();
        let assignments = self.nodes_of(Kind::Assignment);
        let held = assignments.filter_map(|node| self.held(node, &parameters));
        held.collect()
    }

    /// Returns the attribute of `self.a = parameter`.
    fn held(&self, assignment: NodeIndex, parameters: &HashSet<(ScopeId, Name)>) -> Option<Held> {
        let tree = self.tree;
        let target = tree.child(assignment, Field::Left)?;
        let value = self.without_brackets(tree.child(assignment, Field::Right)?);
        let is_parameter = parameters.contains(&self.bound_key(value)?);
        let (receiver, class) = self.scope_info(self.scope_of(target)).instance?;
        let mut operands = tree.operands(target);
        let (object, node) = operands.next().zip(operands.next())?;
        let is_own =
            tree.kind(target) == Kind::Attribute && tree.text(object) == self.names.text(receiver);
        let name = self.names.find(tree.text(node))?;
        (is_parameter && is_own).then_some(Held { class, name, node })
    }

    /// Counts `a.b = c` by the name of the attribute, unless the value is a literal.
    fn count_assigned_attributes(&self) -> HashMap<Name, usize> {
        let tree = self.tree;
        let mut counts = HashMap::default();
        for node in self.nodes_of(Kind::Assignment) {
            let target = tree.child(node, Field::Left);
            let target = target.filter(|target| tree.kind(*target) == Kind::Attribute);
            let attribute = target.and_then(|target| tree.operands(target).nth(1));
            let value = tree.child(node, Field::Right);
            let is_literal = value.is_none_or(|value| {
                matches!(
                    tree.kind(value),
                    Kind::Integer | Kind::None | Kind::Other | Kind::String
                )
            });
            let name = attribute.and_then(|node| self.names.find(tree.text(node)));
            if let Some(name) = name.filter(|_| !is_literal) {
                *counts.entry(name).or_default() += 1;
            }
        }
        counts
    }

    /// Returns the classes of which the file passes an instance to an imported function.
    fn classes_passed_to_imports(&self) -> HashSet<ScopeId> {
        let tree = self.tree;
        let assignments = self.nodes_of(Kind::Assignment);
        let instances: HashMap<(ScopeId, Name), Name> = assignments
            .filter_map(|node| self.constructed(node))
            .collect();
        let mut passed: HashSet<Name> = HashSet::default();
        for call in self.nodes_of(Kind::Call) {
            let function = tree.child(call, Field::Function);
            let arguments = tree.operands(call).nth(1);
            let Some(arguments) =
                arguments.filter(|_| function.is_some_and(|of| self.is_imported(of)))
            else {
                continue;
            };
            let keys = tree
                .operands(arguments)
                .filter_map(|argument| self.bound_key(argument));
            passed.extend(keys.filter_map(|key| instances.get(&key).copied()));
        }
        let classes = self.facts.definitions.iter();
        classes
            .filter(|class| passed.contains(&class.name))
            .map(|class| class.scope)
            .collect()
    }

    /// Returns the variable and the class of `a = A()`.
    fn constructed(&self, assignment: NodeIndex) -> Option<((ScopeId, Name), Name)> {
        let tree = self.tree;
        let key = self.bound_key(tree.child(assignment, Field::Left)?)?;
        let value = tree.child(assignment, Field::Right)?;
        let class = tree.child(value, Field::Function)?;
        let is_name = tree.kind(value) == Kind::Call && tree.kind(class) == Kind::Identifier;
        let class = self.names.find(tree.text(class)).filter(|_| is_name)?;
        Some((key, class))
    }

    /// Reports whether an identifier is bound by an import alone.
    fn is_imported(&self, identifier: NodeIndex) -> bool {
        self.bound_key(identifier).is_some_and(|(scope, name)| {
            let is_bound = self.local_names.contains_key(&(scope, name));
            is_bound && !self.bound_names.contains(&name)
        })
    }

    /// Returns an identifier with the scope that binds it.
    fn bound_key(&self, node: NodeIndex) -> Option<(ScopeId, Name)> {
        let is_name = self.tree.kind(node) == Kind::Identifier;
        let name = self.names.find(self.tree.text(node)).filter(|_| is_name)?;
        Some((self.binding_scope_of(self.scope_of(node), name), name))
    }

    fn nodes_of(&self, kind: Kind) -> impl Iterator<Item = NodeIndex> {
        let tree = self.tree;
        (0..tree.len()).filter(move |&node| tree.kind(node) == kind)
    }
}
