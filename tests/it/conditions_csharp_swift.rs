//! The conditions of C# and Swift: `#if` and its branches.

use crate::conditions::conditions;

#[test]
fn branches_of_csharp_say_their_condition() {
    let text = "\
#define TRACE
#if DEBUG && !NET6_0 // A comment.
using A;
#elif NET8_0_OR_GREATER
using B;
#else
using C;
#endif
class D {
  #region E
  # if TRACE
  void F() { G(); }
  # endif
  #endregion
  string s = @\"\\
#if H
\";
  string t = \"\"\"
    #if I
    \"\"\";
  /*
  #if J
  */
  void K() {}
}
";
    // A directive is outside of its branch, and stands under the opposites of those before.
    assert_eq!(
        conditions("csharp", text),
        [
            "3 DEBUG && !NET6_0",
            "5 !(DEBUG && !NET6_0) && NET8_0_OR_GREATER",
            "6 !(DEBUG && !NET6_0)",
            "7 !(DEBUG && !NET6_0) && !(NET8_0_OR_GREATER)",
            "12 TRACE",
            "13 TRACE",
        ]
    );
}

#[test]
fn a_conditional_that_divides_a_construct_of_csharp_is_one() {
    let text = "class A\n#if B\n : C\n#else\n : D\n#endif\n{\n  void E() {}\n}\n";
    let found = conditions("csharp", text);
    assert!(found.contains(&"3 B".to_owned()), "{found:?}");
    assert!(!found.iter().any(|row| row.starts_with("8 ")), "{found:?}");
}

#[test]
fn branches_of_swift_say_their_condition() {
    let text = "\
#if os(Linux) || os(Android) // A comment.
import Glibc
#elseif canImport(Darwin)
import Darwin
#else
#error(\"no\")
#endif
class A {
  #if DEBUG
  func b() { c() }
  #endif
  let s = \"\"\"
  #if D
  \"\"\"
  /* /* */
  #if E
  */
  func f() {}
}
";
    let found = conditions("swift", text);
    let at = |line: u32| {
        let start = format!("{line} ");
        let row = found.iter().find_map(|row| row.strip_prefix(&start));
        row.unwrap_or("always")
    };
    assert_eq!(at(2), "os(Linux) || os(Android)");
    assert_eq!(at(4), "!(os(Linux) || os(Android)) && canImport(Darwin)");
    assert_eq!(at(10), "DEBUG");
    assert_eq!(at(18), "always");
}
