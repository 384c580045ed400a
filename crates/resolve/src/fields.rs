//! The fields that a class declares in its body: the names with annotations.

use crate::source_file::SourceFile;
use ragnav_syntax::facts::{BindingTarget, DefinitionFact, Name};

/// Returns the names of the fields that a class declares in its body, in order.
pub(super) fn fields(source: &SourceFile<'_>, class: &DefinitionFact) -> Vec<Name> {
    let declared = source.file.bound_in(class.scope).filter(|binding| {
        let is_field = matches!(binding.target, BindingTarget::Attribute(_));
        is_field && binding.value_scope == class.scope
    });
    let mut names: Vec<Name> = Vec::new();
    for binding in declared {
        if !names.contains(&binding.name) {
            names.push(binding.name);
        }
    }
    names
}
