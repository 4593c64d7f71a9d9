package dev.inboxd.rules;

import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** The tests, suites and scripts that prove something, by the ids of docs/promises.md that stand on them. */
final class Proofs {
    private static final String ANNOTATION = Proves.class.descriptorString();
    private static final String TAG = Tag.class.descriptorString();
    private static final Pattern COMMENT = Pattern.compile("\\s*(?:#|//) Proves ([PA]\\d+[a-z]?(?:, [PA]\\d+[a-z]?)*)");
    private static final Pattern CHECK = Pattern.compile("\\s*await check\\(\"([^\"]+)\".*");

    private final NavigableMap<String, Set<String>> byId = new TreeMap<>();
    /** The rows that something proves in the short form, too. */
    private final Set<String> ofShortForm = new TreeSet<>();

    private final Set<String> faults = new TreeSet<>();

    /** Those of the compiled tests below some folders, and of the programs and scripts below others. */
    static Proofs of(List<Path> classes, Path... folders) {
        Proofs proofs = new Proofs();
        SourceTree.files(classes, ".class").forEach(proofs::readClass);
        for (Path folder : folders) {
            each(folder, "", file -> proofs.readText(file.toString(), lines(file)));
        }
        return proofs;
    }

    private static void each(Path folder, String suffix, Consumer<Path> action) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(each -> each.toString().endsWith(suffix))
                    .filter(each ->
                            Files.isRegularFile(each) && !each.toString().contains("node_modules"))
                    .sorted()
                    .forEach(action);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .lines()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void readClass(Path file) {
        ClassModel model;
        try {
            model = ClassFile.of().parse(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        String internal = model.thisClass().asInternalName();
        String name = internal.substring(internal.lastIndexOf('/') + 1);
        if (!ids(model).isEmpty()) {
            require(model.methods().stream().anyMatch(Proofs::isTest), name + " has no test and proves something");
            boolean inShortForm =
                    model.methods().stream().anyMatch(method -> isTest(method) && isOfShortForm(model, method));
            add(ids(model), "`" + name + "`", inShortForm);
        }
        for (MethodModel method : model.methods()) {
            List<String> ids = ids(method);
            String test = name + "." + method.methodName().stringValue();
            require(ids.isEmpty() || isTest(method), test + " is no test and proves something");
            add(ids, "`" + test + "`", isOfShortForm(model, method));
        }
    }

    private static List<String> ids(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
                .flatMap(all -> all.annotations().stream())
                .filter(each -> each.className().stringValue().equals(ANNOTATION))
                .flatMap(each -> each.elements().stream())
                .flatMap(each -> values(each.value()))
                .toList();
    }

    private static Stream<String> values(AnnotationValue value) {
        return switch (value) {
            case AnnotationValue.OfArray array -> array.values().stream().flatMap(Proofs::values);
            case AnnotationValue.OfString text -> Stream.of(text.stringValue());
            default -> Stream.of();
        };
    }

    private static boolean isOfShortForm(ClassModel type, MethodModel method) {
        return !isLong(type) && !isLong(method);
    }

    private static boolean isLong(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(all -> all.annotations().stream())
                .filter(each -> each.className().stringValue().equals(TAG))
                .flatMap(each -> each.elements().stream())
                .flatMap(each -> values(each.value()))
                .anyMatch("long"::equals);
    }

    private static boolean isTest(MethodModel method) {
        return method.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(all -> all.annotations().stream())
                .map(Annotation::className)
                .anyMatch(each -> each.stringValue().matches("Lorg/junit/jupiter/.*Test(Factory)?;"));
    }

    /** In a suite's program that is run, in a script, and above a check of {@code suite/sdk}. */
    void readText(String file, List<String> lines) {
        for (int at = 0; at < lines.size(); at++) {
            Matcher comment = COMMENT.matcher(lines.get(at));
            if (comment.matches()) {
                String next = at + 1 < lines.size() ? lines.get(at + 1) : "";
                add(List.of(comment.group(1).split(", ")), textual(file, next), !file.endsWith("/long"));
            }
        }
    }

    private String textual(String file, String next) {
        Matcher check = CHECK.matcher(next);
        if (file.endsWith(".js")) {
            require(check.matches(), file + " proves something where no check follows");
            return "`" + file + "`: " + (check.matches() ? check.group(1) : "");
        }
        require(file.endsWith(".smtp") || Files.isExecutable(Path.of(file)), file + " is not run and proves something");
        return "`" + file.replaceFirst("^\\w+/src/test/resources/", "").replaceFirst("/run$", "") + "`";
    }

    private void add(Collection<String> ids, String proof, boolean inShortForm) {
        ids.forEach(id -> byId.computeIfAbsent(id, _ -> new TreeSet<>()).add(proof));
        if (inShortForm) {
            ofShortForm.addAll(ids);
        }
    }

    private void require(boolean right, String fault) {
        if (!right) {
            faults.add(fault);
        }
    }

    /** What is wrong between the rows of the page and the proofs, in words. */
    List<String> faults(Collection<String> rows) {
        List<String> all = new ArrayList<>(faults);
        rows.stream().filter(id -> !byId.containsKey(id)).forEach(id -> all.add(id + " has no proof"));
        byId.forEach((id, proofs) -> {
            if (!rows.contains(id)) {
                all.add(id + " is no row, and is proved by " + proofs);
            } else if (!ofShortForm.contains(id)) {
                all.add(id + " is proved in the long form alone, by " + proofs);
            }
        });
        return all;
    }

    /** Each row with its proofs. */
    List<String> table(Collection<String> rows) {
        List<String> lines = new ArrayList<>(List.of("| # | Proof |", "|---|---|"));
        rows.forEach(id -> lines.add("| " + id + " | " + String.join(", ", byId.getOrDefault(id, Set.of())) + " |"));
        return lines;
    }
}
