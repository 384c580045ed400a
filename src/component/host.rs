//! The imported host of a component, which responds to the core's requests.

use std::rc::Rc;

use super::bindings::ragnav::core::host as imported;
use super::convert::{entry, stamp};
use crate::session::{Mailbox, Session, Step};
use ragnav_agent::calendar::Day;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{
    Buffer, DirEntry, FileResults, FileStamp, GitHead, IgnoreRules, Request, Response, Time,
};
use ragnav_base::path::RepoPath;

const MS_PER_DAY: i64 = 86_400_000;

/// Runs a query to its end. The imported host responds at once.
///
/// # Errors
/// `INVALID_ARGUMENT` if the query waits without a request.
pub(super) fn run_query<T, F: Future<Output = T> + 'static>(
    query: impl FnOnce(Rc<Mailbox>) -> F,
) -> Result<T, RagnavError> {
    let mut session = Session::new(query);
    let mut response = None;
    loop {
        match session.step(response)? {
            Step::Need(request) => response = Some(respond(request)),
            Step::Done(value) => return Ok(value),
        }
    }
}

fn respond(request: Request) -> Response {
    let response = match request {
        Request::GitHead(_) => imported::git_head().map(git_head).map(Response::GitHead),
        Request::ReadDirs(request) => read_dirs(&request.paths).map(Response::ReadDirs),
        Request::ReadMany(request) => {
            read_many(&request.paths, request.max_bytes).map(Response::ReadMany)
        }
        Request::Stat(request) => stat(&request.paths).map(Response::Stat),
        Request::Write(request) => {
            let bytes = request.parts.concat();
            imported::write(request.path.as_str(), &bytes, request.exclusive).map(Response::Write)
        }
        Request::Remove(request) => imported::remove(request.path.as_str()).map(Response::Remove),
        Request::Overlay(_) => imported::overlay().map(overlay).map(Response::Overlay),
        Request::IgnoreRules(_) => {
            let rules = imported::ignore_rules();
            rules.map(ignore_rules).map(Response::IgnoreRules)
        }
        Request::Now(_) => Ok(Response::Now(time(imported::now()))),
        Request::FileTimes(request) => Ok(Response::FileTimes(vec![None; request.paths.len()])),
        Request::Offsets(request) => {
            imported::utc_offsets(&request.instants).map(Response::Offsets)
        }
        // A component has one thread, and its host has neither history nor watcher.
        Request::History(_) => Ok(Response::History(Vec::new())),
        Request::CommitsBetween(_) => Ok(Response::CommitsBetween(None)),
        Request::Extract(_) => Ok(Response::Extract(None)),
        Request::Watch(_) => Ok(Response::Watch(None)),
        Request::Commit(_) => Ok(Response::Commit(())),
        Request::Yield(_) => Ok(Response::Yield(())),
        Request::Wait(_) => Ok(Response::Wait(())),
        other => Err(format!("a component does not support {}", other.name())),
    };
    response.unwrap_or_else(Response::Failed)
}

fn names(paths: &[RepoPath]) -> Vec<String> {
    paths.iter().map(|path| path.as_str().to_owned()).collect()
}

fn git_head(head: imported::Head) -> GitHead {
    GitHead {
        head: head.head,
        git_root: head.git_root,
    }
}

fn read_dirs(paths: &[RepoPath]) -> Result<FileResults<Vec<DirEntry>>, String> {
    let listings = imported::read_dirs(&names(paths))?.into_iter();
    let listings = listings.map(|listing| match listing {
        Ok(entries) => Ok(entries.into_iter().map(entry).collect()),
        Err(error) => Err(error.into()),
    });
    Ok(listings.collect())
}

fn read_many(paths: &[RepoPath], max_bytes: u32) -> Result<FileResults<Vec<u8>>, String> {
    let files = imported::read_many(&names(paths), max_bytes)?.into_iter();
    let files = files.map(|file| file.map(bytes).map_err(Into::into));
    Ok(files.collect())
}

fn bytes(content: imported::Content) -> Vec<u8> {
    match content {
        imported::Content::Text(text) => text.into_bytes(),
        imported::Content::Bytes(bytes) => bytes,
    }
}

fn stat(paths: &[RepoPath]) -> Result<FileResults<FileStamp>, String> {
    let stats = imported::stat(&names(paths))?.into_iter();
    let stats = stats.map(|result| result.map(stamp).map_err(Into::into));
    Ok(stats.collect())
}

fn overlay(buffers: Vec<imported::Buffer>) -> Vec<Buffer> {
    let buffers = buffers.into_iter().map(|buffer| Buffer {
        path: buffer.path,
        text: buffer.text,
    });
    buffers.collect()
}

fn ignore_rules(rules: Vec<imported::Rules>) -> Vec<IgnoreRules> {
    let rules = rules.into_iter().map(|rules| IgnoreRules {
        folder: String::new(),
        prefix: rules.prefix,
        lines: rules.lines,
        global: rules.global,
    });
    rules.collect()
}

/// Formats a time as JavaScript does.
fn time(ms: u64) -> Time {
    let ms = i64::try_from(ms).unwrap_or(i64::MAX);
    let (year, month, day) = Day::new(ms / MS_PER_DAY).date();
    let rest = ms % MS_PER_DAY;
    let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
    let (seconds, millis) = (rest / 1000 % 60, rest % 1000);
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
