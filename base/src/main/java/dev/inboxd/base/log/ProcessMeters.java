package dev.inboxd.base.log;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What the process and its Java take. Nothing is loaded before the first scrape. Figures that this system does not tell
 * are left out or not a number.
 */
public final class ProcessMeters {
    private static final Path SELF = Path.of("/proc/self");
    private static final double SECONDS = 1e3;
    private static final int KILO = 1024;

    private final Metrics metrics;

    /** Nothing is measured yet. */
    public ProcessMeters(Metrics metrics) {
        this.metrics = metrics;
    }

    /** Measures from now on, under the names that all clients of Prometheus use for these. */
    public void watch() {
        process();
        if (Files.isReadable(SELF.resolve("status"))) {
            files();
        }
        java();
    }

    private void process() {
        ProcessHandle.Info info = ProcessHandle.current().info();
        info.startInstant()
                .ifPresent(start -> metrics.level(
                        "process.start.time.seconds",
                        "When the process began, in seconds since 1970",
                        () -> start.toEpochMilli() / SECONDS));
        metrics.counted(
                "process.cpu.seconds",
                "Processor time of the process",
                () -> ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .map(time -> time.toMillis() / SECONDS)
                        .orElse(Double.NaN));
    }

    private void files() {
        metrics.level(
                "process.resident.memory.bytes",
                "Memory of the process, without PostgreSQL's",
                () -> status("VmRSS:") * KILO);
        metrics.level("process.virtual.memory.bytes", "Address space of the process", () -> status("VmSize:") * KILO);
        metrics.level("process.open.fds", "Open files and sockets", ProcessMeters::open);
        metrics.level("process.max.fds", "Most open files and sockets", ProcessMeters::mostOpen);
    }

    private void java() {
        Runtime runtime = Runtime.getRuntime();
        metrics.level(
                "jvm.memory.heap.used.bytes",
                "Used heap, with what the next collection frees",
                () -> runtime.totalMemory() - runtime.freeMemory());
        metrics.level("jvm.memory.heap.committed.bytes", "Heap that the system gave", runtime::totalMemory);
        metrics.level("jvm.memory.heap.max.bytes", "Largest heap", runtime::maxMemory);
        metrics.level(
                "jvm.memory.nonheap.used.bytes",
                "Memory of classes and compiled code",
                () -> ManagementFactory.getMemoryMXBean()
                        .getNonHeapMemoryUsage()
                        .getUsed());
        metrics.level(
                "jvm.threads",
                "Threads of the system; virtual ones are not counted",
                () -> ManagementFactory.getThreadMXBean().getThreadCount());
        metrics.counted(
                "jvm.gc.collections", "Collections of garbage", () -> sum(GarbageCollectorMXBean::getCollectionCount));
        metrics.counted(
                "jvm.gc.collection.seconds",
                "Time of the collections of garbage",
                () -> sum(GarbageCollectorMXBean::getCollectionTime) / SECONDS);
    }

    private static double sum(ToLongFunction<GarbageCollectorMXBean> figure) {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(figure)
                .filter(value -> value >= 0)
                .sum();
    }

    /** A figure of the kernel in kilobytes. */
    private static double status(String name) {
        return figure("status", name);
    }

    private static double mostOpen() {
        return figure("limits", "Max open files");
    }

    private static double figure(String file, String name) {
        try (Stream<String> lines = Files.lines(SELF.resolve(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip().split(" ", 2)[0])
                    .mapToDouble(Double::parseDouble)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException | RuntimeException unknown) {
            return Double.NaN;
        }
    }

    private static double open() {
        try (Stream<Path> files = Files.list(SELF.resolve("fd"))) {
            return files.count();
        } catch (IOException | RuntimeException unknown) {
            return Double.NaN;
        }
    }

    /** The free and the whole space of the file system of a folder, looked at every few seconds at most. */
    public void watchDisk(Path folder) {
        FigureCache<long[]> space = new FigureCache<>("the disk", Duration.ofSeconds(5), () -> {
            try {
                var store = Files.getFileStore(folder);
                return new long[] {store.getUsableSpace(), store.getTotalSpace()};
            } catch (IOException away) {
                throw new IllegalStateException("The disk does not say how full it is: " + away.getMessage(), away);
            }
        });
        metrics.level(
                "inboxd.disk.free.bytes", "Free space of the data folder", () -> space.value(octets -> octets[0]));
        metrics.level(
                "inboxd.disk.size.bytes",
                "Size of the file system of the data folder",
                () -> space.value(octets -> octets[1]));
    }
}
