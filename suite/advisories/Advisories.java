import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the bill of materials with the file of advisories. A line of the file has the library as {@code group:name},
 * the advisory, the first version without the fault ({@code absent} for a library that must not be there), and what of
 * it strangers can reach in inboxd.
 */
final class Advisories {
    private static final String ABSENT = "absent";

    private final Map<String, String> shipped;
    private final List<String> faults = new ArrayList<>();
    private int passed;

    /** @param shipped the version of each library */
    private Advisories(Map<String, String> shipped) {
        this.shipped = shipped;
    }

    /** A line of the file. */
    record Advisory(String library, String id, String mended, String reach) {}

    public static void main(String[] arguments) throws IOException {
        Map<String, String> shipped = shipped(Path.of(arguments[0]));
        List<Advisory> known = read(Path.of(arguments[1]));
        Advisories own = new Advisories(shipped);
        known.forEach(own::check);
        own.noticesWhatIsPlanted(known);
        own.faults.forEach(fault -> System.out.println("advisories: " + fault));
        System.out.println(own.passed + " passed, " + own.faults.size() + " failed");
        System.exit(own.faults.isEmpty() ? 0 : 1);
    }

    private static Map<String, String> shipped(Path bom) throws IOException {
        Map<String, String> shipped = new HashMap<>();
        for (JsonNode each :
                JsonMapper.shared().readTree(Files.readAllBytes(bom)).path("components")) {
            shipped.put(
                    each.path("group").asString() + ":" + each.path("name").asString(),
                    each.path("version").asString());
        }
        if (shipped.isEmpty()) {
            throw new IllegalStateException("No library is in " + bom);
        }
        return shipped;
    }

    private static List<Advisory> read(Path file) throws IOException {
        List<Advisory> known = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] cells = line.split("\t", -1);
            if (cells.length != 4 || cells[3].isBlank()) {
                throw new IllegalStateException("A line has a library, an advisory, a version and a reach: " + line);
            }
            known.add(new Advisory(cells[0], cells[1], cells[2], cells[3]));
        }
        return known;
    }

    private void check(Advisory advisory) {
        String fault = fault(advisory, shipped.get(advisory.library));
        if (fault == null) {
            passed++;
        } else {
            faults.add(fault);
        }
    }

    /** What is wrong with a version of a library, or null. */
    private static String fault(Advisory advisory, String version) {
        if (advisory.mended.equals(ABSENT)) {
            return version == null ? null : advisory.library + " is there again; " + advisory.reach;
        }
        if (version == null) {
            return advisory.library + " is not in the bill of materials any more: take its line out";
        }
        return compare(version, advisory.mended) >= 0
                ? null
                : advisory.library + " " + version + " has " + advisory.id + ": " + advisory.mended
                        + " mends it. Reached here: " + advisory.reach;
    }

    /** An older version of each library is noticed, and a library that must not be there. */
    private void noticesWhatIsPlanted(List<Advisory> known) {
        for (Advisory each : known) {
            String planted = each.mended.equals(ABSENT) ? "1.0" : "0." + each.mended;
            if (fault(each, planted) == null) {
                faults.add(each.library + " " + planted + " would not be noticed");
            }
        }
        for (String[] pair :
                new String[][] {{"3.0.10", "3.0.9"}, {"10.0", "9.9.9"}, {"1.5.13", "1.5.13-rc1"}, {"2.0", "1"}}) {
            if (compare(pair[0], pair[1]) <= 0 || compare(pair[1], pair[0]) >= 0) {
                faults.add(pair[0] + " is newer than " + pair[1]);
            }
        }
        passed++;
    }

    /** Compares number by number; a suffix such as {@code -rc1} is older than none. */
    private static int compare(String one, String other) {
        String[] first = one.split("-", 2);
        String[] second = other.split("-", 2);
        String[] numbers = first[0].split("\\.");
        String[] others = second[0].split("\\.");
        for (int i = 0; i < Math.max(numbers.length, others.length); i++) {
            int difference = Integer.compare(number(numbers, i), number(others, i));
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(second.length, first.length);
    }

    private static int number(String[] numbers, int place) {
        return place < numbers.length ? Integer.parseInt(numbers[place]) : 0;
    }
}
