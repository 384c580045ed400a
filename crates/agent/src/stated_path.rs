//! The path that the metadata of a document states.

use super::metadata::MetaValue;

/// The fields that may hold a document's path, best first.
const PATH_FIELDS: [&str; 3] = ["file_path", "path", "source"];

/// Returns the path that the metadata of a document states.
pub(super) fn stated_path<'m>(value: impl Fn(&str) -> Option<&'m MetaValue>) -> Option<&'m str> {
    let mut paths = PATH_FIELDS
        .iter()
        .filter_map(|field| value(field)?.as_text());
    paths.next().filter(|path| !path.is_empty())
}
