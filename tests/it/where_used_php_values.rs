//! `where_used` in PHP: what calls pass to parameters, and values that expressions give on.
//!
//! In a line that ends in `-` the call is none of `Cart::total`.

use crate::where_used::{check, rows_of_totals};

const CLASSES: (&str, &str) = (
    "cart.php",
    "<?php\nclass Cart { function total() {} }\nclass Basket { function total() {} }\n",
);

#[track_caller]
fn check_calls(text: &str) {
    let expected = rows_of_totals(&[("shop.php", text)]);
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&[CLASSES, ("shop.php", text)], "cart.Cart.total", &expected);
}

#[test]
fn parameters_without_types_have_what_calls_pass() {
    check_calls(
        "<?php
function by_place($a, $b = new Cart(), ...$c) {
  $a->total(); // -
  $b->total();
  foreach ($c as $one) { $one->total(); }
}
by_place(new Basket(), new Basket(), new Cart());
function by_name($a, $b) {
  $a->total(); // -
  $b->total();
}
by_name(b: new Cart(), a: new Basket());
class Shop {
  public $basket;
  function __construct(private $cart, $basket, private $late = new Cart()) {
    $this->basket = $basket;
  }
  function run() {
    $this->cart->total();
    $this->basket->total(); // -
    $this->late->total();
    $this->pay($this->cart);
  }
  function pay($cart) { $cart->total(); }
  static function of($cart) { $cart->total(); }
}
new Shop(new Cart(), new Basket());
Shop::of(new Cart());
class Market extends Shop {
  function __construct($basket, $cart) { parent::__construct($cart, $basket); }
}
new Market(new Basket(), new Cart());
",
    );
}

#[test]
fn arrays_keep_the_places_of_their_elements() {
    check_calls(
        "<?php
/** @param array{0: Basket, 1: Cart} $documented */
function run(array $documented, $any) {
  $pair = [new Basket(), new Cart()];
  $pair[0]->total(); // -
  $pair[1]->total();
  [$a, , [$b, $c]] = [new Basket(), 1, [new Cart(), new Basket()]];
  $a->total(); // -
  $b->total();
  $c->total(); // -
  [, $d] = $pair;
  $d->total();
  $documented[0]->total(); // -
  $documented[1]->total();
  $keyed = ['cart' => new Cart(), 'name' => 'x'];
  $keyed['cart']->total();
  foreach ([new Basket(), new Cart()] as $one) { $one->total(); }
  $carts = [new Cart()];
  [...[new Basket()], ...$carts][0]->total();
  array_merge($carts, [new Basket()])[0]->total();
  array_chunk($carts, 2)[0][0]->total();
  array_combine([new Basket()], $carts)[0]->total();
  array_fill(0, 3, new Cart())[1]->total();
  max($carts)->total();
}
",
    );
}

#[test]
fn expressions_with_several_values_have_each_as_receiver() {
    check_calls(
        "<?php
enum Kind { case A; function total() {} function cart() { return new Cart(); } }
function run($any) {
  ($any ?? new Cart())->total();
  ($any ?: new Cart())->total();
  ($any ? new Cart() : new Basket())->total();
  ($any ? new Basket() : new Basket())->total(); // -
  static $kept = null;
  $kept ??= new Cart();
  $kept->total();
  if (is_a($any, Cart::class)) { $any->total(); }
  Kind::from('a')->cart()->total();
  Kind::from('a')->total(); // -
  foreach (Kind::cases() as $case) { $case->cart()->total(); }
}
",
    );
}

#[test]
fn arrays_of_two_parts_name_methods() {
    let text = "<?php
array_map([Cart::class, 'total'], []);
array_map([Basket::class, 'total'], []);
$other = [$unknown, 'total'];
$other = ['a' => Cart::class, 'total'];
class Shop extends Cart {
  function run() { register_shutdown_function([$this, 'total']); }
}
";
    check(
        &[CLASSES, ("shop.php", text)],
        "cart.Cart.total",
        &["shop.php:2:25 reference", "shop.php:7:55 reference"],
    );
}
