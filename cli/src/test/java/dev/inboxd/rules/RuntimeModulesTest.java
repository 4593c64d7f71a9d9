package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** deploy/modules.txt has the modules of Java that the program needs, and each of the others for a reason. */
class RuntimeModulesTest {
    @Test
    void theListHasWhatTheClassesReferTo() throws IOException {
        assertThat(listed("found")).isEqualTo(referredTo(SourceTree.CLASSES));
    }

    @Test
    void whatIsAddedIsThereAndHasAReason() throws IOException {
        assertThat(listed("added"))
                .isNotEmpty()
                .allMatch(name -> ModuleFinder.ofSystem().find(name).isPresent());
        assertThat(lines("added")).allMatch(line -> line.split("\\s+").length > 5);
        assertThat(listed("added")).doesNotContainAnyElementsOf(listed("found"));
    }

    /** The tests, of the last module alone, refer to what the program does not, such as the compiler. */
    @Test
    void aModuleMoreIsSeen() {
        assertThat(referredTo(List.of(SourceTree.TEST_CLASSES.getLast()))).contains("jdk.compiler");
    }

    private static Set<String> referredTo(List<Path> classes) {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said, true);
        List<String> arguments = new ArrayList<>(List.of(
                "--multi-release", "base", "--ignore-missing-deps", "--print-module-deps", "--class-path", jars()));
        classes.forEach(folder -> arguments.add(folder.toString()));
        int status = ToolProvider.findFirst("jdeps").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        assertThat(status).as("%s", said).isZero();
        return new TreeSet<>(List.of(said.toString().strip().split(",")));
    }

    private static String jars() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(each -> each.endsWith(".jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static List<String> lines(String kind) throws IOException {
        return Files.readAllLines(Path.of("deploy/modules.txt")).stream()
                .filter(line -> line.startsWith(kind + " "))
                .toList();
    }

    private static Set<String> listed(String kind) throws IOException {
        Set<String> names = new TreeSet<>();
        lines(kind).forEach(line -> names.add(line.split("\\s+", 3)[1]));
        return names;
    }
}
