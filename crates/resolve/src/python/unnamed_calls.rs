//! The definitions that decorators register and test runners call.

use ragnav_syntax::facts::DefinitionFact;

use crate::decorators;
use crate::source_file::SourceFile;

/// The decorators of the standard library that register nothing.
const PLAIN: [&str; 28] = [
    "abstractclassmethod",
    "abstractmethod",
    "abstractproperty",
    "abstractstaticmethod",
    "asynccontextmanager",
    "cache",
    "cached_property",
    "classmethod",
    "contextmanager",
    "coroutine",
    "dataclass",
    "dataclass_transform",
    "deleter",
    "deprecated",
    "final",
    "getter",
    "lru_cache",
    "no_type_check",
    "overload",
    "override",
    "property",
    "runtime_checkable",
    "setter",
    "staticmethod",
    "total_ordering",
    "unique",
    "verify",
    "wraps",
];

/// Reports whether a definition has a decorator that may register it to be called later, such as
/// `@app.route("/")`.
pub(super) fn is_registered(source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
    let is_decorated = definition.decorated_start_line < definition.start_line;
    let is_unknown = is_decorated && definition.decorators.is_empty();
    is_unknown || decorators::may_register(source, definition, |name| PLAIN.contains(&name))
}

/// Reports whether pytest or unittest calls a definition by its name:
/// <https://docs.pytest.org/en/stable/explanation/goodpractices.html>.
pub(super) fn is_test(source: &SourceFile<'_>, name: &str) -> bool {
    let file = source.path.name();
    let is_test_file = file.starts_with("test_") || file.ends_with("_test.py");
    is_test_file && (name.starts_with("test") || name.starts_with("Test"))
}
