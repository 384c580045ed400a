//! The [BM25F](crate::bm25) parameters of the fields of definitions and other documents.
//!
//! The typical lengths are constants, in bytes, since averages would require parsing all
//! definitions. They are close to the averages of Django.

use crate::bm25::Field;

/// The name of a definition, or a heading.
pub const NAME: Field = Field {
    weight: 6.0,
    b: 0.5,
    typical_length: 16.0,
};
/// The names of the enclosing definitions, or the title of a note.
pub const QUALIFIER: Field = Field {
    weight: 2.0,
    b: 0.5,
    typical_length: 20.0,
};
/// The first line of the docstring, or the tags of a note.
pub const SUMMARY: Field = Field {
    weight: 3.0,
    b: 0.5,
    typical_length: 60.0,
};
/// The text.
pub const BODY: Field = Field {
    weight: 1.0,
    b: 0.75,
    typical_length: 600.0,
};
/// The path of the file.
pub const PATH: Field = Field {
    weight: 0.5,
    b: 0.5,
    typical_length: 40.0,
};
