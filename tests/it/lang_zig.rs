//! Zig: definitions and references.

use crate::lang_rows::check;

#[test]
fn constants_define_types() {
    check(
        "a.zig",
        r#"//! A list.
const std = @import("std");

/// What it is.
pub const List = struct {
    items: []u8,
    const Self = @This();
    pub fn init(a: Allocator) Self { return .{ .items = a.alloc(1) }; }
    fn deinit(list: *Self) void { list.clear(); init(x); List.init(x); }
    fn clear(_: *Self) void {}
    const Inner = union(enum) { a: u8, b };
};
const E = enum(u8) { a, b, pub fn f() void {} };
const Failure = error{ A, B };
const Header = extern struct { a: u32 };
fn Generic(comptime T: type) type { return struct { v: T, fn g() void {} }; }
extern fn external(a: c_int) void;
test "adds" { try external(1); }
test List {}
"#,
        &[
            "List class 5 5-12",
            "List.init method 8 8-8",
            "List.deinit method 9 9-9",
            "List.clear method 10 10-10",
            "List.Inner class 11 11-11",
            "E enum 13 13-13",
            "E.f method 13 13-13",
            "Failure enum 14 14-14",
            "Header class 15 15-15",
            "Generic function 16 16-16",
            "Generic.g method 16 16-16",
            "external function 17 17-17",
        ],
        &[
            "#2 8:19 ?.Allocator read",
            "#2 8:48 ?.items read",
            "#2 8:58 ?.alloc call",
            "#3 9:39 this.clear call",
            "#3 9:48 init call",
            "#3 9:53 ?.x read",
            "#3 9:57 List read",
            "#3 9:62 List.init call",
            "#3 9:67 ?.x read",
            "#0 18:18 external call",
            "#0 19:5 List read",
        ],
        &[],
    );
}

#[test]
fn references_exclude_variables() {
    check(
        "a.zig",
        r"const Allocator = std.mem.Allocator;
const other = foo;
pub inline fn foo(comptime n: u8) !u8 {
    const y = if (opt) |v| v else n;
    for (a, 0..) |e, i| { use(e, i); }
    while (it.next()) |z| z.go();
    switch (y) { .foo => |w| w, else => v }
    blk: { break :blk 1; }
    var q, const r = foo(q);
    foo(r) catch |err| return err;
    const p: S = .{ .foo = other };
    p.* = error.foo;
    const failure = error.foo;
    var pair: struct { A, B } = undefined;
    return List(Allocator){ .foo = p.foo };
}
",
        &["foo function 3 3-16"],
        &[
            "#0 1:18 ?.std read",
            "#0 1:22 ?.mem read",
            "#0 1:26 ?.Allocator read",
            "#0 2:14 foo read",
            "#1 4:18 ?.opt read",
            "#1 5:9 ?.a read",
            "#1 5:26 ?.use call",
            "#1 6:11 ?.it read",
            "#1 6:14 ?.next call",
            "#1 6:28 ?.go call",
            "#1 7:18 ?.foo read",
            "#1 7:40 ?.v read",
            "#1 9:17 ?.r read",
            "#1 9:21 foo call",
            "#1 9:25 ?.q read",
            "#1 10:4 foo call",
            "#1 10:8 ?.r read",
            "#1 11:13 ?.S read",
            "#1 11:21 ?.foo read",
            "#1 15:11 ?.List call",
            "#1 15:16 ?.Allocator read",
            "#1 15:29 ?.foo read",
            "#1 15:37 ?.foo read",
        ],
        &[],
    );
}
