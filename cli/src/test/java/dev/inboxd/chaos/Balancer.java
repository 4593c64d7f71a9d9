package dev.inboxd.chaos;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Debian's HAProxy in front of nodes, as docs/operating/balancer.md says: HTTP and SMTP, both by what the nodes say of
 * their readiness, and the addresses of senders by PROXY.
 */
final class Balancer implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/haproxy");
    private static final Path SETTINGS = Path.of("docs", "operating", "haproxy.cfg");

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final int httpPort;
    private final int smtpPort;
    private final int statisticsPort;

    private Balancer(Process process, List<Integer> ports) {
        this.process = process;
        this.httpPort = ports.get(0);
        this.smtpPort = ports.get(1);
        this.statisticsPort = ports.get(2);
    }

    /** What a machine lacks to run one, in words; empty when nothing. */
    static String missing() {
        return Files.isExecutable(PROGRAM) ? "" : "needs Debian's package haproxy";
    }

    /** Starts one in front of two nodes, with the documented settings and these addresses; it listens on return. */
    static Balancer start(Path folder, Service.Place one, Service.Place two) throws IOException {
        List<Integer> ports = List.of(FreePort.find(), FreePort.find(), FreePort.find());
        String settings = Files.readString(SETTINGS)
                .replace("*:80", "127.0.0.1:" + ports.get(0))
                .replace("*:25", "127.0.0.1:" + ports.get(1))
                .replace("127.0.0.1:8404", "127.0.0.1:" + ports.get(2))
                .replace("10.0.0.11:8080", "127.0.0.1:" + one.httpPort())
                .replace("10.0.0.12:8080", "127.0.0.1:" + two.httpPort())
                .replace(
                        "10.0.0.11:2525 check port 8080",
                        "127.0.0.1:" + one.smtpPort() + " check port " + one.httpPort())
                .replace(
                        "10.0.0.12:2525 check port 8080",
                        "127.0.0.1:" + two.smtpPort() + " check port " + two.httpPort())
                .replace("mail.example.com", "localhost");
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), settings);
        Process process = new ProcessBuilder(PROGRAM.toString(), "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("haproxy.log").toFile())
                .start();
        Balancer balancer = new Balancer(process, ports);
        Deadline.await("the balancer answers", () -> !balancer.states().isEmpty());
        return balancer;
    }

    int httpPort() {
        return httpPort;
    }

    int smtpPort() {
        return smtpPort;
    }

    /** Whether it sends HTTP and mail to this node. */
    boolean isUp(String node) {
        List<String> states = states();
        return states.contains("api " + node + " UP") && states.contains("mail " + node + " UP");
    }

    /** Its servers as {@code backend server state}; none while it does not answer. */
    private List<String> states() {
        URI statistics = URI.create("http://127.0.0.1:" + statisticsPort + "/;csv");
        try {
            return http.send(HttpRequest.newBuilder(statistics).build(), HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .map(line -> line.split(",", -1))
                    .filter(fields -> fields.length > 17)
                    .map(fields -> fields[0] + " " + fields[1] + " " + fields[17])
                    .toList();
        } catch (IOException starting) {
            return List.of();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        http.close();
    }
}
