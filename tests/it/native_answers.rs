//! Answers questions natively, for the test that compares them with the npm package's.
//!
//! Reads `{root, repo, git, questions}` as JSON from its input and prints the answers as a JSON list.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    unreachable_pub,
    reason = "a program for tests: it reads, prints and fails loudly"
)]

mod fs_host;

use fs_host::{FsHost, run};
use ragnav::query::{
    QuestionOptions, Settings,
    build_graph::{BuildOptions, build_graph},
    identify::identify,
    lineage::{LineageOptions, lineage},
    locate::locate,
    route::compute_route,
    search::search,
    status::status,
    where_used::{WhereUsedOptions, where_used},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, to_value};

fn main() {
    let asked: Value = serde_json::from_reader(std::io::stdin()).unwrap();
    let host = FsHost {
        root: asked["root"].as_str().unwrap().into(),
        head: from_value(asked["git"].clone()).unwrap(),
    };
    let settings = Settings {
        repo: asked["repo"].as_str().unwrap().to_owned(),
        ..Settings::default()
    };
    let questions = asked["questions"].as_array().unwrap();
    let answers: Vec<Value> = questions
        .iter()
        .map(|question| answer(&host, &settings, question))
        .collect();
    println!("{}", Value::from(answers));
}

/// What a question is asked with; nothing where it says nothing.
fn options<T: DeserializeOwned + Default>(question: &Value) -> T {
    match &question["options"] {
        Value::Null => T::default(),
        given => from_value(given.clone()).unwrap(),
    }
}

fn answer(host: &FsHost, settings: &Settings, question: &Value) -> Value {
    let text = |key: &str| question[key].as_str().unwrap();
    match text("ask") {
        "search" => to_value(run(search(
            host,
            settings,
            text("query"),
            &options(question),
        ))),
        "identify" => {
            let line = question["line"].as_f64().unwrap();
            to_value(run(identify(
                host,
                settings,
                text("file"),
                line,
                &QuestionOptions::default(),
            )))
        }
        "locate" => to_value(run(locate(
            host,
            settings,
            text("symbol"),
            &QuestionOptions::default(),
        ))),
        "where_used" => to_value(run(where_used(
            host,
            settings,
            text("symbol"),
            &options::<WhereUsedOptions>(question),
        ))),
        "lineage" => {
            let options: LineageOptions = options(question);
            let (symbol, word) = (text("symbol"), text("direction"));
            to_value(run(lineage(host, settings, symbol, word, &options)))
        }
        "route" => to_value(run(compute_route(host, settings))),
        "status" => to_value(run(status(host, settings, &QuestionOptions::default()))),
        "build" => to_value(run(build_graph(
            host,
            settings,
            &BuildOptions::default(),
            "native",
        ))),
        other => panic!("{other} is no question"),
    }
    .unwrap()
}
