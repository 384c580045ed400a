//! The text of a file, and the code in it.

/// The text of a file, and what the extractor reads of it.
///
/// Both are equal, unless the file embeds code in other text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceText<'t> {
    /// The text of the file, from which lines and columns count.
    pub(crate) file: &'t str,
    /// The text that is parsed. Each token has the byte offset that it has in the file.
    pub(crate) code: &'t str,
}
