//! The imported host behind the core's asks.

use std::rc::Rc;

use super::bindings::ragnav::core::host as imported;
use super::convert::{entry, stamp};
use crate::session::{Mailbox, Session, Step};
use ragnav_agent::calendar::Day;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{Answer, Ask, Buffer, GitHead, IgnoreRules, Time};
use ragnav_base::path::RepoPath;

const MS_PER_DAY: u64 = 86_400_000;

/// Answers a question from the imported host, which answers at once.
///
/// # Errors
/// `INVALID_ARGUMENT` for a question that waits for nothing.
pub(super) fn answered<T, F: Future<Output = T> + 'static>(
    question: impl FnOnce(Rc<Mailbox>) -> F,
) -> Result<T, RagnavError> {
    let mut session = Session::new(question);
    let mut answer = None;
    loop {
        match session.step(answer)? {
            Step::Need(ask) => answer = Some(perform(ask)),
            Step::Done(value) => return Ok(value),
        }
    }
}

fn perform(ask: Ask) -> Answer {
    let given = match ask {
        Ask::GitHead => imported::git_head().map(git_head),
        Ask::ReadDirs { paths } => read_dirs(&paths),
        Ask::ReadMany { paths, max_bytes } => read_many(&paths, max_bytes),
        Ask::Stat { paths } => stat(&paths),
        Ask::Write {
            path,
            parts,
            exclusive,
        } => imported::write(path.as_str(), &parts.concat(), exclusive).map(|()| Answer::Done),
        Ask::Remove { path } => imported::remove(path.as_str()).map(|()| Answer::Done),
        Ask::Overlay => imported::overlay().map(overlay),
        Ask::IgnoreRules => imported::ignore_rules().map(ignore_rules),
        Ask::Now => Ok(Answer::Now(time(imported::now()))),
        Ask::Offsets { instants } => imported::utc_offsets(&instants).map(Answer::Offsets),
        // A component has one thread, and its host nobody who watches.
        Ask::Extract { .. } => Ok(Answer::Extracted(None)),
        Ask::Watch => Ok(Answer::Watch(None)),
        Ask::Commit | Ask::Yield(_) | Ask::Wait { .. } => Ok(Answer::Done),
        Ask::Model { .. } | Ask::Embed { .. } | Ask::Store { .. } => {
            Err("a component has no model and no store but its own".to_owned())
        }
    };
    given.unwrap_or_else(Answer::Failed)
}

fn names(paths: &[RepoPath]) -> Vec<String> {
    paths.iter().map(|path| path.as_str().to_owned()).collect()
}

fn git_head(head: imported::Head) -> Answer {
    Answer::GitHead(GitHead {
        head: head.head,
        git_root: head.git_root,
    })
}

fn read_dirs(paths: &[RepoPath]) -> Result<Answer, String> {
    let listings = imported::read_dirs(&names(paths))?.into_iter();
    let listings = listings.map(|listing| match listing {
        Ok(entries) => Ok(entries.into_iter().map(entry).collect()),
        Err(error) => Err(error.into()),
    });
    Ok(Answer::Dirs(listings.collect()))
}

fn read_many(paths: &[RepoPath], max_bytes: u32) -> Result<Answer, String> {
    let files = imported::read_many(&names(paths), max_bytes)?.into_iter();
    let files = files.map(|file| file.map(bytes).map_err(Into::into));
    Ok(Answer::Files(files.collect()))
}

fn bytes(content: imported::Content) -> Vec<u8> {
    match content {
        imported::Content::Text(text) => text.into_bytes(),
        imported::Content::Bytes(bytes) => bytes,
    }
}

fn stat(paths: &[RepoPath]) -> Result<Answer, String> {
    let stats = imported::stat(&names(paths))?.into_iter();
    let stats = stats.map(|found| found.map(stamp).map_err(Into::into));
    Ok(Answer::Stats(stats.collect()))
}

fn overlay(buffers: Vec<imported::Buffer>) -> Answer {
    let buffers = buffers.into_iter().map(|buffer| Buffer {
        path: buffer.path,
        text: buffer.text,
    });
    Answer::Overlay(buffers.collect())
}

fn ignore_rules(rules: Vec<imported::Rules>) -> Answer {
    let rules = rules.into_iter().map(|rules| IgnoreRules {
        prefix: rules.prefix,
        lines: rules.lines,
        global: rules.global,
    });
    Answer::IgnoreRules(rules.collect())
}

/// A time as JavaScript writes it.
fn time(ms: u64) -> Time {
    let days = i64::try_from(ms / MS_PER_DAY).unwrap_or_default();
    let (year, month, day) = Day::new(days).date();
    let rest = ms % MS_PER_DAY;
    let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
    let (seconds, millis) = (rest / 1000 % 60, rest % 1000);
    #[expect(
        clippy::cast_precision_loss,
        reason = "a time in this age of the world"
    )]
    let ms = ms as f64;
    Time {
        iso: format!(
            "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z"
        ),
        ms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_javascript_does() {
        assert_eq!(time(0).iso, "1970-01-01T00:00:00.000Z");
        assert_eq!(time(1_767_225_599_987).iso, "2025-12-31T23:59:59.987Z");
        assert_eq!(time(1_709_210_096_001).iso, "2024-02-29T12:34:56.001Z");
    }
}
