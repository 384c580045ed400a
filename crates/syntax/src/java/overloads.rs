//! Counts parameters and arguments, which tell methods of one name apart.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::ParameterCount;
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// The number of nodes from the name of a called method or class to the call.
const MAX_STEPS: usize = 4;

impl FlatTree<'_> {
    /// Counts the parameters of a method, a constructor or a record. A compact constructor has
    /// those of its record.
    pub(super) fn parameter_count(&self, method: NodeIndex) -> Option<ParameterCount> {
        let record = self.parent(self.parent(method));
        let parameters = self.child(method, Field::Parameters);
        let parameters = parameters.or_else(|| self.child(record, Field::Parameters))?;
        let kinds = self.operands(parameters).map(|one| self.kind(one));
        let counted = kinds.filter(|kind| matches!(kind, Kind::Parameter | Kind::SpreadParameter));
        let counted: Vec<Kind> = counted.collect();
        let declared = wire(counted.len());
        let is_variadic = counted.last() == Some(&Kind::SpreadParameter);
        Some(ParameterCount {
            declared,
            required: declared - u32::from(is_variadic),
            is_variadic,
        })
    }

    /// Counts the arguments of the call of a name.
    pub(super) fn argument_count(&self, name: NodeIndex) -> Option<u32> {
        let around = std::iter::successors(Some(name), |one| Some(self.parent(*one)));
        let mut around = around.skip(1).take(MAX_STEPS);
        let call =
            around.find(|one| matches!(self.kind(*one), Kind::MethodCall | Kind::Creation))?;
        let arguments = self.child(call, Field::Arguments)?;
        Some(wire(self.operands(arguments).count()))
    }
}
