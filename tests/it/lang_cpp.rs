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
            "#3 9:24 ?.Base inherit",
            "#4 9:33 ?.b read",
            "#3 9:36 ?.C inherit",
            "#10 16:2 A read",
            "#10 16:22 A read",
            "#11 17:31 A read",
            "#11 17:43 A read",
            "#4 18:14 ?.swap read",
            "#0 33:4 ?.declared read",
            "#23 34:0 ?.shop read",
            "#23 34:6 ?.carts read",
            "#23 34:13 ?.A read",
            "#24 35:4 ?.shop read",
            "#24 35:10 ?.carts read",
            "#24 35:17 ?.A read",
            "#0 36:33 ADD call",
        ],
        &["#0 1:9 string module -", "#0 2:9 own.h module -"],
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
            "#7 4:5 ?.A read",
            "#7 5:2 ?.stop call",
            "#7 6:8 this.stop call",
            "#7 7:2 ?.other read",
            "#7 7:9 ?.stop call",
            "#7 8:2 ?.A read",
            "#7 8:5 ?.go call",
            "#7 9:2 ?.n read",
            "#7 9:5 ?.stop call",
            "#7 10:2 ?.std read",
            "#7 10:7 ?.move call",
            "#7 10:12 ?.A read",
            "#7 10:15 ?.size read",
            "#7 11:18 ?.A call",
            "#7 12:2 ?.call call",
            "#8 14:14 stop call",
            "#9 16:5 ?.n read",
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
            "#0 1:11 ?.vector import",
            "#0 2:16 ?.other import",
            "#1 4:12 ?.vector read",
            "#1 4:42 ?.zero call",
            "#1 5:21 ?.count read",
            "#1 6:47 ?.value call",
            "#1 7:25 ?.pair call",
            "#1 8:18 ?.find call",
            "#1 9:20 ?.count read",
            "#1 9:52 ?.global read",
            "#0 11:16 ?.Base inherit",
            "#2 12:2 ?.std read",
            "#2 12:7 ?.map read",
            "#2 12:11 ?.Key read",
            "#2 12:16 ?.Value read",
            "#3 13:9 ?.Type read",
            "#3 13:27 ?.find call",
            "#3 13:32 ?.Key read",
            "#3 13:44 g call",
        ],
        &["#0 1:11 std vector vector", "#0 2:16  other other"],
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
        &["#0 2:4 ?.template read"],
        &[],
    );
}
