//! The facts of one file, with what finding names in them needs.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{
    Binding, Bound, DefinitionId, Facts, Import, ImportId, Imported, Name, Position, Reference,
    ReferenceKind, ScopeId,
};

/// The module's own scope.
const MODULE: ScopeId = ScopeId(0);

/// The facts of one file with what finding names in them needs.
#[derive(Debug)]
pub struct FileFacts {
    /// The facts.
    pub facts: Facts,
    name_ids: HashMap<String, Name>,
    /// The bindings of a name in a scope, by their places.
    bindings: HashMap<(ScopeId, Name), Vec<usize>>,
    /// The definitions directly in another one, or in the file, by name.
    members: HashMap<(Option<DefinitionId>, Name), Vec<DefinitionId>>,
    /// The definitions whose name path has more before their name than the definition around.
    qualified: HashMap<Qualified, Vec<DefinitionId>>,
    /// The references of what each definition does, by their places; found when they are asked for.
    references_in: OnceCell<HashMap<DefinitionId, Vec<usize>>>,
    /// All that stands before the names of those, with what that begins with: `a` and `a.b` of `a.b.c`.
    qualifiers: HashSet<(Option<DefinitionId>, String)>,
}

/// The definition around, what stands before the name, and the name.
type Qualified = (Option<DefinitionId>, String, Name);

impl FileFacts {
    /// The facts with their look-up tables.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let mut bindings: HashMap<(ScopeId, Name), Vec<usize>> = HashMap::new();
        for (place, binding) in facts.bindings.iter().enumerate() {
            let key = (binding.scope, binding.name);
            bindings.entry(key).or_default().push(place);
        }
        let mut members: HashMap<(Option<DefinitionId>, Name), Vec<DefinitionId>> = HashMap::new();
        let mut under: HashMap<Qualified, Vec<DefinitionId>> = HashMap::new();
        let mut qualifiers = HashSet::new();
        for (id, definition) in (0..).map(DefinitionId).zip(&facts.definitions) {
            let parent = definition.parent;
            let Some(qualifier) = definition.qualifier.map(|name| facts.name(name)) else {
                let key = (parent, definition.name);
                members.entry(key).or_default().push(id);
                continue;
            };
            let key = (parent, qualifier.to_owned(), definition.name);
            under.entry(key).or_default().push(id);
            let ends = qualifier.match_indices('.').map(|(end, _)| end);
            let starts = ends
                .filter_map(|end| qualifier.get(..end))
                .chain([qualifier]);
            qualifiers.extend(starts.map(|start| (parent, start.to_owned())));
        }
        let names = facts.names.iter().cloned().zip((0..).map(Name));
        Self {
            name_ids: names.collect(),
            bindings,
            members,
            qualified: under,
            qualifiers,
            references_in: OnceCell::new(),
            facts,
        }
    }

    /// The name's place among the names of this file; `None` where the file does not hold it.
    #[must_use]
    pub fn name_id(&self, name: &str) -> Option<Name> {
        self.name_ids.get(name).copied()
    }

    /// What a scope binds to a name, in the order of the text.
    pub fn bindings(&self, scope: ScopeId, name: Name) -> impl Iterator<Item = &Binding> {
        let places = self.bindings.get(&(scope, name)).into_iter().flatten();
        places.filter_map(|place| self.facts.bindings.get(*place))
    }

    /// The definitions of a name directly in another definition.
    #[must_use]
    pub fn members(&self, of: Option<DefinitionId>, name: Name) -> &[DefinitionId] {
        self.members.get(&(of, name)).map_or(&[], Vec::as_slice)
    }

    /// The definitions of a name under a qualifier directly in another definition, or in the file.
    #[must_use]
    pub fn qualified(
        &self,
        inside: Option<DefinitionId>,
        qualifier: &str,
        name: Name,
    ) -> &[DefinitionId] {
        let key = (inside, qualifier.to_owned(), name);
        self.qualified.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Whether definitions directly in another one, or in the file, are under a name.
    #[must_use]
    pub fn qualifies(&self, inside: Option<DefinitionId>, name: &str) -> bool {
        self.qualifiers.contains(&(inside, name.to_owned()))
    }

    /// The names that imports and assignments give to something: the given one, the last segment of what it is given to, and
    /// whether other files can import it.
    pub fn given_names(&self) -> impl Iterator<Item = (&str, &str, bool)> {
        let name = |name: Name| self.facts.name(name);
        let imports = self.facts.imports.iter().filter_map(move |import| {
            let Imported::Member(member) = import.what else {
                return None;
            };
            Some((name(import.alias?), name(member), import.scope == MODULE))
        });
        // Where a file says what it exports, nothing else can be imported.
        let is_open = self.facts.exported.is_empty();
        let assigned = self.facts.bindings.iter().filter_map(move |binding| {
            let Bound::Variable(Some(value)) = binding.to else {
                return None;
            };
            let last = name(value.path).rsplit('.').next()?;
            (!value.called).then(|| (name(binding.name), last, binding.scope == MODULE))
        });
        let given = imports.chain(assigned).filter(|(given, of, _)| given != of);
        given.map(move |(given, of, is_global)| (given, of, is_global && is_open))
    }

    /// The references of what a definition does: anywhere in a function, but for a class in its own statements and
    /// superclasses. In the order of the text.
    pub fn references_in(&self, id: DefinitionId) -> impl Iterator<Item = &Reference> {
        let places = self
            .references_in
            .get_or_init(|| references_in(&self.facts));
        let places = places.get(&id).into_iter().flatten();
        places.filter_map(|place| self.facts.references.get(*place))
    }

    /// An import by its place.
    #[must_use]
    pub fn import(&self, id: ImportId) -> Option<&Import> {
        self.facts.imports.get(id.0 as usize)
    }
}

fn references_in(facts: &Facts) -> HashMap<DefinitionId, Vec<usize>> {
    let mut found: HashMap<DefinitionId, Vec<usize>> = HashMap::new();
    let definition = |id: DefinitionId| facts.definitions.get(id.0 as usize);
    let is_class = |id| definition(id).is_some_and(|found| found.kind == DefinitionKind::Class);
    for (place, reference) in facts.references.iter().enumerate() {
        let scope = facts.scopes.get(reference.scope.0 as usize);
        let innermost = scope.and_then(|scope| scope.definition);
        let heir = (reference.kind == ReferenceKind::Inherit)
            .then(|| heir(facts, innermost, reference.at));
        let mut around = heir.flatten().or(innermost);
        let mut is_own = true;
        while let Some(id) = around {
            // What a method does its class does not.
            if is_own || !is_class(id) {
                found.entry(id).or_default().push(place);
            }
            is_own = false;
            // One stands behind those around it; anything else would lead round in a circle.
            let parent = definition(id).and_then(|found| found.parent);
            around = parent.filter(|parent| *parent < id);
        }
    }
    found
}

/// The class that inherits from what is mentioned there: the last one before it.
fn heir(facts: &Facts, inside: Option<DefinitionId>, at: Position) -> Option<DefinitionId> {
    let ids = (0..).map(DefinitionId).zip(&facts.definitions);
    let before = ids.filter(|(_, found)| {
        let inherits = matches!(
            found.kind,
            DefinitionKind::Class | DefinitionKind::Interface
        );
        let is_around = found.name_at < at && at.line <= found.end_line;
        inherits && found.parent == inside && is_around
    });
    before
        .max_by_key(|(_, found)| found.name_at)
        .map(|(id, _)| id)
}
