package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every method is called by the program. One that only tests call is in the list: mostly what the library of mail
 * offers its users, and states that tests wait for.
 */
class UnusedMethodsTest {
    private static final ExceptionList EXCEPTIONS =
            ExceptionList.read(Path.of("cli/src/test/resources/unused-methods.txt"));

    /** Called by the Java runtime and its libraries. */
    private static final Set<String> BY_OTHERS =
            Set.of("main", "values", "valueOf", "equals", "hashCode", "toString", "compareTo", "close");

    /** Methods of one name and type in one class. */
    private record Signature(String owner, String name, String type) {}

    private final Map<String, ClassModel> classes = new HashMap<>();
    private final Map<String, Set<String>> above = new HashMap<>();
    private final Set<Signature> called = new HashSet<>();

    @Test
    void everyMethodIsCalledByTheProgram() throws IOException {
        for (Path folder : SourceTree.CLASSES) {
            for (Path file : SourceTree.files(List.of(folder), ".class")) {
                ClassModel type = ClassFile.of().parse(file);
                classes.put(type.thisClass().asInternalName(), type);
            }
        }
        classes.values().forEach(this::addCalls);
        NavigableMap<String, String> unused = new TreeMap<>();
        for (ClassModel type : classes.values()) {
            if (!type.thisClass().asInternalName().contains("/template/")) {
                type.methods().stream()
                        .filter(method -> !isCalled(type, method))
                        .forEach(method -> unused.put(
                                type.thisClass().asInternalName().replaceFirst(".*/", "") + " "
                                        + method.methodName().stringValue(),
                                "no other class of the program calls it, nor its own"));
            }
        }
        assertThat(EXCEPTIONS.difference(unused)).isEmpty();
    }

    /** A call names the type that the caller sees, which may stand above or below the one that has the method. */
    private void addCalls(ClassModel type) {
        type.constantPool().forEach(entry -> {
            if (entry instanceof MemberRefEntry member
                    && member.type().stringValue().startsWith("(")) {
                called.add(new Signature(
                        member.owner().asInternalName(),
                        member.name().stringValue(),
                        member.type().stringValue()));
            }
        });
    }

    private boolean isCalled(ClassModel type, MethodModel method) {
        String name = method.methodName().stringValue();
        String owner = type.thisClass().asInternalName();
        if (method.flags().has(AccessFlag.SYNTHETIC)
                || name.startsWith("<")
                || BY_OTHERS.contains(name)
                || isAccessor(type, name)
                || method.findAttribute(Attributes.runtimeVisibleAnnotations()).isPresent()) {
            return true;
        }
        Set<String> supertypes = above(owner);
        boolean overrides = supertypes.stream()
                .anyMatch(each -> !classes.containsKey(each)
                        ? !method.flags().has(AccessFlag.PRIVATE)
                        : classes.get(each).methods().stream()
                                .anyMatch(other -> other.methodName().equalsString(name)));
        if (overrides) {
            return true;
        }
        String descriptor = method.methodType().stringValue();
        return Stream.concat(
                        Stream.concat(Stream.of(owner), supertypes.stream()),
                        classes.keySet().stream().filter(each -> above(each).contains(owner)))
                .anyMatch(each -> called.contains(new Signature(each, name, descriptor)));
    }

    /** Of a record. */
    private static boolean isAccessor(ClassModel type, String name) {
        return type.findAttribute(Attributes.record()).stream()
                .flatMap(record -> record.components().stream())
                .anyMatch(component -> component.name().equalsString(name));
    }

    /** The types that a type extends or implements, but for those that every class or record has. */
    private Set<String> above(String name) {
        Set<String> known = above.get(name);
        if (known != null) {
            return known;
        }
        Set<String> found = new HashSet<>();
        Optional.ofNullable(classes.get(name)).ifPresent(type -> {
            List<String> direct = new ArrayList<>();
            type.superclass().map(ClassEntry::asInternalName).ifPresent(direct::add);
            type.interfaces().forEach(each -> direct.add(each.asInternalName()));
            direct.removeIf(Set.of("java/lang/Object", "java/lang/Record", "java/lang/Enum")::contains);
            found.addAll(direct);
            direct.forEach(each -> found.addAll(above(each)));
        });
        above.put(name, found);
        return found;
    }
}
