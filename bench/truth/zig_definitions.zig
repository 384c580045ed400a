//! Prints the functions and types of the files named in the arguments, one a line: the file, the
//! line of the name, the kind and the name. `zig.mjs` runs it.

const std = @import("std");
const Ast = std.zig.Ast;

pub fn main(init: std.process.Init) !void {
    const arena = init.arena.allocator();
    const args = try init.minimal.args.toSlice(arena);
    var buffer: [4096]u8 = undefined;
    var file_writer: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    const out = &file_writer.interface;
    for (args[1..]) |file| {
        const source = try std.Io.Dir.cwd().readFileAllocOptions(
            init.io,
            file,
            arena,
            .unlimited,
            .of(u8),
            0,
        );
        try printFile(arena, out, file, source);
    }
    try out.flush();
}

fn printFile(
    arena: std.mem.Allocator,
    out: *std.Io.Writer,
    file: []const u8,
    source: [:0]const u8,
) !void {
    const tree = try Ast.parse(arena, source, .{});
    if (tree.errors.len > 0) return out.print("{s}\t0\trefused\t\n", .{file});
    try out.print("{s}\t0\tread\t\n", .{file});
    var methods: std.AutoHashMapUnmanaged(Ast.Node.Index, void) = .empty;
    for (0..tree.nodes.len) |index| {
        const node: Ast.Node.Index = @fromBackingInt(@intCast(index));
        var two: [2]Ast.Node.Index = undefined;
        if (node != .root) if (tree.fullContainerDecl(&two, node)) |container| {
            for (container.ast.members) |member| {
                try methods.put(arena, prototypeOf(tree, member), {});
            }
        };
    }
    for (0..tree.nodes.len) |index| {
        const node: Ast.Node.Index = @fromBackingInt(@intCast(index));
        var one: [1]Ast.Node.Index = undefined;
        if (tree.nodeTag(node) == .fn_decl) continue;
        if (tree.fullFnProto(&one, node)) |proto| {
            const name = proto.name_token orelse continue;
            const kind = if (methods.contains(node)) "method" else "function";
            try printName(out, tree, file, name, kind);
        } else if (tree.fullVarDecl(node)) |declaration| {
            const value = declaration.ast.init_node.unwrap() orelse continue;
            const kind = kindOf(tree, value) orelse continue;
            try printName(out, tree, file, declaration.ast.mut_token + 1, kind);
        }
    }
}

fn prototypeOf(tree: Ast, member: Ast.Node.Index) Ast.Node.Index {
    if (tree.nodeTag(member) != .fn_decl) return member;
    return tree.nodeData(member).node_and_node[0];
}

fn kindOf(tree: Ast, value: Ast.Node.Index) ?[]const u8 {
    if (tree.nodeTag(value) == .error_set_decl) return "enum";
    var two: [2]Ast.Node.Index = undefined;
    const container = tree.fullContainerDecl(&two, value) orelse return null;
    return switch (tree.tokenTag(container.ast.main_token)) {
        .keyword_enum => "enum",
        else => "class",
    };
}

fn printName(
    out: *std.Io.Writer,
    tree: Ast,
    file: []const u8,
    token: Ast.TokenIndex,
    kind: []const u8,
) !void {
    const line = tree.tokenLocation(0, token).line + 1;
    try out.print("{s}\t{d}\t{s}\t{s}\n", .{ file, line, kind, tree.tokenSlice(token) });
}
