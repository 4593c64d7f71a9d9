package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests and suites wait by {@link dev.inboxd.testing.Eventually}, without pauses and deadlines of their own. */
class WaitsTest {
    private static final ExceptionList EXCEPTIONS =
            ExceptionList.read(Path.of("cli/src/test/resources/waits.txt"), "why it waits itself");
    private static final List<Pattern> WAITS = List.of(
            Pattern.compile("\\.sleep\\(|\\bLockSupport\\.park\\w*\\(|\\bThread\\.(?:onSpinWait|yield)\\("),
            Pattern.compile("\\b(?:while|for) \\([^{]*(?:\\.nanoTime\\(\\)|\\.currentTimeMillis\\(\\)|\\.now\\(\\))"),
            Pattern.compile("\\bwhile \\([^{;]*\\) \\{\\s*}"));

    @Test
    void whatWaitsItselfIsListedWithItsReason() throws IOException {
        NavigableMap<String, String> violations = new TreeMap<>();
        for (Path file : sources()) {
            if (waits(Files.readString(file))) {
                violations.put(file.toString(), "a loop or a pause");
            }
        }
        assertThat(EXCEPTIONS.difference(violations)).isEmpty();
    }

    @Test
    void aLoopOfOnesOwnIsSeen() {
        assertThat(List.of(
                        "Thread.sleep(10);",
                        "LockSupport.parkNanos(PAUSE);",
                        "while (!done && System.nanoTime() < end) {\n look();\n}",
                        "for (long end = System.nanoTime() + 1;\n System.nanoTime() < end;\n look()) {",
                        "while (behind() && Instant.now().isBefore(end)) {",
                        "while (!done.get()) {\n}"))
                .allSatisfy(text -> assertThat(waits(text)).as(text).isTrue());
        assertThat(waits("Eventually.await(() -> done.get());\nwhile (more) {\n take();\n}"))
                .isFalse();
    }

    private static boolean waits(String source) {
        return WAITS.stream().anyMatch(wait -> wait.matcher(source).find());
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>(SourceTree.files(SourceTree.TESTS, ".java"));
        try (Stream<Path> suites = Files.walk(Path.of("suite"), 2)) {
            suites.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
        sources.removeIf(file -> file.endsWith("WaitsTest.java"));
        return sources;
    }
}
