//! `where_used` of constructors, where the text does not name their class.

use crate::where_used::check;

#[test]
fn constructors_of_java_call_each_other() {
    let text = "class A<T> {
    A(int a) { this(a, 1); }
    A(int a, int b) {}
    void use() { new Inner(1) {}; run(B::new); run(Inner::new); }
    class Inner { Inner(int a) {} }
}
class B extends A<String> {
    B() { super(1); }
    class C extends A.Inner {
        C(A a) { a.super(1); }
    }
}
enum E {
    ONE(1), TWO(1, 2), NONE { void f() {} };
    E(int a) {}
    E(int a, int b) {}
    E() {}
}
";
    let files = [("A.java", text)];
    check(&files, "A.java:2:5", &["A.java:8:10 call"]);
    check(&files, "A.java:3:5", &["A.java:2:15 call"]);
    let inner = [
        "A.java:4:21 call",
        "A.java:4:58 reference",
        "A.java:10:19 call",
    ];
    check(&files, "A.java:5:19", &inner);
    check(&files, "A.java:8:5", &["A.java:4:41 reference"]);
    check(&files, "A.java:15:5", &["A.java:14:4 call"]);
    check(&files, "A.java:16:5", &["A.java:14:12 call"]);
    check(&files, "A.java:17:5", &["A.java:14:23 call"]);
    // The class itself is not named there.
    check(&files, "A.java:7:7", &["A.java:4:38 reference"]);
}

#[test]
fn constructors_of_csharp_call_each_other() {
    let text = "class A<T> {
    public A(int a) : this(a, 1) {}
    public A(int a, int b) {}
}
class B : A<string>, IB {
    B b = new(1);
    B P { get; } = new();
    B() : base(1) {}
    B(int a) : base(a, 1) {}
    B Make() => new(1);
    B Return() { b = new(2); return new() { b = null }; }
}
interface IB {}
";
    let files = [("A.cs", text)];
    check(&files, "A.cs:2:12", &["A.cs:8:10 call"]);
    check(&files, "A.cs:3:12", &["A.cs:2:22 call", "A.cs:9:15 call"]);
    check(&files, "A.cs:8:5", &["A.cs:7:19 call", "A.cs:11:36 call"]);
    check(&files, "A.cs:9:5", &["A.cs:6:10 call", "A.cs:10:16 call"]);
}

#[test]
fn super_calls_the_inherited_constructor_of_ecmascript() {
    let text = "class A { constructor(a) {} }
class B extends A { constructor() { super(1); } }
class C extends B { constructor() { super(); super.f(); } }
class D extends A {}
new A(1);
new B();
new D(1);
";
    let expected = |file: &str| {
        let rows = ["2:36 call", "5:4 call", "7:4 call"];
        rows.map(|row| format!("{file}:{row}"))
    };
    for file in ["a.js", "a.ts"] {
        let rows = expected(file);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        check(&[(file, text)], "A.constructor", &rows);
    }
    check(
        &[("a.js", text)],
        "a.A",
        &["a.js:2:16 inherit", "a.js:4:16 inherit", "a.js:5:4 call"],
    );
}

#[test]
fn super_calls_the_inherited_method_of_ruby() {
    let text = "class A
  def initialize(a); end
  def run(a); end
  def self.make; end
end
class B < A
  def initialize; super(1); end
  def run(a)
    super
    [1].each { super(a) }
    super.first
  end
  def self.make; super; end
end
class C < B
  def run(a); super; end
end
A.new(1)
B.new
";
    let files = [("a.rb", text)];
    check(
        &files,
        "A.initialize",
        &["a.rb:7:18 call", "a.rb:18:0 call"],
    );
    check(&files, "B.initialize", &["a.rb:19:0 call"]);
    let run = ["a.rb:9:4 call", "a.rb:10:15 call", "a.rb:11:4 call"];
    check(&files, "A.run", &run);
    check(&files, "A.make", &["a.rb:13:17 call"]);
    check(&files, "B.run", &["a.rb:16:14 call"]);
}

#[test]
fn the_modules_of_a_class_of_ruby_come_before_its_superclass() {
    let text = "module Loud
  def speak; super; end
end
class Animal
  def speak; end
  def self.make; new; end
  def self.other; self.new; end
  def copy; self.class.new; new; end
  def initialize; end
end
class Dog < Animal
  include Loud
  def speak; super; end
end
Dog.new.speak
class Cat < Animal
  include Loud
end
Cat.new.speak
";
    let files = [("a.rb", text)];
    let loud = ["a.rb:13:13 call", "a.rb:19:8 call"];
    check(&files, "Loud.speak", &loud);
    check(&files, "Animal.speak", &[]);
    let made = [
        "a.rb:6:17 call",
        "a.rb:7:23 call",
        "a.rb:8:23 call",
        "a.rb:15:0 call",
        "a.rb:19:0 call",
    ];
    check(&files, "Animal.initialize", &made);
}

#[test]
fn classes_of_java_without_a_name_inherit_from_their_base() {
    let text = "interface I { void g(int a); }
class A {
    void f() {}
    void use(I i) {
        i.g(1);
        new A() { @Override void f() { super.f(); } };
        use(new I() { public void g(int a) {} });
    }
}
enum E { X { int v() { return super.v(); } }; int v() { return 1; } }
";
    let files = [("A.java", text)];
    check(&files, "A.java:3:10", &["A.java:6:45 call"]);
    check(&files, "A.java:10:51", &["A.java:10:36 call"]);
    check(&files, "A.java:7:35", &["A.java:5:10 call?"]);
}

#[test]
fn the_head_of_a_type_may_declare_a_constructor() {
    let java = "record R(int x, int y) {
    R { }
    R(int x) { this(x, 0); }
    static R of() { return new R(1); }
}
record S(int x) {
    S() { this(1); }
    static S of() { return new S(2); }
}
";
    let files = [("R.java", java)];
    check(&files, "R.java:2:5", &["R.java:3:15 call"]);
    check(&files, "R.java:3:5", &["R.java:4:31 call"]);
    check(&files, "R.java:7:5", &[]);
    let csharp = "record R(int A, int B) {
    public R(int a) : this(a, 0) {}
    static R Make() => new R(1, 2);
    static R One() => new R(1);
}
";
    check(&[("R.cs", csharp)], "R.cs:2:12", &["R.cs:4:26 call"]);
}

#[test]
fn a_class_of_python_creates_instances_of_its_own() {
    let text = "class A:
    def __init__(self): pass
    @classmethod
    def make(cls): return cls()
    def copy(self): return type(self)()
    def twin(self): return self.__class__()
class B(A):
    def __init__(self): pass
    @classmethod
    def other(cls): return cls()
def free(cls): return cls()
";
    let files = [("a.py", text)];
    let made = ["a.py:4:26 call", "a.py:5:27 call", "a.py:6:32 call"];
    check(&files, "A.__init__", &made);
    check(&files, "B.__init__", &["a.py:10:27 call"]);
}

#[test]
fn keywords_of_php_stand_for_the_class_around_them() {
    let text = "<?php
class A {
    function __construct($a) {}
    static function make() { return new self(1); }
    static function other() { return new STATIC(1); }
}
class B extends A {
    static function base() { return new parent(2); }
    function own() { parent::__construct(1); self::class; }
}
class C extends A {
    function __construct() {}
    static function own() { return new self; }
}
new A(1);
new B(1);
";
    let files = [("a.php", text)];
    let of_base = [
        "a.php:4:40 call",
        "a.php:5:41 call",
        "a.php:8:40 call",
        "a.php:9:29 call",
        "a.php:15:4 call",
        "a.php:16:4 call",
    ];
    check(&files, "A.__construct", &of_base);
    check(&files, "C.__construct", &["a.php:13:39 call"]);
    // The class itself is not named there.
    check(&files, "a.C", &[]);
}
