//! Kotlin: definitions and references.

use crate::lang_rows::check;
use ragnav::syntax;

#[test]
fn types_and_members_are_definitions() {
    check(
        "A.kt",
        r#"package com.example

/** What A is. */
@Named("a")
internal class A<T : Any>(private val key: T) : Base<T>(key), b.C by key {
    companion object { fun create() = A("a") }
    constructor(a: Int) : this("a") { init() }
    val size: Int get() = 1
    val first: T
        @Fast get() = field
    var plain = 2
        private set
    private val listener = object : Listener() {
        override fun heard() {}
    }
    object Inner { fun go() {} }
    companion object Fixed { fun f() {} }
}
enum class E(val n: Int) { X(1) { override fun x() {} }, Y(2); abstract fun x() }
fun interface I : J { fun m() }
typealias F<T> = (T) -> Unit
fun String.shout(): String { fun local() {}; return this }
val String.last: Char get() = 'a'
val top = 1
fun `in`() {}
annotation class Note
data object O
"#,
        &[
            "A class 4 5-18",
            "A.create method 6 6-6",
            "A.A method 7 7-7",
            "A.size method 8 8-8",
            "A.first method 9 9-10",
            "A.listener.heard method 14 14-14",
            "A.Inner class 16 16-16",
            "A.Inner.go method 16 16-16",
            "A.Fixed class 17 17-17",
            "A.Fixed.f method 17 17-17",
            "E enum 19 19-19",
            "E.X.x method 19 19-19",
            "E.x method 19 19-19",
            "I interface 20 20-20",
            "I.m method 20 20-20",
            "F type 21 21-21",
            "shout function 22 22-22",
            "shout.local function 22 22-22",
            "last function 23 23-23",
            "in function 25 25-25",
            "Note class 26 26-26",
            "O class 27 27-27",
        ],
        &[
            "#1 4:1 ?.Named read",
            "#1 5:21 ?.Any read",
            "#0 5:48 ?.Base inherit",
            "#1 5:62 ?.b read",
            "#0 5:64 ?.C inherit",
            "#2 6:38 ?.A call",
            "#3 7:19 ?.Int read",
            "#3 7:38 ?.init call",
            "#4 8:14 ?.Int read",
            "#5 10:9 ?.Fast read",
            "#1 13:36 ?.Listener call",
            "#11 19:20 ?.Int read",
            "#0 20:18 ?.J inherit",
            "#16 21:24 ?.Unit read",
            "#17 22:4 ?.String read",
            "#17 22:20 ?.String read",
            "#19 23:4 ?.String read",
            "#19 23:17 ?.Char read",
        ],
        &[],
    );
}

#[test]
fn references_have_receivers() {
    check(
        "A.kt",
        r"import com.example.auth.Login
import com.example.auth.Logout as Bye
import com.example.util.*

class A(login: Login) {
    val stop = 1
    fun run(login: Login?, block: () -> B) {
        start(1)
        this.start(2)
        login?.start(3)
        A.start(4)
        block()
        A(login) start 5
        x.y.z = A::start
        list.map { item, (a, b) -> start(item, a, it) }
        with(this) { this.start(6); A.Inner() }
        val start = start(start = 7)
        for (i in start) use(i, field)
        when (val w = w()) { is A.Inner -> w; in start -> u }
        try { t() } catch (e: Oops) { e }
        return@run ::start
    }
    fun start(n: Int) = object : Runnable, Base(n) { override fun run() { start(8) } }
    class Inner<T> where T : A { fun <V> go(v: V): T { start(9) } }
}
fun A.extended() { start(10); Outer.Nested<A>(); extended() }
class Heir : A() { fun go() { start(11) } }
",
        &[
            "A class 5 5-25",
            "A.run method 7 7-22",
            "A.start method 23 23-23",
            "A.start.run method 23 23-23",
            "A.Inner class 24 24-24",
            "A.Inner.go method 24 24-24",
            "extended function 26 26-26",
            "Heir class 27 27-27",
            "Heir.go method 27 27-27",
        ],
        &[
            "#0 1:24 ?.Login import",
            "#0 2:24 ?.Logout import",
            "#1 5:15 ?.Login read",
            "#2 7:19 ?.Login read",
            "#2 7:40 ?.B read",
            "#2 8:8 start call",
            "#2 9:13 this.start call",
            "#2 10:15 ?.start call",
            "#2 11:8 A read",
            "#2 11:10 A.start call",
            "#2 13:8 A call",
            "#2 13:17 ?.start call",
            "#2 14:8 ?.x read",
            "#2 14:10 ?.y read",
            "#2 14:12 ?.z read",
            "#2 14:16 A read",
            "#2 14:19 A.start read",
            "#2 15:8 ?.list read",
            "#2 15:13 ?.map call",
            "#2 15:35 ?.start call",
            "#2 16:8 ?.with call",
            "#2 16:26 ?.start call",
            "#2 16:36 A read",
            "#2 16:38 A.Inner call",
            "#2 17:20 start call",
            "#2 18:25 ?.use call",
            "#2 18:32 ?.field read",
            "#2 19:22 ?.w call",
            "#2 19:32 A read",
            "#2 19:34 A.Inner read",
            "#2 19:58 ?.u read",
            "#2 20:14 ?.t call",
            "#2 20:30 ?.Oops read",
            "#2 21:15 run read",
            "#3 23:17 ?.Int read",
            "#3 23:33 ?.Runnable read",
            "#3 23:43 ?.Base call",
            "#4 23:74 ?.start call",
            "#5 24:29 A read",
            "#6 24:55 start call",
            "#7 26:4 A read",
            "#7 26:19 ?.start call",
            "#7 26:30 ?.Outer read",
            "#7 26:36 ?.Nested call",
            "#7 26:43 A read",
            "#7 26:49 ?.extended call",
            "#0 27:13 A inherit",
            "#9 27:30 ?.start call",
        ],
        &[
            "#0 1:24 com.example.auth Login Login",
            "#0 2:24 com.example.auth Logout Bye",
            "#0 3:7 com.example.util * -",
        ],
    );
}

#[test]
fn labels_and_imports_name_what_encloses() {
    check(
        "A.kt",
        r"import com.example.Outer.Inner
import com.example.Outer.Deep.*
import com.example.Outer.Companion.create as make
class A : B() {
    inner class C { fun own() = this@A.run { super@A.run() } }
    fun run() { all@ for (a in list) break@all; each { return@each } }
}
",
        &[
            "A class 4 4-7",
            "A.C class 5 5-5",
            "A.C.own method 5 5-5",
            "A.run method 6 6-6",
        ],
        &[
            "#0 1:19 ?.Outer read",
            "#0 1:25 ?.Inner import",
            "#0 2:19 ?.Outer read",
            "#0 2:25 ?.Deep read",
            "#0 3:19 ?.Outer read",
            "#0 3:25 ?.Companion read",
            "#0 3:35 ?.create import",
            "#0 4:10 ?.B inherit",
            "#3 5:37 ?.A read",
            "#3 5:39 ?.run call",
            "#3 5:51 ?.A read",
            "#3 5:53 ?.run call",
            "#4 6:31 ?.list read",
            "#4 6:48 ?.each call",
            "#4 6:62 ?.each read",
        ],
        &[
            "#0 1:25 com.example.Outer Inner Inner",
            "#0 2:7 com.example.Outer.Deep * -",
            "#0 3:35 com.example.Outer.Companion create make",
        ],
    );
}

#[test]
fn deeply_nested_strings_are_read() {
    let text = format!("fun before() {{}}\nval a = {}\n", "\"${".repeat(600));
    let language = ragnav::syntax::find_language("kotlin").unwrap();
    let facts = ragnav::syntax::extract_facts(language, &text);
    assert_eq!(facts.definitions.len(), 1);
}

#[test]
fn classes_with_several_modifiers_are_definitions() {
    check(
        "A.kt",
        "internal abstract class A {\n    abstract fun f()\n}\n\nfun g() = A()\n",
        &["A class 1 1-3", "A.f method 2 2-2", "g function 5 5-5"],
        &["#3 5:10 A call"],
        &[],
    );
}

#[test]
fn what_precedes_a_constructor_changes_no_line() {
    let text = "class A\n// a note\ninternal actual constructor(val b: B) {\n  fun c() {}\n}\n\
                class D {\n  context(e: E)\n  fun f() {}\n}\nfun g() { val ) }\n";
    check(
        "a.kt",
        text,
        &[
            "A class 1 1-5",
            "A.c method 4 4-4",
            "D class 6 6-9",
            "D.f method 8 8-8",
            "g function 10 10-10",
        ],
        &["#1 3:35 ?.B read"],
        &[],
    );
    let language = syntax::find_language("kotlin").unwrap();
    assert_eq!(syntax::extract_facts(language, text).errors, [(10, 10)]);
}
