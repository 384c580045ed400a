//! Patterns of `match`: what they bind, and the classes that they test their subject for.
//!
//! <https://docs.python.org/3/reference/compound_stmts.html#patterns>

use crate::facts::ScopeId;
use crate::python::builder::FactsBuilder;
use crate::python::kinds::Kind;
use crate::tree::NodeIndex;

/// The maximum nesting of patterns.
const MAX_DEPTH: usize = 8;
/// The maximum number of parts of a pattern.
const MAX_PARTS: usize = 16;

impl FactsBuilder<'_> {
    /// Visits `case pattern:` of a `match` with one subject.
    pub(super) fn flow_into_case(&mut self, clause: NodeIndex) {
        let tree = self.tree;
        let cases = tree.parent(clause);
        let statement = tree.parent(cases);
        let mut subjects = tree.operands(statement).take_while(|one| *one < cases);
        let (Some(subject), None) = (subjects.next(), subjects.next()) else {
            return;
        };
        let parts = tree.operands(clause);
        let is_pattern = |part: &NodeIndex| tree.kind(*part) == Kind::Pattern;
        let patterns: Vec<NodeIndex> = parts.take_while(is_pattern).take(MAX_PARTS).collect();
        let scope = self.scope_of(subject);
        // `case a, b:` has the elements of the subject.
        let [pattern] = *patterns else {
            for path in self.values_of(subject) {
                self.flow_into_elements(&patterns, (&path, scope), 0);
            }
            return;
        };
        for path in self.values_of(subject) {
            self.flow_into_part(pattern, (&path, scope), 0);
        }
        let block = tree
            .operands(clause)
            .find(|part| tree.kind(*part) == Kind::Block);
        if let (Some(block), Some(classes)) = (block, self.classes_of(pattern, 0)) {
            self.narrow_to((subject, pattern), &classes, block, (block, block));
        }
    }

    /// Gives the parts of a value to the names in a pattern.
    fn flow_into_part(&mut self, pattern: NodeIndex, (path, scope): (&str, ScopeId), depth: usize) {
        let tree = self.tree;
        let parts: Vec<NodeIndex> = tree.operands(pattern).take(MAX_PARTS).collect();
        let depth = depth + 1;
        if depth > MAX_DEPTH {
            return;
        }
        match (tree.kind(pattern), parts.as_slice()) {
            (Kind::DottedName, [name]) => self.flow_path_to(*name, path, scope),
            (Kind::AsPattern, [inner, name]) => {
                let classes = self.classes_of(*inner, 0).unwrap_or_default();
                for class in &classes {
                    self.flow_path_to(*name, &format!("{class}()"), scope);
                }
                if classes.is_empty() {
                    self.flow_path_to(*name, path, scope);
                }
                self.flow_into_part(*inner, (path, scope), depth);
            }
            (Kind::ClassPattern, [class, members @ ..]) => {
                let class = format!("{}()", tree.text(*class));
                for member in members {
                    self.flow_into_part(*member, (&class, scope), depth);
                }
            }
            (Kind::KeywordPattern, [name, inner]) => {
                let member = format!("{path}.{}", tree.text(*name));
                self.flow_into_member(*inner, (&member, scope), depth);
            }
            (Kind::Elements, [only]) if self.is_bracketed(pattern) => {
                self.flow_into_part(*only, (path, scope), depth);
            }
            (Kind::Elements, elements) => self.flow_into_elements(elements, (path, scope), depth),
            (Kind::Pattern, [_, _, ..]) if tree.text(pattern).starts_with('{') => {
                for pair in parts.windows(2) {
                    if let [key, value] = *pair
                        && tree.kind(value) == Kind::Pattern
                        && tree.kind(key) != Kind::Pattern
                    {
                        let index = tree.index_text(key).unwrap_or_else(|| "[]".into());
                        self.flow_into_part(value, (&format!("{path}{index}"), scope), depth);
                    }
                }
            }
            (Kind::Pattern, alternatives) => {
                for alternative in alternatives {
                    // The arguments of a class are not known by their places.
                    let is_positional = tree.kind(tree.parent(pattern)) == Kind::ClassPattern
                        && tree.kind(*alternative) != Kind::KeywordPattern;
                    if !is_positional {
                        self.flow_into_part(*alternative, (path, scope), depth);
                    }
                }
            }
            _ => {}
        }
    }

    /// Gives a member to the pattern of `name=pattern`, which may be a bare name.
    fn flow_into_member(&mut self, pattern: NodeIndex, of: (&str, ScopeId), depth: usize) {
        match self.tree.kind(pattern) {
            Kind::Identifier => self.flow_path_to(pattern, of.0, of.1),
            _ => self.flow_into_part(pattern, of, depth),
        }
    }

    /// Gives the elements of a value to the patterns of `[a, *b, c]`.
    fn flow_into_elements(
        &mut self,
        elements: &[NodeIndex],
        (path, scope): (&str, ScopeId),
        depth: usize,
    ) {
        let tree = self.tree;
        let mut is_after_rest = false;
        for (index, element) in elements.iter().enumerate() {
            let rest = tree.operands(*element).next();
            let rest = rest.filter(|rest| tree.kind(*rest) == Kind::SplatPattern);
            if let Some(rest) = rest {
                is_after_rest = true;
                if let Some(name) = tree.operands(rest).next() {
                    self.flow_path_to(name, &format!("{path}[{index}:]"), scope);
                }
                continue;
            }
            let index = if is_after_rest {
                String::new()
            } else {
                index.to_string()
            };
            self.flow_into_part(*element, (&format!("{path}[{index}]"), scope), depth);
        }
    }

    /// Reports whether a pattern is another one in brackets: `(A() | B())`, and no sequence.
    fn is_bracketed(&self, pattern: NodeIndex) -> bool {
        let tree = self.tree;
        let mut children = tree.children(pattern);
        tree.text(pattern).starts_with('(') && !children.any(|one| tree.text(one) == ",")
    }

    /// Returns the names of the classes that a pattern tests for, or `None` if it may match other
    /// values, too.
    fn classes_of(&self, pattern: NodeIndex, depth: usize) -> Option<Vec<String>> {
        let tree = self.tree;
        let first = tree
            .operands(pattern)
            .next()
            .filter(|_| depth < MAX_DEPTH)?;
        match tree.kind(pattern) {
            Kind::ClassPattern => Some(vec![tree.text(first).to_owned()]),
            Kind::AsPattern => self.classes_of(first, depth + 1),
            Kind::Elements if self.is_bracketed(pattern) => self.classes_of(first, depth + 1),
            Kind::Pattern if !tree.text(pattern).starts_with('{') => {
                let alternatives = tree.operands(pattern).take(MAX_PARTS);
                let classes = alternatives.map(|one| self.classes_of(one, depth + 1));
                Some(classes.collect::<Option<Vec<_>>>()?.concat())
            }
            _ => None,
        }
    }
}
