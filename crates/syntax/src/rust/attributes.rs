//! Reads the attributes of items.

use super::builder::FactsBuilder;
use super::kinds::Kind;
use crate::tree::NodeIndex;

impl<'t> FactsBuilder<'t> {
    /// Returns the texts of the attributes before an item, with their offsets, the last one first.
    pub(super) fn attributes_before(&self, item: NodeIndex) -> Vec<(u32, &'t str)> {
        let tree = self.tree;
        let mut found = Vec::new();
        let mut sibling = self.previous_sibling(item);
        while let Some(node) = sibling {
            match tree.kind(node) {
                Kind::Attribute if tree.text(node).starts_with("#[") => {
                    found.push((tree.node(node).start, tree.text(node)));
                }
                Kind::Comment => {}
                _ => break,
            }
            sibling = self.previous_sibling(node);
        }
        found
    }

    fn previous_sibling(&self, node: NodeIndex) -> Option<NodeIndex> {
        let parent = self.tree.parent(node);
        // A parent precedes its children, and the last node of a sibling precedes the next sibling.
        let mut previous = node.checked_sub(1).filter(|last| *last > parent)?;
        while self.tree.parent(previous) != parent {
            previous = self.tree.parent(previous);
        }
        Some(previous)
    }

    /// Adds the attributes of the last definition, and those of the block `impl` around a method.
    pub(super) fn add_attributes(&mut self, item: NodeIndex) {
        let tree = self.tree;
        let around = tree.parent(tree.parent(item));
        let block = (tree.kind(around) == Kind::Impl).then_some(around);
        let items = [item].into_iter().chain(block);
        let attributes: Vec<(u32, &str)> = items
            .flat_map(|item| self.attributes_before(item))
            .collect();
        let names = attributes.iter().flat_map(|(_, text)| names(text));
        self.writer.decorate(names);
    }
}

/// What an attribute says about its item, if its own condition holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Attribute<'t> {
    /// `cfg(unix)`, with the predicate.
    Cfg(&'t str),
    /// `path = "a.rs"`, with the path.
    Path(&'t str),
}

/// An attribute with the predicate under which it counts: that of `cfg_attr`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ConditionalAttribute<'t> {
    pub(super) predicate: Option<&'t str>,
    pub(super) attribute: Attribute<'t>,
}

/// Returns what the text of an attribute says: `cfg(unix)` for `#[cfg(unix)]`, and each attribute
/// of `#[cfg_attr(unix, …)]` with `unix`.
pub(super) fn read(text: &str) -> Vec<ConditionalAttribute<'_>> {
    let inside = text.trim_start_matches(['#', '!', '[', ' ']);
    let Some(inside) = inside.trim_end().strip_suffix(']') else {
        return Vec::new();
    };
    let inside = inside.trim();
    if let Some(attribute) = single(inside) {
        let predicate = None;
        return vec![ConditionalAttribute {
            predicate,
            attribute,
        }];
    }
    let mut arguments = operand(inside, "cfg_attr").map(arguments).into_iter();
    let mut arguments = arguments.next().unwrap_or_default().into_iter();
    let predicate = arguments.next();
    let attributes = arguments.filter_map(single);
    attributes
        .map(|attribute| ConditionalAttribute {
            predicate,
            attribute,
        })
        .collect()
}

/// Returns the names of the macros or built-in attributes in the text of an attribute: `a::b` of
/// `#[a::b(c)]`, and `d` and `e` of `#[cfg_attr(c, d, e)]`.
fn names(text: &str) -> Vec<&str> {
    let inside = text.trim_start_matches(['#', '!', '[', ' ']);
    let inside = inside.trim_end().strip_suffix(']').unwrap_or(inside).trim();
    let attributes: Vec<&str> = match operand(inside, "cfg_attr") {
        Some(conditional) => arguments(conditional).into_iter().skip(1).collect(),
        None => vec![operand(inside, "unsafe").unwrap_or(inside)],
    };
    let is_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
    let names = attributes.into_iter().map(|one| {
        let end = one.find(|letter| !is_of_name(letter));
        one.get(..end.unwrap_or(one.len())).unwrap_or_default()
    });
    names.filter(|name| !name.is_empty()).collect()
}

/// Returns the opposite of a predicate: `not(unix)` for `unix`, and `unix` for `not(unix)`.
pub(super) fn opposite(predicate: &str) -> String {
    match operand(predicate, "not") {
        Some(inside) => inside.trim_end_matches(',').trim().to_owned(),
        None => format!("not({predicate})"),
    }
}

fn single(inside: &str) -> Option<Attribute<'_>> {
    if let Some(predicate) = operand(inside, "cfg") {
        let predicate = predicate.strip_suffix(',').unwrap_or(predicate).trim_end();
        return (!predicate.is_empty()).then_some(Attribute::Cfg(predicate));
    }
    let value = inside.strip_prefix("path")?.trim_start();
    let value = value.strip_prefix('=')?.trim_start();
    let path = value.strip_prefix('"')?.split('"').next()?;
    Some(Attribute::Path(path))
}

/// Returns what stands in the parentheses after a name.
fn operand<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let bracketed = text.strip_prefix(name)?.trim();
    Some(bracketed.strip_prefix('(')?.strip_suffix(')')?.trim())
}

/// Divides arguments at the commas outside of brackets and strings.
fn arguments(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let mut is_string = false;
    let mut is_escaped = false;
    let arguments = text.split(|letter: char| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match letter {
            '\\' => is_escaped = is_string && !was_escaped,
            '"' if !was_escaped => is_string = !is_string,
            '(' | '[' if !is_string => depth += 1,
            ')' | ']' if !is_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0 && !is_string
    });
    arguments.map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_count_under_their_predicates() {
        let cfg = |predicate, inside| ConditionalAttribute {
            predicate,
            attribute: Attribute::Cfg(inside),
        };
        assert_eq!(read("#[cfg(any(a, b),)]"), [cfg(None, "any(a, b)")]);
        assert_eq!(read("#![cfg ( unix ) ]"), [cfg(None, "unix")]);
        let text = "#[cfg_attr(any(a, b = \",)\"), derive(C), cfg(d), path = \"e.rs\")]";
        let predicate = Some("any(a, b = \",)\")");
        let path = ConditionalAttribute {
            predicate,
            attribute: Attribute::Path("e.rs"),
        };
        assert_eq!(read(text), [cfg(predicate, "d"), path]);
        for text in [
            "#[cfg()]",
            "#[cfg_attr(a)]",
            "#[cfg_attr]",
            "#[cfg(a",
            "#[derive(A)]",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn attributes_have_names() {
        for (text, expected) in [
            ("#[test]", &["test"][..]),
            ("#[ tokio::main(flavor = \"a\") ]", &["tokio::main"]),
            ("#[unsafe(no_mangle)]", &["no_mangle"]),
            (
                "#[cfg_attr(any(a, b), inline, serde(rename = \"c\"))]",
                &["inline", "serde"],
            ),
            ("#[]", &[]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn the_opposite_of_an_opposite_is_the_predicate() {
        assert_eq!(opposite("unix"), "not(unix)");
        assert_eq!(opposite("not(any(a, b))"), "any(a, b)");
    }
}
