import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * {@code ./inboxd test}: the unit tests, beside them one suite after the other, two at a time when the unit tests are
 * done, and at the end, when nothing else runs, the classes that measure processor time. The program and its test
 * classes are built already.
 *
 * <p>{@code --everything} runs each suite in its long form, and what has only a long form, {@code suite/NAME/long}.
 * {@code --repeat} runs a class or a suite that failed once more and names it in {@code target/flickered.txt} when it
 * passes then; it counts once, by its second run.
 */
final class TestCommand {
    private static final int SLOWEST = 20;
    /** Only measures, and passes or fails nothing. */
    private static final Set<String> NO_TESTS = Set.of("bench");

    private final Path root;
    private final boolean everything;
    private final boolean repeat;
    private final List<Result> results = new ArrayList<>();
    private final List<String> flickered = new ArrayList<>();

    /**
     * What a part of the tests came to.
     *
     * @param name {@code unit}, {@code alone}, or the name of a suite
     * @param passed how many tests passed
     * @param failed how many did not
     * @param time how long it took
     */
    record Result(String name, int passed, int failed, Duration time) {}

    private TestCommand(Path root, boolean everything, boolean repeat) {
        this.root = root;
        this.everything = everything;
        this.repeat = repeat;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(arguments));
        Path root = Path.of(options.removeFirst());
        boolean everything = options.remove("--everything");
        boolean repeat = options.remove("--repeat");
        if (!options.isEmpty()) {
            System.err.println(
                    "inboxd: test takes --everything and --repeat, and does not know " + options.getFirst() + ".");
            System.exit(2);
        }
        System.exit(new TestCommand(root, everything, repeat).run() ? 0 : 1);
    }

    private boolean run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        UnitTests unit = new UnitTests(root, everything);
        UnitTests.clear(root.resolve("target/statements"));
        Queue<Path> suites = new ConcurrentLinkedQueue<>(suites());
        try (ExecutorService lane = Executors.newSingleThreadExecutor()) {
            Future<?> beside = lane.submit(() -> {
                runAll(suites);
                return null;
            });
            units("unit", unit.shared());
            runAll(suites);
            beside.get();
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        }
        units("alone", unit.alone());
        statements();
        unit.classes().stream()
                .sorted(Comparator.comparing(UnitTests.TestClass::seconds).reversed())
                .limit(SLOWEST)
                .forEach(slow -> System.out.printf("%7.1f s  %s%n", slow.seconds(), slow.name()));
        unit.skipped().forEach(name -> System.out.println("skipped: " + name));
        Files.write(root.resolve("target/flickered.txt"), flickered);
        flickered.forEach(name -> System.out.println("flickered: " + name));
        Budgets.read(root.resolve("suite/budgets.txt"))
                .print(results, Duration.ofNanos(System.nanoTime() - start), System.out);
        int failed = results.stream().mapToInt(Result::failed).sum();
        System.out.printf(
                "%d passed, %d failed%n",
                results.stream().mapToInt(Result::passed).sum(), failed);
        return failed == 0;
    }

    private void units(String name, UnitTests.Run first) throws IOException, InterruptedException {
        UnitTests.Run run = first;
        Set<String> failing = run.failing();
        if (repeat && !failing.isEmpty()) {
            run = run.again(failing);
            failing.removeAll(run.failing());
            flickered.addAll(failing);
        }
        add(new Result(name, run.passed(), run.failed(), run.time()));
    }

    /**
     * Every statement that a test met is in the list of those that are prepared on each version of PostgreSQL, in one
     * form at least: by how many rows a batch gathers, one or another form is met first.
     */
    private void statements() throws IOException {
        Set<String> seen = lines("*.txt");
        Set<String> missing = lines("*.unlisted");
        Set<String> listed =
                new TreeSet<>(Files.readAllLines(root.resolve("server/src/test/resources/statements.txt")));
        missing.forEach(text -> System.out.println("not in server/src/test/resources/statements.txt: " + text));
        seen.stream()
                .filter(text -> !listed.contains(text) && !missing.contains(text))
                .forEach(text -> System.out.println(
                        "a further form of a statement in server/src/test/resources/statements.txt: " + text));
        listed.removeAll(seen);
        listed.forEach(
                text -> System.out.println("in server/src/test/resources/statements.txt, and no test met it: " + text));
        Files.write(root.resolve("target/statements.txt"), seen);
        add(new Result("statements", seen.size() - missing.size(), missing.size(), Duration.ZERO));
    }

    private Set<String> lines(String files) throws IOException {
        Set<String> lines = new TreeSet<>();
        try (var found = Files.newDirectoryStream(root.resolve("target/statements"), files)) {
            for (Path file : found) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    /** Takes one suite after the other, until there are no more. */
    private void runAll(Queue<Path> suites) throws IOException, InterruptedException {
        for (Path suite = suites.poll(); suite != null; suite = suites.poll()) {
            suite(suite);
        }
    }

    private void suite(Path program) throws IOException, InterruptedException {
        Suite suite = new Suite(root, program, everything);
        System.out.println("== suite " + suite.name());
        Result result = suite.run();
        if (result.failed() > 0 && repeat) {
            System.out.println("== suite " + suite.name() + ", once more");
            result = suite.run();
            if (result.failed() == 0) {
                synchronized (this) {
                    flickered.add("suite " + suite.name());
                }
            }
        }
        add(result);
    }

    private synchronized void add(Result result) {
        results.add(result);
    }

    private List<Path> suites() throws IOException {
        try (var folders = Files.list(root.resolve("suite"))) {
            return folders.filter(
                            folder -> !NO_TESTS.contains(folder.getFileName().toString()))
                    .flatMap(folder -> everything
                            ? Stream.of(folder.resolve("run"), folder.resolve("long"))
                            : Stream.of(folder.resolve("run")))
                    .filter(Files::isExecutable)
                    .sorted()
                    .toList();
        }
    }
}
