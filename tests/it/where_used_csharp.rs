//! `where_used` in C#: namespaces, directives, partial types, inheritance, extension methods and
//! the types of receivers.

use crate::where_used::check;

const CART: (&str, &str) = (
    "src/Shop/Cart.cs",
    "using System.Collections.Generic;

namespace Shop.Carts
{
    public partial class Cart<T> : Base
    {
        private int total;
        public Cart<T> Next { get; set; }
        public List<Cart<T>> All;
        public Cart(int a) {}
        public int Total() { return total; }
        public static Cart<T> Of(T item) => new Cart<T>(1);
        public Cart<T> Self() => this;
        public Cart<T> this[int i] => this;
        public class Item { public void Open() {} }
    }

    public class Base
    {
        public virtual void Close() {}
    }
}
",
);

#[test]
fn types_are_found_by_namespaces_and_directives() {
    check(
        &[
            CART,
            // The same namespace, in another file.
            (
                "src/Shop/A.cs",
                "namespace Shop.Carts { class A { Cart<int> a; } }\n",
            ),
            // A namespace inside of it.
            (
                "src/Shop/B.cs",
                "namespace Shop.Carts.Inner;\n\nclass B { Cart<int> a; }\n",
            ),
            (
                "src/App/C.cs",
                "using Shop.Carts;\n\nnamespace App { class C : Cart<int> { } }\n",
            ),
            (
                "src/App/D.cs",
                "namespace App { using Shop.Carts; class D { object a = new Cart<int>(1); } }\n",
            ),
            (
                "src/App/E.cs",
                "class E { Shop.Carts.Cart<int> a; global::Shop.Carts.Cart<int> b; }\n",
            ),
            (
                "src/App/F.cs",
                "using Basket = Shop.Carts.Cart<int>;\n\nclass F { Basket a; }\n",
            ),
            // Other types of this name.
            ("src/App/G.cs", "using Other;\n\nclass G { Cart<int> a; }\n"),
            (
                "src/App/H.cs",
                "using Shop.Carts;\n\nclass H<Cart> { Cart a; }\n",
            ),
            (
                "src/App/I.cs",
                "using Shop.Carts;\n\nclass I { class Cart {} Cart a; }\n",
            ),
            ("src/App/J.cs", "namespace Other { class Cart {} }\n"),
        ],
        "Shop.Carts.Cart",
        &[
            "src/App/C.cs:3:26 inherit",
            "src/App/D.cs:1:59 call",
            "src/App/E.cs:1:21 reference",
            "src/App/E.cs:1:53 reference",
            "src/App/F.cs:1:26 import",
            "src/App/F.cs:3:10 reference",
            "src/Shop/A.cs:1:33 reference",
            "src/Shop/B.cs:3:10 reference",
            "src/Shop/Cart.cs:8:15 reference",
            "src/Shop/Cart.cs:9:20 reference",
            "src/Shop/Cart.cs:12:22 reference",
            "src/Shop/Cart.cs:12:48 call",
            "src/Shop/Cart.cs:13:15 reference",
            "src/Shop/Cart.cs:14:15 reference",
        ],
    );
}

#[test]
fn global_directives_hold_for_their_project() {
    let usings = "global using Shop.Carts;\n";
    check(
        &[
            CART,
            ("src/App/App.csproj", "<Project></Project>\n"),
            ("src/App/GlobalUsings.cs", usings),
            ("src/App/Pages/A.cs", "class A { Base a; }\n"),
            (
                "src/Api/Api.csproj",
                "<Project><Using Include=\"Shop.Carts\" /></Project>\n",
            ),
            ("src/Api/B.cs", "class B { Base a; }\n"),
            ("src/Other/C.cs", "class C { Base a; }\n"),
        ],
        "Shop.Carts.Base",
        &[
            "src/Api/B.cs:1:10 reference",
            "src/App/Pages/A.cs:1:10 reference",
            "src/Shop/Cart.cs:5:35 inherit",
        ],
    );
}

#[test]
fn what_msbuild_imports_holds_for_the_projects_below() {
    let using = |attributes: &str| format!("<Project><Using {attributes} /></Project>\n");
    let (below, other) = (
        using("Include=\"Shop.Carts\""),
        using("Include=\"Shop.More\""),
    );
    let of_members = using("Include=\"Shop.Carts.Base\" Static=\"true\"");
    let files = [
        CART,
        ("src/App/Directory.Build.targets", &below),
        ("src/App/One/One.csproj", "<Project></Project>\n"),
        ("src/App/One/A.cs", "namespace One;\nclass A { Base a; }\n"),
        ("src/Other/Other.csproj", "<Project></Project>\n"),
        ("src/Other/B.cs", "class B { Base a; More more; }\n"),
        ("eng/Common.props", &other),
        ("src/Shop/More.cs", "namespace Shop.More;\nclass More {}\n"),
        ("src/Members/Members.csproj", &of_members),
    ];
    check(&files, "Shop.More.More", &["src/Other/B.cs:1:18 reference"]);
    check(
        &files,
        "Shop.Carts.Base",
        &[
            "src/App/One/A.cs:2:10 reference",
            "src/Shop/Cart.cs:5:35 inherit",
        ],
    );
}

#[test]
fn global_directives_name_types_and_their_members() {
    let usings = "global using static App.Tools;\nglobal using Other = App.Deep.Tool;\n";
    let tools = "namespace App;\npublic static class Tools { public static int Twice() => 2; }\n";
    let tool = "namespace App.Deep;\npublic class Tool { public void Run() {} }\n";
    let user = "class User { Other other; int F() { other.Run(); return Twice(); } }\n";
    let files = [
        ("src/App/App.csproj", "<Project></Project>\n"),
        ("src/App/Global.cs", usings),
        ("src/App/Tools.cs", tools),
        ("src/App/Tool.cs", tool),
        ("src/App/User.cs", user),
    ];
    check(&files, "App.Tools.Twice", &["src/App/User.cs:1:56 call"]);
    check(&files, "App.Deep.Tool.Run", &["src/App/User.cs:1:42 call"]);
}

#[test]
fn methods_are_found_by_the_types_of_receivers() {
    check(
        &[
            CART,
            (
                "src/App/A.cs",
                "using System;
using System.Collections.Generic;
using Shop.Carts;
using static Shop.Carts.Cart<int>;

class A : Cart<int> {
    Cart<int> cart;
    Dictionary<string, Cart<int>> named;
    Cart<int> Own { get { return cart; } }

    void F(Cart<int> a, object o, params Cart<int>[] many) {
        a.Total();
        this.cart.Total();
        cart.Next.Self().Total();
        a.All[0].Total();
        a[0].Total();
        named[\"a\"].Total();
        Own.Total();
        Of(1).Total();
        Cart<int>.Of(1).Total();
        new Cart<int>(1).Total();
        ((Cart<int>) o).Total();
        (o as Cart<int>).Total();
        (a ?? cart).Total();
        a?.Total();
        a?.Next?.Total();
        Total();
        base.Total();
        var b = a.Self();
        b.Total();
        foreach (var c in many) c.Total();
        foreach (Cart<int> d in o) d.Total();
        if (o is Cart<int> e) e.Total();
        if (G(out Cart<int> f)) f.Total();
        using (Cart<int> g = a) g.Total();
        Func<int> h = a.Total;
        Action<Cart<int>> i = (Cart<int> j) => j.Total();
        void Local(Cart<int> k) { k.Total(); }
        // The receiver has another type.
        string s = \"\";
        s.Total();
        new Other().Total();
        // The type of the receiver is not known.
        many.Select(x => x.Total());
        H(a).Total();
    }
}
class Other { public int Total() => 0; }
",
            ),
        ],
        "Shop.Carts.Cart.Total",
        &[
            "src/App/A.cs:12:10 call",
            "src/App/A.cs:13:18 call",
            "src/App/A.cs:14:25 call",
            "src/App/A.cs:15:17 call",
            "src/App/A.cs:16:13 call",
            "src/App/A.cs:17:19 call",
            "src/App/A.cs:18:12 call",
            "src/App/A.cs:19:14 call",
            "src/App/A.cs:20:24 call",
            "src/App/A.cs:21:25 call",
            "src/App/A.cs:22:24 call",
            "src/App/A.cs:23:25 call",
            "src/App/A.cs:24:20 call",
            "src/App/A.cs:25:11 call",
            "src/App/A.cs:26:17 call",
            "src/App/A.cs:27:8 call",
            "src/App/A.cs:28:13 call",
            "src/App/A.cs:30:10 call",
            "src/App/A.cs:31:34 call",
            "src/App/A.cs:32:37 call",
            "src/App/A.cs:33:32 call",
            "src/App/A.cs:34:34 call",
            "src/App/A.cs:35:34 call",
            "src/App/A.cs:36:24 reference",
            "src/App/A.cs:37:49 call",
            "src/App/A.cs:38:36 call",
            "src/App/A.cs:44:27 call",
            "src/App/A.cs:45:13 call?",
        ],
    );
}

#[test]
fn a_property_may_have_the_name_of_its_type() {
    let text = "namespace Shop {
    enum Color { Red }
    class Pen {
        public Color Color { get; set; }
        Color other;
        void F(Pen pen) { Color = Color.Red; pen.Color = other; }
        object G() => new Pen { Color = other };
    }
}
";
    check(
        &[("Pen.cs", text)],
        "Shop.Pen.Color",
        &[
            "Pen.cs:6:26 reference",
            "Pen.cs:6:49 reference",
            "Pen.cs:7:32 reference",
        ],
    );
    check(
        &[("Pen.cs", text)],
        "Shop.Color",
        &[
            "Pen.cs:4:15 reference",
            "Pen.cs:5:8 reference",
            "Pen.cs:6:34 reference",
        ],
    );
}

#[test]
fn the_parts_of_a_type_share_their_members() {
    check(
        &[
            (
                "One.cs",
                "namespace N { partial class A : B { void F() { G(); this.H(); Inherited(); } } }\n",
            ),
            (
                "Two.cs",
                "namespace N { partial class A { void G() { } void H() { } } }\n",
            ),
            (
                "Three.cs",
                "namespace M { partial class A { void G() { } void F() { G(); } } }\n",
            ),
            (
                "Four.cs",
                "namespace N { class B { public void Inherited() { } } }\n",
            ),
            (
                "Five.cs",
                "namespace N { class C { void F(A a) { a.G(); a.Inherited(); } } }\n",
            ),
        ],
        "N.A.G",
        &["Five.cs:1:40 call", "One.cs:1:47 call"],
    );
}

#[test]
fn extension_methods_are_found_by_the_extended_type() {
    check(
        &[
            (
                "Extensions.cs",
                "namespace Shop {
    static class Extensions {
        public static int Price(this Item item) => 0;
        public static int Price(this string item) => 0;
        public static int Price(this Tag item) => 0;
        public static string Shorten(this string text) => text;
    }
}
",
            ),
            (
                "Item.cs",
                "namespace Shop {
    class Item { }
    class Book : Item { }
    class Box { }
    class Tag { public int Price { get; } }
}
",
            ),
            (
                "A.cs",
                "using Shop;

class A {
    void F(Item a, Book b, Box c, Unseen d) {
        a.Price();
        b.Price();
        Extensions.Price(a);
        // A box is no item, and what the type outside of the repository has is not known.
        c.Price();
        d.Price();
        \"a\".Price();
        // The property has no arguments.
        int price = new Tag().Price + new Tag().Price();
    }
}
",
            ),
            // The namespace is not used.
            ("B.cs", "class B { void F(Shop.Item a) { a.Price(); } }\n"),
        ],
        "Shop.Extensions.Price",
        &[
            "A.cs:5:10 call",
            "A.cs:6:10 call",
            "A.cs:7:19 call",
            "A.cs:11:12 call",
            "A.cs:13:48 call",
            "A.cs:10:10 call?",
        ],
    );
}

#[test]
fn overriding_members_are_candidates() {
    check(
        &[
            (
                "A.cs",
                "interface IRun { void Run(); }
class A : IRun { public virtual void Run() { } }
class B : A { public override void Run() { base.Run(); } }
",
            ),
            (
                "Use.cs",
                "class Use { void F(IRun i, A a, B b) { i.Run(); a.Run(); b.Run(); } }\n",
            ),
        ],
        "A.Run",
        &["A.cs:3:48 call", "Use.cs:1:50 call", "Use.cs:1:41 call?"],
    );
}

#[test]
fn constructors_are_called_by_their_type() {
    check(
        &[
            CART,
            (
                "A.cs",
                "using Shop.Carts;\n\nclass A { object a = new Cart<int>(1); Cart<int> b; }\n",
            ),
        ],
        "Shop.Carts.Cart.Cart",
        &["A.cs:3:25 call", "src/Shop/Cart.cs:12:48 call"],
    );
}

#[test]
fn an_attribute_may_leave_out_the_end_of_its_name() {
    check(
        &[
            (
                "Mark.cs",
                "namespace Shop { class MarkAttribute : System.Attribute { } }\n",
            ),
            (
                "A.cs",
                "using Shop;

[Mark]
class A {
    [MarkAttribute] void F() { }
    [Other, Shop.MarkAttribute] void G(Mark a) { }
}
",
            ),
            ("B.cs", "[Mark] class B { }\n"),
            // This class is no attribute.
            ("C.cs", "namespace Shop { class Mark { } }\n"),
        ],
        "Shop.MarkAttribute",
        &[
            "A.cs:3:1 reference",
            "A.cs:5:5 reference",
            "A.cs:6:17 reference",
        ],
    );
}

#[test]
fn a_type_parameter_that_must_be_the_own_class_is_the_receiver() {
    check(
        &[(
            "Builder.cs",
            "abstract class Builder<B> where B : Builder<B> {
    public B Size(int size) { return (B) this; }
}
class Text : Builder<Text> { public void Show() {} }
class Other : Builder<Other> { public void Show() {} }
class Program { void Main() { new Text().Size(1).Size(2).Show(); } }
",
        )],
        "Builder.Text.Show",
        &["Builder.cs:6:57 call"],
    );
}

#[test]
fn a_nullable_value_has_the_members_of_its_type() {
    let text = "struct Price { public int Cents => 1; public void Show() {} }
struct Cell { public Price Value => default; }
class A {
    int F(Price? price, Cell cell) {
        price.Value.Show();
        cell.Value.Show();
        return price.Value.Cents;
    }
}
";
    let files = [("A.cs", text)];
    check(&files, "Price.Show", &["A.cs:5:20 call", "A.cs:6:19 call"]);
    check(&files, "Price.Cents", &["A.cs:7:27 reference"]);
}

#[test]
fn a_directive_in_a_namespace_begins_there() {
    let files = [
        ("A.cs", "namespace App.Wrappers;\npublic class Foo { }\n"),
        (
            "B.cs",
            "namespace App;\nusing Wrappers;\npublic class B { Foo f; }\n",
        ),
        (
            "C.cs",
            "namespace App.Inner {\n    using Wrappers;\n    using F = Wrappers.Foo;\n    \
             class C { Foo f; F g; }\n}\n",
        ),
        ("D.cs", "using Wrappers;\nclass D { Foo f; }\n"),
    ];
    check(
        &files,
        "App.Wrappers.Foo",
        &[
            "B.cs:3:17 reference",
            "C.cs:3:23 import",
            "C.cs:4:14 reference",
            "C.cs:4:21 reference",
        ],
    );
}

#[test]
fn a_directive_names_the_nearest_namespace_that_exists() {
    let files = [
        (
            "A.cs",
            "namespace A.C { public class X {} public static class E { \
             public static void Ext(this string s) {} } }\n",
        ),
        (
            "C.cs",
            "namespace C { public class X {} public class Y {} public static class E2 { \
             public static void Ext(this string s) {} } }\n",
        ),
        (
            "U.cs",
            "namespace A { using C; class U { X x; Y y; void F() { \"a\".Ext(); } } }\n",
        ),
        (
            "V.cs",
            "namespace A { using global::C; class V { X x; } }\n",
        ),
    ];
    check(&files, "A.C.X", &["U.cs:1:33 reference"]);
    check(&files, "C.C.X", &["V.cs:1:41 reference"]);
    check(&files, "E.Ext", &["U.cs:1:58 call"]);
    check(&files, "E2.Ext", &[]);
}

#[test]
fn an_attribute_of_a_type_sees_its_members() {
    let text = "using System;
public static partial class Mapper {
    [Marker(typeof(RowProvider), Name = nameof(Go))]
    private sealed partial class Row {
        private sealed class RowProvider { }
        void Go() { }
    }
}
class MarkerAttribute : Attribute { public MarkerAttribute(Type t) { } }
";
    let files = [("A.cs", text)];
    check(&files, "RowProvider", &["A.cs:3:19 reference"]);
    check(&files, "Row.Go", &["A.cs:3:47 reference"]);
    check(&files, "MarkerAttribute", &["A.cs:3:5 reference"]);
}

#[test]
fn a_member_of_a_foreign_type_may_have_an_extension() {
    let extensions = "using System; using System.Reflection;
namespace N;
static class Exts {
    public static PropertyInfo Declared(this Type type, string name) => null;
    public static int Length2(this string text) => 1;
}
";
    let user = "using System.Reflection;
namespace N;
class User {
    void M(MethodInfo method) {
        method.DeclaringType.Declared(\"x\");
        method.Name.Length2();
        method.Declared;
    }
}
";
    let files = [("E.cs", extensions), ("U.cs", user)];
    check(
        &files,
        "Exts.Declared",
        &["U.cs:5:29 call?", "U.cs:7:15 reference?"],
    );
    check(&files, "Exts.Length2", &["U.cs:6:20 call?"]);
}

#[test]
fn types_in_the_target_of_an_alias_are_references() {
    let files = [(
        "a.cs",
        "using Items = System.Collections.Generic.List<Item>;\nusing Pair = (Item, int);\n\
         using Fn = System.Func<Item[]>;\npublic class Item { }\n",
    )];
    check(
        &files,
        "Item",
        &[
            "a.cs:1:46 reference",
            "a.cs:2:14 reference",
            "a.cs:3:23 reference",
        ],
    );
}

#[test]
fn a_copy_with_changes_assigns_members() {
    let files = [(
        "a.cs",
        "public class Name { }\npublic record Point(int Y) { public int Name { get; init; } }\n\
         public class Use {\n  Point M(Point p) => p with { Name = 1, Y = 2 };\n}\n",
    )];
    check(&files, "a.cs:1:14", &[]);
    check(&files, "Point.Name", &["a.cs:4:31 reference"]);
}

#[test]
fn collections_have_elements_and_lambdas_have_parameters() {
    let text = "\
using System;
using System.Collections.Generic;
using System.Linq;
class Item { public void Run() {} public Item Next; }
class Other { public void Run() {} }
static class More { public static void Each<T>(this IEnumerable<T> all, Action<T> f) {} }
class Shop {
    List<Item> items;
    Dictionary<string, Item> map;
    void Visit(Action<Item> f) {}
    void Choose(Func<Item, Other> f) {}
    bool TryFind(int place, out Item found) { found = null; return true; }
    void F() {
        items.First().Run();
        items.ForEach(one => one.Run());
        items.Where(one => one.Next != null).OrderBy(one => { one.Run(); return 1; });
        items.First(one => one.Next == null).Run();
        items.ToList().FindAll(one => true).Last().Run();
        foreach (var one in items) one.Run();
        foreach (var one in map.Values) one.Run();
        foreach (var (key, value) in map) value.Run();
        foreach (var entry in map) entry.Value.Run();
        foreach (var entry in map.OrderBy(two => two.Value)) entry.Value.Run();
        if (map.TryGetValue(\"a\", out var found)) found.Run();
        Visit(one => one.Run());
        this.Choose((one) => { one.Run(); return null; });
        Action<Item> f = one => one.Run();
        items.Each(one => one.Run());
        if (TryFind(1, out var own)) own.Run();
    }
    Predicate<Item> Test() => one => { one.Run(); return true; };
}
";
    let files = [("Shop.cs", text)];
    let expected = [
        "Shop.cs:14:22 call",
        "Shop.cs:15:33 call",
        "Shop.cs:16:66 call",
        "Shop.cs:17:45 call",
        "Shop.cs:18:51 call",
        "Shop.cs:19:39 call",
        "Shop.cs:20:44 call",
        "Shop.cs:21:48 call",
        "Shop.cs:22:47 call",
        "Shop.cs:23:73 call",
        "Shop.cs:24:55 call",
        "Shop.cs:25:25 call",
        "Shop.cs:26:35 call",
        "Shop.cs:27:36 call",
        "Shop.cs:28:30 call",
        "Shop.cs:29:41 call",
        "Shop.cs:31:43 call",
    ];
    check(&files, "Item.Run", &expected);
    check(&files, "More.Each", &["Shop.cs:28:14 call"]);
}

#[test]
fn property_patterns_refer_to_members() {
    let text = "\
class Item { public int Name; public Item Next { get; } public void Run() {} }
class Other { public Item Next { get; } }
class Shop {
    int F(Item item, object any) {
        if (item is { Next: { Next: null } } found) found.Run();
        var n = item switch { { Next: null } => 1, Item { Next: var next } => 2, _ => 3 };
        switch (item) { case { Next: null } one: one.Run(); break; }
        if (any is Item { Next.Next: null }) {}
        while (any is Item last) { last.Run(); }
        return any is { Next: null } ? 1 : any is Item { Next: null } ? 2 : 3;
    }
}
";
    let files = [("Shop.cs", text)];
    let expected = [
        "Shop.cs:5:22 reference",
        "Shop.cs:5:30 reference",
        "Shop.cs:6:32 reference",
        "Shop.cs:6:58 reference",
        "Shop.cs:7:31 reference",
        "Shop.cs:8:26 reference",
        "Shop.cs:8:31 reference",
        "Shop.cs:10:57 reference",
    ];
    check(&files, "Item.Next", &expected);
    let expected = [
        "Shop.cs:5:58 call",
        "Shop.cs:7:53 call",
        "Shop.cs:9:40 call",
    ];
    check(&files, "Item.Run", &expected);
}

#[test]
fn types_with_and_without_parameters_are_different() {
    let text = "\
namespace Shop {
    class Box { public Box() {} public static Box Empty; public void Open() {} }
    class Box<T> { public Box(T t) {} public static Box<T> Empty; public void Open() {} }
    class Box<T, U> : Box<T> { }
    class Row { internal class Cell { } internal class Cell<T> { public static int Size; } }
    class Shelf : Box {
        Box a; Box<int> b; Box<int, int> c; List<Box<int>> d; Row.Cell<int> e; Row.Cell f;
        void F(List g) {
            new Box().Open(); new Box<int>(1).Open(); Box<int> h = new(2); h.Open();
            Box.Empty.Open(); Box<int>.Empty.Open(); var i = Row.Cell<int>.Size;
            G(typeof(Box<>), typeof(Box<,>), typeof(Box), nameof(Box<int>));
        }
    }
    class List { }
}
";
    let aliases = "\
using One = Shop.Box<int>;
using Two = Shop.Box<int, int>;
class Alias { void F(One one, Two two) { one.Open(); } }
";
    let files = [("Shop.cs", text), ("Use.cs", aliases)];
    let check_at = |line: u32, column: u32, expected: &[&str]| {
        check(&files, &format!("Shop.cs:{line}:{column}"), expected);
    };
    // Box
    check_at(
        2,
        11,
        &[
            "Shop.cs:2:46 reference",
            "Shop.cs:6:18 inherit",
            "Shop.cs:7:8 reference",
            "Shop.cs:9:16 call",
            "Shop.cs:10:12 reference",
            "Shop.cs:11:52 reference",
        ],
    );
    // Box<T>
    check_at(
        3,
        11,
        &[
            "Shop.cs:3:52 reference",
            "Shop.cs:4:22 inherit",
            "Shop.cs:7:15 reference",
            "Shop.cs:7:49 reference",
            "Shop.cs:9:34 call",
            "Shop.cs:9:54 reference",
            "Shop.cs:10:30 reference",
            "Shop.cs:11:21 reference",
            "Shop.cs:11:65 reference",
            "Use.cs:1:17 import",
            "Use.cs:3:21 reference",
        ],
    );
    // Box<T, U>
    check_at(
        4,
        11,
        &[
            "Shop.cs:7:27 reference",
            "Shop.cs:11:36 reference",
            "Use.cs:2:17 import",
            "Use.cs:3:30 reference",
        ],
    );
    // Box.Open
    check_at(2, 70, &["Shop.cs:9:22 call", "Shop.cs:10:22 call"]);
    // Box<T>.Open
    check_at(
        3,
        79,
        &[
            "Shop.cs:9:46 call",
            "Shop.cs:9:77 call",
            "Shop.cs:10:45 call",
            "Use.cs:3:45 call",
        ],
    );
    check_at(5, 32, &["Shop.cs:7:83 reference"]);
    check_at(
        5,
        56,
        &["Shop.cs:7:66 reference", "Shop.cs:10:65 reference"],
    );
    check_at(14, 11, &["Shop.cs:8:15 reference"]);
}

#[test]
fn patterns_and_names_of_types_have_parameters() {
    let files = [
        (
            "Box.cs",
            "namespace Shop { class Box { } class Box<T> { } }\nclass Row<T> { }\n",
        ),
        (
            "Use.cs",
            "using Shop;
class Use {
    string F(object a) => a switch { Box<int> => nameof(Shop.Box<int>),
        Box => nameof(Shop.Box), _ => \"\" };
    bool G(object a) { return a is Box<int> or Box<string>; }
    void H(object a) { switch (a) { case Box<int>: break; case Box: break; } }
}
",
        ),
        ("Global.cs", "global using One = Shop.Box<int>;\n"),
        ("Uses.cs", "class Uses { One one; }\n"),
        // The nearest type has another number of parameters.
        (
            "Near.cs",
            "namespace Near { using Two = Row<int>; class Row { } class A { Two two; } }\n",
        ),
    ];
    check(
        &files,
        "Box.cs:1:24",
        &[
            "Use.cs:4:8 reference",
            "Use.cs:4:27 reference",
            "Use.cs:6:63 reference",
        ],
    );
    check(
        &files,
        "Box.cs:1:38",
        &[
            "Global.cs:1:24 import",
            "Use.cs:3:37 reference",
            "Use.cs:3:61 reference",
            "Use.cs:5:35 reference",
            "Use.cs:5:47 reference",
            "Use.cs:6:41 reference",
            "Uses.cs:1:13 reference",
        ],
    );
    check(
        &files,
        "Box.cs:2:7",
        &["Near.cs:1:29 import", "Near.cs:1:63 reference"],
    );
}

#[test]
fn directives_may_enclose_sections_of_a_switch() {
    let text = "\
enum Kind { A, B, C }
class Shop {
    int F(Kind kind) {
        switch (kind) {
            case Kind.A: return 1;
#if MORE
            case Kind.B: return 2;
#else
            // Here, too.
            case Kind.C: return 3;
#endif
            default: return 4;
        }
    }
}
";
    let expected = [
        "Shop.cs:3:10 reference",
        "Shop.cs:5:17 reference",
        "Shop.cs:7:17 reference",
        "Shop.cs:10:17 reference",
    ];
    check(&[("Shop.cs", text)], "Shop.Kind", &expected);
}

#[test]
fn a_long_path_in_a_pattern_is_bounded() {
    let path = vec!["Next"; 100_000].join(".");
    let text = format!(
        "class Item {{ public Item Next; public void Run() {{}} }}\n\
         class Shop {{ bool F(Item item) {{ item.Run(); return item is {{ {path}: null }}; }} }}\n"
    );
    check(&[("Shop.cs", &text)], "Item.Run", &["Shop.cs:2:38 call"]);
}

#[test]
fn tuples_and_delegates_have_the_types_that_they_declare() {
    let text = "using System; using System.Collections.Generic; using System.Linq;
class Cart { public void Total() {} }
class Shop {
  (Cart, int) Pair() => (new Cart(), 1);
  void Run(Func<Cart> make, Lazy<Cart> lazy, List<Cart> all) {
    var (a, n) = Pair(); a.Total();
    Pair().Item1.Total();
    var t = (1, new Cart()); t.Item2.Total();
    var (x, y) = (1, new Cart()); y.Total();
    make().Total();
    lazy.Value.Total();
    all.Aggregate((p, q) => p).Total();
    (Cart c, int m) named = Pair(); named.c.Total();
    n.Total();
    t.Item1.Total();
  }
}
";
    check(
        &[("Shop.cs", text)],
        "Cart.Total",
        &[
            "Shop.cs:6:27 call",
            "Shop.cs:7:17 call",
            "Shop.cs:8:37 call",
            "Shop.cs:9:36 call",
            "Shop.cs:10:11 call",
            "Shop.cs:11:15 call",
            "Shop.cs:12:31 call",
            "Shop.cs:13:44 call",
        ],
    );
}

#[test]
fn a_part_of_a_tuple_is_known_by_its_place() {
    let text = "class Cart { public void Total() {} }
class Other { public void Total() {} }
record Pair(Cart First, int Second);
class Shop {
  void Run(Pair pair, System.Collections.Generic.List<Cart> all) {
    var (_, b) = (new Other(), new Cart()); b.Total();
    var ((x, y), c) = ((1, 2), new Cart()); c.Total();
    var (d, e) = pair; d.Total();
    all.Aggregate(new Other(), (f, g) => f).Total();
  }
}
";
    check(
        &[("Shop.cs", text)],
        "Cart.Total",
        &[
            "Shop.cs:6:46 call",
            "Shop.cs:7:46 call",
            "Shop.cs:8:25 call",
            "Shop.cs:9:44 call?",
        ],
    );
}

#[test]
fn a_lambda_is_for_the_overloads_that_receive_a_function() {
    let text = "using System;
class Reader { public int Layout (object o) { return 1; } }
class Writer { public int Layout (object o) { return 1; } }
class Module {
  public void Read<T> (T item, Action<T, Reader> read) { }
  public R Read<T, R> (T item, Func<T, Reader, R> read) { return default; }
  public R Read<T, R> (ref R variable, T item, Func<T, Reader, R> read) { return default; }
  public void Either (Action<Reader> read) { }
  public void Either (Func<Writer, int> read) { }
}
class A {
  void F (Module module) {
    module.Read (this, (type, reader) => reader.Layout (type));
    module.Either (either => either.Layout (1));
  }
}
";
    check(
        &[("A.cs", text)],
        "Reader.Layout",
        &["A.cs:13:48 call", "A.cs:14:36 call?"],
    );
}

#[test]
fn calls_of_the_library_return_what_their_arguments_say() {
    let text = "using System.Collections.Generic; using System.Threading.Tasks;
class Cart { public void Total() {} }
class Shop {
  Task<Cart> Load() => Task.FromResult(new Cart());
  async Task Run(List<Cart> all, IEnumerable<Task<Cart>> tasks, IServiceProvider services, int n) {
    var a = new[] { new Cart(), new Cart() }; a[0].Total();
    foreach (var b in new[] { new Cart() }) b.Total();
    (await Task.WhenAll(Load(), Load()))[0].Total();
    (await Task.WhenAll(tasks))[0].Total();
    (await Task.FromResult(new Cart())).Total();
    var c = n switch { 1 => new Cart(), _ => null }; c.Total();
    services.GetRequiredService<Cart>().Total();
    services?.GetService<Cart>()?.Total();
    all.OfType<Cart>().First().Total();
    all[1..][0].Total();
    var d = new KeyValuePair<string, Cart>(); d.Value.Total();
    var e = n switch { 1 => all, var f => f }; e.Total();
    services.Other<Cart>().Total();
  }
}
";
    check(
        &[("Shop.cs", text)],
        "Cart.Total",
        &[
            "Shop.cs:6:51 call",
            "Shop.cs:7:46 call",
            "Shop.cs:8:44 call",
            "Shop.cs:9:35 call",
            "Shop.cs:10:40 call",
            "Shop.cs:11:55 call",
            "Shop.cs:12:40 call",
            "Shop.cs:13:34 call",
            "Shop.cs:14:31 call",
            "Shop.cs:15:16 call",
            "Shop.cs:16:54 call",
            "Shop.cs:17:49 call?",
            "Shop.cs:18:27 call?",
        ],
    );
}

#[test]
fn a_method_of_the_repository_with_a_known_name_returns_what_it_declares() {
    let text = "class Cart { public void Total() {} }
class Result<T> { public void Check() {} }
class Reader { public Result<T> Deserialize<T>(string text) => null; }
class Shop {
  void Run(Reader reader) { reader.Deserialize<Cart>(\"\").Check(); }
}
";
    check(&[("Shop.cs", text)], "Result.Check", &["Shop.cs:5:57 call"]);
}

#[test]
fn extension_methods_and_delegates_are_followed_in_chains() {
    let text = "using System;
class Cart { public void Total() {} }
class Shop { public Func<Cart> Make; public Cart Main; }
static class Extensions {
  public static Cart Twice(this Cart one) => one;
  public static T Also<T>(this T one, Action<T> run) => one;
  public static R Into<T, R>(this T one, R other) => other;
  public static Shop Twice(this Shop one) => one;
  public static bool Same(this string one) => true;
}
class Use {
  void Run(Shop shop) {
    new Cart().Twice().Twice().Total();
    shop.Main.Also(one => one.Total()).Total();
    shop.Make().Total();
    shop.Into(1).Total();
  }
}
";
    let rows = [
        "Shop.cs:13:31 call",
        "Shop.cs:14:30 call",
        "Shop.cs:14:39 call",
        "Shop.cs:15:16 call",
        "Shop.cs:16:17 call?",
    ];
    check(&[("Shop.cs", text)], "Cart.Total", &rows);
}

#[test]
fn collections_give_their_elements_and_copies_of_records_their_type() {
    let text = "using System.Collections.Generic;
using System.Linq;
record Cart(int Count) { public void Total() {} }
class Use {
  void Run(Queue<Cart> queue, Stack<Cart> stack, List<Cart> list, Dictionary<string, Cart> all) {
    queue.Dequeue().Total();
    stack.Peek().Total();
    list.ElementAt(0).Total();
    list.Zip(list, (one, two) => two).First().Total();
    all.GetValueOrDefault(\"a\").Total();
    (list[0] with { Count = 2 }).Total();
  }
}
";
    let rows = [
        "Shop.cs:6:20 call",
        "Shop.cs:7:17 call",
        "Shop.cs:8:22 call",
        "Shop.cs:10:31 call",
        "Shop.cs:11:33 call",
        "Shop.cs:9:46 call?",
    ];
    check(&[("Shop.cs", text)], "Cart.Total", &rows);
}
