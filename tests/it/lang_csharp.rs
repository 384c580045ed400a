//! C#: definitions and references.

use crate::lang_rows::check;

#[test]
fn definitions_begin_after_their_attributes() {
    check(
        "A.cs",
        r#"using System;
using Map = System.Collections.Generic.Dictionary<string, int>;

namespace Shop.Carts
{
    /// <summary>What A is.</summary>
    [Serializable]
    public partial class A<T> : Base<T>, IRun where T : Item
    {
        private int field, other;
        public event Handler Changed;
        public event Handler Renamed { add { } remove { } }
        public A() : base(1) {}
        ~A() {}
        [Obsolete("b")] public int Count { get; private set; }
        public string this[int i] => null;
        public static A operator +(A a, A b) => a;
        void IRun.Run<U>() { void Local(int x) { } }
#if DEBUG
        void Debug() {}
#else
        void Release() {}
#endif
        delegate int Handler(object sender);
        struct S { int x; }
        interface I { void M(); int P { get; } }
        enum E { One, Two = One }
    }
    record R(int X, string Y) : Q(X) { }
}
"#,
        &[
            "Shop.Carts namespace 4 4-30",
            "Shop.Carts.A class 7 8-28",
            "Shop.Carts.A.Changed method 11 11-11",
            "Shop.Carts.A.Renamed method 12 12-12",
            "Shop.Carts.A.A method 13 13-13",
            "Shop.Carts.A.~A method 14 14-14",
            "Shop.Carts.A.Count method 15 15-15",
            "Shop.Carts.A.this method 16 16-16",
            "Shop.Carts.A.operator+ method 17 17-17",
            "Shop.Carts.A.IRun.Run method 18 18-18",
            "Shop.Carts.A.IRun.Run.Local function 18 18-18",
            "Shop.Carts.A.Debug method 20 20-20",
            "Shop.Carts.A.Release method 22 22-22",
            "Shop.Carts.A.Handler type 24 24-24",
            "Shop.Carts.A.S class 25 25-25",
            "Shop.Carts.A.I interface 26 26-26",
            "Shop.Carts.A.I.M method 26 26-26",
            "Shop.Carts.A.I.P method 26 26-26",
            "Shop.Carts.A.E enum 27 27-27",
            "Shop.Carts.R class 29 29-29",
        ],
        &[
            "#0 1:6 ?.System import",
            "#0 2:39 ?.Dictionary import",
            "#3 7:5 Serializable read",
            "#2 8:32 Base inherit",
            "#2 8:37 T read",
            "#2 8:41 IRun inherit",
            "#2 8:56 Item read",
            "#3 11:21 Handler read",
            "#3 12:21 Handler read",
            "#10 13:21 =base.Base:base call",
            "#12 15:9 Obsolete read",
            "#3 17:22 A read",
            "#16 17:35 A read",
            "#16 17:40 A read",
            "#16 17:48 a read",
            "#18 18:13 IRun read",
            "#28 27:28 One read",
            "#1 29:32 Q inherit",
            "#1 29:34 X read",
        ],
        &[
            "#0 1:6 System * -",
            "#0 2:39 ........System.Collections.Generic Dictionary Map",
        ],
    );
}

#[test]
fn file_scoped_namespaces_last_to_the_end() {
    check(
        "A.cs",
        "namespace Shop;

class A { void F() { G(); } }
static class B { static void G() { } }
",
        &[
            "Shop namespace 1 1-4",
            "Shop.A class 3 3-3",
            "Shop.A.F method 3 3-3",
            "Shop.B class 4 4-4",
            "Shop.B.G method 4 4-4",
        ],
        &["#3 3:21 G call"],
        &[],
    );
}

#[test]
fn references_exclude_variables() {
    check(
        "A.cs",
        "using static System.Math;
class A : Base {
    int count;
    int Count => count;
    A Next { get; set; }
    void Run(B<C> b, int Stop) {
        Stop(1); this.Stop(2); b.Stop(3); b?.Stop(4); A.Stop(5); base.Stop(6);
        var d = new D<E> { Count = Count, Next = null };
        if (b is F { Count: 1 } f && f.Count > Count) { }
        foreach (var x in items) use(x, key: d);
        list.Select(y => y.Name).Where((z) => z > Count);
        var q = from r in rows let s = r.T where s select Next;
        goto end;
        end: throw new G(nameof(Next));
    }
    static void Stop(int n) { }
}
partial class P { void Go() { Run(); Go(); } }
",
        &[
            "A class 2 2-17",
            "A.Count method 4 4-4",
            "A.Next method 5 5-5",
            "A.Run method 6 6-15",
            "A.Stop method 16 16-16",
            "P class 18 18-18",
            "P.Go method 18 18-18",
        ],
        &[
            "#0 1:20 ?.Math import",
            "#0 2:10 Base inherit",
            "#2 4:17 count read",
            "#1 5:4 A read",
            "#6 6:13 B read",
            "#6 6:15 C read",
            "#6 7:8 Stop call",
            "#6 7:22 this.Stop call",
            "#6 7:31 b read",
            "#6 7:33 @b.Stop call",
            "#6 7:42 b read",
            "#6 7:45 @b.Stop call",
            "#6 7:54 A read",
            "#6 7:56 @A.Stop call",
            "#6 7:70 base.Stop call",
            "#6 8:20 D call",
            "#6 8:22 E read",
            "#6 8:27 #D`1<#E()>().Count read",
            "#6 8:35 Count read",
            "#6 8:42 #D`1<#E()>().Next read",
            "#6 9:12 b read",
            "#6 9:17 F read",
            "#6 9:21 #F().Count read",
            "#6 9:37 f read",
            "#6 9:39 @f.Count read",
            "#6 9:47 Count read",
            "#6 10:26 items read",
            "#8 10:33 use call",
            "#8 10:37 x read",
            "#8 10:45 d read",
            "#6 11:8 list read",
            "#6 11:13 @list.Select call",
            "#9 11:25 y read",
            "#9 11:27 @y.Name read",
            "#6 11:33 @list.Select((#9)).Where call",
            "#10 11:46 z read",
            "#10 11:50 Count read",
            "#11 12:26 rows read",
            "#11 12:39 r read",
            "#11 12:41 @r.T read",
            "#11 12:49 s read",
            "#11 12:58 Next read",
            "#6 14:23 G call",
            "#6 14:25 nameof call",
            "#6 14:32 Next read",
            "#14 18:30 Run call",
            "#14 18:37 Go call",
        ],
        &["#0 1:20 ..System.Math * -"],
    );
}

#[test]
fn a_condition_may_divide_a_construct() {
    check(
        "A.cs",
        "interface I<
#if VARIANT
    out
#endif
    T> { }
class A
#if B
    : Base
#else
    : Other
#endif
{
    bool F() {
        if (x) { return false; }
#if B
        else if (y) { return G(); }
#endif
        else { return true; }
    }
}
",
        &["I interface 1 1-5", "A class 6 6-20", "A.F method 13 13-19"],
        &[
            "#0 8:6 Base inherit",
            "#4 14:12 x read",
            "#4 16:17 y read",
            "#6 16:29 G call",
        ],
        &[],
    );
}

#[test]
fn an_at_sign_is_no_part_of_a_name() {
    check(
        "A.cs",
        "namespace @in.@out { class @class { void @do() { @do(); } } }\n",
        &[
            "in.out namespace 1 1-1",
            "in.out.class class 1 1-1",
            "in.out.class.do method 1 1-1",
        ],
        &["#3 1:50 do call"],
        &[],
    );
}

#[test]
fn products_in_arguments_declare_nothing() {
    check(
        "A.cs",
        "class A {
    void F(int size) { G(size * count, size * 2); }
}
",
        &["A class 1 1-3", "A.F method 2 2-2"],
        &[
            "#2 2:23 G call",
            "#2 2:25 size read",
            "#2 2:32 count read",
            "#2 2:39 size read",
        ],
        &[],
    );
}

#[test]
fn types_without_a_body_and_blocks_of_extension_members() {
    check(
        "a.cs",
        "#pragma warning disable IDE0001
public partial class App;
interface IMark;
public class Price(int amount) : Value(amount);
static class Texts {
    extension(string text) {
        public bool IsPrice => true;
        public void Show() { shop?.Label = text; }
    }
    static void Close() { }
}
",
        &[
            "App class 2 2-2",
            "IMark interface 3 3-3",
            "Price class 4 4-4",
            "Texts class 5 5-11",
            "Texts.IsPrice method 7 7-7",
            "Texts.Show method 8 8-8",
            "Texts.Close method 10 10-10",
        ],
        &[
            "#0 4:33 Value inherit",
            "#0 4:39 amount read",
            "#6 8:29 shop read",
            "#6 8:35 @shop.Label read",
            "#6 8:43 text read",
        ],
        &[],
    );
}
