//! Bash and other shells: functions and the commands that call them.
//!
//! Variables and aliases are no definitions. Functions and variables have separate names, so no
//! variable hides a function.

use super::language::no_conditions;
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, MembersInScope, Rule, rule_based_language,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

rule_based_language! {
    name: "bash",
    extensions: &["sh", "bash", "bats"],
    package_file: None,
    prepare: mask_brace_items,
    repair: |_| None,
    conditions: no_conditions,
    rules: RULES,
}

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: Some(refine),
    refine_field: None,
    find_definition: DefinitionName::by_field,
    members_in_scope: MembersInScope::None,
    has_methods_in_namespaces: false,
    path_separator: "/",
};

const COMMAND: Rule = Rule::Call(Field::Name);
/// The commands that name functions after the option `-f`: `export -f a` and `unset -f a`.
const DECLARATION: Rule = Rule::ReadChildren;

/// The commands whose first argument is a command, with `run` of Bats.
const RUNNERS: [&str; 6] = ["builtin", "command", "eval", "run", "time", "trap"];

/// The number of children of a command of which one may name a function: `complete -o a -F f`.
const MAX_PLACE: usize = 8;

fn classify(node: &str) -> Rule {
    match node {
        "function_definition" => Rule::Definition(DefinitionKind::Function),
        "command" => COMMAND,
        "command_name" => Rule::Transparent,
        "declaration_command" | "unset_command" => DECLARATION,
        "word" => Rule::Identifier,
        "comment" => Rule::Comment,
        "raw_string" | "string_content" | "ansi_c_string" | "heredoc_content" | "regex" => {
            Rule::Text
        }
        _ => Rule::Other,
    }
}

/// Finds the words that name functions without calling them, and excludes paths.
fn refine(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    if !tree.is_leaf(node) {
        return None;
    }
    let parent = tree.parent(node);
    match (tree.kind(node), tree.kind(parent)) {
        (Rule::Identifier, _) if tree.text(node).contains(['/', '=', '}']) => Some(Rule::Other),
        (Rule::Identifier, COMMAND) if names_function(tree, parent, node) => Some(Rule::Name),
        (Rule::Other, DECLARATION) if follows(tree, parent, node, "-f") => Some(Rule::Name),
        _ => None,
    }
}

/// Reports whether an argument of a command names a function: `f` of `trap f EXIT` and of
/// `complete -F f a`.
fn names_function(tree: &FlatTree<'_>, command: NodeIndex, argument: NodeIndex) -> bool {
    let mut children = tree.children(command).take(MAX_PLACE);
    let name = children.find(|child| tree.node(*child).field == Field::Name);
    let is_run = name.is_some_and(|name| {
        tree.subtree_end(name) == argument && RUNNERS.contains(&tree.text(name))
    });
    is_run || follows(tree, command, argument, "-F")
}

/// Reports whether a child follows an option directly.
fn follows(tree: &FlatTree<'_>, parent: NodeIndex, child: NodeIndex, option: &str) -> bool {
    let mut children = tree.children(parent).take(MAX_PLACE);
    let after = children.find(|other| tree.subtree_end(*other) == child);
    after.is_some_and(|option_node| tree.text(option_node) == option)
}

/// Replaces the letters outside of ASCII at which the grammar ends a range, such as `{1..2}`.
///
/// Its scanner passes them to `isdigit`, which is undefined for such letters and may crash. Offsets
/// stay. Returns `None` if nothing changes.
fn mask_brace_items(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut is_changed = false;
    for brace in memchr::memchr_iter(b'{', text.as_bytes()) {
        let first = skip_digits(text, brace + 1);
        let last = text.get(first..).filter(|rest| rest.starts_with(".."));
        let end = last.map_or(first, |_| skip_digits(text, first + 2));
        let letter = text.get(end..).and_then(|rest| rest.chars().next());
        let Some(letter) = letter.filter(|letter| !letter.is_ascii()) else {
            continue;
        };
        is_changed = true;
        let place = bytes.get_mut(end..end + letter.len_utf8());
        place.into_iter().flatten().for_each(|byte| *byte = b'_');
    }
    let changed = is_changed.then(|| String::from_utf8(bytes).ok());
    changed.flatten()
}

/// Returns the offset of the first byte that is no digit.
fn skip_digits(text: &str, start: usize) -> usize {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    start + count
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::mask_brace_items;

    #[test]
    fn letters_after_braces_are_masked() {
        let masked = |text: &str| mask_brace_items(text).unwrap();
        assert_eq!(masked("a {𝒳 é{12é} {1..é"), "a {____ é{12__} {1..__");
        assert_eq!(masked("{1..23‐"), "{1..23___");
        for text in ["f() { é; }", "{1..2}é", "{.é", "{", "{1.."] {
            assert_eq!(mask_brace_items(text), None, "{text}");
        }
    }
}
