import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long each part of the tests may take on two processors; more than that is said, and fails nothing. */
record Budgets(Map<String, Duration> times) {
    private static final String ALL = "all";

    Budgets {
        times = Map.copyOf(times);
    }

    /** Lines of a name and a number of seconds; {@code #} begins a comment. */
    static Budgets read(Path file) throws IOException {
        Map<String, Duration> times = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.trim().split("\\s+");
                times.put(parts[0], Duration.ofSeconds(Long.parseLong(parts[1])));
            }
        }
        return new Budgets(times);
    }

    void print(List<TestCommand.Result> results, Duration all, PrintStream out) {
        results.forEach(result -> out.printf(
                "%-14s %6d passed %4d failed %s%n",
                result.name(), result.passed(), result.failed(), time(result.name(), result.time())));
        out.printf("%-14s %26s%s%n", ALL, "", time(ALL, all));
    }

    private String time(String name, Duration time) {
        Duration budget = times.get(name);
        String text = String.format("%6d s", time.toSeconds());
        if (budget == null) {
            return text + "  (no budget in suite/budgets.txt)";
        }
        return text
                + String.format(" of %4d s", budget.toSeconds())
                + (time.compareTo(budget) > 0 ? "  over its budget" : "");
    }
}
