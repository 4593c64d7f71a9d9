import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The test classes of all modules, run by Maven's Surefire, and the reports that it writes. */
final class UnitTests {
    /** Maven only starts the Java of the tests and reads its reports. */
    static final String MAVEN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final Pattern SHOWN = Pattern.compile("(Tests run:.* in |\\[ERROR).*");
    private static final Pattern NOISE =
            Pattern.compile("\\[ERROR\\] (|(Failed to execute|See|To see|Re-run|For more|-> |\\[Help).*)");

    private final Path root;
    private final boolean everything;
    private final Map<String, TestClass> classes = new TreeMap<>();
    private final List<String> skipped = new ArrayList<>();

    /**
     * A class that ran.
     *
     * @param seconds of its latest run
     */
    record TestClass(String name, int passed, int failed, double seconds) {}

    UnitTests(Path root, boolean everything) {
        this.root = root;
        this.everything = everything;
    }

    Collection<TestClass> classes() {
        return classes.values();
    }

    List<String> skipped() {
        return skipped;
    }

    /** Those that may run beside others. */
    Run shared() throws IOException, InterruptedException {
        String excluded = everything ? "alone" : "alone,long";
        return new Run("unit", List.of("-Dexcluded.groups=" + excluded)).start();
    }

    /** Those that measure processor time, one after the other. */
    Run alone() throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("-Dincluded.groups=alone", "-Dunit.tests.forks=1"));
        if (everything) {
            options.add("-Dexcluded.groups=");
        }
        return new Run("alone", options).start();
    }

    /** One run of Surefire. */
    final class Run {
        private final String name;
        private final List<String> options;
        private final Map<String, TestClass> ran = new TreeMap<>();
        private boolean broken;
        private Duration time = Duration.ZERO;

        private Run(String name, List<String> options) {
            this.name = name;
            this.options = List.copyOf(options);
        }

        int passed() {
            return ran.values().stream().mapToInt(TestClass::passed).sum();
        }

        int failed() {
            return ran.values().stream().mapToInt(TestClass::failed).sum() + (broken ? 1 : 0);
        }

        Duration time() {
            return time;
        }

        Set<String> failing() {
            Set<String> failing = new TreeSet<>();
            ran.values().stream().filter(each -> each.failed() > 0).forEach(each -> failing.add(each.name()));
            return failing;
        }

        /** Runs some classes once more, by themselves; the result is this run with their second results. */
        Run again(Set<String> failing) throws IOException, InterruptedException {
            Run second = new Run(
                            name + "-again",
                            List.of(
                                    "-Dtest=" + String.join(",", failing),
                                    "-Dunit.tests.forks=1",
                                    "-Dexcluded.groups="))
                    .start();
            Run whole = new Run(name, options);
            whole.ran.putAll(ran);
            whole.ran.putAll(second.ran);
            whole.broken = second.broken;
            whole.time = time.plus(second.time);
            return whole;
        }

        /** What the build left under such a name, or nothing; an empty cache is one that could not be made. */
        private String built(String name) throws IOException {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(root.resolve("target"), name)) {
                for (Path file : files) {
                    if (Files.size(file) > 0) {
                        return file.toString();
                    }
                }
            }
            return "";
        }

        private Run start() throws IOException, InterruptedException {
            Path reports = root.resolve("target/reports-" + name);
            clear(reports);
            List<String> command = new ArrayList<>(
                    List.of("mvn", "-B", "test", "-Dcompiled=true", "-Dmaven.test.failure.ignore=true"));
            command.add("-Dunit.tests.reports=" + reports);
            command.add("-Dunit.tests.everything=" + everything);
            // Most code of tests runs too seldom for the second compiler, which took a third of the processor time.
            command.add("-Dunit.tests.tier=" + (name.startsWith("alone") ? 4 : 1));
            command.add("-Dunit.tests.jar=" + built("inboxd-*.jar"));
            command.add("-Dunit.tests.cache=" + built("inboxd-*.aot"));
            command.addAll(options);
            long start = System.nanoTime();
            ProcessBuilder builder =
                    new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true);
            builder.environment().putIfAbsent("MAVEN_OPTS", MAVEN);
            Process process = builder.start();
            TimeLimit.watch(process, everything, root.resolve("target/test-" + name + "-threads.txt"));
            Path log = root.resolve("target/test-" + name + ".log");
            try (BufferedReader lines = process.inputReader();
                    var writer = Files.newBufferedWriter(log)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    writer.write(line + "\n");
                    String plain = line.replaceFirst("^\\[(INFO|WARNING)\\] ", "");
                    if (SHOWN.matcher(plain).lookingAt()
                            && !NOISE.matcher(plain).matches()) {
                        System.out.println(plain);
                    }
                }
            }
            boolean succeeded = process.waitFor() == 0;
            time = Duration.ofNanos(System.nanoTime() - start);
            read(reports);
            classes.putAll(ran);
            if (ran.isEmpty() || (!succeeded && failing().isEmpty())) {
                broken = true;
                System.out.println("The tests ended early; Maven's output is in " + root.relativize(log));
            }
            return this;
        }

        private void read(Path reports) throws IOException {
            if (!Files.isDirectory(reports)) {
                return;
            }
            try (var files = Files.newDirectoryStream(reports, "TEST-*.xml")) {
                for (Path file : files) {
                    Element suite = DocumentBuilderFactory.newDefaultInstance()
                            .newDocumentBuilder()
                            .parse(file.toFile())
                            .getDocumentElement();
                    int failed = number(suite, "failures") + number(suite, "errors");
                    int passed = number(suite, "tests") - failed - number(suite, "skipped");
                    double seconds =
                            Double.parseDouble(suite.getAttribute("time").replace(",", ""));
                    String test = suite.getAttribute("name");
                    ran.put(test, new TestClass(test, passed, failed, seconds));
                    addSkipped(suite.getElementsByTagName("skipped"));
                }
            } catch (ParserConfigurationException | SAXException unreadable) {
                throw new IOException(unreadable);
            }
        }
    }

    private void addSkipped(NodeList elements) {
        for (int i = 0; i < elements.getLength(); i++) {
            Element test = (Element) elements.item(i).getParentNode();
            skipped.add(test.getAttribute("classname") + "." + test.getAttribute("name"));
        }
    }

    private static int number(Element suite, String attribute) {
        return Integer.parseInt(suite.getAttribute(attribute));
    }

    static void clear(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
