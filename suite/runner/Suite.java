import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program {@code suite/NAME/run}, whose last line is {@code N passed, M failed}. */
final class Suite {
    private static final Pattern CLOSING = Pattern.compile("(\\d+) passed, (\\d+) failed");

    private final Path root;
    private final Path program;
    private final boolean everything;

    /** @param everything whether it runs in its long form */
    Suite(Path root, Path program, boolean everything) {
        this.root = root;
        this.program = program;
        this.everything = everything;
    }

    String name() {
        return program.getParent().getFileName().toString();
    }

    /** Runs it; all that it prints is in {@code target/suite-NAME.log}, and on the terminal too when it fails. */
    TestCommand.Result run() throws IOException, InterruptedException {
        Path log = root.resolve("target/suite-" + name() + ".log");
        List<String> command = new ArrayList<>(List.of(program.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
        builder.environment().put("TEST_EVERYTHING", everything ? "1" : "");
        // Services of a minute: the second compiler would take more processor time than its code saves.
        builder.environment().putIfAbsent("INBOXD_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
        builder.environment().putIfAbsent("MAVEN_OPTS", UnitTests.MAVEN);
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        long start = System.nanoTime();
        Process process = builder.start();
        TimeLimit.watch(process, everything, root.resolve("target/suite-" + name() + "-threads.txt"));
        int status = process.waitFor();
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        List<String> lines = Files.readString(log).lines().toList();
        Matcher closing = CLOSING.matcher(lines.isEmpty() ? "" : lines.getLast());
        boolean known = closing.matches();
        int passed = known ? Integer.parseInt(closing.group(1)) : 0;
        int failed = known ? Integer.parseInt(closing.group(2)) : 1;
        synchronized (System.out) {
            if (failed > 0 || status != 0) {
                lines.forEach(System.out::println);
            }
            if (!known) {
                System.out.println("suite " + name() + " did not say how many passed");
            } else if (failed == 0 && status != 0) {
                System.out.println("suite " + name() + " says that nothing failed, and ended with status " + status);
                failed = 1;
            }
            System.out.printf("suite %s: %d passed, %d failed%n", name(), passed, failed);
        }
        return new TestCommand.Result(name(), passed, failed, time);
    }
}
