//! Compares a document with a text: every occurrence must be in it, with the name of its symbol.

use ragnav_base::hash::HashMap;
use ragnav_base::sort::SmallSort;

use ragnav_base::position::{LineIndex, utf16_len, wire};

use super::given::{IMPORT, LOCAL, Occurrence, PositionEncoding};
use super::symbol::Symbol;

/// A name in a text that fits its document. The line counts from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NameAt {
    pub(super) line: u32,
    pub(super) start_utf16: u32,
    pub(super) end_utf16: u32,
    pub(super) symbol: u32,
    pub(super) is_definition: bool,
    pub(super) is_import: bool,
    /// Whether the text there is the name of the symbol.
    pub(super) is_named: bool,
}

/// The texts of the occurrences of each symbol, with their numbers.
type Spellings<'d> = HashMap<u32, HashMap<&'d str, usize>>;

/// Words that stand for a symbol with another name.
const STAND_INS: [&str; 10] = [
    "self", "Self", "cls", "super", "this", "crate", "new", "default", "import", "export",
];

/// Returns the names of a document in the order of the text; `None` if the text cannot be the one
/// that was indexed. With `is_proven` the text is known to be that one.
pub(super) fn fit(
    occurrences: &[Occurrence],
    encoding: PositionEncoding,
    symbols: &[Symbol],
    text: &str,
    is_proven: bool,
) -> Option<Vec<NameAt>> {
    let encodings = match encoding {
        PositionEncoding::Unknown => &[
            PositionEncoding::Utf16,
            PositionEncoding::Utf8,
            PositionEncoding::Utf32,
        ][..],
        _ => std::slice::from_ref(&encoding),
    };
    let lines = LineIndex::new(text);
    encodings.iter().find_map(|encoding| {
        let document = Document {
            text,
            lines: &lines,
            encoding: *encoding,
            symbols,
        };
        document.names(occurrences, is_proven)
    })
}

/// A text with the symbols that may occur in it.
struct Document<'d> {
    text: &'d str,
    lines: &'d LineIndex,
    encoding: PositionEncoding,
    symbols: &'d [Symbol],
}

/// An occurrence with its text; `None` for one of several lines.
type Spelled<'d> = (Occurrence, Option<(u32, &'d str)>);

impl<'d> Document<'d> {
    fn names(&self, occurrences: &[Occurrence], is_proven: bool) -> Option<Vec<NameAt>> {
        let spelled = occurrences.iter().map(|one| self.spelled(*one));
        let spelled: Vec<Spelled<'d>> = spelled.collect::<Option<_>>()?;
        if !is_proven && !self.has_names(&spelled) {
            return None;
        }
        let names = spelled.iter().filter_map(|one| self.name_at(one));
        let mut names: Vec<NameAt> = names.collect();
        names.small_sort_by_key(|name| (name.line, name.start_utf16));
        Some(names)
    }

    /// Returns an occurrence with its text; `None` if the text does not have its range.
    fn spelled(&self, one: Occurrence) -> Option<Spelled<'d>> {
        let (line, start) = self.place(one.line, one.start)?;
        let (last, end) = self.place(one.end_line, one.end)?;
        if one.line != one.end_line {
            return (one.line < one.end_line).then_some((one, None));
        }
        debug_assert_eq!(line, last);
        let column = wire(utf16_len(line.get(..start)?));
        Some((one, Some((column, line.get(start..end)?))))
    }

    /// Returns a line, which counts from 0, and the byte of a column in it.
    fn place(&self, line: u32, column: u32) -> Option<(&'d str, usize)> {
        let number = line as usize + 1;
        // The end of a text is on a line of its own.
        let is_end = number == self.lines.count() + 1 && column == 0;
        if number > self.lines.count() && !is_end {
            return None;
        }
        let line = self.lines.line(self.text, number);
        Some((line, byte_at(line, column as usize, self.encoding)?))
    }

    /// Reports whether the text has the names of the symbols that the index defines.
    fn has_names(&self, spelled: &[Spelled<'d>]) -> bool {
        let mut spellings = Spellings::default();
        for (one, text) in spelled {
            if let Some((_, text)) = text {
                let uses = spellings.entry(one.symbol).or_default();
                *uses.entry(text).or_default() += 1;
            }
        }
        spelled.iter().all(|(one, text)| {
            let Some(((_, text), symbol)) = text.zip(self.symbol(one.symbol)) else {
                return true;
            };
            let Some(name) = symbol.name.name.as_deref() else {
                return true;
            };
            if text == name || !symbol.name.is_in_text {
                return true;
            }
            let uses = spellings.get(&one.symbol);
            !one.is_definition()
                && (!symbol.is_defined || uses.is_some_and(|uses| may_stand_for(text, name, uses)))
        })
    }

    fn symbol(&self, symbol: u32) -> Option<&'d Symbol> {
        self.symbols.get(symbol as usize)
    }

    fn name_at(&self, (one, text): &Spelled<'_>) -> Option<NameAt> {
        let (start_utf16, text) = (*text)?;
        let symbol = self.symbol(one.symbol);
        if text.is_empty() || (symbol.is_none() && one.symbol != LOCAL) {
            return None;
        }
        Some(NameAt {
            line: one.line + 1,
            start_utf16,
            end_utf16: start_utf16 + wire(utf16_len(text)),
            symbol: one.symbol,
            is_definition: one.is_definition(),
            is_import: one.roles & IMPORT != 0,
            is_named: symbol.is_some_and(|symbol| self.is_called(symbol, text)),
        })
    }

    /// Reports whether a text names a symbol. A constructor has the name of its class.
    fn is_called(&self, symbol: &Symbol, text: &str) -> bool {
        let class = symbol.constructed.and_then(|class| self.symbol(class));
        [Some(symbol), class]
            .into_iter()
            .flatten()
            .any(|one| one.name.name.as_deref() == Some(text))
    }
}

/// Returns the byte of a column; `None` if the line is shorter, or the column inside a character.
fn byte_at(line: &str, column: usize, encoding: PositionEncoding) -> Option<usize> {
    if line.is_ascii() || encoding == PositionEncoding::Utf8 {
        return line.is_char_boundary(column).then_some(column);
    }
    let mut units = 0;
    for (at, letter) in line.char_indices() {
        if units >= column {
            return (units == column).then_some(at);
        }
        units += match encoding {
            PositionEncoding::Utf32 => 1,
            _ => letter.len_utf16(),
        };
    }
    (units == column).then_some(line.len())
}

/// Reports whether a text may stand for a symbol of another name: an import gives it as
/// `total as sum`, it stands for the symbol twice or more, or it is a word for a symbol of any
/// name. Python's indexer takes `__doc__` of a class for the class.
fn may_stand_for(text: &str, name: &str, uses: &HashMap<&str, usize>) -> bool {
    let is_given = || {
        let mut spellings = uses.keys();
        spellings.any(|spelling| has_word(spelling, name) && has_word(spelling, text))
    };
    has_word(text, name)
        || STAND_INS.contains(&text)
        || (text.starts_with("__") && text.ends_with("__"))
        || uses.get(text).is_some_and(|uses| *uses > 1)
        || is_given()
}

/// Reports whether a text has a word, as `total as sum` has `total`.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && !"_$".contains(letter))
        .any(|part| part == word)
}
