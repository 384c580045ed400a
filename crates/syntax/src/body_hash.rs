//! Hashes the tokens of definitions.
//!
//! A nested definition counts for all that enclose it, so the work is the number of tokens times
//! the depth. The deepest definitions get a rolling hash instead, which does not mask their own
//! names.

use xxhash_rust::xxh3::xxh3_64;

use crate::facts::BodyHash;
use crate::tree::{FlatTree, NodeClass, NodeField, NodeIndex, NodeKind};
use ragnav_base::position::wire;

/// Definitions nested deeper than this get the rolling hash.
const MAX_DEPTH: usize = 64;

/// The multiplier of the rolling hash. It is odd, so that multiplication is invertible.
const RADIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// A definition and its name, which may stand outside it: `f` of `const f = () => {}`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedNode {
    pub(crate) definition: NodeIndex,
    pub(crate) name: NodeIndex,
}

/// The hash of a token, or one of the markers below.
pub(crate) type Token = u64;

const BLOCK_OPENS: Token = 1;
const BLOCK_CLOSES: Token = 2;
const STATEMENT: Token = 3;
const OWN_NAME: Token = 4;

/// The range of tokens that belongs to a definition.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Body {
    name: NodeIndex,
    /// The first token after the name, or the first of the definition if the name stands outside.
    first: usize,
    /// The first token after the definition.
    end: usize,
    own_name: Token,
    depth: usize,
}

impl Body {
    /// Returns the range of tokens of a definition that no tree describes.
    pub(crate) fn of_tokens(tokens: std::ops::Range<usize>, name: &str, depth: usize) -> Self {
        Self {
            name: NodeIndex::MAX,
            first: tokens.start,
            end: tokens.end,
            own_name: token(name),
            depth,
        }
    }
}

enum OpenNode {
    Block,
    Definition(usize),
}

struct TokenReader<'t, K, F> {
    tokens: Vec<Token>,
    bodies: Vec<Body>,
    /// The open nodes, each with the first node after it.
    open: Vec<(NodeIndex, OpenNode)>,
    depth: usize,
    tree: &'t FlatTree<'t, K, F>,
}

/// Hashes the bodies of definitions, which must be in source order.
pub(crate) fn hash_bodies<K: NodeKind, F: NodeField>(
    tree: &FlatTree<'_, K, F>,
    definitions: &[NamedNode],
) -> Vec<BodyHash> {
    let mut reader = TokenReader {
        tokens: Vec::new(),
        bodies: Vec::with_capacity(definitions.len()),
        open: Vec::new(),
        depth: 0,
        tree,
    };
    reader.read(definitions);
    hash_tokens(&reader.tokens, &reader.bodies, K::OWN_RECEIVERS)
}

/// Hashes the bodies of those definitions that have these indices.
pub(crate) fn hash_bodies_at<K: NodeKind, F: NodeField>(
    tree: &FlatTree<'_, K, F>,
    definitions: &[NamedNode],
    indices: &[usize],
) -> Vec<BodyHash> {
    let chosen = indices.iter().filter_map(|index| definitions.get(*index));
    let chosen: Vec<NamedNode> = chosen.copied().collect();
    hash_bodies(tree, &chosen)
}

/// Hashes ranges of tokens. `own_receivers` are the names of the current instance.
pub(crate) fn hash_tokens(
    tokens: &[Token],
    bodies: &[Body],
    own_receivers: &[&str],
) -> Vec<BodyHash> {
    let is_deep = |body: &Body| body.depth >= MAX_DEPTH;
    let rolling = bodies.iter().any(is_deep).then(|| Rolling::new(tokens));
    let mut scratch = Vec::new();
    let members = MemberAccess::new(own_receivers);
    bodies
        .iter()
        .map(|body| match &rolling {
            Some(rolling) if is_deep(body) => rolling.hash(body),
            _ => hash(tokens, body, &members, &mut scratch),
        })
        .collect()
}

/// Returns the token of a text.
pub(crate) fn token(text: &str) -> Token {
    xxh3_64(text.as_bytes())
}

impl<K: NodeKind, F: NodeField> TokenReader<'_, K, F> {
    fn read(&mut self, definitions: &[NamedNode]) {
        let mut definitions = definitions.iter().peekable();
        let mut node = 0;
        while node < self.tree.len() {
            self.close_before(node);
            if let Some(named) = definitions.next_if(|named| named.definition == node) {
                self.open_definition(*named);
            }
            node = if self.depth == 0 {
                node + 1
            } else {
                self.token(node)
            };
        }
        self.close_before(NodeIndex::MAX);
    }

    fn open_definition(&mut self, named: NamedNode) {
        let opened = OpenNode::Definition(self.bodies.len());
        self.open
            .push((self.tree.subtree_end(named.definition), opened));
        self.bodies.push(Body {
            name: named.name,
            first: self.tokens.len(),
            own_name: xxh3_64(self.tree.text(named.name).as_bytes()),
            depth: self.depth,
            ..Body::default()
        });
        self.depth += 1;
    }

    fn close_before(&mut self, node: NodeIndex) {
        while let Some((_, closed)) = self.open.pop_if(|(end, _)| *end <= node) {
            let OpenNode::Definition(index) = closed else {
                self.tokens.push(BLOCK_CLOSES);
                continue;
            };
            self.depth -= 1;
            if let Some(body) = self.bodies.get_mut(index) {
                body.end = self.tokens.len();
            }
        }
    }

    /// Appends the token of a node, if it has one, and returns the next node to visit.
    fn token(&mut self, node: NodeIndex) -> NodeIndex {
        let tree = self.tree;
        let part = tree.kind(node).class();
        let text = tree.text(node);
        if part == NodeClass::Block {
            self.tokens.push(BLOCK_OPENS);
            self.open.push((tree.subtree_end(node), OpenNode::Block));
            return node + 1;
        }
        if part == NodeClass::Extra || text.is_empty() {
            return tree.subtree_end(node);
        }
        if part != NodeClass::Token && tree.kind(tree.parent(node)).class() == NodeClass::Block {
            self.tokens.push(STATEMENT);
        }
        if part != NodeClass::Text && !tree.is_leaf(node) {
            return node + 1;
        }
        self.tokens.push(xxh3_64(text.as_bytes()));
        if matches!(part, NodeClass::Name | NodeClass::Text) {
            self.begin_body(node);
        }
        tree.subtree_end(node)
    }

    /// Starts the body of the innermost definition after its name.
    fn begin_body(&mut self, name: NodeIndex) {
        let Some((_, OpenNode::Definition(index))) = self.open.last() else {
            return;
        };
        let begun = self.tokens.len();
        if let Some(body) = self.bodies.get_mut(*index).filter(|body| body.name == name) {
            body.first = begun;
        }
    }
}

fn is_marker(token: Token) -> bool {
    matches!(token, BLOCK_OPENS | BLOCK_CLOSES | STATEMENT)
}

/// The tokens that may precede a name in a member access.
#[derive(Debug)]
struct MemberAccess {
    dot: Token,
    own: Vec<Token>,
}

impl MemberAccess {
    fn new(own_receivers: &[&str]) -> Self {
        let own = own_receivers.iter().map(|name| xxh3_64(name.as_bytes()));
        Self {
            dot: xxh3_64(b"."),
            own: own.collect(),
        }
    }

    /// Reports whether a name after these two tokens may be the definition's own.
    ///
    /// In `super().save()` it is not: the receiver is neither the instance nor the class, so the
    /// name stays when the definition is renamed.
    fn may_be_own(&self, before: [Token; 2]) -> bool {
        let [receiver, dot] = before;
        dot != self.dot || self.own.contains(&receiver)
    }
}

/// Hashes the tokens of a body. The buffer `scratch` is reused between calls.
fn hash(tokens: &[Token], body: &Body, members: &MemberAccess, scratch: &mut Vec<u8>) -> BodyHash {
    scratch.clear();
    let mut before = [0; 2];
    let mut count = 0;
    for &token in tokens.get(body.first..body.end).unwrap_or_default() {
        count += usize::from(!is_marker(token));
        let own = token == body.own_name && members.may_be_own(before);
        before = [before[1], token];
        let token = if own { OWN_NAME } else { token };
        scratch.extend_from_slice(&token.to_le_bytes());
    }
    BodyHash {
        hash: xxh3_64(scratch),
        tokens: wire(count),
    }
}

/// Prefix hashes of all tokens, from which the hash of a range follows in constant time.
struct Rolling {
    /// The hash and the number of tokens up to each token.
    prefixes: Vec<(u64, usize)>,
}

impl Rolling {
    fn new(tokens: &[Token]) -> Self {
        let mut prefixes = Vec::with_capacity(tokens.len() + 1);
        let (mut hash, mut count) = (0_u64, 0);
        prefixes.push((hash, count));
        for &token in tokens {
            hash = hash.wrapping_mul(RADIX).wrapping_add(token);
            count += usize::from(!is_marker(token));
            prefixes.push((hash, count));
        }
        Self { prefixes }
    }

    fn hash(&self, body: &Body) -> BodyHash {
        let before = |node: usize| self.prefixes.get(node).copied().unwrap_or_default();
        let ((first, skipped), (end, count)) = (before(body.first), before(body.end));
        let shift = power(RADIX, body.end.saturating_sub(body.first));
        let hash = end.wrapping_sub(first.wrapping_mul(shift));
        BodyHash {
            hash: xxh3_64(&hash.to_le_bytes()),
            tokens: wire(count.saturating_sub(skipped)),
        }
    }
}

fn power(mut base: u64, mut exponent: usize) -> u64 {
    let mut power = 1_u64;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent /= 2;
    }
    power
}
