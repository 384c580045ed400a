//! Java: definitions and references.

use crate::lang_rows::check;
use ragnav::syntax::{extract_facts, find_language};

#[test]
fn definitions_begin_after_their_annotations() {
    check(
        "A.java",
        r#"package com.example;

/** What A is. */
@Service
@Named("a")
public class A<T> extends Base<T> implements Runnable, b.C {
    private int field;

    @Override
    public void run() {}

    A() {}

    @Test void test() {}

    static class Inner {
        void go() {}
    }
    enum E { X { void x() {} }; void e() {} }
    record R(int a) { R {} }
    @interface Note { String value(); }
    interface I extends J { void m(); }
}
"#,
        &[
            "A class 4 6-23",
            "A.run method 9 10-10",
            "A.A method 12 12-12",
            "A.test method 14 14-14",
            "A.Inner class 16 16-18",
            "A.Inner.go method 17 17-17",
            "A.E enum 19 19-19",
            "A.E.x method 19 19-19",
            "A.E.e method 19 19-19",
            "A.R class 20 20-20",
            "A.R.R method 20 20-20",
            "A.Note interface 21 21-21",
            "A.Note.value method 21 21-21",
            "A.I interface 22 22-22",
            "A.I.m method 22 22-22",
        ],
        &[
            "#0 4:1 Service read",
            "#0 5:1 Named read",
            "#1 6:26 Base inherit",
            "#1 6:31 T read",
            "#1 6:45 Runnable inherit",
            "#1 6:55 b read",
            "#1 6:57 b.C inherit",
            "#2 9:5 Override read",
            "#2 14:5 Test read",
            "#8 19:13 =this.E:X call",
            "#14 21:22 String read",
            "#2 22:24 J inherit",
        ],
        &[],
    );
}

#[test]
fn methods_belong_to_the_enclosing_class() {
    check(
        "A.java",
        "import com.example.auth.Login;
import static java.util.Map.entry;

class A {
    int stop;
    void run(Login login) {
        stop(1);
        this.stop(2);
        login.stop(3);
        Login.create();
        A.stop(4);
        int stop = stop(5);
        use(stop, this.stop);
        list.forEach(this::stop);
        new Thread(new Runnable() { public void run() { stop(6); run(); } });
    }
    void stop(int n) {}
    class Inner { void go() { stop(7); } }
    class Heir extends Base { void go() { stop(8); } }
}
",
        &[
            "A class 4 4-20",
            "A.run method 6 6-16",
            "A.run.run method 15 15-15",
            "A.stop method 17 17-17",
            "A.Inner class 18 18-18",
            "A.Inner.go method 18 18-18",
            "A.Heir class 19 19-19",
            "A.Heir.go method 19 19-19",
        ],
        &[
            "#0 1:24 ?.Login import",
            "#0 2:24 java.util.Map read",
            "#0 2:28 ?.entry import",
            "#2 6:13 Login read",
            "#2 7:8 stop call",
            "#2 8:13 this.stop call",
            "#2 9:8 login read",
            "#2 9:14 login.stop call",
            "#2 10:8 Login read",
            "#2 10:14 Login.create call",
            "#2 11:8 A read",
            "#2 11:10 A.stop call",
            "#2 12:19 stop call",
            "#2 13:8 use call",
            "#2 13:12 stop read",
            "#2 13:23 this.stop read",
            "#2 14:8 list read",
            "#2 14:13 list.forEach call",
            "#2 14:27 this.stop read",
            "#2 15:12 Thread call",
            "#2 15:23 Runnable call",
            "#4 15:56 stop call",
            "#4 15:65 run call",
            "#7 18:30 stop call",
            "#1 19:23 Base inherit",
            "#9 19:42 stop call",
        ],
        &[
            "#0 1:24 com.example.auth Login Login",
            "#0 2:28 java.util.Map entry entry",
        ],
    );
}

#[test]
fn hostile_texts_have_facts() {
    let deep = "(".repeat(5_000);
    for text in [
        "class",
        "class A {",
        "class A { void f( { int a = ",
        "package ; import ; import a.*; class A extends { }",
        "class É { void ü() { ö = ä.ß(); } }",
        "@interface A { int a() default ; } @A(a = ) class B {}",
        &format!("class A {{ int a = {deep}"),
        &format!("class A {{ int a = f{}", ".g()".repeat(5_000)),
        &format!("class A {{ Object a = {}", "new A() {".repeat(500)),
        &format!("class A {{ int{} a; }}", "[]".repeat(50_000)),
        &format!("class A {{ Object a = new A{}; }}", "[1]".repeat(50_000)),
    ] {
        let facts = extract_facts(find_language("java").unwrap(), text);
        let size: usize = facts.names.iter().map(String::len).sum();
        assert!(size <= 250 * text.len() + 1_000, "{size}");
    }
}

#[test]
fn an_inferred_type_is_no_reference() {
    check(
        "A.java",
        "class A { void m() { var a = new B(); for (var b : a.c()) b.d(); } }\n",
        &["A class 1 1-1", "A.m method 1 1-1"],
        &[
            "#2 1:33 B call",
            "#2 1:51 a read",
            "#2 1:53 a.c call",
            "#3 1:58 b read",
            "#3 1:60 b.d call",
        ],
        &[],
    );
}
