//! `where_used` behind methods that return the instance that they are called on: a method of a base
//! class gives an instance of the class whose method is called.

use crate::where_used::check;

#[test]
fn of_python() {
    let text = "\
class Base:
    def me(self, other): return self
    def typed(self) -> Self: return self
    def copy(self):
        made = self.__class__()
        return made
    def fresh(self): return type(self)()
    def chain(self): return self.me(1).copy()
    @property
    def prop(self): return self
    @classmethod
    def make(cls): return cls()
    @classmethod
    def build(cls) -> Self: return cls.make()
    @classmethod
    def again(cls): return cls.build()
    def __iter__(self): return self
    def __next__(self): return self
    def __call__(self): return self
    def run(self): pass
class Item(Base):
    def chain(self): return super().chain()
    def run(self): pass
class Last(Item):
    def run(self): pass
class Other:
    def run(self): pass

Last().me(Other()).run()
Last().typed().run()
Last().copy().run()
Last().fresh().run()
Last().chain().run()
Last().prop.run()
Last.make().run()
Last.build().run()
Last.again().run()
for one in Last(): one.run()
last = Last().me(1)
last.run()
Last()().run()
";
    let files = [("b.py", text)];
    let expected = [
        "b.py:29:19 call",
        "b.py:30:15 call",
        "b.py:31:14 call",
        "b.py:32:15 call",
        "b.py:33:15 call",
        "b.py:34:12 call",
        "b.py:35:12 call",
        "b.py:36:13 call",
        "b.py:37:13 call",
        "b.py:38:23 call",
        "b.py:40:5 call",
        "b.py:41:9 call",
    ];
    check(&files, "Last.run", &expected);
    check(&files, "Base.run", &[]);
    check(&files, "Other.run", &[]);
}

#[test]
fn of_javascript_and_typescript() {
    let text = "\
class Base {
  me() { return this; }
  chain() { return this.me(); }
  kept() { const self = this; return self; }
  get prop() { return this; }
  async later() { return this; }
  static make() { return new this(); }
  copy() { return new this.constructor(); }
  run() {}
}
class Item extends Base {
  me() { return super.me(); }
  run() {}
  go() { this.me().run(); }
}
class Last extends Item { run() {} }
new Last().me().run();
new Last().chain().run();
new Last().kept().run();
new Last().prop.run();
(await new Last().later()).run();
Last.make().run();
new Last().copy().run();
";
    let of_typescript = [("b.ts", text)];
    let expected = [
        "b.ts:17:16 call",
        "b.ts:18:19 call",
        "b.ts:19:18 call",
        "b.ts:20:16 call",
        "b.ts:21:27 call",
        "b.ts:22:12 call",
        "b.ts:23:18 call",
        // `this` may be an instance of a derived class.
        "b.ts:14:19 call?",
    ];
    check(&of_typescript, "Last.run", &expected);
    check(&of_typescript, "Item.run", &["b.ts:14:19 call"]);
    check(&of_typescript, "Base.run", &[]);
    let of_javascript = [("b.js", text)];
    let expected = [
        "b.js:17:16 call",
        "b.js:18:19 call",
        "b.js:19:18 call",
        "b.js:20:16 call",
        "b.js:21:27 call",
        "b.js:22:12 call",
        "b.js:23:18 call",
        "b.js:14:19 call?",
    ];
    check(&of_javascript, "Last.run", &expected);
}

#[test]
fn of_php() {
    let text = "\
<?php
class Base {
  public function me() { return $this; }
  public function typed(): static { return $this; }
  /** @return $this */
  public function noted() { return $this->me(); }
  public function copy() { $x = clone $this; $x->a = 1; return $x; }
  public function maybe(): ?static { return $this; }
  public function declared(): self { return $this; }
  public static function make() { $x = new static; return $x; }
  public static function own() { return new self(); }
  public function run() {}
}
class Item extends Base {
  public function run() {}
  public function me() { return parent::me(); }
  public function go() { $this->me()->run(); parent::me()->run(); }
}
(new Item())->me()->run();
(new Item())->typed()->run();
(new Item())->noted()->run();
(new Item())->copy()->run();
(new Item())->maybe()->run();
Item::make()->run();
Item::own()->run();
(new Item())->declared()->run();
";
    let files = [("b.php", text)];
    let expected = [
        "b.php:17:38 call",
        "b.php:17:59 call",
        "b.php:19:20 call",
        "b.php:20:23 call",
        "b.php:21:23 call",
        "b.php:22:22 call",
        "b.php:23:23 call",
        "b.php:24:14 call",
        // `self` is the class that declares the method.
        "b.php:25:13 call?",
        "b.php:26:26 call?",
    ];
    check(&files, "Item.run", &expected);
    let expected = ["b.php:25:13 call", "b.php:26:26 call"];
    check(&files, "Base.run", &expected);
}

#[test]
fn of_ruby() {
    let text = "\
class Base
  def me
    self
  end
  def chain
    me
  end
  def copy
    self.class.new
  end
  def self.make
    made = new
    made
  end
  def run; end
end
class Item < Base
  def run; end
  def go
    me.run
    chain.run
  end
end
Item.new.me.run
Item.new.chain.run
Item.new.copy.run
Item.make.run
";
    let files = [("b.rb", text)];
    let expected = [
        "b.rb:20:7 call",
        "b.rb:21:10 call",
        "b.rb:24:12 call",
        "b.rb:25:15 call",
        "b.rb:26:14 call",
        "b.rb:27:10 call",
    ];
    check(&files, "Item.run", &expected);
    check(&files, "Base.run", &[]);
}

#[test]
fn of_traits_in_rust() {
    let text = "\
pub trait Base: Sized {
    fn me(self) -> Self { self }
    fn make() -> Self;
}
pub struct Item;
impl Item { pub fn go(&self) {} }
impl Base for Item {
    fn make() -> Self { Item }
}
pub fn run() {
    Item.me().go();
    Item::make().go();
    let item = Item::make();
    item.me().me().go();
}
";
    let files = [
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ("src/lib.rs", text),
    ];
    let expected = [
        "src/lib.rs:11:14 call",
        "src/lib.rs:12:17 call",
        "src/lib.rs:14:19 call",
    ];
    check(&files, "Item.go", &expected);
}
