//! Reading valid JSON with a strict parser, so that no repair can misread it.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::reader::{MAX_DEPTH, Node, insert_pair};
use crate::plan::Repair;

/// Reads the object at the start of a text, if it is valid JSON. Returns the number of characters
/// too.
///
/// The last of several values for one key is kept, as in the lenient reader.
pub(super) fn read_object(
    letters: &[char],
    repairs: &mut BTreeSet<Repair>,
) -> Option<(Node, usize)> {
    let text: String = letters.iter().collect();
    let mut json = serde_json::Deserializer::from_str(&text);
    let mut seen = BTreeSet::new();
    let reading = NodeVisitor {
        depth: 0,
        repairs: &mut seen,
    };
    let node = reading.deserialize(&mut json).ok()?;
    let read = json.into_iter::<serde::de::IgnoredAny>().byte_offset();
    repairs.extend(seen);
    Some((node, text.get(..read)?.chars().count()))
}

/// A visitor that builds a value.
struct NodeVisitor<'r> {
    depth: usize,
    repairs: &'r mut BTreeSet<Repair>,
}

impl NodeVisitor<'_> {
    fn descend<E: Error>(&mut self) -> Result<NodeVisitor<'_>, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom("too deep"));
        }
        Ok(NodeVisitor {
            depth: self.depth + 1,
            repairs: self.repairs,
        })
    }
}

impl<'de> DeserializeSeed<'de> for NodeVisitor<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodeVisitor<'_> {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E: Error>(self, given: bool) -> Result<Node, E> {
        Ok(Node::Bool(given))
    }

    fn visit_f64<E: Error>(self, given: f64) -> Result<Node, E> {
        Ok(Node::Number(given))
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "JSON has one kind of numbers, and this is how JavaScript reads them"
    )]
    fn visit_i64<E: Error>(self, given: i64) -> Result<Node, E> {
        Ok(Node::Number(given as f64))
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "JSON has one kind of numbers, and this is how JavaScript reads them"
    )]
    fn visit_u64<E: Error>(self, given: u64) -> Result<Node, E> {
        Ok(Node::Number(given as f64))
    }

    fn visit_str<E: Error>(self, given: &str) -> Result<Node, E> {
        Ok(Node::String(given.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self.descend()?)? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Node, A::Error> {
        let mut pairs: Vec<(String, Node)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(self.descend()?)?;
            insert_pair(&mut pairs, key, value, self.repairs);
        }
        Ok(Node::Object(pairs))
    }
}
