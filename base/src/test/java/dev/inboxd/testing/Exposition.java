package dev.inboxd.testing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text format of Prometheus, version 0.0.4, read strictly: every family has HELP and TYPE and stands together,
 * every sample belongs to its family, buckets count up to their count, and nothing is there twice.
 */
public final class Exposition {
    private static final Pattern COMMENT = Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary");

    private final Map<String, Family> families = new LinkedHashMap<>();

    /** A sample with its labels. */
    public record Sample(String name, Map<String, String> labels, double value) {}

    /** The samples of one name. */
    public record Family(String name, String help, String type, List<Sample> samples) {}

    private Exposition() {}

    /** Reads a text, or throws with the line that is wrong. */
    public static Exposition read(String text) {
        Exposition read = new Exposition();
        if (!text.endsWith("\n")) {
            throw new IllegalArgumentException("the last line does not end");
        }
        String help = null;
        Family family = null;
        for (String line : text.lines().toList()) {
            Matcher comment = COMMENT.matcher(line);
            if (comment.matches()) {
                if (comment.group(1).equals("HELP")) {
                    check(help == null, line);
                    help = comment.group(2) + " " + comment.group(3);
                } else {
                    String told = help == null ? "" : help;
                    check(told.startsWith(comment.group(2) + " "), line);
                    check(TYPES.contains(comment.group(3)), line);
                    family = new Family(
                            comment.group(2),
                            told.substring(told.indexOf(' ') + 1),
                            comment.group(3),
                            new ArrayList<>());
                    check(read.families.put(family.name, family) == null, line);
                    help = null;
                }
            } else {
                if (help != null || family == null) {
                    throw new IllegalArgumentException(line);
                }
                family.samples.add(sample(line, family));
            }
        }
        read.families.values().forEach(Exposition::check);
        return read;
    }

    private static void check(boolean right, String line) {
        if (!right) {
            throw new IllegalArgumentException(line);
        }
    }

    private static Sample sample(String line, Family family) {
        Matcher matcher = SAMPLE.matcher(line);
        check(matcher.matches(), line);
        String name = matcher.group(1);
        boolean fits = switch (family.type) {
            case "histogram" ->
                Set.of(family.name + "_bucket", family.name + "_sum", family.name + "_count")
                        .contains(name);
            case "summary" ->
                Set.of(family.name, family.name + "_sum", family.name + "_count")
                        .contains(name);
            default -> name.equals(family.name);
        };
        check(fits, line);
        Map<String, String> labels = new TreeMap<>();
        String left = matcher.group(2) == null ? "" : matcher.group(2);
        while (!left.isEmpty()) {
            Matcher label = LABEL.matcher(left);
            check(label.lookingAt() && labels.put(label.group(1), label.group(2)) == null, line);
            left = left.substring(label.end());
        }
        return new Sample(name, labels, number(matcher.group(3)));
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static void check(Family family) {
        check(!family.samples.isEmpty(), family.name + " has no sample");
        Set<String> seen = new HashSet<>();
        family.samples.forEach(sample -> check(seen.add(sample.name + sample.labels), sample + " is there twice"));
        if (family.type.equals("histogram")) {
            buckets(family);
        }
    }

    private static void buckets(Family family) {
        Map<Map<String, String>, Double> last = new LinkedHashMap<>();
        for (Sample sample : family.samples) {
            Map<String, String> series = new TreeMap<>(sample.labels);
            String bound = series.remove("le");
            if (sample.name.endsWith("_bucket")) {
                check(bound != null && sample.value >= last.getOrDefault(series, 0.0), sample.toString());
                last.put(series, sample.value);
            } else if (sample.name.endsWith("_count")) {
                check(last.getOrDefault(series, -1.0) == sample.value, sample.toString());
            }
        }
    }

    /** The families by name. */
    public Map<String, Family> families() {
        return Map.copyOf(families);
    }

    /** The value of a sample with exactly these labels, names and values in turn; not a number when there is none. */
    public double value(String name, String... labels) {
        Map<String, String> wanted = new TreeMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            wanted.put(labels[i], labels[i + 1]);
        }
        return families.values().stream()
                .flatMap(family -> family.samples.stream())
                .filter(sample -> sample.name.equals(name) && sample.labels.equals(wanted))
                .mapToDouble(Sample::value)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** The values of all samples of a name together. */
    public double sum(String name) {
        return families.values().stream()
                .flatMap(family -> family.samples.stream())
                .filter(sample -> sample.name.equals(name))
                .mapToDouble(Sample::value)
                .sum();
    }
}
