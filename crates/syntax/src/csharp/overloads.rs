//! Counts parameters and arguments, which tell methods of one name apart.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::ParameterCount;
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// The number of nodes from the name of a called method or type to the call.
const MAX_STEPS: usize = 5;

impl FlatTree<'_> {
    /// Counts the parameters of a method or constructor, with that of `this A a`.
    pub(super) fn parameter_count(&self, method: NodeIndex) -> Option<ParameterCount> {
        let list = self.child(method, Field::Parameters)?;
        Some(self.count_parameters(list))
    }

    /// Counts the parameters of the constructor that the head of a type declares.
    pub(super) fn head_parameter_count(&self, of: NodeIndex) -> Option<ParameterCount> {
        let mut parts = self.operands(of);
        let list = parts.find(|one| self.kind(*one) == Kind::Parameters)?;
        Some(self.count_parameters(list))
    }

    fn count_parameters(&self, list: NodeIndex) -> ParameterCount {
        let parameters = self.operands(list);
        let parameters = parameters.filter(|one| self.kind(*one) == Kind::Parameter);
        let parameters: Vec<NodeIndex> = parameters.collect();
        let has_default =
            |one: &&NodeIndex| self.children(**one).any(|part| self.text(part) == "=");
        let optional = parameters.iter().filter(has_default).count();
        // The grammar has no node for the parameter `params T[] a`: its type and its name are
        // children of the list.
        let is_variadic = self.child(list, Field::Name).is_some();
        let declared = wire(parameters.len()) + u32::from(is_variadic);
        ParameterCount {
            declared,
            required: wire(parameters.len() - optional),
            is_variadic,
        }
    }

    /// Counts the arguments of the call of a name. Without a list of them there are none, as in
    /// `new A { B = 1 }`.
    pub(super) fn argument_count(&self, name: NodeIndex) -> Option<u32> {
        let around = std::iter::successors(Some(name), |one| Some(self.parent(*one)));
        let mut around = around.skip(1).take(MAX_STEPS);
        let call =
            around.find(|one| matches!(self.kind(*one), Kind::Invocation | Kind::Creation))?;
        let arguments = self.child(call, Field::Arguments);
        Some(arguments.map_or(0, |list| wire(self.operands(list).count())))
    }
}
