//! `where_used` in C++: receivers whose type is not written where they are used.

use crate::where_used::check;

const HEADER: (&str, &str) = (
    "a.h",
    "namespace n {\nclass A {\n public:\n  void open();\n  A* next();\n};\nclass B { void open(); };\n}\n",
);

/// Checks that each of these bodies of a function calls `A::open` in its line.
fn check_calls(bodies: &[&str]) {
    let before = "#include \"a.h\"\nusing namespace n;\n";
    check_calls_of_open(HEADER, before, "a.h:4:8", bodies);
}

/// Checks that each of these bodies of a function, behind some lines of a file that includes the
/// header, calls the method `open` at a place.
pub fn check_calls_of_open(header: (&str, &str), before: &str, method: &str, bodies: &[&str]) {
    let text = format!("{before}{}\n", bodies.join("\n"));
    let first = before.lines().count() + 1;
    let rows: Vec<String> = (first..)
        .zip(bodies)
        .filter_map(|(line, body)| {
            let column = body.find("open()")?;
            Some(format!("b.cc:{line}:{column} call"))
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&[header, ("b.cc", &text)], method, &rows);
}

#[test]
fn smart_pointers_point_to_their_argument() {
    check_calls(&[
        "void f(std::unique_ptr<A> p) { p->open(); }",
        "void f(std::shared_ptr<A>& p) { (*p).open(); }",
        "void f(std::unique_ptr<A> p) { p.get()->open(); }",
        "void f() { auto p = std::make_unique<A>(); p->open(); }",
        "void f() { std::make_shared<n::A>()->open(); }",
        "void f(std::optional<A> p) { p.value().open(); }",
        "void f(std::optional<A> p, A a) { p.value_or(a).open(); }",
        "void f() { std::make_unique<A>().get()->open(); }",
        "void f(A a) { std::ref(a).get().open(); }",
        "void f(A a) { auto p = std::cref(a); p.get().open(); }",
        "void f() { std::async([] { return A(); }).get().open(); }",
        "A g(); void f() { std::async(std::launch::async, g).get().open(); }",
        "void f(std::unique_ptr<A> p) { auto q = std::move(p); q->open(); }",
    ]);
}

#[test]
fn containers_have_elements() {
    check_calls(&[
        "void f(std::vector<A> p) { p[0].open(); }",
        "void f(std::vector<A*>& p) { for (A* a : p) a->open(); }",
        "void f(std::vector<A*>& p) { for (auto& a : p) a->open(); }",
        "void f(std::vector<A> p) { p.back().open(); }",
        "void f(std::vector<A> p) { auto it = p.begin(); it->open(); }",
        "void f(std::vector<std::unique_ptr<A>> p) { p[0]->open(); }",
        "void f(std::set<A>::iterator p) { p->open(); }",
        "void f(std::map<int, A> p) { p[0].open(); }",
        "void f(std::map<int, A*> p) { p.find(1)->second->open(); }",
        "void f(std::map<int, A> p) { for (auto& e : p) e.second.open(); }",
        "void f(std::map<int, A> p) { for (auto& [k, v] : p) v.open(); }",
        "typedef std::vector<A*> List; void f(List p) { p[0]->open(); }",
        "void f(A (&p)[2]) { p[0].open(); }",
        "void f(A* p) { p[0].open(); }",
    ]);
}

#[test]
fn the_standard_library_may_be_named_without_its_namespace() {
    let bodies = [
        "void f(vector<A> p) { p[0].open(); }",
        "void f(vector<A*>& p) { for (auto a : p) a->open(); }",
        "void f(vector<A*>::const_iterator p) { (*p)->open(); }",
        "void f() { vector<A>::value_type p; p.open(); }",
        "void f(map<string, A*>::iterator p) { p->second->open(); }",
        "void f(pair<string, A*> p) { p.second->open(); }",
        "void f(unique_ptr<A> p) { p->open(); }",
        "void f() { auto p = make_unique<A>(); p->open(); }",
    ];
    let before = "#include \"a.h\"\nusing namespace n;\n";
    let whole = format!("{before}using namespace std;\n");
    check_calls_of_open(HEADER, &whole, "a.h:4:8", &bodies);
    let names = ["make_unique", "map", "pair", "unique_ptr", "vector"];
    let names = names.map(|name| format!("using std::{name};\n"));
    let each = format!("{before}{}", names.concat());
    check_calls_of_open(HEADER, &each, "a.h:4:8", &bodies);
}

#[test]
fn a_template_of_the_repository_comes_before_one_of_the_standard_library() {
    let text = "#include \"a.h\"\nusing namespace std;\nusing namespace n;\n\
                template <class T> struct list { B front(); };\n\
                void f(list<A> p, vector<A> q) { p.front().open(); q.front().open(); }\n";
    let files = [HEADER, ("b.cc", text)];
    check(&files, "a.h:4:8", &["b.cc:5:61 call"]);
    let inside = "#include \"a.h\"\nusing namespace n;\n\
                  void f(vector<A> p) { using namespace std; vector<A> q; q[0].open(); }\n\
                  void g(vector<A> p) { p[0].open(); }\n";
    let rows = ["b.cc:3:61 call", "b.cc:4:27 call?"];
    check(&[HEADER, ("b.cc", inside)], "a.h:4:8", &rows);
    let without = text.replace("using namespace std;\n", "");
    let files = [HEADER, ("b.cc", without.as_str())];
    check(&files, "a.h:4:8", &["b.cc:4:61 call?"]);
}

#[test]
fn classes_inherit_from_containers() {
    check_calls(&[
        "struct F : std::vector<A*> {}; void f(F p) { p[0]->open(); }",
        "struct G : std::vector<A*> {}; void f(G p) { for (auto a : p) a->open(); }",
        "struct H : std::vector<A*> { void f() { front()->open(); } };",
        "struct I : std::vector<A*> { void f() { (*this)[0]->open(); } };",
        "struct J : std::map<int, A*> {}; void f(J p) { p[1]->open(); }",
        "struct K : std::map<int, A*> {}; void f(K p) { p.find(1)->second->open(); }",
        "struct L : std::map<int, A*> {}; void f(L::iterator p) { p->second->open(); }",
    ]);
}

#[test]
fn operators_return_what_they_declare() {
    check_calls(&[
        "struct P { A* operator->() const; }; void f(P p) { p->open(); }",
        "struct Q { A& operator[](int); }; void f(Q p) { p[0].open(); }",
        "struct R { A* operator()(); }; void f(R p) { p()->open(); }",
        "struct S { A* begin(); }; void f(S p) { for (auto& a : p) a.open(); }",
        "typedef A Alias; void f(Alias p) { p.next()->open(); }",
        "void f(bool b, A* p) { (b ? p : nullptr)->open(); }",
        "void f(A* (*make)()) { make()->open(); }",
    ]);
}

#[test]
fn a_type_that_is_declared_before_it_is_complete_has_its_members() {
    check(
        &[
            HEADER,
            ("b.h", "namespace n { class A; struct C { A* a; }; }\n"),
            (
                "b.cc",
                "#include \"b.h\"\nvoid f(n::C* c) { c->a->open(); }\n",
            ),
        ],
        "a.h:4:8",
        &["b.cc:2:24 call"],
    );
}

#[test]
fn macros_open_namespaces() {
    check(
        &[
            (
                "base.h",
                "#define BEGIN_LIB namespace lib { inline namespace v1 {\n#define END_LIB } }\n",
            ),
            (
                "a.h",
                "#include \"base.h\"\nBEGIN_LIB\nint total(int a) { return a; }\nEND_LIB\n",
            ),
            (
                "b.cc",
                "#include \"a.h\"\nint f() { return lib::total(1); }\n\
                 namespace lib { int g() { return total(2); } }\n\
                 namespace other { int h() { return other::total(3); } }\n",
            ),
        ],
        "a.total",
        &["b.cc:2:22 call", "b.cc:3:33 call"],
    );
}

#[test]
fn a_macro_before_a_body_is_called() {
    let files = [
        ("test.h", "#define TEST(a, b) void a##b()\n"),
        (
            "a.cc",
            "#include \"test.h\"\nvoid f();\nTEST(one, two) {\n  f();\n}\n\
             namespace n { TEST(three, four) { f(); } }\n",
        ),
    ];
    check(&files, "test.TEST", &["a.cc:3:0 call", "a.cc:6:14 call"]);
}

#[test]
fn the_body_of_a_test_sees_its_fixture() {
    let files = [
        ("test.h", "#define TEST_F(a, b) void a##b()\n"),
        (
            "a.cc",
            "#include \"test.h\"\nclass Cart { protected: void fill(); };\n\
             TEST_F(Cart, IsFull) { fill(); this->fill(); }\n",
        ),
        (
            "b.cc",
            "#include \"test.h\"\nclass Shelf { void fill(); };\n\
             TEST_F(Shelf, IsFull) { fill(); }\n",
        ),
    ];
    check(&files, "a.Cart.fill", &["a.cc:3:23 call", "a.cc:3:37 call"]);
}

#[test]
fn return_types_behind_parameters_are_followed() {
    check_calls(&[
        "auto make() -> A*; void f() { make()->open(); }",
        "auto made(int a) -> A { return A(); } void f() { made(1).open(); }",
        "auto g(A& a) -> decltype(a.open()) { return; }",
    ]);
}

#[test]
fn a_specialisation_is_used_with_its_template() {
    let files = [
        ("a.h", "namespace n {\ntemplate <class T> struct F {};\n}\n"),
        (
            "b.h",
            "#include \"a.h\"\nnamespace n {\ntemplate <> struct F<int> {};\nF<bool> b;\n}\n",
        ),
        (
            "c.cc",
            "#include \"a.h\"\ntemplate <> struct n::F<char> {};\nn::F<char> c;\n",
        ),
        ("d.cc", "namespace m { struct F {}; F f; }\n"),
    ];
    let rows = ["b.h:4:0 reference", "c.cc:3:3 reference"];
    check(&files, "a.h:2:27", &rows);
    check(&files, "b.h:3:20", &rows);
    check(&files, "c.cc:2:23", &rows);
}

#[test]
fn initialisers_name_base_classes() {
    check(
        &[
            ("a.h", "class Base { public: Base(int); };\n"),
            (
                "b.cc",
                "#include \"a.h\"\nstruct D : Base { D() : Base(1), b(2) {} int b; };\n\
                 struct E : D { Base* base; };\n",
            ),
        ],
        "a.h:1:7",
        &["b.cc:2:11 inherit", "b.cc:2:24 call", "b.cc:3:15 reference"],
    );
}

#[test]
fn a_friend_is_a_member_of_the_namespace() {
    check(
        &[(
            "a.cc",
            "namespace n {\nclass A { friend int total(A a) { return 1; } };\nint f() { return total(A()); }\n}\n",
        )],
        "a.cc:2:22",
        &["a.cc:3:17 call"],
    );
}

#[test]
fn a_friend_is_declared_in_the_namespace_around_the_class() {
    let files = [
        (
            "a.h",
            "namespace n {\nclass A {\n  class Inner {};\n  friend class B;\n  friend struct C;\n  \
             friend class Inner;\n  friend bool same(A*, A*);\n};\n}\n",
        ),
        (
            "b.cc",
            "#include \"a.h\"\nnamespace n {\nclass B {};\nstruct C {};\nclass Inner {};\n\
             bool same(A* a, A* b) { return true; }\n}\n",
        ),
    ];
    check(&files, "n.B", &["a.h:4:15 reference"]);
    check(&files, "n.C", &["a.h:5:16 reference"]);
    check(&files, "n.same", &["a.h:7:14 reference"]);
    check(&files, "a.h:3:9", &["a.h:6:15 reference"]);
    check(&files, "b.cc:5:7", &[]);
}

#[test]
fn parts_of_pairs_and_variants_have_types_by_their_places() {
    check_calls(&[
        "void f(A a) { auto p = std::make_pair(1, a); p.second.open(); }",
        "void f(A a) { auto [n, p] = std::make_pair(1, a); p.open(); }",
        "void f(A a, B b) { std::get<0>(std::make_tuple(a, b)).open(); }",
        "void f(std::variant<int, A> p) { std::get<1>(p).open(); }",
        "void f(std::variant<int, A> p) { std::get_if<1>(&p)->open(); }",
    ]);
    let text = "\
#include \"a.h\"
using namespace n;
void f(A a, B b, std::variant<B, A> p) {
  std::get<1>(std::make_tuple(a, b)).open();
  std::get<0>(p).open();
  std::make_tuple(a, b).open();
}
";
    let files = [HEADER, ("b.cc", text)];
    check(&files, "a.h:4:8", &["b.cc:6:24 call?"]);
    check(
        &files,
        "a.h:7:16",
        &["b.cc:4:37 call", "b.cc:5:17 call", "b.cc:6:24 call?"],
    );
}

#[test]
fn structured_bindings_take_the_fields_of_a_class() {
    let before = "#include \"a.h\"
using namespace n;
struct P { static int m; A a; B b; };
template <class T> struct G { int n; T t; };
";
    let bodies = [
        "void f(P p) { auto& [x, y] = p; x.open(); }",
        "void f(G<A> g) { auto [n, t] = g; t.open(); }",
        "void f(std::map<int, P> m) { for (auto& [k, p] : m) { auto [a, b] = p; a.open(); } }",
        "void f(A a) { auto o = std::make_optional(a); o->open(); }",
    ];
    check_calls_of_open(HEADER, before, "a.h:4:8", &bodies);
    let text = "\
#include \"a.h\"
using namespace n;
struct Base { A a; };
struct Derived : Base {};
struct P { A a; B b; };
void f(Derived d, P p) {
  auto [x] = d; x.open();
  auto [y, z] = p; z.open();
}
";
    // The fields of a base class are not looked at.
    let files = [HEADER, ("b.cc", text)];
    check(&files, "a.h:4:8", &["b.cc:7:18 call?"]);
}
