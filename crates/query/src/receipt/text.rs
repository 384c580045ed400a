//! The text of a receipt: `r1.`, and in URL-safe base64 (RFC 4648) the postcard encoding of the query
//! and its rows with a checksum. Text that a model copies wrongly is noticed by that.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use ragnav_base::difference::RowPlace;

use super::{QueryIdentity, Receipt, ReceiptRow};

/// The version of the format.
const PREFIX: &str = "r1.";

/// The maximum length of a receipt. The largest page makes about 200,000.
const MAX_LENGTH: usize = 1 << 20;

const CHECKSUM_BYTES: usize = 4;

#[derive(Serialize, Deserialize)]
struct Encoded {
    name: String,
    /// The arguments as JSON.
    arguments: String,
    files: Vec<EncodedFile>,
    rows: Vec<EncodedRow>,
}

/// A path, without what it has in common with the path before.
#[derive(Serialize, Deserialize)]
struct EncodedFile {
    shared_bytes: u32,
    rest: String,
}

#[derive(Serialize, Deserialize)]
struct EncodedRow {
    /// The index of the file.
    file: u32,
    /// The line; 0 for none.
    line: u32,
    column: u32,
    subject: [u8; 2],
    content: [u8; 4],
}

/// Writes a receipt. `None` above the maximum length.
pub(super) fn format(receipt: &Receipt) -> Option<String> {
    let mut paths: Vec<&str> = receipt
        .rows
        .iter()
        .map(|row| row.place.file.as_str())
        .collect();
    paths.sort_unstable();
    paths.dedup();
    let rows = receipt.rows.iter().map(|row| {
        Some(EncodedRow {
            file: u32::try_from(paths.binary_search(&row.place.file.as_str()).ok()?).ok()?,
            line: row.place.line.unwrap_or_default(),
            column: row.column,
            subject: row.subject.to_le_bytes(),
            content: row.content.to_le_bytes(),
        })
    });
    let encoded = Encoded {
        name: receipt.query.name.clone(),
        arguments: serde_json::to_string(&receipt.query.arguments).ok()?,
        rows: rows.collect::<Option<_>>()?,
        files: encoded_files(&paths)?,
    };
    let mut bytes = postcard::to_allocvec(&encoded).ok()?;
    bytes.extend(checksum(&bytes));
    let text = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
    (text.len() <= MAX_LENGTH).then_some(text)
}

/// Reads a receipt. `None` if the text is not one that [`format()`] wrote.
pub(super) fn parse(text: &str) -> Option<Receipt> {
    let text = text.trim();
    if text.len() > MAX_LENGTH {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX)?).ok()?;
    let (bytes, sum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
    if checksum(bytes) != *sum {
        return None;
    }
    let encoded: Encoded = postcard::from_bytes(bytes).ok()?;
    let paths = decoded_files(encoded.files)?;
    let rows = encoded.rows.into_iter().map(|row| {
        let file = paths.get(usize::try_from(row.file).ok()?)?.clone();
        let line = (row.line > 0).then_some(row.line);
        Some(ReceiptRow {
            place: RowPlace { file, line },
            column: row.column,
            subject: u16::from_le_bytes(row.subject),
            content: u32::from_le_bytes(row.content),
        })
    });
    let query = QueryIdentity {
        name: encoded.name,
        arguments: serde_json::from_str(&encoded.arguments).ok()?,
    };
    Some(Receipt::new(query, rows.collect::<Option<_>>()?))
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let [a, b, c, d, ..] = xxh3_64(bytes).to_le_bytes();
    [a, b, c, d]
}

fn encoded_files(paths: &[&str]) -> Option<Vec<EncodedFile>> {
    let mut files = Vec::with_capacity(paths.len());
    let mut last = "";
    for path in paths {
        let shared = shared_length(last, path);
        files.push(EncodedFile {
            shared_bytes: u32::try_from(shared).ok()?,
            rest: path.get(shared..)?.to_owned(),
        });
        last = path;
    }
    Some(files)
}

fn decoded_files(files: Vec<EncodedFile>) -> Option<Vec<String>> {
    let mut paths: Vec<String> = Vec::new();
    for file in files {
        let last = paths.last().map_or("", String::as_str);
        let shared = last.get(..usize::try_from(file.shared_bytes).ok()?)?;
        let path = format!("{shared}{}", file.rest);
        paths.push(path);
    }
    Some(paths)
}

/// Returns the length of the common beginning of two texts, in bytes.
fn shared_length(a: &str, b: &str) -> usize {
    let pairs = a.chars().zip(b.chars());
    pairs
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail loudly")]
mod tests {
    use super::*;

    fn receipt(lines: &[(&str, Option<u32>)]) -> Receipt {
        let rows = lines
            .iter()
            .enumerate()
            .map(|(at, (file, line))| ReceiptRow {
                place: RowPlace {
                    file: (*file).to_owned(),
                    line: *line,
                },
                column: 7,
                subject: 300,
                content: u32::try_from(at).unwrap(),
            });
        let arguments = serde_json::json!({"query": "prix €", "limit": 20, "folder": null});
        let arguments = arguments.as_object().unwrap().clone();
        Receipt::new(QueryIdentity::new("search", arguments), rows.collect())
    }

    #[test]
    fn text_leads_back_to_the_receipt() {
        let wanted = receipt(&[
            ("shop/préfixe.py", Some(4)),
            ("shop/prévu.py", None),
            ("a.py", Some(70_000)),
        ]);
        let read = parse(&wanted.format().unwrap()).unwrap();
        assert_eq!(read, wanted);
        assert_eq!(read.query.arguments.len(), 1);
    }

    #[test]
    fn every_cut_or_changed_text_is_refused() {
        let text = receipt(&[("a.py", Some(1))]).format().unwrap();
        for end in 0..text.len() {
            let cut: String = text.chars().take(end).collect();
            assert!(parse(&cut).is_none(), "{end}");
        }
        for at in 0..text.len() {
            let letters = text.chars().enumerate();
            let other: String = letters
                .map(|(place, letter)| match (place == at, letter) {
                    (false, _) => letter,
                    (true, 'A') => 'B',
                    (true, _) => 'A',
                })
                .collect();
            assert!(parse(&other).is_none(), "{at}");
        }
    }
}
