//! Swift: definitions and references.

use crate::lang_rows::check;

#[test]
fn members_belong_to_their_type() {
    check(
        "a.swift",
        r#"import Foundation
@testable import struct Shop.Price

/// What A is.
@MainActor
public final class A<T: P>: Base<T>, Q, R.S where T: Z {
    static let shared = A()
    private(set) var stored: Int = 1 { didSet { log(stored) } }
    var computed: String { stored.description }
    typealias Alias = Int
    enum E: String, Codable { case a, b = "c"; case d(Int, x: B); func hex() -> Int { 1 } }
    init(x: Int) { self.x = x; super.init() }
    convenience init?(y: String) {}
    deinit { stop() }
    subscript(i: Int) -> T { arr[i] }
    static func + (l: A, r: A) -> A { l }
    class func make() { func local() {}; local() }
    func `default`() {}
}
"#,
        &[
            "A class 5 6-19",
            "A.computed method 9 9-9",
            "A.Alias type 10 10-10",
            "A.E enum 11 11-11",
            "A.E.hex method 11 11-11",
            "A.init method 12 12-12",
            "A.init method 13 13-13",
            "A.deinit method 14 14-14",
            "A.subscript method 15 15-15",
            "A.+ method 16 16-16",
            "A.make method 17 17-17",
            "A.make.local function 17 17-17",
            "A.default method 18 18-18",
        ],
        &[
            "#0 1:7 ?.Foundation import",
            "#0 2:1 ?.testable read",
            "#0 2:24 ?.Shop read",
            "#0 2:29 ?.Price import",
            "#1 5:1 ?.MainActor read",
            "#1 6:24 ?.P read",
            "#0 6:28 ?.Base inherit",
            "#0 6:37 ?.Q inherit",
            "#1 6:40 ?.R read",
            "#0 6:42 ?.S inherit",
            "#1 6:53 ?.Z read",
            "#1 7:24 ?.A call",
            "#1 8:29 ?.Int read",
            "#1 8:48 ?.log call",
            "#2 9:18 ?.String read",
            "#2 9:34 ?.description read",
            "#3 10:22 ?.Int read",
            "#1 11:12 ?.String inherit",
            "#1 11:20 ?.Codable inherit",
            "#4 11:54 ?.Int read",
            "#4 11:62 ?.B read",
            "#5 11:80 ?.Int read",
            "#6 12:12 ?.Int read",
            "#6 12:24 this.x read",
            "#6 12:37 ?.init call",
            "#7 13:25 ?.String read",
            "#8 14:13 ?.stop call",
            "#9 15:17 ?.Int read",
            "#9 15:29 ?.arr call",
            "#10 16:22 ?.A read",
            "#10 16:28 ?.A read",
            "#10 16:34 ?.A read",
            "#11 17:41 local call",
        ],
        &["#0 1:7  Foundation Foundation", "#0 2:29 Shop Price Price"],
    );
}

#[test]
fn extensions_have_the_name_of_their_type() {
    check(
        "a.swift",
        r#"public protocol P: AnyObject { associatedtype E; func m(); var p: Int { get } }
extension A.E: Hashable { func more() { hex() } }
extension String { var total: Int { reduce(0, +) } }
extension [A] { func all() {} }
struct S { let a: Int; func f() { a.b; f() } }
actor Act { func go() {} }
func top(_ a: Int) {}
let global = top(1)
var now: Int { 1 }
macro stringify(a: Int) -> String = #externalMacro(module: "M", type: "T")
"#,
        &[
            "P interface 1 1-1",
            "P.E type 1 1-1",
            "P.m method 1 1-1",
            "P.p method 1 1-1",
            "A.E class 2 2-2",
            "A.E.more method 2 2-2",
            "String class 3 3-3",
            "String.total method 3 3-3",
            "[A] class 4 4-4",
            "[A].all method 4 4-4",
            "S class 5 5-5",
            "S.f method 5 5-5",
            "Act class 6 6-6",
            "Act.go method 6 6-6",
            "top function 7 7-7",
            "now function 9 9-9",
            "stringify function 10 10-10",
        ],
        &[
            "#0 1:19 ?.AnyObject inherit",
            "#4 1:66 ?.Int read",
            "#5 2:10 ?.A read",
            "#0 2:15 ?.Hashable inherit",
            "#6 2:40 ?.hex call",
            "#8 3:30 ?.Int read",
            "#8 3:36 ?.reduce call",
            "#11 5:18 ?.Int read",
            "#12 5:36 ?.b read",
            "#12 5:39 f call",
            "#15 7:14 ?.Int read",
            "#0 8:13 top call",
            "#16 9:9 ?.Int read",
            "#17 10:19 ?.Int read",
            "#17 10:27 ?.String read",
        ],
        &[],
    );
}

#[test]
fn references_exclude_variables() {
    check(
        "a.swift",
        r#"struct A {
    func stop(_ n: Int) {}
    func run<U>(_ n: Int, with m: U = make(), done: (Int) -> Void) async throws -> [A: U] {
        let a = n, (b, c) = pair
        guard let d = opt, case .some(let e) = other else { return }
        if let f { f.go(); use(a, b, c, d, e) }
        for (i, j) in xs where i > 1 { use(i, label: j) }
        switch n {
        case .foo(let q): q.go()
        case let .bar(r, s): use(r, s)
        case let t as B: t.go()
        default: stop(1)
        }
        let cl = { [weak self] (p: Int) -> Int in self?.stop(p); return p + n }
        xs.map { $0 + x }.filter(isOk).forEach { v in v.go() }
        A.make(x: 1).b.c()
        do { try thing() } catch let err as MyErr { err.log() }
        #if DEBUG
        debug()
        #endif
        "a \(n) \(call())"
        _ = x as? D ?? Outer.E<F>()
        return .init(x)
    }
}
func f(stop: Int) { A().stop(stop); f(stop: 1); top.f }
"#,
        &[
            "A class 1 1-25",
            "A.stop method 2 2-2",
            "A.run method 3 3-24",
            "f function 26 26-26",
        ],
        &[
            "#2 2:19 ?.Int read",
            "#3 3:21 ?.Int read",
            "#3 3:38 ?.make call",
            "#3 3:53 ?.Int read",
            "#3 3:61 ?.Void read",
            "#3 3:84 ?.A read",
            "#3 4:28 ?.pair read",
            "#3 5:22 ?.opt read",
            "#3 5:33 ?.some read",
            "#3 5:47 ?.other read",
            "#3 6:21 ?.go call",
            "#3 6:27 ?.use call",
            "#3 7:22 ?.xs read",
            "#3 7:39 ?.use call",
            "#3 9:14 ?.foo read",
            "#3 9:28 ?.go call",
            "#3 10:18 ?.bar read",
            "#3 10:29 ?.use call",
            "#3 11:22 ?.B read",
            "#3 11:27 ?.go call",
            "#3 12:17 stop call",
            "#3 14:35 ?.Int read",
            "#3 14:43 ?.Int read",
            "#3 14:56 this.stop call",
            "#3 15:8 ?.xs read",
            "#3 15:11 ?.map call",
            "#3 15:22 ?.x read",
            "#3 15:26 ?.filter call",
            "#3 15:33 ?.isOk read",
            "#3 15:39 ?.forEach call",
            "#3 15:56 ?.go call",
            "#3 16:8 ?.A read",
            "#3 16:10 ?.make call",
            "#3 16:21 ?.b read",
            "#3 16:23 ?.c call",
            "#3 17:17 ?.thing call",
            "#3 17:44 ?.MyErr read",
            "#3 17:56 ?.log call",
            "#3 19:8 ?.debug call",
            "#3 21:18 ?.call call",
            "#3 22:12 ?.x read",
            "#3 22:18 ?.D read",
            "#3 22:23 ?.Outer read",
            "#3 22:29 ?.E call",
            "#3 22:31 ?.F read",
            "#3 23:16 ?.init call",
            "#3 23:21 ?.x read",
            "#4 26:13 ?.Int read",
            "#4 26:20 A call",
            "#4 26:24 ?.stop call",
            "#4 26:36 f call",
            "#4 26:48 ?.top read",
            "#4 26:52 ?.f read",
        ],
        &[],
    );
}

#[test]
fn directives_may_stand_between_cases() {
    check(
        "a.swift",
        "struct A {
    func f(b: sending B) -> sending C {
        switch b {
        #if os(Linux)
        case .c: g()
        #else
        case .d: ()
        #endif
        default:
            ()
        }
    }
    func h() {}
}
",
        &["A class 1 1-14", "A.f method 2 2-12", "A.h method 13 13-13"],
        &[
            "#2 2:22 ?.B read",
            "#2 2:36 ?.C read",
            "#2 5:14 ?.c read",
            "#2 5:17 ?.g call",
            "#2 7:14 ?.d read",
        ],
        &[],
    );
}
