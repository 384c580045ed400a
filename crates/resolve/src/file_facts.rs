//! The facts of one file with look-up tables for resolution.

use std::cell::OnceCell;

use crate::entity::Object;
use crate::flow_index::{FlowIndex, merge_flow};
use crate::flow_names::{FlowName, flow_names, flows, value_name};
use crate::outer_bindings::add_outer_bindings;
use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, DefinitionId, Facts, Import, ImportId, ImportedItem,
    Name, Position, Receiver, Reference, ReferenceKind, ScopeId, ScopeKind,
};

use ragnav_syntax::facts::MODULE;

/// The facts of one file with look-up tables for resolution.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
/// # use setup::{database, path};
/// let database = database(&[("shop.py", "def pay():\n    total()\n\ndef total(): pass\n")]);
/// let file = database.facts(&path("shop.py")).unwrap();
/// assert_eq!(file.facts.definitions.len(), 2);
/// ```
#[derive(Debug)]
pub struct FileFacts {
    /// The facts.
    pub facts: Facts,
    name_ids: HashMap<String, Name>,
    /// How values flow between the functions of the file.
    pub(crate) flow: FlowIndex,
    /// The bindings of each name of a scope, as indices.
    bindings: HashMap<(ScopeId, Name), Vec<usize>>,
    /// The definitions of each name directly in a definition, or in the file.
    members: HashMap<(Option<DefinitionId>, Name), Vec<DefinitionId>>,
    /// The definitions with a qualifier.
    qualified_members: HashMap<Qualified, Vec<DefinitionId>>,
    /// The definitions of each name that have a qualifier, computed on first use.
    qualified: OnceCell<HashMap<Name, Vec<DefinitionId>>>,
    /// The type parameters that each scope declares, in order. Those that are values, such as
    /// `int N`, count.
    type_parameters: HashMap<ScopeId, Vec<Name>>,
    /// The references in the body of each definition, as indices, computed on first use.
    references_in: OnceCell<HashMap<Option<DefinitionId>, Vec<usize>>>,
    /// The positions of the references, computed on first use.
    reference_positions: OnceCell<HashSet<Position>>,
    /// The bindings of each scope in order, as indices, computed on first use.
    bound: OnceCell<HashMap<ScopeId, Vec<usize>>>,
    /// The names between which values flow, computed on first use.
    flow_names: OnceCell<Vec<(FlowName, FlowName)>>,
    /// The qualifiers with all their prefixes: `a` and `a.b` of `a.b.c`.
    qualifiers: HashSet<(Option<DefinitionId>, String)>,
    /// The scope that binds the first segment of each definition's qualifier.
    head_scopes: OnceCell<HashMap<DefinitionId, ScopeId>>,
}

/// The enclosing definition, the qualifier and the name of a definition.
type Qualified = (Option<DefinitionId>, String, Name);

impl FileFacts {
    /// Builds the look-up tables.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_resolve::FileFacts;
    /// use ragnav_syntax::{extract_facts, find_language};
    ///
    /// let facts = extract_facts(find_language("python").unwrap(), "import shop\n");
    /// assert_eq!(FileFacts::new(facts).facts.imports.len(), 1);
    /// ```
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let mut facts = merge_flow(facts);
        add_outer_bindings(&mut facts);
        let mut bindings: HashMap<(ScopeId, Name), Vec<usize>> = HashMap::default();
        for (place, binding) in facts.bindings.iter().enumerate() {
            let key = (binding.scope, binding.name);
            bindings.entry(key).or_default().push(place);
        }
        let mut members: HashMap<(Option<DefinitionId>, Name), Vec<DefinitionId>> =
            HashMap::default();
        let mut qualified_members: HashMap<Qualified, Vec<DefinitionId>> = HashMap::default();
        let mut qualifiers = HashSet::default();
        for (id, definition) in (0..).map(DefinitionId).zip(&facts.definitions) {
            let parent = definition.parent;
            let Some(qualifier) = definition.qualifier.map(|name| facts.name(name)) else {
                let key = (parent, definition.name);
                members.entry(key).or_default().push(id);
                continue;
            };
            let key = (parent, qualifier.to_owned(), definition.name);
            qualified_members.entry(key).or_default().push(id);
            let ends = qualifier.match_indices('.').map(|(end, _)| end);
            let starts = ends
                .filter_map(|end| qualifier.get(..end))
                .chain([qualifier]);
            qualifiers.extend(starts.map(|start| (parent, start.to_owned())));
        }
        let names = facts.names.iter().cloned().zip((0..).map(Name));
        Self {
            type_parameters: type_parameters(&facts),
            flow: FlowIndex::new(&facts),
            name_ids: names.collect(),
            bindings,
            members,
            qualified_members,
            qualified: OnceCell::new(),
            qualifiers,
            head_scopes: OnceCell::new(),
            references_in: OnceCell::new(),
            bound: OnceCell::new(),
            flow_names: OnceCell::new(),
            reference_positions: OnceCell::new(),
            facts,
        }
    }

    /// Reports whether an object that the text writes out has a definition as a member under a
    /// name: `b` of `const a = { b() {} }`, and not of `a.b = () => {}`, where `b` is referred to.
    pub(crate) fn has_literal_members(&self, inside: Option<DefinitionId>, name: &str) -> bool {
        let references = self.reference_positions.get_or_init(|| {
            let references = self.facts.references.iter();
            references.map(|reference| reference.position).collect()
        });
        self.facts.definitions.iter().any(|definition| {
            let qualifier = definition.qualifier.map(|name| self.facts.name(name));
            definition.parent == inside
                && qualifier.is_some_and(|qualifier| is_under(qualifier, name))
                && !references.contains(&definition.name_position)
        })
    }

    /// Reports whether types or functions of the file have type parameters.
    pub(crate) fn has_type_parameters(&self) -> bool {
        !self.type_parameters.is_empty()
    }

    /// Returns the type parameters that a scope declares, in order.
    pub(crate) fn type_parameters(&self, scope: ScopeId) -> &[Name] {
        self.type_parameters.get(&scope).map_or(&[], Vec::as_slice)
    }

    /// Returns the index of a name, or `None` if the file does not contain it.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("shop.py", "def pay(): pass\n")]);
    /// let file = database.facts(&path("shop.py")).unwrap();
    /// let pay = file.find_name("pay").unwrap();
    /// assert_eq!((file.facts.name(pay), file.find_name("total")), ("pay", None));
    /// ```
    #[must_use]
    pub fn find_name(&self, name: &str) -> Option<Name> {
        self.name_ids.get(name).copied()
    }

    /// Reports whether a definition of the file has a name.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("shop.py", "def pay():\n    total()\n")]);
    /// let file = database.facts(&path("shop.py")).unwrap();
    /// assert!(file.defines("pay") && !file.defines("total"));
    /// ```
    #[must_use]
    pub fn defines(&self, name: &str) -> bool {
        let id = self.find_name(name);
        id.is_some_and(|id| self.facts.definitions.iter().any(|found| found.name == id))
    }

    /// Returns the bindings of a name in a scope, in source order.
    pub(crate) fn bindings(&self, scope: ScopeId, name: Name) -> impl Iterator<Item = &Binding> {
        let places = self.bindings.get(&(scope, name)).into_iter().flatten();
        places.filter_map(|place| self.facts.bindings.get(*place))
    }

    /// Returns the bindings of a scope, in source order.
    pub(crate) fn bound_in(&self, scope: ScopeId) -> impl DoubleEndedIterator<Item = &Binding> {
        let all = self.bound.get_or_init(|| {
            let mut all: HashMap<ScopeId, Vec<usize>> = HashMap::default();
            for (place, binding) in self.facts.bindings.iter().enumerate() {
                all.entry(binding.scope).or_default().push(place);
            }
            all
        });
        let places = all.get(&scope).into_iter().flatten();
        places.filter_map(|place| self.facts.bindings.get(*place))
    }

    /// Returns the parameters of the function with a scope, in order.
    pub(crate) fn parameters(&self, scope: ScopeId) -> impl DoubleEndedIterator<Item = &Binding> {
        let bound = self.bound_in(scope);
        bound.filter(|binding| matches!(binding.target, BindingTarget::Parameter(_)))
    }

    /// Returns the import that a reference is part of, or that binds its name.
    pub(crate) fn import_of(&self, reference: &Reference) -> Option<&Import> {
        if reference.kind == ReferenceKind::Import {
            let mut imports = self.facts.imports.iter();
            return imports.find(|import| import.position == reference.position);
        }
        if reference.is_member() {
            return None;
        }
        let scopes = std::iter::successors(Some(reference.scope), |scope| {
            self.facts.scope(*scope)?.parent
        });
        let bound = scopes.map(|scope| self.bindings(scope, reference.name));
        let nearest = bound.map(Iterator::peekable).find_map(|mut bindings| {
            bindings.peek()?;
            Some(bindings)
        });
        nearest?.find_map(|binding| match binding.target {
            BindingTarget::Import(id) => self.import(id),
            _ => None,
        })
    }

    /// Returns the definitions of a name directly in another definition, or in the file.
    #[must_use]
    pub(crate) fn members(&self, of: Option<DefinitionId>, name: Name) -> &[DefinitionId] {
        self.members.get(&(of, name)).map_or(&[], Vec::as_slice)
    }

    /// Returns the definitions of a name with a qualifier, directly in another definition or in the
    /// file.
    #[must_use]
    pub(crate) fn qualified_members(
        &self,
        inside: Option<DefinitionId>,
        qualifier: &str,
        name: Name,
    ) -> &[DefinitionId] {
        let key = (inside, qualifier.to_owned(), name);
        self.qualified_members.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Returns the definitions of a name with any qualifier, anywhere in the file.
    pub(crate) fn all_qualified(&self, name: Name) -> &[DefinitionId] {
        let all = self.qualified.get_or_init(|| {
            let mut all: HashMap<Name, Vec<DefinitionId>> = HashMap::default();
            for (id, one) in (0..).map(DefinitionId).zip(&self.facts.definitions) {
                if one.qualifier.is_some() {
                    all.entry(one.name).or_default().push(id);
                }
            }
            all
        });
        all.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Reports whether definitions have this name in their qualifier, directly in another
    /// definition or in the file.
    #[must_use]
    pub(crate) fn has_members_under(&self, inside: Option<DefinitionId>, name: &str) -> bool {
        self.qualifiers.contains(&(inside, name.to_owned()))
    }

    /// Reports whether definitions have the name of an object in their qualifier.
    pub(crate) fn has_members_of(&self, object: &Object) -> bool {
        let Some(bound_in) = object.bound_in else {
            return self.has_members_under(object.inside, &object.name);
        };
        self.has_members_under(object.inside, &object.name)
            && self
                .facts
                .definitions
                .iter()
                .zip((0..).map(DefinitionId))
                .any(|(one, id)| {
                    let qualifier = one.qualifier.map(|name| self.facts.name(name));
                    one.parent == object.inside
                        && qualifier.is_some_and(|qualifier| is_under(qualifier, &object.name))
                        && self.head_scope(id) == Some(bound_in)
                })
    }

    /// Returns the scope that binds the first segment of a definition's qualifier; `None` for a
    /// definition without one.
    pub(crate) fn head_scope(&self, id: DefinitionId) -> Option<ScopeId> {
        let scopes = self.head_scopes.get_or_init(|| {
            let definitions = (0..).map(DefinitionId).zip(&self.facts.definitions);
            let scoped = definitions.filter_map(|(id, one)| Some((id, self.find_head_scope(one)?)));
            scoped.collect()
        });
        scopes.get(&id).copied()
    }

    fn find_head_scope(&self, definition: &DefinitionFact) -> Option<ScopeId> {
        let qualifier = self.facts.name(definition.qualifier?);
        let head = self.find_name(qualifier.split('.').next()?);
        let around = self.facts.scope(definition.scope)?.parent;
        let bound = head
            .zip(around)
            .and_then(|(head, around)| self.binding_scope(around, head));
        Some(bound.unwrap_or(MODULE))
    }

    /// Returns the innermost of a scope and those around it that binds a name.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("a.py", "def f(cart):\n    return lambda: cart\n")]);
    /// let file = database.facts(&path("a.py")).unwrap();
    /// let cart = file.find_name("cart").unwrap();
    /// let reference = file.facts.references.last().unwrap();
    /// let function = file.facts.definitions[0].scope;
    /// assert_eq!(file.binding_scope(reference.scope, cart), Some(function));
    /// ```
    #[must_use]
    pub fn binding_scope(&self, scope: ScopeId, name: Name) -> Option<ScopeId> {
        let parent = |id: ScopeId| self.facts.scope(id)?.parent;
        let mut around = std::iter::successors(Some(scope), |id| parent(*id));
        around.find(|scope| self.bindings(*scope, name).next().is_some())
    }

    /// Returns the aliases that imports and assignments create.
    ///
    /// Each has the alias, the last segment of the original name, and whether other files can
    /// import the alias.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("shop.py", "from cart import total as sum_up\n")]);
    /// let file = database.facts(&path("shop.py")).unwrap();
    /// assert_eq!(file.aliases().collect::<Vec<_>>(), [("sum_up", "total", true)]);
    /// ```
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str, bool)> {
        let name = |name: Name| self.facts.name(name);
        let imports = self.facts.imports.iter().filter_map(move |import| {
            let ImportedItem::Member(member) = import.item else {
                return None;
            };
            Some((name(import.alias?), name(member), import.scope == MODULE))
        });
        // A file with exports exports nothing else.
        let exports_all = self.facts.exported.is_empty();
        let assigned = self.facts.bindings.iter().filter_map(move |binding| {
            let BindingTarget::Variable(Some(value)) = binding.target else {
                return None;
            };
            let last = name(value.path).rsplit('.').next()?;
            (!value.is_called).then(|| (name(binding.name), last, binding.scope == MODULE))
        });
        let aliases = imports.chain(assigned).filter(|(alias, of, _)| alias != of);
        // Others import names, and no elements: `a` and not `a['b']`.
        let is_name = |alias: &str| !alias.contains(['&', '[', '.']);
        aliases.map(move |(alias, of, is_global)| {
            (alias, of, is_global && exports_all && is_name(alias))
        })
    }

    /// Returns pairs of names in this file, of which the first may have a value of the second.
    ///
    /// A parameter has what calls pass to it. `a()` stands for what a function returns.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let text = "def run(task):\n    task()\n\ndef job(): pass\n\nrun(job)\n";
    /// let database = database(&[("shop.py", text)]);
    /// let file = database.facts(&path("shop.py")).unwrap();
    /// let pairs = file.flow_names().iter();
    /// let names: Vec<_> = pairs.map(|(given, of)| (&*given.name, &*of.name)).collect();
    /// assert_eq!(names, [("task", "job")]);
    /// ```
    pub fn flow_names(&self) -> &[(FlowName, FlowName)] {
        self.flow_names
            .get_or_init(|| flow_names(&self.facts, &self.flow))
    }

    /// Reports whether a value of a wanted name may flow to another name: whether
    /// [`flow_names`](Self::flow_names) may have such a pair. This costs less than those.
    /// `is_wanted` gets a name and the number of calls behind it.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let text = "def run(task):\n    task()\n\ndef job(): pass\n\nrun(job)\n";
    /// let database = database(&[("shop.py", text)]);
    /// let file = database.facts(&path("shop.py")).unwrap();
    /// assert!(file.has_flow_of(|name, calls| (name, calls) == ("job", 0)));
    /// assert!(!file.has_flow_of(|name, _| name == "run"));
    /// ```
    #[must_use]
    pub fn has_flow_of(&self, is_wanted: impl Fn(&str, usize) -> bool) -> bool {
        self.facts.flow.is_collected && flows(&self.facts, is_wanted)
    }

    /// Returns the names of what other files may call: the functions of the module, what it
    /// exports, and the functions in a function without a name, which may return an object that has
    /// them.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("shop.py", "def pay():\n    def total(): pass\n")]);
    /// let file = database.facts(&path("shop.py")).unwrap();
    /// assert_eq!(file.importable_functions().collect::<Vec<_>>(), ["pay"]);
    /// ```
    pub fn importable_functions(&self) -> impl Iterator<Item = &str> {
        let definitions = self.facts.definitions.iter();
        let functions = definitions.filter(|one| {
            one.parent.is_none()
                && one.kind == DefinitionKind::Function
                && !self.is_deep_inside(one)
        });
        let exported = self.facts.exported.iter().map(|export| export.name);
        let names = functions.map(|one| one.name).chain(exported);
        names.map(|name| self.facts.name(name))
    }

    /// Reports whether two functions or more are around a definition, as around those of each
    /// module in a bundle. They may have no names.
    fn is_deep_inside(&self, definition: &DefinitionFact) -> bool {
        let parent = |id: ScopeId| self.facts.scope(id)?.parent;
        let around = std::iter::successors(parent(definition.scope), |id| parent(*id));
        let functions = around.filter(|id| {
            let scope = self.facts.scope(*id);
            scope.is_some_and(|scope| matches!(scope.kind, ScopeKind::Function | ScopeKind::Arrow))
        });
        functions.take(2).count() == 2
    }

    /// Returns the name that holds the value of a reference, if that value has no name of its own.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("shop.py", "choose()()\n")]);
    /// let file = database.facts(&path("shop.py")).unwrap();
    /// let call = file.facts.references.last().unwrap();
    /// assert_eq!(file.name_of_value(call).as_deref(), Some("choose()"));
    /// ```
    #[must_use]
    pub fn name_of_value(&self, reference: &Reference) -> Option<String> {
        match reference.receiver {
            Receiver::Itself(value) => Some(value_name(&self.facts, value)),
            _ => None,
        }
    }

    /// Returns the references in the body of a definition, in source order, with their indices.
    /// With `None` it returns those that are in no definition.
    ///
    /// The body of a function includes what is nested in it. That of a class, an interface or an
    /// enum includes its own statements and its bases, and not its methods.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let database = database(&[("shop.py", "def pay():\n    total()\nopen()\n")]);
    /// let file = database.facts(&path("shop.py")).unwrap();
    /// let names = |id| {
    ///     let found = file.references_in(id).map(|(_, found)| file.facts.name(found.name));
    ///     found.collect::<Vec<_>>()
    /// };
    /// assert_eq!(names(Some(DefinitionId(0))), ["total"]);
    /// assert_eq!(names(None), ["open"]);
    /// ```
    pub fn references_in(
        &self,
        id: Option<DefinitionId>,
    ) -> impl Iterator<Item = (usize, &Reference)> {
        let places = self
            .references_in
            .get_or_init(|| references_in(&self.facts));
        let places = places.get(&id).into_iter().flatten();
        places.filter_map(|place| Some((*place, self.facts.references.get(*place)?)))
    }

    /// Returns an import by its index.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_syntax::facts::ImportId;
    ///
    /// let database = database(&[("shop.py", "import cart\n")]);
    /// let file = database.facts(&path("shop.py")).unwrap();
    /// let module = file.import(ImportId(0)).map(|import| file.facts.name(import.module));
    /// assert_eq!(module, Some("cart"));
    /// assert_eq!(file.import(ImportId(1)), None);
    /// ```
    #[must_use]
    pub fn import(&self, id: ImportId) -> Option<&Import> {
        self.facts.imports.get(id.0 as usize)
    }
}

fn references_in(facts: &Facts) -> HashMap<Option<DefinitionId>, Vec<usize>> {
    let mut found: HashMap<Option<DefinitionId>, Vec<usize>> = HashMap::default();
    let definition = |id: DefinitionId| facts.definition(id);
    let has_methods = |id| definition(id).is_some_and(|found| found.kind.has_methods());
    for (place, reference) in facts.references.iter().enumerate() {
        let scope = facts.scope(reference.scope);
        let innermost = scope.and_then(|scope| scope.definition);
        let derived_class = (reference.kind == ReferenceKind::Inherit)
            .then(|| derived_class(facts, innermost, reference.position));
        let mut enclosing = derived_class.flatten().or(innermost);
        let mut is_own = true;
        if enclosing.is_none() {
            found.entry(None).or_default().push(place);
        }
        while let Some(id) = enclosing {
            // A class does not contain the references in its methods.
            if is_own || !has_methods(id) {
                found.entry(Some(id)).or_default().push(place);
            }
            is_own = false;
            // A parent precedes its children. Damaged facts could otherwise contain a cycle.
            let parent = definition(id).and_then(|found| found.parent);
            enclosing = parent.filter(|parent| *parent < id);
        }
    }
    found
}

/// Returns the class with a base at a position: the last class that begins before it.
fn derived_class(
    facts: &Facts,
    inside: Option<DefinitionId>,
    at: Position,
) -> Option<DefinitionId> {
    let ids = (0..).map(DefinitionId).zip(&facts.definitions);
    let before = ids.filter(|(_, found)| {
        let covers = found.name_position < at && at.line <= found.end_line;
        found.kind.has_methods() && found.parent == inside && covers
    });
    before
        .max_by_key(|(_, found)| found.name_position)
        .map(|(id, _)| id)
}

fn type_parameters(facts: &Facts) -> HashMap<ScopeId, Vec<Name>> {
    let mut found: HashMap<ScopeId, Vec<Name>> = HashMap::default();
    for binding in &facts.bindings {
        let scope = facts.scope(binding.scope);
        let is_declared = scope.is_some_and(|scope| scope.kind == ScopeKind::TypeParameters)
            && matches!(
                binding.target,
                BindingTarget::Variable(_) | BindingTarget::Parameter(_)
            );
        if is_declared {
            let names = found.entry(binding.scope).or_default();
            // One with several bounds is bound several times.
            if !names.contains(&binding.name) {
                names.push(binding.name);
            }
        }
    }
    found
}

/// Reports whether a dotted path is a name, or begins with it.
fn is_under(path: &str, name: &str) -> bool {
    let rest = path.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
