package dev.inboxd.chaos;

import dev.inboxd.net.FakeDns;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The service in a process of its own, as its users run it. */
public final class Service {
    private static final Pattern API = Pattern.compile("API +https?://[^/]+:(\\d+)/v0");
    private static final Pattern SMTP = Pattern.compile("SMTP +\\S+:(\\d+) .*");
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    /** No name exists: who sends is nobody's concern here, and no question leaves this machine. */
    private static final FakeDns DNS = FakeDns.start();

    private final Process process;
    private final CompletableFuture<String> key = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private volatile int httpPort;
    private volatile int smtpPort;

    /**
     * What is started, again and again in the same place.
     *
     * @param program the command that stands before {@code serve}
     * @param data its data folder
     * @param httpPort where it serves HTTP, the same at every start; 0 for any free one
     * @param smtpPort where it takes mail; 0 for any free one
     * @param settings further ones, by variable
     */
    public record Place(List<String> program, Path data, int httpPort, int smtpPort, Map<String, String> settings) {
        public Place {
            program = List.copyOf(program);
            settings = Map.copyOf(settings);
        }

        public Path log() {
            return data.resolveSibling(data.getFileName() + ".log");
        }
    }

    private Service(Process process) {
        this.process = process;
    }

    /** Starts it and returns when it says that it is ready. */
    public static Service start(Place place) {
        List<String> command = new ArrayList<>(place.program());
        command.addAll(List.of(
                "serve",
                "--data-dir",
                place.data().toString(),
                "--http-port",
                String.valueOf(place.httpPort()),
                "--smtp-port",
                String.valueOf(place.smtpPort()),
                "--submission-port",
                "0",
                "--dns-servers",
                "127.0.0.1:" + DNS.servers().getFirst().getPort()));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(place.settings());
            Service service = new Service(builder.start());
            Thread.ofVirtual().start(() -> service.read(place.log()));
            service.awaitReady(place.log());
            return service;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The first key; only at the first start in a place. */
    String key() {
        return key.join();
    }

    /** Whether this start made the first key. */
    boolean isFirst() {
        return key.isDone();
    }

    public int httpPort() {
        return httpPort;
    }

    public int smtpPort() {
        return smtpPort;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it takes new connections for HTTP. */
    boolean isListening() {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), httpPort)) {
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** kill -9 of the server alone; its database notices that by itself. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Stops the server alone, as a machine that is suspended; its database and its connections stay. */
    void freeze() {
        signal("STOP");
    }

    /** Lets a frozen server go on. */
    void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** kill -9 of every process of the database. */
    void killPostgres() {
        List<ProcessHandle> database;
        try (Stream<ProcessHandle> descendants = process.descendants()) {
            database = descendants.toList();
        }
        if (database.isEmpty()) {
            throw new IllegalStateException("The server has no database process");
        }
        database.forEach(ProcessHandle::destroyForcibly);
        database.forEach(each -> each.onExit().join());
    }

    /** kill -9 of everything at once, as near to a power loss as a process comes. */
    void killAll() {
        killPostgres();
        kill();
    }

    /** Sends SIGTERM, and does not wait. */
    void signal() {
        process.destroy();
    }

    /**
     * Asks it to stop, as an operator does.
     *
     * @return its exit status, or -1 when it did not end in time
     */
    public int terminate(Duration limit) {
        signal();
        return awaitExit(limit);
    }

    /**
     * Waits for its end.
     *
     * @return its exit status, or -1 when it did not end in time
     */
    int awaitExit(Duration limit) {
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        kill();
        return -1;
    }

    private void awaitReady(Path log) {
        try {
            ready.get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException failure) {
            kill();
            throw new IllegalStateException("The server did not get ready. It said: " + said(log), failure);
        }
    }

    private static String said(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log) : "nothing";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void read(Path log) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                Writer copy = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(line + "\n");
                copy.flush();
                String said = line.strip();
                httpPort = port(API, said, httpPort);
                smtpPort = port(SMTP, said, smtpPort);
                if (said.startsWith("Key ")) {
                    key.complete(said.split(" +", 3)[1]);
                }
                if (said.startsWith("Try")) {
                    ready.complete(true);
                }
            }
        } catch (IOException closed) {
            ready.completeExceptionally(closed);
        }
        ready.completeExceptionally(new IllegalStateException("It ended"));
    }

    private static int port(Pattern line, String said, int before) {
        Matcher match = line.matcher(said);
        return match.matches() ? Integer.parseInt(match.group(1)) : before;
    }
}
