package dev.inboxd.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rules of {@code boundaries.txt} and what breaks them. */
final class Boundaries {
    private final Map<String, Integer> depths = new HashMap<>();
    private final Map<String, String> edges = new LinkedHashMap<>();
    private final Map<String, Set<String>> only = new LinkedHashMap<>();
    private final Map<String, Set<String>> libraries = new LinkedHashMap<>();
    private int layers;

    /** Reads the rules. */
    static Boundaries read(Path file) {
        Boundaries rules = new Boundaries();
        try {
            for (String line : Files.readAllLines(file)) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    rules.add(line);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return rules;
    }

    private void add(String line) {
        int colon = line.indexOf(": ");
        String name = line.substring(line.indexOf(' ') + 1, colon);
        String rest = line.substring(colon + 2);
        switch (line.substring(0, line.indexOf(' '))) {
            case "layer" -> {
                layers++;
                Arrays.stream(rest.split(" ")).forEach(member -> depths.put(member, layers));
            }
            case "only" -> only.put(name, Set.of(rest.split(" ")));
            case "edge" -> edges.put(name, rest);
            case "library" -> libraries.put(name, Set.of(rest.split(" ")));
            default -> throw new IllegalArgumentException(line);
        }
    }

    /** Everything in which the classes and the rules differ, in words. */
    List<String> broken(PackageGraph graph) {
        Set<String> broken = new TreeSet<>();
        Set<String> needed = new HashSet<>();
        graph.uses().forEach((user, classes) -> {
            if (!depths.containsKey(user)) {
                broken.add(user + " is in no layer");
            }
            for (String used : classes) {
                if (PackageGraph.isOurs(used)) {
                    inside(user, PackageGraph.packageOf(used), needed, broken);
                } else {
                    outside(user, used, needed, broken);
                }
            }
        });
        edges.keySet().stream()
                .filter(edge -> !needed.contains(edge))
                .forEach(edge -> broken.add(edge + " is not needed"));
        libraries.forEach((prefix, users) -> users.stream()
                .filter(user -> !user.equals("*") && !needed.contains(user + " uses " + prefix))
                .forEach(user -> broken.add(prefix + " is not used in " + user)));
        only.forEach((pattern, allowed) -> broken.addAll(beyond(graph, pattern, allowed)));
        broken.addAll(cycles(graph));
        return List.copyOf(broken);
    }

    private void inside(String user, String used, Set<String> needed, Set<String> broken) {
        int from = depths.getOrDefault(user, 0);
        int to = depths.getOrDefault(used, 0);
        String edge = user + " -> " + used;
        if (to < from) {
            broken.add(edge + " points upwards");
        } else if (to == from && !user.equals(used)) {
            needed.add(edge);
            if (!edges.containsKey(edge)) {
                broken.add(edge + " is not listed");
            }
        }
    }

    private void outside(String user, String used, Set<String> needed, Set<String> broken) {
        @Nullable
        String prefix = libraries.keySet().stream()
                .filter(each -> used.equals(each) || used.startsWith(each + "."))
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .orElse(null);
        if (prefix == null) {
            if (!used.startsWith("java.") && !used.startsWith("javax.")) {
                broken.add(user + " uses " + used + ", which has no line");
            }
            return;
        }
        Set<String> users = libraries.getOrDefault(prefix, Set.of());
        needed.add(user + " uses " + prefix);
        if (!users.contains("*") && !users.contains(user)) {
            broken.add(user + " uses " + prefix);
        }
    }

    /** Where a package uses more of ours than its own rule says, or less. */
    private static Set<String> beyond(PackageGraph graph, String pattern, Set<String> allowed) {
        Set<String> broken = new TreeSet<>();
        Set<String> idle = new TreeSet<>(allowed);
        graph.uses().forEach((user, classes) -> {
            if (isIn(user, pattern)) {
                classes.stream()
                        .filter(PackageGraph::isOurs)
                        .map(PackageGraph::packageOf)
                        .filter(used -> !used.equals(user))
                        .forEach(used -> {
                            idle.removeIf(each -> isIn(used, each));
                            if (allowed.stream().noneMatch(each -> isIn(used, each))) {
                                broken.add(user + " -> " + used + " is more than its rule allows");
                            }
                        });
            }
        });
        idle.forEach(each -> broken.add(pattern + " does not use " + each));
        return broken;
    }

    private static boolean isIn(String name, String pattern) {
        String family = pattern.endsWith(".*") ? pattern.substring(0, pattern.length() - 2) : pattern;
        return name.equals(family) || (!family.equals(pattern) && name.startsWith(family + "."));
    }

    /** Takes away, again and again, what uses nothing that is left; what stays goes round in a circle. */
    private static List<String> cycles(PackageGraph graph) {
        Map<String, Set<String>> left = new HashMap<>();
        graph.uses().forEach((user, classes) -> {
            Set<String> others = new TreeSet<>();
            classes.stream()
                    .filter(PackageGraph::isOurs)
                    .map(PackageGraph::packageOf)
                    .forEach(others::add);
            others.remove(user);
            left.put(user, others);
        });
        while (left.values().removeIf(Set::isEmpty)) {
            left.values().forEach(others -> others.retainAll(left.keySet()));
        }
        return left.isEmpty() ? List.of() : List.of("a cycle among " + left);
    }
}
