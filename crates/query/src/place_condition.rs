//! The condition under which a place is compiled, as its file says it.

use ragnav_base::path::RepoPath;
use ragnav_resolve::condition_of_file_name;
use ragnav_syntax::facts::{Conditions, Position, join_conditions};

/// Returns the condition of a place in a file, as far as the file and its name say.
pub(super) fn condition_at(
    path: &RepoPath,
    conditions: &Conditions,
    at: Position,
) -> Option<String> {
    join(condition_of_file_name(path), conditions.at(at))
}

/// Joins the conditions around a place with those at it.
pub(super) fn join(outer: Option<String>, inner: Option<String>) -> Option<String> {
    let conditions: Vec<String> = outer.into_iter().chain(inner).collect();
    join_conditions(&conditions)
}
