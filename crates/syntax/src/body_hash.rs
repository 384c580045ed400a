//! Hashes of definitions' tokens.
//!
//! A definition inside another counts for both, so that the work is the number of tokens times the depth. The
//! deepest are hashed by a rolling hash instead, in which their own names are names as any other.

use xxhash_rust::xxh3::xxh3_64;

use crate::facts::BodyHash;
use crate::tree::{At, FlatTree, NodeField, NodeKind, Part};
use ragnav_base::position::wire;

/// Definitions with more of them around are hashed by the rolling hash.
const MAX_DEPTH: usize = 64;

/// Odd, so that multiplication loses nothing.
const RADIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// A definition and its name, which need not stand inside it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named {
    pub(crate) definition: At,
    pub(crate) name: At,
}

/// The hash of a token, or one of these.
type Token = u64;

const BLOCK_OPENS: Token = 1;
const BLOCK_CLOSES: Token = 2;
const STATEMENT: Token = 3;
const OWN_NAME: Token = 4;

/// Where the tokens of a definition are.
#[derive(Debug, Clone, Copy, Default)]
struct Body {
    name: At,
    /// The first token behind the name; where that is outside, the first of the definition.
    first: usize,
    /// The first token behind the definition.
    behind: usize,
    own_name: Token,
    depth: usize,
}

enum Opened {
    Block,
    Definition(usize),
}

struct Reader<'t, K, F> {
    tokens: Vec<Token>,
    bodies: Vec<Body>,
    /// What is open, with the first node behind it.
    open: Vec<(At, Opened)>,
    depth: usize,
    tree: &'t FlatTree<'t, K, F>,
}

/// The hashes of definitions that are in the order of the text.
pub(crate) fn hashes<K: NodeKind, F: NodeField>(
    tree: &FlatTree<'_, K, F>,
    definitions: &[Named],
) -> Vec<BodyHash> {
    let mut reader = Reader {
        tokens: Vec::new(),
        bodies: Vec::with_capacity(definitions.len()),
        open: Vec::new(),
        depth: 0,
        tree,
    };
    reader.read(definitions);
    let Reader { tokens, bodies, .. } = reader;
    let is_deep = |body: &Body| body.depth >= MAX_DEPTH;
    let rolling = bodies.iter().any(is_deep).then(|| Rolling::new(&tokens));
    let mut scratch = Vec::new();
    let members = Members::new(K::OWN_RECEIVERS);
    bodies
        .iter()
        .map(|body| match &rolling {
            Some(rolling) if is_deep(body) => rolling.hash(body),
            _ => hash(&tokens, body, &members, &mut scratch),
        })
        .collect()
}

impl<K: NodeKind, F: NodeField> Reader<'_, K, F> {
    fn read(&mut self, definitions: &[Named]) {
        let mut definitions = definitions.iter().peekable();
        let mut at = 0;
        while at < self.tree.len() {
            self.close_before(at);
            if let Some(named) = definitions.next_if(|named| named.definition == at) {
                self.open_definition(*named);
            }
            at = if self.depth == 0 {
                at + 1
            } else {
                self.token(at)
            };
        }
        self.close_before(At::MAX);
    }

    fn open_definition(&mut self, named: Named) {
        let opened = Opened::Definition(self.bodies.len());
        self.open.push((self.tree.next(named.definition), opened));
        self.bodies.push(Body {
            name: named.name,
            first: self.tokens.len(),
            own_name: xxh3_64(self.tree.text(named.name).as_bytes()),
            depth: self.depth,
            ..Body::default()
        });
        self.depth += 1;
    }

    fn close_before(&mut self, at: At) {
        while let Some((_, closed)) = self.open.pop_if(|(end, _)| *end <= at) {
            let Opened::Definition(index) = closed else {
                self.tokens.push(BLOCK_CLOSES);
                continue;
            };
            self.depth -= 1;
            if let Some(body) = self.bodies.get_mut(index) {
                body.behind = self.tokens.len();
            }
        }
    }

    /// Takes a node's token, if it is one, and returns the next node.
    fn token(&mut self, at: At) -> At {
        let tree = self.tree;
        let part = tree.kind(at).part();
        let text = tree.text(at);
        if part == Part::Block {
            self.tokens.push(BLOCK_OPENS);
            self.open.push((tree.next(at), Opened::Block));
            return at + 1;
        }
        if part == Part::Extra || text.is_empty() {
            return tree.next(at);
        }
        if part != Part::Token && tree.kind(tree.parent(at)).part() == Part::Block {
            self.tokens.push(STATEMENT);
        }
        if part != Part::Text && !tree.is_leaf(at) {
            return at + 1;
        }
        self.tokens.push(xxh3_64(text.as_bytes()));
        if matches!(part, Part::Name | Part::Text) {
            self.begin_body(at);
        }
        tree.next(at)
    }

    /// A body begins behind the definition's name.
    fn begin_body(&mut self, name: At) {
        let Some((_, Opened::Definition(index))) = self.open.last() else {
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

/// What stands before a name that is a member of something.
#[derive(Debug)]
struct Members {
    dot: Token,
    own: Vec<Token>,
}

impl Members {
    fn new(own_receivers: &[&str]) -> Self {
        let own = own_receivers.iter().map(|name| xxh3_64(name.as_bytes()));
        Self {
            dot: xxh3_64(b"."),
            own: own.collect(),
        }
    }

    /// Whether a name behind these tokens may be the definition's own. A member of anything but the instance or class is not, and
    /// keeps its name when the definition is renamed, as in `super().save()`.
    fn may_be_own(&self, before: [Token; 2]) -> bool {
        let [receiver, dot] = before;
        dot != self.dot || self.own.contains(&receiver)
    }
}

/// The scratch memory is reused from one definition to the next.
fn hash(tokens: &[Token], body: &Body, members: &Members, scratch: &mut Vec<u8>) -> BodyHash {
    scratch.clear();
    let mut before = [0; 2];
    let mut count = 0;
    for &token in tokens.get(body.first..body.behind).unwrap_or_default() {
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

/// The hashes of all that begins with the first token, from which any range's is two look-ups away.
struct Rolling {
    /// Behind each token: the hash and the number of tokens up to it.
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
        let before = |at: usize| self.prefixes.get(at).copied().unwrap_or_default();
        let ((first, skipped), (behind, count)) = (before(body.first), before(body.behind));
        let shift = power(RADIX, body.behind.saturating_sub(body.first));
        let hash = behind.wrapping_sub(first.wrapping_mul(shift));
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
