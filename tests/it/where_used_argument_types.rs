//! `where_used` of overloads with equal numbers of parameters: the types of the arguments tell
//! which one is called.

use crate::where_used::check;

const JAVA: (&str, &str) = (
    "Cart.java",
    "import java.util.*;
class Item {}
class Book extends Item {}
interface Rule { boolean allows(Item item); }
class Cart {
    String name = \"a\";
    void add(int count) {}
    void add(String name) {}
    void add(Item item) {}
    void add(Book book) {}
    void add(Rule rule) {}
    void add(Item[] items) {}
    void add(List<String> names) {}
    long count() { return 0; }
    void use(Item item, Book book, List<String> names, char letter, Item[] items, Cart other) {
        add(1);
        add('a');
        add(letter);
        add(\"a\" + 1);
        add(name);
        add(item);
        add(book);
        add(new Book());
        add((Item) book);
        add(one -> true);
        add(items);
        add(names);
        add(other.unknown());
        var third = new Item();
        add(third);
        put(count(), \"a\");
        put(1.5f, null);
        put(true, 2);
    }
    void put(long a, String b) {}
    void put(double a, String b) {}
    void put(boolean a, Object b) {}
}
",
);

#[test]
fn types_of_arguments_choose_overloads_of_java() {
    let ints = [
        "Cart.java:16:8 call",
        "Cart.java:17:8 call",
        "Cart.java:18:8 call",
        "Cart.java:28:8 call?",
    ];
    check(&[JAVA], "Cart.java:7:10", &ints);
    let texts = [
        "Cart.java:19:8 call",
        "Cart.java:20:8 call",
        "Cart.java:28:8 call?",
    ];
    check(&[JAVA], "Cart.java:8:10", &texts);
    let items = [
        "Cart.java:21:8 call",
        "Cart.java:24:8 call",
        "Cart.java:30:8 call",
        "Cart.java:28:8 call?",
    ];
    check(&[JAVA], "Cart.java:9:10", &items);
    let books = [
        "Cart.java:22:8 call",
        "Cart.java:23:8 call",
        "Cart.java:28:8 call?",
    ];
    check(&[JAVA], "Cart.java:10:10", &books);
    let rules = ["Cart.java:25:8 call", "Cart.java:28:8 call?"];
    check(&[JAVA], "Cart.java:11:10", &rules);
    let arrays = ["Cart.java:26:8 call", "Cart.java:28:8 call?"];
    check(&[JAVA], "Cart.java:12:10", &arrays);
    let lists = ["Cart.java:27:8 call", "Cart.java:28:8 call?"];
    check(&[JAVA], "Cart.java:13:10", &lists);
    check(&[JAVA], "Cart.java:35:10", &["Cart.java:31:8 call"]);
    check(&[JAVA], "Cart.java:36:10", &["Cart.java:32:8 call"]);
    check(&[JAVA], "Cart.java:37:10", &["Cart.java:33:8 call"]);
}

#[test]
fn a_name_means_all_its_overloads() {
    let all = (31..34).map(|line| format!("Cart.java:{line}:8 call"));
    let all: Vec<String> = all.collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    check(&[JAVA], "Cart.put", &all);
}

#[test]
fn types_of_the_library_have_bases() {
    let text = "import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.Type;
class Json {
    void read(Reader text, Type as) {}
    void read(Reader text, Class<?> as) {}
    void read(String text, Class<?> as) {}
    void write(CharSequence a) {}
    void write(float a) {}
    void write(Number a) {}
    void use(StringReader reader, StringBuilder builder, Integer number, Type type) {
        read(reader, Json.class);
        read(reader, type);
        read(\"\", String.class);
        write(builder);
        write(Float.NaN);
        write(number);
        write(number == null ? null : unknown().toString());
        write(unknown());
    }
}
";
    let files = [("Json.java", text)];
    check(&files, "Json.java:5:10", &["Json.java:13:8 call"]);
    check(&files, "Json.java:6:10", &["Json.java:12:8 call"]);
    check(&files, "Json.java:7:10", &["Json.java:14:8 call"]);
    let open = "Json.java:19:8 call?";
    let texts = ["Json.java:15:8 call", "Json.java:18:8 call", open];
    check(&files, "Json.java:8:10", &texts);
    check(&files, "Json.java:9:10", &["Json.java:16:8 call", open]);
    check(&files, "Json.java:10:10", &["Json.java:17:8 call", open]);
}

#[test]
fn a_variadic_parameter_has_a_type() {
    let text = "class Tree {
    void add(Tree... all) {}
    void add(int at, Tree... all) {}
    void add(int at, List<Tree> all) {}
    void use(Tree a, Tree[] all) {
        add(a);
        add(0, a);
        add(a, a);
        add(all);
        add(0, all);
        add(0, null, a);
    }
}
";
    let files = [("Tree.java", text)];
    let all = [
        "Tree.java:6:8 call",
        "Tree.java:8:8 call",
        "Tree.java:9:8 call",
    ];
    check(&files, "Tree.java:2:10", &all);
    let placed = [
        "Tree.java:7:8 call",
        "Tree.java:10:8 call",
        "Tree.java:11:8 call",
    ];
    check(&files, "Tree.java:3:10", &placed);
    check(&files, "Tree.java:4:10", &[]);
}

#[test]
fn an_inherited_overload_takes_what_no_own_one_does() {
    let text = "class Base { void report(String text) {} }
class State extends Base {
    void report(State state) {}
    void use() { report(\"a\"); report(this); }
}
class Items extends java.util.ArrayList<String> {
    void put(Items all) {}
    void use() { put(\"a\"); put(this); }
}
";
    let files = [("Base.java", text)];
    check(&files, "Base.report", &["Base.java:4:17 call"]);
    check(&files, "State.report", &["Base.java:4:30 call"]);
    // The class from elsewhere may have a method that takes a text.
    let items = ["Base.java:8:27 call", "Base.java:8:17 call?"];
    check(&files, "Items.put", &items);
}

#[test]
fn types_of_arguments_choose_constructors() {
    let text = "class Cart {
    Cart(int size) { this(\"a\"); }
    Cart(String name) {}
    Cart copy(Cart of) { return new Cart(of.size()); }
    int size() { return 0; }
    Object open = new Cart(lib.Names.first());
}
class Basket extends Cart {
    Basket() { super(2); }
}
";
    let files = [("Cart.java", text)];
    let sizes = [
        "Cart.java:4:36 call",
        "Cart.java:9:15 call",
        "Cart.java:6:22 call?",
    ];
    check(&files, "Cart.java:2:5", &sizes);
    let names = ["Cart.java:2:21 call", "Cart.java:6:22 call?"];
    check(&files, "Cart.java:3:5", &names);
}

const CSHARP: (&str, &str) = (
    "Cart.cs",
    "using System;
class Item {}
class Book : Item {}
struct Price { public static implicit operator Price(int a) => new Price(); }
class Cart {
    string name;
    public void Add(int count) {}
    public void Add(string name) {}
    public void Add(Item item) {}
    public void Add(Book book) {}
    void Use(Item item, Book book, int? none) {
        Add(1);
        Add(\"a\");
        Add($\"{item}\" + 1);
        Add(name);
        Add(item);
        Add(book);
        this.Add(count: 1);
        Add(Outside.Value());
        Pay(1);
        Pay('a');
        Pay(2.5m);
        Run(() => {});
        Run(\"a\");
    }
    void Pay(Price price) {}
    void Pay(decimal price) {}
    void Run(Action action) {}
    void Run(string name) {}
}
static class More {
    public static void Put(this Cart cart, int a) {}
    public static void Put(this Cart cart, string a) {}
    static void Use(Cart cart) { cart.Put(1); cart.Put(\"a\"); }
}
",
);

#[test]
fn types_of_arguments_choose_overloads_of_csharp() {
    let open = ["Cart.cs:18:13 call?", "Cart.cs:19:8 call?"];
    let check_with_open = |symbol: &str, found: &[&str]| {
        let all: Vec<&str> = found.iter().chain(&open).copied().collect();
        check(&[CSHARP], symbol, &all);
    };
    check_with_open("Cart.cs:7:17", &["Cart.cs:12:8 call"]);
    let texts = [
        "Cart.cs:13:8 call",
        "Cart.cs:14:8 call",
        "Cart.cs:15:8 call",
    ];
    check_with_open("Cart.cs:8:17", &texts);
    check_with_open("Cart.cs:9:17", &["Cart.cs:16:8 call"]);
    check_with_open("Cart.cs:10:17", &["Cart.cs:17:8 call"]);
    // A number may become a price by a conversion.
    let prices = ["Cart.cs:20:8 call?", "Cart.cs:21:8 call?"];
    check(&[CSHARP], "Cart.cs:26:10", &prices);
    check(&[CSHARP], "Cart.cs:28:10", &["Cart.cs:23:8 call"]);
    check(&[CSHARP], "Cart.cs:29:10", &["Cart.cs:24:8 call"]);
    check(&[CSHARP], "Cart.cs:32:24", &["Cart.cs:34:38 call"]);
    check(&[CSHARP], "Cart.cs:33:24", &["Cart.cs:34:51 call"]);
}

#[test]
fn a_name_that_is_not_called_may_mean_any_overload_of_its_name() {
    let text = "class A {
    static void f(int a) {}
    static void f(String a) {}
    void use() { run(A::f); }
}
";
    let files = [("A.java", text)];
    check(&files, "A.f", &["A.java:4:24 reference"]);
    check(&files, "A.java:2:17", &["A.java:4:24 reference?"]);
}

#[test]
fn what_the_types_leave_open_is_a_candidate() {
    let text = "class A<T> {
    void f(int a) {}
    void f(int a, int... b) {}
    void g(T a) {}
    void g(T... a) {}
    void h(A<T> a) {}
    void h(int... a) {}
    void use(T a) {
        f(lib.Outside.value());
        g(a);
        h(lib.Outside.value());
    }
}
";
    let files = [("A.java", text)];
    // Whatever the second method takes with one argument, the first one takes.
    check(&files, "A.java:2:10", &["A.java:9:8 call"]);
    check(&files, "A.java:3:10", &[]);
    check(&files, "A.java:4:10", &["A.java:10:8 call"]);
    check(&files, "A.java:6:10", &["A.java:11:8 call?"]);
    check(&files, "A.java:7:10", &["A.java:11:8 call?"]);
}

#[test]
fn values_that_may_be_null_have_a_type_in_csharp() {
    let text = "class Writer {
    void Write(int value) {}
    void Write(int? value) {}
    void Use(int a, int? b) {
        Write(a);
        Write(b);
        Write(null);
        Write(7);
    }
}
";
    let files = [("Writer.cs", text)];
    let plain = ["Writer.cs:5:8 call", "Writer.cs:8:8 call"];
    check(&files, "Writer.cs:2:10", &plain);
    let nullable = ["Writer.cs:6:8 call", "Writer.cs:7:8 call"];
    check(&files, "Writer.cs:3:10", &nullable);
}

#[test]
fn the_receiver_of_an_extension_method_has_a_type() {
    let text = "static class Flags {
    public static int Get(this ushort self, int mask) => 0;
    public static int Get(this uint self, int mask) => 0;
}
class Field {
    ushort flags;
    uint more;
    int Use() => flags.Get(1) + more.Get(2);
}
";
    let files = [("Flags.cs", text)];
    check(&files, "Flags.cs:2:23", &["Flags.cs:8:23 call"]);
    check(&files, "Flags.cs:3:23", &["Flags.cs:8:37 call"]);
}

#[test]
fn a_class_may_have_the_name_of_one_of_the_library() {
    let text = "class Single {}
class A {
    void F(float a) {}
    void F(Single a) {}
    void Use(Single b) { F(1f); F(b); F(new Single()); }
}
";
    let files = [("A.cs", text)];
    check(&files, "A.cs:3:10", &["A.cs:5:25 call"]);
    let own = ["A.cs:5:32 call", "A.cs:5:38 call"];
    check(&files, "A.cs:4:10", &own);
    let text = "class String {}
class A {
    void f(CharSequence a) {}
    void f(String a) {}
    void use(String b, StringBuilder c) { f(b); f(c); f(new String()); }
}
";
    let files = [("A.java", text)];
    check(&files, "A.java:3:10", &["A.java:5:48 call"]);
    let own = ["A.java:5:42 call", "A.java:5:54 call"];
    check(&files, "A.java:4:10", &own);
}

#[test]
fn inherited_overloads_of_java_count_as_much_as_own_ones() {
    let text = "class P {
    void add(int x) {}
    void put(String x) {}
    void run(int x) {}
}
class Q extends P {
    void add(long x) {}
    void put(Object x) {}
    void run(int x) {}
    int get(int i) { return 0; }
}
class R extends Q {
    String get(String s) { return s; }
    void use(P p, Q q, R r) {
        q.add(1);
        q.add(1L);
        q.put(\"\");
        q.run(1);
        put(get(2));
        java.util.function.Consumer<String> all = q::put;
    }
}
";
    let files = [("P.java", text)];
    check(&files, "P.java:2:10", &["P.java:15:10 call"]);
    check(&files, "P.java:7:10", &["P.java:16:10 call"]);
    let open = ["P.java:19:8 call?", "P.java:20:53 reference?"];
    check(
        &files,
        "P.java:3:10",
        &["P.java:17:10 call", open[0], open[1]],
    );
    check(&files, "P.java:8:10", &open);
    check(&files, "P.java:9:10", &["P.java:18:10 call"]);
}

#[test]
fn an_array_may_stand_for_the_elements_of_a_variadic_parameter() {
    let text = "class G<T> {
    void m(int... a) {}
    void m(Object a) {}
    void w(Object[] a) {}
    void w(Integer... a) {}
    void h(T a) {}
    void h(String a, String... b) {}
    void use(G<String> g, int b[], char c) {
        m(new int[0]);
        m(b);
        m('a', -c);
        w(new Integer[0]);
        g.h(\"\");
        int d[] = {1}, e = 2;
        m(d);
    }
}
";
    let files = [("G.java", text)];
    let all = (9..12)
        .chain([15])
        .map(|line| format!("G.java:{line}:8 call"));
    let all: Vec<String> = all.collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    check(&files, "G.java:2:10", &all);
    check(&files, "G.java:3:10", &[]);
    check(&files, "G.java:5:10", &["G.java:12:8 call"]);
    check(&files, "G.java:6:10", &["G.java:13:10 call"]);
    check(&files, "G.java:7:10", &[]);
}

#[test]
fn optional_parameters_of_csharp_only_break_ties() {
    let text = "class S {
    void A(params string[] y) {}
    void A(object y) {}
    void C(int x, int y = 1) {}
    void C(long x) {}
    void E<T>(T x) {}
    void E(int x) {}
    void G(int x) {}
    void G(int x, int y = 1) {}
    void M(string s) {
        A(s);
        C(1);
        C(4000000000);
        E<int>(1);
        G(7);
        var c = 'c';
        P(c);
        P(typeof(S));
        P(sizeof(int));
    }
    void P(int x) {}
    void P(char x) {}
    void P(System.Type x) {}
}
";
    let files = [("S.cs", text)];
    // The type of the parameter with `params` is not known.
    check(&files, "S.cs:2:10", &["S.cs:11:8 call?"]);
    check(&files, "S.cs:4:10", &["S.cs:12:8 call"]);
    check(&files, "S.cs:5:10", &["S.cs:13:8 call"]);
    check(&files, "S.cs:6:10", &["S.cs:14:8 call?"]);
    check(&files, "S.cs:8:10", &["S.cs:15:8 call"]);
    check(&files, "S.cs:21:10", &["S.cs:19:8 call"]);
    check(&files, "S.cs:22:10", &["S.cs:17:8 call"]);
    check(&files, "S.cs:23:10", &["S.cs:18:8 call"]);
}

#[test]
fn a_property_hides_inherited_methods_of_its_name() {
    let text = "class Token {
    public T Value<T>(object key) { return default(T); }
}
class Text : Token {
    public object Value { get; set; }
    object Use(Text text) { return text.Value; }
}
";
    let files = [("Token.cs", text)];
    check(&files, "Token.cs:2:14", &[]);
    check(&files, "Token.cs:5:19", &["Token.cs:6:40 reference"]);
}
