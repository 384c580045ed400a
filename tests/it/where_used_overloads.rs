//! `where_used` of methods that share a name: the number of arguments tells which one is called.

use crate::where_used::check;

const JAVA: (&str, &str) = (
    "Base.java",
    "class Base implements Shape {
    Base() {}
    Base(int a) {}
    void f(int a) {}
    void f(int a, int... b) {}
    Base g() { return this; }
    void h(int a) {}
}
interface Shape {
    default void f(int a, String b, int c, int d) {}
    default void f() {}
}
class Middle extends Base {
    void f(int a, int b, int c) {}
}
class Last extends Middle {
    Other g(int a) { return null; }
    void h(int a) {}
    void h() {}
    void use() {
        f();
        f(1);
        this.f(1, 2);
        new Last().f(1, 2, 3);
        g().f(1);
        g(1).f(1);
        super.f(1);
        new Base();
        new Base(1);
        h(/* none */);
    }
    class Other {
        void f(int a) {}
    }
}
class Foreign extends lib.Outside {
    void f(int a) {}
    void use() { f(1, 2); f(1); }
}
",
);

#[test]
fn inherited_overloads_of_java_are_called() {
    let one = [
        "Base.java:22:8 call",
        "Base.java:25:12 call",
        "Base.java:27:14 call",
    ];
    check(&[JAVA], "Base.java:4:10", &one);
    // `f(1)` fits the first method, so it does not pass an empty `b`.
    check(&[JAVA], "Base.java:5:10", &["Base.java:23:13 call"]);
    check(&[JAVA], "Base.java:11:18", &["Base.java:21:8 call"]);
    check(&[JAVA], "Base.java:14:10", &["Base.java:24:19 call"]);
    check(&[JAVA], "Other.f", &["Base.java:26:13 call"]);
}

#[test]
fn constructors_of_java_take_their_numbers_of_arguments() {
    check(&[JAVA], "Base.java:2:5", &["Base.java:28:12 call"]);
    check(&[JAVA], "Base.java:3:5", &["Base.java:29:12 call"]);
}

#[test]
fn a_class_from_elsewhere_may_declare_another_overload() {
    let expected = ["Base.java:38:26 call", "Base.java:38:17 call?"];
    check(&[JAVA], "Foreign.f", &expected);
}

#[test]
fn a_method_overrides_those_with_as_many_parameters() {
    // `h()` overrides nothing, so a call of `Base.h` cannot run it.
    let caller = "class Caller { void use(Base a) { a.h(1); } }\n";
    let files = [JAVA, ("Caller.java", caller)];
    check(&files, "Base.java:18:10", &["Caller.java:1:36 call?"]);
    check(&files, "Base.java:19:10", &["Base.java:30:8 call"]);
}

#[test]
fn variadic_methods_are_the_last_choice_of_java() {
    let text = "class A {
    void f() {}
    void g(int a, int b) {}
}
class B extends A {
    void f(Object... all) {}
    void g(int... all) {}
    void use() { f(); f(1); g(1, 2); this.g(1, 2, 3); }
}
";
    let files = [("A.java", text)];
    check(&files, "A.f", &["A.java:8:17 call"]);
    check(&files, "A.g", &["A.java:8:28 call"]);
    check(&files, "B.f", &["A.java:8:22 call"]);
    check(&files, "B.g", &["A.java:8:42 call"]);
    // In C#, the methods of the class itself are.
    let text = "class A { public void F() {} }
class B : A {
    public void F(params object[] all) {}
    void Use() { F(); }
}
";
    let files = [("A.cs", text)];
    check(&files, "A.F", &[]);
    check(&files, "B.F", &["A.cs:4:17 call"]);
}

#[test]
fn a_name_that_is_not_called_may_mean_any_overload() {
    let text = "class A {
    static void f(int a) {}
    static void f(int a, int b) {}
    static void g(int a) {}
    void use() { run(A::f); run(A::g); }
}
";
    let files = [("A.java", text)];
    check(&files, "A.f", &["A.java:5:24 reference"]);
    check(&files, "A.java:2:17", &["A.java:5:24 reference?"]);
    check(&files, "A.g", &["A.java:5:35 reference"]);
}

#[test]
fn a_call_that_fits_no_method_keeps_them_all() {
    let text = "class A {\n    void f(int a) {}\n    void use() { f(1, 2); }\n}\n";
    check(&[("A.java", text)], "A.f", &["A.java:3:17 call"]);
}

const CSHARP: (&str, &str) = (
    "Base.cs",
    "class Base : IShape {
    public Base() {}
    public Base(int a) {}
    public void F(int a) {}
    public void F(int a, int b = 1, params int[] c) {}
}
interface IShape { void F(); }
partial class Last : Base {
    public void F(string a, int b, int c, int d) {}
    void Use(Last last) {
        F(1);
        this.F(1, b: 2);
        last?.F(\"\", 2, 3, 4);
        F(1, 2, 3, 4, 5);
        last.F<int>(1, 2);
        last.G(1, 2);
        last.G(1);
        last.G();
        new Base { };
        new Base(1);
        base.F(1);
    }
}
partial class Last {
    public void G(int a) {}
}
static class Extensions {
    public static void G(this Last a, int b, int c) {}
    public static void G(this Last a) {}
    static void Use(Last a) { Extensions.G(a, 1, 2); }
}
",
);

#[test]
fn inherited_overloads_of_csharp_are_called() {
    let one = ["Base.cs:11:8 call", "Base.cs:21:13 call"];
    check(&[CSHARP], "Base.cs:4:17", &one);
    // `F(1)` fits the first method, so it does not leave out `b`.
    let many = [
        "Base.cs:12:13 call",
        "Base.cs:14:8 call",
        "Base.cs:15:13 call",
    ];
    check(&[CSHARP], "Base.cs:5:17", &many);
    check(&[CSHARP], "Base.cs:9:17", &["Base.cs:13:14 call"]);
}

#[test]
fn constructors_of_csharp_take_their_numbers_of_arguments() {
    check(&[CSHARP], "Base.cs:2:12", &["Base.cs:19:12 call"]);
    check(&[CSHARP], "Base.cs:3:12", &["Base.cs:20:12 call"]);
}

#[test]
fn an_extension_method_is_called_where_no_method_takes_the_arguments() {
    check(&[CSHARP], "Base.cs:25:17", &["Base.cs:17:13 call"]);
    let three = ["Base.cs:16:13 call", "Base.cs:30:41 call"];
    check(&[CSHARP], "Base.cs:28:24", &three);
    check(&[CSHARP], "Base.cs:29:24", &["Base.cs:18:13 call"]);
}

#[test]
fn an_explicit_implementation_is_no_member_of_its_type() {
    let text = "interface IBag { void Add(int a); int Size { get; } }
class Bag {
    public void Add(object a) {}
    public int Size => 1;
}
class Strict : Bag, IBag {
    void IBag.Add(int a) {}
    int IBag.Size => 2;
    void Use(IBag bag) {
        Add(1);
        this.Add(Size);
        bag.Add(bag.Size);
    }
}
";
    let files = [("Bag.cs", text)];
    let added = ["Bag.cs:10:8 call", "Bag.cs:11:13 call"];
    check(&files, "Bag.cs:3:17", &added);
    check(&files, "Bag.cs:4:16", &["Bag.cs:11:17 reference"]);
    check(&files, "Bag.cs:7:15", &["Bag.cs:12:12 call?"]);
    check(&files, "Bag.cs:8:14", &["Bag.cs:12:20 reference?"]);
}
