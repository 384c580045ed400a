//! Finds decorators, annotations and attributes that may register a definition.

use ragnav_syntax::facts::DefinitionFact;

use crate::source_file::SourceFile;

/// Reports whether a definition has a decorator that may register it, so that it is called later:
/// one whose name, the last part of `a.b`, is not known to register nothing.
pub(crate) fn may_register(
    source: &SourceFile<'_>,
    definition: &DefinitionFact,
    registers_nothing: impl Fn(&str) -> bool,
) -> bool {
    definition.decorators.iter().any(|decorator| {
        let path = source.file.facts.name(decorator.path);
        let name = path.rsplit(['.', ':', '\\']).next();
        !registers_nothing(name.unwrap_or(path))
    })
}

pub(super) fn has_decorator(
    source: &SourceFile<'_>,
    definition: &DefinitionFact,
    name: &str,
) -> bool {
    let mut decorators = definition.decorators.iter();
    decorators.any(|decorator| {
        let path = source.file.facts.name(decorator.path);
        path.rsplit('.').next() == Some(name)
    })
}
