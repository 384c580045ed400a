//! Resolves references across the files of a repository.
//!
//! A [`Resolver`] combines the facts of several files: scopes, bindings, imports, exports and
//! inheritance. It knows nothing about texts, the index or the host. No resolution is stored, since
//! it can change although its own file does not.
//!
//! Resolution is synchronous and uses the facts in a [`FactDatabase`]. If the facts of a file are
//! missing, the database records the file; the caller inserts them and resolves again.
//!
//! # Examples
//!
//! ```
//! # fn main() -> Result<(), ragnav_base::error::RagnavError> {
//! use std::rc::Rc;
//!
//! use ragnav_base::path::RepoPath;
//! use ragnav_resolve::{FactDatabase, FileFacts, LanguageResolvers, Resolver};
//! use ragnav_syntax::{extract_facts, find_language};
//!
//! let python = find_language("python")?;
//! let (a, b) = (RepoPath::parse("a.py")?, RepoPath::parse("b.py")?);
//! let resolvers = LanguageResolvers::new(&[&a, &b], &[], &[]);
//! let mut database = FactDatabase::new(Rc::new(resolvers));
//! for (path, text) in [(&a, "def f(): pass\n"), (&b, "from a import f\nf()\n")] {
//!     let facts = FileFacts::new(extract_facts(python, text));
//!     database.insert(path.clone(), Some(Rc::new(facts)));
//! }
//!
//! let file = database.facts(&b).unwrap();
//! let resolver = Resolver::new(&database);
//! let call = resolver.resolve_reference(&b, &file, &file.facts.references[1]);
//! assert_eq!(call.entities.first().unwrap().file(), Some(&a));
//! # Ok(())
//! # }
//! ```

mod argument_types;
mod arguments;
mod by_name;
mod computed_names;
mod counterparts;
mod cpp;
mod csharp;
mod decorators;
mod definitions_named;
mod ecmascript;
mod elements;
mod entity;
mod families;
mod fields;
mod file_facts;
mod files;
mod flow_index;
mod flow_names;
mod generics;
mod go;
pub mod import_key;
mod imported_files;
mod inference;
mod inferring_calls;
mod java;
mod manifest;
mod members;
mod memo;
mod methods;
mod names;
mod narrowing;
mod outer_bindings;
mod overloads;
mod parameter_types;
mod php;
mod python;
mod references;
mod renamed_parameters;
mod resolver;
mod results;
mod ruby;
mod rust;
mod self_type;
mod source_file;
mod static_type;
mod steps;
mod supertypes;
mod templates;
mod trace;
mod type_facts;
mod type_parameters;
mod types_of;
mod values;

pub use crate::argument_types::CallSite;
pub use crate::computed_names::{ComputedNames, mentions_function};
pub use crate::counterparts::{Linkage, linkage_of, prototypes_of};
pub use crate::ecmascript::is_component;
pub use crate::entity::{
    Entity, ExternalFunction, Object, ResolvedEntities, TypeArguments, TypeParameter,
};
pub use crate::families::{
    Family, computed_names, computing_functions, is_manifest, is_resolvable, is_resolved_by_name,
    share_family,
};
pub use crate::file_facts::FileFacts;
pub use crate::flow_names::FlowName;
pub use crate::go::condition_of_file_name;
pub use crate::manifest::Manifest;
pub use crate::resolver::{Dependencies, FactDatabase, LanguageResolvers, Resolver};
pub use crate::rust::{files_declaring_module, module_declarations};
pub use crate::templates::Template;
