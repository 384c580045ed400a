//! `where_used` in C++: receivers whose type is a template argument, or follows from one.

use crate::where_used::check;
use crate::where_used_cpp_receivers::check_calls_of_open;

const HEADER: &str = "\
struct A { A* next(); void open(); };
template <class T> struct Box {
  T value; std::vector<T> all; T* slot;
  T get() { return value; }
  T& outside();
  Box<T>& same() { return *this; }
  Box& plain() { return *this; }
  template <class U> U as();
  T* operator->() { return &value; }
  T operator[](int i) { return value; }
};
template <class E> E& Box<E>::outside() { return value; }
template <class T> struct Ref { T operator*() { return t; } T t; };
template <> struct Box<int> { int get(); void only(); };
template <class K, class V> struct Pair { K k; V v; };
template <class T, class N> struct Pair<T*, N> { T k; };
template <class K, class V> struct Two { K k; V v; };
template <class T> using Ptr = std::shared_ptr<T>;
template <class T> T keep(T t) { return t; }
template <class T> T make() { return T(); }
template <class T> T first(const std::vector<T>& all) { return all[0]; }
template <class F> auto called(F f) { return f(); }
auto inferred() { return A(); }
namespace n { template <int N, class T> struct Ring { T at(int i); }; }
struct Casting { template <class T> T as(int i) { return T(); } };
struct Derived : Box<A> { void go(); };
template <class T> struct Kept { T& get() { return t; } T t; };
";

/// Checks that each of these bodies of a function calls `A::open` in its line.
fn check_calls(bodies: &[&str]) {
    check_calls_of_open(("a.h", HEADER), "#include \"a.h\"\n", "a.h:1:29", bodies);
}

#[test]
fn members_of_templates_have_the_types_of_arguments() {
    check_calls(&[
        "void f(Box<A> b) { b.value.open(); }",
        "void f(Box<A>& b) { b.get().open(); }",
        "void f(Box<A*> b) { b.get()->open(); }",
        "void f(Box<A> b) { b.slot->open(); }",
        "void f(Box<A> b) { b.all[0].open(); }",
        "void f(Box<A> b) { b.outside().open(); }",
        "void f(Box<A> b) { b.same().get().open(); }",
        "void f(Box<A> b) { b.plain().get().open(); }",
        "void f(Kept<A>* b) { b->get().next()->open(); }",
        "void f(Box<Box<A>> b) { b.get().get().open(); }",
        "void f(std::vector<Box<A>> b) { b[0].get().open(); }",
        "void f() { auto b = new Kept<A>(); b->get().open(); }",
        "void f() { Box<A>{}.get().open(); }",
        "void f(n::Ring<3, A> b) { b.at(0).open(); }",
        "void f(Two<int, A> b) { b.v.open(); }",
        "void f(Ptr<A> b) { b->open(); }",
    ]);
}

#[test]
fn operators_of_templates_return_arguments() {
    check_calls(&[
        "void f(Box<A> b) { b->open(); }",
        "void f(Box<A> b) { b[0].open(); }",
        "void f(Ref<A> b) { (*b).open(); }",
    ]);
}

#[test]
fn bases_have_arguments() {
    check_calls(&[
        "void Derived::go() { value.open(); }",
        "void Derived::go() { get().open(); }",
        "void f(Derived d) { d.get().open(); }",
        "struct Own : public Box<A> { void f() { this->get().open(); } };",
    ]);
}

#[test]
fn arguments_of_calls_tell_those_of_templates() {
    check_calls(&[
        "void f() { make<A>().open(); }",
        "void f() { auto a = make<A>(); a.open(); }",
        "void f(A a) { keep(a).open(); }",
        "void f(A a) { auto b = keep(a); b.open(); }",
        "void f(std::vector<A> all) { first(all).open(); }",
        "void f() { inferred().open(); }",
        "void f(Casting c) { c.as<A>(1).open(); }",
        "void f(Casting* c) { auto a = c->as<A*>(1); a->open(); }",
        "template <class T, class F> T* cast(F f) { return 0; } void f(int i) { \
         cast<A>(i)->open(); }",
        "template <class T> T& target(T* p) { return *p; } void f(A* a) { target(a).open(); }",
    ]);
}

#[test]
fn functions_return_what_their_type_or_body_says() {
    check_calls(&[
        "void f(std::function<A(int)> g) { g(1).open(); }",
        "void f() { auto g = [] { return A(); }; g().open(); }",
        "void f() { auto g = [](int i) -> A { return {}; }; g(1).open(); }",
        "void f(A a) { auto g = [&](auto x) { if (x) return a; return a; }; g(1).open(); }",
    ]);
}

#[test]
fn tuples_have_parts() {
    check_calls(&[
        "void f(std::tuple<int, A> t) { std::get<1>(t).open(); }",
        "void f(std::tuple<int, int, A> t) { auto [a, b, c] = t; c.open(); }",
        "void f(std::tuple<int, A> t) { auto& [a, b] = t; b.open(); }",
        "void f(std::pair<A, int> t) { t.first.open(); }",
        "void f(std::vector<std::pair<int, A>> t) { for (auto& [i, a] : t) a.open(); }",
        "void f(std::variant<int, A> t) { std::get<A>(t).open(); }",
        "void f(std::any t) { std::any_cast<A>(t).open(); }",
    ]);
}

#[test]
fn algorithms_give_elements_to_lambdas() {
    check_calls(&[
        "void f(std::vector<A> v) { std::for_each(v.begin(), v.end(), [](auto& a) { a.open(); \
         }); }",
        "void f(std::vector<A*> v) { std::sort(v.begin(), v.end(), [](auto a, auto b) { return \
         b->open(); }); }",
        "void f(std::map<int, A> v) { std::for_each(v.begin(), v.end(), [](auto& a) { \
         a.second.open(); }); }",
        "void f(std::vector<A> v) { std::ranges::for_each(v, [](auto&& a) { a.open(); }); }",
        "void f(std::vector<A> v) { auto it = std::find_if(std::begin(v), std::end(v), [](const \
         auto& a) { return true; }); it->open(); }",
        "void f(std::vector<int> v, A a) { std::accumulate(v.begin(), v.end(), a, [](auto sum, \
         auto i) { sum.open(); return sum; }); }",
    ]);
}

#[test]
fn a_specialisation_has_parameters_of_its_own() {
    let text = "#include \"a.h\"\nvoid f(Box<int> b) { b.only(); }\n\
                void g(Pair<A*, int> p) { p.k.open(); }\n";
    let files = [("a.h", HEADER), ("b.cc", text)];
    check(&files, "a.h:14:48", &["b.cc:2:23 call"]);
    check(&files, "a.h:1:29", &["b.cc:3:30 call?"]);
}

#[test]
fn what_is_not_told_is_a_candidate() {
    let text = "#include \"a.h\"\ntemplate <class T> void f(T t) { t.open(); }\n\
                void g(Box<int> b) { b.get().open(); }\nvoid h(Unknown<A> b) { b.open(); }\n\
                void i(A a) { called([&] { return a; }).open(); }\n";
    check(
        &[("a.h", HEADER), ("b.cc", text)],
        "a.h:1:29",
        &[
            "b.cc:2:35 call?",
            "b.cc:3:29 call?",
            "b.cc:4:25 call?",
            "b.cc:5:40 call?",
        ],
    );
}

/// Checks the rows of `A::open` in a text, which begins at line 2.
fn check_rows(text: &str, rows: &[&str]) {
    let text = format!("#include \"a.h\"\n{text}");
    check(&[("a.h", HEADER), ("b.cc", &text)], "a.h:1:29", rows);
}

#[test]
fn a_name_may_stand_for_one_of_the_file() {
    check_rows(
        "namespace m { using A = ::A; void f(A a) { a.open(); } }\n\
         namespace m { template <class T> using Box = ::Box<T>; void g(Box<A> b) { \
          b.get().open(); } }\n\
         template <class T> using Again = Again<T>; void h(Again<A> a) { a.open(); }\n\
         void i(::std::vector<A> v) { v[0].open(); }\n",
        &[
            "b.cc:2:45 call",
            "b.cc:3:82 call",
            "b.cc:5:34 call",
            "b.cc:4:66 call?",
        ],
    );
}

#[test]
fn pairs_behind_pointers_have_parts() {
    check_calls(&[
        "void f(std::pair<int, A>* p) { p->second.open(); }",
        "void f(std::map<int, std::pair<int, A>*> m) { m[1]->second.open(); }",
        "void f(std::pair<int, A>* p) { std::get<1>(*p).open(); }",
        "void f(std::array<A, 2> a) { std::get<0>(a).open(); }",
        "void f(std::map<int, A> m) { std::get<1>(*m.begin()).open(); }",
    ]);
}

#[test]
fn projections_and_other_values_are_no_elements() {
    check_rows(
        "void f(std::vector<A> v) { std::ranges::sort(v, [](auto& a, auto& b) { return a.open(); \
         }, &A::next); }\n\
         void g(std::vector<A> v, int i) { std::lower_bound(v.begin(), v.end(), i, [](auto& a, \
          auto& i) { return i.open(); }); }\n\
         void h(std::vector<int> v, std::vector<A> w) { std::ranges::transform(v, w, v.begin(), \
          [](auto& i, auto& a) { a.open(); }); }\n\
         void i(std::map<A, int> m) { m.begin()->first.open(); }\n",
        &[
            "b.cc:4:112 call",
            "b.cc:2:80 call?",
            "b.cc:3:106 call?",
            "b.cc:5:46 call?",
        ],
    );
}

#[test]
fn overloads_that_return_different_types_are_not_told_apart() {
    check_rows(
        "struct B { void open(); };\n\
         template <class T> T last(T t) { return t; }\n\
         template <class T, class... R> auto last(T t, R... r) { return last(r...); }\n\
         void f(A a, B b) { last(b, a).open(); }\n",
        &["b.cc:5:30 call?"],
    );
}

#[test]
fn other_arguments_make_other_types() {
    check_rows(
        "template <class T> struct Vec { T v; Vec<int> plain(); Vec<decltype(0)> typed(); };\n\
         void f(Vec<A> v) { v.plain().v.open(); }\nvoid g(Vec<A> v) { v.typed().v.open(); }\n\
         template <bool C, class T, class E> struct Cond { typedef T type; };\n\
         template <class T, class E> struct Cond<false, T, E> { typedef E type; };\n\
         void h() { Cond<false, int, A>::type a; a.open(); }\n",
        &["b.cc:3:31 call?", "b.cc:4:31 call?", "b.cc:7:42 call?"],
    );
}

#[test]
fn classes_in_a_template_depend_on_its_parameters() {
    check_calls(&[
        "template <class T> struct L { struct Node { T data; Node* next; }; Node* head; }; void \
         f(L<A> l) { l.head->next->data.open(); }",
        "template <class T> struct M { struct It { T& operator*(); }; It begin(); }; void f(M<A> \
         m) { for (auto& a : m) a.open(); }",
    ]);
}

#[test]
fn members_may_be_marked_as_templates() {
    check_calls(&[
        "void f(Casting c) { c.template as<A>(1).open(); }",
        "struct Fixed { template <class T> A as(); }; void f(Fixed* c) { c->template \
         as<int>().open(); }",
        "struct Made { template <class T> static A make(); }; void f() { ::Made::template \
         make<int>().open(); }",
    ]);
}

#[test]
fn names_of_the_library_are_none_of_the_repository() {
    check_rows(
        "template <class E, class F> struct expected { A value(); };\n\
         void f(::std::expected<int, int> e) { e.value().open(); }\n",
        &["b.cc:3:48 call?"],
    );
}

#[test]
fn a_class_is_no_overload_of_another() {
    check(
        &[(
            "a.cc",
            "template <class T> struct Box { Box(T t); void open(); };\n\
             template <> struct Box<int> { Box(int t); void shut(); };\n\
             void f(int i) { Box(i).open(); auto b = Box(i); b.open(); }\n",
        )],
        "a.cc:1:48",
        &["a.cc:3:23 call", "a.cc:3:50 call"],
    );
}

#[test]
fn types_that_grow_end() {
    let calls: String = (1..40)
        .map(|place| format!("auto a{place} = a{}.grow(); ", place - 1))
        .collect();
    check_rows(
        &format!(
            "template <class T> struct P {{ P<std::pair<T, T>> grow(); T get(); }};\n\
             void f(P<A> a0) {{ {calls}\na39.get().first.open(); }}\n"
        ),
        &["b.cc:4:16 call?"],
    );
}

#[test]
fn a_base_with_arguments_lends_its_name() {
    let text = "#include \"a.h\"\nnamespace n { template <class T> struct Base { Base(int); }; }\n\
                struct D : n::Base<A> {\n  using Base<A>::Base;\n  D() : Base<A>(1) {}\n  void \
                 f(Base<A>& b);\n};\n";
    check(
        &[("a.h", HEADER), ("b.cc", text)],
        "b.cc:2:42",
        &[
            "b.cc:3:14 inherit",
            "b.cc:4:8 reference",
            "b.cc:5:8 call",
            "b.cc:6:9 reference",
        ],
    );
}

#[test]
fn a_field_of_the_type_of_a_parameter_is_no_class_of_its_name() {
    let text = "struct value {};\ntemplate <class T> struct Named { T value; Named(T v) : \
     value(v) {} };\n\
                value v;\n";
    check(&[("a.cc", text)], "a.cc:1:8", &["a.cc:3:0 reference"]);
}

#[test]
fn constructors_and_values_tell_types() {
    let header = "\
struct A { void open(); A get(); };
template <class T> struct Box { explicit Box(T v) : value(v) {} T get(); T value; };
struct Plain { Plain(A a); A get(); };
template <class T> struct Traits { using type = T; };
";
    let bodies = [
        "void f(A a) { Box b(a); b.get().open(); }",
        "void f(A a) { Box b{a}; b.get().open(); }",
        "void f(A a) { Plain b(a); b.get().open(); }",
        "void f(Box<A> a) { Box b(a); b.get().open(); }",
        "void f() { typename Traits<A>::type a; a.open(); }",
        "void f(A* a) { decltype(a) b = g(); b->open(); }",
        "void f(Plain p) { std::vector<decltype(p.get())> all; all[0].open(); }",
    ];
    check_calls_of_open(("a.h", header), "#include \"a.h\"\n", "a.h:1:17", &bodies);
}

#[test]
fn operators_give_what_their_function_returns() {
    let header = "\
namespace n {
struct B { void open(); };
struct A {
  void open();
  A operator+(const A& a) const;
  B operator+(const B& b) const;
  B operator-(const A& a) const;
  A operator-() const;
};
inline A operator|(const A& a, const B& b) { return a; }
inline B operator|(const B& a, const B& b) { return a; }
}
";
    let text = "\
#include \"a.h\"
void f(n::A a, n::A* p, n::B b, std::vector<n::A> all) {
  (a + a).open();
  auto c = a + a + a; c.open();
  (a | b).open();
  (all.begin() + 1)->open();
  (a + b).open();
  (a - a).open();
  (b | b).open();
  (p + 1)->open();
}
";
    let files = [("a.h", header), ("b.cc", text)];
    check(
        &files,
        "a.h:4:8",
        &[
            "b.cc:3:10 call",
            "b.cc:4:24 call",
            "b.cc:5:10 call",
            "b.cc:6:21 call",
            "b.cc:10:11 call?",
        ],
    );
    check(
        &files,
        "a.h:2:17",
        &[
            "b.cc:7:10 call",
            "b.cc:8:10 call",
            "b.cc:9:10 call",
            "b.cc:10:11 call?",
        ],
    );
}

#[test]
fn decltype_of_a_function_is_no_other_name_of_it() {
    let text = "\
struct A { void open(); };
A make();
void use(A a) { }
void f(A a) {
  decltype(&use) g = nullptr;
  g(a);
  decltype(make()) b = {};
  b.open();
}
";
    check(&[("a.cc", text)], "a.use", &["a.cc:5:12 reference"]);
    check(&[("a.cc", text)], "A.open", &["a.cc:8:4 call"]);
}
