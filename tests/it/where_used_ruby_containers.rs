//! `where_used` in Ruby: the elements of arrays and hashes, and what blocks receive.

use crate::where_used::check;

const CART: (&str, &str) = (
    "cart.rb",
    "class Cart\n  def total; end\n  def self.pair; [Cart.new, Cart.new]; end\nend\n",
);

/// Checks the uses of `Cart#total` in a text; `?` marks those that are only known by name.
fn check_uses(text: &str, expected: &[&str]) {
    check(&[CART, ("shop.rb", text)], "Cart.total", expected);
}

#[test]
fn an_element_of_an_array_or_a_hash_has_the_class_of_all() {
    check_uses(
        "[Cart.new].first.total\na = [Cart.new, Cart.new]\na[0].total\na.last.total\n\
         h = { a: Cart.new, b: Cart.new }\nh[:a].total\nh.values.first.total\nh.fetch(:b).total\n\
         b = [Cart.new, *a]\nb[0].total\n",
        &[
            "shop.rb:1:17 call",
            "shop.rb:3:5 call",
            "shop.rb:4:7 call",
            "shop.rb:6:6 call",
            "shop.rb:7:15 call",
            "shop.rb:8:12 call",
            "shop.rb:10:5 call?",
        ],
    );
}

#[test]
fn a_block_receives_the_elements() {
    check_uses(
        "a = [Cart.new]\na.each { |c| c.total }\n[Cart.new].map { |c| c.total }\n\
         a.select { |c| c.total }.first.total\na.each_with_index { |c, i| c.total; i.total }\n\
         h = { a: Cart.new }\nh.each do |k, c|\n  c.total\n  k.total\nend\n\
         h.each_value { |c| c.total }\na.inject(0) { |sum, c| c.total }\n\
         Cart.new.tap { |c| c.total }.total\na.times { |c| c.total }\n",
        &[
            "shop.rb:2:15 call",
            "shop.rb:3:23 call",
            "shop.rb:4:17 call",
            "shop.rb:4:31 call",
            "shop.rb:5:29 call",
            "shop.rb:8:4 call",
            "shop.rb:11:21 call",
            "shop.rb:12:25 call",
            "shop.rb:13:21 call",
            "shop.rb:13:29 call",
            "shop.rb:5:38 call?",
            "shop.rb:9:4 call?",
            "shop.rb:14:16 call?",
        ],
    );
}

#[test]
fn a_block_given_as_a_symbol_calls_the_method_of_the_elements() {
    check_uses(
        "[Cart.new].map(&:total)\na = [Cart.new]\na.sum(&:total)\nother.each(&:total)\n\
         a.each(&:to_s)\n",
        &[
            "shop.rb:1:17 call",
            "shop.rb:3:8 call",
            "shop.rb:4:13 call?",
        ],
    );
}

#[test]
fn an_instance_variable_has_the_elements_that_methods_add() {
    check_uses(
        "class Shop\n  def initialize\n    @all = []\n    @by = {}\n  end\n  def add\n    \
         @all << Cart.new\n    @by[:a] = Cart.new\n  end\n  def run\n    \
         @all.each { |c| c.total }\n    @all[0].total\n    @by[:a].total\n    \
         @by.each { |k, c| c.total }\n  end\nend\nlist = []\nlist.push(Cart.new)\n\
         list.first.total\n",
        &[
            "shop.rb:11:22 call",
            "shop.rb:12:12 call",
            "shop.rb:13:12 call",
            "shop.rb:14:24 call",
            "shop.rb:19:11 call",
        ],
    );
}

#[test]
fn several_variables_receive_the_parts_of_an_array() {
    check_uses(
        "a, b = Cart.new, 1\na.total\nb.total\nc, d = Cart.pair\nc.total\nd.total\n\
         x, y = *z, Cart.new\ny.total\n",
        &[
            "shop.rb:2:2 call",
            "shop.rb:5:2 call",
            "shop.rb:6:2 call",
            "shop.rb:3:2 call?",
            "shop.rb:8:2 call?",
        ],
    );
}

#[test]
fn classes_in_an_array_are_what_a_block_receives() {
    check(
        &[
            ("a.rb", "class A\n  def self.run; end\nend\n"),
            ("b.rb", "class B\n  def self.run; end\nend\n"),
            (
                "app.rb",
                "[A, B].each { |c| c.run }\nALL = [A, B]\nALL.each { |c| c.run }\n",
            ),
        ],
        "A.run",
        &["app.rb:1:20 call", "app.rb:3:17 call"],
    );
}

#[test]
fn a_repository_may_add_methods_to_arrays() {
    check(
        &[
            CART,
            ("array.rb", "class Array\n  def second; self[1]; end\nend\n"),
            (
                "app.rb",
                "[Cart.new].second\na = [Cart.new]\na.second\n[1].second\n",
            ),
        ],
        "Array.second",
        &["app.rb:1:11 call", "app.rb:3:2 call", "app.rb:4:4 call"],
    );
}

#[test]
fn an_object_that_is_no_container_keeps_its_own_methods() {
    let files = [(
        "chain.rb",
        "class Chain\n  def append(x); end\n  def [](name); Cart.new; end\n  \
             def self.[](name); Cart.new; end\nend\nclass Cart\n  def total; end\nend\n\
             class Shop\n  def initialize\n    @chain = make.append(Cart.new)\n    \
             @other = Chain.new\n  end\n  def run\n    @chain.append(Cart.new)\n    \
             @other.append(Cart.new)\n    @other[:a].total\n    Chain[:a].total\n  end\nend\n",
    )];
    let appended = [
        "chain.rb:16:11 call",
        "chain.rb:11:18 call?",
        "chain.rb:15:11 call?",
    ];
    check(&files, "Chain.append", &appended);
    // A subscript calls the method `[]`.
    let totals = ["chain.rb:17:15 call", "chain.rb:18:14 call"];
    check(&files, "Cart.total", &totals);
}

#[test]
fn several_elements_are_a_container() {
    check_uses(
        "a = [Cart.new]\na.last(2).total\na.first(1).each { |c| c.total }\nb = [Cart.new]\n\
         b.push(*others)\nb.each { |c| c.total }\nc = []\nc << Cart.new << Cart.new\n\
         c[0].total\n",
        &["shop.rb:3:24 call", "shop.rb:6:15 call", "shop.rb:9:5 call"],
    );
}

#[test]
fn methods_that_a_repository_adds_to_arrays_go_before_those_of_ruby() {
    check(
        &[
            CART,
            ("array.rb", "class Array\n  def index_by; end\nend\n"),
            (
                "app.rb",
                "[Cart.new].index_by { |c| c }\na = [Cart.new]\na.index_by(&:total)\n",
            ),
        ],
        "Array.index_by",
        &["app.rb:1:11 call", "app.rb:3:2 call"],
    );
}

#[test]
fn nested_hashes_are_read_once() {
    let nested = format!("{}1{}", "{a: ".repeat(22), "}".repeat(22));
    let text = format!("x = {nested}\n").repeat(400);
    check_uses(&text, &[]);
}
