package dev.inboxd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.memory.HeapShare;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heap that the launcher gives Java, on machines of several sizes. */
class LauncherMemoryTest {
    private static final int WAIT = 10_000;
    private static final long MAIL_OF_ONE_MEBIBYTE = 4_210_688;

    @TempDir
    private Path folder;

    /** A checkout whose Java prints its command line, on a machine whose figures stand in files. */
    @BeforeEach
    void install() throws IOException {
        String start = Files.readString(Path.of("deploy/start.sh"));
        assertThat(start).contains(" /proc/meminfo", "\"/sys/fs/cgroup");
        Path java = folder.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25\"\nJAVA_RUNTIME_VERSION=\"25\"\n");
        Path checkout = Files.createDirectories(folder.resolve("checkout/src/main"));
        Files.writeString(folder.resolve("checkout/pom.xml"), "");
        Path jar = folder.resolve("checkout/target/inboxd-0.jar");
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "");
        Path launcher = checkout.resolve("../../inboxd").normalize();
        Files.copy(Path.of("inboxd"), launcher);
        Files.writeString(
                Files.createDirectories(folder.resolve("checkout/deploy")).resolve("start.sh"),
                start.replace("/proc/", folder + "/proc/").replace("/sys/fs/", folder + "/sys/fs/"));
        for (Path program : List.of(java, launcher)) {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        }
        machine(8_192);
    }

    private void machine(int megabytes) throws IOException {
        Files.createDirectories(folder.resolve("proc/self"));
        Files.writeString(folder.resolve("proc/meminfo"), "MemTotal:       " + megabytes * 1024L + " kB\n");
    }

    private void limit(String group, String octets) throws IOException {
        Path file = folder.resolve("sys/fs/cgroup" + group + "/memory.max");
        Files.createDirectories(file.getParent());
        Files.writeString(file, octets + "\n");
    }

    private String run(String memory) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(folder.resolve("checkout/inboxd").toString(), "version").redirectErrorStream(true);
        builder.environment().remove("INBOXD_JAVA_OPTS");
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().put("INBOXD_MEMORY", memory);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? heap(said) : said;
    }

    private static String heap(String commandLine) {
        return Arrays.stream(commandLine.split(" "))
                .filter(option -> option.startsWith("-Xmx"))
                .findFirst()
                .orElseThrow()
                .substring(4);
    }

    @Test
    void withoutTheSettingTheHeapIsSmallWhateverTheMachine() throws Exception {
        assertThat(run("")).isEqualTo("208m");
        assertThat(run("3g")).isEqualTo("3g");
    }

    @Test
    void aQuarterOfWhatTheMachineOrItsGroupsAllowIsTheHeap() throws Exception {
        assertThat(run("auto")).isEqualTo("2048m");
        Files.writeString(folder.resolve("proc/self/cgroup"), "0::/system.slice/inboxd.service\n");
        limit("/system.slice/inboxd.service", "max");
        limit("/system.slice", String.valueOf(4L << 30));
        assertThat(run("auto")).isEqualTo("1024m");
        limit("/system.slice/inboxd.service", String.valueOf(2L << 30));
        assertThat(run("auto")).isEqualTo("512m");
        limit("", String.valueOf(1L << 30));
        assertThat(run("auto")).isEqualTo("256m");
    }

    @Test
    void containersOfTheOlderKindAreSeen() throws Exception {
        Path file = folder.resolve("sys/fs/cgroup/memory/memory.limit_in_bytes");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "9223372036854771712\n");
        assertThat(run("auto")).isEqualTo("2048m");
        Files.writeString(file, (3L << 30) + "\n");
        assertThat(run("auto")).isEqualTo("768m");
    }

    @Test
    void anotherWordIsRefusedWithWhatIsAllowed() throws Exception {
        assertThat(run("plenty")).contains("INBOXD_MEMORY is \"plenty\"; allowed: auto");
    }

    /** The figures of docs/operating.md follow from the launcher and from the shares of the heap. */
    @Test
    void theTableForOperatorsHasTheRightFigures() throws Exception {
        List<String> rows = Files.readAllLines(Path.of("docs/operating.md")).stream()
                .filter(line -> line.matches("\\| \\d+ (MB|GB)( and more)? \\|.*"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(4);
        for (String row : rows) {
            String[] cells = row.replace(",", "").split(" *\\| *", -1);
            String[] size = cells[1].split(" ", -1);
            machine(Integer.parseInt(size[0]) * (size[1].equals("GB") ? 1024 : 1));
            int megabytes = Integer.parseInt(cells[2].replace(" MB", ""));
            long heap = (long) megabytes << 20;
            assertThat(run("auto")).as(row).isEqualTo(megabytes + "m");
            assertThat(Integer.parseInt(cells[3])).as(row).isEqualTo(rounded(HeapShare.LISTENERS.of(heap) / WAIT));
            assertThat(Integer.parseInt(cells[4])).as(row).isEqualTo((int)
                    (HeapShare.MAIL.of(heap) / MAIL_OF_ONE_MEBIBYTE));
        }
    }

    private static int rounded(long number) {
        return (int) (number / 1_000 * 1_000);
    }
}
