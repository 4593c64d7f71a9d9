package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files below deploy fit the service: its settings, ports, paths, account, and the time of a stop. */
class DeploymentTest {
    private static final Path DEPLOY = Path.of("deploy");
    private static final String DATA = "/var/lib/inboxd";
    private static final String PROGRAM = "/opt/inboxd/bin/inboxd";
    private static final int USER = 10001;
    /** What a stop takes beside INBOXD_DRAIN (docs/operating.md). */
    private static final int STOP_SECONDS = 40;

    private static final String KEY = "3f9a61c0d7e24b5889b1f2c47a6d0e3592c8";

    @TempDir
    private Path folder;

    private final Map<String, String> image = dockerfileVariables();

    @Test
    void theImageStartsTheProgramInProductionAsAnAccountOfItsOwn() throws IOException {
        String file = read("Dockerfile");
        assertThat(file)
                .contains("USER " + USER + ":" + USER, "VOLUME " + DATA, "ENTRYPOINT [\"" + PROGRAM + "\"]", "/healthz")
                .contains("--uid " + USER, "--gid " + USER, "ADD inboxd-*-linux-*.tar.gz");
        assertThat(image).containsEntry("INBOXD_MODE", "production").containsEntry("INBOXD_DATA_DIR", DATA);
        Settings.Network network = settings(compose()).network();
        assertThat(file)
                .contains(
                        "EXPOSE %d %d %d\n".formatted(network.httpPort(), network.smtpPort(), network.submissionPort()))
                .contains("/dev/tcp/127.0.0.1/" + network.httpPort());
    }

    /** As RFC 9112 §2.1 has a line of the status; a probe that says nothing would never fail. */
    @Test
    void theHealthCheckOfTheImageIsACommandThatFailsWhereNothingListens() throws Exception {
        Matcher command = Pattern.compile("CMD \\[\"bash\", \"-c\", \"(.*)\"]").matcher(read("Dockerfile"));
        assertThat(command.find()).isTrue();
        String script =
                command.group(1).replace("\\\\", "\\").replace("\\\"", "\"").replace("/8080", "/1");
        assertThat(new ProcessBuilder("bash", "-n", "-c", script).start().waitFor())
                .isZero();
        assertThat(new ProcessBuilder("bash", "-c", script).start().waitFor()).isNotZero();
    }

    @Test
    void theProxyOfComposeGivesTheServerItsPublicUrl() throws IOException {
        Map<String, Object> inboxd = map(map(compose(), "services"), "inboxd");
        Map<String, Object> proxy = map(map(compose(), "services"), "proxy");
        Settings settings = settings(compose());
        assertThat(settings.names().publicUrl()).hasValue(URI.create("https://mail.example.com"));
        assertThat(read("Caddyfile"))
                .contains("{$MAIL_HOST}, {$CONTENT_HOST} {")
                .contains("reverse_proxy inboxd:" + settings.network().httpPort());
        showsFormattedMailAndMetrics(settings);
        assertThat(map(proxy, "environment")).containsKeys("MAIL_HOST", "CONTENT_HOST");
        assertThat(settings.network().trustedProxies().toString())
                .contains(text(map(map(proxy, "networks"), "front"), "ipv4_address"));
        assertThat(inboxd.get("ports"))
                .isEqualTo(List.of(
                        "25:" + settings.network().smtpPort(),
                        "587:" + settings.network().submissionPort(),
                        "127.0.0.1:9090:9090"));
        assertThat(inboxd.get("volumes")).isEqualTo(List.of("data:" + DATA));
        assertThat(seconds(text(inboxd, "stop_grace_period")))
                .isGreaterThanOrEqualTo((int) settings.drain().toSeconds() + STOP_SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes.yaml", "kubernetes-nodes.yaml"})
    void theManifestStartsStopsAndProbesTheServerAsItNeeds(String file) throws IOException {
        List<Map<String, Object>> documents = documents(file);
        Map<String, Object> pod = map(map(map(documents.getFirst(), "spec"), "template"), "spec");
        Map<String, Object> container = list(pod, "containers").getFirst();
        Map<String, String> variables = new TreeMap<>(image);
        list(container, "env").forEach(each -> variables.put(text(each, "name"), text(each, "value")));
        Settings settings = read(variables);
        Settings.Network network = settings.network();
        assertThat(list(container, "ports"))
                .extracting(each -> each.get("name") + " " + each.get("containerPort"))
                .containsExactly(
                        "http " + network.httpPort(),
                        "smtp " + network.smtpPort(),
                        "submission " + network.submissionPort(),
                        "metrics 9090");
        showsFormattedMailAndMetrics(settings);
        assertThat(hosts(documents)).containsExactly("mail.example.com", "mail-content.example.net");
        assertThat(number(pod, "terminationGracePeriodSeconds"))
                .isGreaterThanOrEqualTo((int) settings.drain().toSeconds() + STOP_SECONDS);
        Map<String, Object> readiness = map(container, "readinessProbe");
        assertThat(number(readiness, "periodSeconds") * number(readiness, "failureThreshold"))
                .as("the balancer notices before the server takes no more")
                .isLessThan((int) settings.drain().toSeconds());
        for (String probe : List.of("startupProbe", "readinessProbe")) {
            assertThat(map(map(container, probe), "httpGet")).containsEntry("path", "/healthz");
        }
        assertThat(map(pod, "securityContext")).containsEntry("runAsUser", USER);
        // A service of this name would bring variables that stop the start as unknown settings.
        assertThat(pod).containsEntry("enableServiceLinks", false);
        assertThat(list(container, "volumeMounts"))
                .extracting(each -> each.get("mountPath"))
                .contains(DATA);
        assertThat(targets(documents)).containsExactly("http", "smtp", "submission");
    }

    /** Formatted mail has an origin of its own, and the port of metrics can be reached from without the container. */
    private static void showsFormattedMailAndMetrics(Settings settings) {
        assertThat(settings.console().contentUrl()).hasValue(URI.create("https://mail-content.example.net"));
        assertThat(settings.network().admin().bind().isAnyLocalAddress()).isTrue();
        assertThat(settings.network().admin().port()).hasValue(9090);
    }

    /** The names that the ingress passes on. */
    private static List<String> hosts(List<Map<String, Object>> documents) {
        return documents.stream()
                .filter(each -> "Ingress".equals(each.get("kind")))
                .flatMap(each -> list(map(each, "spec"), "rules").stream())
                .map(rule -> text(rule, "host"))
                .toList();
    }

    @Test
    void theUnitOfSystemdStartsTheServerInProduction() throws IOException {
        String unit = read("inboxd.service");
        Map<String, String> variables = new TreeMap<>();
        Matcher environment = Pattern.compile("(?m)^Environment=(\\w+)=(.*)$").matcher(unit);
        while (environment.find()) {
            variables.put(environment.group(1), environment.group(2));
        }
        assertThat(variables).containsEntry("INBOXD_DATA_DIR", DATA);
        variables.put("INBOXD_PUBLIC_URL", "https://mail.example.com");
        variables.put("INBOXD_DOMAIN", "example.com");
        variables.put("INBOXD_SECRET_KEY", KEY);
        Settings settings = read(variables);
        assertThat(settings.mode()).isEqualTo(Settings.Mode.PRODUCTION);
        assertThat(unit).contains("ExecStart=" + PROGRAM + " serve", "StateDirectory=inboxd\n", "CAP_NET_BIND_SERVICE");
        Matcher stop = Pattern.compile("TimeoutStopSec=(\\d+)").matcher(unit);
        assertThat(stop.find()).isTrue();
        assertThat(Integer.parseInt(stop.group(1)))
                .isGreaterThanOrEqualTo((int) settings.drain().toSeconds() + STOP_SECONDS);
    }

    /** Whoever has one of these files finds the others beside it in the package. */
    @Test
    void thePackageHasEachOfThem() throws IOException {
        String packing = read("package/Package.java");
        for (String file : List.of(
                "inboxd.service",
                "Dockerfile",
                "compose.yaml",
                "Caddyfile",
                "kubernetes.yaml",
                "kubernetes-nodes.yaml")) {
            assertThat(packing).contains('"' + file + '"');
        }
    }

    private static List<String> targets(List<Map<String, Object>> documents) {
        List<String> targets = new ArrayList<>();
        for (Map<String, Object> each : documents) {
            if ("Service".equals(each.get("kind"))) {
                list(map(each, "spec"), "ports").forEach(port -> targets.add(text(port, "targetPort")));
            }
        }
        return targets;
    }

    private Settings settings(Map<String, Object> compose) throws IOException {
        Map<String, String> variables = new TreeMap<>(image);
        map(map(map(compose, "services"), "inboxd"), "environment")
                .forEach((name, value) -> variables.put(
                        name,
                        value.toString()
                                .replaceAll("\\$\\{MAIL_HOST[^}]*}", "mail.example.com")
                                .replaceAll("\\$\\{CONTENT_HOST[^}]*}", "mail-content.example.net")
                                .replaceAll("\\$\\{MAIL_DOMAIN[^}]*}", "example.com")));
        return read(variables);
    }

    /** Reads settings as a start does, which refuses unknown and unsafe ones; files are made. */
    private Settings read(Map<String, String> variables) throws IOException {
        for (Map.Entry<String, String> each : variables.entrySet()) {
            if (each.getKey().endsWith("_FILE")) {
                Path file = folder.resolve(each.getKey());
                Files.writeString(file, each.getKey().contains("DATABASE") ? "postgres://u:p@db.example/inboxd" : KEY);
                each.setValue(file.toString());
            }
        }
        return Settings.read(variables, Map.of());
    }

    private static Map<String, String> dockerfileVariables() {
        Map<String, String> variables = new TreeMap<>();
        try (Stream<String> lines = Files.lines(DEPLOY.resolve("Dockerfile"))) {
            lines.filter(line -> line.startsWith("ENV ")).forEach(line -> {
                for (String each : line.substring(4).split(" ", -1)) {
                    variables.put(each.split("=", 2)[0], each.split("=", 2)[1]);
                }
            });
            return variables;
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static int seconds(String text) {
        return Integer.parseInt(text.replace("s", ""));
    }

    private static String read(String file) throws IOException {
        return Files.readString(DEPLOY.resolve(file));
    }

    private static Map<String, Object> compose() throws IOException {
        return documents("compose.yaml").getFirst();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> documents(String file) throws IOException {
        List<Map<String, Object>> documents = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(read(file))
                .forEach(each -> documents.add((Map<String, Object>) each));
        return documents;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> map, String member) {
        return (Map<String, Object>) Objects.requireNonNull(map.get(member), member);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> map, String member) {
        return (List<Map<String, Object>>) Objects.requireNonNull(map.get(member), member);
    }

    private static String text(Map<String, Object> map, String member) {
        return (String) Objects.requireNonNull(map.get(member), member);
    }

    private static int number(Map<String, Object> map, String member) {
        return (Integer) Objects.requireNonNull(map.get(member), member);
    }
}
