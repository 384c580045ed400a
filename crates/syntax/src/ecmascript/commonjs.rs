//! Collects the exports of `CommonJS` modules: assignments to `exports` and `module.exports`, and
//! calls that add properties to them.
//!
//! If an exported value cannot be read, the module may export any name. Such a module has a star
//! export of [`ExportedItem::Other`].

use ragnav_base::hash::HashMap;

use super::builder::{FactsBuilder, PendingStar};
use super::export_names::STAR;
use super::kinds::{Field, Kind};
use super::roles::MODULE;
use super::value_text::MAX_STEPS;
use crate::facts::{EXPORT_EQUALS, Export, ExportedItem, ImportId, ImportedItem, Name, ScopeId};
use crate::tree::NodeIndex;

/// The number of enclosing scopes that are searched for a variable named `exports`.
const MAX_SCOPES: usize = 256;

impl FactsBuilder<'_, '_> {
    /// Collects `module.exports = …`, `exports.a = …` and `module.exports.a = …`.
    pub(super) fn collect_assigned_exports(
        &mut self,
        left: NodeIndex,
        right: NodeIndex,
        scope: ScopeId,
    ) {
        let tree = self.tree;
        if tree.text(right).starts_with("void ") {
            return;
        }
        let mut operands = tree.operands(left);
        let (Some(object), Some(key)) = (operands.next(), operands.last()) else {
            return;
        };
        match tree.kind(left) {
            Kind::Member if self.is_exports(left, scope) => self.export_module(right, key, scope),
            Kind::Member if self.is_exports(object, scope) => {
                let name = self.intern(tree.text(key));
                self.export_as(name, right, key, scope);
            }
            Kind::Subscript if self.is_exports(object, scope) => {
                self.export_keyed(key, right, scope);
            }
            _ => {}
        }
    }

    /// Collects `Object.assign(exports, …)`, `Object.defineProperty(exports, "a", …)` and
    /// `__exportStar(…, exports)`.
    pub(super) fn collect_call_exports(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some((function, arguments)) = tree.object_call(call) else {
            return;
        };
        match (function, arguments.as_slice()) {
            ("assign", [to, parts @ ..]) if self.is_exports(*to, scope) => {
                for part in parts {
                    self.export_all(*part, *part, scope);
                }
            }
            ("defineProperty", [to, key, descriptor]) if self.is_exports(*to, scope) => {
                self.export_property(*key, *descriptor, scope);
            }
            ("__exportStar", [from, to]) if self.is_exports(*to, scope) => {
                self.export_all(*from, *from, scope);
            }
            _ => {}
        }
    }

    /// Reports whether an expression is the module's exports and not a variable of that name.
    fn is_exports(&self, node: NodeIndex, scope: ScopeId) -> bool {
        let root = match self.tree.kind(node) {
            Kind::Identifier if self.tree.text(node) == "exports" => "exports",
            Kind::Member if self.tree.path(node).as_deref() == Some("module.exports") => "module",
            _ => return false,
        };
        let mut enclosing = scope;
        for _ in 0..MAX_SCOPES {
            if enclosing == MODULE {
                return true;
            }
            if self.shadows.contains(&(enclosing, root)) {
                return false;
            }
            enclosing = self.facts.enclosing_scope(enclosing);
        }
        true
    }

    /// Records a scope in which `exports` or `module` is a variable.
    pub(super) fn record_shadow(&mut self, name: Name, scope: ScopeId) {
        let root = match self.names.text(name) {
            "exports" => "exports",
            "module" => "module",
            _ => return,
        };
        self.shadows.insert((scope, root));
    }

    /// Exports a value as the whole module, and the members of an object one by one.
    fn export_module(&mut self, value: NodeIndex, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut value = value;
        let mut more = Vec::new();
        for _ in 0..MAX_STEPS {
            let whole = tree.assigned_value(value);
            match tree.object_call(whole) {
                Some(("assign", arguments)) => {
                    let Some((first, parts)) = arguments.split_first() else {
                        break;
                    };
                    more.extend(parts.iter().rev());
                    value = *first;
                }
                Some(("freeze" | "seal", arguments)) => match *arguments {
                    [only] => value = only,
                    _ => break,
                },
                _ => break,
            }
        }
        self.export_whole(value, node, scope);
        for part in more.into_iter().rev() {
            self.export_all(part, part, scope);
        }
    }

    fn export_whole(&mut self, value: NodeIndex, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let object = tree.assigned_value(value);
        if self.is_exports(object, scope) {
            return;
        }
        if tree.kind(object) != Kind::Object {
            return self.export_value(EXPORT_EQUALS, value, node, scope);
        }
        if let Some(name) = tree.assigned_name(object) {
            let local = ExportedItem::Local(self.intern(tree.text(name)));
            let whole = self.intern(EXPORT_EQUALS);
            self.add_export(whole, local, node);
        }
        self.export_members(object, scope);
    }

    fn export_members(&mut self, object: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        for member in tree.operands(object) {
            self.export_member(member, scope);
        }
    }

    fn export_member(&mut self, member: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let (key, value) = match tree.kind(member) {
            Kind::Shorthand => (Some(member), Some(member)),
            Kind::Method => (tree.child(member, Field::Name), Some(member)),
            Kind::Pair => (
                tree.child(member, Field::Key),
                tree.child(member, Field::Value),
            ),
            Kind::Spread => {
                if let Some(spread) = tree.operands(member).next() {
                    self.export_all(spread, member, scope);
                }
                return;
            }
            _ => return,
        };
        if let (Some(key), Some(value)) = (key, value) {
            self.export_keyed(key, value, scope);
            let returned_value = tree
                .is_getter(member)
                .then(|| tree.returned_value(member))
                .flatten();
            if let Some(returned_value) = returned_value {
                self.export_keyed(key, returned_value, scope);
            }
        }
    }

    /// Exports a value under a key. A computed key may export any name.
    fn export_keyed(&mut self, key: NodeIndex, value: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let is_key = matches!(
            tree.kind(key),
            Kind::ComputedName
                | Kind::Identifier
                | Kind::PropertyName
                | Kind::Shorthand
                | Kind::String
        );
        let is_computed =
            tree.kind(tree.parent(key)) == Kind::Subscript && tree.kind(key) != Kind::String;
        let text = tree.key(key).filter(|_| is_key && !is_computed);
        if let Some(text) = text {
            let name = self.intern(text);
            return self.export_as(name, value, key, scope);
        }
        if is_computed || matches!(tree.kind(key), Kind::ComputedName) {
            self.export_anything(key);
        }
    }

    /// Exports a property by its descriptor: `{ value: a }` or `{ get() { return a } }`.
    fn export_property(&mut self, key: NodeIndex, descriptor: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if tree.kind(key) != Kind::String {
            return self.export_anything(key);
        }
        // `__esModule` marks the output of a compiler and is not an export.
        if tree.string_content(key) == Some("__esModule") {
            return;
        }
        let returned_value = tree
            .operands(descriptor)
            .find_map(|part| tree.descriptor_value(part));
        if let Some(returned_value) = returned_value {
            return self.export_keyed(key, returned_value, scope);
        }
        if let Some(text) = tree.key(key) {
            let name = self.intern(text);
            self.add_export(name, ExportedItem::Other, key);
        }
    }

    /// Exports everything that an object contains.
    fn export_all(&mut self, of: NodeIndex, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.strip_wrappers(of);
        if tree.kind(of) == Kind::Object {
            return self.export_members(of, scope);
        }
        if tree.kind(of) == Kind::Identifier {
            let name = self.intern(tree.text(of));
            let position = self.position_of(node);
            return self.stars.push(PendingStar { name, position });
        }
        match self.import_call(of, scope) {
            Some(id) => {
                let name = self.intern(STAR);
                self.add_export(name, ExportedItem::From(id), node);
            }
            None => self.export_anything(node),
        }
    }

    fn export_anything(&mut self, node: NodeIndex) {
        let name = self.intern(STAR);
        self.add_export(name, ExportedItem::Other, node);
    }

    /// Exports the modules of stars, once it is known which names are imports.
    pub(super) fn export_stars(&mut self) {
        if self.stars.is_empty() {
            return;
        }
        let imports = (0..).map(ImportId).zip(&self.facts.imports);
        let modules: HashMap<Name, ImportId> = imports
            .filter(|(_, import)| import.item == ImportedItem::Module && import.scope == MODULE)
            .filter_map(|(id, import)| Some((import.alias?, id)))
            .collect();
        let name = self.intern(STAR);
        for star in std::mem::take(&mut self.stars) {
            let module = modules.get(&star.name).copied();
            self.facts.exported.push(Export {
                name,
                item: module.map_or(ExportedItem::Other, ExportedItem::From),
                position: star.position,
            });
        }
    }
}
