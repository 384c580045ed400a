//! Calls in the body of a class that declare something: `include A`, `attr_reader :a`, `alias a b`.
//!
//! <https://docs.ruby-lang.org/en/master/Module.html>,
//! <https://docs.ruby-lang.org/en/master/Forwardable.html> and
//! <https://api.rubyonrails.org/classes/Module.html>.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{BindingTarget, ReferenceKind, SELF_INSTANCE, ScopeId, ScopeKind, Space};
use crate::facts_writer::{NameAt, ReferenceTo};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::position::wire;

impl FactsBuilder<'_> {
    /// Visits a call in the body of a class that declares something.
    pub(super) fn visit_declaration(&mut self, node: NodeIndex, name: &str, scope: ScopeId) {
        let tree = self.tree;
        let Some(arguments) = tree.child(node, Field::Arguments) else {
            return;
        };
        match name {
            "include" | "prepend" | "extend" => {
                let modules: Vec<NodeIndex> = tree.operands(arguments).collect();
                for module in modules {
                    self.add_base(module, scope);
                    self.included.insert(module);
                }
            }
            "attr_reader" | "attr" => self.bind_attributes(arguments, scope, &[""]),
            "attr_writer" => self.bind_attributes(arguments, scope, &["="]),
            "attr_accessor" | "cattr_accessor" | "class_attribute" | "mattr_accessor" => {
                self.bind_attributes(arguments, scope, &["", "="]);
            }
            "alias_method" => self.visit_alias(arguments, scope),
            "define_method" => self.visit_defined_method(node, arguments, scope),
            "def_delegators" | "def_instance_delegators" => {
                self.bind_methods(self.tree.operands(arguments).skip(1), scope);
            }
            // The method of the other object, or another name for it.
            "def_delegator" | "def_instance_delegator" => {
                let names = self.tree.operands(arguments).skip(1);
                self.bind_methods(names.last().into_iter(), scope);
            }
            "delegate" if !tree.text(arguments).contains("prefix:") => {
                self.bind_methods(self.tree.operands(arguments), scope);
            }
            _ => {}
        }
    }

    /// Visits `alias new old` or `alias_method :new, :old`.
    pub(super) fn visit_alias(&mut self, names: NodeIndex, scope: ScopeId) {
        let old = self.tree.operands(names).nth(1);
        let old = old.map(|old| self.tree.name_of_method(old).text);
        let value = old.and_then(|old| ValueText::name(SELF_INSTANCE).member(old)?.called());
        let new = self.tree.operands(names).take(1);
        self.bind_methods_to(new, scope, value.as_ref());
        self.refer_to_aliased(names, scope);
    }

    /// Visits `define_method(:a) { b }`.
    fn visit_defined_method(&mut self, call: NodeIndex, arguments: NodeIndex, scope: ScopeId) {
        let block = self.tree.child(call, Field::Block);
        let value = block.and_then(|block| self.value_of_block(block, scope));
        // In the block, `self` is an instance.
        let value = value.filter(|value| value.path.split('.').next() != Some("self"));
        let name = self.tree.operands(arguments).take(1);
        self.bind_methods_to(name, scope, value.as_ref());
    }

    /// Adds the reference of `alias new old` or `alias_method :new, :old` to the method `old`.
    fn refer_to_aliased(&mut self, names: NodeIndex, scope: ScopeId) {
        let Some(old) = self.tree.operands(names).nth(1) else {
            return;
        };
        let at = self.tree.name_of_method(old);
        let is_name = |letter: char| letter.is_alphanumeric() || "_?!".contains(letter);
        if !at.text.chars().all(is_name) {
            return;
        }
        let to = ReferenceTo {
            kind: ReferenceKind::Reference,
            receiver: self.writer.receiver(Some(ValueText::name(SELF_INSTANCE))),
            space: Space::Any,
        };
        self.writer.add_reference(at, scope, to);
    }

    fn add_base(&mut self, module: NodeIndex, scope: ScopeId) {
        let Some(path) = self.tree.path(module) else {
            return;
        };
        let base = self.writer.intern_value(Some(ValueText::name(path)));
        let Some((_, class)) = self.class_around(scope) else {
            return;
        };
        let definitions = &mut self.writer.facts.definitions;
        if let Some(class) = definitions.get_mut(class.0 as usize) {
            class.bases.extend(base);
        }
    }

    /// Binds the methods that `attr_reader :a` and its like declare: `a`, which returns the
    /// instance variable, and `a=`.
    pub(super) fn bind_attributes(&mut self, arguments: NodeIndex, scope: ScopeId, ends: &[&str]) {
        let tree = self.tree;
        let Some((body, _)) = self.class_around(scope) else {
            return;
        };
        let symbols: Vec<NodeIndex> = tree.operands(arguments).collect();
        for symbol in symbols {
            let Some(name) = tree.text(symbol).strip_prefix(':') else {
                continue;
            };
            let value = ValueText::name(SELF_INSTANCE).member(&format!("@{name}"));
            let value = self.writer.intern_value(value);
            let offset = tree.node(symbol).start;
            if ends.contains(&"=") {
                self.setters.insert((body, name));
            }
            for end in ends {
                let target = BindingTarget::Attribute(value);
                self.writer
                    .bind_text(format!("{name}{end}"), offset, body, target);
            }
        }
    }

    /// Binds methods without a known body in the class around a scope, so that an inherited method
    /// is not taken for them.
    fn bind_methods(&mut self, names: impl Iterator<Item = NodeIndex>, scope: ScopeId) {
        self.bind_methods_to(names, scope, None);
    }

    /// Binds methods in the class around a scope to what their calls return.
    fn bind_methods_to(
        &mut self,
        names: impl Iterator<Item = NodeIndex>,
        scope: ScopeId,
        value: Option<&ValueText>,
    ) {
        let Some(body) = self.body_of_instances(scope) else {
            return;
        };
        let is_name = |name: &NodeIndex| {
            matches!(
                self.tree.kind(*name),
                Kind::Symbol | Kind::StringLiteral | Kind::Identifier
            )
        };
        let names: Vec<NodeIndex> = names.filter(is_name).collect();
        for name in names {
            let NameAt { text, offset } = self.tree.name_of_method(name);
            let target = BindingTarget::Attribute(self.writer.intern_value(value.cloned()));
            self.writer.bind_text(text.to_owned(), offset, body, target);
        }
    }

    /// Returns the body of the class whose instances get the methods that a scope declares.
    fn body_of_instances(&self, scope: ScopeId) -> Option<ScopeId> {
        let (body, _) = self.class_around(scope)?;
        let is_singleton = self.writer.facts.scope(scope)?.kind == ScopeKind::Comprehension;
        (!is_singleton).then_some(body)
    }
}

impl<'t> FlatTree<'t> {
    /// Returns the method that `:a`, `"a"` or `a` names, with its place.
    pub(super) fn name_of_method(&self, node: NodeIndex) -> NameAt<'t> {
        let text = self.text(node);
        let is_mark = |letter| matches!(letter, ':' | '"' | '\'');
        let without_start = text.trim_start_matches(is_mark);
        NameAt {
            text: without_start.trim_end_matches(is_mark),
            offset: self.node(node).start + wire(text.len() - without_start.len()),
        }
    }
}
