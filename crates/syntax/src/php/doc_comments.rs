//! Reads the types that documentation comments give:
//! <https://docs.phpdoc.org/guide/references/phpdoc/types.html>.

use crate::value_text::ValueText;

/// The longest text of a type that is read, in bytes, and the deepest nesting in it.
const MAX_BYTES: usize = 500;
const MAX_DEPTH: usize = 8;

/// The maximum number of tags of a comment that are read.
const MAX_TAGS: usize = 1000;

/// The types whose last type argument is what they contain.
const CONTAINERS: [&str; 9] = [
    "array",
    "iterable",
    "list",
    "non-empty-array",
    "non-empty-list",
    "Traversable",
    "Iterator",
    "IteratorAggregate",
    "ArrayObject",
];

/// The ends of the names of classes that contain values of their second type argument, or of the
/// only one.
const COLLECTIONS: [&str; 7] = [
    "Collection",
    "Iterator",
    "List",
    "Paginator",
    "Queue",
    "Set",
    "Stack",
];

/// The types that are no classes.
const NO_CLASSES: [&str; 33] = [
    "array",
    "array-key",
    "bool",
    "boolean",
    "callable",
    "class-string",
    "closed-resource",
    "double",
    "false",
    "float",
    "int",
    "integer",
    "iterable",
    "key-of",
    "list",
    "mixed",
    "never",
    "never-return",
    "no-return",
    "non-empty-array",
    "non-empty-list",
    "non-empty-string",
    "null",
    "number",
    "numeric",
    "object",
    "resource",
    "scalar",
    "string",
    "true",
    "value-of",
    "void",
    "numeric-string",
];

/// A documentation comment, `/** … */`.
#[derive(Debug, Clone, Copy)]
pub(super) struct DocComment<'t> {
    text: &'t str,
    /// The comment of the class around, whose templates are known in it, too.
    of_class: &'t str,
}

/// A tag of a comment with a type: `@param A $b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tag<'t> {
    name: &'t str,
    of: &'t str,
    /// The variable after the type, with `$`.
    variable: Option<&'t str>,
}

impl<'t> DocComment<'t> {
    pub(super) fn new(text: &'t str) -> Option<Self> {
        let text = text.strip_prefix("/**")?.strip_suffix("*/")?;
        let of_class = "";
        Some(Self { text, of_class })
    }

    /// Adds the comment of the class around.
    pub(super) fn in_class(self, of_class: Option<Self>) -> Self {
        let of_class = of_class.map_or("", |comment| comment.text);
        Self { of_class, ..self }
    }

    /// Returns the values of a parameter.
    pub(super) fn parameter(self, name: &str) -> Vec<ValueText> {
        let is_of = |tag: &Tag<'_>| tag.name == "param" && tag.variable == Some(name);
        self.values(is_of)
    }

    /// Returns what a function may return.
    pub(super) fn returned(self) -> Vec<ValueText> {
        self.values(|tag| tag.name == "return")
    }

    /// Returns the values of the declaration after the comment.
    pub(super) fn declared(self) -> Vec<ValueText> {
        self.values(|tag| tag.name == "var")
    }

    /// Returns the values of the variable of this name.
    pub(super) fn variable(self, name: &str) -> Vec<ValueText> {
        self.values(|tag| tag.name == "var" && tag.variable.is_none_or(|own| own == name))
    }

    /// Returns the variables that the comment names, with their values.
    pub(super) fn variables(self) -> Vec<(&'t str, Vec<ValueText>)> {
        self.named(|tag| tag.name == "var")
    }

    /// Returns the properties that the comment of a class declares, with their values.
    pub(super) fn properties(self) -> Vec<(&'t str, Vec<ValueText>)> {
        self.named(|tag| tag.name.starts_with("property"))
    }

    /// Returns the methods that the comment of a class declares, as functions with their results.
    pub(super) fn methods(self) -> Vec<(&'t str, ValueText)> {
        let lines = self.lines().filter_map(method).take(MAX_TAGS);
        let methods = lines.flat_map(|(name, of)| {
            let values = self.values_of(of).into_iter();
            values.map(move |value| (name, value.into_function()))
        });
        methods.collect()
    }

    /// Returns the elements of the instances of a class, by the type arguments of its bases:
    /// `@extends Repository<A>`.
    pub(super) fn elements(self) -> Vec<ValueText> {
        let is_base = |tag: &Tag<'_>| {
            let name = tag.name.strip_prefix("template-").unwrap_or(tag.name);
            matches!(name, "extends" | "implements")
        };
        let bases = self.tags().filter(is_base);
        let arguments = bases.filter_map(|tag| {
            let (_, arguments) = tag.of.split_once('<')?;
            let arguments = split_outside(arguments.strip_suffix('>')?, [',', ',']);
            arguments.get(1).or(arguments.first()).copied()
        });
        arguments.flat_map(|of| self.values_of(of)).collect()
    }

    fn named(self, is_wanted: impl Fn(&Tag<'_>) -> bool) -> Vec<(&'t str, Vec<ValueText>)> {
        let tags = self.tags().filter(|tag| is_wanted(tag));
        let named = tags.filter_map(|tag| Some((tag.variable?, self.values_of(tag.of))));
        named.collect()
    }

    fn values(self, is_wanted: impl Fn(&Tag<'_>) -> bool) -> Vec<ValueText> {
        // `@psalm-param` and `@phpstan-param`, which are more exact, follow after `@param`.
        let last = self.tags().filter(|tag| is_wanted(tag)).last();
        last.map(|tag| self.values_of(tag.of)).unwrap_or_default()
    }

    fn values_of(self, of: &str) -> Vec<ValueText> {
        if of.len() > MAX_BYTES {
            return Vec::new();
        }
        let mut values = union_values(of, MAX_DEPTH);
        values.retain(|value| !self.is_template(value));
        values
            .into_iter()
            .filter_map(ValueText::within_limit)
            .collect()
    }

    /// Reports whether a type is a parameter of the comment or of the class around: `T` of
    /// `@template T`.
    fn is_template(self, value: &ValueText) -> bool {
        let name = value.path.trim_matches(['[', ']', '(', ')']);
        let comments = [self.text, self.of_class].into_iter();
        let mut templates = comments.flat_map(|text| text.split("@template").skip(1));
        templates.any(|after| {
            let after = after.trim_start_matches(|letter: char| !letter.is_whitespace());
            after.split_whitespace().next() == Some(name)
        })
    }

    fn tags(self) -> impl Iterator<Item = Tag<'t>> {
        self.lines().filter_map(tag).take(MAX_TAGS)
    }

    fn lines(self) -> impl Iterator<Item = &'t str> {
        let lines = self.text.lines();
        lines.map(|line| line.trim().trim_start_matches('*').trim_start())
    }
}

fn tag(line: &str) -> Option<Tag<'_>> {
    let (name, rest) = line.strip_prefix('@')?.split_once([' ', '\t'])?;
    let name = name
        .strip_prefix("psalm-")
        .or_else(|| name.strip_prefix("phpstan-"))
        .unwrap_or(name);
    let rest = rest.trim_start();
    let of = rest.get(..type_end(rest))?;
    let after = rest.get(of.len()..)?.trim_start();
    let after = after.trim_start_matches(['&', '.']);
    let variable = after.strip_prefix('$').map(|name| {
        let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        after
            .get(..end.map_or(after.len(), |end| end + 1))
            .unwrap_or(after)
    });
    Some(Tag { name, of, variable })
}

/// Splits `@method static A b(int $c)` into `b` and the text of its type.
fn method(line: &str) -> Option<(&str, &str)> {
    let (head, _) = line.strip_prefix("@method ")?.split_once('(')?;
    let mut words = head.split_whitespace().rev();
    let name = words.next()?;
    Some((name, words.next()?))
}

/// Returns the end of the type at the start of a text: the first blank outside of brackets that
/// does not stand before the result of a function.
fn type_end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ' ' | '\t' if depth == 0 && !ends_before_result(text, at) => return at,
            _ => {}
        }
    }
    text.len()
}

/// Reports whether what stands before a place is a function without its result: `callable():`.
fn ends_before_result(text: &str, at: usize) -> bool {
    let before = text.get(..at);
    before.is_some_and(|before| before.ends_with(':'))
}

/// Returns the values of `A|B`, also of `A&B`.
fn union_values(of: &str, depth: usize) -> Vec<ValueText> {
    let Some(depth) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let parts = split_outside(of, ['|', '&']).into_iter();
    parts
        .flat_map(|part| part_values(part.trim(), depth))
        .collect()
}

fn part_values(of: &str, depth: usize) -> Vec<ValueText> {
    let of = of.trim_start_matches('?');
    if let Some((_, result)) = of.split_once("):").filter(|_| is_function(of)) {
        let results = union_values(result, depth).into_iter();
        return results.map(ValueText::into_function).collect();
    }
    if let Some(fields) = of
        .strip_prefix("array{")
        .and_then(|of| of.strip_suffix('}'))
    {
        return shape_values(fields, depth);
    }
    if let Some(element) = of.strip_suffix("[]") {
        return sequences(union_values(element, depth));
    }
    if let Some(inside) = of.strip_prefix('(').and_then(|of| of.strip_suffix(')')) {
        return union_values(inside, depth);
    }
    let (name, arguments) = match of.split_once('<') {
        Some((name, rest)) => (name, rest.strip_suffix('>')),
        None => (of, None),
    };
    let short = name.trim_start_matches('\\');
    if let Some(arguments) = arguments {
        let arguments = split_outside(arguments, [',', ',']);
        let element = match short {
            "Generator" => arguments.get(1).or(arguments.first()),
            "SplObjectStorage" => arguments.first(),
            _ if CONTAINERS.contains(&short) => arguments.last(),
            _ => None,
        };
        if let Some(element) = element {
            return sequences(union_values(element, depth));
        }
        if COLLECTIONS.iter().any(|end| short.ends_with(end)) {
            // The third argument of some is the type of another iterator.
            let elements = arguments.get(1).or(arguments.first());
            let elements = elements.map(|one| union_values(one, depth));
            let mut values: Vec<ValueText> = class_value(name).into_iter().collect();
            values.extend(sequences(elements.unwrap_or_default()));
            return values;
        }
    }
    class_value(name).into_iter().collect()
}

/// Reports whether a type is that of functions: `callable(A): B`.
fn is_function(of: &str) -> bool {
    let (name, _) = of.split_once('(').unwrap_or((of, ""));
    matches!(name, "callable" | "\\Closure" | "Closure")
}

/// Returns the values of `array{a: A, b: int}` if only one field may be of a class: otherwise it
/// depends on the key.
fn shape_values(fields: &str, depth: usize) -> Vec<ValueText> {
    let fields = split_outside(fields, [',', ',']).into_iter();
    let fields: Vec<&str> = fields.collect();
    if let Some(tuple) = tuple_value(&fields, depth) {
        return vec![tuple];
    }
    let types = fields.into_iter();
    let types = types.map(|field| field.split_once(':').map_or(field, |(_, of)| of));
    let types: Vec<&str> = types.collect();
    if types.iter().any(|of| may_be_any_object(of)) {
        return Vec::new();
    }
    let values = types.into_iter().map(|of| union_values(of, depth));
    let mut known = values.filter(|values| !values.is_empty());
    let first = known.next().unwrap_or_default();
    match known.next() {
        Some(_) => Vec::new(),
        None => sequences(first),
    }
}

/// Returns the value of `array{A, B}` or `array{0: A, 1: B}`.
fn tuple_value(fields: &[&str], depth: usize) -> Option<ValueText> {
    let parts = fields.iter().enumerate().map(|(place, field)| {
        let of = match field.split_once(':') {
            Some((key, of)) => (key.trim() == place.to_string()).then_some(of)?,
            None => field,
        };
        let mut values = union_values(of, depth).into_iter();
        let value = values.next().filter(|_| values.next().is_none());
        Some(value.map_or(String::new(), ValueText::into_path))
    });
    let parts: Vec<String> = parts.collect::<Option<_>>()?;
    let is_known = parts.iter().any(|part| !part.is_empty());
    is_known.then(|| ValueText::name(format!("({})", parts.join(","))))
}

/// Reports whether a type is one of values of any class.
fn may_be_any_object(of: &str) -> bool {
    let parts = split_outside(of, ['|', '&']).into_iter();
    let mut names = parts.map(|part| part.trim().trim_start_matches('?'));
    names.any(|name| matches!(name, "callable" | "mixed" | "object"))
}

fn sequences(values: Vec<ValueText>) -> Vec<ValueText> {
    values.into_iter().map(ValueText::into_sequence).collect()
}

/// Returns an instance of the class of a name, or `None` if it cannot name a class.
fn class_value(name: &str) -> Option<ValueText> {
    let name = if name == "$this" { "static" } else { name };
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\\');
    let is_number = name.starts_with(|letter: char| letter.is_ascii_digit());
    let is_class = !name.is_empty() && !is_number && name.chars().all(is_part);
    let known = name.trim_start_matches('\\').to_lowercase();
    (is_class && !NO_CLASSES.contains(&known.as_str())).then(|| ValueText::call(name))
}

/// Splits a text at letters that are outside of all brackets.
fn split_outside(text: &str, at: [char; 2]) -> Vec<&str> {
    let mut depth = 0_usize;
    text.split(|letter: char| {
        match letter {
            '<' | '(' | '{' => depth += 1,
            '>' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && at.contains(&letter)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: &str) -> Vec<String> {
        let values = union_values(of, MAX_DEPTH).into_iter();
        values.map(ValueText::into_path).collect()
    }

    #[test]
    fn types_are_values() {
        for (of, expected) in [
            ("A", &["A()"][..]),
            ("?\\a\\B", &["\\a\\B()"]),
            ("A|null|int", &["A()"]),
            ("A[]|B", &["[A()]", "B()"]),
            ("array<int, A>", &["[A()]"]),
            ("list<(A|B)[]>", &["[[A()]]", "[[B()]]"]),
            ("\\Generator<int, A, mixed, B>", &["[A()]"]),
            ("Collection<int, A>", &["Collection()", "[A()]"]),
            ("Result<A, B>", &["Result()"]),
            ("static", &["static()"]),
            ("$this", &["static()"]),
            ("callable(A): B", &["<B()>"]),
            ("\\Closure(): ?B", &["<B()>"]),
            ("array{a: A, b: int}", &["[A()]"]),
            ("array{a: A, b: B}", &[]),
            ("array{a: A, b: mixed}", &[]),
            ("'a'|5|self::B", &[]),
            ("", &[]),
        ] {
            assert_eq!(values(of), expected, "{of}");
        }
    }

    #[test]
    fn tags_name_variables() {
        let text = "/** Adds.\n * @param array<int, A> $items all of them\n * @param B ...$rest\n \
                    * @phpstan-return C<D>\n * @template T of E\n * @var T\n */";
        let doc = DocComment::new(text);
        let paths = |values: Option<Vec<ValueText>>| -> Vec<String> {
            let values = values.into_iter().flatten();
            values.map(ValueText::into_path).collect()
        };
        let parameter = |name: &str| paths(doc.map(|doc| doc.parameter(name)));
        assert_eq!(parameter("$items"), ["[A()]"]);
        assert_eq!(parameter("$rest"), ["B()"]);
        assert!(parameter("$other").is_empty());
        assert_eq!(paths(doc.map(DocComment::returned)), ["C()"]);
        assert!(paths(doc.map(DocComment::declared)).is_empty());
        assert!(DocComment::new("/* @var A */").is_none());
    }
}
