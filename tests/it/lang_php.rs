//! PHP: definitions and references.

use crate::lang_rows::check;

#[test]
fn definitions_are_under_their_classes() {
    check(
        "a.php",
        r"<?php
namespace App\Models;

/** What A is. */
#[Attr(1)]
final class A extends Base implements \Countable, I {
    use Loggable;
    const X = 1;
    #[Test]
    public function run(): ?Person { return null; }
}
interface I { function m(); }
trait T { function t() {} }
enum Suit: string { case A = 'a'; function label() {} }
function helper() {}
",
        &[
            "A class 5 6-11",
            "A.run method 9 10-10",
            "I interface 12 12-12",
            "I.m method 12 12-12",
            "T class 13 13-13",
            "T.t method 13 13-13",
            "Suit enum 14 14-14",
            "Suit.label method 14 14-14",
            "helper function 15 15-15",
        ],
        &[
            "#0 5:2 Attr read",
            "#0 6:22 Base inherit",
            "#0 6:39 \\\\.Countable inherit",
            "#0 6:50 I inherit",
            "#1 7:8 Loggable inherit",
            "#1 9:6 Test read",
            "#1 10:28 Person read",
        ],
        &[],
    );
}

#[test]
fn namespaces_with_braces_enclose_definitions() {
    check(
        "a.php",
        r"<?php
namespace A\B {
    class C { function m() {} }
}
",
        &[
            "A.B namespace 2 2-4",
            "A.B.C class 3 3-3",
            "A.B.C.m method 3 3-3",
        ],
        &[],
        &[],
    );
}

#[test]
fn members_belong_to_the_enclosing_class() {
    check(
        "a.php",
        r"<?php
use App\Auth\{Login, User as Person};
use function App\outside;
class A {
    function run(Login $login) {
        $this->stop(1);
        self::stop();
        static::stop();
        parent::stop();
        $login->stop();
        A::stop();
        stop();
        outside();
        new Person(stop: A::X, b: $this->stop);
    }
    static function stop() {}
}
function stop() { stop(); }
",
        &[
            "A class 4 4-17",
            "A.run method 5 5-15",
            "A.stop method 16 16-16",
            "stop function 18 18-18",
        ],
        &[
            "#0 2:14 ?.Login import",
            "#0 2:21 ?.User import",
            "#0 3:17 ?.outside import",
            "#2 5:17 Login read",
            "#2 6:15 $this.stop call",
            "#2 7:14 self.stop call",
            "#2 8:16 static.stop call",
            "#2 9:16 parent.stop call",
            "#2 10:16 $login.stop call",
            "#2 11:8 A read",
            "#2 11:11 A.stop call",
            "#2 12:8 stop call",
            "#2 13:8 outside call",
            "#2 14:12 Person call",
            "#2 14:25 A read",
            "#4 18:18 stop call",
        ],
        &[
            "#0 2:14 App\\Auth\\Login Login -",
            "#0 2:21 App\\Auth\\User User Person",
            "#0 3:17 .App\\outside outside -",
        ],
    );
}

#[test]
fn keywords_and_language_constructs_are_no_names() {
    check(
        "a.php",
        r"<?php
class A {
    static function make(?self $a): static {
        if (isset($a) && !empty($a)) { return new self(__FILE__, __CLASS__); }
        return new static(X, isset_all($a));
    }
}
",
        &["A class 2 2-7", "A.make method 3 3-6"],
        &[
            "#2 4:50 =self.__construct:self call",
            "#2 5:19 =static.__construct:static call",
            "#2 5:26 X read",
            "#2 5:29 isset_all call",
        ],
        &[],
    );
}
