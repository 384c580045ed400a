//! Scala: definitions and references.

use crate::lang_rows::check;

#[test]
fn members_belong_to_their_type() {
    check(
        "A.scala",
        r#"package com.example

/** What A is. */
@deprecated("x")
sealed abstract class A[T](val x: Int) extends Base[T](x) with C with d.D {
  type Alias = Int
  val a, b: Int = 1
  /** Runs. */
  override def run(n: Int): Unit = { def local = n; local }
  def this(z: String) = this(z.length)
  def +(o: A[T]): A[T]
  def `type`: Int = 1
  object Inner { def go() = 1 }
  implicit class Rich(s: String) { def rich = s }
  private val block = { def local = 1; local }
}
trait Tr { self: Other => def m(): Unit }
object A extends App
package object pk { def inPackage = 1 }
"#,
        &[
            "A class 4 5-16",
            "A.Alias type 6 6-6",
            "A.run method 9 9-9",
            "A.run.local function 9 9-9",
            "A.this method 10 10-10",
            "A.+ method 11 11-11",
            "A.type method 12 12-12",
            "A.Inner class 13 13-13",
            "A.Inner.go method 13 13-13",
            "A.Rich class 14 14-14",
            "A.Rich.rich method 14 14-14",
            "A.local function 15 15-15",
            "Tr interface 17 17-17",
            "Tr.m method 17 17-17",
            "A class 18 18-18",
            "pk class 19 19-19",
            "pk.inPackage method 19 19-19",
        ],
        &[
            "#1 4:1 ?.deprecated read",
            "#1 5:34 ?.Int read",
            "#0 5:47 ?.Base inherit",
            "#0 5:63 ?.C inherit",
            "#1 5:70 ?.d read",
            "#0 5:72 ?.D inherit",
            "#2 6:15 ?.Int read",
            "#1 7:12 ?.Int read",
            "#3 9:22 ?.Int read",
            "#3 9:28 ?.Unit read",
            "#3 9:52 local read",
            "#5 10:14 ?.String read",
            "#5 10:31 ?.length read",
            "#6 11:11 ?.A read",
            "#6 11:18 ?.A read",
            "#7 12:14 ?.Int read",
            "#10 14:25 ?.String read",
            "#1 15:39 local read",
            "#13 17:17 ?.Other read",
            "#14 17:35 ?.Unit read",
            "#0 18:17 ?.App inherit",
        ],
        &[],
    );
}

#[test]
fn indentation_encloses_members() {
    check(
        "a.scala",
        r"enum Color(val rgb: Int) derives Eq:
  case Red extends Color(1)
  case Mix(a: Int)
  def hex: String = f(rgb)
end Color
given intOrd: Ord[Int] with
  def compare(a: Int, b: Int) = 1
given stringOrd: Ord[String] = intOrd.by(f)
given Ord[Char] with
  def compare(a: Char, b: Char) = 2
given listOrd[T](using Ord[T]): Ord[List[T]] = ???
extension (s: String)
  def shout: String = s.up
  def other(n: Int) = shout(s)
opaque type Name = String
def f(using ctx: Ctx) =
  val z = helper(1)
  def nested = z
  nested + ctx
object O:
  extension [T](t: T) def one = t
  val x = 1
  export a.b.c
",
        &[
            "Color enum 1 1-5",
            "Color.hex method 4 4-4",
            "intOrd class 6 6-7",
            "intOrd.compare method 7 7-7",
            "compare method 10 10-10",
            "listOrd function 11 11-11",
            "shout function 13 13-13",
            "other function 14 14-14",
            "Name type 15 15-15",
            "f function 16 16-19",
            "f.nested function 18 18-18",
            "O class 20 20-23",
            "O.one method 21 21-21",
        ],
        &[
            "#1 1:20 ?.Int read",
            "#1 1:33 ?.Eq read",
            "#1 2:19 Color read",
            "#1 3:14 ?.Int read",
            "#2 4:11 ?.String read",
            "#2 4:20 f call",
            "#3 6:14 ?.Ord read",
            "#3 6:18 ?.Int read",
            "#4 7:17 ?.Int read",
            "#4 7:25 ?.Int read",
            "#0 8:17 ?.Ord read",
            "#0 8:21 ?.String read",
            "#0 8:31 intOrd read",
            "#0 8:38 intOrd.by call",
            "#0 8:41 f read",
            "#0 9:6 ?.Ord read",
            "#0 9:10 ?.Char read",
            "#5 10:17 ?.Char read",
            "#5 10:26 ?.Char read",
            "#6 11:23 ?.Ord read",
            "#6 11:32 ?.Ord read",
            "#6 11:36 ?.List read",
            "#6 11:47 ?.??? read",
            "#0 12:14 ?.String read",
            "#7 13:13 ?.String read",
            "#7 13:24 ?.up read",
            "#8 14:15 ?.Int read",
            "#8 14:22 shout call",
            "#9 15:19 ?.String read",
            "#10 16:17 ?.Ctx read",
            "#10 17:10 ?.helper call",
            "#10 19:2 nested read",
            "#10 19:9 nested.+ call",
            "#12 23:13 ?.c import",
        ],
        &["#12 23:13 a.b c c"],
    );
}

#[test]
fn members_of_anonymous_classes_have_the_name_of_the_value() {
    check(
        "a.scala",
        r"object O {
  def helper = 1
  def size = 2
  val monoid: Monoid[Int] = new Monoid[Int] with More {
    type Out = Int
    def empty = helper
    def size = empty
  }
  def make = new Monoid[Int] { def empty = size }
  use(new Foo { def bar = 1 })
  type S = { def close(): Unit }
}
",
        &[
            "O class 1 1-12",
            "O.helper method 2 2-2",
            "O.size method 3 3-3",
            "O.monoid.Out type 5 5-5",
            "O.monoid.empty method 6 6-6",
            "O.monoid.size method 7 7-7",
            "O.make method 9 9-9",
            "O.make.empty method 9 9-9",
            "O.bar method 10 10-10",
            "O.S type 11 11-11",
            "O.close method 11 11-11",
        ],
        &[
            "#1 4:14 ?.Monoid read",
            "#1 4:21 ?.Int read",
            "#1 4:32 ?.Monoid call",
            "#1 4:39 ?.Int read",
            "#1 4:49 ?.More call",
            "#4 5:15 ?.Int read",
            "#5 6:16 ?.helper read",
            "#6 7:15 ?.empty read",
            "#7 9:17 ?.Monoid call",
            "#7 9:24 ?.Int read",
            "#8 9:43 ?.size read",
            "#1 10:2 ?.use call",
            "#1 10:10 ?.Foo call",
            "#11 11:26 ?.Unit read",
        ],
        &[],
    );
}

#[test]
fn imports_name_members() {
    check(
        "a.scala",
        r"import a.b.C
import a.b.{D => E, f, _}
import g.h, O.i
import g.given
import O._
import a.b as c
object O { def i = f(E, C, h) }
object P { i; O.i }
",
        &["O class 7 7-7", "O.i method 7 7-7", "P class 8 8-8"],
        &[
            "#0 1:11 ?.C import",
            "#0 2:12 ?.D import",
            "#0 2:20 ?.f import",
            "#0 3:9 ?.h import",
            "#0 3:12 O read",
            "#0 3:14 ?.i import",
            "#0 5:7 O read",
            "#0 6:9 ?.b import",
            "#2 7:19 ?.f call",
            "#2 7:21 ?.E read",
            "#2 7:24 ?.C read",
            "#2 7:27 ?.h read",
            "#3 8:11 ?.i read",
            "#3 8:14 O read",
            "#3 8:16 O.i read",
        ],
        &[
            "#0 1:11 a.b C C",
            "#0 2:12 a.b D E",
            "#0 2:20 a.b f f",
            "#0 2:23 a.b * -",
            "#0 3:9 g h h",
            "#0 3:14 O i i",
            "#0 4:9 g * -",
            "#0 5:9 O * -",
            "#0 6:9 a b c",
        ],
    );
}

#[test]
fn references_exclude_variables_and_fields() {
    check(
        "a.scala",
        r#"object O {
  def stop(n: Int) = n
  def size = 1
  class A(size: Int) { def f = size; def g = stop(total); val total = 1 }
  class B { def f = size; val size = 1; this.f; super.f }
  def run(x: X)(implicit stop: Stop) = stop(x.size)
  xs.map(y => y + size).map { case Some(q) if q > 1 => use(q); case Size(`size`, None) => q }
  for { i <- stop(i) if i > 1; A(j, _) = i } yield j + i
  a stop b
  stop[Int](name = 1)
  s"a ${stop(1)} $size" + sql"b"
  new A(1).f
  a.stop _
  try { 1 } catch { case e: Failure => e }
  val pair: (O.A, x.B#C) = (size, b stop)
}
"#,
        &[
            "O class 1 1-16",
            "O.stop method 2 2-2",
            "O.size method 3 3-3",
            "O.A class 4 4-4",
            "O.A.f method 4 4-4",
            "O.A.g method 4 4-4",
            "O.B class 5 5-5",
            "O.B.f method 5 5-5",
            "O.run method 6 6-6",
        ],
        &[
            "#2 2:14 ?.Int read",
            "#4 4:16 ?.Int read",
            "#6 4:45 stop call",
            "#7 5:45 this.f read",
            "#7 5:54 ?.f read",
            "#9 6:13 ?.X read",
            "#9 6:31 ?.Stop read",
            "#9 6:46 ?.size read",
            "#1 7:2 ?.xs read",
            "#1 7:5 ?.map call",
            "#1 7:16 ?.+ call",
            "#1 7:18 size read",
            "#1 7:24 ?.map call",
            "#1 7:35 ?.Some read",
            "#1 7:48 ?.> call",
            "#1 7:55 ?.use call",
            "#1 7:68 ?.Size read",
            "#1 7:74 size read",
            "#1 7:81 ?.None read",
            "#1 7:90 ?.q read",
            "#1 8:13 stop call",
            "#1 8:18 ?.i read",
            "#1 8:26 ?.> call",
            "#1 8:31 A read",
            "#1 8:53 ?.+ call",
            "#1 9:2 ?.a read",
            "#1 9:4 ?.stop call",
            "#1 9:9 ?.b read",
            "#1 10:2 stop call",
            "#1 10:7 ?.Int read",
            "#1 11:8 stop call",
            "#1 11:18 size read",
            "#1 11:24 ?.+ call",
            "#1 11:26 ?.sql read",
            "#1 12:6 A call",
            "#1 12:11 ?.f read",
            "#1 13:2 ?.a read",
            "#1 13:4 ?.stop read",
            "#1 14:28 ?.Failure read",
            "#1 15:13 O read",
            "#1 15:15 O.A read",
            "#1 15:18 ?.x read",
            "#1 15:20 ?.B read",
            "#1 15:22 ?.C read",
            "#1 15:28 size read",
            "#1 15:34 ?.b read",
            "#1 15:36 ?.stop read",
        ],
        &[],
    );
}
