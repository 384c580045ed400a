//! Go: definitions and references.

use crate::fact_rows::optional;
use crate::lang_rows::check;
use ragnav::syntax::facts::BindingTarget;
use ragnav::syntax::{extract_facts, find_language};

#[test]
fn definitions_are_under_their_receivers() {
    check(
        "a.go",
        "package x

// T is.
type T struct {
	Base
	*h.Client
	name string
}

type (
	I interface {
		M(a int) error
		fmt.Stringer
	}
	N int
	A = T
)

func (t *T) Run() {}
func (l *List[K]) Len() int { return 0 }
func (T) anonymous() {}
func helper() {
	type local struct{}
}
",
        &[
            "T class 4 4-8",
            "I interface 11 11-14",
            "I.M method 12 12-12",
            "N type 15 15-15",
            "A type 16 16-16",
            "T.Run method 19 19-19",
            "List.Len method 20 20-20",
            "T.anonymous method 21 21-21",
            "helper function 22 22-24",
            "helper.local class 23 23-23",
        ],
        &[
            "#1 5:1 Base inherit",
            "#1 6:4 h.Client inherit",
            "#1 7:6 string read",
            "#2 12:6 int read",
            "#2 12:11 error read",
            "#2 13:6 fmt.Stringer inherit",
            "#4 15:3 int read",
            "#5 16:5 T read",
            "#0 19:9 T read",
            "#7 20:9 List read",
            "#7 20:14 K read",
            "#7 20:24 int read",
            "#0 21:6 T read",
        ],
        &[],
    );
}

#[test]
fn a_declaration_that_reads_its_name_opens_a_scope() {
    check(
        "a.go",
        r#"package x

import (
	"fmt"
	h "net/http"
)

var global = helper

func helper(n int) int { return n }
func other() {
	helper := helper(1)
	helper(2)
	for i, other := range list {
		use(i, other)
	}
	func(helper int) {}(helper)
	if helper := other(); helper {
		fmt.Println(global, h.Get)
	}
	generic[int](1)
	T{helper: other}.run()
}
"#,
        &["helper function 10 10-10", "other function 11 11-23"],
        &[
            "#0 8:13 helper read",
            "#0 10:14 int read",
            "#0 10:19 int read",
            "#1 10:32 n read",
            "#2 12:11 helper call",
            "#3 13:1 helper call",
            "#3 14:23 list read",
            "#5 15:2 use call",
            "#5 15:6 i read",
            "#5 15:9 other read",
            "#3 17:13 int read",
            "#3 17:21 helper read",
            "#3 18:14 other call",
            "#7 18:23 helper read",
            "#8 19:2 fmt read",
            "#8 19:6 fmt.Println call",
            "#8 19:14 global read",
            "#8 19:22 h read",
            "#8 19:24 h.Get read",
            "#3 21:1 generic call",
            "#3 21:9 int read",
            "#3 22:1 T read",
            "#3 22:3 T().helper read",
            "#3 22:11 other read",
            "#3 22:18 T().run call",
        ],
        &["#0 4:1 fmt module -", "#0 5:3 net/http module h"],
    );
}

#[test]
fn receivers_are_parameters() {
    check(
        "a.go",
        "package x

type T struct{}

func (t *T) run() {
	t.stop()
	u.stop()
	T.stop(t)
	stop()
}
func (t T) stop() {}
",
        &[
            "T class 3 3-3",
            "T.run method 5 5-10",
            "T.stop method 11 11-11",
        ],
        &[
            "#0 5:9 T read",
            "#2 6:1 t read",
            "#2 6:3 t.stop call",
            "#2 7:1 u read",
            "#2 7:3 u.stop call",
            "#2 8:1 T read",
            "#2 8:3 T.stop call",
            "#2 8:8 t read",
            "#2 9:1 stop call",
            "#0 11:8 T read",
        ],
        &[],
    );
}

/// Returns the bindings of a text as `#scope name value`.
fn bindings(text: &str) -> Vec<String> {
    let language = find_language("go").unwrap();
    let facts = extract_facts(language, text);
    let rows = facts.bindings.iter().filter_map(|binding| {
        let (BindingTarget::Parameter(to)
        | BindingTarget::Variable(to)
        | BindingTarget::Attribute(to)) = &binding.target
        else {
            return None;
        };
        let name = facts.name(binding.name);
        Some(format!(
            "#{} {name} {}",
            binding.scope.0,
            optional(&facts, *to)
        ))
    });
    rows.collect()
}

#[test]
fn names_have_the_values_of_their_declarations() {
    let text = "package x
type T struct {
	*h.Client
	all, some []*T
	byName map[string]List[T]
	call func()
}
type Kind int
const (
	A Kind = iota
	B
	C = 1
)
func (t *T) f(a int, bs ...T) (r *h.R, err error) {
	b, err := h.New(a)
	c := T{}
	var d, e = &c, bs[0]
	for i, v := range t.all { _ = i }
	x, ok := v.(*T)
	y := <-ch
	z := append(bs, c)
	w := new(T)
	u := h.Map(func() T { return c })
	switch s := x.(type) {
	case *T:
	case A, B:
	}
}
";
    let expected = [
        "#1 Client h.Client()",
        "#1 all [T()]",
        "#1 some [T()]",
        "#1 byName {:35()}",
        // The type arguments of a type from elsewhere may decide.
        "#1 call (#2)",
        "#0 A Kind()",
        "#0 B Kind()",
        "#0 C -",
        "#4 t T()",
        "#4 1 error()",
        "#4 a int()",
        "#4 bs [T()]",
        "#4 r h.R()",
        "#4 err error()",
        "#4 b h.New(a)",
        "#4 err h.New.1",
        "#4 c T()",
        "#4 d c",
        "#4 e bs[]",
        "#5 i t.all[range 0]",
        "#5 v t.all[range 1]",
        "#4 x T()",
        "#4 ok -",
        "#4 y ch[0]",
        "#4 z bs",
        "#4 w T()",
        "#4 u h.Map((#7))",
        "#4 u -",
        "#7 return T()",
        "#9 s T()",
        "#10 s x",
    ];
    assert_eq!(bindings(text), expected);
}

#[test]
fn hostile_texts_have_facts() {
    let deep = "(".repeat(5_000);
    for text in [
        "package \u{0}",
        "func",
        "func (",
        "type T struct { T",
        "var a, b, c = ",
        "package x\nfunc f() { a := ",
        "package é\nfunc ü() { ö := ä.ß() }",
        &format!("package x\nvar a = {deep}"),
        &format!("package x\nfunc f() {{\n{}}}", "a := g(a)\n".repeat(20_000)),
        &format!("package x\nvar a = f{}", ".g()".repeat(5_000)),
    ] {
        let facts = extract_facts(find_language("go").unwrap(), text);
        let size: usize = facts.names.iter().map(String::len).sum();
        assert!(size <= 250 * text.len() + 1_000, "{size}");
    }
}
