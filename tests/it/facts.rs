//! Facts of Python texts, in the rows of `fact_rows`.

use crate::fact_rows::{bindings, definitions, imports, optional, references, repeated, scopes};
use proptest::prelude::*;
use ragnav::syntax::facts::{BodyHash, Facts, ScopeKind};
use ragnav::syntax::{self, Language};

fn python() -> &'static Language {
    syntax::find_language("python").unwrap()
}

fn facts(text: &str) -> Facts {
    syntax::extract_facts(python(), text)
}

fn check(print: fn(&Facts) -> Vec<String>, text: &str, expected: &[&str]) {
    assert_eq!(print(&facts(text)), expected, "{text}");
}

fn exports(text: &str) -> Option<Vec<String>> {
    let facts = facts(text);
    let names = facts.exports.as_ref()?.iter();
    Some(names.map(|name| facts.name(*name).to_owned()).collect())
}

fn body(text: &str) -> BodyHash {
    facts(text).definitions[0].body
}

#[test]
fn scopes_nest_as_cpython_nests_them() {
    check(
        scopes,
        "class A:\n  \
         def f(self): return [lambda y: y for x in y]\n\
         {(a, b) for a in c for b in (d for d in a)}\n",
        &[
            "#0 module - -",
            "#1 class #0 A",
            "#2 function #1 A.f",
            "#3 comprehension #2 A.f",
            "#4 function #3 A.f",
            "#5 comprehension #0 -",
            "#6 comprehension #5 -",
        ],
    );
    check(
        scopes,
        "def f[T](a: T): pass\nclass A[T]:\n  def g[U](self): pass\ntype B[T] = list[T]\n",
        &[
            "#0 module - -",
            "#1 parameters #0 f",
            "#2 function #1 f",
            "#3 parameters #0 A",
            "#4 class #3 A",
            "#5 parameters #4 A.g",
            "#6 function #5 A.g",
            "#7 parameters #0 -",
        ],
    );
}

#[test]
fn expressions_outside_a_scope_are_resolved_outside() {
    check(
        references,
        "@a.b(c)\ndef f(d: e = g, *h: i, j=k) -> l: d\nlambda m=n: m\n",
        &[
            "#0 1:1 a read",
            "#0 1:3 a.b call",
            "#0 1:5 c read",
            "#0 2:9 e read",
            "#0 2:13 g read",
            "#0 2:20 i read",
            "#0 2:25 k read",
            "#0 2:31 l read",
            "#1 2:34 d read",
            "#0 3:9 n read",
            "#2 3:12 m read",
        ],
    );
    check(
        references,
        "[a for b in c if d for e in f]\n{g: h for i in j}\n",
        &[
            "#1 1:1 a read",
            "#0 1:12 c read",
            "#1 1:17 d read",
            "#1 1:28 f read",
            "#2 2:1 g read",
            "#2 2:4 h read",
            "#0 2:15 j read",
        ],
    );
    check(
        references,
        "class A(B, c.D, E[F], metaclass=G, *H): I\n",
        &[
            "#0 1:8 B inherit",
            "#0 1:11 c read",
            "#0 1:13 c.D inherit",
            "#0 1:16 E inherit",
            "#0 1:18 F read",
            "#0 1:32 G read",
            "#0 1:36 H read",
            "#1 1:40 I read",
        ],
    );
}

#[test]
fn definitions_have_kinds() {
    check(
        definitions,
        "@d\n\
         @e.f(1)\n\
         @g[0]\n\
         class A(B, c.D[E], f(), metaclass=M):\n  \
         '''\n  \
         First.\n\n  \
         Second.'''\n  \
         async def g(self) -> 'h.I': r\"raw\\d\"\n",
        &[
            "A 4:6 #1 [B,c.D<E()>,f()] [d,e.f(),g[0]] - First.",
            "A.g 9:12 #2 [] [] h.I() raw\\d",
        ],
    );
    check(
        definitions,
        "def f():\n  \
         # comment\n  \
         ('a' 'b')\n\
         def g():\n  \
         f'a'\n\
         def h():\n  \
         b'a'\n\
         def i():\n  \
         'a', 'b'\n\
         def j():\n  \
         '''\\\n  \
         a\n  \
         '''\n",
        &[
            "f 1:4 #1 [] [] - ab",
            "g 4:4 #2 [] [] - -",
            "h 6:4 #3 [] [] - -",
            "i 8:4 #4 [] [] - -",
            "j 10:4 #5 [] [] - a",
        ],
    );
    let long = facts(&format!("def f(): '{}'", "é".repeat(300)));
    let line = long.definitions[0].docstring.as_ref().unwrap();
    assert_eq!(line.chars().count(), 200);
}

#[test]
fn annotations_give_the_types_of_values() {
    let says = |annotation: &str| {
        let facts = facts(&format!(
            "import typing as t\ndef f() -> {annotation}: pass"
        ));
        optional(&facts, facts.definitions[0].returns)
    };
    for (annotation, expected) in [
        ("A", "A()"),
        ("a.B", "a.B()"),
        ("'A'", "A()"),
        ("'a.B'", "a.B()"),
        ("'A[B]'", "A<B()>()"),
        ("a.A[B, int, Any]", "a.A<B(),int(),?>()"),
        ("A[A[B], list[C] | None]", "A<A<B()>(),[C()]>()"),
        ("A[B | C]", "A<B()|C()>()"),
        ("type[A[B]]", "A<B()>"),
        ("Literal['a']", "Literal()"),
        ("'a.B | None'", "a.B()"),
        ("Union[None, 'A']", "A()"),
        ("Union[A, B]", "-"),
        ("None", "-"),
        ("'None'", "-"),
        ("Optional[A]", "A()"),
        ("t.Optional['A']", "A()"),
        ("A | None", "A()"),
        ("None | a.B", "a.B()"),
        ("A | B", "-"),
        ("A | B | None", "-"),
        ("list[A]", "[A()]"),
        ("t.List['a.B']", "[a.B()]"),
        ("list[A | B]", "[:0]"),
        ("Coroutine[Any, Any, A]", "A()"),
        ("tuple[A, ...]", "[A()]"),
        ("tuple[A, B]", "(A(),B())"),
        ("'dict[str, list[A]]'", "{[A()]}"),
        ("type['A']", "A"),
        ("type[A]", "A"),
        ("Annotated[A, 1]", "A()"),
        ("f(A)", "-"),
    ] {
        assert_eq!(says(annotation), expected, "{annotation}");
    }
}

#[test]
fn names_may_have_calls_and_subscripts_in_them() {
    check(
        bindings,
        "a = b().c\nd = e[0].f()()\ng = h[1:]\nfor i in j().k(): pass\nl = m or n()\n",
        &[
            "#0 1:0 a variable b().c",
            "#0 2:0 d variable e[0].f()()",
            "#0 3:0 g variable h[1:]",
            "#0 4:4 i variable j().k()*",
            "#0 5:0 l variable n()",
            "#0 5:0 l variable m",
        ],
    );
    check(
        bindings,
        "def f(): return a.b\ndef g() -> int: return a\n",
        &[
            "#0 1:4 f definition f",
            "#1 1:9 return variable a.b",
            "#0 2:4 g definition g",
        ],
    );
}

#[test]
fn long_chains_of_calls_have_no_value_and_take_no_time() {
    let chain = format!("a{}\n", ".b()".repeat(20_000));
    let facts = facts(&chain);
    let told = references(&facts);
    assert_eq!(told.len(), 20_001);
    assert_eq!(
        told[16],
        "#0 1:62 a.b().b().b().b().b().b().b().b().b().b().b().b().b().b().b().b call"
    );
    assert_eq!(told[17], "#0 1:66 ?.b call");
    let names: usize = facts.names.iter().map(String::len).sum();
    assert!(names < 2_000, "{names}");
    for text in [
        format!("x = a{}\n", "()".repeat(20_000)),
        format!("x = a{}\n", "[0]".repeat(20_000)),
        format!("x = {}a{}\n", "(".repeat(2_000), ")[0]".repeat(2_000)),
        format!("x: {}A{} = 1\n", "list[".repeat(2_000), "]".repeat(2_000)),
        format!("x = {}a{}\n", "(".repeat(2_000), " or b)".repeat(2_000)),
    ] {
        let names: usize = python_names(&text);
        assert!(names < 4_000, "{names}");
    }
}

/// Returns the total length of the names in a text's facts.
fn python_names(text: &str) -> usize {
    facts(text).names.iter().map(String::len).sum()
}

#[test]
fn assignments_bind() {
    check(
        bindings,
        "a = b\n\
         c = d.e(1)\n\
         f: G = h()\n\
         i: J\n\
         k += 1\n\
         l = m = N()\n\
         o, *p = q\n\
         (r, [s]) = t\n\
         u[0] = v.w = x\n\
         y = await z()\n\
         aa = (bb)\n",
        &[
            "#0 1:0 a variable b",
            "#0 2:0 c variable d.e()",
            "#0 3:0 f variable G()",
            "#0 4:0 i variable J()",
            "#0 5:0 k variable k.__iadd__()",
            "#0 6:0 l variable N()",
            "#0 6:4 m variable N()",
            "#0 7:0 o variable -",
            "#0 7:4 p variable -",
            "#0 8:1 r variable -",
            "#0 8:5 s variable -",
            "#0 10:0 y variable z()",
            "#0 11:0 aa variable bb",
        ],
    );
}

#[test]
fn statements_bind() {
    check(
        bindings,
        "for a, b in c: pass\n\
         with d() as e, f as (g, h): pass\n\
         with (i.j() as k, l()): pass\n\
         try: pass\n\
         except m.N as o: pass\n\
         except* (P, Q) as r: pass\n\
         del s\n",
        &[
            "#0 1:4 a variable -",
            "#0 1:7 b variable -",
            "#0 2:12 e variable d()",
            "#0 2:21 g variable -",
            "#0 2:24 h variable -",
            "#0 3:15 k variable i.j()",
            "#0 5:14 o variable m.N()",
            "#0 6:18 r variable -",
        ],
    );
    check(
        bindings,
        "def f():\n  global a, b\n  nonlocal c\n  if (d := E()): pass\n  [g := h for i in j]\n",
        &[
            "#0 1:4 f definition f",
            "#1 2:9 a global",
            "#1 2:12 b global",
            "#1 3:11 c nonlocal",
            "#1 4:6 d variable E()",
            "#1 5:3 g variable h",
            "#2 5:14 i variable j*",
        ],
    );
    check(
        bindings,
        "match a:\n  \
         case b: pass\n  \
         case [c, *d] | (e, _): pass\n  \
         case {'k': f, **g}: pass\n  \
         case H(i, j=k) as l: pass\n  \
         case m.N: pass\n",
        &[
            "#0 2:7 b variable -",
            "#0 3:8 c variable -",
            "#0 3:12 d variable -",
            "#0 3:18 e variable -",
            "#0 4:13 f variable -",
            "#0 4:18 g variable -",
            "#0 5:9 i variable -",
            "#0 5:14 k variable -",
            "#0 5:20 l variable -",
        ],
    );
    check(
        bindings,
        "type A = b.C\ntype D[E, *F, **G] = H[E]\ndef i[J: K](): pass\n",
        &[
            "#0 1:5 A variable b.C",
            "#0 2:5 D variable H<E()>",
            "#1 2:7 E variable -",
            "#1 2:11 F variable -",
            "#1 2:16 G variable -",
            "#0 3:4 i definition i",
            "#2 3:6 J variable K()",
        ],
    );
}

#[test]
fn parameters_bind() {
    check(
        bindings,
        "def f(a, b: B, /, c=1, d: 'D' = 1, *e: E, g, **h): pass\nlambda i, *j, k=1: i\n",
        &[
            "#0 1:4 f definition f",
            "#1 1:6 a parameter -",
            "#1 1:9 b parameter B()",
            "#1 1:18 c parameter -",
            "#1 1:23 d parameter D()",
            "#1 1:36 e parameter [E()]",
            "#1 1:42 g parameter -",
            "#1 1:47 h parameter -",
            "#2 2:7 i parameter -",
            "#2 2:11 j parameter -",
            "#2 2:14 k parameter -",
        ],
    );
}

#[test]
fn attributes_of_instances_belong_to_the_class() {
    check(
        bindings,
        "class A:\n  \
         x = 1\n  \
         def f(me, b: B):\n    \
         me.c = b\n    \
         me.d: D = e()\n    \
         me.g, b.h = 1, 2\n    \
         me.i.j = 1\n    \
         me.k += 1\n",
        &[
            "#0 1:6 A definition A",
            "#1 2:2 x variable -",
            "#1 3:6 f definition A.f",
            "#2 3:8 me parameter -",
            "#2 3:12 b parameter B()",
            "#1 4:7 c attribute b",
            "#1 5:7 d attribute D()",
            "#1 6:7 g attribute -",
        ],
    );
    check(
        bindings,
        "class A:\n  \
         @classmethod\n  \
         def f(cls): cls.a = B()\n  \
         @staticmethod\n  \
         def g(self): self.b = 1\n  \
         def h(self):\n    \
         def i(): self.c = 1\n    \
         def j(self): self.d = 1\n\
         def k(self): self.e = 1\n",
        &[
            "#0 1:6 A definition A",
            "#1 3:6 f definition A.f",
            "#2 3:8 cls parameter -",
            "#1 3:18 a attribute B()",
            "#1 5:6 g definition A.g",
            "#3 5:8 self parameter -",
            "#1 6:6 h definition A.h",
            "#4 6:8 self parameter -",
            "#4 7:8 i definition A.h.i",
            "#1 7:18 c attribute -",
            "#4 8:8 j definition A.h.j",
            "#6 8:10 self parameter -",
            "#0 9:4 k definition k",
            "#7 9:6 self parameter -",
        ],
    );
    let method = facts("class A:\n  def f(self, b): self.b = b\n");
    let attribute = method.bindings.last().unwrap();
    assert_eq!((attribute.scope.0, attribute.value_scope.0), (1, 2));
}

#[test]
fn references_have_receivers_and_kinds() {
    check(
        references,
        "a.b.c()\nA().d\nsuper().m()\n(e).f\ng[0].h()\n'x'.join(i)\n",
        &[
            "#0 1:0 a read",
            "#0 1:2 a.b read",
            "#0 1:4 a.b.c call",
            "#0 2:0 A call",
            "#0 2:4 A().d read",
            "#0 3:0 super call",
            "#0 3:8 super().m call",
            "#0 4:1 e read",
            "#0 4:4 e.f read",
            "#0 5:0 g read",
            "#0 5:5 g[0].h call",
            "#0 6:4 ?.join call",
            "#0 6:9 i read",
        ],
    );
    check(
        references,
        "f(*a.b(), **c.d, e=g)\nself.x = h\nk += 1\nk.l += 1\ndel m, n.o\nf'{p!r:{q}}' 'r'\n",
        &[
            "#0 1:0 f call",
            "#0 1:3 a read",
            "#0 1:5 a.b call",
            "#0 1:12 c read",
            "#0 1:14 c.d read",
            "#0 1:19 g read",
            "#0 2:0 self read",
            "#0 2:5 self.x read",
            "#0 2:9 h read",
            "#0 3:0 k read",
            "#0 4:0 k read",
            "#0 4:2 k.l read",
            "#0 5:4 m read",
            "#0 5:7 n read",
            "#0 5:9 n.o read",
            "#0 6:3 p read",
            "#0 6:8 q read",
        ],
    );
    check(
        references,
        "f(*a.b.c().d(), **e.f())\n",
        &[
            "#0 1:0 f call",
            "#0 1:3 a read",
            "#0 1:5 a.b read",
            "#0 1:7 a.b.c call",
            "#0 1:11 a.b.c().d call",
            "#0 1:18 e read",
            "#0 1:20 e.f call",
        ],
    );
    check(
        references,
        "match a:\n  case b.C(d, e=f.g.H): pass\ntype(i).j = k\n😀 = 'é'; l\n",
        &[
            "#0 1:6 a read",
            "#0 2:7 b read",
            "#0 2:9 b.C read",
            "#0 2:16 f read",
            "#0 2:18 f.g read",
            "#0 2:20 f.g.H read",
            "#0 3:0 type call",
            "#0 3:5 i read",
            "#0 3:8 i.__class__.j read",
            "#0 3:12 k read",
            "#0 4:10 l read",
        ],
    );
}

#[test]
fn imports_have_their_names_and_modules() {
    let text = "import a, b.c, d.e.f as g\n\
         from h.i import j as k, l\n\
         from . import m\n\
         from ..n import (o,)\n\
         from p.q import *\n\
         from __future__ import r\n\
         def f():\n  \
         import s\n";
    check(
        imports,
        text,
        &[
            "#0 1:7 a module a",
            "#0 1:12 b.c module b",
            "#0 1:19 d.e.f module g",
            "#0 2:16 h.i j k",
            "#0 2:24 h.i l l",
            "#0 3:14 . m m",
            "#0 4:17 ..n o o",
            "#0 5:7 p.q * -",
            "#0 6:23 __future__ r r",
            "#1 8:9 s module s",
        ],
    );
    check(
        references,
        text,
        &[
            "#0 1:7 a import",
            "#0 1:12 b.c import",
            "#0 1:19 d.e.f import",
            "#0 2:16 j import",
            "#0 2:24 l import",
            "#0 3:14 m import",
            "#0 4:17 o import",
            "#0 6:23 r import",
            "#1 8:9 s import",
        ],
    );
    check(
        bindings,
        "import a, b.c, d.e as f\nfrom g import h as i\n",
        &[
            "#0 1:7 a import 0",
            "#0 1:10 b import 1",
            "#0 1:22 f import 2",
            "#0 2:19 i import 3",
        ],
    );
}

#[test]
fn exports_are_literal() {
    for (text, expected) in [
        ("", None),
        ("__all__ = ['a', \"b\"]\n", Some("a b")),
        ("__all__: list[str] = ('a',)\n", Some("a")),
        ("__all__ = 'a', 'b'\n", Some("a b")),
        ("__all__ = ['a'] + b.__all__ + ['c']\n", Some("a c")),
        ("__all__ = []\n", Some("")),
        (
            "__all__ = ['a']\n__all__ += ['b']\n__all__.extend(['c'])\n__all__.append('d')\n",
            Some("a b c d"),
        ),
        ("if a:\n  __all__ = ['b']\n", Some("b")),
        ("__all__ = [a for a in b]\n", None),
        ("def f():\n  __all__ = ['a']\n", None),
    ] {
        let names = exports(text).map(|names| names.join(" "));
        assert_eq!(names.as_deref(), expected, "{text}");
    }
}

#[test]
fn hashes_of_bodies_ignore_names_and_layout() {
    let text = "def f(a):\n  if a:\n    return f(a - 1)\n  return 'x'\n";
    for same in [
        "def g(a):\n  if a:\n    return g(a - 1)\n  return 'x'\n",
        "@d\n\
         def f( a ):  # comment\n\n    \
         if a: return f(a\n      \
         - 1)\n    \
         # comment\n    \
         return 'x'\n",
        "class A:\n  def f(a):\n    if a:\n      return f(a - 1)\n    return 'x'\n"
            .trim_start_matches("class A:\n"),
    ] {
        assert_eq!(body(same), body(text), "{same}");
    }
    for different in [
        "def f(a):\n  if a:\n    return f(a - 1)\n    return 'x'\n",
        "def f(a):\n  if a:\n    return f(a - 1)\n  return 'y'\n",
        "def f(a):\n  if a:\n    return g(a - 1)\n  return 'x'\n",
        "def f(b):\n  if b:\n    return f(b - 1)\n  return 'x'\n",
    ] {
        assert_ne!(body(different), body(text), "{different}");
    }
    assert_ne!(body("def f():\n  a\n  (b)\n"), body("def f(): a(b)\n"));
    assert_eq!(body("def f(a): return 'x y'").tokens, 6);
    let nested = facts("class A:\n  def f(): A\nclass B:\n  def f(): B\n").definitions;
    assert_eq!(nested[0].body, nested[2].body);
    assert_ne!(nested[1].body, nested[3].body);
}

#[test]
fn the_deepest_bodies_have_hashes_too() {
    let nested = |name: &str| -> String {
        let line = |depth| format!("{}def {name}{depth}():\n", " ".repeat(depth));
        let lines: String = (0..100).map(line).collect();
        format!("{lines}{}pass\n", " ".repeat(100))
    };
    let (one, other) = (
        facts(&nested("f")).definitions,
        facts(&nested("g")).definitions,
    );
    assert_eq!(one.len(), 100);
    assert_eq!(one[99].body, other[99].body);
    assert_ne!(one[98].body, one[99].body);
    assert_eq!(one[98].body.tokens, one[99].body.tokens + 5);
    assert_eq!(one[0].body.tokens, 99 * 5 + 4);
}

#[test]
fn code_around_a_syntax_error_has_facts() {
    check(
        references,
        "def f():\n  a.b(\n  c = d\n\ndef g(): e()\n",
        &[
            "#1 2:2 a read",
            "#1 2:4 a.b read",
            "#1 3:6 d read",
            "#2 5:9 e call",
        ],
    );
    check(
        bindings,
        "a = b(c\nclass C(D):\n  def g(self): self.e = F()\n",
        &[
            "#0 1:0 a variable c",
            "#0 2:6 C definition C",
            "#1 3:6 g definition C.g",
            "#2 3:8 self parameter -",
            "#1 3:20 e attribute F()",
        ],
    );
    check(
        references,
        "import a b\n",
        &["#0 1:7 a read", "#0 1:9 b import"],
    );
}

/// Texts with trees as deep as the text is long.
fn deep(times: usize) -> Vec<String> {
    let nested: String = (0..times / 20)
        .map(|depth| format!("{}def f():\n", " ".repeat(depth)))
        .collect();
    vec![
        repeated("(", "a", ")", times),
        repeated("f(", "a", ")", times),
        repeated("lambda: ", "a", "", times),
        repeated("[a := ", "b", " for c in d]", times),
        repeated("a = ", "b", "", times),
        format!("x{}", ".a".repeat(times)),
        format!("x{}", ".a()".repeat(times)),
        format!("x = a{}", " | b".repeat(times)),
        format!("x: {}\n", repeated("Optional[", "A", "]", times)),
        format!("import a{}", ".a".repeat(times)),
        format!("match a:\n  case a{}: pass", ".a".repeat(times)),
        format!("x = [{}]", "'é', a, ".repeat(times)),
        format!("__all__ = {}", repeated("(", "'a'", ")", times)),
        repeated("f'{", "a", "}'", times),
        nested,
        "def f(): pass\n".repeat(times),
        "class A:\n def f(): pass\n".repeat(times),
        "def f():".repeat(times),
        "class A(".repeat(times),
    ]
}

/// Anything slower than linear would take minutes here.
#[test]
fn deep_and_long_texts_come_to_an_end() {
    for text in deep(10_000) {
        let found = facts(&text);
        let start: String = text.chars().take(30).collect();
        assert_eq!(
            found.symbols(),
            syntax::extract_symbols(python(), &text),
            "{start}"
        );
    }
}

const PIECES: [&str; 44] = [
    "def f",
    "class A",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    ".",
    "=",
    ":=",
    "->",
    "*",
    "**",
    "@d\n",
    "\n",
    "\n  ",
    "\n    ",
    "\r",
    "\\\n",
    "import a.b",
    "from . import c",
    " as ",
    "lambda x",
    "for x in",
    "if ",
    "match m:\n  case ",
    "with a as b:",
    "except E as e:",
    "global g",
    "self.x",
    "__all__",
    "+=",
    "'s'",
    "f'{a}'",
    "\"\"\"",
    "# c\n",
    "type T[U] = ",
    "await ",
    "é😀",
    "\0",
    "del ",
];

fn mangled() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)
        .prop_map(|pieces| pieces.concat())
}

fn consistent(text: &str) {
    let facts = facts(text);
    assert_eq!(
        facts.symbols(),
        syntax::extract_symbols(python(), text),
        "{text:?}"
    );
    assert_eq!(facts.scopes[0].kind, ScopeKind::Module);
    for (id, scope) in facts.scopes.iter().enumerate().skip(1) {
        assert!((scope.parent.unwrap().0 as usize) < id, "{text:?}");
    }
    assert!(
        facts.references.is_sorted_by_key(|row| row.position),
        "{text:?}"
    );
    let names = facts.references.iter().map(|row| row.name);
    let names = names.chain(facts.bindings.iter().map(|row| row.name));
    for name in names {
        assert!(!facts.name(name).is_empty(), "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_text_has_facts(text in any::<String>()) {
        consistent(&text);
    }

    #[test]
    fn any_mangled_python_has_facts(text in mangled()) {
        consistent(&text);
    }
}
