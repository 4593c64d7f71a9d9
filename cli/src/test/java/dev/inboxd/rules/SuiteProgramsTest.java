package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs beside the product still fit it, those that no test runs as well. */
class SuiteProgramsTest {
    private static final Path SUITE = Path.of("suite");
    private static final JavaCompiler JAVAC = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());

    private static final String READ = """
            import sys
            for name in sys.argv[1:]:
                with open(name, encoding="utf-8") as file:
                    compile(file.read(), name, "exec")
            """;

    @TempDir
    private Path out;

    @ParameterizedTest
    @MethodSource("folders")
    void everyProgramCompilesWithoutAWarning(Path folder) throws Exception {
        assertThat(diagnostics(programs(folder), withoutTests())).isEmpty();
    }

    @Test
    void aProductThatChangedIsSeen() throws Exception {
        assertThat(diagnostics(programs(SUITE.resolve("bench")), ""))
                .anyMatch(each -> each.contains("package dev.inboxd.base.database does not exist"));
    }

    /** The differential suite needs Python, so it is there. */
    @Test
    void whatIsWrittenInPythonCanBeRead() throws Exception {
        List<String> command = new ArrayList<>(List.of("python3", "-B", "-W", "error", "-c", READ));
        try (Stream<Path> all =
                Files.find(SUITE, 2, (file, _) -> file.toString().endsWith(".py"))) {
            command.addAll(all.map(Path::toString).sorted().toList());
        }
        assertThat(command).contains("suite/bench/bench.py");
        Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
        assertThat(python.inputReader().readAllAsString()).isEmpty();
        assertThat(python.waitFor()).isZero();
    }

    @Test
    void theProgramsAreThere() throws IOException {
        assertThat(folders()).contains(SUITE.resolve("bench"), SUITE.resolve("runner"), Path.of("deploy/package"));
    }

    private List<String> diagnostics(List<Path> programs, String path) throws IOException {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = JAVAC.getStandardFileManager(found, null, StandardCharsets.UTF_8)) {
            // Class files may name annotations, and manifests other jars, that nobody ships: not the programs' doing.
            List<String> options =
                    List.of("-Xlint:all,-classfile,-path", "-Werror", "-proc:none", "-d", out.toString(), "-cp", path);
            boolean compiled = JAVAC.getTask(
                            null, files, found, options, null, files.getJavaFileObjectsFromPaths(programs))
                    .call();
            List<String> all =
                    found.getDiagnostics().stream().map(Object::toString).toList();
            return compiled || !all.isEmpty() ? all : List.of("It does not compile, and nobody says why");
        }
    }

    /** What the programs get when they are run: the product and its libraries. */
    private static String withoutTests() throws URISyntaxException {
        Path tests = Path.of(SuiteProgramsTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(each -> !Path.of(each).toAbsolutePath().equals(tests))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Set<Path> folders() throws IOException {
        Set<Path> folders = new TreeSet<>();
        for (Path parent : List.of(SUITE, Path.of("deploy"))) {
            try (Stream<Path> all = Files.list(parent)) {
                for (Path folder : all.filter(Files::isDirectory).toList()) {
                    if (!programs(folder).isEmpty()) {
                        folders.add(folder);
                    }
                }
            }
        }
        return folders;
    }

    private static List<Path> programs(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> each.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }
}
