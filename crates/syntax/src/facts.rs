//! The facts of one file: definitions, scopes, bindings, references, imports and exports.
//!
//! Facts are a pure function of a text and its language. Resolving a reference needs other files,
//! so facts contain no resolution. Lines are 1-based, columns are 0-based UTF-16 code units.

mod arguments;
pub(crate) mod conditions;
mod definition;
mod flow;
mod ids;
mod module;
mod reference;
mod scope;
mod types;

use serde::{Deserialize, Serialize};

pub use self::arguments::ArgumentFact;
pub(crate) use self::conditions::{Change, Condition};
pub use self::conditions::{Conditions, join_conditions};
pub use self::definition::{BodyHash, DefinitionFact, ParameterCount};
pub use self::flow::{
    ADDED, Argument, ArgumentPlace, Assignment, BEFORE_COPY, BUILTIN_RESULT, CALL_RESULT, COPIED,
    CallFact, Effect, Flow, LAMBDA, LITERAL, OWN_CALL, OWN_METHOD, Signature, UNDECORATED,
};
pub use self::ids::{ArgumentsId, DefinitionId, ImportId, MODULE, Name, Position, ScopeId};
pub use self::module::{
    EXPORT_EQUALS, Export, ExportedItem, Import, ImportedItem, MODULE_FILE, UNNAMED_MODULE,
};
pub use self::reference::{
    ARGUMENTS, ARITY, ARROW, AS_MAPPING, CALLED_BY_SYSTEM, CLASS_OF_BODY, COMES_FIRST,
    COMES_FIRST_BESIDE, COMES_FIRST_INSIDE, DEFINED_MACRO, ELEMENT, ELEMENTS, EXPORTED, EXTENDED,
    FIELD, FIRST_ARGUMENT, FOR_ALL_TYPES, GLOBAL_USING, GUARD, IDENTITY_MAPPING, IMPLEMENTED,
    IMPORTED, INHERITED, INSIDE, MACRO, METHOD, NAMELESS_BASE, NAMESPACE, OPENED, OPERATION,
    OPERATOR, OWN_INSTANCE, PARTIAL, RANGE_INDICES, Receiver, Reference, ReferenceKind,
    SELF_INSTANCE, SPECIALIZATION, STATIC, STATIC_USING, Space, TAG, THIS, TOP_LEVEL, TUPLE_PART,
    TYPE, TYPE_ARGUMENT, TYPE_NAME, UNDEFINED, USING, Value, tuple_parts,
};
pub use self::scope::{Binding, BindingTarget, Outer, RETURNED, Scope, ScopeKind, YIELDED};
pub use self::types::{
    ACCESSOR, CALL_SIGNATURE, CONSTRUCT_SIGNATURE, DOCUMENTED, EMBEDDED, GLOBAL, INDEX_SIGNATURE,
    PARAMETER, PREDICATE, TYPE_NUMBER, TypeFact, TypeShape, UNKNOWN,
};
use crate::symbol::Symbol;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;

/// The facts of one file.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "from shop import prices\n\nclass Cart:\n    def total(self):\n        return 0\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// assert_eq!(facts.name(facts.imports[0].module), "shop");
/// assert_eq!(facts.definitions.len(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Every name and dotted name of the file, without duplicates. [`Name`] is an index.
    pub names: Vec<String>,
    /// The definitions in source order. An enclosing definition precedes those inside it.
    pub definitions: Vec<DefinitionFact>,
    /// The scopes. The module's is the first, and a parent precedes its children.
    pub scopes: Vec<Scope>,
    /// The bindings, in source order.
    pub bindings: Vec<Binding>,
    /// The references, in source order.
    pub references: Vec<Reference>,
    /// The lists of arguments, without duplicates. [`ArgumentsId`] is an index.
    pub arguments: Vec<Vec<ArgumentFact>>,
    /// The imports, in source order.
    pub imports: Vec<Import>,
    /// The names in `__all__`, or `None` if the module does not declare any.
    pub exports: Option<Vec<Name>>,
    /// The name that the file gives to its package: `x` of `package x` in Go.
    pub package: Option<Name>,
    /// The condition under which the file takes part in a build: `linux` of `//go:build linux` in
    /// Go.
    pub build_constraint: Option<Name>,
    /// The exports of a JavaScript or TypeScript module, in source order. Empty in Python.
    pub exported: Vec<Export>,
    /// How values flow between the functions of the file, in Python and JavaScript.
    pub flow: Flow,
    /// The types that no name expresses, sorted by number.
    pub types: Vec<TypeFact>,
    /// The conditions under which the parts of the file are compiled.
    pub conditions: Conditions,
    /// The first and the last line of each part that is no valid syntax, in order. Facts of it may be
    /// missing.
    pub errors: Vec<(u32, u32)>,
    /// Whether a limit was exceeded, so that facts are missing.
    pub is_partial: bool,
}

impl Facts {
    /// Returns the text of a name, or `""` for a name of another file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::Name;
    /// use ragnav_syntax::{extract_facts, find_language};
    ///
    /// let facts = extract_facts(find_language("python").unwrap(), "def f(): pass\n");
    /// assert_eq!(facts.name(facts.definitions[0].name), "f");
    /// assert_eq!(facts.name(Name(99)), "");
    /// ```
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        let text = self.names.get(name.0 as usize);
        text.map(String::as_str).unwrap_or_default()
    }

    /// Adds an unknown base to each type, which may have members that other files define or that it
    /// inherits.
    pub(crate) fn add_unknown_bases(&mut self, anything: Name) {
        let types = self.definitions.iter_mut().filter(|definition| {
            !matches!(
                definition.kind,
                DefinitionKind::Function | DefinitionKind::Method
            )
        });
        for definition in types {
            definition.bases.push(Value {
                path: anything,
                is_called: false,
            });
        }
    }

    /// Returns the facts of a text that cannot be parsed.
    pub(crate) fn partial() -> Self {
        Self {
            is_partial: true,
            ..Self::default()
        }
    }

    /// Returns a definition, or `None` for one of another file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::DefinitionId;
    /// use ragnav_syntax::{extract_facts, find_language};
    ///
    /// let facts = extract_facts(find_language("python").unwrap(), "def total(): pass\n");
    /// let definition = facts.definition(DefinitionId(0)).unwrap();
    /// assert_eq!(facts.name(definition.name), "total");
    /// assert!(facts.definition(DefinitionId(1)).is_none());
    /// ```
    #[must_use]
    pub fn definition(&self, definition: DefinitionId) -> Option<&DefinitionFact> {
        self.definitions.get(definition.0 as usize)
    }

    /// Returns a scope, or `None` for one of another file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::ScopeKind;
    /// use ragnav_syntax::{extract_facts, find_language};
    ///
    /// let facts = extract_facts(find_language("python").unwrap(), "def total(): pass\n");
    /// let scope = facts.scope(facts.definitions[0].scope).unwrap();
    /// assert_eq!(scope.kind, ScopeKind::Function);
    /// ```
    #[must_use]
    pub fn scope(&self, scope: ScopeId) -> Option<&Scope> {
        self.scopes.get(scope.0 as usize)
    }

    /// Returns the arguments of a call, in the languages where they tell overloads apart.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::{extract_facts, find_language};
    ///
    /// let facts = extract_facts(find_language("java").unwrap(), "class A { int b = c(1, 2); }");
    /// let counts = facts.references.iter().map(|one| Some(facts.arguments_of(one)?.len()));
    /// assert_eq!(counts.collect::<Vec<_>>(), [Some(2)]);
    /// ```
    #[must_use]
    pub fn arguments_of(&self, call: &Reference) -> Option<&[ArgumentFact]> {
        let list = self.arguments.get(call.arguments?.0 as usize)?;
        Some(list)
    }

    /// Returns the references whose names begin at a place. There are several if one name in the
    /// text is used in several ways.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::{extract_facts, find_language};
    ///
    /// let facts = extract_facts(find_language("python").unwrap(), "total()\ncart.price\n");
    /// let at = |line, column| {
    ///     let found = facts.references_at(line, column).iter();
    ///     found.map(|one| facts.name(one.name)).collect::<Vec<_>>()
    /// };
    /// assert_eq!(at(2, 5), ["price"]);
    /// assert!(at(2, 6).is_empty());
    /// ```
    #[must_use]
    pub fn references_at(&self, line: u32, start_utf16: u32) -> &[Reference] {
        let place = |one: &Reference| (one.position.line, one.position.start_utf16);
        let wanted = (line, start_utf16);
        let start = self.references.partition_point(|one| place(one) < wanted);
        let rest = self.references.get(start..).unwrap_or_default();
        let count = rest.partition_point(|one| place(one) == wanted);
        rest.get(..count).unwrap_or_default()
    }

    /// Returns the scope that encloses another one; the module encloses itself.
    pub(crate) fn enclosing_scope(&self, scope: ScopeId) -> ScopeId {
        let enclosing = self.scope(scope).and_then(|scope| scope.parent);
        enclosing.unwrap_or(MODULE)
    }

    /// Returns the id of the scope that is added next.
    pub(crate) fn next_scope(&self) -> ScopeId {
        ScopeId(wire(self.scopes.len()))
    }

    /// Adds a scope. Without a definition of its own it belongs to its parent's.
    pub(crate) fn add_scope(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        let scope = self.next_scope();
        let definition = definition.or_else(|| self.scope(parent)?.definition);
        self.scopes.push(Scope {
            kind,
            parent: Some(parent),
            definition,
        });
        scope
    }

    /// Returns the name path of a definition: the names of the enclosing definitions and its own,
    /// joined with dots.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::DefinitionId;
    /// use ragnav_syntax::{extract_facts, find_language};
    ///
    /// let text = "class Cart:\n    def total(self): pass\n";
    /// let facts = extract_facts(find_language("python").unwrap(), text);
    /// assert_eq!(facts.name_path(DefinitionId(1)), "Cart.total");
    /// ```
    #[must_use]
    pub fn name_path(&self, id: DefinitionId) -> String {
        let mut names = Vec::new();
        let mut next = Some(id);
        while let Some(definition) = next.and_then(|id| self.definition(id)) {
            names.push(self.name(definition.name));
            names.extend(definition.qualifier.map(|qualifier| self.name(qualifier)));
            // A parent precedes its children. Damaged facts could otherwise contain a cycle.
            next = definition.parent.filter(|parent| Some(*parent) < next);
        }
        names.reverse();
        names.join(".")
    }

    /// Converts the definitions to symbols, equal to those of
    /// [`extract_symbols`](crate::extract_symbols).
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::{extract_facts, extract_symbols, find_language};
    ///
    /// let python = find_language("python").unwrap();
    /// let text = "class Cart:\n    def total(self): pass\n";
    /// assert_eq!(extract_facts(python, text).symbols(), extract_symbols(python, text));
    /// ```
    #[must_use]
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = Vec::with_capacity(self.definitions.len());
        for definition in &self.definitions {
            let name = self.name(definition.name);
            let parent = definition.parent;
            let enclosing = parent.and_then(|parent| symbols.get(parent.0 as usize));
            let enclosing = enclosing.map(|enclosing| enclosing.name_path.as_str());
            let qualifier = definition.qualifier.map(|qualifier| self.name(qualifier));
            let segments: Vec<&str> = enclosing
                .into_iter()
                .chain(qualifier)
                .chain([name])
                .collect();
            let name_path = segments.join(".");
            symbols.push(Symbol {
                kind: definition.kind,
                name_path,
                ordinal: definition.ordinal as usize,
                decorated_start_line: definition.decorated_start_line as usize,
                start_line: definition.start_line as usize,
                start_utf16: definition.start_utf16,
                end_line: definition.end_line as usize,
                end_utf16: definition.end_utf16,
            });
        }
        symbols
    }
}
