//! `where_used` in PHP: namespaces, `use`, traits, and the types of receivers.

use crate::where_used::check;

#[test]
fn classes_are_found_by_their_full_names() {
    check(
        &[
            (
                "src/Cart.php",
                "<?php\nnamespace Shop;\nclass Cart { static function load(): self { return new self(); } }\n",
            ),
            (
                "src/Pay.php",
                "<?php\nnamespace Shop;\nclass Pay extends Cart { function f(): Cart { return new Cart(); } }\n",
            ),
            (
                "app/Till.php",
                "<?php\nnamespace App;\nuse Shop\\Cart;\nuse Shop\\{Cart as Basket};\nfunction f(Cart $cart) { Basket::load(); \\Shop\\Cart::load(); }\n",
            ),
            (
                "app/Rel.php",
                "<?php\nnamespace App;\nuse Shop;\n$cart = new Shop\\Cart();\n$other = new Cart();\n",
            ),
            // Another class of the same name.
            (
                "garden/Cart.php",
                "<?php\nnamespace Garden;\nclass Cart { function f(): Cart { return $this; } }\n",
            ),
        ],
        "src.Cart.Cart",
        &[
            "app/Rel.php:4:17 call",
            "app/Till.php:3:9 import",
            "app/Till.php:4:10 import",
            "app/Till.php:5:11 reference",
            "app/Till.php:5:25 reference",
            "app/Till.php:5:47 reference",
            "src/Pay.php:3:18 inherit",
            "src/Pay.php:3:39 reference",
            "src/Pay.php:3:57 call",
        ],
    );
}

#[test]
fn methods_follow_the_types_of_receivers() {
    check(
        &[
            (
                "Item.php",
                "<?php\nclass Item {\n  function total(): int { return 1; }\n  function twice() { return $this->total(); }\n}\n",
            ),
            (
                "Cart.php",
                "<?php
class Cart {
  private Item $item;
  private $late;
  function __construct(private ?Item $gift, $other) {
    $this->late = new Item();
  }
  function first(): Item { return $this->item; }
  static function load(): static { return new static(); }
  function sums($other) {
    $this->item->total();
    $this->gift?->total();
    $this->late->total();
    $this->first()->total();
    $other->total();
    $text = 'a';
    $text->total();
    $run = function () { $this->first()->total(); };
    $map = fn (Item $item) => $item->total();
    try { } catch (Item $error) { $error->total(); }
  }
}
(new Cart(null))->first()->total();
Cart::load()->first()->total();
",
            ),
        ],
        "Item.Item.total",
        &[
            "Cart.php:11:17 call",
            "Cart.php:12:18 call",
            "Cart.php:13:17 call",
            "Cart.php:14:20 call",
            "Cart.php:18:41 call",
            "Cart.php:19:37 call",
            "Cart.php:20:42 call",
            "Cart.php:23:27 call",
            "Cart.php:24:23 call",
            "Item.php:4:35 call",
            "Cart.php:15:12 call?",
        ],
    );
}

#[test]
fn members_come_from_superclasses_and_traits() {
    check(
        &[
            (
                "Priced.php",
                "<?php\nnamespace A;\ntrait Priced { function price() { $this->base(); } }\n",
            ),
            (
                "Item.php",
                "<?php\nnamespace A;\nclass Item { use Priced; function a() { self::price(); } }\n",
            ),
            (
                "Big.php",
                "<?php\nnamespace B;\nuse A\\Item;\nclass Big extends Item { function b() { parent::price(); $this->price(); } }\n",
            ),
            (
                "Other.php",
                "<?php\nclass Other { function price() {} function c() { $this->price(); } }\n",
            ),
        ],
        "Priced.Priced.price",
        &[
            "Big.php:4:48 call",
            "Big.php:4:64 call",
            "Item.php:3:46 call",
        ],
    );
}

#[test]
fn functions_are_imported_or_of_the_namespace() {
    check(
        &[
            (
                "functions.php",
                "<?php\nnamespace A;\nfunction total() {}\ntotal();\n",
            ),
            ("a.php", "<?php\nnamespace A;\ntotal();\n\\A\\total();\n"),
            (
                "b.php",
                "<?php\nnamespace B;\nuse function A\\total;\ntotal();\n",
            ),
            (
                "c.php",
                "<?php\nnamespace C;\nfunction total() {}\ntotal();\n",
            ),
        ],
        "functions.total",
        &[
            "a.php:3:0 call",
            "a.php:4:3 call",
            "b.php:3:15 import",
            "b.php:4:0 call",
            "functions.php:4:0 call",
        ],
    );
}

#[test]
fn a_file_may_begin_several_namespaces() {
    check(
        &[
            (
                "all.php",
                "<?php\nnamespace One;\nfunction run() {}\nnamespace Two;\nfunction other() {}\n\\One\\run();\n",
            ),
            ("app.php", "<?php\nuse function One\\run;\nrun();\n"),
        ],
        "all.php:3:10",
        &[
            "all.php:6:5 call",
            "app.php:2:17 import",
            "app.php:3:0 call",
        ],
    );
}

#[test]
fn constructors_are_called_by_new() {
    check(
        &[
            (
                "Cart.php",
                "<?php\nclass Cart { function __construct() {} }\nclass Big extends Cart {}\n",
            ),
            ("app.php", "<?php\nnew Cart();\nnew Big();\n"),
        ],
        "Cart.Cart.__construct",
        &["app.php:2:4 call", "app.php:3:4 call"],
    );
}

#[test]
fn documentation_comments_give_types() {
    check(
        &[
            (
                "Item.php",
                "<?php\nnamespace Shop;\nclass Item { public function total() { return 1; } }\n",
            ),
            (
                "Cart.php",
                r"<?php
namespace Shop;
/**
 * @property-read Item $gift
 * @template T
 */
class Cart {
  /** @var Item[] all of them */
  private array $items = [];
  /** @param array<string, Item> $more
   *  @param T $any */
  function add(array $more, Item ...$rest) {
    foreach ($this->items as $item) { $item->total(); }
    foreach ($more as $name => $item) { $more[$name]->total(); }
    foreach ($rest as $one) { $one->total(); }
    foreach ($this->all() as $each) { $each->total(); }
    $this->gift->total();
    $any->total();
  }
  /** @return \Shop\Item|null */
  function first() { return null; }
  /** @return iterable<Item> */
  function all() { yield 1; }
  function made() { return new Item(); }
}
",
            ),
            (
                "app.php",
                r"<?php
use Shop\Cart;
function run(Cart $cart, $other, $maybe) {
  $cart->first()->total();
  $cart->made()->total();
  /** @var \Shop\Item $typed */
  $typed = make();
  $typed->total();
  [$a, [$b]] = [new \Shop\Item(), [new \Shop\Item()]];
  $a->total();
  $list = [];
  $list[] = new \Shop\Item();
  $list[0]->total();
  list('x' => $c) = $list;
  $c->total();
  if ($maybe instanceof \Shop\Item) { $maybe->total(); }
  $other->total();
}
",
            ),
        ],
        "Item.Item.total",
        &[
            "Cart.php:13:45 call",
            "Cart.php:14:54 call",
            "Cart.php:15:36 call",
            "Cart.php:16:45 call",
            "Cart.php:17:17 call",
            "app.php:4:18 call",
            "app.php:5:17 call",
            "app.php:8:10 call",
            "app.php:10:6 call",
            "app.php:13:12 call",
            "app.php:15:6 call",
            "app.php:16:46 call",
            "Cart.php:18:10 call?",
            "app.php:17:10 call?",
        ],
    );
}

#[test]
fn the_test_of_a_type_holds_where_it_is_true() {
    let text = "<?php
class Cart { function total() {} }
class Shop { function total() {} }
interface Base { function total(); }
function f(Base $a, $b, $c) {
    if ($a instanceof Cart) { $a->total(); }
    elseif ($a instanceof Shop && $a->total()) { $a->total(); }
    else { $a->total(); }
    if (!$b instanceof Cart || $b->total() === 1) { throw new E($b->total()); }
    $b->total();
    while ($c instanceof Shop) { $c->total(); }
    $c->total();
}
";
    let files = [("a.php", text)];
    let unknown = ["a.php:9:35 call?", "a.php:9:68 call?", "a.php:12:8 call?"];
    let rows = |resolved: &[&'static str]| [resolved, &unknown].concat();
    let of_cart = rows(&["a.php:6:34 call", "a.php:10:8 call"]);
    check(&files, "Cart.total", &of_cart);
    let of_shop = rows(&["a.php:7:38 call", "a.php:7:53 call", "a.php:11:37 call"]);
    check(&files, "Shop.total", &of_shop);
    // What is a `Cart` may be a `Base`, too.
    let of_base = rows(&[
        "a.php:6:34 call",
        "a.php:7:38 call",
        "a.php:7:53 call",
        "a.php:8:15 call",
    ]);
    check(&files, "Base.total", &of_base);
}

#[test]
fn a_test_for_an_interface_keeps_the_declared_type() {
    let text = "<?php
interface Priced {}
class Cart { function total() {} }
class Shop { function total() {} }
function f(Cart $a, Cart $b, Cart $c) {
    if ($a instanceof Priced) { $a->total(); }
    if (!$b instanceof Priced) { throw new E(); }
    $b->total();
    if (!$c instanceof Shop) { throw_if(true); }
    $c->total();
}
";
    let files = [("a.php", text)];
    let of_cart = ["a.php:6:36 call", "a.php:8:8 call", "a.php:10:8 call"];
    check(&files, "Cart.total", &of_cart);
}

#[test]
fn the_last_assignment_before_a_place_holds_there() {
    let text = "<?php
class Cart { function total() {} }
class Shop { function total() {} }
function f($flag, $many) {
    $a = new Cart;
    $a->total();
    $a = new Shop;
    $a->total();
    if ($flag) { $a = new Cart; }
    $a->total();
    $b = new Shop;
    foreach ($many as $one) { $b->total(); $b = new Cart; }
    try { $c = new Cart; } catch (E $e) { $c = new Shop; }
    $c->total();
    if ($d = new Cart) { $d->total(); }
    $d = new Shop;
    if ($a instanceof Shop) {}
    $d->total();
}
";
    let files = [("a.php", text)];
    check(
        &files,
        "Cart.total",
        &[
            "a.php:6:8 call",
            "a.php:10:8 call",
            "a.php:12:34 call",
            "a.php:14:8 call",
            "a.php:15:29 call",
        ],
    );
    check(
        &files,
        "Shop.total",
        &[
            "a.php:8:8 call",
            "a.php:10:8 call",
            "a.php:12:34 call",
            "a.php:14:8 call",
            "a.php:18:8 call",
        ],
    );
}

#[test]
fn the_rules_about_methods_of_traits_refer_to_them() {
    let text = "<?php
trait G { public function hello() { return 1; } public function bye() {} }
trait H { public function bye() {} }
class B {
    use G, H {
        hello as protected hi;
        G::bye insteadof H;
        H::bye as farewell;
    }
    public function run() { $this->hi(); $this->hello(); $this->farewell(); $this->bye(); }
}
";
    let files = [("b.php", text)];
    check(
        &files,
        "G.hello",
        &[
            "b.php:6:8 reference",
            "b.php:10:35 call",
            "b.php:10:48 call",
        ],
    );
    check(
        &files,
        "G.bye",
        &["b.php:7:11 reference", "b.php:10:83 call"],
    );
    check(
        &files,
        "H.bye",
        &["b.php:8:11 reference", "b.php:10:64 call"],
    );
    check(
        &files,
        "b.H",
        &[
            "b.php:5:11 inherit",
            "b.php:7:25 reference",
            "b.php:8:8 reference",
        ],
    );
}

#[test]
fn a_class_may_override_a_method_of_a_trait_and_call_it_by_another_name() {
    let text = "<?php
trait T { public function boot() { return 1; } }
trait U { public function other() {} }
class B {
    use T, U { boot as traitBoot; }
    public function boot() { return $this->traitBoot(); }
    public function run() { $this->boot(); }
}
";
    let files = [("b.php", text)];
    check(
        &files,
        "T.boot",
        &["b.php:5:15 reference", "b.php:6:43 call"],
    );
    check(&files, "B.boot", &["b.php:7:35 call"]);
    check(&files, "U.other", &[]);
}

#[test]
fn names_may_begin_in_the_namespace_of_the_file() {
    let text = "\
<?php
namespace App;
use Other\\Item;
class Item { public function run() {} }
function go() {}
namespace\\go();
$x = new namespace\\Item();
$x->run();
namespace\\Item::make();
";
    let files = [("a.php", text)];
    check(&files, "a.go", &["a.php:6:10 call"]);
    let expected = ["a.php:7:19 call", "a.php:9:10 reference"];
    check(&files, "a.Item", &expected);
    check(&files, "Item.run", &["a.php:8:4 call"]);
}

#[test]
fn a_template_of_a_class_may_be_any_type() {
    let text = "\
<?php
class Item { public function run() {} }
/** @template T of Item */
class Box {
  /** @return T */
  public function get() {}
  /** @var T[] */
  public $all;
}
/** @param Box<Item> $box */
function f($box) { $box->get()->run(); $box->all[0]->run(); }
";
    let expected = ["a.php:11:32 call?", "a.php:11:53 call?"];
    check(&[("a.php", text)], "Item.run", &expected);
}

#[test]
fn static_calls_may_mean_an_override() {
    let text = "<?php
class Base {
    static function boot() { static::booted(); self::booted(); }
    static function booted() {}
}
class Mail extends Base { static function booted() {} }
";
    let files = [("a.php", text)];
    check(&files, "Mail.booted", &["a.php:3:37 call?"]);
    check(
        &files,
        "Base.booted",
        &["a.php:3:37 call", "a.php:3:53 call"],
    );
}

#[test]
fn arrays_and_alternatives_have_the_values_that_they_are_made_of() {
    let text = "<?php
class Cart { public function total() {} }
class Basket { public function total() {} }
class Shop {
  /** @var Collection<int, Cart> */
  private $carts;
  /** @param Cart[] $list */
  function run(array $list, $any, callable $make) {
    array_map(fn($x) => $x->total(), $list);
    array_map(function ($i, $x) { $x->total(); }, [1], $list);
    $made = array_map(fn($x) => new Cart(), $any); $made[0]->total();
    $typed = array_map(fn($x): Cart => $make($x), $any); $typed[0]->total();
    array_values(array_filter($list, fn($x) => $x->total() > 1))[0]->total();
    usort($list, fn($a, $b) => $a->total() <=> $b->total());
    array_reduce($list, fn($sum, $x) => $x->total());
    array_pop($list)->total();
    reset($list)->total();
    $a = match (true) { $any => new Cart(), default => null }; $a->total();
    $b = $any ?? new Cart(); $b->total();
    $c = $any ?: new Cart(); $c->total();
    $d = $any ? new Cart() : new Basket(); $d->total();
    foreach ($this->carts as $e) { $e->total(); }
    $this->carts->first()->total();
    $this->carts->count()->total();
    array_walk($list, function ($x, $key) { $key->total(); });
    foreach (array_merge($list, $any) as $f) { $f->total(); }
    array_map(function ($x) { $list = [new Basket()]; $x->total(); }, $list);
    ($this->maybe ?? new Basket())->total();
    $this->made($any)->total();
  }
  /** @var \\SplObjectStorage<Cart, Basket> */
  private $stored;
  private ?Cart $maybe;
  function made($any) { return $any ? new Cart() : ($any ?? new Basket()); }
  function each() { foreach ($this->stored as $x) { $x->total(); } }
}
";
    check(
        &[("Shop.php", text)],
        "Cart.total",
        &[
            "Shop.php:9:28 call",
            "Shop.php:10:38 call",
            "Shop.php:11:61 call",
            "Shop.php:12:68 call",
            "Shop.php:13:51 call",
            "Shop.php:13:69 call",
            "Shop.php:14:35 call",
            "Shop.php:14:51 call",
            "Shop.php:15:44 call",
            "Shop.php:16:22 call",
            "Shop.php:17:18 call",
            "Shop.php:18:67 call",
            "Shop.php:19:33 call",
            "Shop.php:20:33 call",
            "Shop.php:21:47 call",
            "Shop.php:22:39 call",
            "Shop.php:23:27 call",
            "Shop.php:26:51 call",
            "Shop.php:27:58 call",
            "Shop.php:28:36 call",
            "Shop.php:29:23 call",
            "Shop.php:35:56 call",
            "Shop.php:24:27 call?",
            "Shop.php:25:50 call?",
        ],
    );
    check(
        &[("Shop.php", text)],
        "Basket.total",
        &[
            "Shop.php:21:47 call",
            "Shop.php:28:36 call",
            "Shop.php:29:23 call",
            "Shop.php:24:27 call?",
            "Shop.php:25:50 call?",
        ],
    );
}

#[test]
fn functions_without_a_name_return_what_they_say() {
    let text = "<?php
class Cart { function total() {} function __invoke(): Cart { return $this; } static function make(): static { return new static(); } }
/** @param \\Closure(): Cart $made */
function f($made, $any, Cart $cart) {
  $a = fn() => new Cart(); $a()->total();
  $b = function (): Cart { return $any; }; $b()->total();
  (function () { return new Cart(); })()->total();
  $c = fn($x) => $x; $c($any)->total();
  $made()->total();
  $cart()->total();
  $class = Cart::class; (new $class)->total();
  $class::make()->total();
  $new = new class extends Cart {}; $new->total();
}
";
    check(
        &[("Shop.php", text)],
        "Cart.total",
        &[
            "Shop.php:5:33 call",
            "Shop.php:6:49 call",
            "Shop.php:7:42 call",
            "Shop.php:9:11 call",
            "Shop.php:10:11 call",
            "Shop.php:11:38 call",
            "Shop.php:12:18 call",
            "Shop.php:13:42 call",
            "Shop.php:8:31 call?",
        ],
    );
}

#[test]
fn loops_and_subscripts_give_what_methods_of_the_class_return() {
    let text = "<?php
class Cart { function total() {} }
class Shop implements \\IteratorAggregate, \\ArrayAccess {
  /** @var Cart[] */
  private array $all = [];
  function getIterator(): \\Iterator { return new \\ArrayIterator($this->all); }
  function offsetGet(mixed $at): Cart { return $this->all[$at]; }
  function each(): \\Generator { foreach ($this->all as $one) yield $one; }
  function keyed() { yield 'a' => new Cart(); }
  function list(): array { return $this->all; }
}
class Walk implements \\Iterator { function current(): Cart { return new Cart(); } }
function f(Shop $shop, Walk $walk, \\Countable $other) {
  $shop[0]->total();
  foreach ($shop as $a) $a->total();
  foreach ($shop->each() as $b) $b->total();
  foreach ($shop->keyed() as $c) $c->total();
  $shop->list()[0]->total();
  foreach ($walk as $d) $d->total();
  foreach ($other as $e) $e->total();
  array_merge($shop->list(), $shop->list())[0]->total();
}
";
    check(
        &[("Shop.php", text)],
        "Cart.total",
        &[
            "Shop.php:14:12 call",
            "Shop.php:15:28 call",
            "Shop.php:16:36 call",
            "Shop.php:17:37 call",
            "Shop.php:18:20 call",
            "Shop.php:19:28 call",
            "Shop.php:21:48 call",
            "Shop.php:20:29 call?",
        ],
    );
}

#[test]
fn comments_of_classes_declare_methods_and_elements() {
    let text = "<?php
use Doctrine\\Common\\Collections\\Collection;
use Doctrine\\Bundle\\DoctrineBundle\\Repository\\ServiceEntityRepository;
class Cart { function total() {} }
/** @extends ServiceEntityRepository<Cart> */
class Carts extends ServiceEntityRepository {}
/**
 * @method static Cart find(int $id)
 * @method Cart[] all()
 */
class Facade {}
class Shop {
  /** @var Collection<int, Cart> */
  private $lines;
  /** @param array{cart: Cart, n: int} $row */
  function f(Carts $carts, Facade $facade, array $row) {
    $carts->find(1)->total();
    foreach ($carts->findAll() as $a) $a->total();
    Facade::find(1)->total();
    $facade->all()[0]->total();
    $facade->other()->total();
    $row['cart']->total();
    $this->lines->filter(fn($one) => $one->total())->first()->total();
    $this->lines->map(function ($one, $key) { $one->total(); $key->total(); });
  }
}
";
    check(
        &[("Shop.php", text)],
        "Cart.total",
        &[
            "Shop.php:17:21 call",
            "Shop.php:18:42 call",
            "Shop.php:19:21 call",
            "Shop.php:20:23 call",
            "Shop.php:22:18 call",
            "Shop.php:23:43 call",
            "Shop.php:23:62 call",
            "Shop.php:24:52 call",
            "Shop.php:21:22 call?",
            "Shop.php:24:67 call?",
        ],
    );
}

#[test]
fn a_test_leaves_out_the_values_that_cannot_pass_it() {
    let text = "<?php
interface HasTotal { function total(); }
class Cart { function total() {} }
class Basket { function total() {} }
class Bag extends Basket implements HasTotal {}
function f($any) {
  $a = $any ? new Cart() : new Basket();
  if ($a instanceof Basket) { $a->total(); }
  if ($a instanceof HasTotal) { $a->total(); }
  $b = $any ? new Bag() : new Cart();
  if ($b instanceof Basket) { $b->total(); }
}
";
    check(&[("Shop.php", text)], "Cart.total", &["Shop.php:9:36 call"]);
    check(
        &[("Shop.php", text)],
        "Basket.total",
        &[
            "Shop.php:8:34 call",
            "Shop.php:9:36 call",
            "Shop.php:11:34 call",
        ],
    );
}

#[test]
fn what_may_be_of_another_class_is_not_left_out() {
    let text = "<?php
namespace App;
class Cart { function total() {} }
class Basket { function total() {} }
class Generator { function total() {} }
class Both implements \\ArrayAccess, \\IteratorAggregate {
  function offsetGet(mixed $at): Basket { return new Basket(); }
  function getIterator(): \\Iterator { yield new Cart(); }
}
/** @param array{cart: Cart, other: mixed} $row */
function f($x, $row, $any) {
  if ($x instanceof Cart) { $x = new Basket(); $x->total(); }
  foreach (new Both() as $a) { $a->total(); }
  $row['other']->total();
  $b = new class extends Cart { function total() {} }; $b->total();
  foreach (g($any) as $c) { $c->total(); }
  make($any)->total();
}
function g($any) { yield $any ? new Cart() : new Basket(); }
function make($any): Generator { return $any->get('generator'); }
";
    let files = [("Shop.php", text)];
    check(
        &files,
        "Cart.total",
        &[
            "Shop.php:13:35 call",
            "Shop.php:16:32 call",
            "Shop.php:14:17 call?",
            "Shop.php:15:59 call?",
        ],
    );
    check(
        &files,
        "Basket.total",
        &[
            "Shop.php:12:51 call",
            "Shop.php:16:32 call",
            "Shop.php:14:17 call?",
            "Shop.php:15:59 call?",
        ],
    );
    check(
        &files,
        "Generator.total",
        &[
            "Shop.php:17:14 call",
            "Shop.php:14:17 call?",
            "Shop.php:15:59 call?",
        ],
    );
}
