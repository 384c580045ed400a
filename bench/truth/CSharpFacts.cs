using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Mono.CSharp;

/// <summary>
/// Prints what each C# file below a folder says by itself, by the parser of Mono's compiler.
///
/// Usage: mono CSharpFacts.exe FOLDER. Each line is JSON: {"file", "definitions": [[name, line,
/// column], …], "imports": [[module, member, alias], …], "calls": [[line, column, name], …],
/// "references": […], "ambiguous": […], "skipped": [[first, last], …]}. Lines count from 1, and
/// columns from 0 in UTF-16 units. Skipped are the lines of conditional compilation. Ambiguous are
/// indexers, operators and finalizers, which the parser gives names of its own, the names of arguments,
/// those of types that are imported with arguments, and names behind column 254, which the parser does
/// not store. Files with syntax errors are left out.
/// </summary>
public static class CSharpFacts {
  public static void Main(string[] arguments) {
    var root = Path.GetFullPath(arguments[0]);
    var files = Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories);
    Array.Sort(files, StringComparer.Ordinal);
    var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
    foreach (var file in files) {
      var module = Parse(file);
      if (module != null) output.WriteLine(new FileFacts(file).Read(module));
    }
    output.Flush();
  }

  static ModuleContainer Parse(string file) {
    var settings = new CompilerSettings { Version = LanguageVersion.Latest, Unsafe = true };
    settings.TabSize = 1;
    var context = new CompilerContext(settings, new StreamReportPrinter(TextWriter.Null));
    Location.Reset();
    var source = new SourceFile(file, file, 1);
    settings.SourceFiles.Add(source);
    Location.Initialize(settings.SourceFiles);
    var module = new ModuleContainer(context);
    var session = new ParserSession {
      UseJayGlobalArrays = true, LocatedTokens = new LocatedToken[15000],
    };
    var driver = typeof(CompilerContext).Assembly.GetType("Mono.CSharp.Driver");
    var types = new[] {
      typeof(SourceFile), typeof(ModuleContainer), typeof(ParserSession), typeof(Report),
    };
    var parse = driver.GetMethod("Parse", types);
    var values = new object[] { source, module, session, context.Report };
    parse.Invoke(Activator.CreateInstance(driver, context), values);
    return context.Report.Errors == 0 ? module : null;
  }
}

sealed class ByReference : IEqualityComparer<object> {
  public new bool Equals(object one, object other) {
    return ReferenceEquals(one, other);
  }

  public int GetHashCode(object one) {
    return RuntimeHelpers.GetHashCode(one);
  }
}

sealed class FileFacts {
  const BindingFlags All =
      BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
      | BindingFlags.DeclaredOnly;
  /// <summary>The parser stores no column from this one on.</summary>
  const int LastColumn = 254;
  static readonly string[] Definitions = {
    "Namespace", "Class", "Struct", "Interface", "Enum", "Delegate", "Method", "Constructor",
    "Property", "EventField", "EventProperty",
  };
  static readonly string[] Unnamed = { "Indexer", "Operator", "Destructor" };

  readonly string file;
  readonly string[] lines;
  readonly HashSet<object> visited = new HashSet<object>(new ByReference());
  readonly HashSet<object> left = new HashSet<object>(new ByReference());
  readonly SortedSet<string> definitions = new SortedSet<string>(StringComparer.Ordinal);
  readonly SortedSet<string> imports = new SortedSet<string>(StringComparer.Ordinal);
  readonly SortedSet<string> calls = new SortedSet<string>(StringComparer.Ordinal);
  readonly SortedSet<string> references = new SortedSet<string>(StringComparer.Ordinal);
  readonly SortedSet<string> ambiguous = new SortedSet<string>(StringComparer.Ordinal);
  readonly List<string> skipped = new List<string>();

  public FileFacts(string file) {
    this.file = file;
    lines = File.ReadAllText(file).Split('\n');
  }

  public string Read(ModuleContainer module) {
    ReadDirectives();
    var pending = new Stack<object>();
    pending.Push(module);
    while (pending.Count > 0) {
      var node = pending.Pop();
      if (node is IEnumerable && !(node is string)) {
        foreach (var one in (IEnumerable) node) if (IsNode(one)) pending.Push(one);
      }
      if (!IsTree(node)) continue;
      if (!visited.Add(node) || left.Contains(node)) continue;
      Handle(node);
      foreach (var value in Fields(node)) if (IsNode(value)) pending.Push(value);
    }
    Func<string, IEnumerable<string>, string> list =
        (name, rows) => string.Format(",\"{0}\":[{1}]", name, string.Join(",", rows));
    return "{\"file\":" + Quoted(file) + list("definitions", definitions)
        + list("imports", imports) + list("calls", calls) + list("references", references)
        + list("ambiguous", ambiguous) + list("skipped", skipped) + "}";
  }

  static bool IsTree(object node) {
    var space = node.GetType().Namespace ?? "";
    return space == "Mono.CSharp" || space.StartsWith("Mono.CSharp.");
  }

  static bool IsNode(object value) {
    if (value == null || value is string || value is Location) return false;
    var type = value.GetType();
    if (type.IsPrimitive || type.IsEnum) return false;
    return (IsTree(value) || value is IEnumerable) && !(value is Report) && !(value is CompilerContext)
        && !(value is TypeSpec);
  }

  static IEnumerable<object> Fields(object node) {
    for (var type = node.GetType(); type != null && type != typeof(object); type = type.BaseType) {
      foreach (var field in type.GetFields(All)) yield return field.GetValue(node);
    }
  }

  void Handle(object node) {
    var type = node.GetType().Name;
    if (type.StartsWith("Using")) Import(node, type);
    var member = node as MemberCore;
    if (member != null && Definitions.Contains(type)) Define(member);
    else if (member != null && Unnamed.Contains(type)) LeaveOutMember(member, type);
    else if (type == "NamespaceContainer") DefineNamespace((NamespaceContainer) node);
    else if (node is Invocation) Call(Value(node, "expr"));
    else if (type == "New" || type == "NewInitialize") Call(Value(node, "RequestedType"));
    else if (node is NamedArgument) LeaveOutName((NamedArgument) node);
    else if (node is ElementInitializer) Refer(((ElementInitializer) node).Name, node);
    else if (node is SimpleName && type != "VarExpr") Refer(((SimpleName) node).Name, node);
    else if (node is MemberAccess) Refer(((MemberAccess) node).Name, node);
  }

  void Import(object clause, string type) {
    var expression = Value(clause, "expr") as ATypeNameExpression;
    if (expression == null) return;
    for (object one = expression; one != null; one = Value(one, "expr")) {
      left.Add(one);
      var arguments = Value(one, "targs");
      if (arguments != null) LeaveOutLine(expression.Location.Row);
    }
    var path = Dotted(expression);
    var alias = Value(clause, "alias") as SimpleMemberName;
    imports.Add(ImportRow(path, alias == null ? null : alias.Value));
  }

  static string ImportRow(string path, string alias) {
    if (alias == null) return "[" + Quoted(path) + ",\"*\",null]";
    var dot = path.LastIndexOf('.');
    var module = dot < 0 ? "" : path.Substring(0, dot);
    var member = path.Substring(dot + 1);
    return "[" + Quoted(module) + "," + Quoted(member) + "," + Quoted(alias) + "]";
  }

  static string Dotted(object expression) {
    var name = ((ATypeNameExpression) expression).Name;
    var before = Value(expression, "expr") as ATypeNameExpression;
    return before == null ? name : Dotted(before) + "." + name;
  }

  void DefineNamespace(NamespaceContainer node) {
    if (node.MemberName == null || node.MemberName.Name == null) return;
    var name = node.MemberName.Name.Split('.').Last();
    AddDefinition(name, node.MemberName.Location);
  }

  void Define(MemberCore member) {
    AddDefinition(member.MemberName.Name, member.MemberName.Location);
  }

  void AddDefinition(string name, Location at) {
    var column = ColumnOf(name, at);
    if (column < 0) return;
    definitions.Add("[" + Quoted(name) + "," + at.Row + "," + column + "]");
  }

  void Call(object function) {
    var name = function as ATypeNameExpression;
    if (name != null && !(name is QualifiedAliasMember)) Add(calls, name.Name, name.Location);
  }

  void Refer(string name, object node) {
    if (name != null && name != "_") Add(references, name, ((Expression) node).Location);
  }

  void Add(SortedSet<string> rows, string name, Location at) {
    if (at.Row < 1) return;
    var column = ColumnOf(name, at);
    if (at.Column > LastColumn) LeaveOutLine(at.Row);
    else if (column >= 0) rows.Add(Row(at.Row, column, name));
  }

  void LeaveOutMember(MemberCore member, string type) {
    var row = member.Location.Row;
    var line = lines[row - 1];
    var word = type == "Indexer" ? "this" : type == "Operator" ? "operator" : "~";
    var column = line.IndexOf(word, StringComparison.Ordinal);
    if (column < 0) return;
    var after = line.Substring(column + word.Length);
    var sign = after.TrimStart().Split('(', ' ', '<')[0];
    var place = column + word.Length + (after.Length - after.TrimStart().Length);
    // ragnav names a conversion after its type as it is written.
    foreach (var name in new[] {
      word, word + sign, word + " " + sign, word + " " + sign.TrimEnd('?'),
    }) {
      foreach (var start in new[] { column, place }) {
        ambiguous.Add("[" + Quoted(name) + "," + row + "," + start + "]");
      }
    }
  }

  void LeaveOutName(NamedArgument argument) {
    Add(ambiguous, argument.Name, argument.Location);
  }

  void LeaveOutLine(int row) {
    var line = lines[row - 1];
    for (var start = 0; start < line.Length; start++) {
      if (!IsPart(line[start]) || (start > 0 && IsPart(line[start - 1]))) continue;
      var end = start;
      while (end < line.Length && IsPart(line[end])) end++;
      ambiguous.Add(Row(row, start, line.Substring(start, end - start)));
    }
  }

  /// <summary>Finds the lines that some builds do not compile.</summary>
  void ReadDirectives() {
    var open = new Stack<int>();
    for (var row = 1; row <= lines.Length; row++) {
      var line = lines[row - 1].Trim();
      if (open.Count > 0 && line.StartsWith("using ")) {
        var parts = line.Substring(6).Split(';')[0].Split('=');
        var path = parts.Last().Trim();
        ambiguous.Add(ImportRow(path, parts.Length > 1 ? parts[0].Trim() : null));
      }
      if (!line.StartsWith("#")) continue;
      var name = line.Substring(1).TrimStart();
      if (name.StartsWith("if")) open.Push(row);
      if (name.StartsWith("endif") && open.Count > 0) {
        skipped.Add("[" + open.Pop() + "," + row + "]");
      }
    }
  }

  /// <summary>Returns where a name is at a location, which may be that of `@` before it.</summary>
  int ColumnOf(string name, Location at) {
    if (at.Row < 1) return -1;
    var column = at.Column - 1;
    if (IsAt(at.Row, column, name)) return column;
    return IsAt(at.Row, column + 1, name) ? column + 1 : -1;
  }

  bool IsAt(int row, int column, string name) {
    var line = lines[row - 1];
    var end = column + name.Length;
    return column >= 0 && end <= line.Length
        && string.CompareOrdinal(line, column, name, 0, name.Length) == 0
        && (column == 0 || !IsPart(line[column - 1]))
        && (end == line.Length || !IsPart(line[end]));
  }

  static bool IsPart(char letter) {
    return char.IsLetterOrDigit(letter) || letter == '_';
  }

  static object Value(object node, string name) {
    for (var type = node.GetType(); type != null; type = type.BaseType) {
      var field = type.GetField(name, All);
      if (field != null) return field.GetValue(node);
    }
    return null;
  }

  static string Row(int row, int column, string name) {
    return "[" + row + "," + column + "," + Quoted(name) + "]";
  }

  static string Quoted(string text) {
    return "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
  }
}
