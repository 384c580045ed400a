//! What the parts of a definition, or of another document, count for in [BM25F](crate::bm25).
//!
//! Typical lengths are fixed, in bytes, since averages would want all definitions to be parsed; they are about those of Django's.

use crate::bm25::Field;

/// What a document is called: a definition's own name, or a heading.
pub const NAME: Field = Field {
    weight: 6.0,
    b: 0.5,
    typical: 16.0,
};
/// The names around that, or the title of its note.
pub const QUALIFIER: Field = Field {
    weight: 2.0,
    b: 0.5,
    typical: 20.0,
};
/// What it says of itself in short: the first line of its docstring, or a note's tags.
pub const SUMMARY: Field = Field {
    weight: 3.0,
    b: 0.5,
    typical: 60.0,
};
/// Its text.
pub const BODY: Field = Field {
    weight: 1.0,
    b: 0.75,
    typical: 600.0,
};
/// The path of its file.
pub const PATH: Field = Field {
    weight: 0.5,
    b: 0.5,
    typical: 40.0,
};
