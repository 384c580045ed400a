import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.*;
import javax.lang.model.util.Types;
import javax.tools.*;

/**
 * Prints what each identifier of Java sources means, by the attribution of javac.
 *
 * <p>Usage: java JavaUses.java FOLDER. Each line is JSON: {"file", "line", "column", "name", "kind",
 * "uses": [[file, line, column], …]} of a class or a method that the sources declare. Lines count from
 * 1, and columns from 0 in UTF-16 units. Missing dependencies leave errors, and what depends on them
 * has no meaning. A class and its constructors are one declaration.
 */
public final class JavaUses {
  private record Place(String file, long line, long column) {}

  private static final class Declared {
    final Place place;
    final String name;
    final String kind;
    final Set<Place> uses = new LinkedHashSet<>();

    Declared(Place place, String name, String kind) {
      this.place = place;
      this.name = name;
      this.kind = kind;
    }
  }

  private static final Map<String, Declared> DECLARED = new LinkedHashMap<>();
  private static Path root;
  private static Trees trees;
  private static Types types;

  public static void main(String[] arguments) throws IOException {
    root = Paths.get(arguments[0]).toAbsolutePath().normalize();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root)) {
      files =
          walk.filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("module-info.java"))
              .filter(file -> !file.endsWith("package-info.java"))
              .sorted()
              .collect(Collectors.toList());
    }
    StandardJavaFileManager manager =
        compiler.getStandardFileManager(d -> {}, Locale.ROOT, StandardCharsets.UTF_8);
    List<String> options = List.of("-proc:none", "-Xmaxerrs", "1000000", "-XDshould-stop.at=FLOW");
    JavacTask task =
        (JavacTask)
            compiler.getTask(
                null, manager, d -> {}, options, null, manager.getJavaFileObjectsFromPaths(files));
    trees = Trees.instance(task);
    types = task.getTypes();
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    units.forEach(unit -> new Declarations(unit).scan(unit, null));
    units.forEach(unit -> new Uses(unit).scan(unit, null));
    DECLARED.values().stream().map(JavaUses::json).forEach(System.out::println);
  }

  /** Returns the key of an element. A class and its constructors share it. */
  private static String keyOf(Element element) {
    if (element instanceof TypeElement type) {
      NestingKind nesting = type.getNestingKind();
      // Others may have the name of a class in a method.
      boolean isLocal = nesting == NestingKind.LOCAL || nesting == NestingKind.ANONYMOUS;
      return isLocal
          ? "type " + type + "@" + System.identityHashCode(type)
          : "type " + type.getQualifiedName();
    }
    if (element instanceof ExecutableElement method) {
      Element owner = method.getEnclosingElement();
      if (method.getKind() == ElementKind.CONSTRUCTOR) return keyOf(owner);
      String parameters =
          method.getParameters().stream()
              .map(parameter -> types.erasure(parameter.asType()).toString())
              .collect(Collectors.joining(","));
      return "method " + keyOf(owner) + "." + method.getSimpleName() + "(" + parameters + ")";
    }
    return null;
  }

  private static Place placeOf(CompilationUnitTree unit, long offset, String name) {
    try {
      CharSequence text = unit.getSourceFile().getCharContent(true);
      int at = (int) offset;
      // The position of a declaration or a member is that of something before its name.
      while (at < text.length() && !isNameAt(text, at, name)) at++;
      long line = unit.getLineMap().getLineNumber(at);
      long column = at - unit.getLineMap().getStartPosition(line);
      Path file = Paths.get(unit.getSourceFile().toUri());
      return new Place(root.relativize(file).toString().replace('\\', '/'), line, column);
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  private static boolean isNameAt(CharSequence text, int at, String name) {
    int end = at + name.length();
    return end <= text.length()
        && text.subSequence(at, end).toString().equals(name)
        && (at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1)))
        && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)));
  }

  private static String json(Declared one) {
    String uses =
        one.uses.stream()
            .map(use -> "[\"" + use.file + "\"," + use.line + "," + use.column + "]")
            .collect(Collectors.joining(","));
    return String.format(
        "{\"file\":\"%s\",\"line\":%d,\"column\":%d,\"name\":\"%s\",\"kind\":\"%s\",\"uses\":[%s]}",
        one.place.file, one.place.line, one.place.column, one.name, one.kind, uses);
  }

  private abstract static class Scanner extends TreePathScanner<Void, Void> {
    final CompilationUnitTree unit;

    Scanner(CompilationUnitTree unit) {
      this.unit = unit;
    }

    long startOf(Tree tree) {
      return trees.getSourcePositions().getStartPosition(unit, tree);
    }

    long endOf(Tree tree) {
      return trees.getSourcePositions().getEndPosition(unit, tree);
    }
  }

  private static final class Declarations extends Scanner {
    Declarations(CompilationUnitTree unit) {
      super(unit);
    }

    @Override
    public Void visitClass(ClassTree tree, Void unused) {
      declare(tree.getSimpleName().toString(), "type", endOf(tree.getModifiers()), tree);
      return super.visitClass(tree, null);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void unused) {
      boolean isConstructor = tree.getReturnType() == null;
      if (!isConstructor) {
        declare(tree.getName().toString(), "method", endOf(tree.getReturnType()), tree);
      }
      return super.visitMethod(tree, null);
    }

    private void declare(String name, String kind, long from, Tree tree) {
      Element element = trees.getElement(getCurrentPath());
      String key = element == null ? null : keyOf(element);
      if (key == null || name.isEmpty()) return;
      Place place = placeOf(unit, Math.max(from, startOf(tree)), name);
      DECLARED.putIfAbsent(key, new Declared(place, name, kind));
    }
  }

  private static final class Uses extends Scanner {
    Uses(CompilationUnitTree unit) {
      super(unit);
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void unused) {
      use(tree.getName().toString(), startOf(tree));
      return super.visitIdentifier(tree, null);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
      use(tree.getIdentifier().toString(), endOf(tree.getExpression()));
      return super.visitMemberSelect(tree, null);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void unused) {
      use(tree.getName().toString(), endOf(tree.getQualifierExpression()));
      return super.visitMemberReference(tree, null);
    }

    private void use(String name, long from) {
      Element element = trees.getElement(getCurrentPath());
      if (element == null || from < 0 || name.equals("this") || name.equals("super")) return;
      Declared declared = DECLARED.get(String.valueOf(keyOf(element)));
      if (declared != null && declared.name.equals(name)) {
        declared.uses.add(placeOf(unit, from, name));
      }
    }
  }
}
