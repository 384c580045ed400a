//! `where_used` in C++: namespaces, members, receivers and definitions outside of their class.

use crate::where_used::check;

const HEADER: (&str, &str) = (
    "a.h",
    "namespace n {\nclass A {\n public:\n  void open();\n  int size_;\n};\nint total(int a);\n}\n",
);

#[test]
fn a_method_and_its_body_outside_of_the_class_are_one() {
    let files = [
        HEADER,
        (
            "a.cc",
            "#include \"a.h\"\nnamespace n {\nvoid A::open() { size_ = 0; }\n}\n",
        ),
        (
            "b.cc",
            "#include \"a.h\"\nvoid f(n::A& a) { a.open(); }\n\
             void g() { n::A* a = new n::A(); a->open(); }\n\
             template <class T> void h(T t) { t.open(); }\n",
        ),
    ];
    let rows = ["b.cc:2:20 call", "b.cc:3:36 call", "b.cc:4:35 call?"];
    check(&files, "a.h:4:8", &rows);
    check(&files, "a.cc:3:9", &rows);
}

#[test]
fn bodies_see_members_and_namespaces() {
    check(
        &[
            HEADER,
            (
                "b.cc",
                "#include \"a.h\"\nnamespace n {\nvoid A::close() { open(); this->open(); }\n}\n",
            ),
            ("c.c", "void f(void) { open(); }\n"),
            ("d.go", "package d\nfunc g() { open() }\n"),
        ],
        "n.A.open",
        &["b.cc:3:18 call", "b.cc:3:32 call", "c.c:1:15 call?"],
    );
}

#[test]
fn functions_of_namespaces_are_followed() {
    let files = [
        HEADER,
        (
            "a.cc",
            "#include \"a.h\"\nnamespace n { int total(int a) { return a; } }\n",
        ),
        (
            "b.cc",
            "#include \"a.h\"\nint f() { return n::total(1); }\n\
             namespace n { int g() { return total(2); } }\n\
             namespace m { int total(int a); int h() { return total(3); } }\n",
        ),
        (
            "c.cc",
            "#include \"a.h\"\nusing n::total;\nint i() { return total(4); }\n",
        ),
        (
            "d.cc",
            "#include \"a.h\"\nusing namespace n;\nint j() { return total(5); }\n",
        ),
        (
            "e.cc",
            "#include \"a.h\"\nnamespace o = n;\nint k() { return o::total(6); }\n",
        ),
    ];
    check(
        &files,
        "a.cc:2:19",
        &[
            "a.h:7:4 reference",
            "b.cc:2:20 call",
            "b.cc:3:31 call",
            "c.cc:2:9 reference",
            "c.cc:3:17 call",
            "d.cc:3:17 call",
            "e.cc:3:20 call",
        ],
    );
}

#[test]
fn namespaces_without_a_name_belong_to_their_file() {
    check(
        &[
            (
                "a.cc",
                "namespace { int total() { return 1; } }\nint f() { return total(); }\n",
            ),
            ("b.cc", "int total();\nint g() { return total(); }\n"),
        ],
        "a.total",
        &["a.cc:2:17 call"],
    );
}

#[test]
fn in_its_body_a_class_has_its_own_name() {
    check(
        &[
            (
                "a.h",
                "namespace n {\nclass A {\n public:\n  A();\n  A(const A& a);\n  A copy();\n};\n}\n",
            ),
            (
                "a.cc",
                "#include \"a.h\"\nnamespace n { A A::copy() { return A(); } }\n",
            ),
        ],
        "a.h:2:7",
        &[
            "a.cc:2:14 reference",
            "a.cc:2:16 reference",
            "a.cc:2:35 call",
            "a.h:5:10 reference",
            "a.h:6:2 reference",
        ],
    );
}

#[test]
fn members_are_inherited() {
    check(
        &[
            HEADER,
            (
                "b.cc",
                "#include \"a.h\"\nclass B : public n::A { void go() { open(); } };\n\
                 class C { void open(); void go() { open(); } };\n\
                 void f(B b, C c) { b.open(); c.open(); }\n",
            ),
        ],
        "n.A.open",
        &["b.cc:2:36 call", "b.cc:4:21 call"],
    );
}

#[test]
fn types_are_followed_through_aliases_and_auto() {
    check(
        &[
            HEADER,
            (
                "b.cc",
                "#include \"a.h\"\nusing Alias = n::A;\nAlias make();\n\
                 void f() { Alias a; a.open(); auto b = make(); b.open(); auto c = n::A(); c.open(); }\n",
            ),
        ],
        "n.A.open",
        &["b.cc:4:22 call", "b.cc:4:49 call", "b.cc:4:76 call"],
    );
}

#[test]
fn variables_and_fields_hide_functions() {
    check(
        &[(
            "a.cc",
            "int total(int a) { return a; }\n\
             struct A { int total; int f() { return total; } };\n\
             int g(int total) { return total; }\n\
             int h() { auto f = [](int total) { return total; }; return f(total(1)); }\n",
        )],
        "a.total",
        &["a.cc:4:61 call"],
    );
}

#[test]
fn templates_are_followed_by_name() {
    check(
        &[
            (
                "a.h",
                "namespace n {\ntemplate <class T> struct Box { T get(); };\n\
                 template <> struct Box<int> { int get(); };\n\
                 template <class T> Box<T> box(T t) { return {}; }\n}\n",
            ),
            (
                "b.cc",
                "#include \"a.h\"\nn::Box<char> b;\nauto c = n::box<int>(1);\n",
            ),
        ],
        "a.h:2:27",
        &["a.h:4:19 reference", "b.cc:2:3 reference"],
    );
}

#[test]
fn headers_of_c_are_seen_from_cpp() {
    check(
        &[
            (
                "a.h",
                "struct cart { int a; };\nint total(struct cart *c);\n",
            ),
            (
                "a.c",
                "#include \"a.h\"\nint total(struct cart *c) { return c->a; }\n",
            ),
            (
                "b.cc",
                "extern \"C\" {\n#include \"a.h\"\n}\nint f(cart *c) { return total(c); }\n",
            ),
        ],
        "a.c:2:5",
        &["a.h:2:4 reference", "b.cc:4:24 call"],
    );
}

#[test]
fn a_forward_declaration_means_the_class_of_another_file() {
    check(
        &[
            (
                "u.h",
                "namespace n {\nclass T;\nclass U {\n  T* const t;\n  void f(T* t);\n};\n}\n",
            ),
            ("t.h", "namespace n {\nclass T {};\n}\n"),
            (
                "u.cc",
                "#include \"u.h\"\n#include \"t.h\"\nnamespace n {\nvoid U::f(T* t) {}\n}\n",
            ),
            ("other.h", "namespace m {\nclass T;\nT* t;\n}\n"),
        ],
        "t.n.T",
        &[
            "u.cc:4:10 reference",
            "u.h:2:6 reference",
            "u.h:4:2 reference",
            "u.h:5:9 reference",
        ],
    );
}

#[test]
fn macros_between_declarations_are_references() {
    check(
        &[
            ("m.h", "#define GUARDED_BY(x)\n"),
            (
                "a.cc",
                "#include \"m.h\"\nclass A {\n  int a_ GUARDED_BY(mutex_);\n  void f() GUARDED_BY(m) {}\n};\n",
            ),
        ],
        "m.GUARDED_BY",
        &["a.cc:3:9 call", "a.cc:4:11 call"],
    );
}

#[test]
fn names_in_the_arguments_of_removed_macros_are_references() {
    let files = [(
        "a.cpp",
        "#define ENABLE_IF(...) int = 0\n\
         namespace a {\n\
         template <typename T> struct is_number { static const bool value = true; };\n\
         namespace b { template <typename T> struct is_text {}; }\n\
         template <typename T, ENABLE_IF(is_number<T>::value && b::is_text<T>::value)>\n\
         void f(T);\n\
         }\n",
    )];
    check(&files, "a.is_number", &["a.cpp:5:32 reference"]);
    check(&files, "a.b.is_text", &["a.cpp:5:58 reference"]);
    check(&files, "a.b", &["a.cpp:5:55 reference"]);
}

#[test]
fn macros_between_a_type_and_a_name_hide_nothing() {
    let files = [(
        "pool.cpp",
        "#define INLINE inline\n\
         struct pool { int size(); void stop(); };\n\
         int INLINE pool::size() { return 1; }\n\
         void INLINE pool::stop() { size(); }\n",
    )];
    check(&files, "pool.cpp:2:19", &["pool.cpp:4:27 call"]);
}

#[test]
fn a_namespace_may_be_opened_by_a_macro_in_one_of_two_files() {
    let header = "#define BEGIN_DETAIL namespace detail {\n\
                  #define END_DETAIL }\n\
                  BEGIN_DETAIL\n\
                  void fail(const char* why);\n\
                  inline void check(bool a) { if (!a) fail(\"a\"); }\n\
                  END_DETAIL\n";
    let source = "#include \"core.hpp\"\nnamespace detail {\nvoid fail(const char* why) {}\n}\n";
    check(
        &[("core.hpp", header), ("core.cpp", source)],
        "core.detail.fail",
        &["core.hpp:4:5 reference", "core.hpp:5:36 call"],
    );
    // No file of the repository says what the macro is.
    let unknown = header
        .get(header.find("BEGIN_DETAIL\n").unwrap()..)
        .unwrap();
    check(
        &[("core.hpp", unknown), ("core.cpp", source)],
        "core.detail.fail",
        &["core.hpp:2:5 reference?", "core.hpp:3:36 call?"],
    );
}

#[test]
fn a_header_with_qualified_names_is_cpp() {
    let header = "#include <string>\nstd::size_t count(const std::string &of);\n";
    let source = "#include \"utils.h\"\nstd::size_t count(const std::string &of) { return 1; }\n";
    check(
        &[("utils.h", header), ("utils.cpp", source)],
        "utils.count",
        &["utils.h:2:12 reference"],
    );
}

#[test]
fn a_member_may_be_qualified_by_its_class() {
    check(
        &[(
            "a.cpp",
            "struct A { virtual void f(); void g() { this->A::f(); } };\n\
             struct B : A { void f() override {} };\n",
        )],
        "A.f",
        &["a.cpp:1:49 call"],
    );
}

#[test]
fn a_class_that_another_header_defines_is_that_of_its_declaration() {
    let files = [
        ("r.h", "class R {\n public:\n  class V;\n};\n"),
        (
            "w.h",
            "#include \"r.h\"\nclass R::V { public: void run(); };\n",
        ),
        (
            "p.cc",
            "#include \"r.h\"\n#include \"w.h\"\nclass B : public R::V {};\n\
             void f() { B b; b.run(); R::V v; v.run(); }\n",
        ),
    ];
    check(
        &files,
        "R.V",
        &[
            "p.cc:3:20 inherit",
            "p.cc:4:28 reference",
            "r.h:3:8 reference",
        ],
    );
    check(&files, "V.run", &["p.cc:4:18 call", "p.cc:4:35 call"]);
}

#[test]
fn a_comparison_among_the_arguments_of_a_template_does_not_end_them() {
    let header = "namespace Outer {
    namespace Detail {
        template <typename T, typename G>
            std::enable_if_t<sizeof(G) >= sizeof(T), T> fill(G& gen) {
            using r = typename G::result_type;
            return static_cast<T>( gen() >> 1 );
        }
        template <typename T, typename = Wrap<Id<T>, (sizeof(T)>=4)>>
        T second(T in) { int a = 3; a >>= 1; return a >= 2 && in<a ? in : in; }
    }
}
bool operator>=(One a, Two b) { return true; }
";
    let source = "#include \"a.hpp\"
namespace Outer { int f() { return Detail::second<int>(1); } }
int g() { return Outer::Detail::second<int>(fill(1)); }
";
    let files = [("a.hpp", header), ("b.cpp", source)];
    check(
        &files,
        "Outer.Detail.second",
        &["b.cpp:2:43 call", "b.cpp:3:32 call"],
    );
    check(&files, "Outer.Detail.fill", &["b.cpp:3:44 call?"]);
    check(&files, "operator>=", &[]);
}

#[test]
fn a_class_defined_outside_of_the_one_that_declares_it_is_followed() {
    let files = [
        (
            "a.h",
            "class A {\n  class B;\n  template <class T> class W;\n  static int help();\n  \
             void run();\n};\n",
        ),
        (
            "a.cc",
            "#include \"a.h\"\n\
             class A::B {\n public:\n  B(int a);\n  void open();\n  \
             void close() { help(); open(); }\n  \
             A* top_;\n};\n\
             template <class T> class A::W {\n public:\n  T walk();\n  void reset();\n};\n\
             void A::B::open() { close(); top_->run(); help(); }\n\
             template <class T> T A::W<T>::walk() { reset(); return T(); }\n\
             class C : public A::W<int> {};\n\
             void A::run() {\n  B b(1);\n  b.open();\n  C c;\n  c.walk();\n}\n",
        ),
    ];
    check(&files, "A.B.close", &["a.cc:14:20 call"]);
    check(&files, "A.B.open", &["a.cc:6:25 call", "a.cc:19:4 call"]);
    check(&files, "A.help", &["a.cc:6:17 call", "a.cc:14:42 call"]);
    check(&files, "A.run", &["a.cc:14:35 call"]);
    check(&files, "A.W.walk", &["a.cc:21:4 call"]);
    check(&files, "A.W.reset", &["a.cc:15:39 call"]);
    check(
        &files,
        "a.cc:2:10",
        &[
            "a.cc:14:8 reference",
            "a.cc:18:2 reference",
            "a.h:2:8 reference",
        ],
    );
    check(
        &files,
        "a.cc:9:29",
        &[
            "a.cc:15:24 reference",
            "a.cc:16:20 inherit",
            "a.h:3:27 reference",
        ],
    );
}

#[test]
fn a_class_in_capital_letters_is_no_macro_in_its_constructors() {
    let files = [(
        "a.h",
        "class EXPORT URL2 {\n  URL2(const char* a);\n  URL2(int a);\n  \
         URL2(int a, const URL2& b);\n  \
         void f(URL2* a);\n};\n",
    )];
    let rows = ["a.h:4:20 reference", "a.h:5:9 reference"];
    check(&files, "a.h:1:14", &rows);
    let cpp = ragnav::syntax::find_language("cpp").unwrap();
    let symbols = ragnav::syntax::extract_symbols(cpp, files[0].1);
    assert_eq!(symbols.len(), 5, "{symbols:#?}");
}

#[test]
fn the_body_of_a_test_with_its_name_in_a_string_has_types_of_its_own() {
    let files = [(
        "a.cpp",
        "TEST_CASE(\"a\", \"[b]\") {\n  enum kind { one };\n  kind k = kind::one;\n}\n\
         TEST_CASE(\"c\", \"[b]\") {\n  enum class kind { one };\n  kind k{kind::one};\n}\n",
    )];
    check(
        &files,
        "a.cpp:2:8",
        &["a.cpp:3:2 reference", "a.cpp:3:11 reference"],
    );
    check(
        &files,
        "a.cpp:6:14",
        &["a.cpp:7:2 reference", "a.cpp:7:9 reference"],
    );
}

#[test]
fn a_header_with_a_method_in_a_struct_is_cpp() {
    for member in [
        "void run();",
        "int size; const char* run() const;",
        "bool run(int a) { return a > 0; }",
        "virtual void run() = 0;",
    ] {
        let header = format!("struct Item {{ {member} }};\nItem make();\n");
        let files = [
            ("a.h", header.as_str()),
            (
                "a.cpp",
                "#include \"a.h\"\nvoid f(Item i) { i.run(); }\nvoid g() { make().run(); }\n",
            ),
        ];
        check(&files, "Item.run", &["a.cpp:2:19 call", "a.cpp:3:18 call"]);
    }
}

#[test]
fn a_macro_among_the_members_of_a_class_is_no_member() {
    let files = [
        ("m.h", "#define DISALLOW_COPY(a) a(const a&) = delete\n"),
        (
            "a.h",
            "#include \"m.h\"\nnamespace n {\nclass A {\n  int size_;\n  DISALLOW_COPY(A);\n};\n\
             class B {\n  DISALLOW_COPY(B);\n};\n}\n",
        ),
    ];
    check(
        &files,
        "DISALLOW_COPY",
        &["a.h:5:2 reference", "a.h:8:2 reference"],
    );
}

#[test]
fn an_alias_of_a_namespace_in_a_function_leads_to_types() {
    let files = [
        (
            "cart.h",
            "namespace shop { class Cart { public: Cart(int a); int sum(); }; }\n",
        ),
        (
            "main.cc",
            "#include \"cart.h\"
void f() {
  namespace s = shop;
  auto a = s::Cart{1};
  s::Cart b(2);
  a.sum(); b.sum();
}
",
        ),
    ];
    let rows = ["main.cc:4:14 call", "main.cc:5:5 reference"];
    check(&files, "shop.Cart", &rows);
    let rows = ["main.cc:6:4 call", "main.cc:6:13 call"];
    check(&files, "shop.Cart.sum", &rows);
}

#[test]
fn a_namespace_that_is_used_in_one_without_a_name_is_seen_around_it() {
    let header = ("a.h", "namespace n { inline int total() { return 1; } }\n");
    check(
        &[
            header,
            (
                "b.cc",
                "#include \"a.h\"\nnamespace {\nusing namespace n;\n\
                 int f() { return total(); }\n}\n\
                 int g() { return total(); }\n",
            ),
            (
                "c.cc",
                "#include \"a.h\"\nnamespace m { using namespace n; }\n\
                 int h() { return total(); }\n",
            ),
            (
                "d.cc",
                "#include \"a.h\"\nnamespace m {\ninline namespace v1 { using namespace n; }\n\
                 int k() { return total(); }\n}\n",
            ),
        ],
        "n.total",
        &[
            "b.cc:4:17 call",
            "b.cc:6:17 call",
            "d.cc:4:17 call",
            "c.cc:3:17 call?",
        ],
    );
}

#[test]
fn tests_see_the_members_of_their_fixture() {
    let header = ("a.h", "class Fix { public: int id() { return 1; } };\n");
    let tests = [
        "TEST_CASE_METHOD(Fix, \"a\", \"[b]\") { id(); }\n",
        "SCENARIO_METHOD(::Fix, \"a\") {\n id();\n}\n",
        "BOOST_FIXTURE_TEST_CASE(name, Fix) { id(); }\n",
        "TEST_F(Fix, name) { id(); }\n",
        "TEST(Fix, name) { id(); }\n",
        "TEST_CASE(\"a\") { id(); }\n",
        "BOOST_FIXTURE_TEST_CASE_TEMPLATE(name, Other, list, Fix) { id(); }\n",
        "BENCH(Fix, \"a\") { id(); }\n",
        "BOOST_AUTO_TEST_CASE(Fix) { id(); }\n",
    ];
    let text = format!("#include \"a.h\"\n{}", tests.concat());
    check(
        &[header, ("b.cc", &text)],
        "Fix.id",
        &[
            "b.cc:2:36 call",
            "b.cc:4:1 call",
            "b.cc:6:37 call",
            "b.cc:7:20 call",
            "b.cc:10:59 call",
            "b.cc:8:18 call?",
            "b.cc:9:17 call?",
            "b.cc:11:18 call?",
            "b.cc:12:28 call?",
        ],
    );
}

#[test]
fn a_macro_with_a_lambda_hides_no_name_behind_it() {
    check(
        &[(
            "a.cc",
            "namespace n { int total() { return 1; } }\n\
             void f() {\n using namespace n;\n SECTION(\"a\") {\n\
             \x20 REQUIRE(find([](int) { return false; }));\n }\n\
             SECTION(\"b\") {\n  total();\n }\n}\n",
        )],
        "n.total",
        &["a.cc:8:2 call"],
    );
}

#[test]
fn a_class_before_a_macro_ends_where_it_does() {
    check(
        &[(
            "a.cc",
            "struct R { void open() {} };\nstruct A { void f() {} }\nPACK(const int);\n\
             R g() { return R(); }\nvoid h() { g().open(); }\n",
        )],
        "R.open",
        &["a.cc:5:15 call"],
    );
}

#[test]
fn macros_of_googlemock_declare_methods() {
    let header = (
        "a.h",
        "struct Result { int get() { return 1; } };\n\
         class Shop { public: virtual Result total(int a) = 0; };\n",
    );
    let test = "#include \"a.h\"\nclass MockShop : public Shop {\n public:\n\
         \x20 MOCK_METHOD(Result, total, (int a), (override));\n\
         \x20 MOCK_CONST_METHOD1(count, int(const Result& a));\n};\n\
         void f(MockShop& shop) { shop.total(1).get(); shop.count(Result()); }\n";
    let files = [header, ("b.cc", test)];
    check(&files, "MockShop.total", &["b.cc:7:30 call"]);
    check(&files, "MockShop.count", &["b.cc:7:51 call"]);
    check(&files, "a.Result.get", &["b.cc:7:39 call"]);
}
