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

#[test]
fn a_class_without_a_name_is_passed_as_what_it_extends() {
    let text = "interface Module {}
abstract class Base implements Module {}
class Guice {
    static void create(Module... modules) {}
    static void create(Iterable<Module> modules) {}
    static void create(int stage, Module... modules) {}
    static void run(Runnable task) {}
    static void run(Module task) {}
    void use() {
        create(new Base() {});
        create(new Base() {}, new Module() {});
        create(1, new Base() {});
        run(new Runnable() { public void run() {} });
        run(new Module() {});
    }
}
";
    let files = [("A.java", text)];
    let modules = ["A.java:10:8 call", "A.java:11:8 call"];
    check(&files, "A.java:4:17", &modules);
    check(&files, "A.java:5:17", &[]);
    check(&files, "A.java:6:17", &["A.java:12:8 call"]);
    check(&files, "A.java:7:17", &["A.java:13:8 call"]);
    check(&files, "A.java:8:17", &["A.java:14:8 call"]);
}

#[test]
fn an_argument_of_an_unknown_type_does_not_tell_equal_parameters_apart() {
    let text = "class A {
    static void f(String a, Number b) {}
    static void f(Object a, Number b) {}
    static void f(Object a, String b) {}
    void use() {
        f(\"a\", Outside.b());
        f(Outside.a(), 1);
        f(getClass(), Outside.b());
        f(toString(), 1);
    }
}
";
    let files = [("A.java", text)];
    let any = ["A.java:6:8 call?", "A.java:7:8 call?"];
    check(&files, "A.java:2:17", &["A.java:9:8 call", any[0], any[1]]);
    check(&files, "A.java:3:17", &[any[0], any[1], "A.java:8:8 call?"]);
    let text = text.replace("    static void f(Object a, String b) {}\n", "");
    let files = [("A.java", text.as_str())];
    let text_calls = ["A.java:5:8 call", "A.java:8:8 call", "A.java:6:8 call?"];
    check(&files, "A.java:2:17", &text_calls);
    check(
        &files,
        "A.java:3:17",
        &["A.java:7:8 call", "A.java:6:8 call?"],
    );
}

#[test]
fn types_of_one_name_in_different_files_may_differ() {
    let base = "package p;
import org.y.Context;
public class Base { public void f(Object a, Context b) {} }
";
    let text = "package q;
import org.x.Context;
class Sub extends p.Base {
    void f(String a, Context b) {}
    void use() { f(\"a\", org.z.Other.make()); }
}
";
    let files = [("p/Base.java", base), ("q/Sub.java", text)];
    check(&files, "Base.f", &["q/Sub.java:5:17 call?"]);
    check(&files, "Sub.f", &["q/Sub.java:5:17 call?"]);
}

#[test]
fn enums_records_and_annotations_have_implicit_interfaces() {
    let text = "import java.lang.annotation.Annotation;
enum Size { SMALL }
record Point(int a) {}
@interface Named {}
class A {
    static void f(Comparable a) {}
    static void f(Object a) {}
    static void g(Annotation a) {}
    static void g(Class<?> a) {}
    static void h(Record a) {}
    static void h(Object a) {}
    void use(Named named) {
        f(Size.SMALL);
        f(new A());
        g(named);
        g(Named.class);
        h(new Point(1));
        h(named);
    }
}
";
    let files = [("A.java", text)];
    for (method, call) in [(6, 13), (7, 14), (8, 15), (9, 16), (10, 17), (11, 18)] {
        let expected = format!("A.java:{call}:8 call");
        check(&files, &format!("A.java:{method}:17"), &[expected.as_str()]);
    }
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
