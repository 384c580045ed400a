//! An index as the boundary passes it in: decoded, and not yet compared with any file.

use serde::Deserialize;

/// The unit of the columns of a document.
///
/// # Examples
///
/// ```
/// use ragnav_repository::compiler::given::PositionEncoding;
///
/// let encoding: PositionEncoding = serde_json::from_str(r#""utf16""#).unwrap();
/// assert_eq!(encoding, PositionEncoding::Utf16);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum PositionEncoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16.
    Utf16,
    /// Code points.
    Utf32,
    /// The document does not say.
    Unknown,
}

/// What an index says about one file.
///
/// # Examples
///
/// ```
/// use ragnav_repository::compiler::given::{GivenDocument, PositionEncoding, encode_occurrences};
///
/// let document = GivenDocument {
///     path: "a.py".to_owned(),
///     text: None,
///     encoding: PositionEncoding::Utf8,
///     occurrences: encode_occurrences(&[[0, 4, 0, 9, 0, 1]]),
/// };
/// assert_eq!(document.occurrences.len(), 24);
/// ```
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct GivenDocument {
    /// The path of the file from the repository's root.
    pub path: String,
    /// The text that was indexed, if the index has it.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub text: Option<String>,
    /// The unit of the columns.
    pub encoding: PositionEncoding,
    /// Six numbers of 32 bits for each occurrence, little-endian: the line, the column, the last
    /// line, the end, the symbol and the roles. All count from 0. The largest number stands for a
    /// symbol that is local to the file.
    #[serde(with = "serde_bytes")]
    #[cfg_attr(feature = "tsify", tsify(type = "Uint8Array"))]
    pub occurrences: Vec<u8>,
}

/// An index that a compiler made.
///
/// # Examples
///
/// ```
/// use ragnav_repository::compiler::given::GivenIndex;
///
/// let index = GivenIndex::unusable("index.scip", "it is no SCIP index");
/// assert_eq!(index.problem.as_deref(), Some("it is no SCIP index"));
/// assert!(index.documents.is_empty());
/// ```
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct GivenIndex {
    /// The path of the index, as it was named.
    pub path: String,
    /// Why the index cannot be used; `null` if it can.
    #[cfg_attr(feature = "tsify", tsify(type = "string | null"))]
    pub problem: Option<String>,
    /// When the index was written, in milliseconds since 1970; `null` if that is not known.
    #[cfg_attr(feature = "tsify", tsify(type = "number | null"))]
    pub written: Option<f64>,
    /// The symbols that are not local to a file.
    pub symbols: Vec<String>,
    /// Pairs of a symbol and another that it implements, both by their place in `symbols`.
    #[cfg_attr(feature = "tsify", tsify(type = "[number, number][]"))]
    pub implementations: Vec<(u32, u32)>,
    /// The documents.
    pub documents: Vec<GivenDocument>,
}

impl GivenIndex {
    /// Returns an index that cannot be used.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_repository::compiler::given::GivenIndex;
    ///
    /// assert!(GivenIndex::unusable("index.scip", "it is missing").symbols.is_empty());
    /// ```
    #[must_use]
    pub fn unusable(path: &str, problem: &str) -> Self {
        Self {
            path: path.to_owned(),
            problem: Some(problem.to_owned()),
            written: None,
            symbols: Vec::new(),
            implementations: Vec::new(),
            documents: Vec::new(),
        }
    }
}

/// The symbol of an occurrence that is local to its file.
pub(super) const LOCAL: u32 = u32::MAX;

/// The bits of the roles that ragnav reads.
pub(super) const IMPORT: u32 = 2;
const DEFINITION: u32 = 1;
/// A declaration without a body, as in a header of C.
const FORWARD_DEFINITION: u32 = 64;

/// An occurrence as a document has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Occurrence {
    pub(super) line: u32,
    pub(super) start: u32,
    pub(super) end_line: u32,
    pub(super) end: u32,
    pub(super) symbol: u32,
    pub(super) roles: u32,
}

impl Occurrence {
    pub(super) fn is_definition(self) -> bool {
        self.roles & (DEFINITION | FORWARD_DEFINITION) != 0
    }
}

/// Encodes occurrences as a [`GivenDocument`] has them.
///
/// # Examples
///
/// ```
/// use ragnav_repository::compiler::given::encode_occurrences;
///
/// assert_eq!(encode_occurrences(&[[0, 4, 0, 9, 2, 1]])[16], 2);
/// ```
#[must_use]
pub fn encode_occurrences(occurrences: &[[u32; 6]]) -> Vec<u8> {
    let numbers = occurrences.iter().flatten();
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

/// Decodes the occurrences of a document. A rest of fewer than six numbers is ignored.
pub(super) fn decode_occurrences(bytes: &[u8]) -> Vec<Occurrence> {
    let (records, _) = bytes.as_chunks::<24>();
    let occurrence = |record: &[u8; 24]| {
        let (numbers, _) = record.as_chunks::<4>();
        let mut numbers = numbers.iter().map(|number| u32::from_le_bytes(*number));
        let mut next = || numbers.next().unwrap_or_default();
        Occurrence {
            line: next(),
            start: next(),
            end_line: next(),
            end: next(),
            symbol: next(),
            roles: next(),
        }
    };
    records.iter().map(occurrence).collect()
}
