//! What a repository is: the files that the ignore rules admit, and their text.

mod built_in_skips;
pub mod ignore_rules;
pub mod text;
pub mod walk;
