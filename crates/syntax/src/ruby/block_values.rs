//! The results of blocks, and of the calls that have them: `a.map { |b| C.new(b) }`.

use std::cell::Cell;

use ragnav_base::hash::HashMap;

use super::kinds::{Field, FlatTree, Kind};
use super::passed_values::{Passed, passed_value};
use super::values::{MAX_NODES, MAX_STEPS, NameMeaning, Names};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes between `it` and its block.
const MAX_DEPTH: usize = 32;

/// What a method makes of the result of its block.
#[derive(Debug, Clone, Copy)]
enum Collected {
    /// An array of the results.
    Array,
    /// An array of what the results contain.
    Joined,
    /// A hash with the results as values.
    Hash,
    /// A hash of the pairs that are the results.
    Pairs,
    /// The result itself.
    Result,
    /// A function that returns the result.
    Function,
}

impl Collected {
    /// Returns what a method makes of the result of its block, by the text of its receiver.
    fn by_call(receiver: Option<&str>, method: &str) -> Option<Self> {
        match (receiver, method) {
            (Some("Proc" | "::Proc"), "new") | (None, "lambda" | "proc") => Some(Self::Function),
            (None, _) => None,
            (Some("Array" | "::Array"), "new")
            | (_, "collect" | "collect!" | "filter_map" | "map" | "map!") => Some(Self::Array),
            (_, "collect_concat" | "flat_map") => Some(Self::Joined),
            (Some("Hash" | "::Hash"), "new") | (_, "index_with" | "transform_values") => {
                Some(Self::Hash)
            }
            (_, "to_h") => Some(Self::Pairs),
            (_, "inject" | "reduce" | "then" | "yield_self") => Some(Self::Result),
            _ => None,
        }
    }

    fn value_of(self, result: ValueText) -> Option<ValueText> {
        Some(match self {
            Self::Pairs => result.part(1, "last")?.into_mapping(),
            Self::Array => result.into_sequence(),
            Self::Joined => result.into_slice(),
            Self::Hash => result.into_mapping(),
            Self::Result => result,
            Self::Function => result.into_function(),
        })
    }
}

/// The names in a block that belong to it.
struct BlockNames<'t, 'n> {
    tree: &'n FlatTree<'t>,
    block: NodeIndex,
    /// The names of the parameters, if the block has a list of them.
    parameters: Option<Vec<&'t str>>,
    /// The method and the value of the receiver of the call that has the block.
    call: Option<(NodeIndex, &'n str, &'n ValueText)>,
    outer: Names<'n>,
    steps: usize,
}

impl BlockNames<'_, '_> {
    fn meaning(&self, name: &str) -> NameMeaning {
        if let Some(place) = self.place_of_parameter(name) {
            return NameMeaning::Variable(self.passed(place));
        }
        let assigned = self.assigned(name);
        if assigned.is_empty() {
            return (self.outer.meaning)(name);
        }
        NameMeaning::Variable(self.value_assigned(&assigned))
    }

    /// Returns the index of a parameter and the number of parameters.
    fn place_of_parameter(&self, name: &str) -> Option<(usize, usize)> {
        let Some(parameters) = &self.parameters else {
            let index = implicit_index(name)?;
            let is_method = matches!((self.outer.meaning)(name), NameMeaning::Method);
            let has_second = self.tree.text(self.block).contains("_2");
            return is_method.then_some((index, if has_second { 2 } else { 1 }));
        };
        let index = parameters.iter().position(|one| *one == name)?;
        Some((index, parameters.len()))
    }

    /// Returns the value that the parameter at an index receives.
    fn passed(&self, place: (usize, usize)) -> Option<ValueText> {
        let (call, method, receiver) = self.call?;
        let arguments = self.tree.child(call, Field::Arguments);
        let passed = Passed::by_call(method, arguments, place)?;
        passed_value(receiver.clone(), method, passed)
    }

    /// Returns the first places where the block assigns to a variable.
    fn assigned(&self, name: &str) -> Vec<NodeIndex> {
        let tree = self.tree;
        let nodes = self.block..tree.subtree_end(self.block);
        let is_meant = |node: &NodeIndex| {
            tree.kind(*node) == Kind::Identifier
                && tree.text(*node) == name
                && (tree.node(*node).field == Field::Left
                    || tree.kind(tree.parent(*node)) == Kind::LeftAssignmentList)
        };
        nodes.filter(is_meant).take(2).collect()
    }

    /// Returns the value of a variable, if it is assigned once.
    fn value_assigned(&self, assigned: &[NodeIndex]) -> Option<ValueText> {
        let [only] = assigned else {
            return None;
        };
        let assignment = self.tree.parent(*only);
        if self.tree.kind(assignment) != Kind::Assignment {
            return None;
        }
        let value = self.tree.child(assignment, Field::Right)?;
        let names = Names {
            meaning: &|name: &str| self.meaning(name),
            nodes: self.outer.nodes,
        };
        self.tree.value_within(value, names, self.steps)
    }
}

impl<'t> FlatTree<'t> {
    /// Returns the value of a call that depends on the result of its block.
    pub(super) fn value_by_block(
        &self,
        (call, method): (NodeIndex, &str),
        receiver: Option<&ValueText>,
        names: Names<'_>,
        steps: usize,
    ) -> Option<ValueText> {
        let object = self.child(call, Field::Receiver);
        let collected = Collected::by_call(object.map(|object| self.text(object)), method)?;
        let result = match self.child(call, Field::Block) {
            Some(block) => {
                let receiver = receiver.filter(|_| object.is_some());
                let passing = receiver.map(|receiver| (call, method, receiver));
                self.block_result(block, passing, names, steps)?
            }
            None => self.result_by_symbol(call, method, receiver?)?,
        };
        collected.value_of(result)
    }

    /// Returns the result of `&:a` as the block of a call.
    fn result_by_symbol(
        &self,
        call: NodeIndex,
        method: &str,
        receiver: &ValueText,
    ) -> Option<ValueText> {
        let list = self.child(call, Field::Arguments)?;
        let block = self.operands(list).last()?;
        let symbol = self.operands(block).next()?;
        let is_symbol =
            self.kind(block) == Kind::BlockArgument && self.kind(symbol) == Kind::Symbol;
        let passed = Passed::by_call(method, Some(list), (0, 1)).filter(|_| is_symbol)?;
        let of = passed_value(receiver.clone(), method, passed)?;
        of.member(self.name_of_method(symbol).text)?.called()
    }

    /// Returns what a block returns whose parameters are not known.
    pub(super) fn value_of_block(
        &self,
        block: NodeIndex,
        meaning: &dyn Fn(&str) -> NameMeaning,
    ) -> Option<ValueText> {
        let nodes = &Cell::new(MAX_NODES);
        self.block_result(block, None, Names { meaning, nodes }, MAX_STEPS)?
            .within_limit()
    }

    /// Returns what a block returns, by the call that has it, if its parameters are known.
    fn block_result(
        &self,
        block: NodeIndex,
        call: Option<(NodeIndex, &str, &ValueText)>,
        names: Names<'_>,
        steps: usize,
    ) -> Option<ValueText> {
        let inside = BlockNames {
            tree: self,
            block,
            parameters: self.parameters_of(block),
            call,
            outer: names,
            steps,
        };
        if self.ends_early(block) {
            return None;
        }
        let body = self.child(block, Field::Body)?;
        let names = Names {
            meaning: &|name: &str| inside.meaning(name),
            nodes: names.nodes,
        };
        self.only_result(body, names, steps)
    }

    /// Reports whether a block may give another result than its last statement: by `next a`, or
    /// `return a` in a lambda.
    fn ends_early(&self, block: NodeIndex) -> bool {
        let end = self.subtree_end(block);
        let mut node = block + 1;
        while node < end {
            match self.kind(node) {
                Kind::Block | Kind::Lambda => node = self.subtree_end(node).max(node + 1),
                Kind::Next | Kind::Return if self.operands(node).next().is_some() => return true,
                _ => node += 1,
            }
        }
        false
    }

    /// Returns the value of `-> (a) { b }`.
    pub(super) fn function_value(
        &self,
        lambda: NodeIndex,
        names: Names<'_>,
        steps: usize,
    ) -> Option<ValueText> {
        let block = self.child(lambda, Field::Body)?;
        let result = self.block_result(block, None, names, steps)?;
        Some(result.into_function())
    }

    /// Returns the names of the parameters of a block or lambda, if it has a list of them.
    fn parameters_of(&self, block: NodeIndex) -> Option<Vec<&'t str>> {
        let own = self.child(block, Field::Parameters);
        let list = own.or_else(|| self.child(self.parent(block), Field::Parameters))?;
        let name = |one: NodeIndex| self.text(self.child(one, Field::Name).unwrap_or(one));
        Some(self.operands(list).map(name).collect())
    }

    /// Returns the blocks that read parameters which they do not declare, with these names.
    pub(super) fn implicit_parameters(&self) -> HashMap<NodeIndex, Vec<NodeIndex>> {
        let mut found: HashMap<NodeIndex, Vec<NodeIndex>> = HashMap::default();
        for node in 0..self.len() {
            let is_read = self.kind(node) == Kind::Identifier
                && self.node(node).field != Field::Method
                && implicit_index(self.text(node)).is_some();
            let Some(block) = is_read.then(|| self.block_around(node)).flatten() else {
                continue;
            };
            let names = found.entry(block).or_default();
            if !names.iter().any(|name| self.text(*name) == self.text(node)) {
                names.push(node);
            }
        }
        found.retain(|block, _| self.parameters_of(*block).is_none());
        found
    }

    fn block_around(&self, node: NodeIndex) -> Option<NodeIndex> {
        let around = std::iter::successors(Some(node), |node| Some(self.parent(*node)));
        let mut around = around.take(MAX_DEPTH);
        around.find(|one| self.kind(*one) == Kind::Block)
    }
}

/// Returns the index of a parameter that no list declares.
pub(super) fn implicit_index(name: &str) -> Option<usize> {
    match name {
        "it" | "_1" => Some(0),
        "_2" => Some(1),
        _ => None,
    }
}
