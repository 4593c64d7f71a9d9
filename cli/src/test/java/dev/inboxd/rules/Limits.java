package dev.inboxd.rules;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The sizes that CONTRIBUTING limits, and what is larger. The components of a record are fields and do not count as
 * parameters, in its compact constructor neither; the parameters of a constructor that is written out count. Bodies of
 * the program alone have a limit of components.
 *
 * @param lines of a file, without those that name a promise
 * @param bodies whether the length of methods and the number of their parameters count too
 */
record Limits(int lines, boolean bodies) {
    private static final JavaCompiler JAVAC = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    private static final int COLUMNS = 120;
    private static final int METHOD_LINES = 40;
    private static final int PARAMETERS = 4;
    /** Of a constructor: collaborators that are types of their own. */
    private static final int COLLABORATORS = 6;

    private static final int COMPONENTS = 8;

    /**
     * What is too large in some source files: the kind, the simple name of the type, the size. Types are named without
     * their packages, so that a move changes nothing here.
     */
    NavigableMap<String, String> violations(Iterable<? extends JavaFileObject> files) {
        NavigableMap<String, String> violations = new TreeMap<>();
        try {
            for (JavaFileObject file : files) {
                measure(file, violations);
            }
            if (bodies) {
                JavacTask task = (JavacTask) JAVAC.getTask(null, null, null, List.of("-proc:none"), null, files);
                SourcePositions positions = Trees.instance(task).getSourcePositions();
                for (CompilationUnitTree unit : task.parse()) {
                    new Measure(unit, positions, violations).scan(unit, null);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return violations;
    }

    private void measure(JavaFileObject file, NavigableMap<String, String> violations) throws IOException {
        String path = file.getName();
        String type = path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
        List<String> text = file.getCharContent(true).toString().lines().toList();
        long length = text.stream().filter(line -> !isProof(line)).count();
        if (length > lines) {
            violations.put("file " + type + " " + length, path);
        }
        long wide = text.stream()
                .filter(line -> line.codePointCount(0, line.length()) > COLUMNS)
                .count();
        if (wide > 0) {
            violations.put("columns " + type + " " + wide, path);
        }
    }

    private static boolean isProof(String line) {
        return line.strip().startsWith("@Proves(") || line.equals("import dev.inboxd.testing.Proves;");
    }

    private static final class Measure extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final NavigableMap<String, String> violations;
        private final Deque<ClassTree> types = new ArrayDeque<>();

        Measure(CompilationUnitTree unit, SourcePositions positions, NavigableMap<String, String> violations) {
            this.unit = unit;
            this.positions = positions;
            this.violations = violations;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
            types.addLast(type);
            int components = components(type);
            if (components > COMPONENTS) {
                put("components", "", components);
            }
            super.visitClass(type, null);
            types.removeLast();
            return null;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
            int length = length(method);
            if (length > METHOD_LINES) {
                put("method", method, length);
            }
            boolean isConstructor = method.getName().contentEquals("<init>");
            int parameters = method.getParameters().size();
            if (parameters > (isConstructor ? COLLABORATORS : PARAMETERS) && !isCompact(method)) {
                put("parameters", method, parameters);
            }
            return super.visitMethod(method, null);
        }

        /** How many components a record has, which are its fields; 0 for other types. */
        private static int components(ClassTree type) {
            return type.getKind() != Tree.Kind.RECORD
                    ? 0
                    : (int) type.getMembers().stream()
                            .filter(member -> member instanceof VariableTree field
                                    && !field.getModifiers().getFlags().contains(Modifier.STATIC))
                            .count();
        }

        /** The parameters of a record's compact constructor are its components, which stand before it. */
        private boolean isCompact(MethodTree method) {
            return positions.getStartPosition(unit, method.getParameters().getFirst())
                    < positions.getStartPosition(unit, method);
        }

        private int length(Tree tree) {
            LineMap lines = unit.getLineMap();
            long first = lines.getLineNumber(positions.getStartPosition(unit, tree));
            return (int) (lines.getLineNumber(positions.getEndPosition(unit, tree)) - first) + 1;
        }

        private void put(String kind, MethodTree method, int size) {
            put(kind, method.getName().contentEquals("<init>") ? ".new" : "." + method.getName(), size);
        }

        private void put(String kind, String member, int size) {
            String type = types.stream().map(ClassTree::getSimpleName).collect(Collectors.joining("."));
            violations.put(
                    kind + " " + type + member + " " + size,
                    unit.getSourceFile().getName());
        }
    }
}
