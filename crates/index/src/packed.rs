//! Packing facts for the index: a column for each field of the frequent types, then LZ4.
//!
//! Neighbouring references differ little in any one field, so columns take half the space of rows.

use serde::{Deserialize, Serialize};

use ragnav_base::position::wire;
use ragnav_syntax::facts::{
    ArgumentFact, ArgumentsId, Binding, BindingTarget, Conditions, DefinitionFact, Export, Facts,
    Flow, Import, Name, Position, Receiver, Reference, ReferenceKind, Scope, ScopeId, Space,
    TypeFact, Value,
};

/// The size limit of unpacked facts, in bytes: a hundred times those of a large file.
const MAX_UNPACKED: usize = 256 << 20;
/// The largest compression ratio of LZ4.
const MAX_RATIO: usize = 255;

#[derive(Serialize, Deserialize)]
struct PackedFacts {
    names: Names,
    definitions: Vec<DefinitionFact>,
    scopes: Vec<Scope>,
    bindings: Bindings,
    references: References,
    arguments: Vec<Vec<ArgumentFact>>,
    imports: Vec<Import>,
    exports: Option<Vec<Name>>,
    package: Option<Name>,
    build_constraint: Option<Name>,
    exported: Vec<Export>,
    flow: Flow,
    types: Vec<TypeFact>,
    conditions: Conditions,
    errors: Vec<(u32, u32)>,
    is_partial: bool,
}

#[derive(Serialize, Deserialize)]
struct Names {
    lengths: Vec<u32>,
    text: String,
}

/// Positions in the order of the text. Each line is stored as the difference from the previous one.
#[derive(Default, Serialize, Deserialize)]
struct Positions {
    lines: Vec<i64>,
    starts_utf16: Vec<u32>,
}

#[derive(Default, Serialize, Deserialize)]
struct Bindings {
    scopes: Vec<u32>,
    names: Vec<u32>,
    positions: Positions,
    to: Vec<BindingTarget>,
    value_scopes: Vec<u32>,
}

#[derive(Default, Serialize, Deserialize)]
struct References {
    names: Vec<u32>,
    receivers: Vec<u64>,
    kinds: Vec<ReferenceKind>,
    positions: Positions,
    scopes: Vec<u32>,
    spaces: Vec<Space>,
    /// Empty if no reference has arguments.
    arguments: Vec<Option<ArgumentsId>>,
}

/// Packs facts into bytes.
///
/// # Examples
///
/// ```
/// use ragnav_index::packed::{pack, unpack};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "def f(): pass\n");
/// assert_eq!(unpack(&pack(&facts)), Some(facts));
/// ```
#[must_use]
pub fn pack(facts: &Facts) -> Vec<u8> {
    let packed = PackedFacts {
        names: Names {
            lengths: facts.names.iter().map(|name| wire(name.len())).collect(),
            text: facts.names.concat(),
        },
        definitions: facts.definitions.clone(),
        scopes: facts.scopes.clone(),
        bindings: binding_columns(&facts.bindings),
        references: reference_columns(&facts.references),
        arguments: facts.arguments.clone(),
        imports: facts.imports.clone(),
        exports: facts.exports.clone(),
        package: facts.package,
        build_constraint: facts.build_constraint,
        exported: facts.exported.clone(),
        flow: facts.flow.clone(),
        types: facts.types.clone(),
        conditions: facts.conditions.clone(),
        errors: facts.errors.clone(),
        is_partial: facts.is_partial,
    };
    // Writing to memory cannot fail, and every type here serialises.
    let bytes = postcard::to_allocvec(&packed).unwrap_or_default();
    lz4_flex::compress_prepend_size(&bytes)
}

/// Unpacks facts; returns `None` for bytes that [`pack`] did not return.
///
/// # Examples
///
/// ```
/// use ragnav_index::packed::unpack;
///
/// assert_eq!(unpack(b"something else"), None);
/// ```
#[must_use]
pub fn unpack(bytes: &[u8]) -> Option<Facts> {
    let packed: PackedFacts = postcard::from_bytes(&decompress(bytes, MAX_UNPACKED)?).ok()?;
    Some(Facts {
        names: packed.names.split()?,
        definitions: packed.definitions,
        scopes: packed.scopes,
        bindings: packed.bindings.into_rows()?,
        references: packed.references.into_rows()?,
        arguments: packed.arguments,
        imports: packed.imports,
        exports: packed.exports,
        package: packed.package,
        build_constraint: packed.build_constraint,
        exported: packed.exported,
        flow: packed.flow,
        types: packed.types,
        conditions: packed.conditions,
        errors: packed.errors,
        is_partial: packed.is_partial,
    })
}

/// Decompresses LZ4 bytes with their size in front. Returns `None` for other bytes, and for a size
/// above `max_bytes`.
///
/// # Examples
///
/// ```
/// use ragnav_index::packed::decompress;
///
/// let bytes = lz4_flex::compress_prepend_size(b"def f(): pass\n");
/// assert_eq!(decompress(&bytes, 100).as_deref(), Some(&b"def f(): pass\n"[..]));
/// assert_eq!(decompress(&bytes, 10), None);
/// ```
#[must_use]
pub fn decompress(bytes: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    let (size, _) = bytes.split_first_chunk::<4>()?;
    let size = u32::from_le_bytes(*size) as usize;
    // The decompressor allocates this size before it reads anything.
    if size > max_bytes || size > bytes.len().saturating_mul(MAX_RATIO) {
        return None;
    }
    lz4_flex::decompress_size_prepended(bytes).ok()
}

fn binding_columns(rows: &[Binding]) -> Bindings {
    let mut columns = Bindings::default();
    for row in rows {
        columns.scopes.push(row.scope.0);
        columns.names.push(row.name.0);
        columns.to.push(row.target.clone());
        columns.value_scopes.push(row.value_scope.0);
    }
    columns.positions = Positions::from_positions(rows.iter().map(|row| row.position));
    columns
}

fn reference_columns(rows: &[Reference]) -> References {
    let mut columns = References::default();
    for row in rows {
        columns.names.push(row.name.0);
        columns.receivers.push(encode_receiver(row.receiver));
        columns.kinds.push(row.kind);
        columns.scopes.push(row.scope.0);
        columns.spaces.push(row.space);
    }
    if rows.iter().any(|row| row.arguments.is_some()) {
        columns.arguments = rows.iter().map(|row| row.arguments).collect();
    }
    columns.positions = Positions::from_positions(rows.iter().map(|row| row.position));
    columns
}

impl Names {
    fn split(&self) -> Option<Vec<String>> {
        let mut rest = self.text.as_str();
        let mut names = Vec::with_capacity(self.lengths.len());
        for length in &self.lengths {
            let (name, behind) = rest.split_at_checked(*length as usize)?;
            names.push(name.to_owned());
            rest = behind;
        }
        Some(names)
    }
}

impl Positions {
    fn from_positions(positions: impl Iterator<Item = Position>) -> Self {
        let mut columns = Self::default();
        let mut line = 0;
        for at in positions {
            columns.lines.push(i64::from(at.line) - line);
            columns.starts_utf16.push(at.start_utf16);
            line = i64::from(at.line);
        }
        columns
    }

    fn to_rows(&self) -> Option<Vec<Position>> {
        let mut line = 0_i64;
        let steps = self.lines.iter().zip(&self.starts_utf16);
        let rows = steps.map(|(step, start_utf16)| {
            line = line.checked_add(*step)?;
            Some(Position {
                line: u32::try_from(line).ok()?,
                start_utf16: *start_utf16,
            })
        });
        rows.collect()
    }
}

impl Bindings {
    fn into_rows(self) -> Option<Vec<Binding>> {
        let at = self.positions.to_rows()?;
        let columns = [self.names.len(), self.to.len(), self.value_scopes.len()];
        if at.len() != self.scopes.len() || columns.iter().any(|len| *len != at.len()) {
            return None;
        }
        let rows = self.scopes.into_iter().zip(self.names).zip(at);
        let rows = rows.zip(self.to).zip(self.value_scopes);
        let row = |((((scope, name), position), target), value_scope)| Binding {
            scope: ScopeId(scope),
            name: Name(name),
            position,
            target,
            value_scope: ScopeId(value_scope),
        };
        Some(rows.map(row).collect())
    }
}

impl References {
    fn into_rows(mut self) -> Option<Vec<Reference>> {
        let at = self.positions.to_rows()?;
        if self.arguments.is_empty() {
            self.arguments.resize(at.len(), None);
        }
        let columns = [
            self.receivers.len(),
            self.kinds.len(),
            self.scopes.len(),
            self.spaces.len(),
            self.arguments.len(),
        ];
        if at.len() != self.names.len() || columns.iter().any(|len| *len != at.len()) {
            return None;
        }
        let rows = self.names.into_iter().zip(self.receivers).zip(at);
        let rows = rows.zip(self.kinds).zip(self.scopes).zip(self.spaces);
        let rows = rows.zip(self.arguments);
        let row = |((((((name, receiver), position), kind), scope), space), arguments)| {
            Some(Reference {
                name: Name(name),
                receiver: decode_receiver(receiver)?,
                kind,
                position,
                scope: ScopeId(scope),
                space,
                arguments,
            })
        };
        rows.map(row).collect()
    }
}

fn encode_receiver(receiver: Receiver) -> u64 {
    match receiver {
        Receiver::None => 0,
        Receiver::Unknown => 1,
        Receiver::Value(value) => 2 + 2 * encode_value(value),
        Receiver::Itself(value) => 3 + 2 * encode_value(value),
    }
}

fn encode_value(value: Value) -> u64 {
    u64::from(value.path.0) << 1 | u64::from(value.is_called)
}

fn decode_receiver(code: u64) -> Option<Receiver> {
    Some(match code {
        0 => Receiver::None,
        1 => Receiver::Unknown,
        code if code & 1 == 0 => Receiver::Value(decode_value((code - 2) >> 1)?),
        code => Receiver::Itself(decode_value((code - 3) >> 1)?),
    })
}

fn decode_value(code: u64) -> Option<Value> {
    Some(Value {
        path: Name(u32::try_from(code >> 1).ok()?),
        is_called: code & 1 == 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn facts(source: &str) -> Facts {
        let language = ragnav_syntax::find_language("python")
            .map(|python| ragnav_syntax::extract_facts(python, source));
        language.unwrap_or_default()
    }

    #[test]
    fn facts_come_back_as_they_were() {
        let source = "import a\n\n\n\
             class B(a.C):\n    \
             \"\"\"Says.\"\"\"\n    \
             x: int = a.f(1).g\n\n    \
             def m(self, y=a):\n        \
             return self.m(y) + B().x\n";
        let facts = facts(source);
        assert!(!facts.references.is_empty() && !facts.bindings.is_empty());
        assert_eq!(unpack(&pack(&facts)), Some(facts));
        let empty = Facts::default();
        assert_eq!(unpack(&pack(&empty)), Some(empty));
    }

    #[test]
    fn columns_of_different_lengths_are_no_facts() {
        let mut columns = reference_columns(&facts("a.b(c)\n").references);
        columns.kinds.pop();
        assert_eq!(columns.into_rows(), None);
    }

    proptest! {
        #[test]
        fn any_text_comes_back(source in "([a-z]{1,4}|[ \\n().=:,é]|def |class |import ){0,80}") {
            let facts = facts(&source);
            prop_assert_eq!(unpack(&pack(&facts)), Some(facts));
        }

        #[test]
        fn other_bytes_are_nothing_or_facts(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = unpack(&bytes);
        }

        #[test]
        fn damaged_bytes_are_nothing_or_facts(at in 0..400_usize, value: u8) {
            let mut bytes = pack(&facts("def f(a):\n    return a.b(f(a), 1)\n"));
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
            let _ = unpack(&bytes);
        }
    }
}
