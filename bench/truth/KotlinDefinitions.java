import com.intellij.openapi.util.Disposer;
import com.intellij.psi.PsiElement;
import com.intellij.psi.PsiErrorElement;
import com.intellij.psi.PsiFileFactory;
import com.intellij.psi.util.PsiTreeUtil;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jetbrains.kotlin.cli.CompilerConfigurationCreationKt;
import org.jetbrains.kotlin.cli.jvm.compiler.EnvironmentConfigFiles;
import org.jetbrains.kotlin.cli.jvm.compiler.KotlinCoreEnvironment;
import org.jetbrains.kotlin.config.CommonConfigurationKeys;
import org.jetbrains.kotlin.config.CompilerConfiguration;
import org.jetbrains.kotlin.idea.KotlinLanguage;
import org.jetbrains.kotlin.psi.*;

/**
 * Prints the definitions of the Kotlin files named on standard input, one a line: the file, the line
 * of the name, the kind and the name. {@code kotlin.mjs} runs it.
 */
public class KotlinDefinitions {
	private static final PrintStream OUT =
			new PrintStream(System.out, false, StandardCharsets.UTF_8);

	public static void main(String[] args) throws IOException {
		var configuration = CompilerConfigurationCreationKt.create(CompilerConfiguration.Companion);
		configuration.put(CommonConfigurationKeys.MODULE_NAME, "definitions");
		var environment = KotlinCoreEnvironment.createForProduction(
				Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES);
		var factory = PsiFileFactory.getInstance(environment.getProject());
		var names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String name; (name = names.readLine()) != null; ) {
			var path = Path.of(name);
			var text = Files.readString(path).replace("\r\n", "\n");
			var file = factory.createFileFromText(
					path.getFileName().toString(), KotlinLanguage.INSTANCE, text, false, true);
			printFile(name, text, file);
		}
		OUT.flush();
	}

	private static void printFile(String name, String text, PsiElement file) {
		boolean isRefused = PsiTreeUtil.findChildOfType(file, PsiErrorElement.class) != null;
		OUT.println(name + "\t0\t" + (isRefused ? "refused" : "read") + "\t");
		if (isRefused) return;
		for (var declaration : PsiTreeUtil.findChildrenOfType(file, KtDeclaration.class)) {
			String kind = kindOf(declaration);
			PsiElement place = kind == null ? null : placeOf(declaration);
			if (place == null) continue;
			var before = text.substring(0, place.getTextOffset());
			long line = 1 + before.chars().filter(letter -> letter == '\n').count();
			OUT.println(name + "\t" + line + "\t" + kind + "\t" + nameOf(declaration));
		}
	}

	/** Returns the kind of a definition of ragnav, or null for anything else. */
	private static String kindOf(KtDeclaration declaration) {
		if (declaration instanceof KtEnumEntry) return null;
		if (declaration instanceof KtClass type) {
			return type.isInterface() ? "interface" : type.isEnum() ? "enum" : "class";
		}
		if (declaration instanceof KtObjectDeclaration) return "class";
		if (declaration instanceof KtTypeAlias) return "type";
		if (declaration instanceof KtSecondaryConstructor) return "method";
		if (declaration instanceof KtProperty property && !hasAccessor(property)) return null;
		if (!(declaration instanceof KtNamedFunction || declaration instanceof KtProperty)) return null;
		return declaration.getParent() instanceof KtClassBody ? "method" : "function";
	}

	private static boolean hasAccessor(KtProperty property) {
		return property.getAccessors().stream().anyMatch(KtPropertyAccessor::hasBody);
	}

	/** Returns the element in whose line a definition counts. A nameless one has none. */
	private static PsiElement placeOf(KtDeclaration declaration) {
		if (declaration instanceof KtSecondaryConstructor constructor) {
			return constructor.getConstructorKeyword();
		}
		return ((KtNamedDeclaration) declaration).getNameIdentifier();
	}

	private static String nameOf(KtDeclaration declaration) {
		if (declaration instanceof KtSecondaryConstructor constructor) {
			return constructor.getContainingClassOrObject().getName();
		}
		return ((KtNamedDeclaration) declaration).getName();
	}
}
