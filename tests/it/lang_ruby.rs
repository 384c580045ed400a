//! Ruby: definitions and references.

use ragnav::syntax::{extract_facts, find_language};

use crate::lang_rows::check;

#[test]
fn definitions_are_under_their_modules() {
    check(
        "a.rb",
        "# What M is.
module M
  class Foo < Bar::Baz
    def open(path)
      path
    end

    def close = stop
    def self.create; end
    class << self
      def build; end
    end
    def name=(value)
    end
    def ==(other) = true
  end # end

  class A::B
    def m; end
  end
end

def Foo.late; end
def top
end
",
        &[
            "M namespace 2 2-21",
            "M.Foo class 3 3-16",
            "M.Foo.open method 4 4-6",
            "M.Foo.close method 8 8-8",
            "M.Foo.create method 9 9-9",
            "M.Foo.build method 11 11-11",
            "M.Foo.name= method 13 13-14",
            "M.Foo.== method 15 15-15",
            "M.A.B class 18 18-20",
            "M.A.B.m method 19 19-19",
            "Foo.late method 23 23-23",
            "top function 24 24-25",
        ],
        &[
            "#1 3:14 Bar read",
            "#1 3:19 Bar.Baz inherit",
            "#4 8:16 self.stop call",
            "#1 18:8 A read",
            "#0 23:4 Foo read",
        ],
        &[],
    );
}

#[test]
fn names_that_are_no_variables_are_calls() {
    check(
        "a.rb",
        "class Foo
  include Comparable

  def open(path, mode = default_mode, *rest, key: 1, &block)
    x = read(path)
    x.each { |line| puts line, mode, rest, key, block; close }
    self.close
    other.close
    Foo.new(x).open
    name
    name = 1
    name
  end

  def close; end
end
",
        &[
            "Foo class 1 1-16",
            "Foo.open method 4 4-13",
            "Foo.close method 15 15-15",
        ],
        &[
            "#1 2:2 self.include call",
            "#1 2:10 Comparable inherit",
            "#2 4:24 self.default_mode call",
            "#2 5:8 self.read call",
            "#2 6:6 x.each call",
            "#3 6:20 self.puts call",
            "#3 6:55 self.close call",
            "#2 7:9 self.close call",
            "#2 8:4 self.other call",
            "#2 8:10 self.other().close call",
            "#2 9:4 Foo call",
            "#2 9:8 Foo.new call",
            "#2 9:15 Foo().open call",
            "#2 10:4 self.name call",
        ],
        &[],
    );
}

#[test]
fn variables_before_operators_are_no_calls() {
    check(
        "a.rb",
        "def mask(u, list)
  p(u&MASK, u -1, list [0])
  u other
  __FILE__
  __LINE__.close
end
",
        &["mask function 1 1-6"],
        &[
            "#1 2:2 self.p call",
            "#1 2:6 MASK read",
            "#1 3:2 self.u call",
            "#1 3:4 self.other call",
            "#1 5:11 BasicObject().close call",
        ],
        &[],
    );
}

#[test]
fn a_class_may_be_the_value_of_a_constant() {
    check(
        "a.rb",
        "module M
  # A place.
  Point = Struct.new(:x) do
    def dist; end
  end
  Err = Class.new(StandardError)
  Tools = ::Module.new { def self.run; end }
  Pair = Data.define(:a)
  LIST = Array.new(3)
  name = Class.new
end
",
        &[
            "M namespace 1 1-11",
            "M.Point class 3 3-5",
            "M.Point.dist method 4 4-4",
            "M.Err class 6 6-6",
            "M.Tools namespace 7 7-7",
            "M.Tools.run method 7 7-7",
            "M.Pair class 8 8-8",
        ],
        &[
            "#1 3:10 Struct call",
            "#1 3:17 Struct.new call",
            "#1 6:8 Class call",
            "#1 6:14 Class.new call",
            "#1 6:18 StandardError inherit",
            "#1 7:12 Object@.Module call",
            "#1 7:19 Object@.Module.new call",
            "#1 8:9 Data read",
            "#1 8:14 Data.define call",
            "#1 9:9 Array call",
            "#1 9:15 Array.new call",
            "#1 10:9 Class call",
            "#1 10:15 Class.new call",
        ],
        &[],
    );
}

#[test]
fn hostile_classes_in_classes_have_facts() {
    for text in [
        "A = Class.new do\n".repeat(2_000),
        "A = B = Struct.new(:a) { ".repeat(500),
        "A = Struct.new".to_owned(),
        "alias\nalias_method\ndefine_method :\ndelegate to: :a\n".repeat(100),
        "class A\nalias_method :, :\ndef_delegator\ndelegate\n".to_owned(),
    ] {
        let facts = extract_facts(find_language("ruby").unwrap(), &text);
        let size: usize = facts.names.iter().map(String::len).sum();
        assert!(size <= 250 * text.len() + 1_000, "{size}");
    }
}
