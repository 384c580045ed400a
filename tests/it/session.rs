//! The session: what is asked, in which order, and what happens when the answers are wrong.

use crate::common::settings;
use ragnav::base::envelope::RagToolStatus;
use ragnav::base::error::ErrorCode;
use ragnav::base::host::{Answer, Ask, DirEntry, EntryKind, GitHead, HostError};
use ragnav::query::search::SearchResult;
use ragnav::query::search::{SearchOptions, search};
use ragnav::session::{Session, Step};

fn searching(query: &'static str) -> Session<SearchResult> {
    Session::new(move |host| async move {
        search(&*host, &settings(), query, &SearchOptions::default()).await
    })
}

fn file(name: &str) -> DirEntry {
    DirEntry {
        name: name.to_owned(),
        kind: EntryKind::File,
        stamp: None,
    }
}

/// One line for each ask, as a transcript shows it.
fn shown(ask: &Ask) -> String {
    match ask {
        Ask::ReadDirs { paths } => format!("read_dirs {paths:?}"),
        Ask::ReadMany { paths, max_bytes } => format!("read_many {paths:?} {max_bytes}"),
        Ask::Stat { paths } => format!("stat {paths:?}"),
        other => format!("{other:?}"),
    }
}

/// Answers each ask in turn and gives the asks with the result.
fn play(mut session: Session<SearchResult>, answers: Vec<Answer>) -> (Vec<String>, SearchResult) {
    let mut asks = Vec::new();
    let mut answers = answers.into_iter();
    let mut step = session.step(None).unwrap();
    loop {
        match step {
            Step::Done(result) => return (asks, result),
            Step::Need(ask) => {
                asks.push(shown(&ask));
                let answer = answers
                    .next()
                    .unwrap_or_else(|| panic!("no answer to {ask:?}"));
                step = session.step(Some(answer)).unwrap();
            }
        }
    }
}

/// The answers to everything before the first file is read, in a repository of one file.
fn up_to_reading() -> Vec<Answer> {
    let listing = Answer::Dirs(vec![Ok(vec![file("a.txt")])]);
    vec![
        Answer::Overlay(Vec::new()),
        Answer::GitHead(GitHead::default()),
        Answer::Files(vec![Err(HostError::Missing)]),
        Answer::Files(vec![Err(HostError::Missing)]),
        Answer::Watch(None),
        Answer::IgnoreRules(Vec::new()),
        listing,
        Answer::Stats(vec![Err(HostError::Missing)]),
    ]
}

#[test]
fn a_transcript_of_a_search() {
    let mut answers = up_to_reading();
    answers.push(Answer::Files(vec![Ok(b"needle\n".to_vec())]));
    let (asks, result) = play(searching("needle"), answers);
    assert_eq!(
        asks,
        [
            "Overlay",
            "GitHead",
            r#"read_many [RepoPath(".llmc/rag/index_status.json")] 1048576"#,
            r#"read_many [RepoPath(".llmc/rag_index_status.json")] 1048576"#,
            "Watch",
            "IgnoreRules",
            r#"read_dirs [RepoPath("")]"#,
            r#"stat [RepoPath(".llmc/rag_graph.json")]"#,
            r#"read_many [RepoPath("a.txt")] 4194304"#,
        ]
    );
    assert_eq!(
        (result.meta.status, result.items.len()),
        (RagToolStatus::Fallback, 1)
    );
}

#[test]
fn answers_that_do_not_fit_are_the_hosts_failure() {
    for wrong in [
        Answer::Done,
        Answer::Files(Vec::new()),
        Answer::Files(vec![Ok(Vec::new()), Ok(Vec::new())]),
        Answer::Dirs(vec![Ok(Vec::new())]),
        Answer::Failed("disk on fire".to_owned()),
    ] {
        let mut answers = up_to_reading();
        answers.push(wrong.clone());
        let (_, result) = play(searching("needle"), answers);
        assert_eq!(
            result.meta.error_code,
            Some(ErrorCode::HostFailed.into()),
            "{wrong:?}"
        );
    }
}

#[test]
fn a_host_gets_to_breathe_after_a_mebibyte() {
    let mut answers = up_to_reading();
    let listing = Answer::Dirs(vec![Ok(vec![file("a.txt"), file("b.txt"), file("c.txt")])]);
    answers.truncate(6);
    answers.push(listing);
    answers.push(Answer::Files(vec![Err(HostError::Missing)]));
    let big = || Ok(b"x\n".repeat(1 << 19));
    answers.push(Answer::Files(vec![big(), big(), big()]));
    answers.extend([Answer::Done, Answer::Done, Answer::Done]);
    let (asks, result) = play(searching("needle"), answers);
    assert_eq!(
        asks.get(9..).unwrap(),
        [
            "Yield(Progress { done: 1, total: Some(3), phase: Files })",
            "Yield(Progress { done: 2, total: Some(3), phase: Files })",
            "Yield(Progress { done: 3, total: Some(3), phase: Files })",
        ]
    );
    assert_eq!(result.total, Some(0));
}

#[test]
fn a_session_that_is_over_says_so() {
    let mut session = searching("");
    assert!(matches!(session.step(None), Ok(Step::Done(_))));
    assert_eq!(
        session.step(None).unwrap_err().code,
        ErrorCode::InvalidArgument
    );
}

#[test]
fn a_step_without_the_answer_is_refused_and_changes_nothing() {
    let mut session = searching("needle");
    assert!(matches!(session.step(None), Ok(Step::Need(Ask::Overlay))));
    assert!(session.step(None).is_err());
    let step = session.step(Some(Answer::Overlay(Vec::new())));
    assert!(matches!(step, Ok(Step::Need(Ask::GitHead))));
}
