//! `where_used` in Java: packages, imports, inheritance and the types of receivers.

use crate::where_used::{check, rows_of_totals};

const CART: (&str, &str) = (
    "src/main/java/shop/Cart.java",
    "package shop;

public class Cart<T> {
    int total;
    Cart next;
    Cart[] all;

    public Cart() {}
    public int total() { return total; }
    static Cart of(T item) { return new Cart(); }
    Cart self() { return this; }
    static class Item { void open() {} }
}
",
);

#[test]
fn types_are_found_by_packages_and_imports() {
    check(
        &[
            CART,
            // The same package, in another folder of sources.
            (
                "src/test/java/shop/CartTest.java",
                "package shop;\n\nclass CartTest { Cart a; }\n",
            ),
            (
                "src/main/java/app/A.java",
                "package app;\n\nimport shop.Cart;\n\nclass A { Cart a; }\n",
            ),
            (
                "src/main/java/app/B.java",
                "package app;\n\nimport shop.*;\n\nclass B { Cart a; }\n",
            ),
            (
                "src/main/java/app/C.java",
                "package app;\n\nclass C { shop.Cart a = new shop.Cart(); }\n",
            ),
            // Other types of this name.
            (
                "src/main/java/app/D.java",
                "package app;\n\nimport other.Cart;\n\nclass D { Cart a; }\n",
            ),
            (
                "src/main/java/app/E.java",
                "package app;\n\nclass E { Cart a; }\n",
            ),
            (
                "src/main/java/app/F.java",
                "package app;\n\nimport shop.*;\n\nclass F<Cart> { Cart a; }\n",
            ),
            (
                "src/main/java/app/G.java",
                "package app;\n\nimport shop.Cart.Item;\n\nclass G { class Cart {} Cart a; }\n",
            ),
        ],
        "shop.Cart.Cart",
        &[
            "src/main/java/app/A.java:3:12 import",
            "src/main/java/app/A.java:5:10 reference",
            "src/main/java/app/B.java:5:10 reference",
            "src/main/java/app/C.java:3:15 reference",
            "src/main/java/app/C.java:3:33 call",
            "src/main/java/app/G.java:3:12 reference",
            "src/main/java/shop/Cart.java:5:4 reference",
            "src/main/java/shop/Cart.java:6:4 reference",
            "src/main/java/shop/Cart.java:10:11 reference",
            "src/main/java/shop/Cart.java:10:40 call",
            "src/main/java/shop/Cart.java:11:4 reference",
            "src/test/java/shop/CartTest.java:3:17 reference",
        ],
    );
}

#[test]
fn methods_are_found_by_the_types_of_receivers() {
    check(
        &[
            CART,
            (
                "src/main/java/app/A.java",
                "package app;

import java.util.List;
import shop.Cart;
import static shop.Cart.of;

class A extends Cart {
    Cart cart;
    List<Cart> list;

    void f(Cart a, Cart... many) {
        a.total();
        this.cart.total();
        cart.next.self().total();
        a.all[0].total();
        of(1).total();
        Cart.of(1).total();
        new Cart().total();
        ((Cart) other()).total();
        total();
        super.total();
        A.this.total();
        var b = a.self();
        b.total();
        for (Cart c : list) c.total();
        for (var c : many) c.total();
        if (a instanceof Cart d) d.total();
        Runnable r = this::total;
        list.forEach(e -> e.total());
        list.get(0).total();
        String s = \"\";
        s.total();
        int total = a.total;
        int n = total;
        new Thread() { void run() { total(); } };
    }
}
",
            ),
            (
                "src/main/java/app/B.java",
                "package app;\n\nclass B {\n    void total() {}\n    void f(B b) { b.total(); total(); }\n}\n",
            ),
        ],
        "Cart.total",
        &[
            "src/main/java/app/A.java:12:10 call",
            "src/main/java/app/A.java:13:18 call",
            "src/main/java/app/A.java:14:25 call",
            "src/main/java/app/A.java:15:17 call",
            "src/main/java/app/A.java:16:14 call",
            "src/main/java/app/A.java:17:19 call",
            "src/main/java/app/A.java:18:19 call",
            "src/main/java/app/A.java:19:25 call",
            "src/main/java/app/A.java:20:8 call",
            "src/main/java/app/A.java:21:14 call",
            "src/main/java/app/A.java:22:15 call",
            "src/main/java/app/A.java:24:10 call",
            "src/main/java/app/A.java:25:30 call",
            "src/main/java/app/A.java:26:29 call",
            "src/main/java/app/A.java:27:35 call",
            "src/main/java/app/A.java:28:27 reference",
            "src/main/java/app/A.java:29:28 call",
            "src/main/java/app/A.java:30:20 call",
            "src/main/java/app/A.java:35:36 call",
        ],
    );
}

#[test]
fn fields_and_methods_of_one_name_are_apart() {
    check(
        &[(
            "A.java",
            "class A {
    A size;
    A size() { return size; }
    void f(A size) { size.size.f(size); this.size(); size(); }
    void g() { A size = size(); size.f(size); }
}
",
        )],
        "A.size",
        &["A.java:4:45 call", "A.java:4:53 call", "A.java:5:24 call"],
    );
}

#[test]
fn a_call_may_run_a_method_that_overrides_it() {
    let files = [(
        "A.java",
        "interface A { void run(); }
class B implements A { public void run() {} }
class C extends B { public void run() { super.run(); } }
class D { void run() {} void f(A a, B b, C c) { a.run(); b.run(); c.run(); run(); } }
",
    )];
    let all = ["A.java:4:50 call", "A.java:4:59 call", "A.java:4:68 call"];
    check(&files, "A.A.run", &all[..1]);
    check(
        &files,
        "A.B.run",
        &["A.java:3:46 call", all[1], &format!("{}?", all[0])],
    );
    check(
        &files,
        "A.C.run",
        &[all[2], &format!("{}?", all[0]), &format!("{}?", all[1])],
    );
    check(&files, "A.D.run", &["A.java:4:75 call"]);
}

#[test]
fn anonymous_classes_have_the_members_of_their_base() {
    check(
        &[(
            "A.java",
            "class A {
    void open() {}
    void f() {
        new B() { void run() { open(); close(); helper(); this.close(); } void helper() {} };
    }
}
abstract class B { void close() {} }
enum E { X { void close() { } void g() { close(); } }; void close() {} void h() { X.close(); close(); } }
",
        )],
        "B.close",
        &["A.java:4:39 call", "A.java:4:63 call"],
    );
}

#[test]
fn constructors_are_called_by_new() {
    check(
        &[(
            "A.java",
            "class A {
    A() {}
    A make() { A a = new A(); return a; }
}
class B extends A {}
",
        )],
        "A.A.A",
        &["A.java:3:25 call"],
    );
}

#[test]
fn members_of_foreign_classes_are_unknown() {
    check(
        &[
            (
                "A.java",
                "import other.Base;

class A extends Base {
    void f(Base base, String s) { open(); base.open(); s.open(); Base.make().open(); }
}
",
            ),
            ("B.java", "class B { void open() {} }\n"),
        ],
        "B.open",
        &["A.java:4:77 call?"],
    );
}

#[test]
fn elements_of_annotations_are_methods() {
    check(
        &[
            ("Note.java", "@interface Note { String text(); }\n"),
            ("A.java", "@Note(text = \"a\") class A {}\n"),
        ],
        "Note.text",
        &["A.java:1:6 reference"],
    );
}

#[test]
fn a_type_parameter_that_must_be_the_own_class_is_the_receiver() {
    let builder = "abstract class Builder<T, B extends Builder<T, B>> implements Source<T> {
    B size(int size) { return self(); }
    B self() { return (B) this; }
    void run() { size(1).self(); }
}
interface Source<T> { T get(); }
";
    let text = "class Text {
    static class Of extends Builder<Text, Of> { public Text get() { return new Text(); } }
    static Of of() { return new Of(); }
    void show() {}
}
class Other extends Builder<String, Other> { public String get() { return null; } }
class Main { void main() { Text.of().size(1).self().get().show(); } }
";
    let files = [("Builder.java", builder), ("Text.java", text)];
    check(&files, "Text.Text.Of.get", &["Text.java:7:52 call"]);
    check(&files, "Text.Text.show", &["Text.java:7:58 call"]);
    check(&files, "Text.Other.get", &[]);
    check(
        &files,
        "Builder.Builder.self",
        &[
            "Builder.java:2:30 call",
            "Builder.java:4:25 call",
            "Text.java:7:45 call",
        ],
    );
}

#[test]
fn super_is_never_the_method_that_it_stands_in() {
    check(
        &[
            (
                "A.java",
                "class A extends RuntimeException {\n  public String getMessage() {\n    \
                 return super.getMessage();\n  }\n}\n",
            ),
            (
                "B.java",
                "class B { String b(Object e) { return e.getMessage(); } }\n",
            ),
            (
                "C.java",
                "class C { String c(A a) { return a.getMessage(); } }\n",
            ),
        ],
        "A.A.getMessage",
        &["C.java:1:35 call"],
    );
}

#[test]
fn super_may_be_another_method_of_the_name() {
    check(
        &[
            ("A.java", "class A { void f() {} }\n"),
            (
                "B.java",
                "class B extends Lost { void f() {\n    super.f();\n  }\n}\n",
            ),
        ],
        "f",
        &["B.java:2:10 call?"],
    );
}

#[test]
fn the_number_of_arguments_chooses_among_overloads() {
    let shop = "class Shop {
    Cart cart() { return null; }
    Shop cart(Cart a) { return this; }
    Cart many(String... names) { return null; }
    Cart both(Object first, Object... rest) { return null; }
    Shop both(Integer only) { return this; }
    void total() {}
    void f(Shop shop) {
        shop.cart().total();
        shop.cart(null).total();
        cart().total();
        cart(null).total();
        many(\"a\", \"b\").total();
        both(\"a\").total();
        both(\"a\", \"b\").total();
    }
}
";
    let files = [
        ("Shop.java", shop),
        ("Cart.java", "class Cart { void total() {} }\n"),
    ];
    check(
        &files,
        "Cart.total",
        &[
            "Shop.java:9:20 call",
            "Shop.java:11:15 call",
            "Shop.java:13:23 call",
            "Shop.java:14:18 call",
            "Shop.java:15:23 call",
        ],
    );
    check(
        &files,
        "Shop.total",
        &[
            "Shop.java:10:24 call",
            "Shop.java:12:19 call",
            "Shop.java:14:18 call",
        ],
    );
}

#[test]
fn files_need_not_be_in_the_folder_of_their_package() {
    check(
        &[
            (
                "good/Foo.java",
                "package tests;\nfinal class Foo { Foo(int a) {} }\n",
            ),
            (
                "expected/Bar.java",
                "package tests;\nfinal class Bar { Foo x() { return new Foo(1); } }\n",
            ),
            ("other/Foo.java", "package other;\nfinal class Foo {}\n"),
        ],
        "good.Foo.Foo",
        &[
            "expected/Bar.java:2:18 reference",
            "expected/Bar.java:2:39 call",
        ],
    );
}

#[test]
fn a_component_of_a_record_is_a_method_too() {
    let text = "package a;
interface HasX { int x(); }
class Other { int x() { return 1; } int y() { return 2; } P p() { return null; } }
record P(int x, int y) implements HasX {
  int sum() { return x() + y(); }
  int twice() { return this.y() + x; }
}
record Q(P p) {
  int go() { return p().x() + p.y() + p().sum(); }
  static int of(Q q) { return q.p().sum() + q.p.sum(); }
}
class Use {
  int f(P p, Q q) { return p.x() + p.y() + q.p().sum(); }
}
";
    let files = [("a/P.java", text)];
    check(
        &files,
        "P.sum",
        &[
            "a/P.java:9:42 call",
            "a/P.java:10:36 call",
            "a/P.java:10:48 call",
            "a/P.java:13:49 call",
        ],
    );
    check(&files, "Other.p", &[]);
    let accessors = ["9:24", "13:29"].map(|place| format!("a/P.java:{place} call?"));
    check(&files, "HasX.x", &accessors.each_ref().map(String::as_str));
}

#[test]
fn an_element_of_an_array_of_arrays_is_an_array() {
    let text = "class Cell { int size() { return 1; } }
class B {
  static Cell[][] all;
  Cell[][] get() { return all; }
  void f(Cell[][] m, Cell[] r, int i) {
    m[i][i + 1].size();
    r[i].size();
    all[0][1].size();
    (new Cell[2][r[0].size()])[0][0].size();
    get()[0][1].size();
    this.all[0][1].size();
    Cell[] row = m[0];
    row[1].size();
    for (Cell[] one : m) for (Cell cell : one) cell.size();
  }
}
";
    let rows = [
        "6:16", "7:9", "8:14", "9:22", "9:37", "10:16", "11:19", "13:11", "14:52",
    ];
    let rows = rows.map(|at| format!("a/B.java:{at} call"));
    let rows = rows.each_ref().map(String::as_str);
    check(&[("a/B.java", text)], "Cell.size", &rows);
}

#[test]
fn the_types_before_the_name_of_an_annotation_are_references() {
    let annotation =
        "package p; public @interface Rec { @interface Include { Class<?> value(); } }\n";
    let text = "package q;
import p.Rec;
@Rec.Include(String.class)
class B { @Rec.Include(Integer.class) int f; @p.Rec.Include(Long.class) int g; @Rec int h; }
";
    let files = [("p/Rec.java", annotation), ("q/B.java", text)];
    check(
        &files,
        "p.Rec.Rec",
        &[
            "q/B.java:2:9 import",
            "q/B.java:3:1 reference",
            "q/B.java:4:11 reference",
            "q/B.java:4:48 reference",
            "q/B.java:4:80 reference",
        ],
    );
}

#[test]
fn of_methods_that_several_classes_give_the_argument_chooses() {
    let files = [
        (
            "src/p/Cache.java",
            "package p;\npublic class Cache { void put() {} }\n",
        ),
        (
            "src/p/Job.java",
            "package p;\npublic class Job { void run() {} }\n",
        ),
        (
            "src/p/CacheSubject.java",
            "package p;\npublic class CacheSubject {\n  \
             public static CacheSubject assertThat(Cache cache) { return null; }\n  \
             public static CacheSubject assertThat(String name) { return null; }\n  \
             public void isEmpty() {}\n}\n",
        ),
        (
            "src/p/JobSubject.java",
            "package p;\npublic class JobSubject {\n  \
             public static JobSubject assertThat(Job job) { return null; }\n  \
             public void isEmpty() {}\n}\n",
        ),
        (
            "src/p/T.java",
            "package p;\nimport static p.CacheSubject.assertThat;\n\
             import static p.JobSubject.assertThat;\n\
             import static org.truth.Truth.assertThat;\nclass T {\n  Cache cache;\n  \
             void f(Job job, int n) {\n    \
             assertThat(cache).isEmpty();\n    assertThat(job).isEmpty();\n    \
             assertThat(n).isEmpty();\n  \
             }\n}\n",
        ),
    ];
    let import = |line: u32, column: u32| format!("src/p/T.java:{line}:{column} import");
    let (cache, job) = (import(2, 29), import(3, 27));
    check(
        &files,
        "CacheSubject.assertThat",
        &[&cache, "src/p/T.java:8:4 call", "src/p/T.java:10:4 call?"],
    );
    check(
        &files,
        "JobSubject.assertThat",
        &[&job, "src/p/T.java:9:4 call", "src/p/T.java:10:4 call?"],
    );
    check(
        &files,
        "CacheSubject.isEmpty",
        &["src/p/T.java:8:22 call", "src/p/T.java:10:18 call?"],
    );
}

/// Two classes with a method of one name.
const SHAPES: &str = "class Shape { void draw() {} }
class Circle extends Shape { void draw() {} }
class Other { void draw() {} }
";

#[test]
fn type_arguments_are_followed() {
    let text = "\
class Box<T extends Shape> {
    T value;
    T get() { return value; }
    Box<T> self() { return this; }
    void each(Visitor<T> visitor) { visitor.visit(value); value.draw(); }
}
class Pair<A, B> { A first() { return null; } B second() { return null; } }
class Circles extends Box<Circle> {}
class Named<B extends Named<B>> { B name() { return null; } void draw() {} }
class Person extends Named<Person> { void draw() {} }
interface Visitor<T> { void visit(T one); default void twice(T one) {} }
class Use {
    void f(Box<Circle> box, Pair<Other, Circle> pair, Circles circles, Box raw, Box<?> any) {
        box.get().draw();
        box.value.draw();
        box.self().get().draw();
        box.each(one -> one.draw());
        pair.first().draw();
        pair.second().draw();
        circles.get().draw();
        raw.get().draw();
        any.get().draw();
        new Person().name().draw();
        for (Box<Circle> inner : java.util.List.of(box)) inner.get().draw();
    }
}
";
    let files = [("Shapes.java", SHAPES), ("Use.java", text)];
    let expected = [
        "Use.java:14:18 call",
        "Use.java:15:18 call",
        "Use.java:16:25 call",
        "Use.java:17:28 call",
        "Use.java:19:22 call",
        "Use.java:20:22 call",
        "Use.java:24:69 call",
        // An override may be called.
        "Use.java:5:64 call?",
        "Use.java:21:18 call?",
        // The argument is not known.
        "Use.java:22:18 call?",
    ];
    check(&files, "Circle.draw", &expected);
    check(
        &files,
        "Other.draw",
        &["Use.java:18:21 call", "Use.java:22:18 call?"],
    );
    check(
        &files,
        "Person.draw",
        &["Use.java:23:28 call", "Use.java:22:18 call?"],
    );
}

#[test]
fn containers_of_the_standard_library_have_elements() {
    let text = "\
import java.util.*;
import java.util.function.*;
import java.util.stream.Stream;

class Use {
    List<Circle> list;
    Map<String, Circle> map;
    Map<Circle, String> keys;
    void f(Optional<Circle> optional, Supplier<Circle> supplier, Deque<? extends Circle> deque) {
        list.get(0).draw();
        var first = list.iterator().next();
        first.draw();
        for (var one : list) one.draw();
        list.forEach(one -> one.draw());
        list.stream().filter(one -> one != null).peek(one -> one.draw()).forEach(Circle::draw);
        list.sort((a, b) -> { a.draw(); b.draw(); });
        map.get(\"a\").draw();
        map.forEach((key, value) -> value.draw());
        for (Map.Entry<String, Circle> entry : map.entrySet()) entry.getValue().draw();
        map.values().stream().findFirst().get().draw();
        optional.ifPresent(one -> { one.draw(); });
        optional.orElseThrow().draw();
        supplier.get().draw();
        deque.peek().draw();
        for (var key : keys.keySet()) key.draw();
        visit(one -> one.draw());
        Consumer<Circle> consumer = one -> one.draw();
    }
    void visit(Consumer<? super Circle> consumer) {}
    Predicate<Circle> test() { return one -> { one.draw(); return true; }; }
}
";
    let files = [("Shapes.java", SHAPES), ("Use.java", text)];
    let expected = [
        "Use.java:10:20 call",
        "Use.java:12:14 call",
        "Use.java:13:33 call",
        "Use.java:14:32 call",
        "Use.java:15:65 call",
        "Use.java:15:89 reference",
        "Use.java:16:32 call",
        "Use.java:16:42 call",
        "Use.java:17:21 call",
        "Use.java:18:42 call",
        "Use.java:19:80 call",
        "Use.java:20:48 call",
        "Use.java:21:40 call",
        "Use.java:22:31 call",
        "Use.java:23:23 call",
        "Use.java:24:21 call",
        "Use.java:26:25 call",
        "Use.java:27:47 call",
        "Use.java:30:51 call",
        // The type of keys is not followed.
        "Use.java:25:42 call?",
    ];
    check(&files, "Circle.draw", &expected);
    check(&files, "Other.draw", &["Use.java:25:42 call?"]);
}

#[test]
fn a_pattern_variable_belongs_to_its_branch() {
    let text = "\
class Use {
    Other s = new Other();
    String f(Object o) {
        if (o instanceof Circle a && o != null) a.draw();
        else if (o instanceof Other a) { a.draw(); }
        s.draw();
        if (!(o instanceof Circle s) || o == null) { s.draw(); } else s.draw();
        if (o instanceof Circle s) s.draw(); else s.draw();
        while (o instanceof Circle s) { s.draw(); }
        s.draw();
        while (!(o instanceof Circle b)) { next(); }
        b.draw();
        if (!(o instanceof Circle s)) { return null; }
        s.draw();
        switch (o) {
            case Circle c -> c.draw();
            case Other c -> c.draw();
            default -> {}
        }
        return o instanceof Circle d ? d.toString() : o instanceof Other d ? g(d) : \"\";
    }
}
";
    let files = [("Shapes.java", SHAPES), ("Use.java", text)];
    let expected = [
        "Use.java:4:50 call",
        "Use.java:7:72 call",
        "Use.java:8:37 call",
        "Use.java:9:42 call",
        "Use.java:12:10 call",
        "Use.java:14:10 call",
        "Use.java:16:31 call",
    ];
    check(&files, "Circle.draw", &expected);
    let expected = [
        "Use.java:5:43 call",
        "Use.java:6:10 call",
        "Use.java:7:55 call",
        "Use.java:8:52 call",
        "Use.java:10:10 call",
        "Use.java:17:30 call",
    ];
    check(&files, "Other.draw", &expected);
}

#[test]
fn an_instance_of_a_class_without_a_name_has_its_members() {
    let text = "\
class Use {
    void f() {
        new Shape() { void draw() {} }.draw();
        new Circle() { void other() {} }.draw();
        var own = new Other() { void more() {} };
        own.draw();
        own.more();
        Shape shape = new Shape() { void draw() {} };
        shape.draw();
    }
}
";
    let files = [("Shapes.java", SHAPES), ("Use.java", text)];
    check(&files, "Shape.draw", &["Use.java:9:14 call"]);
    let expected = ["Use.java:4:41 call", "Use.java:9:14 call?"];
    check(&files, "Circle.draw", &expected);
    check(&files, "Other.draw", &["Use.java:6:12 call"]);
    check(&files, "more", &["Use.java:7:12 call"]);
}

#[test]
fn overloads_for_other_functions_leave_the_parameters_of_a_lambda_open() {
    let text = "\
import java.util.function.*;
class Use {
    void both(Consumer<Circle> f) {}
    void both(Predicate<Other> f) {}
    void one(Consumer<Circle> f) {}
    void one(Consumer<Circle> f, int times) {}
    void f() {
        both(a -> a.draw());
        one(a -> a.draw());
        one(a -> a.draw(), 2);
    }
}
";
    let files = [("Shapes.java", SHAPES), ("Use.java", text)];
    let expected = [
        "Use.java:9:19 call",
        "Use.java:10:19 call",
        "Use.java:8:20 call?",
    ];
    check(&files, "Circle.draw", &expected);
    check(&files, "Other.draw", &["Use.java:8:20 call?"]);
}

#[test]
fn many_patterns_of_one_block_are_bounded() {
    let patterns = (0..200).map(|place| format!("if (!(o instanceof Circle c{place})) return;\n"));
    let patterns: String = patterns.collect();
    let text =
        format!("class Use {{ void f(Object o) {{\n{patterns}c0.draw();\nc199.draw(); }} }}\n");
    let files = [("Shapes.java", SHAPES), ("Use.java", text.as_str())];
    let expected = ["Use.java:202:3 call", "Use.java:203:5 call"];
    check(&files, "Circle.draw", &expected);
}

#[test]
fn a_reference_to_a_method_of_a_base_may_mean_an_override() {
    let text = "interface Shape { double area(); }
class Square implements Shape { public double area() { return 1; } }
class Use { Object f(java.util.List<Shape> s) { return s.stream().map(Shape::area); } }
";
    let files = [("Square.java", text)];
    check(&files, "Square.area", &["Square.java:3:77 reference?"]);
    check(&files, "Shape.area", &["Square.java:3:77 reference"]);
}

#[test]
fn members_of_types_in_files_with_other_names_may_be_imported() {
    let files = [
        (
            "app/Config.java",
            "package app;
public class Config {}
class Limits { static int max() { return 3; } }
",
        ),
        (
            "app/Job.java",
            "package app;
import static app.Limits.max;
class Job { int run() { return max(); } }
",
        ),
        (
            "app/All.java",
            "package app;
import static app.Limits.*;
class All { int run() { return max(); } }
",
        ),
    ];
    check(
        &files,
        "Limits.max",
        &[
            "app/All.java:3:31 call?",
            "app/Job.java:2:25 import?",
            "app/Job.java:3:31 call?",
        ],
    );
}

#[test]
fn a_package_is_not_one_with_a_longer_name() {
    let files = [
        (
            "src/shop/cart/Cart.java",
            "package shop.cart;\npublic class Cart { public static void open() {} }\n",
        ),
        (
            "src/org/shop/cart/Cart.java",
            "package org.shop.cart;\npublic class Cart { public static void open() {} }\n",
        ),
        (
            "src/shop/till/Till.java",
            "package shop.till;\nclass Till { void run() { shop.cart.Cart.open(); } }\n",
        ),
    ];
    check(
        &files,
        "src/shop/cart/Cart.java:2:40",
        &["src/shop/till/Till.java:2:41 call"],
    );
    check(&files, "src/org/shop/cart/Cart.java:2:40", &[]);
}

#[test]
fn a_class_that_is_not_known_hides_no_imported_method() {
    let names = "package p;
public class Names {
    public static Names named(String a) { return null; }
    public void total() {}
}
";
    let text = "package q;
import static p.Names.named;
import junit.framework.TestCase;
class Test extends TestCase {
    static void f(Runnable a) {}
    static void f(p.Names a) {}
    void use() { named(\"a\").total(); f(named(\"b\")); }
}
";
    let files = [("p/Names.java", names), ("q/Test.java", text)];
    check(&files, "Names.total", &["q/Test.java:7:28 call"]);
    check(&files, "q/Test.java:5:17", &[]);
    check(&files, "q/Test.java:6:17", &["q/Test.java:7:37 call"]);
}

#[test]
fn collectors_group_elements_and_types_may_have_their_package() {
    let text = "package p;
import java.util.stream.Collectors;
class Cart {
    int total() { return 1; }
    void use(java.util.List<Cart> all) {
        all.get(0).total();
        all.toArray(new Cart[0])[0].total();
        all.stream().collect(Collectors.groupingBy(one -> one.total())).get(1).get(0).total();
        all.stream().collect(Collectors.groupingBy(one -> 1, Collectors.counting())).get(1).total();
    }
}
";
    let rows = [
        "p/Cart.java:6:19 call",
        "p/Cart.java:7:36 call",
        "p/Cart.java:8:62 call",
        "p/Cart.java:8:86 call",
        "p/Cart.java:9:92 call?",
    ];
    check(&[("p/Cart.java", text)], "Cart.total", &rows);
}

#[test]
fn streams_futures_and_enums_tell_their_values() {
    let cart = "package shop;
public class Cart { public int total() { return 1; } public static Cart of(int n) { return null; } }
";
    let kind = "package shop;
public enum Kind { A; public Cart cart() { return null; } }
";
    let parser = "package shop;
import java.util.function.Function;
public class Parser { public Parser map(Function<Integer, Cart> make) { return this; } }
";
    let main = "package shop;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;
public class Main {
  void run(List<Integer> ns, List<List<Cart>> nested, Map<String, Cart> map, \
    Cart[] array, ExecutorService pool, CompletableFuture<Cart> future, \
    java.util.Iterator<Cart> iterator, Parser parser, boolean flag) throws Exception {
    ns.stream().map(n -> new Cart()).toList().get(0).total();
    ns.stream().map(Cart::of).findFirst().get().total();
    IntStream.range(0, 3).mapToObj(i -> new Cart()).forEach(c -> c.total());
    nested.stream().flatMap(List::stream).map(c -> c.total());
    map.entrySet().stream().map(Map.Entry::getValue).map(c -> c.total());
    map.merge(\"a\", new Cart(), (a, b) -> a).total();
    Arrays.sort(array, (a, b) -> a.total());
    array.clone()[0].total();
    Map.of(\"a\", new Cart()).get(\"a\").total();
    Stream.generate(() -> new Cart()).findFirst().get().total();
    Stream.of(array[0]).collect(Collectors.toMap(c -> 1, c -> c)).get(1).total();
    pool.submit(() -> new Cart()).get().total();
    CompletableFuture.supplyAsync(() -> new Cart()).join().total();
    future.whenComplete((c, e) -> c.total());
    future.handle((c, e) -> c).join().total();
    iterator.next().total();
    Kind.valueOf(\"A\").cart().total();
    for (var kind : Kind.values()) kind.cart().total();
    var chosen = switch (ns.size()) { case 1 -> new Cart(); default -> null; };
    chosen.total();
    parser.map(n -> new Cart()).total();
  }
}
";
    let calls = main.lines().zip(1..).filter_map(|(line, number)| {
        let at = line.rfind(".total()")?;
        let is_own = line.contains("parser.map");
        (!is_own).then(|| format!("src/shop/Main.java:{number}:{} call", at + 1))
    });
    let calls: Vec<String> = calls.collect();
    let expected: Vec<&str> = calls.iter().map(String::as_str).collect();
    check(
        &[
            ("src/shop/Cart.java", cart),
            ("src/shop/Kind.java", kind),
            ("src/shop/Main.java", main),
            ("src/shop/Parser.java", parser),
        ],
        "Cart.total",
        &expected,
    );
}

#[test]
fn a_component_of_a_record_matches_a_pattern() {
    let text = "package shop;
class Cart { int total() { return 1; } }
class Other { int total() { return 2; } }
record Pair(Cart left, Other right) {}
record Deep(Pair pair, int n) {}
record Two<A, B>(A one, B two) {}
class Main {
  int run(Object any) {
    if (any instanceof Pair(var a, var b)) a.total();
    if (any instanceof Deep(Pair(var c, var d), var n)) c.total();
    if (any instanceof Deep(var e, var n)) e.left().total();
    if (any instanceof Two<Other, Cart>(var f, var g)) g.total();
    if (any instanceof Two<Other, Cart>(var h, var i)) h.total(); // -
    if (any instanceof Pair(var j, var k)) k.total(); // -
    return switch (any) { case Pair(var l, var m) -> l.total(); default -> 0; };
  }
}
";
    let files = [("Main.java", text)];
    let rows = rows_of_totals(&files);
    let expected: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&files, "Cart.total", &expected);
}
