//! `where_used` of what type arguments stand for: members of generic types and results of generic
//! methods.

use crate::where_used::check;

#[test]
fn members_of_generic_types_of_csharp_have_the_type_arguments() {
    let library = "using System; using System.Collections; using System.Collections.Generic;
namespace Lib {
  public class Pair<A, B> { public A First; public B Second { get; set; } }
  public class Box<T> : Pair<string, T> {
    public T Value { get; }
    public T Get() => Value;
    public List<T> All() => null;
    public T this[int i] => Value;
    public Box<T> Self() => this;
    public Box<U> With<U>(U one) => null;
    public void Each(Action<T> run) {}
    public IEnumerator<T> GetEnumerator() => null;
    public static Box<T> Empty() => null;
  }
  public class Carts : Box<Cart> {}
  public class Fleet<T> where T : Cart { public T Lead; void Go() { Lead.Total(); } }
  public class Cart { public void Total() {} }
  public class Basket { public void Total() {} }
}
";
    let shop = "using Lib;
class Shop {
  Box<Cart> box; Lib.Box<Cart> full; Carts carts; Box<Basket> other;
  void Run() {
    box.Value.Total();
    box.Get().Total();
    box.All()[0].Total();
    box[0].Total();
    box.Self().Self().Value.Total();
    box.Second.Total();
    box.Each(c => c.Total());
    foreach (var c in box) c.Total();
    full.Get().Total();
    carts.Value.Total();
    new Box<Cart>().Get().Total();
    Box<Cart>.Empty().Value.Total();
    var pair = new Pair<Basket, Box<Cart>>(); pair.Second.Value.Total();
    other.Value.Total();
    pair.First.Total();
    box.With<Basket>(null).Value.Total();
    new Unseen<Cart>().Value.Total();
  }
}
";
    let files = [("Lib.cs", library), ("Shop.cs", shop)];
    check(
        &files,
        "Cart.Total",
        &[
            "Lib.cs:16:73 call",
            "Shop.cs:5:14 call",
            "Shop.cs:6:14 call",
            "Shop.cs:7:17 call",
            "Shop.cs:8:11 call",
            "Shop.cs:9:28 call",
            "Shop.cs:10:15 call",
            "Shop.cs:11:20 call",
            "Shop.cs:12:29 call",
            "Shop.cs:13:15 call",
            "Shop.cs:14:16 call",
            "Shop.cs:15:26 call",
            "Shop.cs:16:28 call",
            "Shop.cs:17:64 call",
            "Shop.cs:21:29 call?",
        ],
    );
    check(
        &files,
        "Basket.Total",
        &[
            "Shop.cs:18:16 call",
            "Shop.cs:19:15 call",
            "Shop.cs:20:33 call",
            "Shop.cs:21:29 call?",
        ],
    );
}

#[test]
fn generic_methods_of_csharp_return_their_type_arguments() {
    let text = "using System.Collections.Generic; using System.Threading.Tasks;
class Cart { public void Total() {} }
class Basket { public void Total() {} }
class Store {
  public T Find<T>() => default;
  public Cart Find() => null;
  public Task<List<T>> Load<T>() => null;
  public static T Make<T>() where T : new() => new T();
}
class Shop {
  T Local<T>() => default;
  async Task Run(Store store) {
    store.Find<Cart>().Total();
    store?.Find<Cart>().Total();
    var all = await store.Load<Cart>(); all[0].Total();
    Store.Make<Cart>().Total();
    Local<Cart>().Total();
    store.Find<Basket>().Total();
    store.Find().Total();
  }
}
";
    check(
        &[("Shop.cs", text)],
        "Cart.Total",
        &[
            "Shop.cs:13:23 call",
            "Shop.cs:14:24 call",
            "Shop.cs:15:47 call",
            "Shop.cs:16:23 call",
            "Shop.cs:17:18 call",
            "Shop.cs:19:17 call",
        ],
    );
}

#[test]
fn extension_methods_of_csharp_extend_generic_types() {
    let text = "using System.Collections.Generic;
interface IHas { }
class Box<T> : IHas { }
class Mine : Box<int> { }
static class Tools {
  public static void Open<T>(this Box<T> box) {}
  public static void Close<T>(this T any) where T : IHas {}
}
class Shop {
  void Run(Box<string> a, Mine b, List<int> c) { a.Open(); b.Open(); a.Close(); b.Close(); c.Open(); }
}
";
    check(
        &[("Shop.cs", text)],
        "Tools.Open",
        &[
            "Shop.cs:10:51 call",
            "Shop.cs:10:61 call",
            "Shop.cs:10:93 call?",
        ],
    );
    check(
        &[("Shop.cs", text)],
        "Tools.Close",
        &["Shop.cs:10:71 call", "Shop.cs:10:82 call"],
    );
}
