package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.reference.ApiDescription;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code docs/api.yaml} and the routes are one: what is there is described, and what is described is there. */
class ApiDescriptionTest {
    private static final Path NO_API = Path.of("server/src/test/resources/no-api.txt");
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final JsonTree API = JsonTree.of(Json.write(ApiDescription.openApi()));
    private static final Map<String, JsonTree> SCHEMAS =
            API.get("components").get("schemas").members();

    private static World world;

    @BeforeAll
    static void start() throws IOException {
        world = World.start(Map.of(
                "INBOXD_ADMIN_PORT", freePort(), "INBOXD_ADMIN_TOKEN", "a-token-of-forty-visible-characters-12345"));
    }

    private static String freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return String.valueOf(free.getLocalPort());
        }
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    private static Map<String, JsonTree> operations() {
        Map<String, JsonTree> operations = new TreeMap<>();
        API.get("paths")
                .members()
                .forEach((path, item) -> item.members().forEach((method, operation) -> {
                    if (METHODS.contains(method)) {
                        operations.put(method.toUpperCase(Locale.ROOT) + " " + path, operation);
                    }
                }));
        return operations;
    }

    /** What is no API, with the reason behind a colon; a star stands for whatever follows. */
    private static List<String> noApi() throws IOException {
        return Files.readAllLines(NO_API).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf(": ")))
                .toList();
    }

    private static boolean fits(String pattern, String route) {
        return pattern.endsWith("*")
                ? route.startsWith(pattern.substring(0, pattern.length() - 1))
                : route.equals(pattern);
    }

    private static Map<String, Route> routes() {
        Map<String, Route> routes = new HashMap<>();
        List<Route> all = new ArrayList<>(world.operatorRoutes());
        all.addAll(world.routes());
        all.forEach(route -> routes.put(route.method() + " " + route.template(), route));
        return routes;
    }

    @Test
    void everyRouteIsDescribedAndEverythingDescribedIsARoute() throws IOException {
        Set<String> described = operations().keySet();
        List<String> excepted = noApi();
        Set<String> routes = new TreeSet<>(routes().keySet());
        assertThat(excepted).allSatisfy(pattern -> assertThat(routes).anyMatch(route -> fits(pattern, route)));
        routes.removeIf(
                route -> !described.contains(route) && excepted.stream().anyMatch(pattern -> fits(pattern, route)));
        assertThat(described).containsExactlyInAnyOrderElementsOf(routes);
    }

    @Test
    void theDescriptionNamesThePermissionOfTheRoute() {
        Map<String, Route> routes = routes();
        operations().forEach((name, operation) -> {
            String needed = Objects.requireNonNull(routes.get(name)).access().wireName();
            String described = operation.text("x-permission");
            // One of two is described as such; the route names the first.
            assertThat(described.equals("other") ? "public" : described.replaceFirst(" or .*", ""))
                    .as(name)
                    .isEqualTo(needed);
        });
    }

    @Test
    void everyParameterOfAPathIsDescribed() {
        API.get("paths").members().forEach((path, item) -> {
            Matcher matcher = Pattern.compile("[{](\\w+)[}]").matcher(path);
            List<String> names = new ArrayList<>();
            while (matcher.find()) {
                names.add("#/components/parameters/Path_" + matcher.group(1));
            }
            assertThat(item.list("parameters").stream().map(each -> each.text("$ref")))
                    .as(path)
                    .containsExactlyElementsOf(names);
        });
    }

    @Test
    void everyOperationHasAnIdOfItsOwnATopicAndASummary() {
        Set<String> ids = new HashSet<>();
        Set<String> tags = new HashSet<>(
                API.list("tags").stream().map(tag -> tag.text("name")).toList());
        operations().forEach((name, operation) -> {
            assertThat(operation.text("operationId")).as(name).matches("[a-z][A-Za-z]+");
            assertThat(ids.add(operation.text("operationId"))).as(name).isTrue();
            assertThat(tags).as(name).containsAll(operation.texts("tags"));
            assertThat(operation.text("summary")).as(name).isNotBlank();
        });
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        Matcher matcher =
                Pattern.compile("\"#/components/(\\w+)/([\\w.]+)\"").matcher(Json.text(ApiDescription.openApi()));
        Set<String> used = new HashSet<>();
        while (matcher.find()) {
            JsonTree target = API.get("components").get(matcher.group(1));
            assertThat(target.has(matcher.group(2))).as(matcher.group()).isTrue();
            used.add(matcher.group(1) + "/" + matcher.group(2));
        }
        for (String kind : List.of("schemas", "parameters", "responses")) {
            API.get("components")
                    .get(kind)
                    .members()
                    .keySet()
                    .forEach(name -> assertThat(used).contains(kind + "/" + name));
        }
    }

    @Test
    void everyMemberHasAMeaningAndAnExample() {
        SCHEMAS.forEach((name, schema) -> {
            assertThat(schema.text("description")).as(name).isNotBlank();
            List<JsonTree> parts = new ArrayList<>(schema.list("allOf"));
            parts.add(schema);
            parts.forEach(part -> part.get("properties").members().forEach((member, form) -> {
                if (!name.startsWith("Permissions")) { // the flags say themselves what they are
                    told(name + "." + member, form);
                }
            }));
        });
        API.get("components").get("parameters").members().forEach((name, parameter) -> {
            assertThat(parameter.text("description")).as(name).isNotBlank();
            told(name, parameter.get("schema"), parameter.text("description"));
        });
    }

    private static JsonTree schema(String name) {
        return SCHEMAS.getOrDefault(name, JsonTree.EMPTY);
    }

    private static void told(String name, JsonTree form) {
        told(name, form, form.text("description"));
    }

    private static void told(String name, JsonTree form, String description) {
        String ref = form.text("$ref");
        JsonTree whole = ref.isEmpty() ? form : schema(ref.substring(ref.lastIndexOf('/') + 1));
        assertThat(description + whole.text("description")).as(name).isNotBlank();
        boolean speaksForItself = List.of("enum", "const", "properties", "allOf", "oneOf", "anyOf", "default").stream()
                .anyMatch(whole::has);
        boolean hasExample =
                !whole.list("examples").isEmpty() || !form.list("examples").isEmpty();
        boolean isFlag = whole.get("default").value() instanceof Boolean;
        boolean ofThese = whole.get("items").has("$ref") || whole.get("items").has("enum");
        assertThat(speaksForItself || hasExample || isFlag || ofThese).as(name).isTrue();
    }

    @Test
    void everyErrorCodeIsThatOfSomeCall() {
        Set<String> described = new TreeSet<>(API.texts("x-error-codes"));
        operations().values().forEach(operation -> described.addAll(operation.texts("x-error-codes")));
        Set<String> codes = new TreeSet<>(
                Arrays.stream(ErrorCode.values()).map(ErrorCode::wireName).toList());
        codes.remove("resource_deleting"); // no call answers with it
        codes.removeAll(Set.of("payment_required", "payment_pending")); // those of hosts where calls are paid for
        assertThat(described).containsExactlyElementsOf(codes);
        assertThat(schema("ErrorCodeName").texts("enum"))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ErrorCode.values())
                        .map(ErrorCode::wireName)
                        .toList());
    }

    private static final Pattern READ = Pattern.compile("(?:body|query)(?:\\(\\))?\\s*\\.(?:string|strings|flag|integer"
            + "|instant|choice|object|objects|stringMap|scalarMap|any|text|list|words)\\(\\s*\"([a-z_0-9]+)\"");
    private static final Pattern READER =
            Pattern.compile(".*(Http|/(New|Send|Webhook|Draft|Label|Agenda|Time|ApiKey|Header)\\w*)[.]java");

    /** What the code reads of a body or a query is described somewhere; a name that ends with a dash is a beginning. */
    @Test
    void everyNameThatIsReadOfARequestIsDescribed() throws IOException {
        Set<String> described = new HashSet<>();
        SCHEMAS.values().forEach(schema -> {
            List<JsonTree> parts = new ArrayList<>(schema.list("allOf"));
            parts.add(schema);
            parts.forEach(
                    part -> described.addAll(part.get("properties").members().keySet()));
        });
        API.get("components").get("parameters").members().values().forEach(each -> described.add(each.text("name")));
        int found = 0;
        try (Stream<Path> sources = Files.walk(Path.of("server/src/main/java/dev/inboxd"))) {
            for (Path source : sources.filter(
                            file -> READER.matcher(file.toString()).matches())
                    .filter(file -> !file.toString().contains("/console/"))
                    .toList()) {
                Matcher matcher = READ.matcher(Files.readString(source));
                while (matcher.find()) {
                    found++;
                    if (!matcher.group(1).endsWith("_")) {
                        assertThat(described).as(source.toString()).contains(matcher.group(1));
                    }
                }
            }
        }
        assertThat(found).isGreaterThan(50);
    }
}
