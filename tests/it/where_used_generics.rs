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
  void Run(Box<string> a, Mine b, List<int> c) { a.Open(); b.Open(); a.Close(); b.Close(); c.Open();
  }
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

#[test]
fn arguments_of_java_tell_what_generic_calls_return() {
    let text = "import java.util.*; import java.util.function.*; import java.util.stream.*;
class Cart { Cart next; void total() {} Cart getNext() { return next; } }
class Basket { void total() {} }
class Tools {
  static <T> T same(T one) { return one; }
  static <T> List<T> both(T... all) { return null; }
  static <T, R> R apply(T one, Function<T, R> function) { return null; }
  <T> T make(Class<T> type) { return null; }
  <T> T later(Supplier<T> supplier) { return null; }
}
class Shop {
  void run(List<Cart> carts, Optional<Cart> one, Tools tools, Cart[] array, Gson gson) {
    Tools.same(new Cart()).total();
    Tools.both(new Cart(), new Cart()).get(0).total();
    Tools.apply(1, n -> new Cart()).total();
    tools.make(Cart.class).total();
    tools.later(() -> new Cart()).total();
    tools.later(Cart::new).total();
    carts.stream().map(c -> c.next).forEach(c -> c.total());
    carts.stream().map(Cart::getNext).collect(Collectors.toList()).get(0).total();
    carts.stream().map(c -> { return c.getNext(); }).findFirst().get().total();
    one.flatMap(c -> Optional.of(c.next)).ifPresent(c -> c.total());
    carts.stream().reduce((a, b) -> a).get().total();
    carts.sort(Comparator.comparing(c -> { c.total(); return 1; }));
    carts.stream().collect(Collectors.groupingBy(c -> { c.total(); return 1; }));
    List.of(new Cart()).get(0).total();
    Arrays.asList(array).get(0).total();
    new ArrayList<>(carts).get(0).total();
    var made = gson.fromJson(\"\", Cart.class); made.total();
    Objects.requireNonNull(one.get()).total();
    carts.stream().map(c -> new Basket()).forEach(b -> b.total());
    Tools.same(new Basket()).total();
    Function<String, Cart> make = k -> new Cart(); make.apply(\"a\").total();
  }
}
";
    check(
        &[("Shop.java", text)],
        "Cart.total",
        &[
            "Shop.java:13:27 call",
            "Shop.java:14:46 call",
            "Shop.java:15:36 call",
            "Shop.java:16:27 call",
            "Shop.java:17:34 call",
            "Shop.java:18:27 call",
            "Shop.java:19:51 call",
            "Shop.java:20:74 call",
            "Shop.java:21:71 call",
            "Shop.java:22:59 call",
            "Shop.java:23:45 call",
            "Shop.java:24:45 call",
            "Shop.java:25:58 call",
            "Shop.java:26:31 call",
            "Shop.java:27:32 call",
            "Shop.java:28:34 call",
            "Shop.java:29:51 call",
            "Shop.java:30:38 call",
            "Shop.java:33:67 call",
        ],
    );
    check(
        &[("Shop.java", text)],
        "Basket.total",
        &["Shop.java:31:57 call", "Shop.java:32:29 call"],
    );
}

#[test]
fn arguments_of_csharp_tell_what_generic_calls_return() {
    let text = "using System; using System.Collections.Generic; using System.Linq;
class Cart { public Cart Next; public List<Cart> Parts; public int Size; public void Total() {} }
class Basket { public void Total() {} }
class Tools {
  public static T Same<T>(T one) => one;
  public static List<T> Both<T>(params T[] all) => null;
  public static R Apply<T, R>(T one, Func<T, R> function) => default;
  public T Later<T>(Func<T> make) => default;
}
class Shop {
  void Run(List<Cart> carts, Tools tools) {
    Tools.Same(new Cart()).Total();
    Tools.Both(new Cart(), new Cart())[0].Total();
    Tools.Apply(1, n => new Cart()).Total();
    tools.Later(() => new Cart()).Total();
    carts.Select(c => c.Next).First().Total();
    carts.Select(c => { return c.Next; }).ToList()[0].Total();
    carts.SelectMany(c => c.Parts).First().Total();
    carts.SelectMany(c => c.Parts, (c, part) => c.Next).First().Total();
    carts.GroupBy(c => c.Size).Select(g => g.First()).First().Total();
    carts.ToDictionary(c => c.Size)[1].Total();
    carts.ToDictionary(c => c.Size, c => c.Next)[1].Total();
    carts.Aggregate((a, b) => a.Next).Total();
    carts.Select(c => new { Cart = c, c.Next }).First().Cart.Total();
    foreach (var pair in carts.Select(c => new { c.Next })) pair.Next.Total();
    var both = new { Cart = new Cart(), Size = 1 }; both.Cart.Total();
    carts.Select(c => new Basket()).First().Total();
    Tools.Same(new Basket()).Total();
    carts.GroupBy(c => c.Size, (size, group) => 1).First().Total();
    var named = Named(); named.cart.Total(); named.Item1.Total(); named.basket.Total();
    Func<Cart> make = () => new Cart(); make.Invoke().Total();
  }
  (Cart cart, Basket basket) Named() => default;
}
";
    check(
        &[("Shop.cs", text)],
        "Cart.Total",
        &[
            "Shop.cs:12:27 call",
            "Shop.cs:13:42 call",
            "Shop.cs:14:36 call",
            "Shop.cs:15:34 call",
            "Shop.cs:16:38 call",
            "Shop.cs:17:54 call",
            "Shop.cs:18:43 call",
            "Shop.cs:19:64 call",
            "Shop.cs:20:62 call",
            "Shop.cs:21:39 call",
            "Shop.cs:22:52 call",
            "Shop.cs:23:38 call",
            "Shop.cs:24:61 call",
            "Shop.cs:25:70 call",
            "Shop.cs:26:62 call",
            "Shop.cs:30:36 call",
            "Shop.cs:30:57 call",
            "Shop.cs:31:54 call",
            "Shop.cs:29:59 call?",
        ],
    );
    check(
        &[("Shop.cs", text)],
        "Basket.Total",
        &[
            "Shop.cs:27:44 call",
            "Shop.cs:28:29 call",
            "Shop.cs:30:79 call",
            "Shop.cs:29:59 call?",
        ],
    );
}

#[test]
fn type_arguments_of_go_are_followed() {
    let library = "package lib

type Box[T any] struct {
	Value T
	Items []T
}

type Pair[A, B any] struct {
	First  A
	Second B
}

type List[E any] []E

type Wrapper[T any] struct {
	*Box[T]
}

func (b *Box[X]) Get() X       { return b.Value }
func (b *Box[X]) Self() *Box[X] { return b }
func (l List[E]) Last() E      { return l[len(l)-1] }
func Make[T any]() T           { var t T; return t }
func Both[T any]() (int, T)    { var t T; return 1, t }
func Same[T any](one T) T      { return one }
func Map[T, R any](all []T, f func(T) R) []R { return nil }
func Wrap[T any](one T) *Box[T] { return nil }
func Pick[T, R any](box *Box[T], first R, second T) R { return first }
func Two[A, B any](a A) Pair[A, B] { return Pair[A, B]{} }
";
    let shop = "package shop

import \"shop/lib\"

type Cart struct{ Next *Cart }

func (c *Cart) Total() {}

type Basket struct{}

func (b *Basket) Total() {}

func run(box *lib.Box[*Cart], pair lib.Pair[int, Cart], list lib.List[Cart], carts []Cart) {
	box.Value.Total()
	box.Items[0].Total()
	box.Get().Total()
	box.Self().Self().Get().Total()
	pair.Second.Total()
	list.Last().Total()
	list[0].Total()
	lib.Make[Cart]().Total()
	_, made := lib.Both[*Cart]()
	made.Total()
	lib.Same(&Cart{}).Total()
	lib.Map(carts, func(c Cart) *Cart { return c.Next })[0].Total()
	wrapped := lib.Wrap(carts[0])
	wrapped.Value.Total()
	w := lib.Wrapper[Cart]{}
	w.Get().Total()
	w.Value.Total()
	lib.Same(&Basket{}).Total()
	for _, item := range list {
		item.Total()
	}
	lib.Two[int, Cart](1).Second.Total()
	lib.Pick(box, &Basket{}, nil).Total()
}
";
    let files = [
        ("go.mod", "module shop\n"),
        ("lib/lib.go", library),
        ("shop.go", shop),
    ];
    check(
        &files,
        "Cart.Total",
        &[
            "shop.go:14:11 call",
            "shop.go:15:14 call",
            "shop.go:16:11 call",
            "shop.go:17:25 call",
            "shop.go:18:13 call",
            "shop.go:19:13 call",
            "shop.go:20:9 call",
            "shop.go:21:18 call",
            "shop.go:23:6 call",
            "shop.go:24:19 call",
            "shop.go:25:57 call",
            "shop.go:27:15 call",
            "shop.go:29:9 call",
            "shop.go:30:9 call",
            "shop.go:33:7 call",
            "shop.go:35:30 call",
        ],
    );
    check(
        &files,
        "Basket.Total",
        &["shop.go:31:21 call", "shop.go:36:31 call"],
    );
    check(
        &files,
        "lib/lib.go:19:18",
        &[
            "shop.go:16:5 call",
            "shop.go:17:19 call",
            "shop.go:29:3 call",
        ],
    );
}

#[test]
fn functions_of_java_that_receive_no_elements_have_parameters_of_no_known_type() {
    let text = "import java.util.*; import java.util.function.*; import java.util.stream.*;
class Cart { Basket basket; int total() { return 1; } }
class Basket { int total() { return 1; } Basket merge(Basket other) { return this; } }
class Carts extends AbstractList<Cart> { public Cart first() { return null; } }
class Query { Basket collect(Object collector) { return null; } }
class CartOf implements Function<String, Cart> { public Cart apply(String a) { return null; } }
class Box<T> { T value; Box(T value) {} }
class Tools {
  static <T> List<T> both(T... all) { return null; }
  static int mapping(Function<Basket, Integer> f) { return 1; }
  static void use(int a) {}
}
class Shop {
  void g(List<Cart> carts, Carts own, Query query, Cart[] array, Function<String, Cart> f, Shop s) {
    carts.stream().collect(Collectors.toMap(c -> c.total(), c -> c.basket, (a, b) -> a.total()));
    carts.sort(Comparator.comparing(c -> c.basket, (x, y) -> x.total()));
    Collectors.mapping(c -> c.basket, Collectors.filtering(o -> o.total() > 1, null));
    carts.stream().reduce(new Basket(), (sum, c) -> sum, (p, q) -> p.total());
    assertThrows(Cart.class, s::basket).total();
    Stream.of(Cart.class).forEach(c -> c.total());
    new ArrayList<>(own).first().total();
    query.collect(Collectors.toList()).total();
    List.of(null, null, null, null, null, null, null, null, new Cart()).get(0).total();
    Tools.both(array).get(0).total();
    List.of(array).get(0).total();
    f.apply(\"a\").total();
    Tools.use(Tools.mapping(b -> b.total()));
    new Box<>(new Cart()).value.total();
    new Box<>(new Basket()).value.total();
  }
  Basket basket() { return null; }
}
";
    let files = [("Shop.java", text)];
    check(
        &files,
        "Cart.total",
        &[
            "Shop.java:15:51 call",
            "Shop.java:19:40 call",
            "Shop.java:23:79 call",
            "Shop.java:26:17 call",
            "Shop.java:28:32 call",
            "Shop.java:15:87 call?",
            "Shop.java:16:63 call?",
            "Shop.java:17:66 call?",
            "Shop.java:18:69 call?",
            "Shop.java:20:41 call?",
            "Shop.java:21:33 call?",
            "Shop.java:24:29 call?",
            "Shop.java:25:26 call?",
        ],
    );
    check(
        &files,
        "Basket.total",
        &[
            "Shop.java:22:39 call",
            "Shop.java:27:35 call",
            "Shop.java:29:34 call",
            "Shop.java:15:87 call?",
            "Shop.java:16:63 call?",
            "Shop.java:17:66 call?",
            "Shop.java:18:69 call?",
            "Shop.java:20:41 call?",
            "Shop.java:21:33 call?",
            "Shop.java:24:29 call?",
            "Shop.java:25:26 call?",
        ],
    );
    check(&files, "CartOf.apply", &["Shop.java:26:6 call?"]);
}

#[test]
fn calls_of_csharp_that_look_like_those_of_the_library_are_of_the_repository() {
    let text = "using System; using System.Collections.Generic; using System.Linq;
namespace Lib { public class Stack<T> { public Basket Peek() => null; } }
public class Cart { public int Size; public void Total() {} }
public class Basket { public void Total() {} }
class Stats { public Cart Aggregate(int a, int b) => null; public Basket Func<A, B>(A a) => null; }
class Tools { public static T Pick<T>(T one, object key) => one; }
class Shop {
  (Lib.Stack<Cart>, Basket basket) Pair() => default;
  async void Run(List<Cart> carts, Lib.Stack<Cart> stack, Stats stats) {
    stack.Peek().Total();
    stats.Aggregate(1, 2).Total();
    stats.Func<Cart, Cart>(null).Total();
    Tools.Pick(key: new Basket(), one: new Cart()).Total();
    foreach (var task in carts.Select(async c => c)) task.Result.Total();
    carts.GroupBy(c => c).First().Key.Total();
    Pair().basket.Total();
    Pair().Item1.Peek().Total();
  }
}
";
    check(
        &[("Shop.cs", text)],
        "Cart.Total",
        &[
            "Shop.cs:11:26 call",
            "Shop.cs:14:65 call",
            "Shop.cs:13:51 call?",
            "Shop.cs:15:38 call?",
        ],
    );
    check(
        &[("Shop.cs", text)],
        "Basket.Total",
        &[
            "Shop.cs:10:17 call",
            "Shop.cs:12:33 call",
            "Shop.cs:16:18 call",
            "Shop.cs:17:24 call",
            "Shop.cs:13:51 call?",
            "Shop.cs:15:38 call?",
        ],
    );
}

#[test]
fn calls_through_generic_interfaces_are_candidates_of_what_implements_them() {
    let csharp = "interface IHas<T> { void Open(); T Value { get; } }
class Cart : IHas<int> { public void Open() {} public int Value { get; } }
class Shop<R> where R : IHas<int> {
  void Run(IHas<int> a, R b) { a.Open(); b.Open(); var c = a.Value; var d = b.Value; }
}
";
    let files = [("Shop.cs", csharp)];
    check(
        &files,
        "Cart.Open",
        &["Shop.cs:4:33 call?", "Shop.cs:4:43 call?"],
    );
    check(
        &files,
        "Cart.Value",
        &["Shop.cs:4:61 reference?", "Shop.cs:4:78 reference?"],
    );
    let go = "package shop

type Opener interface{ Open() }

type Cart struct{}

func (c *Cart) Open() {}

func run[T Opener, U any](a T, b U) { a.Open() }
";
    check(
        &[("go.mod", "module shop\n"), ("a.go", go)],
        "Opener.Open",
        &["a.go:9:40 call"],
    );
    check(
        &[("go.mod", "module shop\n"), ("a.go", go)],
        "Cart.Open",
        &["a.go:9:40 call?"],
    );
    let java = "interface Has<T> { void open(); }
class Cart implements Has<Integer> { public void open() {} }
class Shop<R extends Has<Integer>> {
  void run(Has<Integer> a, R b) { a.open(); b.open(); }
}
";
    check(
        &[("Shop.java", java)],
        "Cart.open",
        &["Shop.java:4:36 call?", "Shop.java:4:46 call?"],
    );
}
