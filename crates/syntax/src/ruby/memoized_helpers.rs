//! What blocks of tests name: `let(:a) { … }`, `subject { … }` and `described_class`.
//!
//! <https://rspec.info/features/3-13/rspec-core/helper-methods/let/>,
//! <https://rspec.info/features/3-13/rspec-core/subject/> and
//! <https://rspec.info/features/3-13/rspec-core/metadata/described-class/>.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{BindingTarget, MODULE, ScopeId, ScopeKind};
use crate::facts_writer::NameAt;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// What a test is about, unless it says something else.
const SUBJECT: &str = "subject";

impl<'t> FactsBuilder<'t> {
    /// Visits `let(:a) { … }` or `subject { … }`. In the block of tests around it, the name is that
    /// of a variable.
    pub(super) fn visit_memoized(&mut self, call: NodeIndex, name: &'t str, scope: ScopeId) {
        if !matches!(name, "let" | "let!" | "let_it_be" | "subject" | "subject!") {
            return;
        }
        let tree = self.tree;
        let list = tree.child(call, Field::Arguments);
        let given = list.and_then(|list| tree.operands(list).next());
        let given = given.map(|given| tree.name_of_method(given));
        if let Some(given) = given {
            // No function of the name is meant, also in the methods of the block.
            let target = BindingTarget::Attribute(None);
            self.writer
                .bind_text(given.text.to_owned(), given.offset, MODULE, target);
        }
        let Some(block) = tree.child(call, Field::Block) else {
            return;
        };
        let value = self.value_of_block(block, scope);
        let offset = tree.node(call).start;
        let is_subject = name.starts_with(SUBJECT);
        let subject = is_subject.then_some(NameAt {
            text: SUBJECT,
            offset,
        });
        for place in given.into_iter().chain(subject) {
            self.bind_in_tests(place, scope, value.clone());
        }
    }

    /// Binds `described_class` and `subject` in the block of `describe A`.
    pub(super) fn bind_described(&mut self, block: NodeIndex, inside: ScopeId) {
        let tree = self.tree;
        let call = tree.parent(block);
        let method = tree.child(call, Field::Method);
        let is_group = method.is_some_and(|name| matches!(tree.text(name), "context" | "describe"));
        let list = tree.child(call, Field::Arguments).filter(|_| is_group);
        let class = list.and_then(|list| tree.path(tree.operands(list).next()?));
        let Some(class) = class else {
            return;
        };
        let at = |text: &'static str| NameAt {
            text,
            offset: tree.node(block).start,
        };
        if !tree.has_own_subject(block) {
            let subject = ValueText::call(class.clone());
            self.bind_in_tests(at(SUBJECT), inside, Some(subject));
        }
        self.bind_in_tests(at("described_class"), inside, Some(ValueText::name(class)));
    }

    fn bind_in_tests(&mut self, place: NameAt<'t>, scope: ScopeId, value: Option<ValueText>) {
        let around = self.writer.facts.scope(scope);
        if around.is_some_and(|around| around.kind == ScopeKind::Block) {
            self.variables.insert((scope, place.text));
            self.memoized.insert((scope, place.text));
            self.writer
                .bind_value(place, scope, (value, scope), BindingTarget::Variable);
        }
    }
}

impl FlatTree<'_> {
    /// Reports whether a block of tests has a statement such as `subject { … }`.
    fn has_own_subject(&self, block: NodeIndex) -> bool {
        let body = self.child(block, Field::Body);
        let mut statements = body.into_iter().flat_map(|body| self.operands(body));
        statements.any(|statement| {
            let method = self.child(statement, Field::Method);
            let name = method.map(|method| self.text(method));
            self.kind(statement) == Kind::Call && name.is_some_and(|one| one.starts_with(SUBJECT))
        })
    }
}
