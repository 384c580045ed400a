import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.*;

/**
 * Prints what each Java file below a folder says by itself, by the parser of javac.
 *
 * <p>Usage: java JavaFacts.java FOLDER. Each line is JSON: {"file", "definitions": [[name, line,
 * column], …], "imports": [[module, member, alias], …], "calls": [[line, column, name], …],
 * "references": […], "ambiguous": […]}. Lines count from 1, and columns from 0 in UTF-16 units. The
 * names of arguments of annotations are ambiguous, since they look like variables, and so are packages
 * and classes before the last dot of an import. Files with syntax errors are left out.
 */
public final class JavaFacts {
  public static void main(String[] arguments) throws IOException {
    Path root = Paths.get(arguments[0]).toAbsolutePath().normalize();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root)) {
      files =
          walk.filter(file -> file.toString().endsWith(".java"))
              .sorted()
              .collect(Collectors.toList());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager =
        compiler.getStandardFileManager(d -> {}, Locale.ROOT, StandardCharsets.UTF_8);
    for (Path file : files) {
      boolean[] hasError = {false};
      DiagnosticListener<JavaFileObject> listener =
          found -> hasError[0] |= found.getKind() == Diagnostic.Kind.ERROR;
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  listener,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjects(file));
      Trees trees = Trees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        if (hasError[0]) continue;
        Reader reader = new Reader(unit, trees.getSourcePositions());
        reader.scan(unit, null);
        System.out.println(reader.json(file));
      }
    }
  }

  private static final class Reader extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final CharSequence text;
    private final List<String> definitions = new ArrayList<>();
    private final List<String> imports = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private final Set<String> references = new LinkedHashSet<>();
    private final List<String> ambiguous = new ArrayList<>();

    Reader(CompilationUnitTree unit, SourcePositions positions) throws IOException {
      this.unit = unit;
      this.positions = positions;
      this.text = unit.getSourceFile().getCharContent(true);
    }

    @Override
    public Void visitPackage(PackageTree tree, Void unused) {
      return scan(tree.getAnnotations(), null);
    }

    @Override
    public Void visitImport(ImportTree tree, Void unused) {
      MemberSelectTree name = (MemberSelectTree) tree.getQualifiedIdentifier();
      String member = name.getIdentifier().toString();
      String alias = member.equals("*") ? "null" : quoted(member);
      String module = name.getExpression().toString();
      imports.add("[" + quoted(module) + "," + quoted(member) + "," + alias + "]");
      if (name.getExpression() instanceof MemberSelectTree type) {
        String simple = type.getIdentifier().toString();
        add(ambiguous, nameAfter(type.getExpression(), simple), simple);
      }
      return null;
    }

    @Override
    public Void visitClass(ClassTree tree, Void unused) {
      String name = tree.getSimpleName().toString();
      if (!name.isEmpty()) define(name, endOf(tree.getModifiers(), startOf(tree)));
      return super.visitClass(tree, null);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void unused) {
      String name = tree.getName().toString();
      if (name.equals("<init>")) {
        name = ((ClassTree) getCurrentPath().getParentPath().getLeaf()).getSimpleName().toString();
      }
      Tree result = tree.getReturnType();
      long from = endOf(tree.getModifiers(), startOf(tree));
      for (TypeParameterTree parameter : tree.getTypeParameters()) from = endOf(parameter, from);
      if (result != null) from = endOf(result, from);
      define(name, from);
      return super.visitMethod(tree, null);
    }

    @Override
    public Void visitAnnotation(AnnotationTree tree, Void unused) {
      scan(tree.getAnnotationType(), null);
      for (ExpressionTree argument : tree.getArguments()) {
        if (argument instanceof AssignmentTree pair) {
          add(ambiguous, startOf(pair), pair.getVariable().toString());
          scan(pair.getExpression(), null);
        } else {
          scan(argument, null);
        }
      }
      return null;
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void unused) {
      String name = tree.getName().toString();
      if (!name.equals("this") && !name.equals("super")) add(references, startOf(tree), name);
      return super.visitIdentifier(tree, null);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
      String name = tree.getIdentifier().toString();
      boolean isKeyword = Set.of("this", "class", "super").contains(name);
      if (!isKeyword) add(references, nameAfter(tree.getExpression(), name), name);
      return super.visitMemberSelect(tree, null);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void unused) {
      String name = tree.getName().toString();
      if (!name.equals("<init>")) {
        add(references, nameAfter(tree.getQualifierExpression(), name), name);
      }
      return super.visitMemberReference(tree, null);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void unused) {
      call(tree.getMethodSelect());
      return super.visitMethodInvocation(tree, null);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void unused) {
      call(tree.getIdentifier());
      return super.visitNewClass(tree, null);
    }

    /** Adds the name of what is called or created. */
    private void call(Tree function) {
      if (function instanceof IdentifierTree simple) {
        String name = simple.getName().toString();
        if (!name.equals("this") && !name.equals("super")) add(calls, startOf(simple), name);
      } else if (function instanceof MemberSelectTree member) {
        String name = member.getIdentifier().toString();
        if (!name.equals("super")) add(calls, nameAfter(member.getExpression(), name), name);
      } else if (function instanceof ParameterizedTypeTree type) {
        call(type.getType());
      } else if (function instanceof AnnotatedTypeTree type) {
        call(type.getUnderlyingType());
      }
    }

    private long startOf(Tree tree) {
      return positions.getStartPosition(unit, tree);
    }

    private long endOf(Tree tree, long otherwise) {
      return Math.max(positions.getEndPosition(unit, tree), otherwise);
    }

    private long nameAfter(Tree tree, String name) {
      return nameFrom(endOf(tree, 0), name);
    }

    /** Returns where a name is next, after annotations and modifiers. */
    private long nameFrom(long from, String name) {
      int at = (int) Math.max(from, 0);
      while (at < text.length() && !isNameAt(at, name)) at++;
      return at;
    }

    private boolean isNameAt(int at, String name) {
      int end = at + name.length();
      return end <= text.length()
          && text.subSequence(at, end).toString().equals(name)
          && (at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1)))
          && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)));
    }

    private void define(String name, long from) {
      long at = nameFrom(from, name);
      // A compiler adds constructors that are not in the text.
      if (at < text.length()) definitions.add("[" + quoted(name) + "," + placeOf(at) + "]");
    }

    /** Adds a name, unless the text has another one there: javac makes up trees of enum constants. */
    private void add(Collection<String> rows, long at, String name) {
      if (at >= 0 && isNameAt((int) at, name)) rows.add("[" + placeOf(at) + "," + quoted(name) + "]");
    }

    private String placeOf(long at) {
      long line = unit.getLineMap().getLineNumber(at);
      return line + "," + (at - unit.getLineMap().getStartPosition(line));
    }

    String json(Path file) {
      return String.format(
          "{\"file\":%s,\"definitions\":%s,\"imports\":%s,\"calls\":%s,\"references\":%s,"
              + "\"ambiguous\":%s}",
          quoted(file.toString()), definitions, imports, calls, references, ambiguous);
    }

    private static String quoted(String text) {
      return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
  }
}
