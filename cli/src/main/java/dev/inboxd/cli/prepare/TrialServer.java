package dev.inboxd.cli.prepare;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server of this very program with a temporary data folder, on free ports of loopback, which Java watches. */
final class TrialServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(1);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 50;

    private final Path folder;
    private final Path output;
    private final Path cache;
    private final Process process;

    private TrialServer(Path folder) throws IOException {
        this.folder = folder;
        this.output = folder.resolve("output");
        this.cache = folder.resolve("cache");
        List<String> command = java();
        command.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-jar", jar(), "serve"));
        command.addAll(List.of("--data-dir", folder.resolve("data").toString()));
        command.addAll(List.of("--http-port", "0", "--smtp-port", "0", "--submission-port", "0"));
        this.process = quiet(command)
                .redirectOutput(output.toFile())
                .redirectErrorStream(true)
                .start();
        // A signal to this process ends the trial too.
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** Starts it; it is ready some seconds later. */
    static TrialServer start() throws IOException {
        // For root, PostgreSQL may run as another account, which has to enter the folder.
        return new TrialServer(Files.createTempDirectory(
                "inboxd-prepare", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x"))));
    }

    /** This Java with the options that the launcher gave it, without those about the cache. */
    static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-XX:AOT")
                        && !option.startsWith("-Xlog:aot")
                        && !option.startsWith("-D" + Preparation.PROPERTY))
                .forEach(command::add);
        return command;
    }

    static String jar() {
        return System.getProperty("java.class.path");
    }

    /** A process that gets no setting of this one, and whose output nobody reads. */
    static ProcessBuilder quiet(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().retainAll(List.of("PATH", "TMPDIR"));
        return builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    /** Waits until it is ready, and returns what it printed: its addresses and its first key. */
    String awaitReady() throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            String printed = Files.readString(output);
            // The last line of what it prints when it is ready.
            if (printed.contains("Try:")) {
                return printed;
            }
            pause();
        }
        throw new IOException("The trial server does not start:\n" + Files.readString(output));
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", stopped);
        }
    }

    /**
     * Stops it, with which Java writes the cache.
     *
     * @return the file of the cache, which is there until this is closed
     */
    Path stop() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("Java does not finish the cache");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", stopped);
        }
        if (!Files.exists(cache)) {
            throw new IOException("Java made no cache:\n" + Files.readString(output));
        }
        return cache;
    }

    /** Ends it, and deletes its folder. */
    @Override
    public void close() {
        try {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.toList().reversed()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException left) {
            // A folder for temporary files; the system clears it.
        }
    }
}
