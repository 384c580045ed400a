//! Visits imports, variables and constants, and the statements that declare some.

use ragnav_base::hash::HashSet;

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, Kind};
use crate::facts::{BindingTarget, Import, ImportId, ImportedItem, MODULE, ScopeId, ScopeKind};
use crate::facts_writer::NameAt;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::position::wire;

/// The longest stored path of an import and the longest build constraint, in bytes.
const MAX_MODULE: usize = 400;

/// The number of scopes for the rest of a block, after which further declarations share the last
/// one. They nest, and each costs a look at all later statements.
const MAX_RESTS: usize = 1_000;

impl<'t> FactsBuilder<'t> {
    pub(super) fn visit_package_clause(&mut self, node: NodeIndex, scope: ScopeId) {
        self.roles.set_children(node, Role::Handled, scope);
        let name = self.tree.operands(node).next();
        let name = name.filter(|name| self.tree.kind(*name) == Kind::PackageIdentifier);
        let name = name.map(|name| self.tree.text(name));
        self.writer.facts.package = name.map(|name| self.writer.names.intern(name));
        let constraint = self.build_constraint(node);
        self.writer.facts.build_constraint =
            constraint.map(|constraint| self.writer.names.intern(constraint));
    }

    /// Returns the condition of `//go:build`, which stands before the package clause.
    fn build_constraint(&self, clause: NodeIndex) -> Option<&'t str> {
        let before = self.tree.slice(0, self.tree.node(clause).start);
        let mut lines = before.lines();
        let constraint = lines.find_map(|line| line.strip_prefix("//go:build "))?;
        Some(constraint.trim()).filter(|constraint| constraint.len() <= MAX_MODULE)
    }

    pub(super) fn visit_import(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        self.roles.set_children(node, Role::Handled, scope);
        let Some(path) = tree.child(node, Field::Path) else {
            return;
        };
        let module = tree.text(path).trim_matches(['"', '`']);
        if module.len() > MAX_MODULE {
            return;
        }
        let name = tree.child(node, Field::Name);
        let alias = name.map(|name| (tree.text(name), tree.kind(name)));
        let (item, bound) = match alias {
            Some((_, Kind::Dot)) => (ImportedItem::Star, None),
            Some((alias, _)) => (ImportedItem::Module, Some(alias)),
            None => (ImportedItem::Module, Some(package_of(module))),
        };
        let id = ImportId(wire(self.writer.facts.imports.len()));
        let offset = tree.node(path).start;
        let alias = alias.filter(|_| item == ImportedItem::Module);
        let import = Import {
            module: self.writer.names.intern(module),
            level: 0,
            item,
            alias: alias.map(|(alias, _)| self.writer.names.intern(alias)),
            scope,
            position: self.writer.position_at(offset),
        };
        self.writer.facts.imports.push(import);
        if let Some(text) = bound {
            let target = (BindingTarget::Import(id), scope);
            self.writer.bind(NameAt { text, offset }, scope, target);
        }
    }

    /// Visits `var a, b T = c, d`. Its values do not see the new names.
    pub(super) fn visit_variables(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        let of = of.and_then(|of| tree.type_value(of));
        let names: Vec<NodeIndex> = tree.names_of(node).collect();
        let values = self.operands_of(tree.child(node, Field::Value));
        self.declare(&names, (of, &values), (node, scope));
    }

    /// Visits a group of constants. One without a value repeats the type before it.
    pub(super) fn visit_constants(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut repeated = None;
        for spec in tree.operands(node) {
            let value = tree.child(spec, Field::Value);
            if let Some(value) = value {
                let of = tree.child(spec, Field::Type);
                let of = of.and_then(|of| tree.type_value(of));
                // `A = Kind(iota)` has a type, too.
                let first = tree.operands(value).next();
                let conversion = first
                    .filter(|first| matches!(tree.kind(*first), Kind::Call | Kind::Conversion));
                repeated = of.or_else(|| conversion.and_then(|first| tree.value_text(first)));
            }
            for name in tree.names_of(spec) {
                self.roles.set(name, Role::Handled, scope);
                self.bind_variable(name, scope, (repeated.clone(), scope));
            }
        }
    }

    /// Visits `a, b := c, d` as a statement of its own.
    pub(super) fn visit_short_variables(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let names = self.operands_of(tree.child(node, Field::Left));
        let values = self.operands_of(tree.child(node, Field::Right));
        self.declare(&names, (None, &values), (node, scope));
    }

    /// Binds names to values of a type, or else to these values. If the values read one of the
    /// names, the rest of the block becomes a scope of its own.
    fn declare(
        &mut self,
        names: &[NodeIndex],
        (of, values): (Option<ValueText>, &[NodeIndex]),
        (node, scope): (NodeIndex, ScopeId),
    ) {
        // The values of `if a := b; c {}` do not see the new names.
        let is_initializer = self.tree.node(node).field == Field::Initializer;
        let value_scope = if is_initializer {
            self.writer.facts.enclosing_scope(scope)
        } else {
            scope
        };
        let inside = if is_initializer || !self.are_read(names, values) {
            scope
        } else {
            self.open_scope_after(node, scope)
        };
        if is_initializer {
            self.roles
                .set_field(node, Field::Right, Role::Read, value_scope);
        }
        for (place, name) in names.iter().enumerate() {
            self.roles.set(*name, Role::Handled, scope);
            let value = of.clone().or_else(|| self.value_at(values, place));
            self.bind_variable(*name, inside, (value, value_scope));
        }
        self.roles
            .set_field(node, Field::Left, Role::Handled, scope);
    }

    /// Returns the value of a name by its place: `a, b := f()` binds the results of one call.
    fn value_at(&self, values: &[NodeIndex], place: usize) -> Option<ValueText> {
        let tree = self.tree;
        match *values {
            [only] => match tree.kind(only) {
                Kind::Call if place > 0 => tree.further_result(only, place),
                // The second value of `a, ok := b[c]` is a boolean.
                _ => tree.value_text(only).filter(|_| place == 0),
            },
            _ => tree.value_text(*values.get(place)?),
        }
    }

    /// Reports whether values read one of these names.
    fn are_read(&self, names: &[NodeIndex], values: &[NodeIndex]) -> bool {
        let tree = self.tree;
        let texts: HashSet<&str> = names.iter().map(|name| tree.text(*name)).collect();
        values.iter().any(|value| {
            (*value..tree.subtree_end(*value)).any(|node| {
                matches!(tree.kind(node), Kind::Identifier | Kind::TypeIdentifier)
                    && texts.contains(tree.text(node))
            })
        })
    }

    /// Opens a scope for the statements after a declaration in its block.
    fn open_scope_after(&mut self, node: NodeIndex, scope: ScopeId) -> ScopeId {
        let tree = self.tree;
        if scope == MODULE || self.rests >= MAX_RESTS {
            return scope;
        }
        self.rests += 1;
        // The specification of `var ( a = a )` stands in a list, and that in the statement.
        let mut statement = node;
        while matches!(
            tree.kind(tree.parent(statement)),
            Kind::VarDeclaration | Kind::VarSpecList
        ) {
            statement = tree.parent(statement);
        }
        let inside = self.open_scope(ScopeKind::Block, scope, None);
        let parent = tree.parent(statement);
        for later in tree.children(parent).filter(|later| *later > statement) {
            self.roles.set(later, Role::Read, inside);
        }
        inside
    }

    /// Visits `for a, b := range c`.
    pub(super) fn visit_range(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let enclosing = self.writer.facts.enclosing_scope(scope);
        self.roles
            .set_field(node, Field::Right, Role::Read, enclosing);
        let declares = tree.children(node).any(|child| tree.text(child) == ":=");
        if !declares {
            return;
        }
        let right = tree.child(node, Field::Right);
        let ranged = right.and_then(|right| tree.value_text(right));
        let left = tree.child(node, Field::Left);
        for (place, name) in self.operands_of(left).into_iter().enumerate() {
            self.roles.set(name, Role::Handled, scope);
            let of = ranged.clone().filter(|_| tree.text(name) != "_");
            let value = of.and_then(|of| of.loop_variable(place));
            self.bind_variable(name, scope, (value, enclosing));
        }
        if let Some(left) = left {
            self.roles.set(left, Role::Handled, scope);
        }
    }

    /// Visits `case a, ok := <-b:`.
    pub(super) fn visit_receive(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if !tree.children(node).any(|child| tree.text(child) == ":=") {
            return;
        }
        let right = tree.child(node, Field::Right);
        let value = right.and_then(|right| tree.value_text(right));
        let left = tree.child(node, Field::Left);
        for (place, name) in self.operands_of(left).into_iter().enumerate() {
            let value = value.clone().filter(|_| place == 0);
            self.bind_variable(name, scope, (value, scope));
        }
        if let Some(left) = left {
            self.roles.set(left, Role::Handled, scope);
        }
    }

    /// Visits `switch a := b.(type) {}`: in a case with one type, `a` has that type.
    pub(super) fn visit_type_switch(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_scope(ScopeKind::Block, scope, None);
        self.roles.set_children(node, Role::Read, inside);
        let alias = tree.child(node, Field::Alias);
        let name = alias.and_then(|alias| tree.operands(alias).next());
        if let Some(alias) = alias {
            self.roles.set(alias, Role::Handled, inside);
        }
        let value = tree.child(node, Field::Value);
        let value = value.and_then(|value| tree.value_text(value));
        for case in tree.operands(node) {
            if !matches!(tree.kind(case), Kind::TypeCase | Kind::Case) {
                continue;
            }
            let of_case = self.open_scope(ScopeKind::Block, inside, None);
            self.roles.set_children(case, Role::Read, of_case);
            self.roles.set(case, Role::OwnScope, of_case);
            let Some(name) = name else { continue };
            let children = tree.children(case);
            let types = children.filter(|child| tree.node(*child).field == Field::Type);
            let types: Vec<NodeIndex> = types
                .filter(|child| tree.kind(*child) != Kind::Token)
                .collect();
            let value = match *types {
                [only] => tree.type_value(only),
                _ => value.clone(),
            };
            self.bind_variable(name, of_case, (value, inside));
        }
    }

    fn operands_of(&self, list: Option<NodeIndex>) -> Vec<NodeIndex> {
        let operands = list.into_iter().flat_map(|list| self.tree.operands(list));
        operands.collect()
    }
}

/// Returns the name that a package most likely has, by the path of its import: `b` of `a/b`,
/// `a/b/v2` and `a/b.v2`.
fn package_of(module: &str) -> &str {
    let is_version = |text: &str| {
        let digits = text.strip_prefix('v');
        digits.is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let mut segments = module.rsplit('/');
    let last = segments.next().unwrap_or(module);
    let last = match segments.next() {
        Some(before) if is_version(last) => before,
        _ => last,
    };
    match last.rsplit_once('.') {
        Some((name, version)) if is_version(version) => name,
        _ => last,
    }
}
