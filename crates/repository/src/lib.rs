//! The repository as it is now: the files that the walk admits, unsaved buffers, and how every file compares with the
//! index. This is the only crate that decides what may be trusted.

mod built_in_skips;
pub mod ignore_rules;
pub mod overlay;
pub mod own_files;
pub mod route;
pub mod status;
pub mod verdict;
pub mod verification;
pub mod walk;
