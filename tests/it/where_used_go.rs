//! `where_used` and `lineage` in Go: packages, imports, methods and interfaces.

use crate::where_used::check;

const MODULE: (&str, &str) = ("go.mod", "module example.org/shop\n\ngo 1.22\n");

#[test]
fn a_package_consists_of_all_files_of_its_folder() {
    check(
        &[
            MODULE,
            ("a.go", "package shop\n\nfunc open() {}\n"),
            ("b.go", "package shop\n\nfunc f() { open() }\n"),
            ("b_test.go", "package shop\n\nfunc g() { open() }\n"),
            // Another package in the same folder, and one in another.
            (
                "c_test.go",
                "package shop_test\n\nfunc open() {}\nfunc h() { open() }\n",
            ),
            (
                "sub/a.go",
                "package shop\n\nfunc open() {}\nfunc h() { open() }\n",
            ),
        ],
        "a.open",
        &["b.go:3:11 call", "b_test.go:3:11 call"],
    );
}

#[test]
fn only_tests_see_what_tests_declare() {
    check(
        &[
            MODULE,
            (
                "a_test.go",
                "package shop\n\nfunc open() {}\nfunc f() { open() }\n",
            ),
            ("b.go", "package shop\n\nfunc g() { open() }\n"),
        ],
        "a_test.open",
        &["a_test.go:4:11 call"],
    );
}

#[test]
fn imports_are_followed_by_the_path_of_their_module() {
    check(
        &[
            MODULE,
            ("cart/cart.go", "package cart\n\nfunc New() {}\n"),
            (
                "a.go",
                "package shop\n\nimport \"example.org/shop/cart\"\n\nvar a = cart.New\n",
            ),
            (
                "b.go",
                "package shop\n\nimport c \"example.org/shop/cart\"\n\nfunc f() { c.New() }\n",
            ),
            (
                "c.go",
                "package shop\n\nimport . \"example.org/shop/cart\"\n\nfunc g() { New() }\n",
            ),
            // A package of another module, and one that is hidden by a variable.
            (
                "d.go",
                "package shop\n\nimport \"example.org/other/cart\"\n\nfunc h() { cart.New() }\n",
            ),
            (
                "e.go",
                "package shop\n\nimport \"example.org/shop/cart\"\n\nfunc i(cart T) { cart.New() }\n",
            ),
            ("f/go.mod", "module example.org/f\n"),
            (
                "f/a.go",
                "package f\n\nimport \"example.org/shop/cart\"\n\nfunc g() { cart.New() }\n",
            ),
        ],
        "cart.New",
        &[
            "a.go:5:13 reference",
            "b.go:5:13 call",
            "c.go:5:11 call",
            "f/a.go:5:16 call",
            "e.go:5:22 call?",
        ],
    );
}

#[test]
fn a_package_may_have_another_name_than_its_folder() {
    check(
        &[
            MODULE,
            ("go-cart/cart.go", "package cart\n\nfunc New() {}\n"),
            (
                "a.go",
                "package shop\n\nimport \"example.org/shop/go-cart\"\n\nvar a = cart.New()\n",
            ),
            ("vendor/example.org/v/v.go", "package v\n\nfunc New() {}\n"),
            (
                "b.go",
                "package shop\n\nimport \"example.org/v\"\n\nvar b = v.New()\n",
            ),
        ],
        "go-cart.cart.New",
        &["a.go:5:13 call"],
    );
}

#[test]
fn without_a_module_imports_are_unknown() {
    check(
        &[
            ("cart/cart.go", "package cart\n\nfunc New() {}\n"),
            (
                "a.go",
                "package shop\n\nimport \"example.org/shop/cart\"\n\nvar a = cart.New()\n",
            ),
        ],
        "cart.New",
        &["a.go:5:13 call?"],
    );
}

const CART: &str = "package shop

type Base struct{}

type Cart struct {
	*Base
	next *Cart
	all  map[string][]Cart
}

func (b *Base) Total() int { return 0 }
func New(n int) (*Cart, error) { return &Cart{}, nil }
";

#[test]
fn methods_are_found_by_the_types_of_receivers() {
    check(
        &[
            MODULE,
            ("cart.go", CART),
            (
                "b.go",
                "package shop

func (c Cart) Close() { c.Total() }

func f(c *Cart, cs ...Cart) {
	c.next.next.Total()
	c.all[\"a\"][0].Total()
	d, err := New(1)
	d.Total()
	err.Total()
	for _, e := range cs {
		e.Total()
	}
	if g, ok := any(c).(Cart); ok {
		g.Total()
	}
	switch h := any(c).(type) {
	case *Cart:
		h.Total()
	case *Other:
		h.Total()
	}
	func(c Other) { c.Total() }(Other{})
	Cart{}.Total()
	new(Cart).Total()
	(&Cart{}).Total()
	(*Cart).Total(c)
	c := other()
	c.Total()
}

type Other struct{}

func (Other) Total() {}
",
            ),
        ],
        "Base.Total",
        &[
            "b.go:3:26 call",
            "b.go:6:13 call",
            "b.go:7:15 call",
            "b.go:9:3 call",
            "b.go:12:4 call",
            "b.go:15:4 call",
            "b.go:19:4 call",
            "b.go:24:8 call",
            "b.go:25:11 call",
            "b.go:26:11 call",
            "b.go:27:9 call",
            "b.go:29:3 call",
        ],
    );
}

#[test]
fn named_types_have_methods_and_elements() {
    check(
        &[
            MODULE,
            (
                "a.go",
                "package shop

type Item struct{}
type Items []Item
type Alias = Item
type Kind int

func (i Item) Open() {}
func (k Kind) Open() {}

const A, B Kind = 1, 2

func f(is Items, a Alias) {
	is[0].Open()
	a.Open()
	A.Open()
	Kind(3).Open()
}
",
            ),
        ],
        "Item.Open",
        &["a.go:14:7 call", "a.go:15:3 call"],
    );
}

#[test]
fn calls_through_an_interface_are_candidates_of_its_implementations() {
    let files = [
        MODULE,
        (
            "a.go",
            "package shop

type Closer interface {
	Open()
	Close() error
}

type File struct{}

func (*File) Open() {}
func (*File) Close() error { return nil }

type Half struct{}

func (Half) Close() error { return nil }

func f(c Closer, h Half) {
	c.Close()
	h.Close()
}
",
        ),
    ];
    check(&files, "File.Close", &["a.go:18:3 call?"]);
    check(&files, "Half.Close", &["a.go:19:3 call"]);
    check(&files, "Closer.Close", &["a.go:18:3 call"]);
}

#[test]
fn a_declaration_may_read_the_name_that_it_declares() {
    check(
        &[
            MODULE,
            (
                "cart/a.go",
                "package cart\n\ntype C struct{}\n\nfunc New() C { return C{} }\nfunc (C) Open() {}\n",
            ),
            (
                "a.go",
                "package shop

import \"example.org/shop/cart\"

func f() {
	cart := cart.New()
	cart.Open()
	for _, cart := range []int{} {
		cart.Open()
	}
	if cart := cart; true {
		cart.Open()
	}
}
",
            ),
        ],
        "C.Open",
        // In the loop it is a number.
        &["a.go:7:6 call", "a.go:12:7 call"],
    );
}

#[test]
fn results_of_foreign_generics_are_unknown() {
    check(
        &[
            MODULE,
            (
                "a.go",
                "package shop

import (
	\"os\"

	\"example.org/other/atomic\"
	\"example.org/other/sync\"
)

type T struct{ p atomic.Pointer[T] }

func (*T) Open() {}

var once = sync.OnceValue(func() *T { return nil })

func f(t *T, file *os.File) {
	once().Open()
	t.p.Load().Open()
	file.Open()
	os.Open()
}
",
            ),
        ],
        "T.Open",
        &["a.go:17:8 call?", "a.go:18:12 call?"],
    );
}

#[test]
fn a_file_of_another_build_does_not_count_beside_the_usual_one() {
    let files = [
        MODULE,
        (
            "a.go",
            "//go:build !tiny\n\npackage shop\n\nfunc open() {}\n",
        ),
        (
            "b.go",
            "//go:build tiny\n\npackage shop\n\nfunc open() {}\nfunc f() { open() }\n",
        ),
        (
            "c_windows.go",
            "package shop\n\nfunc open() {}\nfunc only() {}\n",
        ),
        ("d.go", "package shop\n\nfunc g() { open(); only() }\n"),
    ];
    check(&files, "a.open", &["d.go:3:11 call"]);
    check(&files, "b.open", &["b.go:6:11 call"]);
    check(&files, "c_windows.only", &["d.go:3:19 call"]);
}

/// A package with a type, and with functions and variables that lead to it.
const CLIENT: (&str, &str) = (
    "client/client.go",
    "package client

type Client struct{}

type Maker func() *Client

func (*Client) Do() *Client { return nil }
func New() *Client { return &Client{} }
func Pair() (int, *Client, error) { return 0, nil, nil }
func Make() func() *Client { return New }
func All() []func() *Client { return nil }

var Default = New()
var Global struct{ C Client }
",
);

#[test]
fn fields_of_structs_without_a_name_have_types() {
    check(
        &[
            MODULE,
            CLIENT,
            (
                "a.go",
                "package shop

import \"example.org/shop/client\"

type Outer struct {
	in struct {
		c    client.Client
		deep struct{ c []*client.Client }
	}
	list []struct{ c client.Client }
}

type Other struct{ c int }

var s struct{ c client.Client }

func a(o Outer, p struct{ c *client.Client }, q *struct{ *client.Client }) {
	s.c.Do()
	o.in.c.Do()
	o.in.deep.c[0].Do()
	o.list[0].c.Do()
	for _, one := range o.list {
		one.c.Do()
	}
	p.c.Do()
	q.Do()
	q.Client.Do()
	client.Global.C.Do()
	tests := []struct {
		name string
		c    *client.Client
	}{{\"\", nil}}
	for _, tt := range tests {
		tt.c.Do()
		tt.name.Do()
	}
	u := struct{ c *client.Client }{client.New()}
	v := &u
	v.c.Do()
	// The field of another struct, and none.
	o.c.Do()
	Other{}.c.Do()
}
",
            ),
        ],
        "Client.Do",
        &[
            "a.go:18:5 call",
            "a.go:19:8 call",
            "a.go:20:16 call",
            "a.go:21:13 call",
            "a.go:23:8 call",
            "a.go:25:5 call",
            "a.go:26:3 call",
            "a.go:27:10 call",
            "a.go:28:17 call",
            "a.go:34:7 call",
            "a.go:39:5 call",
        ],
    );
}

#[test]
fn results_of_functions_in_variables_have_types() {
    check(
        &[
            MODULE,
            CLIENT,
            (
                "a.go",
                "package shop

import \"example.org/shop/client\"

type Shop struct{ open func() *client.Client }

func a(s Shop, each func(string) (int, *client.Client), many ...func() *client.Client) {
	c := client.New()
	c.Do()
	_, d, _ := client.Pair()
	d.Do()
	f := client.New
	f().Do()
	g := func() *client.Client { return nil }
	g().Do()
	h := client.Make()
	h().Do()
	client.Make()().Do()
	client.Default.Do()
	client.All()[0]().Do()
	s.open().Do()
	var i client.Maker
	i().Do()
	_, j := each(\"\")
	j.Do()
	for _, one := range many {
		one().Do()
	}
	k, l := two()
	k.Do()
	l().Do()
	func() *client.Client { return nil }().Do()
	m := func() int { return 1 }
	m().Do()
}
",
            ),
            (
                "b.go",
                "package shop

import c \"example.org/shop/client\"

func two() (*c.Client, func() *c.Client) { return nil, nil }
",
            ),
        ],
        "Client.Do",
        &[
            "a.go:9:3 call",
            "a.go:11:3 call",
            "a.go:13:5 call",
            "a.go:15:5 call",
            "a.go:17:5 call",
            "a.go:18:17 call",
            "a.go:19:16 call",
            "a.go:20:19 call",
            "a.go:21:10 call",
            "a.go:23:5 call",
            "a.go:25:3 call",
            "a.go:27:8 call",
            "a.go:30:3 call",
            "a.go:31:5 call",
            "a.go:32:40 call",
        ],
    );
}

#[test]
fn an_embedded_field_has_the_name_of_its_type() {
    let text = "package shop

type File struct{ n int }

func (f *File) Name() int { return f.n }

type Wrap struct{ *File }

type Outer struct{ Wrap }

type Named struct{ File *File }

func Use(w Wrap, o Outer, n Named) int {
	v := Wrap{File: &File{n: 1}}
	all := []Wrap{{File: nil}}
	one := map[string]*Wrap{\"a\": {File: nil}}
	_ = Named{File: n.File}
	_ = map[func() int]int{o.File.Name: len(all) + len(one)}
	return w.File.Name() + v.File.n
}
";
    check(
        &[("go.mod", "module shop\n"), ("a.go", text)],
        "a.File",
        &[
            "a.go:5:9 reference",
            "a.go:7:19 inherit",
            "a.go:11:25 reference",
            "a.go:14:18 reference",
            "a.go:14:11 reference?",
            "a.go:15:16 reference?",
            "a.go:16:31 reference?",
            "a.go:18:26 reference?",
            "a.go:19:10 reference?",
            "a.go:19:26 reference?",
        ],
    );
}

/// A module whose files may use iterators, with a package that has some.
const SHOP: [(&str, &str); 2] = [
    ("go.mod", "module example.org/shop\n\ngo 1.23\n"),
    (
        "cart/cart.go",
        "package cart

import (
	\"iter\"
	\"sync/atomic\"
)

type Cart struct{}

func (c *Cart) Total() int { return 0 }

type Carts []*Cart

func (c Carts) Load() *Other { return nil }

type Chan chan *Cart

type Other struct{}

func (o *Other) Total() int { return 0 }

type List[T any] struct{ Cur atomic.Pointer[T] }

func (l *List[T]) Each(yield func(T) bool)         {}
func (l *List[T]) Pairs() func(func(int, T) bool)  { return nil }
func (l *List[T]) Seq() iter.Seq[T]                { return nil }
func (l *List[T]) Seq2() iter.Seq2[*Other, T]      { return nil }
func (l *List[T]) Send(to int) <-chan T            { return nil }
func First[S ~[]E, E any](all S) E                 { return all[0] }
func Values[M ~map[K]V, K comparable, V any](m M) []V { return nil }
func Gather[T any](all iter.Seq[T]) []T            { return nil }
func Receive[T any](from <-chan T) T               { return <-from }
",
    ),
];

#[test]
fn loops_over_channels_and_functions_have_types() {
    let text = "package main

import \"example.org/shop/cart\"

func f(l cart.List[*cart.Cart], named cart.Chan, all cart.Carts, by map[*cart.Cart]int) {
	for a := range l.Send(1) {
		a.Total()
	}
	for a := range named {
		a.Total()
	}
	for a := range l.Each {
		a.Total()
	}
	for _, a := range l.Pairs() {
		a.Total()
	}
	for a := range l.Seq() {
		a.Total()
	}
	for a, b := range l.Seq2() {
		a.Total()
		b.Total()
	}
	for _, a := range all {
		a.Total()
	}
	(<-named).Total()
	cart.Receive(l.Send(1)).Total()
	// An index and a key.
	for a := range all {
		a.Total()
	}
	for a := range by {
		a.Total()
	}
}
";
    check(
        &[SHOP[0], SHOP[1], ("main.go", text)],
        "Cart.Total",
        &[
            "main.go:7:4 call",
            "main.go:10:4 call",
            "main.go:13:4 call",
            "main.go:16:4 call",
            "main.go:19:4 call",
            "main.go:23:4 call",
            "main.go:26:4 call",
            "main.go:28:11 call",
            "main.go:29:25 call",
            "main.go:32:4 call?",
            "main.go:35:4 call?",
        ],
    );
}

#[test]
fn generic_functions_and_types_of_the_standard_library_have_results() {
    let text = "package main

import (
	\"iter\"
	\"maps\"
	\"slices\"
	std \"slices\"
	\"sync\"

	\"example.org/shop/cart\"
)

func f(all cart.Carts, by map[string]*cart.Cart, l cart.List[*cart.Cart], c cart.List[cart.Cart]) {
	slices.Clone(all)[0].Total()
	std.Max(all).Total()
	slices.Collect(maps.Values(by))[0].Total()
	slices.Collect(l.Each)[0].Total()
	slices.Concat(all, all)[0].Total()
	for a := range slices.Chunk(all, 2) {
		a[0].Total()
	}
	for _, a := range slices.Backward(all) {
		a.Total()
	}
	maps.Collect(slices.All(all))[0].Total()
	next, _ := iter.Pull(l.Seq())
	a, _ := next()
	a.Total()
	once := sync.OnceValue(func() *cart.Cart { return nil })
	once().Total()
	c.Cur.Load().Total()
	// Of another type.
	all.Load().Total()
	cart.Gather(l.Seq())[0].Total()
	cart.First(all).Total()
	cart.Values(by)[0].Total()
}
";
    check(
        &[SHOP[0], SHOP[1], ("main.go", text)],
        "Cart.Total",
        &[
            "main.go:14:22 call",
            "main.go:15:14 call",
            "main.go:16:36 call",
            "main.go:17:27 call",
            "main.go:18:28 call",
            "main.go:20:7 call",
            "main.go:23:4 call",
            "main.go:25:34 call",
            "main.go:28:3 call",
            "main.go:30:8 call",
            "main.go:31:14 call",
            "main.go:34:25 call",
            "main.go:35:17 call",
            "main.go:36:20 call",
        ],
    );
}

#[test]
fn packages_with_names_of_the_standard_library_decide_themselves() {
    let text = "package main

import (
	\"example.org/other/atomic\"
	\"example.org/shop/cart\"
	\"example.org/shop/slices\"
)

func f(all cart.Carts, held atomic.Pointer[cart.Cart]) {
	slices.Max(all).Total()
	held.Load().Total()
}
";
    let shadowed = "package main

import (
	\"slices\"

	\"example.org/shop/cart\"
)

type picker struct{}

func (p picker) Max(all cart.Carts) *cart.Other { return nil }

func g(all cart.Carts, slices picker) {
	slices.Max(all).Total()
}
";
    let slices = "package slices

import \"example.org/shop/cart\"

func Max(all cart.Carts) *cart.Other { return nil }
";
    let files = [
        SHOP[0],
        SHOP[1],
        ("main.go", text),
        ("shadowed.go", shadowed),
        ("slices/slices.go", slices),
    ];
    check(&files, "Cart.Total", &["main.go:11:13 call?"]);
    check(
        &files,
        "Other.Total",
        &[
            "main.go:10:17 call",
            "shadowed.go:14:17 call",
            "main.go:11:13 call?",
        ],
    );
}

#[test]
fn a_constraint_with_one_type_is_that_type() {
    let text = "package main

import \"example.org/shop/cart\"

func f[A interface{ *cart.Cart }, B ~[]*cart.Cart, C interface{ *cart.Cart | *cart.Other }](
	a A, b B, c C,
) {
	a.Total()
	for _, one := range b {
		one.Total()
	}
	c.Total()
}
";
    check(
        &[SHOP[0], SHOP[1], ("main.go", text)],
        "Cart.Total",
        &[
            "main.go:8:3 call",
            "main.go:10:6 call",
            "main.go:12:3 call?",
        ],
    );
}
