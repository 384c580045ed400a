//! `where_used` in Ruby: constants, classes in several files, modules, and the types of receivers.

use crate::common::MemoryHost;
use crate::where_used::{ask, check};

#[test]
fn constants_are_found_in_the_modules_around_a_place() {
    check(
        &[
            (
                "lib/shop/cart.rb",
                "module Shop\n  class Cart\n    def total; end\n  end\nend\n",
            ),
            (
                "lib/shop/pay.rb",
                "module Shop\n  class Pay\n    CART = Cart\n    def a; Cart.new.total; end\n  end\nend\n",
            ),
            (
                "app.rb",
                "Shop::Cart.new\n::Shop::Cart\nclass Big < Shop::Cart\nend\nCart.new\n",
            ),
            // Another class of the same name.
            (
                "lib/garden/cart.rb",
                "module Garden\n  class Cart\n    def a; Cart.new; end\n  end\nend\n",
            ),
        ],
        "lib.shop.cart.Shop.Cart",
        &[
            "app.rb:1:6 call",
            "app.rb:2:8 reference",
            "app.rb:3:18 inherit",
            "lib/shop/pay.rb:3:11 reference",
            "lib/shop/pay.rb:4:11 call",
            // Another file may include the module for the whole program.
            "app.rb:5:0 call?",
        ],
    );
}

#[test]
fn a_constant_after_two_colons_is_in_no_module() {
    let files = [
        (
            "shop.rb",
            "module Shop\n  module Tools\n    def self.run; end\n    def mark; end\n  end\nend\n",
        ),
        (
            "page.rb",
            "module Page
  class Shop
    module Tools
      def self.run; end
    end
  end
  class Cart
    include ::Shop::Tools
    ::Shop::Tools.run
    Shop::Tools.run
    def pay
      mark
      ::File.run
    end
  end
end
",
        ),
    ];
    check(&files, "shop.Shop.Tools.run", &["page.rb:9:18 call"]);
    check(&files, "page.Page.Shop.Tools.run", &["page.rb:10:16 call"]);
    check(
        &files,
        "shop.Shop",
        &["page.rb:8:14 reference", "page.rb:9:6 reference"],
    );
    check(&files, "shop.Shop.Tools.mark", &["page.rb:12:6 call"]);
}

#[test]
fn methods_follow_the_types_of_receivers() {
    check(
        &[
            (
                "cart.rb",
                "class Cart
  attr_reader :item
  def initialize
    @item = Item.new
  end
  def self.load
    return Cart.new if ready
    Cart.new
  end
  def first = @item
end
class Item
  def total = 1
  def twice; total * 2; end
  def self.total = 2
end
",
            ),
            (
                "shop.rb",
                "class Shop
  def a
    cart = Cart.new
    cart.item.total
    cart.first.total
  end
  def b(other)
    other.total
    Item.total
  end
  def c
    @cart ||= Cart.load
    @cart.item.total
    total = 3
    total
  end
end
Cart.load.first.total
",
            ),
        ],
        "cart.Item.total",
        &[
            "cart.rb:14:13 call",
            "shop.rb:4:14 call",
            "shop.rb:5:15 call",
            "shop.rb:9:9 call",
            "shop.rb:13:15 call",
            "shop.rb:18:16 call",
            "shop.rb:8:10 call?",
        ],
    );
}

#[test]
fn classes_and_modules_have_the_methods_of_others() {
    check(
        &[
            ("priced.rb", "module Priced\n  def price = base\nend\n"),
            (
                "item.rb",
                "class Item\n  include Priced\n  def base = 1\nend\n",
            ),
            ("more.rb", "class Item\n  def late = price\nend\n"),
            ("big.rb", "class Big < Item\n  def a; price; end\nend\n"),
            ("other.rb", "class Other\n  def a; price; end\nend\n"),
            ("app.rb", "Item.new.price\nBig.new.price\nOther.new.price\n"),
        ],
        "priced.Priced.price",
        &[
            "app.rb:1:9 call",
            "app.rb:2:8 call",
            "big.rb:2:9 call",
            "more.rb:2:13 call",
            "app.rb:3:10 call?",
            "other.rb:2:9 call?",
        ],
    );
}

#[test]
fn constructors_are_called_by_new() {
    check(
        &[
            (
                "cart.rb",
                "class Cart\n  def initialize(a); end\nend\nclass Big < Cart\nend\n",
            ),
            ("app.rb", "Cart.new(1)\nBig.new(2)\nCart\n"),
        ],
        "cart.Cart.initialize",
        &["app.rb:1:0 call", "app.rb:2:0 call"],
    );
}

#[test]
fn literals_have_the_methods_that_a_repository_adds() {
    check(
        &[
            (
                "core.rb",
                "class String\n  def shout; end\nend\nclass Array\n  def shout; end\nend\n",
            ),
            (
                "a.rb",
                "module Shop
  class String; def shout; end; end
  def self.name = \"cart\"
  \"a\".shout
  [1].shout
  {}.shout
  1.shout
  name.shout
end
",
            ),
        ],
        "core.String.shout",
        &[
            "a.rb:4:6 call",
            "a.rb:8:7 call",
            "a.rb:6:5 call?",
            "a.rb:7:4 call?",
        ],
    );
}

#[test]
fn a_class_inherits_the_singleton_methods_of_its_superclass() {
    let files = [
        (
            "list.rb",
            "module Shop\n  class List\n    def self.make; new; end\n    def make; end\n    def size; end\n  end\nend\n",
        ),
        ("cart.rb", "module Shop\n  class Cart < List\n  end\nend\n"),
        (
            "a.rb",
            "Shop::Cart.make
class Test < Outside
  include Shop
  def a
    cart = Cart.make
    cart.size
    cart.make
  end
end
",
        ),
    ];
    check(
        &files,
        "list.Shop.List.make",
        &["a.rb:1:11 call", "a.rb:5:16 call", "a.rb:7:9 call"],
    );
    check(&files, "list.Shop.List.size", &["a.rb:6:9 call"]);
}

#[test]
fn methods_of_a_class_are_not_those_of_its_instances() {
    check(
        &[(
            "a.rb",
            "class A
  def run; end
  class << self
    def run; start; end
    def start; run; end
  end
  def start; run; end
end
A.run
A.new.run
",
        )],
        "a.A.start",
        &["a.rb:4:13 call"],
    );
}

#[test]
fn functions_of_a_file_are_called_in_it() {
    check(
        &[
            (
                "a.rb",
                "def helper; end\nhelper\nclass A\n  def a; helper; end\nend\n",
            ),
            ("b.rb", "helper\n"),
            ("c.rb", "helper = 1\nputs helper\n"),
        ],
        "a.helper",
        &["a.rb:2:0 call", "a.rb:4:9 call", "b.rb:1:0 call?"],
    );
}

#[test]
fn an_alias_refers_to_the_method_with_the_old_name() {
    check(
        &[
            (
                "cart.rb",
                "class Cart\n  def total; end\n  alias sum total\n  alias_method :all, :total\n  \
                 alias [] total\nend\n",
            ),
            (
                "other.rb",
                "class Other\n  def total; end\n  alias_method :sum, :total\nend\n",
            ),
        ],
        "cart.Cart.total",
        &[
            "cart.rb:3:12 reference",
            "cart.rb:4:22 reference",
            "cart.rb:5:11 reference",
        ],
    );
}

#[test]
fn the_last_assignment_before_a_place_holds_there() {
    let text = "class Cart
  def total; end
end
class Shop
  def total; end
end
def f(flag, many)
  a = Cart.new
  a.total
  a = Shop.new
  a.total
  a = Cart.new if flag
  a.total
  b = Shop.new
  many.each { b.total; b = Cart.new }
  c = nil
  c ||= Cart.new
  c.total
  if flag
    d = Shop.new
  else
    d = Cart.new
  end
  d.total
end
";
    let files = [("a.rb", text)];
    check(
        &files,
        "Cart.total",
        &[
            "a.rb:9:4 call",
            "a.rb:13:4 call",
            "a.rb:15:16 call",
            "a.rb:18:4 call",
            "a.rb:24:4 call",
        ],
    );
    check(
        &files,
        "Shop.total",
        &[
            "a.rb:11:4 call",
            "a.rb:13:4 call",
            "a.rb:15:16 call",
            "a.rb:24:4 call",
        ],
    );
}

#[test]
fn what_may_end_early_or_run_later_sees_other_assignments() {
    let text = "class Cart
  def total; end
end
class Shop
  def total; end
end
def f
  a = Cart.new
  begin
    a = Shop.new
  rescue
    a.total
  ensure
    a.total
  end
  a.total
end
def g
  b = Cart.new
  later = -> { b.total }
  Thread.new { b.total }
  b = Shop.new
  b.total
end
def h
  c = Cart.new
  c = Shop.new
rescue
  c.total
end
";
    let files = [("a.rb", text)];
    let shared = ["12:6", "14:6", "16:4", "20:17", "21:17"];
    let rows = |own: &[&str]| {
        let rows = shared.iter().chain(own);
        rows.map(|row| format!("a.rb:{row} call"))
            .collect::<Vec<_>>()
    };
    let of_cart = rows(&["29:4"]);
    let of_shop = rows(&["23:4", "29:4"]);
    let of_cart: Vec<&str> = of_cart.iter().map(String::as_str).collect();
    let of_shop: Vec<&str> = of_shop.iter().map(String::as_str).collect();
    check(&files, "Cart.total", &of_cart);
    check(&files, "Shop.total", &of_shop);
}

#[test]
fn an_assignment_to_a_member_calls_its_setter() {
    let text = "class K
  attr_accessor :other
  def status; @s; end
  def status=(v); @s = v; end
  def reset
    self.status = 4
    self.other = status
  end
end
k = K.new
k.status = 5
k.status += 1
unknown.status = 6
puts k.status
";
    let files = [("k.rb", text)];
    check(
        &files,
        "K.status=",
        &[
            "k.rb:6:9 call",
            "k.rb:11:2 call",
            "k.rb:12:2 call",
            "k.rb:13:8 call?",
        ],
    );
    check(
        &files,
        "K.status",
        &["k.rb:7:17 call", "k.rb:12:2 call", "k.rb:14:7 call"],
    );
}

#[test]
fn a_constant_may_hold_a_class_that_a_call_creates() {
    let shapes = "module Shapes
  Point = Struct.new(:x, :y) do
    def dist
      x + y
    end
  end
  Err = Class.new(StandardError)
  Pair = Data.define(:a, :b)
  Greeter = Module.new do
    def hi; end
  end
  Special = Class.new(Point) do
    def go; dist; end
  end
end
";
    let page = "point = Shapes::Point.new(1, 2)
point.dist
raise Shapes::Err, \"x\"
Shapes::Pair.new(a: 1, b: 2)
class C
  include Shapes::Greeter
  def f; hi; end
end
Shapes::Special.new.dist
";
    let files = [("shapes.rb", shapes), ("page.rb", page)];
    check(
        &files,
        "Shapes.Point",
        &["page.rb:1:16 call", "shapes.rb:12:22 inherit"],
    );
    check(
        &files,
        "Point.dist",
        &[
            "page.rb:2:6 call",
            "page.rb:9:20 call",
            "shapes.rb:13:12 call",
        ],
    );
    check(&files, "Shapes.Err", &["page.rb:3:14 reference"]);
    check(&files, "Shapes.Pair", &["page.rb:4:8 call"]);
    check(&files, "Greeter.hi", &["page.rb:7:9 call"]);
}

#[test]
fn members_of_a_struct_are_its_own() {
    let text = "class Base
  def x; end
  def y; end
end
class Row < Struct.new(:x)
  def show; x; end
end
Other = Class.new(Base) do
  def show; y; end
end
Cell = Struct.new(:y) do
  include Comparable
  def show; y; end
end
class Sheet < Base
  def x; end
  def run(cell) = cell.y = 1
end
";
    let files = [("a.rb", text)];
    check(&files, "Base.y", &["a.rb:9:12 call", "a.rb:13:12 call?"]);
    check(&files, "Base.x", &["a.rb:6:12 call?"]);
}

#[test]
fn a_method_without_a_body_hides_an_inherited_one() {
    let text = "class Base
  def a; end
  def b; end
  def c; end
  def d; end
  def e; end
  def f; end
  def g; end
end
class Heir < Base
  extend Forwardable
  alias a size
  alias_method :b, :size
  define_method(:c) { 1 }
  def_delegators :@list, :d
  def_delegator :@list, :first, :e
  delegate :f, to: :list
  def size; end
  def all
    a; b; c; d; e; f; g
  end
end
";
    let files = [("a.rb", text)];
    for hidden in ["a", "b", "c", "d", "e", "f"] {
        let column = 4 + 3 * (usize::from(hidden.as_bytes()[0] - b'a'));
        let row = format!("a.rb:20:{column} call?");
        check(&files, &format!("Base.{hidden}"), &[&row]);
    }
    check(&files, "Base.g", &["a.rb:20:22 call"]);
    check(
        &files,
        "Heir.size",
        &["a.rb:12:10 reference", "a.rb:13:20 reference"],
    );
}

#[test]
fn a_file_may_include_a_module_for_the_whole_program() {
    let conf = "module Jek
  class Conf
    def self.from(x); new; end
  end
  class Hash
  end
end
";
    let test = "require \"helper\"
class TestConf
  def test_a
    Conf.from({})
    Hash.new
    Other::Conf.new
  end
end
";
    let files = [
        ("lib/conf.rb", conf),
        ("helper.rb", "require \"conf\"\ninclude Jek\n"),
        ("test.rb", test),
    ];
    check(&files, "Jek.Conf", &["test.rb:4:4 reference?"]);
    check(&files, "Jek.Hash", &[]);
}

#[test]
fn what_test_helpers_add_to_classes_of_test_libraries_is_inherited() {
    let helper = "module Minitest
  module Assertions
    include Shop
    def assert_total(cart); end
  end
  class Test
    def fixture(name); end
  end
end
class ActiveSupport::TestCase
  def sign_in; end
end
class Test::Unit::TestCase
  def sign_out; end
end
module Test
  module Unit
    module Assertions
      def assert_paid; end
    end
  end
end
";
    let tests = "class CartTest < Minitest::Test
  def test_total
    assert_total Cart.new
    fixture 'a'
    assert_paid
  end
end
class PageTest < ActionDispatch::IntegrationTest
  def test_page
    sign_in
    assert_total 1
  end
end
class OtherTest < Test::Unit::TestCase
  def test_pay
    assert_paid
    assert_total 1
    sign_out
  end
end
";
    let files = [
        ("test/helper.rb", helper),
        ("test/cart_test.rb", tests),
        ("lib/shop.rb", "module Shop\n  class Cart\n  end\nend\n"),
    ];
    check(
        &files,
        "Minitest.Assertions.assert_total",
        &[
            "test/cart_test.rb:3:4 call",
            "test/cart_test.rb:11:4 call",
            "test/cart_test.rb:17:4 call?",
        ],
    );
    check(&files, "Shop.Cart", &["test/cart_test.rb:3:17 call"]);
    check(&files, "Test.fixture", &["test/cart_test.rb:4:4 call"]);
    check(&files, "sign_in", &["test/cart_test.rb:10:4 call"]);
    check(&files, "sign_out", &["test/cart_test.rb:18:4 call"]);
    check(
        &files,
        "assert_paid",
        &["test/cart_test.rb:16:4 call", "test/cart_test.rb:5:4 call?"],
    );
}

#[test]
fn a_class_that_another_file_opens_keeps_its_own_methods_apart_from_those_of_instances() {
    let files = [
        (
            "tag.rb",
            "module Shop
  class Tag
    class << self
      def parse(text); end
    end
    def parse(list); end
  end
end
",
        ),
        (
            "disabler.rb",
            "module Shop\n  class Tag\n    module Disabler\n    end\n  end\nend\n",
        ),
        (
            "run.rb",
            "module Shop\n  def run\n    Tag.parse('a')\n    Tag.new.parse([])\n  end\nend\n",
        ),
    ];
    check(&files, "tag.rb:4:11", &["run.rb:3:8 call"]);
    check(&files, "tag.rb:6:9", &["run.rb:4:12 call"]);
}

#[test]
fn functions_of_the_files_that_a_file_loads_are_called_at_its_top_level() {
    let spec = "require 'helper'
RSpec.describe Cart do
  let(:user) { 1 }
  it 'pays' do
    capture(:stdout) { Cart.new.pay }
    alone 1
    user
    Cart.new.capture
  end
end
class Model < Lib::Base
  def pay
    capture(:stdout) { 1 }
  end
end
";
    let files = [
        (
            "spec/helper.rb",
            "RSpec.configure do |config|\n  def capture(stream); end\n  def user; end\nend\n",
        ),
        ("spec/shop/cart_spec.rb", spec),
        (
            "spec/page_spec.rb",
            "require File.expand_path('../helper', __FILE__)\ncapture 1\n",
        ),
        ("spec/other_spec.rb", "require 'ec/helper'\ncapture 1\n"),
        ("bin/run.rb", "def alone(n); end\n"),
        ("lib/cart.rb", "class Cart\nend\n"),
    ];
    check(
        &files,
        "spec.helper.capture",
        &[
            "spec/page_spec.rb:2:0 call",
            "spec/shop/cart_spec.rb:5:4 call",
            "spec/other_spec.rb:2:0 call?",
            "spec/shop/cart_spec.rb:8:13 call?",
            "spec/shop/cart_spec.rb:13:4 call?",
        ],
    );
    check(&files, "alone", &["spec/shop/cart_spec.rb:6:4 call?"]);
    check(&files, "user", &[]);
}

#[test]
fn test_runners_load_the_helper_of_the_folder() {
    check(
        &[
            (
                "spec/spec_helper.rb",
                "require_relative 'support/pages'\ndef sign_in; end\n",
            ),
            ("spec/support/pages.rb", "def visit(page); end\n"),
            ("spec/models/cart_spec.rb", "visit 1\nsign_in\n"),
            ("lib/cart.rb", "visit 1\n"),
            ("lib/test_helper.rb", "def visit(page); end\n"),
        ],
        "spec.support.pages.visit",
        &["spec/models/cart_spec.rb:1:0 call", "lib/cart.rb:1:0 call?"],
    );
}

#[test]
fn a_block_may_run_in_another_object() {
    let text = "class Cart
  def total; end
  def self.setting(name); end
end
class Page
  def total; end
  def show(cart)
    @cart = Cart.new
    @cart.instance_eval { [1].each { total } }
    Cart.class_eval do
      setting 'a'
      define_method(:b) { 1 }
    end
    klass = Class.new(Cart) do
      setting 'b'
    end
    cart.instance_exec { total }
    self.instance_eval { total }
    Class.new { total }
    total
  end
end
";
    let files = [("lib/cart.rb", text)];
    check(
        &files,
        "Cart.total",
        &["lib/cart.rb:9:37 call", "lib/cart.rb:17:25 call?"],
    );
    check(
        &files,
        "Cart.setting",
        &["lib/cart.rb:11:6 call", "lib/cart.rb:15:6 call"],
    );
    check(
        &files,
        "Page.total",
        &[
            "lib/cart.rb:18:25 call",
            "lib/cart.rb:19:16 call",
            "lib/cart.rb:20:4 call",
            "lib/cart.rb:17:25 call?",
        ],
    );
}

#[test]
fn blocks_in_many_other_objects_end() {
    let mut text = String::from("class Cart\n  def total; end\nend\ncart = Cart.new\n");
    text.push_str(&"self.cart.instance_eval {\n".repeat(2_000));
    text.push_str("total\n");
    text.push_str(&"}\n".repeat(2_000));
    let answer = ask(&MemoryHost::new(&[("lib/cart.rb", &text)]), "Cart.total");
    assert_eq!(answer.meta.error_code, None);
}
