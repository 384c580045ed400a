//! Bash: definitions and references.

use crate::lang_rows::check;

#[test]
fn functions_have_both_syntaxes() {
    check(
        "a.sh",
        r#"#!/bin/bash
# Runs.
foo() {
  local bar=1 text="$(bar x)"
  inner() { :; }
}
function bar { baz; }
function qux() ( foo )
if_true() if true; then :; fi
a::b-c() { a::b-c; } >&2
alias ll='ls -l'
readonly VALUE=3
"#,
        &[
            "foo function 3 3-6",
            "foo.inner function 5 5-5",
            "bar function 7 7-7",
            "qux function 8 8-8",
            "if_true function 9 9-9",
            "a::b-c function 10 10-10",
        ],
        &[
            "#1 4:22 bar call",
            "#2 5:12 ?.: call",
            "#3 7:15 ?.baz call",
            "#4 8:17 foo call",
            "#5 9:13 ?.true call",
            "#5 9:24 ?.: call",
            "#6 10:11 a::b-c call",
            "#0 11:0 ?.alias call",
        ],
        &[],
    );
}

#[test]
fn commands_are_calls() {
    check(
        "a.bash",
        r#"source ./lib.sh
foo() { :; }
bar() { echo foo "$foo" "${foo}"; }
V=4 foo && bar | foo
x=$(foo); y=`bar $(foo)`
if foo; then bar; fi
case "$1" in foo) foo;; esac
trap foo EXIT
command foo a
export -f foo; unset -f bar
complete -o default -F foo bar
"$cmd" foo; ./foo; $foo
cat <<EOF
foo $(foo)
EOF
@test "foo" {
  run foo bar
}
"#,
        &["foo function 2 2-2", "bar function 3 3-3"],
        &[
            "#0 1:0 ?.source call",
            "#1 2:8 ?.: call",
            "#2 3:8 ?.echo call",
            "#0 4:4 foo call",
            "#0 4:11 bar call",
            "#0 4:17 foo call",
            "#0 5:4 foo call",
            "#0 5:13 bar call",
            "#0 5:19 foo call",
            "#0 6:3 foo call",
            "#0 6:13 bar call",
            "#0 7:18 foo call",
            "#0 8:0 ?.trap call",
            "#0 8:5 foo read",
            "#0 9:0 ?.command call",
            "#0 9:8 foo read",
            "#0 10:10 foo read",
            "#0 10:24 bar read",
            "#0 11:0 ?.complete call",
            "#0 11:23 foo read",
            "#0 13:0 ?.cat call",
            "#0 14:6 foo call",
            "#0 16:0 ?.@test call",
            "#0 17:2 ?.run call",
            "#0 17:6 foo read",
        ],
        &[],
    );
}
