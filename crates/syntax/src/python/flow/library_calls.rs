//! What functions of the standard library return, as paths with their arguments.
//!
//! Sources: <https://docs.python.org/3/library/functions.html>, and the pages of the modules that
//! are named here.

use super::targets::CONTEXTS;
use super::values::{ANY_KEY, MAX_ELEMENTS};
use crate::facts::ImportedItem;
use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::python::library_object::LibraryObject;
use crate::tree::NodeIndex;

/// What a function of the library returns. The numbers are the places of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Returned {
    /// An argument.
    Argument(usize),
    /// A container of the elements of an argument. Those of a dictionary are its keys.
    Copied(usize),
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
    (BUILTINS, "filter", Returned::Copied(1)),
    (BUILTINS, "frozenset", Returned::Copied(0)),
    (BUILTINS, "getattr", Returned::Member),
    (BUILTINS, "iter", Returned::Copied(0)),
    (BUILTINS, "list", Returned::Copied(0)),
    (BUILTINS, "map", Returned::Mapped),
    (BUILTINS, "max", Returned::Element),
    (BUILTINS, "min", Returned::Element),
    (BUILTINS, "next", Returned::ElementOf(0)),
    (BUILTINS, "reversed", Returned::Copied(0)),
    (BUILTINS, "set", Returned::Copied(0)),
    (BUILTINS, "sorted", Returned::Copied(0)),
    (BUILTINS, "tuple", Returned::Copied(0)),
    (BUILTINS, "zip", Returned::Zipped),
    ("asyncio", "as_completed", Returned::Copied(0)),
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
    ("collections", "deque", Returned::Copied(0)),
    ("concurrent.futures", "as_completed", Returned::Copied(0)),
    ("contextlib", "closing", Returned::Argument(0)),
    ("contextlib", "nullcontext", Returned::Argument(0)),
    ("dataclasses", "replace", Returned::Argument(0)),
    ("functools", "partial", Returned::Argument(0)),
    ("functools", "reduce", Returned::ResultOf(0)),
    ("heapq", "heappop", Returned::ElementOf(0)),
    ("heapq", "nlargest", Returned::Copied(1)),
    ("heapq", "nsmallest", Returned::Copied(1)),
    ("itertools", "batched", Returned::Grouped),
    ("itertools", "chain", Returned::Chained),
    ("itertools", "chain.from_iterable", Returned::Flattened),
    ("itertools", "combinations", Returned::Grouped),
    ("itertools", "cycle", Returned::Copied(0)),
    ("itertools", "dropwhile", Returned::Copied(1)),
    ("itertools", "filterfalse", Returned::Copied(1)),
    ("itertools", "groupby", Returned::GroupedByKey),
    ("itertools", "islice", Returned::Copied(0)),
    ("itertools", "pairwise", Returned::Paired),
    ("itertools", "permutations", Returned::Grouped),
    ("itertools", "product", Returned::Zipped),
    ("itertools", "repeat", Returned::Repeated),
    ("itertools", "takewhile", Returned::Copied(1)),
    ("itertools", "zip_longest", Returned::Zipped),
    ("random", "choice", Returned::ElementOf(0)),
    ("random", "choices", Returned::Copied(0)),
    ("random", "sample", Returned::Copied(0)),
    ("weakref", "ref", Returned::Reference),
];

/// The modules that have the builtin functions by their names, for versions of Python.
const BUILTIN_MODULES: [&str; 2] = [BUILTINS, "six.moves"];

/// The classes whose methods have functions of the caller, or contexts, as arguments.
const OBJECTS: [(&str, &str, LibraryObject); 8] = [
    (
        "concurrent.futures",
        "ProcessPoolExecutor",
        LibraryObject::Pool,
    ),
    (
        "concurrent.futures",
        "ThreadPoolExecutor",
        LibraryObject::Pool,
    ),
    ("contextlib", "AsyncExitStack", LibraryObject::ExitStack),
    ("contextlib", "ExitStack", LibraryObject::ExitStack),
    ("multiprocessing", "Pool", LibraryObject::Pool),
    ("multiprocessing.dummy", "Pool", LibraryObject::Pool),
    ("multiprocessing.pool", "Pool", LibraryObject::Pool),
    ("multiprocessing.pool", "ThreadPool", LibraryObject::Pool),
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
        let tree = self.tree;
        let names = self.library_names(call);
        if !names.is_empty() {
            let mut names = names.into_iter();
            return names.find_map(|(module, name)| function_of(module, name));
        }
        let function = tree.child(call, Field::Function)?;
        let mut operands = tree.operands(function);
        let (object, name) = (operands.next()?, tree.text(operands.next()?));
        if tree.kind(function) != Kind::Attribute {
            return None;
        }
        let of = tree.text(object);
        match name {
            "from_iterable" => {
                let module = of.strip_suffix("chain")?;
                let is_chain = module.is_empty() || module.ends_with('.');
                is_chain.then_some(Returned::Flattened)
            }
            "fromkeys" if of == "dict" && !self.is_rebound(object, of) => Some(Returned::FromKeys),
            "map" if self.is_pool(of) => Some(Returned::Mapped),
            "submit" if self.is_pool(of) => Some(Returned::Future),
            "enter_async_context" | "enter_context" => {
                let is_stack = self.library_objects.get(of) == Some(&LibraryObject::ExitStack);
                is_stack.then_some(Returned::Entered)
            }
            _ if self.binds(name) => None,
            "create_task" if runs_tasks(of) => Some(Returned::Argument(0)),
            "run_until_complete" if runs_tasks(of) && self.imports("asyncio") => {
                Some(Returned::Argument(0))
            }
            "run_in_executor" if runs_tasks(of) && self.imports("asyncio") => {
                Some(Returned::ResultOf(1))
            }
            _ => None,
        }
    }

    /// Collects the variables and attributes that get an object of the library: `with A() as b` and
    /// `b = A()`.
    pub(super) fn collect_library_objects(&mut self) {
        let tree = self.tree;
        for node in 0..tree.len() {
            let (target, value) = match tree.kind(node) {
                Kind::Assignment => (
                    tree.child(node, Field::Left),
                    tree.child(node, Field::Right),
                ),
                Kind::AsPattern => {
                    let mut parts = tree.operands(node);
                    let (value, target) = (parts.next(), parts.next());
                    let named = target.and_then(|target| tree.operands(target).next());
                    (named.or(target), value)
                }
                _ => continue,
            };
            let Some((target, value)) = target.zip(value) else {
                continue;
            };
            if tree.kind(value) != Kind::Call {
                continue;
            }
            let mut names = self.library_names(value).into_iter();
            let object = names.find_map(|(module, name)| object_of(module, name));
            if let Some(object) = object {
                let target = tree.text(target).to_owned();
                self.library_objects.insert(target, object);
            }
        }
    }

    /// Reports whether a name is that of a pool of threads or processes, by what it is assigned or
    /// by its end.
    fn is_pool(&self, of: &str) -> bool {
        let is_named = || of.ends_with("pool") || of.ends_with("executor");
        let imports_pools = || self.imports("concurrent") || self.imports("multiprocessing");
        self.library_objects.get(of) == Some(&LibraryObject::Pool)
            || (is_named() && imports_pools())
    }

    /// Returns the modules, with the names in these, of the function that a call may call.
    pub(super) fn library_names(&self, call: NodeIndex) -> Vec<(&str, &str)> {
        let tree = self.tree;
        let Some(function) = tree.child(call, Field::Function) else {
            return Vec::new();
        };
        match tree.kind(function) {
            Kind::Identifier => self.imported_functions(function),
            Kind::Attribute => {
                let mut operands = tree.operands(function);
                let (Some(of), Some(name)) = (operands.next(), operands.next()) else {
                    return Vec::new();
                };
                let modules = self.imported_modules(of).into_iter();
                modules.map(|module| (module, tree.text(name))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the modules and names of a function that a file calls by a name without a dot.
    fn imported_functions(&self, called: NodeIndex) -> Vec<(&str, &str)> {
        let called_name = self.tree.text(called);
        if self.is_rebound(called, called_name) {
            return Vec::new();
        }
        let known = self.names.find(called_name);
        let imports = self.facts.imports.iter();
        let mut imports = imports.filter(|one| one.alias.is_some() && one.alias == known);
        let Some(first) = imports.next() else {
            return vec![(BUILTINS, called_name)];
        };
        let all = std::iter::once(first).chain(imports);
        let functions = all.filter_map(|import| match import.item {
            ImportedItem::Member(name) if import.level == 0 => {
                let module = self.names.text(import.module);
                let is_builtins = BUILTIN_MODULES.contains(&module);
                let module = if is_builtins { BUILTINS } else { module };
                Some((module, self.names.text(name)))
            }
            _ => None,
        });
        functions.collect()
    }

    /// Returns the modules that a name, which may have dots, may stand for.
    fn imported_modules(&self, of: NodeIndex) -> Vec<&str> {
        let of_name = self.tree.text(of);
        let head = of_name.split('.').next().unwrap_or(of_name);
        let Some(name) = self.names.find(head).filter(|_| !self.is_rebound(of, head)) else {
            return Vec::new();
        };
        let imports = self.facts.imports.iter();
        let imports = imports.filter(|one| one.alias == Some(name) && one.level == 0);
        let modules = imports.filter_map(|import| {
            let module = self.names.text(import.module);
            // `import a.b` binds `a`.
            let top = module.split_once('.').map_or(module, |(top, _)| top);
            match import.item {
                ImportedItem::Module if module == of_name => Some(module),
                ImportedItem::Module if head == of_name && top == head => Some(top),
                ImportedItem::Module if head == of_name => Some(module),
                _ => None,
            }
        });
        modules.collect()
    }

    /// Reports whether the file imports a module or a part of it.
    fn imports(&self, module: &str) -> bool {
        let mut imports = self.facts.imports.iter();
        imports.any(|import| self.names.text(import.module).starts_with(module))
    }

    /// Reports whether a name at a node means something other than an import or a builtin.
    fn is_rebound(&self, node: NodeIndex, name: &str) -> bool {
        let Some(name) = self.names.find(name) else {
            return false;
        };
        let scope = self.binding_scope_of(self.scope_of(node), name);
        self.own_bindings.contains(&(scope, name))
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
            Returned::Copied(place) => self.values_at(places, place),
            Returned::FromKeys => self.values_at(places, 1),
            Returned::Zipped => return vec![self.zipped_element(places)],
            _ => self.values_at(places, 0),
        };
        let element = |path: &String| match returned {
            Returned::Future | Returned::Mapped => format!("{path}()"),
            Returned::Chained | Returned::Copied(_) => format!("{path}*"),
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

    /// Returns the values of the arguments, up to the maximum number that are joined.
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
        if !keywords.is_empty() {
            return Vec::new();
        }
        let is_of_pairs = match tree.kind(of) {
            Kind::List | Kind::Tuple => true,
            Kind::Comprehension => {
                let element = tree.operands(of).next();
                element.is_some_and(|element| tree.kind(element) == Kind::Tuple)
            }
            _ => self.library_function(of) == Some(Returned::Zipped),
        };
        let suffix = if is_of_pairs { "*[1]" } else { "[]" };
        let values = self.values_of(of).into_iter();
        let values: Vec<String> = values.map(|path| format!("{path}{suffix}")).collect();
        let made = self.container_of(call, ANY_KEY, &values);
        made.into_iter().collect()
    }
}

/// Reports whether a name is that of a loop of events or of a group of tasks, by its end.
fn runs_tasks(of: &str) -> bool {
    TASK_RUNNERS.iter().any(|end| of.ends_with(end))
}

/// Returns what a class of a module makes.
fn object_of(module: &str, name: &str) -> Option<LibraryObject> {
    let mut objects = OBJECTS.iter();
    let found = objects.find(|(of, known, _)| *of == module && *known == name);
    found.map(|(.., object)| *object)
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
