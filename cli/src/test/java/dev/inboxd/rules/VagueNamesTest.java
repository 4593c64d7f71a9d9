package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.element.Name;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * What a name of a nested type, a method, a parameter or a local variable says: not one of the words that could name
 * anything. Each package has a number of them, which only falls.
 */
class VagueNamesTest {
    private static final ExceptionList EXCEPTIONS =
            ExceptionList.read(Path.of("cli/src/test/resources/vague-names.txt"));

    /** Whole names, without regard to case. */
    private static final Set<String> VAGUE = Set.of(("found given wanted known made told one some each whole rest here"
                    + " there asked seen gone taken kept other thing things stuff look glance settle quietly tell goon")
            .split(" "));

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    @Test
    void noPackageHasMoreVagueNamesThanTheListSays() throws IOException {
        NavigableMap<String, Integer> numbers = new TreeMap<>();
        try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
            Iterable<? extends JavaFileObject> sources =
                    files.getJavaFileObjectsFromPaths(SourceTree.files(SourceTree.MAIN, ".java"));
            for (CompilationUnitTree unit : parse(sources)) {
                int number = vague(unit).size();
                if (number > 0) {
                    numbers.merge(packageOf(unit), number, Integer::sum);
                }
            }
        }
        NavigableMap<String, String> violations = new TreeMap<>();
        numbers.forEach((name, number) -> violations.put(name + " " + number, "vague names of the package"));
        assertThat(EXCEPTIONS.difference(violations)).isEmpty();
    }

    @Test
    void aVagueNameIsSeenWhereverItIsDeclared() throws IOException {
        String source = """
                class Example {
                    record Found(int each) {}
                    private int whole;
                    void tell(String given, String name) {
                        String some = name;
                        java.util.List.of(some).forEach(one -> System.out.println(one));
                    }
                }
                """;
        List<String> seen = new ArrayList<>();
        for (CompilationUnitTree unit : parse(List.of(new SourceText(source)))) {
            seen.addAll(vague(unit));
        }
        assertThat(seen).containsExactlyInAnyOrder("Found", "each", "tell", "whole", "given", "some", "one");
    }

    /** A source that is in no file. */
    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(String text) {
            super(Path.of("Example.java").toUri(), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public String getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static Iterable<? extends CompilationUnitTree> parse(Iterable<? extends JavaFileObject> sources)
            throws IOException {
        JavacTask task = (JavacTask) COMPILER.getTask(null, null, null, List.of("-proc:none"), null, sources);
        return task.parse();
    }

    private static String packageOf(CompilationUnitTree unit) {
        String name = String.valueOf(unit.getPackageName()).replaceFirst("^dev\\.inboxd\\.?", "");
        return name.isEmpty() ? "root" : name;
    }

    private static List<String> vague(CompilationUnitTree unit) {
        List<String> names = new ArrayList<>();
        unit.accept(
                new TreeScanner<Void, Void>() {
                    @Override
                    public Void visitClass(ClassTree type, Void nothing) {
                        add(type.getSimpleName());
                        return super.visitClass(type, nothing);
                    }

                    @Override
                    public Void visitMethod(MethodTree method, Void nothing) {
                        add(method.getName());
                        return super.visitMethod(method, nothing);
                    }

                    @Override
                    public Void visitVariable(VariableTree variable, Void nothing) {
                        add(variable.getName());
                        return super.visitVariable(variable, nothing);
                    }

                    private void add(Name name) {
                        if (name != null && VAGUE.contains(name.toString().toLowerCase(Locale.ROOT))) {
                            names.add(name.toString());
                        }
                    }
                },
                null);
        return names;
    }
}
