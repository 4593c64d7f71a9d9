package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.testing.Exposition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The dashboard, the alert rules and the page for operators name the meters that a server has from its start. */
class OperatorFilesHttpTest {
    private static final Path DASHBOARD = Path.of("docs/operating/grafana.json");
    private static final Path ALERTS = Path.of("docs/operating/alerts.yaml");
    private static final Path PAGE = Path.of("docs/operating.md");
    private static final Pattern METER = Pattern.compile("\\b(?:inboxd|process|jvm)_[a-z0-9_]+");
    private static final Pattern MATCHERS = Pattern.compile("\\b((?:inboxd|process|jvm)_[a-z0-9_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+) *(?:=~|!~|!=|=) *\"([^\"]*)\"");
    private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");
    /** Labels that Prometheus adds to what it scrapes. */
    private static final Set<String> OF_SCRAPES = Set.of("instance", "job");

    private static Exposition read;

    @BeforeAll
    static void start() {
        try (World world = World.start(
                Map.of("INBOXD_SCREEN_URL", "http://127.0.0.1:9/judge", "INBOXD_X402_HOST", "x402.localhost"))) {
            world.http().get("/v0/inboxes").is(200); // requests have meters from the first one on
            read = Exposition.read(world.anonymous().get("/metrics").is(200).text());
        }
    }

    private static Set<String> samples() {
        return read.families().values().stream()
                .flatMap(family -> family.samples().stream())
                .map(Exposition.Sample::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> labels(String name) {
        return read.families().values().stream()
                .flatMap(family -> family.samples().stream())
                .filter(sample -> sample.name().equals(name))
                .flatMap(sample -> sample.labels().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** All texts under the key "expr", wherever it is. */
    private static List<String> expressions(Object tree) {
        List<String> found = new ArrayList<>();
        if (tree instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (key.equals("expr")) {
                    found.add((String) value);
                } else {
                    found.addAll(expressions(value));
                }
            });
        } else if (tree instanceof Iterable<?> list) {
            list.forEach(each -> found.addAll(expressions(each)));
        }
        return found;
    }

    private static Object dashboard() throws IOException {
        return Objects.requireNonNull(Json.stored(Files.readString(DASHBOARD)));
    }

    private static Map<?, ?> map(@Nullable Object tree) {
        return (Map<?, ?>) Objects.requireNonNull(tree);
    }

    private static List<?> list(Map<?, ?> map, String name) {
        return (List<?>) Objects.requireNonNull(map.get(name));
    }

    private static Object alerts() throws IOException {
        return new Load(LoadSettings.builder().build()).loadFromString(Files.readString(ALERTS));
    }

    /** Names and labels of an expression that no meter has; brackets have to be closed. */
    private static List<String> faults(String expression) {
        List<String> faults = new ArrayList<>();
        Set<String> names = METER.matcher(expression)
                .results()
                .map(found -> found.group())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> known = new TreeSet<>(OF_SCRAPES);
        for (String name : names) {
            if (!samples().contains(name)) {
                faults.add(name);
            }
            known.addAll(labels(name));
        }
        MATCHERS.matcher(expression)
                .results()
                .forEach(use -> LABEL.matcher(use.group(2))
                        .results()
                        .map(label -> label.group(1))
                        .filter(label -> !OF_SCRAPES.contains(label)
                                && !labels(use.group(1)).contains(label))
                        .forEach(label -> faults.add(use.group(1) + "{" + label + "}")));
        Matcher by = BY.matcher(expression);
        while (by.find()) {
            for (String label : by.group(1).split(", *", -1)) {
                if (!known.contains(label)) {
                    faults.add("by (" + label + ")");
                }
            }
        }
        for (String pair : List.of("()", "{}", "[]")) {
            if (expression.chars().filter(c -> c == pair.charAt(0)).count()
                    != expression.chars().filter(c -> c == pair.charAt(1)).count()) {
                faults.add(pair + " in " + expression);
            }
        }
        return faults;
    }

    @Test
    void theDashboardAsksForWhatThereIs() throws IOException {
        List<String> expressions = expressions(dashboard());
        assertThat(expressions).hasSizeGreaterThan(40);
        assertThat(expressions)
                .allSatisfy(each -> assertThat(faults(each)).as(each).isEmpty());
    }

    @Test
    void theAlertsAskForWhatThereIsAndSayWhatToDo() throws IOException {
        List<String> expressions = expressions(alerts());
        assertThat(expressions).hasSizeGreaterThan(10);
        assertThat(expressions)
                .allSatisfy(each -> assertThat(faults(each)).as(each).isEmpty());
        Map<?, ?> group = map(list(map(alerts()), "groups").getFirst());
        Set<Object> names = new TreeSet<>();
        for (Object each : list(group, "rules")) {
            Map<?, ?> rule = map(each);
            assertThat(names.add(rule.get("alert"))).as("%s", rule).isTrue();
            assertThat(rule.get("for")).asString().matches("\\d+[mh]");
            assertThat(map(rule.get("labels")).get("severity")).isIn("page", "warn");
            assertThat(map(rule.get("annotations")).keySet().toString()).contains("summary", "description");
        }
    }

    @Test
    void thePageForOperatorsHasEveryMeterOfOursAndNoOther() throws IOException {
        Set<String> named = Pattern.compile("`(inboxd_[a-z0-9_]+)`")
                .matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> there = read.families().keySet().stream()
                .filter(name -> name.startsWith("inboxd_") && !name.endsWith("_seconds_max"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).isEqualTo(there);
    }

    @Test
    void whatIsWrongIsSeen() {
        assertThat(faults("sum by (instance) (inboxd_gone_total)")).containsExactly("inboxd_gone_total");
        assertThat(faults("inboxd_waits{port=\"mx\"}")).containsExactly("inboxd_waits{port}");
        assertThat(faults("sum by (inbox) (inboxd_waits)")).containsExactly("by (inbox)");
        assertThat(faults("sum(inboxd_waits")).hasSize(1);
        assertThat(faults("sum by (port) (rate(inboxd_mail_accepted_total{port=\"mx\"}[5m]))"))
                .isEmpty();
    }
}
