//! Dart: definitions and references.

use crate::lang_rows::check;

#[test]
fn members_of_classes_are_definitions() {
    check(
        "a.dart",
        r"/// Library.
library a;

/// What A is.
@immutable
abstract base class A<T extends Object> extends B<T> with M, N implements I, b.C {
  const A(this.x, {required this.y, super.key}) : z = x + one(), super.named(1);
  A.named(int a) : this(a, y: 2);
  factory A.of(String s) => A._(s);
  factory A.re() = B.re;
  final int x, w = compute();

  /// Its size.
  @override
  int get size => x;
  set size(int v) { x = v; }
  bool operator ==(Object other) => other is A && x == other.x;
  int operator [](int i) => i;
  Future<void> run<K>(K k, [int? n = 1]) async { int local(int c) => c; await local(n); }
  void todo();
  external int native();
}
",
        &[
            "A class 5 6-22",
            "A.A method 7 7-7",
            "A.named method 8 8-8",
            "A.of method 9 9-9",
            "A.re method 10 10-10",
            "A.size method 14 15-15",
            "A.size method 16 16-16",
            "A.operator== method 17 17-17",
            "A.operator[] method 18 18-18",
            "A.run method 19 19-19",
            "A.run.local function 19 19-19",
            "A.todo method 20 20-20",
            "A.native method 21 21-21",
        ],
        &[
            "#1 5:1 ?.immutable read",
            "#1 6:32 ?.Object read",
            "#0 6:48 ?.B inherit",
            "#0 6:58 ?.M inherit",
            "#0 6:61 ?.N inherit",
            "#0 6:74 ?.I inherit",
            "#1 6:77 ?.b read",
            "#0 6:79 ?.C inherit",
            "#2 7:58 ?.one call",
            "#2 7:71 ?.named call",
            "#3 8:10 ?.int read",
            "#4 9:15 ?.String read",
            "#4 9:28 A read",
            "#4 9:30 A._ call",
            "#5 10:19 ?.B read",
            "#5 10:21 ?.re read",
            "#1 11:8 ?.int read",
            "#1 11:19 ?.compute call",
            "#6 14:3 ?.override read",
            "#6 15:2 ?.int read",
            "#7 16:11 ?.int read",
            "#8 17:2 ?.bool read",
            "#8 17:19 ?.Object read",
            "#8 17:45 A read",
            "#8 17:61 ?.x read",
            "#9 18:2 ?.int read",
            "#9 18:18 ?.int read",
            "#10 19:2 ?.Future read",
            "#10 19:28 ?.int read",
            "#11 19:49 ?.int read",
            "#11 19:59 ?.int read",
            "#10 19:78 local call",
            "#13 21:11 ?.int read",
        ],
        &[],
    );
}

#[test]
fn types_and_functions_are_definitions() {
    check(
        "a.dart",
        r"mixin M<T> on A<T> { void m() {} }
extension E on String { int get twice => length * 2; }
extension on List<int> { void anon() {} }
extension type Id(int id) implements int { Id.zero() : this(0); }
enum Color { red(1), green(2); const Color(this.v); final int v; int f() => v; }
typedef F<T> = void Function(T);
typedef int Old(int a);
class Alias = A with M;
int get top => 1;
set top(int x) {}
external void native();
var v = 1;
main() {}
",
        &[
            "M class 1 1-1",
            "M.m method 1 1-1",
            "E class 2 2-2",
            "E.twice method 2 2-2",
            "List.anon method 3 3-3",
            "Id class 4 4-4",
            "Id.zero method 4 4-4",
            "Color enum 5 5-5",
            "Color.Color method 5 5-5",
            "Color.f method 5 5-5",
            "F type 6 6-6",
            "Old type 7 7-7",
            "Alias class 8 8-8",
            "top function 9 9-9",
            "top function 10 10-10",
            "native function 11 11-11",
            "main function 13 13-13",
        ],
        &[
            "#0 1:14 ?.A inherit",
            "#3 2:15 ?.String read",
            "#4 2:24 ?.int read",
            "#4 2:41 ?.length read",
            "#0 3:13 ?.List read",
            "#0 3:18 ?.int read",
            "#6 4:18 ?.int read",
            "#0 4:37 ?.int inherit",
            "#8 5:58 ?.int read",
            "#10 5:65 ?.int read",
            "#12 7:8 ?.int read",
            "#12 7:16 ?.int read",
            "#0 8:14 ?.A inherit",
            "#0 8:21 M inherit",
            "#14 9:0 ?.int read",
            "#15 10:8 ?.int read",
        ],
        &[],
    );
}

#[test]
fn references_have_receivers() {
    check(
        "a.dart",
        r"import 'package:a/b.dart' as b show C, D hide E;
import 'src/x.dart' if (dart.library.io) 'y.dart';
export 'z.dart' show Z;
part 'p.dart';

class A extends Base {
  static int make() => 1;
  A();
  A.named(int n) : this();
  void go(A other, void Function(int) then) {
    stop(1);
    this.stop(2);
    super.stop(3);
    other.stop(4);
    A.make();
    A.named(5);
    new A.named(6);
    b.C();
    top(stop: 7);
    then(8);
  }
  void stop(int n) {}
  int get size => stop;
}
void top() { A(); go(1); }
extension X on A { void more() { this.stop(1); top(); more(); } }
",
        &[
            "A class 6 6-24",
            "A.make method 7 7-7",
            "A.A method 8 8-8",
            "A.named method 9 9-9",
            "A.go method 10 10-21",
            "A.stop method 22 22-22",
            "A.size method 23 23-23",
            "top function 25 25-25",
            "X class 26 26-26",
            "X.more method 26 26-26",
        ],
        &[
            "#0 1:36 ?.C import",
            "#0 1:39 ?.D import",
            "#0 3:21 ?.Z import",
            "#0 6:16 ?.Base inherit",
            "#2 7:9 ?.int read",
            "#4 9:10 ?.int read",
            "#5 10:10 A read",
            "#5 10:33 ?.int read",
            "#5 11:4 stop call",
            "#5 12:9 this.stop call",
            "#5 13:10 ?.stop call",
            "#5 14:10 ?.stop call",
            "#5 15:4 A read",
            "#5 15:6 A.make call",
            "#5 16:4 A read",
            "#5 16:6 A.named call",
            "#5 17:8 A read",
            "#5 17:10 A.named call",
            "#5 18:4 ?.b read",
            "#5 18:6 ?.C call",
            "#5 19:4 top call",
            "#6 22:12 ?.int read",
            "#7 23:2 ?.int read",
            "#7 23:18 stop read",
            "#8 25:13 A call",
            "#8 25:18 ?.go call",
            "#9 26:15 A read",
            "#10 26:38 ?.stop call",
            "#10 26:47 top call",
            "#10 26:54 more call",
        ],
        &[
            "#0 1:7 package:a/b.dart module b",
            "#0 1:36 package:a/b.dart C C",
            "#0 1:39 package:a/b.dart D D",
            "#0 2:7 src/x.dart module -",
            "#0 3:7 z.dart module -",
            "#0 3:21 z.dart Z Z",
            "#0 4:5 p.dart module -",
        ],
    );
}

#[test]
fn references_exclude_variables() {
    check(
        "a.dart",
        r"class A {
  void go(A other) {
    var stop = stop(9);
    other..stop(10)..size = 1;
    for (final e in other.list) use(e, stop);
    try { t(); } on Oops catch (e, s) { log(e, s); }
    switch (other) { case B(x: var p) when p > _: p.q; default: break; }
    list.map((x) => top(x)).toList();
    print('$top ${make()}');
    this.size = other?.size;
    A<int>.named(11);
    const [A.new, A.named];
  }
  void stop(int n) {}
  static int make() => 1;
  A.named(int n);
}
void top() {}
@Note('x') final a = [for (var i in items) if (i > 1) ...i.j];
",
        &[
            "A class 1 1-17",
            "A.go method 2 2-13",
            "A.stop method 14 14-14",
            "A.make method 15 15-15",
            "A.named method 16 16-16",
            "top function 18 18-18",
        ],
        &[
            "#2 2:10 A read",
            "#2 3:15 stop call",
            "#2 4:11 ?.stop call",
            "#2 4:21 ?.size read",
            "#2 5:26 ?.list read",
            "#2 5:32 ?.use call",
            "#2 6:10 ?.t call",
            "#2 6:20 ?.Oops read",
            "#2 6:40 ?.log call",
            "#2 7:26 ?.B read",
            "#2 7:52 ?.q read",
            "#2 8:4 ?.list read",
            "#2 8:9 ?.map call",
            "#2 8:20 top call",
            "#2 8:28 ?.toList call",
            "#2 9:4 ?.print call",
            "#2 9:12 top read",
            "#2 9:18 make call",
            "#2 10:9 this.size read",
            "#2 10:23 ?.size read",
            "#2 11:4 A read",
            "#2 11:6 ?.int read",
            "#2 11:11 A.named call",
            "#2 12:11 A read",
            "#2 12:18 A read",
            "#2 12:20 A.named read",
            "#3 14:12 ?.int read",
            "#4 15:9 ?.int read",
            "#5 16:10 ?.int read",
            "#0 19:1 ?.Note read",
            "#0 19:36 ?.items read",
            "#0 19:59 ?.j read",
        ],
        &[],
    );
}
