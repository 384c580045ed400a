//! `where_used` in Ruby: what calls pass to parameters, and values that expressions give on.
//!
//! In a line that ends in `-` the call is none of `Cart#total`, and in one that ends in `?` it is
//! only known by name.

use crate::where_used::{check, rows_of_totals};

const CLASSES: (&str, &str) = (
    "cart.rb",
    "class Cart\n  def total; end\nend\nclass Basket\n  def total; end\nend\n",
);

#[track_caller]
fn check_calls(text: &str) {
    let expected = rows_of_totals(&[("shop.rb", text)]);
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&[CLASSES, ("shop.rb", text)], "Cart.total", &expected);
}

#[test]
fn parameters_have_what_calls_pass() {
    check_calls(
        "def by_place(a, b = nil, *c)
  a.total() # -
  b.total()
  c.each { |one| one.total() }
end
by_place(Basket.new, Cart.new, Cart.new, Cart.new)
def by_name(a, b:)
  a.total() # -
  b.total()
end
by_name(Basket.new, b: Cart.new)
def with_block(a, &block) = a.total() # -
with_block(Basket.new) { Cart.new }
class Shop
  attr_reader :cart
  def self.build(cart) = new(cart, Basket.new)
  def initialize(cart, basket)
    @cart = cart
    @basket = basket
  end
  def run
    cart.total()
    @basket.total() # -
  end
end
Shop.build(Cart.new)
Shop.new(Cart.new, Basket.new).cart.total()
class Market < Shop
  def initialize(basket, cart)
    super(cart, basket)
  end
end
Market.new(Basket.new, Cart.new).cart.total()
class Bazaar < Shop
  def initialize(cart, basket)
    super
  end
end
Bazaar.new(Cart.new, Basket.new).cart.total()
",
    );
}

#[test]
fn a_parameter_without_calls_in_the_file_keeps_its_candidates() {
    let files = [
        CLASSES,
        ("shop.rb", "def run(a) = a.total\n"),
        ("other.rb", "require_relative 'shop'\nrun(Cart.new)\n"),
    ];
    check(&files, "Cart.total", &["shop.rb:1:15 call?"]);
}

#[test]
fn structs_have_what_their_creation_passes() {
    check_calls(
        "Pair = Struct.new(:cart, :basket)
Named = Data.define(:cart)
pair = Pair.new(Cart.new, Basket.new)
pair.cart.total()
pair.basket.total() # -
Named.new(cart: Cart.new).cart.total()
",
    );
}

#[test]
fn names_in_brackets_take_values_apart() {
    check_calls(
        "a, (b, c) = [Basket.new, [Cart.new, Basket.new]]
a.total() # -
b.total()
c.total() # -
carts = [Cart.new, Cart.new]
first, *rest = carts
first.total()
rest.first.total()
carts[0..1].first.total()
{ x: Cart.new }.each_with_index { |(key, cart), index| cart.total() }
{ x: Cart.new }.reduce(0) { |sum, (key, cart)| cart.total() }
def two
  return Cart.new, Basket.new
end
d, e = two
d.total()
e.total() # -
nested = { x: { y: Cart.new } }
nested[:x][:y].total()
nested.dig(:x, :y).total()
",
    );
}

#[test]
fn expressions_with_several_values_have_each_as_receiver() {
    check_calls(
        "def run(any)
  (any || Cart.new).total()
  (Cart.new rescue Cart.new).total()
  (any ? Cart.new : Basket.new).total()
  (any ? Basket.new : Basket.new).total() # -
  ([Basket.new] + [Cart.new]).first.total()
  ([Basket.new] | [Basket.new]).first.total() # -
end
",
    );
}

#[test]
fn methods_have_what_ruby_says() {
    check_calls(
        "require 'singleton'
class Shop
  include Enumerable
  attr_accessor :late
  def each; yield Cart.new; end
  def copied = dup
  def set = self.late = Cart.new
  def cart = Cart.new
  alias basket cart
  alias_method :other, :cart
  define_method(:made) { Cart.new }
  def self.one = @one ||= Cart.new
  def run
    late.total()
    first.total()
    map { |cart| cart.total() }
    basket.total()
    other.total()
    made.total()
    self.class.one.total()
  end
end
Shop.new.copied.cart.total()
Shop.new.min_by { |cart| cart.total() }.total()
class Only; include Singleton; def cart = Cart.new; end
Only.instance.cart.total()
carts = [Cart.new]
carts.each_cons(2) { |a, b| b.total() }
carts.map.with_index { |cart, index| cart.total() }
carts.to_h { |cart| [1, cart] }.each { |key, cart| cart.total() }
carts.inject { |a, b| a }.total()
class Base; def made = Cart.new; end
class Derived < Base
  def made = super
  def run = made.total()
end
",
    );
}

#[test]
fn symbols_name_methods() {
    let text = "class Shop
  before_action :total, if: :total
  private :total
  validates :total
  def total; end
  def run
    send(:total)
    method('total')
    Cart.new.public_send(:total)
    [1, Cart.new].total
  end
end
";
    check(
        &[CLASSES, ("shop.rb", text)],
        "Shop.total",
        &[
            "shop.rb:2:17 reference",
            "shop.rb:2:29 reference",
            "shop.rb:3:11 reference",
            "shop.rb:7:10 call",
            "shop.rb:8:12 reference",
        ],
    );
}
