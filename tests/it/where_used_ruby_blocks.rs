//! `where_used` in Ruby: what methods pass to blocks, what blocks return, tests of a class, and
//! the names that blocks of tests give.

use crate::where_used::check;

const CART: (&str, &str) = ("cart.rb", "class Cart\n  def total; end\nend\n");

/// Checks the uses of `Cart#total` in a text; `?` marks those that are only known by name.
#[track_caller]
fn check_uses(text: &str, expected: &[&str]) {
    check(&[CART, ("shop.rb", text)], "Cart.total", expected);
}

#[test]
fn a_block_receives_what_a_method_yields() {
    check_uses(
        "class Shop
  include Enumerable
  def initialize
    @all = [Cart.new]
    yield self if block_given?
  end
  def each
    @all.each { |cart| yield cart }
  end
  def with(&block)
    block.call(Cart.new, 1)
  end
  def every(&block)
    @all.each(&block)
  end
  def each_again(&)
    @all.each(&)
  end
  def first; Cart.new; end
end
shop = Shop.new
shop.each { |cart| cart.total }
shop.map { |cart| cart.total }
shop.with { |cart, n| cart.total; n.total }
shop.every { |cart| cart.total }
shop.each_again { |cart| cart.total }
Shop.new { |own| own.first.total }
shop.other { |cart| cart.total }
",
        &[
            "shop.rb:22:24 call",
            "shop.rb:23:23 call",
            "shop.rb:24:27 call",
            "shop.rb:25:25 call",
            "shop.rb:26:30 call",
            "shop.rb:27:27 call",
            "shop.rb:24:36 call?",
            "shop.rb:28:25 call?",
        ],
    );
}

#[test]
fn a_call_may_return_what_its_block_does() {
    check_uses(
        "class Line
  def cart; Cart.new; end
end
lines = [Line.new]
lines.map { |line| line.cart }.first.total
lines.map(&:cart).each { |cart| cart.total }
lines.flat_map { |line| [line.cart] }.last.total
lines.map { |line| cart = line.cart; cart }.first.total
lines.map { it.cart }.first.total
3.times.map { |n| Cart.new }.each { _1.total }
Array.new(3) { Cart.new }.first.total
by = Hash.new { |all, key| all[key] = Cart.new }
by[:a].total
make = -> { Cart.new }
make.call.total
make.().total
other = proc { |n| n }
other.call.total
Cart.new.then { |cart| cart.total }
lines.each_slice(2) { |some| some.first.cart.total }
lines.partition { true }.first.first.cart.total
",
        &[
            "shop.rb:5:37 call",
            "shop.rb:6:37 call",
            "shop.rb:7:43 call",
            "shop.rb:8:50 call",
            "shop.rb:9:28 call",
            "shop.rb:10:39 call",
            "shop.rb:11:32 call",
            "shop.rb:13:7 call",
            "shop.rb:15:10 call",
            "shop.rb:16:8 call",
            "shop.rb:19:28 call",
            "shop.rb:20:45 call",
            "shop.rb:21:42 call",
            "shop.rb:18:11 call?",
        ],
    );
}

#[test]
fn a_variable_has_the_values_of_all_branches() {
    check_uses(
        "def run(other, cart = Cart.new, key: Cart.new)
  cart.total
  key.total
  a = other ? Cart.new : nil
  a.total
  b = if other then other.x else Cart.new end
  b.total
  c = other.x || Cart.new
  c.total
  d = case other when 1 then Cart.new end
  d.total
  @e ||= begin
    Cart.new
  end
  @e.total
  f = other && 1
  f.total
  for g in [Cart.new] do g.total end
  @@h = Cart.new
  @@h.total
end
",
        &[
            "shop.rb:2:7 call",
            "shop.rb:3:6 call",
            "shop.rb:5:4 call",
            "shop.rb:7:4 call",
            "shop.rb:9:4 call",
            "shop.rb:11:4 call",
            "shop.rb:15:5 call",
            "shop.rb:18:27 call",
            "shop.rb:20:6 call",
            "shop.rb:17:4 call?",
        ],
    );
}

#[test]
fn a_test_of_its_class_says_what_a_variable_is() {
    check_uses(
        "def run(one)
  one.total
  one.total if one.is_a?(Cart)
  if one.is_a?(Cart) && one.total
    one.total
  else
    one.total
  end
  one.kind_of?(Cart) ? one.total : one.total
  case one
  when Integer, Cart
    one.total
  when String
    one.total
  end
  case one
  in Cart => cart
    cart.total
  in { cart: Cart => inner }
    inner.total
  end
  return unless Cart === one
  one.total
end
def other(one)
  raise 'no cart' if !one.is_a?(Cart)
  one.total
end
",
        &[
            "shop.rb:3:6 call",
            "shop.rb:4:28 call",
            "shop.rb:5:8 call",
            "shop.rb:9:27 call",
            "shop.rb:12:8 call",
            "shop.rb:18:9 call",
            "shop.rb:20:10 call",
            "shop.rb:23:6 call",
            "shop.rb:27:6 call",
            "shop.rb:2:6 call?",
            "shop.rb:7:8 call?",
            "shop.rb:9:39 call?",
            "shop.rb:14:8 call?",
        ],
    );
}

#[test]
fn blocks_of_tests_name_what_they_test() {
    check_uses(
        "RSpec.describe Cart do
  subject(:own) { Other.new }
  let(:cart) { described_class.new }
  let(:again) { cart }
  it 'counts' do
    cart.total
    again.total
    own.total
    subject.total
    described_class.new.total
  end
  describe Cart do
    let(:cart) { Other.new }
    it { subject.total; cart.total }
  end
end
class Other
  def total; end
end
",
        &[
            "shop.rb:6:9 call",
            "shop.rb:7:10 call",
            "shop.rb:10:24 call",
            "shop.rb:14:17 call",
        ],
    );
}

const SHOP: (&str, &str) = ("basket.rb", "class Basket\n  def total; end\nend\n");

/// Checks the uses of `Cart#total` and of `Basket#total` in a text.
#[track_caller]
fn check_both(text: &str, of_cart: &[&str], of_basket: &[&str]) {
    let files = [CART, SHOP, ("shop.rb", text)];
    check(&files, "Cart.total", of_cart);
    check(&files, "Basket.total", of_basket);
}

#[test]
fn each_clause_has_its_own_class() {
    check_both(
        "def run(a)
  case a
  when Cart then a.total
  when Basket then a.total
  end
  case a
  in Cart | Basket then a.total
  in [Cart] then a.total
  end
end
",
        &[
            "shop.rb:3:19 call",
            "shop.rb:7:26 call",
            "shop.rb:8:19 call?",
        ],
        &[
            "shop.rb:4:21 call",
            "shop.rb:7:26 call",
            "shop.rb:8:19 call?",
        ],
    );
}

#[test]
fn an_assignment_behind_a_test_replaces_what_was_tested() {
    check_both(
        "def run(a)
  return unless a.is_a?(Cart)
  a.total
  a = Basket.new
  a.total
end
def other(a, b)
  unless a.is_a?(Cart)
    return if b
  end
  a.total
end
def third
  a = Basket.new
  [1].each { |i| i.to_s if a.is_a?(Cart) }
  a.total
end
",
        &["shop.rb:3:4 call", "shop.rb:11:4 call?"],
        &[
            "shop.rb:5:4 call",
            "shop.rb:16:4 call",
            "shop.rb:11:4 call?",
        ],
    );
}

#[test]
fn a_local_variable_hides_what_let_names() {
    check_both(
        "RSpec.describe Cart do
  let(:one) { Cart.new }
  it { one = Basket.new; one.total }
  it { one.total }
end
",
        &["shop.rb:4:11 call"],
        &["shop.rb:3:29 call"],
    );
}

#[test]
fn results_and_passed_values_that_may_be_others_are_not_left_out() {
    check_both(
        "class Shop
  def each(flag)
    yield Cart.new
    yield flag ? Cart.new : Basket.new
  end
end
Shop.new.each(1) { |one| one.total }
[1].map { |n| next Basket.new if n; Cart.new }.first.total
carts = [Cart.new]
(carts + [Basket.new]).first.total
it = Cart.new
[Basket.new].each { it.total }
",
        &[
            "shop.rb:7:29 call",
            "shop.rb:10:29 call",
            "shop.rb:12:23 call",
            "shop.rb:8:53 call?",
        ],
        &[
            "shop.rb:7:29 call",
            "shop.rb:10:29 call",
            "shop.rb:8:53 call?",
        ],
    );
}
