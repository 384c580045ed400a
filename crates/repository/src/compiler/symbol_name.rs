//! The name in a symbol of SCIP: `total` in `scip-python pypi shop 1 cart/Cart#total().`

/// What the last descriptor of a symbol says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SymbolName {
    /// The name; `None` for one that no text has, such as `<constructor>`.
    pub(super) name: Option<String>,
    /// Whether a definition of the symbol has the name in the text. Files, modules and what
    /// indexers number need not.
    pub(super) is_in_text: bool,
    /// Whether it is a folder, a package or a module.
    pub(super) is_namespace: bool,
    /// The symbol of the class whose constructor it is.
    pub(super) constructed: Option<String>,
}

/// The names of constructors, which calls have the name of the class for.
const CONSTRUCTORS: [&str; 4] = ["<constructor>", "<init>", "constructor", "__init__"];

impl SymbolName {
    pub(super) fn of(symbol: &str) -> Self {
        let (rest, suffix) = without_suffix(symbol);
        let (owner, raw) = split_name(rest);
        let is_namespace = suffix == Suffix::Namespace;
        let is_constructor = CONSTRUCTORS.contains(&raw.as_str()) && owner.ends_with('#');
        let own = without_tag(&raw);
        let is_identifier = !own.is_empty() && own.chars().all(is_identifier_character);
        Self {
            is_in_text: is_identifier && suffix == Suffix::Name,
            name: is_identifier.then(|| own.to_owned()),
            is_namespace,
            constructed: is_constructor.then(|| owner.to_owned()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Suffix {
    Namespace,
    Meta,
    Name,
}

/// Returns a symbol without the punctuation after its last name.
fn without_suffix(symbol: &str) -> (&str, Suffix) {
    let opening = |rest: &str, bracket: char| {
        let at = rest.rfind(bracket);
        at.and_then(|at| symbol.get(..at)).map(str::len)
    };
    if let Some(rest) = symbol.strip_suffix(").") {
        let end = opening(rest, '(').unwrap_or(rest.len());
        return (symbol.get(..end).unwrap_or_default(), Suffix::Name);
    }
    // `f().(argument)` and `Box#[T]`
    if let Some(rest) = symbol.strip_suffix([')', ']']) {
        return (rest, Suffix::Name);
    }
    if let Some(rest) = symbol.strip_suffix('/') {
        return (rest, Suffix::Namespace);
    }
    if let Some(rest) = symbol.strip_suffix(':') {
        return (rest, Suffix::Meta);
    }
    (
        symbol.strip_suffix(['#', '.', '!']).unwrap_or(symbol),
        Suffix::Name,
    )
}

/// Splits a symbol before its last name, which may be in backticks.
fn split_name(symbol: &str) -> (&str, String) {
    let Some(inside) = symbol.strip_suffix('`') else {
        let is_plain = |letter: char| letter.is_alphanumeric() || "_+-$".contains(letter);
        let owner = symbol.trim_end_matches(is_plain);
        let name = symbol.get(owner.len()..).unwrap_or_default();
        return (owner, name.to_owned());
    };
    let bytes = inside.as_bytes();
    let mut at = bytes.len();
    while at > 0 {
        at -= 1;
        if bytes.get(at) != Some(&b'`') {
            continue;
        }
        if at > 0 && bytes.get(at - 1) == Some(&b'`') {
            // Two backticks stand for one.
            at -= 1;
            continue;
        }
        let name = inside.get(at + 1..).unwrap_or_default();
        let owner = inside.get(..at).unwrap_or_default();
        return (owner, name.replace("``", "`"));
    }
    ("", inside.to_owned())
}

/// Returns a name without what it is: `size` of `<get>size`.
fn without_tag(name: &str) -> &str {
    let tagged = name.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    tagged.map_or(name, |(_, own)| own)
}

fn is_identifier_character(letter: char) -> bool {
    letter.is_alphanumeric() || "_$#".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(symbol: &str) -> (Option<String>, bool) {
        let found = SymbolName::of(symbol);
        (found.name, found.is_in_text)
    }

    fn text(name: &str) -> (Option<String>, bool) {
        (Some(name.to_owned()), true)
    }

    #[test]
    fn a_symbol_ends_with_its_name() {
        for (symbol, expected) in [
            (
                "scip-python python shop 1 cart/Cart#total().",
                text("total"),
            ),
            ("ragnav . . . shop/`cart.py`/total(+1).", text("total")),
            ("a . . . `x.ts`/PQueue#`<get>size`().", text("size")),
            ("a . . . `x.ts`/PQueue#`#run`().", text("#run")),
            ("a . . . f/Cart#", text("Cart")),
            ("a . . . f/run().(argument)", text("argument")),
            ("a . . . f/Box#[T]", text("T")),
            ("a . . . f/vec!", text("vec")),
            ("a . . . f/größe.", text("größe")),
        ] {
            assert_eq!(name(symbol), expected, "{symbol}");
        }
    }

    #[test]
    fn some_names_need_not_be_in_the_text() {
        assert_eq!(name("a . . . `x.ts`/C#`<constructor>`()."), (None, false));
        assert_eq!(name("a . . . src/`a``b.ts`/"), (None, false));
        assert_eq!(name("ragnav . . . `a.py`/Cart+1#"), (None, false));
        assert!(!name("a . . . `x.ts`/id0:").1);
        assert!(SymbolName::of("a . . . src/shop/").is_namespace);
        assert_eq!(name(""), (None, false));
    }

    #[test]
    fn a_constructor_is_that_of_its_class() {
        let class = "a . . . `x.ts`/C#";
        let found = SymbolName::of(&format!("{class}`<constructor>`()."));
        assert_eq!(found.constructed.as_deref(), Some(class));
        assert_eq!(SymbolName::of("a . . . x/constructor().").constructed, None);
    }
}
