using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using Mono.Cecil;
using Mono.Cecil.Cil;

/// <summary>
/// Prints what each identifier of C# sources means, by the resolution of Mono's compiler.
///
/// Usage: mono CSharpUses.exe MCS FOLDER ARGUMENTS…, where MCS is the assembly of the compiler and
/// ARGUMENTS are those of its command line. Each line is JSON: {"file", "line", "column", "name",
/// "kind", "uses": [[file, line, column], …]} of a type, or of a method, property or event, that
/// the sources declare. Lines count from 1, and columns from 0 in UTF-16 units. The parts of a type
/// are one declaration, at the place of the first. So are a type and its constructors, and methods
/// of one name that differ in their type parameters or the type arguments of their parameters.
///
/// The compiler forgets where names stood. So calls of <see cref="Recorder"/> are inserted into it,
/// at the ends of the methods that resolve names.
/// </summary>
public static class CSharpUses {
  static readonly string[] Lookups = {
    "SimpleName.ResolveAsTypeOrNamespace", "SimpleName.LookupNameExpression",
    "MemberAccess.ResolveAsTypeOrNamespace", "MemberAccess.LookupNameExpression",
    "QualifiedAliasMember.ResolveAsTypeOrNamespace", "QualifiedAliasMember.LookupNameExpression",
    "MethodGroupExpr.OverloadResolve", "ExtensionMethodGroupExpr.OverloadResolve",
  };

  public static int Main(string[] arguments) {
    var folder = Path.GetTempFileName();
    File.Delete(folder);
    Directory.CreateDirectory(folder);
    var woven = Path.Combine(folder, "mcs.exe");
    Weave(arguments[0], woven);
    var compiler = Assembly.LoadFrom(woven);
    var entry = compiler.EntryPoint;
    var output = Console.Out;
    var root = Path.GetFullPath(arguments[1]);
    // The compiler ends the process.
    AppDomain.CurrentDomain.ProcessExit += (sender, end) => {
      new Report(root).Print(output);
      output.Flush();
      Directory.Delete(folder, true);
    };
    Console.SetOut(TextWriter.Null);
    entry.Invoke(null, new object[] { arguments.Skip(2).ToArray() });
    return 0;
  }

  static void Weave(string from, string to) {
    var resolver = new DefaultAssemblyResolver();
    resolver.AddSearchDirectory(Path.GetDirectoryName(from));
    var parameters = new ReaderParameters { AssemblyResolver = resolver };
    var assembly = AssemblyDefinition.ReadAssembly(from, parameters);
    var module = assembly.MainModule;
    var recorder = typeof(Recorder);
    var resolved = module.ImportReference(recorder.GetMethod("Resolved"));
    var declared = module.ImportReference(recorder.GetMethod("Declared"));
    foreach (var type in module.Types) {
      foreach (var method in type.Methods.Where(one => one.HasBody)) {
        if (Lookups.Contains(type.Name + "." + method.Name)) Insert(method, resolved, true);
        if (type.Name == "MemberCore" && method.IsConstructor && !method.IsStatic) {
          Insert(method, declared, false);
        }
      }
    }
    // The runtime has machine code of the original.
    module.Mvid = Guid.NewGuid();
    assembly.Write(to);
  }

  /// <summary>Calls the recorder before each return.</summary>
  static void Insert(MethodDefinition method, MethodReference recorder, bool hasResult) {
    var writer = method.Body.GetILProcessor();
    var ends = method.Body.Instructions.Where(one => one.OpCode == OpCodes.Ret).ToList();
    foreach (var end in ends) {
      // Jumps to the return become jumps to the call.
      var first = hasResult ? OpCodes.Dup : OpCodes.Ldarg_0;
      end.OpCode = first;
      var at = end;
      Action<Instruction> add = one => { writer.InsertAfter(at, one); at = one; };
      if (hasResult) add(writer.Create(OpCodes.Ldarg_0));
      add(writer.Create(OpCodes.Call, recorder));
      add(writer.Create(OpCodes.Ret));
    }
    foreach (var one in method.Body.Instructions) {
      // The distances have grown.
      if (one.OpCode.OperandType == OperandType.ShortInlineBrTarget) one.OpCode = Long(one.OpCode);
    }
  }

  static OpCode Long(OpCode code) {
    var name = code.Code.ToString();
    var field = typeof(OpCodes).GetField(name.Substring(0, name.Length - 2));
    return (OpCode) field.GetValue(null);
  }
}

/// <summary>What the compiler has resolved.</summary>
public static class Recorder {
  public static readonly List<object> Members = new List<object>();
  /// <summary>The location of each name, what it means, and the expression.</summary>
  public static readonly List<Tuple<object, object, object>> Names =
      new List<Tuple<object, object, object>>();

  public static void Resolved(object result, object self) {
    if (result == null) return;
    var kind = result.GetType().Name;
    object meaning = null;
    if (kind == "MethodGroupExpr" || kind == "ExtensionMethodGroupExpr") {
      if (result == self) meaning = Access.Get(result, "best_candidate");
    } else if (kind == "PropertyExpr" || kind == "EventExpr") {
      meaning = Access.Get(result, "best_candidate") ?? Access.Get(result, "spec");
    } else if (Access.Is(result, "TypeExpr")) {
      meaning = Access.Get(result, "type");
    }
    var at = Access.Get(self, "loc");
    if (meaning != null && at != null) Names.Add(Tuple.Create(at, meaning, result));
  }

  public static void Declared(object member) {
    Members.Add(member);
  }
}

/// <summary>Reads members of the compiler that are not public.</summary>
static class Access {
  const BindingFlags All =
      BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
      | BindingFlags.DeclaredOnly;

  static readonly Dictionary<KeyValuePair<Type, string>, Func<object, object>> Getters =
      new Dictionary<KeyValuePair<Type, string>, Func<object, object>>();

  public static object Get(object of, string name) {
    var key = new KeyValuePair<Type, string>(of.GetType(), name);
    Func<object, object> getter;
    if (!Getters.TryGetValue(key, out getter)) Getters[key] = getter = Find(of.GetType(), name);
    return getter(of);
  }

  static Func<object, object> Find(Type type, string name) {
    for (; type != null; type = type.BaseType) {
      var field = type.GetField(name, All);
      if (field != null) return field.GetValue;
      var property = type.GetProperty(name, All);
      if (property != null) return of => property.GetValue(of, null);
    }
    return of => null;
  }

  public static bool Is(object of, string name) {
    for (var type = of.GetType(); type != null; type = type.BaseType) {
      if (type.Name == name) return true;
    }
    return false;
  }
}

/// <summary>The declarations of the sources with their uses.</summary>
sealed class Report {
  sealed class Declared {
    public string Place, Name, Kind;
    public readonly SortedSet<string> Uses = new SortedSet<string>(StringComparer.Ordinal);
  }

  readonly string root;
  readonly Dictionary<string, string[]> texts = new Dictionary<string, string[]>();
  readonly Dictionary<string, Declared> declared = new Dictionary<string, Declared>();

  public Report(string root) {
    this.root = root;
  }

  public void Print(TextWriter output) {
    foreach (var member in Recorder.Members) Declare(member);
    // A name that the compiler looked up in several ways proves nothing.
    var meanings = new Dictionary<string, HashSet<Declared>>();
    foreach (var name in Recorder.Names) {
      var place = PlaceOf(name.Item1, Last(NameOf(name.Item2)));
      var key = KeyOfOverride(name.Item2, name.Item3) ?? KeyOf(name.Item2);
      Declared one;
      if (place == null || key == null || !declared.TryGetValue(key, out one)) continue;
      // In `Color.Red`, the compiler replaces a property `Color` by the type later.
      var type = Access.Get(name.Item2, "MemberType");
      var definition = type == null ? null : Access.Get(type, "MemberDefinition");
      var isOfSource = definition != null && Access.Is(definition, "MemberCore");
      if (isOfSource && one.Kind == "method" && Last(NameOf(type)) == one.Name) continue;
      HashSet<Declared> all;
      if (!meanings.TryGetValue(place, out all)) meanings[place] = all = new HashSet<Declared>();
      all.Add(one);
    }
    foreach (var meaning in meanings.Where(one => one.Value.Count == 1)) {
      meaning.Value.First().Uses.Add(meaning.Key);
    }
    foreach (var one in declared.Values.Distinct()) {
      output.WriteLine(
          "{{{0},\"name\":\"{1}\",\"kind\":\"{2}\",\"uses\":[{3}]}}",
          one.Place, one.Name, one.Kind, string.Join(",", one.Uses));
    }
  }

  void Declare(object member) {
    var kind = KindOf(member.GetType().Name);
    var name = Last(Text(Access.Get(Access.Get(member, "MemberName") ?? member, "Name")));
    if (kind == null || name == null) return;
    var place = FieldsOf(Access.Get(member, "Location"), name);
    var key = KeyOfMember(member);
    if (place == null || key == null || declared.ContainsKey(key)) return;
    declared[key] = new Declared { Place = place, Name = name, Kind = kind };
  }

  static string KindOf(string type) {
    switch (type) {
      case "Class": case "Struct": case "Interface": case "Enum": case "Delegate": return "type";
      case "Method": case "Property": case "EventProperty": case "EventField": return "method";
      default: return null;
    }
  }

  /// <summary>Returns the key of a resolved member or type.</summary>
  string KeyOf(object spec) {
    var definition = Access.Get(spec, "MemberDefinition");
    var isDeclared = definition != null && Access.Is(definition, "MemberCore");
    return isDeclared ? KeyOfMember(definition) : null;
  }

  /// <summary>
  /// Returns the key of the override that the type of an instance has or inherits. The compiler
  /// names the method that it overrides.
  /// </summary>
  string KeyOfOverride(object member, object expression) {
    if (Access.Is(member, "TypeSpec")) return null;
    var instance = Access.Get(expression, "InstanceExpression");
    var type = instance == null ? null : Access.Get(instance, "Type");
    var name = Last(NameOf(member));
    for (var steps = 0; type != null && steps < 64; steps++) {
      var definition = Access.Get(type, "MemberDefinition");
      if (definition != null && Access.Is(definition, "MemberCore")) {
        var parameters = ParametersOf(member, "Parameters");
        var key = "member " + Signature(definition) + "." + name + parameters;
        if (declared.ContainsKey(key)) return key;
      }
      type = Access.Get(type, "BaseType");
    }
    return null;
  }

  /// <summary>Returns the full name of a type, with the number of its parameters.</summary>
  static string Signature(object member) {
    var method = member.GetType().GetMethod("GetSignatureForError", Type.EmptyTypes);
    return Erased(Text(method.Invoke(member, null)));
  }

  static string Erased(string name) {
    var depth = 0;
    var arity = 1;
    var erased = new StringBuilder();
    foreach (var letter in name) {
      if (letter == '<') depth++;
      if (depth == 0) erased.Append(letter);
      if (depth == 1 && letter == ',') arity++;
      if (letter == '>') depth--;
      if (letter == '>' && depth == 0) {
        erased.Append('`').Append(arity);
        arity = 1;
      }
    }
    return erased.ToString();
  }

  /// <summary>
  /// Returns the key of a declaration. A type and its constructors share it. So do methods of one
  /// name that differ in their type parameters or the type arguments of their parameters.
  /// </summary>
  string KeyOfMember(object member) {
    if (member.GetType().Name == "Constructor") return KeyOfMember(Access.Get(member, "Parent"));
    var name = Last(Text(Access.Get(Access.Get(member, "MemberName"), "Name")));
    var kind = KindOf(member.GetType().Name);
    if (kind == "type") return "type " + Signature(member);
    var parent = Access.Get(member, "Parent");
    if (parent == null) return null;
    // Only a value of the interface has an explicit implementation.
    var of = Access.Get(Access.Get(member, "MemberName"), "ExplicitInterface");
    var full = of == null ? name : of + "." + name;
    return "member " + Signature(parent) + "." + full + ParametersOf(member, "ParameterInfo");
  }

  /// <summary>Returns the end of a key: the types of parameters; nothing for a property.</summary>
  static string ParametersOf(object member, string property) {
    var parameters = Access.Get(member, property);
    return parameters == null ? "" : Signature(parameters);
  }

  static string NameOf(object spec) {
    var definition = Access.Get(spec, "MemberDefinition") ?? spec;
    if (definition.GetType().Name == "Constructor") definition = Access.Get(definition, "Parent");
    return Text(Access.Get(Access.Get(definition, "MemberName") ?? definition, "Name"));
  }

  static string Text(object value) {
    return value == null ? null : value.ToString();
  }

  static string Last(string name) {
    return name == null ? null : name.Split('.').Last();
  }

  string PlaceOf(object location, string name) {
    var at = At(location, name);
    return at == null ? null : string.Format("[\"{0}\",{1},{2}]", at.Item1, at.Item2, at.Item3);
  }

  string FieldsOf(object location, string name) {
    var at = At(location, name);
    if (at == null) return null;
    const string Fields = "\"file\":\"{0}\",\"line\":{1},\"column\":{2}";
    return string.Format(Fields, at.Item1, at.Item2, at.Item3);
  }

  /// <summary>Returns the place of a name at a location, if it stands there.</summary>
  Tuple<string, int, int> At(object location, string name) {
    if (name == null || location == null) return null;
    var full = Text(Access.Get(location, "NameFullPath"));
    if (string.IsNullOrEmpty(full)) return null;
    var path = Path.GetFullPath(full);
    if (!path.StartsWith(root + Path.DirectorySeparatorChar)) return null;
    string[] lines;
    if (!texts.TryGetValue(path, out lines)) texts[path] = lines = File.ReadAllLines(path);
    var row = (int) Access.Get(location, "Row");
    var column = (int) Access.Get(location, "Column") - 1;
    if (row < 1 || row > lines.Length || column < 0) return null;
    var line = lines[row - 1];
    if (!IsAt(line, column, name)) return null;
    var file = path.Substring(root.Length + 1).Replace('\\', '/');
    return Tuple.Create(file, row, column);
  }

  static bool IsAt(string line, int column, string name) {
    var end = column + name.Length;
    return end <= line.Length
        && string.CompareOrdinal(line, column, name, 0, name.Length) == 0
        && (column == 0 || !IsPart(line[column - 1]))
        && (end == line.Length || !IsPart(line[end]));
  }

  static bool IsPart(char letter) {
    return char.IsLetterOrDigit(letter) || letter == '_';
  }
}
