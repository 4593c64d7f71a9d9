package dev.inboxd.rules;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which classes each package uses, as the compiler left it in the class files.
 *
 * @param uses by package, shortened to what follows {@code dev.inboxd.}; {@code root} is that package itself
 */
record PackageGraph(Map<String, Set<String>> uses) {
    private static final String ROOT = "dev.inboxd";

    /** Reads every class below some folders. */
    static PackageGraph of(List<Path> classes) {
        Map<String, Set<String>> uses = new TreeMap<>();
        try {
            for (Path file : SourceTree.files(classes, ".class")) {
                ClassModel model = ClassFile.of().parse(file);
                String name = model.thisClass().asInternalName().replace('/', '.');
                collect(model, uses.computeIfAbsent(packageOf(name), _ -> new TreeSet<>()));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return new PackageGraph(uses);
    }

    /** The short name of a class's package. */
    static String packageOf(String className) {
        String name = className.substring(0, className.lastIndexOf('.'));
        return name.equals(ROOT) ? "root" : name.substring(ROOT.length() + 1);
    }

    /** Whether a class is our own. */
    static boolean isOurs(String className) {
        return className.startsWith(ROOT + ".");
    }

    /** Adds every class that a class names. */
    static void collect(ClassModel model, Set<String> used) {
        for (PoolEntry entry : model.constantPool()) {
            switch (entry) {
                case ClassEntry type -> collect(type.asInternalName(), used);
                case NameAndTypeEntry member -> collect(member.type().stringValue(), used);
                case MethodTypeEntry type -> collect(type.descriptor().stringValue(), used);
                default -> {}
            }
        }
        model.fields().forEach(field -> collect(field.fieldType().stringValue(), used));
        model.methods().forEach(method -> collect(method.methodType().stringValue(), used));
    }

    /** A class's name, an array's, or a descriptor with several: {@code (ILjava/lang/String;)V}. */
    private static void collect(String text, Set<String> used) {
        if (text.startsWith("[") || text.startsWith("(") || text.endsWith(";")) {
            int start = text.indexOf('L');
            while (start >= 0) {
                int end = text.indexOf(';', start);
                used.add(text.substring(start + 1, end).replace('/', '.'));
                start = text.indexOf('L', end);
            }
        } else if (text.contains("/")) {
            used.add(text.replace('/', '.'));
        }
    }
}
