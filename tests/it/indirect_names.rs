//! Symbols by names that imports and inheritance give to definitions.

use ragnav::query::QuestionOptions;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::locate::locate;
use ragnav::query::where_used::{WhereUsedOptions, where_used};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

const PYTHON: &[(&str, &str)] = &[
    (
        "web/base.py",
        "class Base:\n    def send(self): ...\n    class Meta:\n        def name(self): ...\n",
    ),
    (
        "web/response.py",
        "from web.base import Base\n\nclass Response(Base):\n    def close(self): ...\n",
    ),
    (
        "web/__init__.py",
        "from web.response import Response as Reply\n",
    ),
    ("app.py", "from web import Reply\n\nReply().send()\n"),
];

const TYPESCRIPT: &[(&str, &str)] = &[
    (
        "src/base.ts",
        "export abstract class Base {\n  send() {}\n}\n",
    ),
    (
        "src/reply.ts",
        "import { Base } from \"./base\";\nexport class Reply extends Base {}\n",
    ),
    ("src/web.ts", "export * from \"./reply\";\n"),
    (
        "app.ts",
        "import { Reply } from \"./src/web\";\nnew Reply().send();\n",
    ),
];

const GO: &[(&str, &str)] = &[
    ("go.mod", "module example.com/web\n"),
    (
        "base/base.go",
        "package base\n\ntype Base struct{}\n\nfunc (b Base) Send() {}\n",
    ),
    (
        "reply.go",
        "package web\n\nimport \"example.com/web/base\"\n\ntype Reply struct{ base.Base }\n",
    ),
];

const JAVA: &[(&str, &str)] = &[
    (
        "web/Base.java",
        "package web;\nclass Base { void send() {} }\n",
    ),
    (
        "web/Reply.java",
        "package web;\nclass Reply extends Base { void go() { send(); } }\n",
    ),
];

const RUBY: &[(&str, &str)] = &[
    (
        "base.rb",
        "class Base\n  def self.make; end\n  def send_it; end\nend\n",
    ),
    (
        "reply.rb",
        "require_relative 'base'\nclass Reply < Base\nend\n",
    ),
];

/// Returns the symbols that a name means, without and with an index, which must agree.
fn meant(files: &[(&str, &str)], name: &str) -> (Vec<String>, String) {
    let mut host = MemoryHost::new(files);
    host.head = Some("a".repeat(40));
    let ask = |host: &MemoryHost| {
        let answer = run(locate(host, &settings(), name, &QuestionOptions::default()));
        let symbols = answer.items.iter();
        let symbols: Vec<String> = symbols
            .map(|item| item.symbol.as_str().to_owned())
            .collect();
        (symbols, answer.meta.message.unwrap_or_default())
    };
    let (live, message) = ask(&host);
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "me",
    ));
    let (indexed, _) = ask(&host);
    assert_eq!(live, indexed, "{name}");
    (live, message)
}

#[test]
fn a_class_has_the_methods_that_it_inherits() {
    for (files, name, symbol) in [
        (PYTHON, "Response.send", "sym:web.base.Base.send"),
        (PYTHON, "Response.Meta.name", "sym:web.base.Base.Meta.name"),
        (TYPESCRIPT, "Reply.send", "sym:src.base.Base.send"),
        (GO, "Reply.Send", "sym:base.base.Base.Send"),
        (JAVA, "Reply.send", "sym:web.Base.Base.send"),
        (RUBY, "Reply.send_it", "sym:base.Base.send_it"),
        (RUBY, "Reply.make", "sym:base.Base.make"),
    ] {
        assert_eq!(meant(files, name).0, [symbol], "{name}");
    }
}

#[test]
fn a_module_has_the_names_that_it_exports() {
    for (files, name, symbol) in [
        (PYTHON, "web.Reply", "sym:web.response.Response"),
        (PYTHON, "web.Reply.close", "sym:web.response.Response.close"),
        (PYTHON, "web.Reply.send", "sym:web.base.Base.send"),
        (TYPESCRIPT, "src.web.Reply", "sym:src.reply.Reply"),
        (TYPESCRIPT, "web.Reply.send", "sym:src.base.Base.send"),
    ] {
        assert_eq!(meant(files, name).0, [symbol], "{name}");
    }
}

#[test]
fn the_message_names_the_definition_that_the_answer_is_about() {
    let (_, message) = meant(PYTHON, "Response.send");
    let sentence = "By imports and inheritance, `Response.send` is `web.base.Base.send`, which \
                    the answer is about.";
    assert!(message.ends_with(sentence), "{message}");
}

#[test]
fn where_used_lists_the_uses_of_the_inherited_method() {
    let host = MemoryHost::new(PYTHON);
    let options = WhereUsedOptions::default();
    let answer = run(where_used(&host, &settings(), "Response.send", &options));
    let rows = answer.items.iter();
    let rows: Vec<String> = rows
        .map(|item| format!("{}:{}", item.file, item.line))
        .collect();
    assert_eq!(rows, ["app.py:3"]);
}

#[test]
fn an_own_method_goes_before_an_inherited_one_and_an_unknown_one_has_suggestions() {
    assert_eq!(
        meant(PYTHON, "Response.close").0,
        ["sym:web.response.Response.close"]
    );
    let (symbols, message) = meant(PYTHON, "Response.snd");
    assert!(symbols.is_empty());
    assert!(message.contains("Did you mean `Base.send`?"), "{message}");
}
