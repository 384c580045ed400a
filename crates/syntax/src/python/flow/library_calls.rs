//! What functions of the standard library return, as paths with their arguments.
//!
//! Sources: <https://docs.python.org/3/library/functions.html>, and the pages of the modules that
//! are named here.

use super::targets::CONTEXTS;
use super::values::{ANY_KEY, MAX_ELEMENTS};
use crate::facts::ImportedItem;
use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

/// What a function of the library returns. The numbers are the places of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Returned {
    /// An argument, or a container with its elements.
    Argument(usize),
    /// An element of its only argument.
    Element,
    /// An element of an argument.
    ElementOf(usize),
    /// A container of the argument.
    Repeated,
    /// A container of the results of a function for the elements of another argument.
    Mapped,
    /// What a function returns.
    ResultOf(usize),
    /// A container of what a function returns, whose method `result` gives it.
    Future,
    /// A container of its arguments.
    Gathered,
    /// A container of the elements of all arguments.
    Chained,
    /// A container of the elements of the elements of an argument.
    Flattened,
    /// A container of tuples with an element of each argument.
    Zipped,
    /// A container of pairs of numbers and elements.
    Numbered,
    /// A container of pairs of an element and the next one.
    Paired,
    /// A container of containers with elements of the argument.
    Grouped,
    /// A container of pairs of a key and a container of elements.
    GroupedByKey,
    /// A dictionary of the keyword arguments, or of the pairs in an argument.
    Dictionary,
    /// A dictionary with its second argument for each key.
    FromKeys,
    /// The member of an object that a string names.
    Member,
    /// What a `with` statement gives for its only argument.
    Entered,
    /// A function that returns the argument.
    Reference,
}

/// The maximum number of arguments whose elements are joined.
const MAX_CHAINED: usize = 8;

/// The name that stands for the module of the builtin functions.
const BUILTINS: &str = "builtins";

/// The functions by their modules and names.
const FUNCTIONS: [(&str, &str, Returned); 56] = [
    (BUILTINS, "dict", Returned::Dictionary),
    (BUILTINS, "enumerate", Returned::Numbered),
    (BUILTINS, "filter", Returned::Argument(1)),
    (BUILTINS, "frozenset", Returned::Argument(0)),
    (BUILTINS, "getattr", Returned::Member),
    (BUILTINS, "iter", Returned::Argument(0)),
    (BUILTINS, "list", Returned::Argument(0)),
    (BUILTINS, "map", Returned::Mapped),
    (BUILTINS, "max", Returned::Element),
    (BUILTINS, "min", Returned::Element),
    (BUILTINS, "next", Returned::ElementOf(0)),
    (BUILTINS, "reversed", Returned::Argument(0)),
    (BUILTINS, "set", Returned::Argument(0)),
    (BUILTINS, "sorted", Returned::Argument(0)),
    (BUILTINS, "tuple", Returned::Argument(0)),
    (BUILTINS, "zip", Returned::Zipped),
    ("asyncio", "as_completed", Returned::Argument(0)),
    ("asyncio", "create_task", Returned::Argument(0)),
    ("asyncio", "ensure_future", Returned::Argument(0)),
    ("asyncio", "gather", Returned::Gathered),
    ("asyncio", "run", Returned::Argument(0)),
    ("asyncio", "shield", Returned::Argument(0)),
    ("asyncio", "to_thread", Returned::ResultOf(0)),
    ("asyncio", "wait_for", Returned::Argument(0)),
    ("attr", "evolve", Returned::Argument(0)),
    ("attrs", "evolve", Returned::Argument(0)),
    ("collections", "OrderedDict", Returned::Dictionary),
    ("collections", "deque", Returned::Argument(0)),
    ("concurrent.futures", "as_completed", Returned::Argument(0)),
    ("contextlib", "closing", Returned::Argument(0)),
    ("contextlib", "nullcontext", Returned::Argument(0)),
    ("dataclasses", "replace", Returned::Argument(0)),
    ("functools", "partial", Returned::Argument(0)),
    ("functools", "reduce", Returned::ResultOf(0)),
    ("heapq", "heappop", Returned::ElementOf(0)),
    ("heapq", "nlargest", Returned::Argument(1)),
    ("heapq", "nsmallest", Returned::Argument(1)),
    ("itertools", "batched", Returned::Grouped),
    ("itertools", "chain", Returned::Chained),
    ("itertools", "chain.from_iterable", Returned::Flattened),
    ("itertools", "combinations", Returned::Grouped),
    ("itertools", "cycle", Returned::Argument(0)),
    ("itertools", "dropwhile", Returned::Argument(1)),
    ("itertools", "filterfalse", Returned::Argument(1)),
    ("itertools", "groupby", Returned::GroupedByKey),
    ("itertools", "islice", Returned::Argument(0)),
    ("itertools", "pairwise", Returned::Paired),
    ("itertools", "permutations", Returned::Grouped),
    ("itertools", "product", Returned::Zipped),
    ("itertools", "repeat", Returned::Repeated),
    ("itertools", "takewhile", Returned::Argument(1)),
    ("itertools", "zip_longest", Returned::Zipped),
    ("random", "choice", Returned::ElementOf(0)),
    ("random", "choices", Returned::Argument(0)),
    ("random", "sample", Returned::Argument(0)),
    ("weakref", "ref", Returned::Reference),
];

/// The ends of the names of loops of events and of groups of tasks.
const TASK_RUNNERS: [&str; 3] = ["group", "loop", "tg"];

impl FactsBuilder<'_> {
    /// Returns the values of a call of a function of the library. There are none for another call.
    pub(super) fn library_results(&mut self, call: NodeIndex) -> Vec<String> {
        let found = self.library_function(call);
        found.map_or_else(Vec::new, |returned| self.results_of(call, returned))
    }

    /// Returns what the function of the library that a call calls returns.
    fn library_function(&self, call: NodeIndex) -> Option<Returned> {
        if let Some((module, name)) = self.library_name(call) {
            return function_of(module, name);
        }
        let tree = self.tree;
        let function = tree.child(call, Field::Function)?;
        let mut operands = tree.operands(function);
        let (of, name) = (operands.next()?, tree.text(operands.next()?));
        if tree.kind(function) != Kind::Attribute || self.binds(name) {
            return None;
        }
        let of = tree.text(of);
        let chain = of.strip_suffix("chain").filter(|_| name == "from_iterable");
        if chain.is_some_and(|module| module.is_empty() || module.ends_with('.')) {
            return Some(Returned::Flattened);
        }
        let is_loop = || TASK_RUNNERS.iter().any(|end| of.ends_with(end));
        match name {
            "fromkeys" if of == "dict" && !self.binds(of) => Some(Returned::FromKeys),
            "enter_async_context" | "enter_context" => Some(Returned::Entered),
            "map" => Some(Returned::Mapped),
            "submit" if self.imports_futures() => Some(Returned::Future),
            "create_task" | "run_until_complete" if is_loop() => Some(Returned::Argument(0)),
            "run_in_executor" if is_loop() => Some(Returned::ResultOf(1)),
            _ => None,
        }
    }

    /// Returns the module and the name of the function that a call calls, if its module is known.
    pub(super) fn library_name(&self, call: NodeIndex) -> Option<(&str, &str)> {
        let tree = self.tree;
        let function = tree.child(call, Field::Function)?;
        match tree.kind(function) {
            Kind::Identifier => self.imported_function(tree.text(function)),
            Kind::Attribute => {
                let mut operands = tree.operands(function);
                let (of, name) = (operands.next()?, operands.next()?);
                let module = self.imported_module(tree.text(of))?;
                Some((module, tree.text(name)))
            }
            _ => None,
        }
    }

    /// Returns the module and the name of a function that a file calls by a name without a dot.
    fn imported_function<'n>(&'n self, called: &'n str) -> Option<(&'n str, &'n str)> {
        if self.binds(called) {
            return None;
        }
        let known = self.names.find(called);
        let mut imports = self.facts.imports.iter();
        let import = known.and_then(|name| imports.find(|one| one.alias == Some(name)));
        let Some(import) = import else {
            return Some((BUILTINS, called));
        };
        match import.item {
            ImportedItem::Member(name) if import.level == 0 => {
                Some((self.names.text(import.module), self.names.text(name)))
            }
            _ => None,
        }
    }

    /// Reports whether the file imports `concurrent.futures`, whose pools have a method `submit`.
    fn imports_futures(&self) -> bool {
        let mut imports = self.facts.imports.iter();
        imports.any(|import| self.names.text(import.module).starts_with("concurrent"))
    }

    /// Returns the module that a name, which may have dots, stands for.
    fn imported_module<'n>(&'n self, of: &'n str) -> Option<&'n str> {
        let head = of.split('.').next().unwrap_or(of);
        let name = self.names.find(head).filter(|_| !self.binds(head))?;
        let mut imports = self.facts.imports.iter();
        let import = imports.find(|one| one.alias == Some(name))?;
        let module = self.names.text(import.module);
        match import.item {
            ImportedItem::Module if head == of && import.level == 0 => Some(module),
            // `import a.b` binds `a`.
            ImportedItem::Module if module == of => Some(module),
            _ => None,
        }
    }

    fn results_of(&mut self, call: NodeIndex, returned: Returned) -> Vec<String> {
        let tree = self.tree;
        let Some(list) = tree.operands(call).nth(1) else {
            return Vec::new();
        };
        // `next(a for a in b)` has no list of arguments.
        let arguments: Vec<NodeIndex> = match tree.kind(list) {
            Kind::Comprehension => vec![list],
            _ => tree.operands(list).take(MAX_ELEMENTS).collect(),
        };
        let is_keyword = |node: &NodeIndex| tree.kind(*node) == Kind::KeywordArgument;
        let (keywords, places): (Vec<_>, Vec<_>) = arguments.into_iter().partition(is_keyword);
        let is_splat = |node: &NodeIndex| tree.kind(*node) == Kind::Splat;
        let has_splat = places.iter().any(is_splat);
        match returned {
            Returned::Gathered => {
                let gathered = self.sequence_of(call, places);
                return gathered.into_iter().collect();
            }
            Returned::Dictionary => return self.dictionary_of(call, &places, keywords),
            _ if has_splat => return Vec::new(),
            _ => {}
        }
        if let Some(values) = self.values_returned(&places, returned) {
            return values;
        }
        let index = match returned {
            Returned::FromKeys => ANY_KEY,
            _ => "[]",
        };
        let elements = self.elements_returned(&places, returned);
        let made = self.container_of(call, index, &elements);
        made.into_iter().collect()
    }

    /// Returns the values of an argument.
    fn values_at(&mut self, places: &[NodeIndex], place: usize) -> Vec<String> {
        let argument = places.get(place).copied();
        argument.map_or_else(Vec::new, |argument| self.values_of(argument))
    }

    /// Returns what a function returns unless that is a new container.
    fn values_returned(&mut self, places: &[NodeIndex], returned: Returned) -> Option<Vec<String>> {
        Some(match returned {
            Returned::Argument(place) => self.values_at(places, place),
            Returned::Element if places.len() == 1 => suffixed(&self.values_at(places, 0), "*"),
            // `max(a, b)` is one of its arguments.
            Returned::Element => self.values_of_first(places),
            Returned::ElementOf(place) => suffixed(&self.values_at(places, place), "*"),
            Returned::ResultOf(place) => suffixed(&self.values_at(places, place), "()"),
            Returned::Reference => {
                let values = self.values_at(places, 0).into_iter();
                values.map(|path| format!("<{path}>")).collect()
            }
            Returned::Member => {
                let name = places.get(1).and_then(|key| self.tree.index_text(*key));
                let values = self.values_at(places, 0);
                let name = name.as_deref().and_then(quoted);
                name.map_or_else(Vec::new, |name| suffixed(&values, &format!(".{name}")))
            }
            Returned::Entered => {
                let values = self.values_at(places, 0);
                let contexts = CONTEXTS.iter();
                contexts
                    .flat_map(|suffix| suffixed(&values, suffix))
                    .collect()
            }
            _ => return None,
        })
    }

    /// Returns the elements of the container that a function returns.
    fn elements_returned(&mut self, places: &[NodeIndex], returned: Returned) -> Vec<String> {
        let all = match returned {
            Returned::Chained => self.values_of_first(places),
            Returned::FromKeys => self.values_at(places, 1),
            Returned::Zipped => return vec![self.zipped_element(places)],
            _ => self.values_at(places, 0),
        };
        let element = |path: &String| match returned {
            Returned::Future | Returned::Mapped => format!("{path}()"),
            Returned::Chained => format!("{path}*"),
            Returned::Flattened => format!("{path}**"),
            Returned::Grouped => format!("[{path}*]"),
            Returned::GroupedByKey => format!("(,[{path}*])"),
            Returned::Numbered => format!("(,{path}*)"),
            Returned::Paired => format!("({path}*,{path}*)"),
            _ => path.clone(),
        };
        all.iter().map(element).collect()
    }

    /// Returns the tuple of an element of each argument.
    fn zipped_element(&mut self, places: &[NodeIndex]) -> String {
        let parts = places.iter().take(MAX_CHAINED).map(|argument| {
            let first = self.values_of(*argument).into_iter().next();
            first.map_or_else(String::new, |path| format!("{path}*"))
        });
        let parts: Vec<String> = parts.collect();
        format!("({})", parts.join(","))
    }

    /// Returns the values of the first arguments.
    fn values_of_first(&mut self, places: &[NodeIndex]) -> Vec<String> {
        let first = places.iter().take(MAX_CHAINED);
        first
            .flat_map(|argument| self.values_of(*argument))
            .collect()
    }

    /// Returns the dictionary `dict(a=b)`, or that of pairs: `dict(zip(a, b))`.
    fn dictionary_of(
        &mut self,
        call: NodeIndex,
        places: &[NodeIndex],
        keywords: Vec<NodeIndex>,
    ) -> Vec<String> {
        let tree = self.tree;
        let Some(of) = places.first().copied() else {
            let elements = keywords.into_iter().filter_map(|keyword| {
                let mut sides = tree.operands(keyword);
                let (name, value) = (sides.next()?, sides.next()?);
                Some((format!("['{}']", tree.text(name)), value))
            });
            let elements = elements.collect();
            return self.literal(call, elements).into_iter().collect();
        };
        let is_of_pairs = match tree.kind(of) {
            Kind::List | Kind::Tuple => true,
            Kind::Comprehension => {
                let element = tree.operands(of).next();
                element.is_some_and(|element| tree.kind(element) == Kind::Tuple)
            }
            _ => self.library_function(of) == Some(Returned::Zipped),
        };
        if !keywords.is_empty() {
            return Vec::new();
        }
        let suffix = if is_of_pairs { "*[1]" } else { "[]" };
        let values = self.values_of(of).into_iter();
        let values: Vec<String> = values.map(|path| format!("{path}{suffix}")).collect();
        let made = self.container_of(call, ANY_KEY, &values);
        made.into_iter().collect()
    }
}

/// Returns what a function of a module returns.
fn function_of(module: &str, name: &str) -> Option<Returned> {
    let mut functions = FUNCTIONS.iter();
    let found = functions.find(|(of, known, _)| *of == module && *known == name);
    found.map(|(.., returned)| *returned)
}

/// Returns paths with a suffix.
fn suffixed(paths: &[String], suffix: &str) -> Vec<String> {
    let paths = paths.iter();
    paths.map(|path| format!("{path}{suffix}")).collect()
}

/// Returns the text of a key: `a` of `['a']`.
fn quoted(key: &str) -> Option<&str> {
    key.strip_prefix("['")?.strip_suffix("']")
}
