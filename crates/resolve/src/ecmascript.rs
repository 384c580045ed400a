//! JavaScript and TypeScript: ES modules and `CommonJS`, `this`, prototypes and objects of
//! functions.

mod ambient;
mod bases;
mod config;
mod declarations;
mod export_names;
mod exports;
mod imports;
mod json;
mod keys;
mod language;
mod package;
mod properties;
mod search;
mod specifiers;
mod standard;
mod this;
mod types;
mod workspaces;

pub use self::exports::is_component;

pub(super) use self::language::FAMILY;
