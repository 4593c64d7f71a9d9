package dev.inboxd.mail;

import com.ibm.icu.text.IDNA;
import dev.inboxd.mail.address.AddrSpec;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jsoup.Jsoup;
import org.jspecify.annotations.NullMarked;

/**
 * The examples of a document: its blocks of Java, those under one heading as one program. A block of imports, and a
 * block that declares a record, belong to every program. What stands behind {@code // ->} is compared with the text of
 * the value before it, in which a line feed is {@code \n}.
 */
final class ReadmeExamples {
    private static final String RESULT = "; // -> ";

    private final StringBuilder imports = new StringBuilder();
    private final StringBuilder members = new StringBuilder();
    private final Map<String, List<List<String>>> programs = new LinkedHashMap<>();

    /** A source in memory. */
    private static final class Source extends SimpleJavaFileObject {
        final String heading;
        private final String text;

        Source(String heading, String type, String text) {
            super(URI.create("text:///" + type + ".java"), Kind.SOURCE);
            this.heading = heading;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** The examples of a text in Markdown. */
    ReadmeExamples(String document) {
        String heading = "";
        List<String> block = null;
        for (String line : document.lines().toList()) {
            if (block == null && line.startsWith("#")) {
                heading = line.replaceFirst("^#+ ", "");
            } else if (line.equals("```java")) {
                block = new ArrayList<>();
            } else if (line.equals("```") && block != null) {
                add(heading, block);
                block = null;
            } else if (block != null) {
                block.add(line);
            }
        }
    }

    private void add(String heading, List<String> block) {
        String text = String.join("\n", block) + "\n";
        if (block.stream().allMatch(line -> line.startsWith("import "))) {
            imports.append(text);
        } else if (text.startsWith("record ")) {
            members.append("static ").append(text);
        } else {
            programs.computeIfAbsent(heading, _ -> new ArrayList<>()).add(block);
        }
    }

    /** The blocks of each heading. */
    Map<String, List<List<String>>> programs() {
        return programs;
    }

    /** Whether a line of a block states a result. */
    static boolean isResult(String line) {
        return line.contains(RESULT);
    }

    /**
     * Compiles and runs every program.
     *
     * @param folder where the classes are put
     * @return what does not compile, what is thrown, and what has another value than stated, each with its heading
     */
    List<String> faults(Path folder) throws IOException, ReflectiveOperationException {
        List<Source> sources = new ArrayList<>();
        programs.forEach((heading, blocks) -> {
            String type = "Example" + sources.size();
            sources.add(new Source(heading, type, source(type, blocks)));
        });
        List<String> faults = compiled(sources, folder);
        if (faults.isEmpty()) {
            URL[] classes = {folder.toUri().toURL()};
            try (URLClassLoader loader = new URLClassLoader(classes, ReadmeExamples.class.getClassLoader())) {
                for (Source source : sources) {
                    String type = source.getName().replaceAll("^/|\\.java$", "");
                    List<?> found =
                            (List<?>) loader.loadClass(type).getMethod("run").invoke(null);
                    found.forEach(fault -> faults.add(source.heading + ": " + fault));
                }
            }
        }
        return faults;
    }

    private String source(String type, List<List<String>> blocks) {
        StringBuilder body = new StringBuilder();
        blocks.forEach(block -> statements(block, body));
        return imports
                + """
                public final class %s {
                    private static final java.util.List<String> FAULTS = new java.util.ArrayList<>();
                    private static void check(String stated, Object found) {
                        String text = String.valueOf(found).replace("\\r", "\\\\r").replace("\\n", "\\\\n");
                        if (!text.equals(stated)) {
                            FAULTS.add("stated " + stated + ", is " + text);
                        }
                    }
                    public static java.util.List<String> run() {
                        try {
                            example();
                        } catch (Exception thrown) {
                            FAULTS.add("throws " + thrown);
                        }
                        return FAULTS;
                    }
                """.formatted(type)
                + members + "private static void example() throws Exception {\n" + body + "}\n}\n";
    }

    /** The statements of a block; one that states its result becomes a check of it. */
    private static void statements(List<String> block, StringBuilder body) {
        StringBuilder statement = new StringBuilder();
        for (String line : block) {
            int at = line.indexOf(RESULT);
            statement.append(at < 0 ? line : line.substring(0, at)).append('\n');
            if (at >= 0) {
                String stated = line.substring(at + RESULT.length());
                body.append("check(\"")
                        .append(stated.replace("\\", "\\\\").replace("\"", "\\\""))
                        .append("\",\n")
                        .append(statement)
                        .append(");\n");
                statement.setLength(0);
            } else if (line.endsWith(";") || line.endsWith("}")) {
                body.append(statement);
                statement.setLength(0);
            }
        }
        body.append(statement);
    }

    private static List<String> compiled(List<Source> sources, Path folder) {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of("-proc:none", "-cp", classPath(), "-d", folder.toString());
        compiler.getTask(null, null, found, options, null, sources).call();
        return found.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> (each.getSource() instanceof Source source ? source.heading : "") + ": "
                        + each.getMessage(null))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The library and all that it needs: what an example uses besides does not compile. */
    private static String classPath() {
        return Stream.of(AddrSpec.class, Jsoup.class, IDNA.class, NullMarked.class)
                .map(ReadmeExamples::place)
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException malformed) {
            throw new IllegalStateException(malformed);
        }
    }
}
