//! The text of a file, and the code in it.

/// A text from which facts are extracted.
///
/// In most languages all of the text is code. A file that embeds code has other text around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceText<'t> {
    /// The text of the file, from which lines and columns count.
    pub(crate) file: &'t str,
    /// The text that is parsed. Each token has the byte offset that it has in the file.
    pub(crate) code: &'t str,
}
