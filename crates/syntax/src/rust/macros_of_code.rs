//! Reads macros around code: the branches of `cfg_if!` and `cfg_select!`, and the items of others.
//!
//! The tokens of a macro have no syntax. So the text that is parsed has the code where the macro
//! had it, and the macro is empty: `cfg_if! { }` before its branches.
//!
//! Sources: <https://docs.rs/cfg-if>, <https://doc.rust-lang.org/std/macro.cfg_select.html>.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::attributes::{self, Attribute, opposite};
use super::item_macros;
use crate::parse::parse_unprepared;
use crate::replaced_text::blank;

/// The names of the macros with branches.
const CFG_IF: &str = "cfg_if";
const CFG_SELECT: &str = "cfg_select";

/// The maximum nesting of the macros in each other.
const MAX_NESTING: usize = 4;

/// The code of a branch, or of a macro around items.
pub(super) struct Branch {
    pub(super) range: Range<usize>,
    /// The predicates that must hold, the outermost first.
    pub(super) predicates: Vec<String>,
}

/// A text with the branches of its macros as code.
pub(super) struct Expanded {
    pub(super) text: String,
    /// The branches. One that contains others precedes them.
    pub(super) branches: Vec<Branch>,
}

/// Expands the macros. Every byte of the branches keeps its place. Returns `None` if a text does
/// not use them.
pub(super) fn expand(text: &str) -> Option<Expanded> {
    let mut expanded = Expanded {
        text: text.to_owned(),
        branches: Vec::new(),
    };
    for _ in 0..MAX_NESTING {
        if places_in(&expanded.text).is_empty() {
            break;
        }
        let Some(tree) = parse_unprepared("rust", &expanded.text) else {
            break;
        };
        let uses = find_uses(&tree, &expanded.text);
        if uses.is_empty() {
            break;
        }
        let mut bytes = expanded.text.into_bytes();
        for one in &uses {
            one.write(text, &mut bytes);
        }
        expanded.text = String::from_utf8(bytes).ok()?;
        let branches = uses.into_iter().flat_map(|one| one.branches);
        expanded.branches.extend(branches);
    }
    (!expanded.branches.is_empty()).then_some(expanded)
}

/// Returns where macros around code may stand, in order.
fn places_in(text: &str) -> Vec<usize> {
    let places = |name: &str| -> Vec<usize> {
        memchr::memmem::find_iter(text.as_bytes(), name.as_bytes()).collect()
    };
    let items = item_macros::places_in(text);
    let mut places = [places(CFG_IF), places(CFG_SELECT), items].concat();
    places.sort_unstable();
    places
}

/// A use of a macro.
struct Use {
    /// What stands between its braces.
    inside: Range<usize>,
    /// The offset between them at which the macro is closed.
    end: usize,
    branches: Vec<Branch>,
    /// Whether the branches must stay blocks, since one of them ends with an expression.
    has_blocks: bool,
    /// The parts of the branches that only the macro reads.
    marks: Vec<Range<usize>>,
}

impl Use {
    /// Closes the macro where its first branch begins, and keeps nothing but the branches.
    fn write(&self, text: &str, bytes: &mut [u8]) {
        blank(bytes, self.inside.start, self.inside.end + 1);
        for branch in &self.branches {
            let inside = branch.range.clone();
            let range = if self.has_blocks {
                inside.start.saturating_sub(1)..inside.end + 1
            } else {
                inside
            };
            let code = text.as_bytes().get(range.clone());
            if let (Some(code), Some(place)) = (code, bytes.get_mut(range)) {
                place.copy_from_slice(code);
            }
        }
        for mark in &self.marks {
            blank(bytes, mark.start, mark.end);
        }
        if let Some(byte) = bytes.get_mut(self.end) {
            *byte = b'}';
        }
    }
}

/// Finds the uses of the macros among items and statements, except those inside of another macro.
fn find_uses(tree: &Tree, text: &str) -> Vec<Use> {
    let places = places_in(text);
    let has_macro = |range: &Range<usize>| {
        let next = places.partition_point(|place| *place < range.start);
        places.get(next).is_some_and(|place| *place < range.end)
    };
    let mut found = Vec::new();
    // The predicates of the attributes before a node.
    let mut outer: Vec<String> = Vec::new();
    let mut kinds = vec![tree.root_node().kind()];
    let mut cursor = tree.walk();
    if !cursor.goto_first_child() {
        return found;
    }
    while let Some(&around) = kinds.last() {
        let node = cursor.node();
        match node.kind() {
            "attribute_item" => outer.extend(predicates_of(node, text)),
            "line_comment" | "block_comment" => {}
            "macro_invocation" => {
                let predicates = std::mem::take(&mut outer);
                found.extend(read_use(node, (text, around), &predicates));
            }
            kind => {
                outer.clear();
                if has_macro(&node.byte_range()) && cursor.goto_first_child() {
                    kinds.push(kind);
                    continue;
                }
            }
        }
        while !cursor.goto_next_sibling() {
            outer.clear();
            kinds.pop();
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
    found
}

fn predicates_of(attribute: Node<'_>, text: &str) -> Vec<String> {
    let text = text.get(attribute.byte_range()).unwrap_or_default();
    let read = attributes::read(text).into_iter();
    let predicates = read.filter_map(|one| match (one.predicate, one.attribute) {
        (None, Attribute::Cfg(predicate)) => Some(predicate.to_owned()),
        _ => None,
    });
    predicates.collect()
}

/// Reads a macro around code. Returns `None` if it is another macro, or has another form.
fn read_use(node: Node<'_>, (text, around): (&str, &str), outer: &[String]) -> Option<Use> {
    let is_statement = match around {
        "source_file" | "declaration_list" => false,
        "block" | "expression_statement" => true,
        _ => return None,
    };
    let name = node.child_by_field_name("macro")?;
    let name = text.get(name.byte_range())?;
    let children: Vec<Node<'_>> = node.children(&mut node.walk()).collect();
    let tokens = children.last().filter(|one| one.kind() == "token_tree")?;
    let tokens: Vec<Node<'_>> = tokens.children(&mut tokens.walk()).collect();
    let mut code = tokens.iter().filter(|token| !is_comment(token));
    let open = code.next().filter(|open| open.kind() == "{")?;
    let mut rest: Vec<Node<'_>> = code.copied().collect();
    let close = rest.pop()?;
    let inside = open.end_byte()..close.start_byte();
    let arms = match name.rsplit("::").next()?.trim() {
        CFG_IF => arms_of_if(&rest, text),
        CFG_SELECT => arms_of_select(&rest, text),
        _ if is_statement => None,
        _ => return use_around_items(text, inside, outer),
    };
    let arms = arms.filter(|arms| !arms.is_empty())?;
    let has_blocks = is_statement && !arms.iter().all(|arm| is_whole(arm.tokens));
    Some(Use {
        inside,
        end: rest.first()?.start_byte(),
        branches: branches_of(arms, outer)?,
        has_blocks,
        marks: Vec::new(),
    })
}

/// Reads a macro that has items between its braces.
fn use_around_items(text: &str, inside: Range<usize>, outer: &[String]) -> Option<Use> {
    let end = inside.start;
    // The macro is closed where no token of an item stands.
    if !text.as_bytes().get(end)?.is_ascii_whitespace() {
        return None;
    }
    let items = item_macros::items_in(text, end + 1..inside.end)?;
    let branch = Branch {
        range: items.range,
        predicates: outer.to_vec(),
    };
    Some(Use {
        inside,
        end,
        branches: vec![branch],
        has_blocks: false,
        marks: items.marks,
    })
}

/// A branch as it is written.
struct Arm<'t> {
    /// The predicate, which the last arm may lack.
    predicate: Option<String>,
    /// The code, with its braces.
    tokens: Node<'t>,
}

/// Returns the branches of arms, each of which holds if those before it do not.
fn branches_of(arms: Vec<Arm<'_>>, outer: &[String]) -> Option<Vec<Branch>> {
    let mut before: Vec<String> = outer.to_vec();
    let branches = arms.into_iter().map(|Arm { predicate, tokens }| {
        let mut predicates = before.clone();
        if let Some(predicate) = predicate {
            before.push(opposite(&predicate));
            predicates.push(predicate);
        }
        let range = inside_of(tokens)?;
        Some(Branch { range, predicates })
    });
    branches.collect()
}

/// Reads `if #[cfg(a)] { … } else if #[cfg(b)] { … } else { … }`.
fn arms_of_if<'t>(tokens: &[Node<'t>], text: &str) -> Option<Vec<Arm<'t>>> {
    let mut arms = Vec::new();
    let mut tokens = tokens.iter();
    loop {
        let mut token = *tokens.next()?;
        let mut predicate = None;
        if token.kind() == "if" {
            let hash = *tokens.next()?;
            let attribute = *tokens.next()?;
            let range = hash.start_byte()..attribute.end_byte();
            predicate = Some(predicate_in(text.get(range)?)?);
            token = *tokens.next()?;
        } else if arms.is_empty() {
            return None;
        }
        arms.push(Arm {
            predicate,
            tokens: token,
        });
        match tokens.next() {
            Some(next) if text.get(next.byte_range()) == Some("else") => {}
            Some(_) => return None,
            None => return Some(arms),
        }
    }
}

/// Reads `a => { … } b => { … } _ => { … }`.
fn arms_of_select<'t>(tokens: &[Node<'t>], text: &str) -> Option<Vec<Arm<'t>>> {
    let mut arms = Vec::new();
    let mut rest = tokens;
    while let Some(first) = rest.first() {
        let arrow = rest.iter().position(|token| token.kind() == "=>")?;
        let last = rest.get(arrow.checked_sub(1)?)?;
        let predicate = text.get(first.start_byte()..last.end_byte())?;
        arms.push(Arm {
            predicate: (predicate != "_").then(|| predicate.to_owned()),
            tokens: *rest.get(arrow + 1)?,
        });
        rest = rest.get(arrow + 2..)?;
        if let Some((_, after)) = rest.split_first().filter(|(comma, _)| comma.kind() == ",") {
            rest = after;
        }
    }
    Some(arms)
}

fn is_comment(token: &Node<'_>) -> bool {
    matches!(token.kind(), "line_comment" | "block_comment")
}

/// Returns the predicate of the attribute of a branch.
fn predicate_in(attribute: &str) -> Option<String> {
    let mut read = attributes::read(attribute).into_iter();
    match read.next()?.attribute {
        Attribute::Cfg(predicate) => Some(predicate.to_owned()),
        Attribute::Path(_) => None,
    }
}

/// Returns the range between the braces of tokens.
fn inside_of(tokens: Node<'_>) -> Option<Range<usize>> {
    let open = tokens.child(0).filter(|open| open.kind() == "{")?;
    let close = tokens.end_byte().checked_sub(1)?;
    Some(open.end_byte()..close)
}

/// Reports whether tokens in braces end with a whole statement or item.
fn is_whole(tokens: Node<'_>) -> bool {
    let inside: Vec<Node<'_>> = tokens.children(&mut tokens.walk()).collect();
    let mut code = inside.iter().filter(|token| !is_comment(token)).rev();
    let last = code.nth(1);
    last.is_none_or(|last| match last.kind() {
        "{" | ";" => true,
        "token_tree" => last.child(0).is_some_and(|open| open.kind() == "{"),
        _ => false,
    })
}
