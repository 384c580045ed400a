//! The files that a file loads: `require "a"`, `require_relative "a"`, `load "a.rb"` and
//! `autoload :A, "a"`.
//!
//! <https://docs.ruby-lang.org/en/master/Kernel.html#method-i-require>

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{Import, ImportedItem, ScopeId};
use crate::tree::NodeIndex;

/// The maximum length of a path, in bytes.
const MAX_PATH: usize = 200;

/// The folder of the file itself.
const OWN_FOLDERS: [&str; 2] = ["__dir__", "File.dirname(__FILE__)"];

/// A path to a file, beside the file that names it or in a folder of Ruby's load path.
struct Required {
    path: String,
    is_relative: bool,
    /// The literal with the end of the path.
    place: NodeIndex,
}

impl FactsBuilder<'_> {
    /// Visits a call that may load another file.
    pub(super) fn visit_require(&mut self, call: NodeIndex, method: &str, scope: ScopeId) {
        let tree = self.tree;
        let argument = tree.argument(call, usize::from(method == "autoload"));
        let Some(argument) = argument else {
            return;
        };
        let required = match method {
            "autoload" | "load" | "require" => tree.required(argument),
            "require_relative" => tree.plain_text(argument).map(|path| Required {
                path: path.to_owned(),
                is_relative: true,
                place: argument,
            }),
            _ => None,
        };
        let Some(required) = required.filter(|found| found.path.len() <= MAX_PATH) else {
            return;
        };
        let offset = tree.node(required.place).start;
        let import = Import {
            module: self.writer.names.intern(required.path),
            level: u32::from(required.is_relative),
            item: ImportedItem::Module,
            alias: None,
            scope,
            position: self.writer.position_at(offset),
        };
        self.writer.facts.imports.push(import);
    }
}

impl FlatTree<'_> {
    /// Returns the path that an argument of `require` names.
    fn required(&self, argument: NodeIndex) -> Option<Required> {
        if let Some(path) = self.plain_text(argument) {
            let relative = ["./", "../"].into_iter().any(|dots| path.starts_with(dots));
            // A path with dots is one from the working directory, which is not known.
            return (!relative).then(|| Required {
                path: path.to_owned(),
                is_relative: false,
                place: argument,
            });
        }
        let (path, place) = match self.kind(argument) {
            Kind::Binary => {
                let folder = self.child(argument, Field::Left)?;
                let is_own = OWN_FOLDERS.contains(&self.text(folder));
                let place = self.child(argument, Field::Right).filter(|_| is_own)?;
                (self.plain_text(place)?.to_owned(), place)
            }
            Kind::Call => self.joined_path(argument)?,
            _ => return None,
        };
        Some(Required {
            path: path.trim_start_matches('/').to_owned(),
            is_relative: true,
            place,
        })
    }

    /// Returns the path beside the file that `File.expand_path("../a", __FILE__)` or
    /// `File.join(__dir__, "a")` makes, and the literal with its end.
    fn joined_path(&self, call: NodeIndex) -> Option<(String, NodeIndex)> {
        let of = self.child(call, Field::Receiver)?;
        let method = self.text(self.child(call, Field::Method)?);
        let arguments = self.operands(self.child(call, Field::Arguments)?);
        let arguments: Vec<NodeIndex> = arguments.collect();
        let (first, rest) = arguments.split_first()?;
        match (self.text(of), method) {
            ("File", "join") if OWN_FOLDERS.contains(&self.text(*first)) => {
                let parts = rest.iter().map(|part| self.plain_text(*part));
                let path = parts.collect::<Option<Vec<&str>>>()?.join("/");
                Some((path, *rest.last()?))
            }
            ("File", "expand_path") => {
                let path = self.plain_text(*first)?;
                let folder = self.text(*rest.first()?);
                if OWN_FOLDERS.contains(&folder) {
                    return Some((path.to_owned(), *first));
                }
                // The path begins at the file, as if that were a folder.
                let from_folder = path.strip_prefix("../").filter(|_| folder == "__FILE__");
                Some((from_folder?.to_owned(), *first))
            }
            _ => None,
        }
    }

    fn argument(&self, call: NodeIndex, place: usize) -> Option<NodeIndex> {
        self.operands(self.child(call, Field::Arguments)?)
            .nth(place)
    }

    /// Returns the text of a literal without expressions in it.
    fn plain_text(&self, node: NodeIndex) -> Option<&str> {
        if self.kind(node) != Kind::StringLiteral {
            return None;
        }
        let text = self.text(node);
        let inner = ['"', '\''].into_iter().find_map(|quote| {
            let rest = text.strip_prefix(quote)?;
            rest.strip_suffix(quote)
        })?;
        let is_plain = !inner.is_empty() && !inner.contains(['"', '\'', '\\', '#']);
        is_plain.then_some(inner)
    }
}
