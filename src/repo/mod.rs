//! What a repository is: the files that the ignore rules admit, and their text.

pub mod ignore_rules;
pub mod text;
pub mod walk;
