//! `where_used` in C#: the types of values that patterns, deconstruction, queries, operators and
//! the library tell.

use crate::where_used::{check, rows_of_totals};

const CART: (&str, &str) = (
    "Cart.cs",
    "namespace Shop;
public class Cart { public int total() => 1; public Cart Next => this; public Other Other; }
public class Other { public Cart Cart { get; set; } public int total() => 2; }
public record Pair(Cart Left, Other Right);
public record struct Point(Cart Cart, int Count);
public class Split { public void Deconstruct(out Cart cart, out Other other) { } }
",
);

/// Checks that each `.total()` in a class is a use of `Cart.total`. In a line that ends in `// ?`
/// it is only known by name, and in one that ends in `// -` it is none.
#[track_caller]
fn check_totals(text: &str) {
    let text = format!(
        "using System; using System.Collections.Generic; using System.Linq;\n\
         using System.Threading.Tasks; using Shop;\n{text}"
    );
    let shop = ("Shop.cs", &*text);
    let rows = rows_of_totals(&[shop]);
    let expected: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&[CART, shop], "Cart.total", &expected);
}

#[test]
fn a_value_is_deconstructed() {
    check_totals(
        "class Run {
  void Do(Pair pair, Split split, List<Pair> pairs, Dictionary<string, Cart> map, object any) {
    var (left, right) = pair;
    left.total();
    right.total(); // -
    var (cart, _) = split;
    cart.total();
    (var first, var second) = new Pair(null, null);
    first.total();
    foreach (var (one, two) in pairs) { one.total(); }
    foreach (var (key, value) in map) { value.total(); }
    foreach (var (count, item) in map.Values.Index()) { item.total(); }
    var (made, other) = (new Cart(), 1);
    made.total();
    foreach (var (named, at) in map.Values.Select((c, i) => (c, i))) { named.total(); }
  }
}
",
    );
}

#[test]
fn a_part_of_a_value_matches_a_pattern() {
    check_totals(
        "class Run {
  void Do(object any, Other other, Pair pair, List<Cart> carts, Point? point) {
    if (other is { Cart: var a }) a.total();
    if (any is Cart { Next: var b }) b.total();
    if (any is Pair(var c, var d)) c.total();
    if (any is Pair(var c, var d)) d.total(); // -
    if (pair is (var e, _)) e.total();
    var sum = any switch { Pair(var f, _) => f.total(), Pair { Left: var g } => g.total(), _ => 0 };
    switch (any) { case Pair(var h, _): h.total(); break; }
    if (any is not Pair(var i, _)) return;
    i.total();
    if (carts is [var j, ..]) j.total();
    point.Value.Cart.total();
  }
}
",
    );
}

#[test]
fn a_query_selects_values() {
    check_totals(
        "class Run {
  void Do(List<Cart> carts, Dictionary<string, Cart> map) {
    var all = from cart in carts where cart.total() > 0 select cart;
    foreach (var cart in all) cart.total();
    (from cart in carts let next = cart.Next select next).First().total();
    (from cart in carts select cart.Other).First().total(); // -
    (from a in carts join b in carts on a equals b select b).First().total();
    (from a in carts join b in carts on a equals b into bs select bs.First()).First().total();
    (from cart in carts group cart by cart.Next into g select g.First()).First().total();
    (from cart in carts select new { Cart = cart }).ToList()[0].Cart.total();
    foreach (var one in from entry in map select entry.Value) one.total();
  }
}
",
    );
}

#[test]
fn an_operator_and_a_tuple_have_results() {
    check_totals(
        "class Money {
  public static Money operator +(Money a, Money b) => a;
  public static Cart operator *(Money a, int n) => null;
  public static Other operator -(int n, Money a) => null;
  public Cart Cart;
}
class Run {
  void Do(Money money, Cart cart, Other other, IEnumerable<(Cart C, int N)> list) {
    (money + money).Cart.total();
    (money * 2).total();
    (2 - money).total(); // -
    var sum = money + money;
    sum.Cart.total();
    var both = (cart, other);
    both.cart.total();
    both.Item1.total();
    both.other.total(); // -
    var named = (One: cart, 2);
    named.One.total();
    foreach (var part in list) part.C.total();
  }
}
",
    );
}

#[test]
fn the_library_returns_what_it_receives() {
    check_totals(
        "class Run {
  class Context : DbContext { public DbSet<Cart> Carts { get; set; } }
  async Task Ask(Context context) {
    context.Carts.Where(one => one.total() > 0);
    (await context.Carts.FirstAsync()).total();
  }
  event EventHandler<Args> Done;
  class Args : EventArgs { public Cart Cart; }
  async Task Do(Cart cart, List<Cart> carts, Task<Cart> task, Func<Func<Cart>> make, Cart field) {
    (await Task.Run(() => new Cart())).total();
    (await Task.Run(async () => { return await task; })).total();
    (await await Task.WhenAny(task, task)).total();
    Enumerable.Repeat(cart, 3).First().total();
    await task.ContinueWith(done => done.Result.total());
    make()().total();
    new Lazy<Cart>(() => cart).Value.total();
    new List<Cart>().First().total();
    Parallel.ForEach(carts, one => one.total());
    Array.Find(carts.ToArray(), one => one.total() > 0).total();
    ref var place = ref field;
    place.total();
    Done += (sender, args) => args.Cart.total();
  }
  async Task Types(Span<Cart> span, IAsyncEnumerable<Cart> stream, IGrouping<int, Cart> group,
      Tuple<Cart, int> tuple, Nullable<Point> point, LinkedList<Cart> linked) {
    span.Slice(1)[0].total();
    await foreach (var one in stream) one.total();
    foreach (var one in group) one.total();
    tuple.Item1.total();
    point.Value.Cart.total();
    linked.First.Next.Value.total();
  }
}
",
    );
}

#[test]
fn a_method_extends_a_type_from_elsewhere() {
    check_totals(
        "static class Extensions {
  public static Cart AsCart(this string text) => null;
  public static Cart Times(this int count) => null;
  public static IEnumerable<T> Page<T>(this IEnumerable<T> all) => all;
  public static T Best<T>(this IList<T> all) => default;
  public static Cart AddRange<T>(this ICollection<T> all) => null;
}
class Run {
  void Do(List<Cart> carts, string name) {
    \"a\".AsCart().total();
    name.AsCart().total();
    5.Times().total();
    carts.Page().First().total();
    carts.Best().total();
    carts.AddRange().total(); // ?
  }
}
",
    );
}

#[test]
fn a_type_of_the_repository_may_have_the_name_of_one_of_the_library() {
    check_totals(
        "class Lookup<K, V> { public Other Value; public V First() => default; }
class Memory<T> { public Other Value; public T Held; }
class Converter<A, B> { public Other Do(Func<B> f) => null; }
class Class(Cart cart) { public void Deconstruct(out Other a, out Cart b) { a = null; b = cart; }
  public void Deconstruct(out Cart a, out Cart b, out Other c) { a = b = cart; c = null; } }
class Run {
  void Do(Lookup<int, Cart> lookup, Memory<Cart> memory, Converter<int, Cart> converter, Class c) {
    lookup.Value.total(); // -
    lookup.First().total();
    memory.Value.total(); // -
    memory.Held.total();
    converter.Do(null).total(); // -
    var (one, two) = c;
    one.total(); // -
    two.total();
    var (first, second, third) = c;
    first.total();
    third.total(); // -
  }
}
",
    );
}
