//! C++: definitions and references.

use crate::lang_rows::check;
use ragnav::syntax;

#[test]
fn conversions_have_the_names_of_their_types() {
    for (language, text) in [
        (
            "cpp",
            "struct A { operator const std::vector<int> &() const; };",
        ),
        (
            "csharp",
            "class A { public static implicit operator Map<int>(A a) => null; }",
        ),
    ] {
        let language = syntax::find_language(language).unwrap();
        let found = syntax::extract_symbols(language, text);
        let names: Vec<&str> = found.iter().map(|one| &*one.name_path).collect();
        assert!(
            ["A.operator const vector &", "A.operator Map"].contains(&names[1]),
            "{names:?}"
        );
    }
}

#[test]
fn definitions_are_declared_or_have_bodies() {
    check(
        "a.cc",
        r#"#include <string>
#include "own.h"
#define ADD(a, b) ((a) + (b))
#define MAX 10
namespace shop::carts {
inline namespace v1 {
// What A is.
template <typename T>
class EXPORT A : public Base<T>, b::C {
 public:
  A() = default;
  explicit A(int a) : a_(a) {}
  virtual ~A();
  virtual int total(int n) const = 0;
  void operator()() const {}
  A& operator+=(const A& other);
  friend bool operator==(const A& a, const A& b) { return true; }
  friend void swap(A& a, A& b);
  template <typename U> void each(U f) { f(); }
  struct Inner { int x; };
  enum class Color : int { kRed, kGreen };
  using Alias = T;
  int a_, (*callback)(int);
};
template <> class A<int> { void f(); };
}
namespace { int hidden() { return 1; } }
union Bits { int i; };
typedef struct { int x; } Point;
template <typename T> concept Small = sizeof(T) < 4;
}
extern "C" { int exported(void) { return 0; } }
int declared(int);
shop::carts::A::~A() {}
int shop::carts::A::total(int n) const NOEXCEPT { return n; }
auto lambda = [](int x) { return ADD(x, MAX); };
"#,
        &[
            "ADD function 3 3-3",
            "shop.carts namespace 5 5-31",
            "shop.carts.v1 namespace 6 6-26",
            "shop.carts.v1.A class 8 9-24",
            "shop.carts.v1.A.A method 11 11-11",
            "shop.carts.v1.A.A method 12 12-12",
            "shop.carts.v1.A.~A method 13 13-13",
            "shop.carts.v1.A.total method 14 14-14",
            "shop.carts.v1.A.operator() method 15 15-15",
            "shop.carts.v1.A.operator+= method 16 16-16",
            "shop.carts.v1.A.operator== function 17 17-17",
            "shop.carts.v1.A.each method 19 19-19",
            "shop.carts.v1.A.Inner class 20 20-20",
            "shop.carts.v1.A.Color enum 21 21-21",
            "shop.carts.v1.A.Alias type 22 22-22",
            "shop.carts.v1.A class 25 25-25",
            "shop.carts.v1.A.f method 25 25-25",
            "shop.carts.hidden function 27 27-27",
            "shop.carts.Bits class 28 28-28",
            "shop.carts.Point class 29 29-29",
            "shop.carts.Small type 30 30-30",
            "exported function 32 32-32",
            "shop.carts.A.~A method 34 34-34",
            "shop.carts.A.total method 35 35-35",
        ],
        &[
            "#0 9:6 EXPORT read",
            "#4 9:24 Base inherit",
            "#4 9:29 T read",
            "#4 9:33 b read",
            "#4 9:36 b.C inherit",
            "#7 12:22 a_ call",
            "#7 12:25 a read",
            "#5 16:2 A read",
            "#5 16:22 A read",
            "#5 17:31 A read",
            "#5 17:43 A read",
            "#5 18:14 swap read",
            "#5 18:19 A read",
            "#5 18:25 A read",
            "#13 19:34 U read",
            "#14 19:41 f call",
            "#5 22:16 T read",
            "#25 30:45 T read",
            "#0 33:4 declared read",
            "#28 34:0 shop read",
            "#28 34:6 shop.carts read",
            "#28 34:13 shop.carts.A read",
            "#30 35:4 shop read",
            "#30 35:10 shop.carts read",
            "#30 35:17 shop.carts.A read",
            "#0 35:39 NOEXCEPT read",
            "#31 35:57 n read",
            "#32 36:33 ADD call",
            "#32 36:37 x read",
            "#32 36:40 MAX read",
        ],
        &["#0 1:9 string module -", "#0 2:9 .own.h module -"],
    );
}

#[test]
fn methods_outside_of_their_class_are_members() {
    check(
        "a.cpp",
        "namespace n {
struct A { void run(); void stop(); static void go(); int size; };
void stop() {}
void A::run() {
  stop();
  this->stop();
  other->stop();
  A::go();
  n::stop();
  std::move<A>(size);
  auto stop = new A(1);
  call(stop);
}
void free() { stop(); }
}
void n::free() {}
",
        &[
            "n namespace 1 1-15",
            "n.A class 2 2-2",
            "n.A.run method 2 2-2",
            "n.A.stop method 2 2-2",
            "n.A.go method 2 2-2",
            "n.stop function 3 3-3",
            "n.A.run method 4 4-13",
            "n.free function 14 14-14",
            "n.free function 16 16-16",
        ],
        &[
            "#7 4:5 A read",
            "#8 5:2 stop call",
            "#8 6:8 this.stop call",
            "#8 7:2 other read",
            "#8 7:9 other.->.stop call",
            "#8 8:2 A read",
            "#8 8:5 A.go call",
            "#8 9:2 n read",
            "#8 9:5 n.stop call",
            "#8 10:2 std read",
            "#8 10:7 std.move call",
            "#8 10:12 A read",
            "#8 10:15 size read",
            "#8 11:18 A call",
            "#8 12:2 call call",
            "#8 12:7 stop read",
            "#9 14:14 stop call",
            "#10 16:5 n read",
        ],
        &[],
    );
}

#[test]
fn references_exclude_variables() {
    check(
        "a.hpp",
        "using std::vector;
using namespace other;
template <typename T, int N>
T sum(const vector<T>& items, int start = zero()) {
  int total = start, count(N);
  for (const auto& item : items) total += item.value() + item.field;
  auto [first, second] = pair(total);
  if (int found = find(first); found) return second;
  return [&, copy = count](T x) { return x + copy + global; }(total);
}
class A final : Base {
  std::map<Key, Value> map_;
  void f(Type type) { map_.find<Key>(type); g(); }
  void g();
};
",
        &[
            "sum function 3 4-10",
            "A class 11 11-15",
            "A.f method 13 13-13",
            "A.g method 14 14-14",
        ],
        &[
            "#0 1:6 std read",
            "#0 1:11 std.vector read",
            "#0 2:16 other read",
            "#1 4:0 T read",
            "#1 4:12 vector read",
            "#1 4:19 T read",
            "#1 4:42 zero call",
            "#2 5:14 start read",
            "#2 5:27 N read",
            "#2 6:26 items read",
            "#3 6:33 total read",
            "#3 6:42 item read",
            "#3 6:47 item.value call",
            "#3 6:57 item read",
            "#3 6:62 item.field read",
            "#2 7:25 pair call",
            "#2 7:30 total read",
            "#4 8:18 find call",
            "#4 8:23 first read",
            "#4 8:31 found read",
            "#4 8:45 second read",
            "#2 9:20 count read",
            "#5 9:27 T read",
            "#5 9:41 x read",
            "#5 9:45 copy read",
            "#5 9:52 global read",
            "#2 9:62 total read",
            "#0 11:16 Base inherit",
            "#6 12:2 std read",
            "#6 12:7 std.map read",
            "#6 12:11 Key read",
            "#6 12:16 Value read",
            "#6 13:9 Type read",
            "#7 13:22 map_ read",
            "#7 13:27 map_.find call",
            "#7 13:32 Key read",
            "#7 13:37 type read",
            "#7 13:44 g call",
        ],
        &["#0 1:11 std vector vector"],
    );
}

#[test]
fn headers_of_c_may_be_cpp() {
    check(
        "a.h",
        "#pragma once\nnamespace n {\nclass A {\n public:\n  void f();\n};\n}\n",
        &["n namespace 2 2-7", "n.A class 3 3-6", "n.A.f method 5 5-5"],
        &[],
        &[],
    );
    check(
        "a.h",
        "struct class_of { int class; };\nint template(int namespace);\nint f(void) { return 1; }\n",
        &["class_of class 1 1-1", "f function 3 3-3"],
        &["#0 2:4 template read"],
        &[],
    );
}

#[test]
fn casts_are_no_calls() {
    check(
        "a.cc",
        "int f(void* p) { return g(static_cast<A*>(p), *reinterpret_cast<const B*>(p)); }\n",
        &["f function 1 1-1"],
        &[
            "#1 1:24 g call",
            "#1 1:38 A read",
            "#1 1:42 p read",
            "#1 1:70 B read",
            "#1 1:74 p read",
        ],
        &[],
    );
}

#[test]
fn names_in_arguments_of_removed_macros_are_references() {
    check(
        "a.cc",
        "template <typename T, ENABLE_IF(is_number<T>::value && check(1))> void f(T a) {}
",
        &["f function 1 1-1"],
        &[
            "#0 1:22 ENABLE_IF call",
            "#1 1:32 is_number read",
            "#1 1:42 T read",
            "#1 1:46 ?.value read",
            "#1 1:55 check call",
            "#1 1:73 T read",
        ],
        &[],
    );
}

#[test]
fn a_body_behind_a_macro_is_a_definition() {
    check(
        "a.cc",
        "namespace n {\nTEST_F(Cart, IsEmpty) { total(); }\nLOOP(a) { class B {}; }\n\
         void f() { CATCH(int) {} }\n}\n",
        &[
            "n namespace 1 1-5",
            "n.Cart.IsEmpty.TEST_F function 2 2-2",
            "n.a.LOOP function 3 3-3",
            "n.a.LOOP.B class 3 3-3",
            "n.f function 4 4-4",
        ],
        &[
            "#1 2:0 TEST_F call",
            "#2 2:7 Cart read",
            "#2 2:13 IsEmpty read",
            "#3 2:24 total call",
            "#1 3:0 LOOP call",
            "#4 3:5 a read",
            "#7 4:11 CATCH call",
        ],
        &[],
    );
}

#[test]
fn conditions_may_test_attributes() {
    check(
        "a.cc",
        "#if A && \\\n  __has_cpp_attribute(gnu::pure)\nvoid f();\n#elif WARNS(\"-Wa\")\n\
         void g() {}\n#endif\nstruct A : B { void h(); };\n",
        &["g function 5 5-5", "A class 7 7-7", "A.h method 7 7-7"],
        &[
            "#0 1:4 A read",
            "#0 2:2 __has_cpp_attribute call",
            "#0 3:5 f read",
            "#0 4:6 WARNS call",
            "#0 7:11 B inherit",
        ],
        &[],
    );
}
