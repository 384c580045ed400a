//! Models of small repositories with the targets of their references, for any language.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

/// A definition by its file and its index in the file, and a method by its index in the class.
pub type Target = (usize, usize, Option<usize>);

/// Files of definitions.
#[derive(Debug, Clone)]
pub struct Model {
    pub files: Vec<Vec<Item>>,
}

/// A top-level definition.
#[derive(Debug, Clone)]
pub enum Item {
    Function {
        name: String,
        uses: Vec<Use>,
    },
    Class {
        name: String,
        base: Option<(usize, usize)>,
        methods: Vec<(String, Vec<Use>)>,
    },
}

/// A use of another definition in one line of a body.
#[derive(Debug, Clone, Copy)]
pub enum Use {
    /// Calls a function, or a class for an instance.
    Call(usize, usize),
    /// Calls a method of a new instance of a class, perhaps an inherited one.
    Method(usize, usize, usize),
}

/// The layout of a model, which does not affect resolution.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The names of files without extensions.
    pub names: Vec<String>,
    /// The order of definitions in each file: a rotation, and whether it is reversed.
    pub orders: Vec<(usize, bool)>,
    /// The distance of comments and blank lines in each file, in lines; 0 for none.
    pub gaps: Vec<usize>,
    /// The file that ends with a syntax error.
    pub broken: Option<usize>,
    /// Whether there is a further file with only a syntax error.
    pub has_broken_file: bool,
}

/// A reference to a definition, without its line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Import { file: usize, of: (usize, usize) },
    Base { class: (usize, usize) },
    Body { of: Target, line: usize },
}

/// A name that a file uses, as the file and the definition in it.
#[derive(Debug, Clone, Copy)]
pub struct Imported<'m> {
    /// The name of its file, without the extension.
    pub file: &'m str,
    pub name: &'m str,
    pub is_class: bool,
    /// A name that no other definition has in the file that uses it.
    pub local: &'m str,
}

/// How a file uses a name of another file.
#[derive(Debug, Default)]
pub struct Import {
    /// The statement that makes the name known, if one is needed.
    pub line: Option<String>,
    /// Whether the statement refers to the definition.
    pub is_reference: bool,
    /// What the file calls the definition.
    pub local: String,
}

/// Prints a model in a language.
pub trait Printer {
    const EXTENSION: &'static str;
    const COMMENT: &'static str;
    /// An invalid statement.
    const BROKEN: &'static str;

    /// A further file that the repository needs, with its text.
    fn root(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// The path of a file without the extension.
    fn path(&self, file: &str) -> String {
        file.to_owned()
    }

    /// The spelling of a name.
    fn spell(&self, name: &str) -> String {
        name.to_owned()
    }

    /// The first line of a file.
    fn header(&self, _file: &str) -> Option<String> {
        None
    }

    /// The line between the imports and the definitions of a file.
    fn opening(&self, _file: &str) -> Option<String> {
        None
    }

    /// The last line of a file.
    fn footer(&self) -> Option<String> {
        None
    }

    /// What a file calls one of its own definitions.
    fn own(&self, _file: &str, name: &str, _is_class: bool) -> String {
        self.spell(name)
    }

    /// How a file uses a name of another file.
    fn import(&self, into: &str, imported: Imported<'_>) -> Import;
    /// The first line of a function, or of a method of a class.
    fn function(&self, name: &str, class: Option<&str>) -> String;
    fn class(&self, name: &str, base: Option<&str>) -> String;
    /// The last line of a function or method, if the language has one.
    fn end(&self, in_class: bool) -> Option<String>;

    /// The last line of a class, if the language has one.
    fn class_end(&self) -> Option<String> {
        self.end(false)
    }

    /// A line of a function's body; the first called expression may be a class.
    fn call(&self, name: &str, is_class: bool, method: Option<&str>, in_class: bool) -> String;
    /// The line of an empty body.
    fn nothing(&self, in_class: bool) -> String;
}

/// A file's text, with the meaning of each line.
#[derive(Debug, Default)]
pub struct Printed {
    pub text: String,
    pub places: BTreeMap<usize, Place>,
    /// The line of each definition and the column of its name, both from 1.
    pub definitions: BTreeMap<Target, (usize, usize)>,
    lines: usize,
    gap: usize,
}

impl Printed {
    fn line(&mut self, line: &str, place: Option<Place>, comment: &str) {
        self.push(line, place);
        if self.gap > 0 && self.lines.is_multiple_of(self.gap) {
            self.push(comment, None);
            self.push("", None);
        }
    }

    /// Prints the first line of a definition, in which its name precedes all other names.
    fn definition(&mut self, line: &str, (of, name): (Target, &str), place: Option<Place>) {
        let is_word = |at: usize| !line[..at].ends_with(|letter: char| letter.is_alphanumeric());
        let mut places = line.match_indices(name).map(|(at, _)| at);
        let column = places.find(|at| is_word(*at)).expect("the name");
        self.definitions.insert(of, (self.lines + 1, column + 1));
        self.push(line, place);
    }

    fn push(&mut self, line: &str, place: Option<Place>) {
        self.lines += 1;
        self.text.push_str(line);
        self.text.push('\n');
        self.places.extend(place.map(|place| (self.lines, place)));
    }
}

impl Model {
    pub fn name(&self, (file, item): (usize, usize)) -> &str {
        match &self.files[file][item] {
            Item::Function { name, .. } | Item::Class { name, .. } => name,
        }
    }

    fn is_class(&self, (file, item): (usize, usize)) -> bool {
        matches!(self.files[file][item], Item::Class { .. })
    }

    fn methods(&self, (file, item): (usize, usize)) -> &[(String, Vec<Use>)] {
        match &self.files[file][item] {
            Item::Class { methods, .. } => methods,
            Item::Function { .. } => &[],
        }
    }

    /// Every definition with the uses in its body; classes have none.
    pub fn bodies(&self) -> Vec<(Target, &[Use])> {
        let mut bodies = Vec::new();
        for (file, items) in self.files.iter().enumerate() {
            for (at, item) in items.iter().enumerate() {
                match item {
                    Item::Function { uses, .. } => bodies.push(((file, at, None), &uses[..])),
                    Item::Class { methods, .. } => {
                        bodies.push(((file, at, None), &[][..]));
                        let uses = methods.iter().enumerate();
                        bodies.extend(
                            uses.map(|(own, (_, uses))| ((file, at, Some(own)), &uses[..])),
                        );
                    }
                }
            }
        }
        bodies
    }

    /// Returns the method of an instance by its name, own or inherited.
    fn method_of(&self, class: (usize, usize), name: &str) -> Option<Target> {
        let own = self.methods(class).iter().position(|(own, _)| own == name);
        if let Some(own) = own {
            return Some((class.0, class.1, Some(own)));
        }
        match &self.files[class.0][class.1] {
            Item::Class {
                base: Some(base), ..
            } => self.method_of(*base, name),
            _ => None,
        }
    }

    /// Returns the references to each definition.
    pub fn meant(&self) -> BTreeMap<Target, BTreeSet<Place>> {
        let mut meant: BTreeMap<Target, BTreeSet<Place>> = BTreeMap::new();
        let mut note = |target: Target, place: Place| {
            meant.entry(target).or_default().insert(place);
        };
        for (file, _) in self.files.iter().enumerate() {
            for of in self.imported(file) {
                note((of.0, of.1, None), Place::Import { file, of });
            }
        }
        for (of, uses) in self.bodies() {
            if let Item::Class {
                base: Some(base), ..
            } = &self.files[of.0][of.1]
                && of.2.is_none()
            {
                note(
                    (base.0, base.1, None),
                    Place::Base {
                        class: (of.0, of.1),
                    },
                );
            }
            for (line, one) in uses.iter().enumerate() {
                let place = Place::Body { of, line };
                match *one {
                    Use::Call(file, item) => note((file, item, None), place),
                    Use::Method(file, item, method) => {
                        note((file, item, None), place.clone());
                        let name = method_name(method);
                        note(self.method_of((file, item), &name).unwrap(), place);
                    }
                }
            }
        }
        meant
    }

    /// Returns the definitions of other files that a file uses.
    fn imported(&self, file: usize) -> BTreeSet<(usize, usize)> {
        let mut found = BTreeSet::new();
        for (of, uses) in self.bodies() {
            if of.0 != file {
                continue;
            }
            if let Item::Class {
                base: Some(base), ..
            } = &self.files[of.0][of.1]
            {
                found.insert(*base);
            }
            found.extend(uses.iter().map(|one| match *one {
                Use::Call(file, item) | Use::Method(file, item, _) => (file, item),
            }));
        }
        found.retain(|of| of.0 != file);
        found
    }

    /// Returns a name for a definition in a file: its own, unless another one in the file has it.
    fn local_name(&self, file: usize, of: (usize, usize)) -> String {
        let name = self.name(of);
        let others = (0..self.files[file].len())
            .map(|at| (file, at))
            .chain(self.imported(file));
        let is_taken = others
            .filter(|other| *other != of)
            .any(|other| self.name(other) == name);
        if is_taken {
            format!("other{}{name}", of.0)
        } else {
            name.to_owned()
        }
    }

    fn import<P: Printer>(
        &self,
        printer: &P,
        layout: &Layout,
        file: usize,
        of: (usize, usize),
    ) -> Import {
        let imported = Imported {
            file: &layout.names[of.0],
            name: self.name(of),
            is_class: self.is_class(of),
            local: &self.local_name(file, of),
        };
        printer.import(&layout.names[file], imported)
    }

    /// Returns what a file calls a definition.
    fn called<P: Printer>(
        &self,
        printer: &P,
        layout: &Layout,
        file: usize,
        of: (usize, usize),
    ) -> String {
        if of.0 == file {
            return printer.own(&layout.names[file], self.name(of), self.is_class(of));
        }
        self.import(printer, layout, file, of).local
    }

    pub fn print<P: Printer>(&self, printer: &P, layout: &Layout, file: usize) -> Printed {
        let mut out = Printed {
            gap: layout.gaps[file],
            ..Printed::default()
        };
        if let Some(header) = printer.header(&layout.names[file]) {
            out.push(&header, None);
        }
        for of in self.imported(file) {
            let import = self.import(printer, layout, file, of);
            let place = import.is_reference.then_some(Place::Import { file, of });
            if let Some(line) = import.line {
                out.line(&line, place, P::COMMENT);
            }
        }
        if let Some(opening) = printer.opening(&layout.names[file]) {
            out.push(&opening, None);
        }
        let (turn, is_reversed) = layout.orders[file];
        let mut order: Vec<usize> = (0..self.files[file].len()).collect();
        let turns = turn % order.len();
        order.rotate_left(turns);
        if is_reversed {
            order.reverse();
        }
        for item in order {
            self.print_item(printer, layout, &mut out, (file, item));
        }
        if let Some(footer) = printer.footer() {
            out.push(&footer, None);
        }
        if layout.broken == Some(file) {
            out.push(P::BROKEN, None);
        }
        out
    }

    fn print_item<P: Printer>(
        &self,
        printer: &P,
        layout: &Layout,
        out: &mut Printed,
        (file, item): (usize, usize),
    ) {
        let of = (file, item, None);
        match &self.files[file][item] {
            Item::Function { name, uses } => {
                let name = &printer.spell(name);
                out.definition(&printer.function(name, None), (of, name), None);
                self.print_body(printer, layout, out, uses, of);
            }
            Item::Class {
                name,
                base,
                methods,
            } => {
                let name = &printer.spell(name);
                let above = base.map(|base| self.called(printer, layout, file, base));
                let line = printer.class(name, above.as_deref());
                let place = base.map(|_| Place::Base {
                    class: (file, item),
                });
                out.definition(&line, (of, name), place);
                for (at, (method, uses)) in methods.iter().enumerate() {
                    let of = (file, item, Some(at));
                    let method = &printer.spell(method);
                    let line = printer.function(method, Some(name));
                    out.definition(&line, (of, method), None);
                    self.print_body(printer, layout, out, uses, of);
                }
                if let Some(end) = printer.class_end() {
                    out.line(&end, None, P::COMMENT);
                }
            }
        }
    }

    fn print_body<P: Printer>(
        &self,
        printer: &P,
        layout: &Layout,
        out: &mut Printed,
        uses: &[Use],
        of: Target,
    ) {
        let in_class = of.2.is_some();
        for (line, one) in uses.iter().enumerate() {
            let (target, method) = match *one {
                Use::Call(file, item) => ((file, item), None),
                Use::Method(file, item, method) => {
                    ((file, item), Some(printer.spell(&method_name(method))))
                }
            };
            let called = self.called(printer, layout, of.0, target);
            let text = printer.call(&called, self.is_class(target), method.as_deref(), in_class);
            out.line(&text, Some(Place::Body { of, line }), P::COMMENT);
        }
        out.line(&printer.nothing(in_class), None, P::COMMENT);
        if let Some(end) = printer.end(in_class) {
            out.line(&end, None, P::COMMENT);
        }
    }
}

/// A definition without its uses: whether it is a class, its name, and the names of its methods.
type Shape = (bool, usize, Vec<usize>);

/// Models of few files and few names, so that several definitions share a name.
pub fn model() -> impl Strategy<Value = Model> {
    let item = (
        any::<bool>(),
        0..3_usize,
        prop::collection::vec(0..METHODS, 1..3),
    );
    let file = prop::collection::vec(item, 1..4);
    let shapes = prop::collection::vec(file, 2..5);
    let choices = prop::collection::vec(any::<u16>(), 64);
    (shapes, choices).prop_map(|(shapes, choices)| fill(&shapes, &choices))
}

fn fill(shapes: &[Vec<Shape>], choices: &[u16]) -> Model {
    let mut next = choices.iter().cycle().map(|choice| usize::from(*choice));
    let mut model = Model {
        files: shapes.iter().map(|items| named(items)).collect(),
    };
    let all: Vec<(usize, usize)> = model
        .files
        .iter()
        .enumerate()
        .flat_map(|(file, items)| (0..items.len()).map(move |item| (file, item)))
        .collect();
    let bare = model.clone();
    for (at, &(file, item)) in all.iter().enumerate() {
        // Only earlier classes can be bases, so that there are no cycles.
        let above = all[..at].iter().filter(|other| bare.is_class(**other));
        let above: Vec<(usize, usize)> = above.copied().collect();
        if let Item::Class { base, .. } = &mut model.files[file][item] {
            *base = above.get(next.next().unwrap() % (above.len() + 1)).copied();
        }
    }
    let bare = model.clone();
    for &(file, item) in &all {
        let mut uses = || -> Vec<Use> {
            let count = next.next().unwrap() % 4;
            let mut one = || one_use(&bare, &all, next.next().unwrap(), next.next().unwrap());
            (0..count).map(|_| one()).collect()
        };
        match &mut model.files[file][item] {
            Item::Function { uses: own, .. } => *own = uses(),
            Item::Class { methods, .. } => {
                for (_, own) in methods.iter_mut() {
                    *own = uses();
                }
            }
        }
    }
    model
}

fn one_use(model: &Model, all: &[(usize, usize)], which: usize, method: usize) -> Use {
    let target = all[which % all.len()];
    let known = (0..METHODS).filter(|number| {
        let found = model.method_of(target, &method_name(*number));
        found.is_some()
    });
    let known: Vec<usize> = known.collect();
    if known.is_empty() || method.is_multiple_of(3) {
        return Use::Call(target.0, target.1);
    }
    Use::Method(target.0, target.1, known[method % known.len()])
}

/// The maximum number of methods of a class.
const METHODS: usize = 3;

fn method_name(number: usize) -> String {
    format!("method{number}")
}

/// The definitions of one file, with different names.
fn named(shapes: &[Shape]) -> Vec<Item> {
    let mut names = BTreeSet::new();
    let items = shapes.iter().filter_map(|(is_class, name, methods)| {
        let name = format!("{}{name}", if *is_class { "Class" } else { "function" });
        names.insert(name.clone()).then(|| {
            if !is_class {
                return Item::Function {
                    name,
                    uses: Vec::new(),
                };
            }
            let methods: BTreeSet<usize> = methods.iter().copied().collect();
            let methods = methods
                .iter()
                .map(|at| (method_name(*at), Vec::new()))
                .collect();
            Item::Class {
                name,
                base: None,
                methods,
            }
        })
    });
    items.collect()
}

/// The layouts of a model of up to this many files.
pub fn layout(files: usize) -> impl Strategy<Value = Layout> {
    let names = ["a", "b", "c", "folder/d", "folder/inner/e", "other/f"];
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    (
        Just(names).prop_shuffle(),
        prop::collection::vec((0..4_usize, any::<bool>()), files),
        prop::collection::vec(0..4_usize, files),
        prop::option::of(0..files),
        any::<bool>(),
    )
        .prop_map(|(names, orders, gaps, broken, has_broken_file)| Layout {
            names,
            orders,
            gaps,
            broken,
            has_broken_file,
        })
}
