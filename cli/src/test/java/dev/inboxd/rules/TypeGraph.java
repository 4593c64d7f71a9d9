package dev.inboxd.rules;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which top-level types each of ours uses, as the compiler left it in the class files; a nested type is part of the one
 * around it.
 *
 * @param uses by the name of the type
 */
record TypeGraph(Map<String, Set<String>> uses) {
    /** Reads every class below some folders. */
    static TypeGraph of(List<Path> classes) {
        Map<String, Set<String>> uses = new TreeMap<>();
        try {
            for (Path file : SourceTree.files(classes, ".class")) {
                ClassModel model = ClassFile.of().parse(file);
                String type = topLevel(model.thisClass().asInternalName().replace('/', '.'));
                Set<String> used = new TreeSet<>();
                PackageGraph.collect(model, used);
                used.stream()
                        .filter(PackageGraph::isOurs)
                        .map(TypeGraph::topLevel)
                        .filter(each -> !each.equals(type))
                        .forEach(uses.computeIfAbsent(type, _ -> new TreeSet<>())::add);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return new TypeGraph(uses);
    }

    private static String topLevel(String className) {
        int nested = className.indexOf('$');
        return nested < 0 ? className : className.substring(0, nested);
    }

    /** The sets of types of which each uses every other, directly or through others of the set, with two or more. */
    List<NavigableSet<String>> knots() {
        return new Components().all();
    }

    /** The strongly connected components, by Tarjan's algorithm. */
    private final class Components {
        private final Map<String, Integer> numbers = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<NavigableSet<String>> components = new ArrayList<>();

        List<NavigableSet<String>> all() {
            for (String type : uses.keySet()) {
                if (!numbers.containsKey(type)) {
                    visit(type);
                }
            }
            return components;
        }

        private void visit(String type) {
            int number = numbers.size();
            numbers.put(type, number);
            lowest.put(type, number);
            open.push(type);
            for (String used : uses.getOrDefault(type, Set.of())) {
                if (!numbers.containsKey(used)) {
                    visit(used);
                    lowest.merge(type, lowest.getOrDefault(used, number), Math::min);
                } else if (open.contains(used)) {
                    lowest.merge(type, numbers.getOrDefault(used, number), Math::min);
                }
            }
            if (lowest.getOrDefault(type, number) == number) {
                close(type);
            }
        }

        private void close(String root) {
            NavigableSet<String> component = new TreeSet<>();
            String type;
            do {
                type = open.pop();
                component.add(type);
            } while (!type.equals(root));
            if (component.size() > 1) {
                components.add(component);
            }
        }
    }
}
