package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Columns, files, methods and parameters stay within what CONTRIBUTING says. */
class LimitsTest {
    private static final ExceptionList EXCEPTIONS = ExceptionList.read(Path.of("cli/src/test/resources/limits.txt"));
    private static final Limits MAIN = new Limits(300, true);
    private static final Limits SUITES = new Limits(300, false);
    private static final Limits TESTS = new Limits(500, false);

    @Test
    void nothingIsLargerThanTheListSays() throws IOException {
        NavigableMap<String, String> violations = new TreeMap<>(violationsBelow(MAIN, SourceTree.MAIN));
        violations.putAll(violationsBelow(TESTS, SourceTree.TESTS));
        violations.putAll(violationsBelow(SUITES, List.of(Path.of("suite"), Path.of("deploy"))));
        assertThat(EXCEPTIONS.difference(violations)).isEmpty();
    }

    @Test
    void aLineThatIsTooLongIsSeen() {
        assertThat(violations(MAIN, "class A {} //" + "é".repeat(107))).isEmpty();
        assertThat(violations(SUITES, "class A {} //" + "é".repeat(108))).containsOnlyKeys("columns A 1");
    }

    @Test
    void aFileThatIsTooLongIsSeen() {
        assertThat(violations(TESTS, "class A {}" + "\n//".repeat(499))).isEmpty();
        assertThat(violations(TESTS, "class A {}" + "\n//".repeat(500))).containsOnlyKeys("file A 501");
        assertThat(violations(TESTS, "class A {}" + "\n//".repeat(499) + "\n    @Proves(\"P1\")"))
                .isEmpty();
    }

    @Test
    void aMethodThatIsTooLongIsSeen() {
        String type = "class A { record B() { /** No part of it. */ void m() {%s} } }";
        assertThat(violations(MAIN, type.formatted("\n".repeat(39)))).isEmpty();
        assertThat(violations(MAIN, type.formatted("\n".repeat(40)))).containsOnlyKeys("method A.B.m 41");
        assertThat(violations(SUITES, type.formatted("\n".repeat(40)))).isEmpty();
    }

    @Test
    void aParameterTooManyIsSeen() {
        assertThat(violations(MAIN, "class A { void m(int a, int b, int c, int d, int... e) {} }"))
                .containsOnlyKeys("parameters A.m 5");
        assertThat(violations(MAIN, "class A { A(int a, int b, int c, int d, int e, int f) {} }"))
                .isEmpty();
        assertThat(violations(MAIN, "class A { A(int a, int b, int c, int d, int e, int f, int g) {} }"))
                .containsOnlyKeys("parameters A.new 7");
        assertThat(violations(MAIN, "class A { void m(int a, int b, int c, int d) {} }"))
                .isEmpty();
        assertThat(violations(MAIN, "record A(int a, int b, int c, int d, int e) { A { } }"))
                .isEmpty();
    }

    @Test
    void aRecordWithTooManyComponentsIsSeen() {
        String type = "record A(int a, int b, int c, int d, int e, int f, int g, int h%s) { static int I; }";
        assertThat(violations(MAIN, type.formatted(""))).isEmpty();
        assertThat(violations(MAIN, type.formatted(", int i"))).containsOnlyKeys("components A 9");
    }

    private static NavigableMap<String, String> violations(Limits limits, String source) {
        return limits.violations(List.of(new SourceText(source)));
    }

    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(String text) {
            super(URI.create("text:///A.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static NavigableMap<String, String> violationsBelow(Limits limits, List<Path> roots) throws IOException {
        try (StandardJavaFileManager manager =
                Objects.requireNonNull(ToolProvider.getSystemJavaCompiler()).getStandardFileManager(null, null, null)) {
            List<Path> sources = SourceTree.files(roots, ".java");
            assertThat(sources).isNotEmpty();
            return limits.violations(manager.getJavaFileObjectsFromPaths(sources));
        }
    }
}
