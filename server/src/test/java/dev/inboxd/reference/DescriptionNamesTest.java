package dev.inboxd.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Names and types that generators of clients make of the description: each name once in the form that a language gives
 * it, and one type where a language has one.
 */
class DescriptionNamesTest {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final JsonTree API = JsonTree.of(Json.write(ApiDescription.openApi()));
    private static final Map<String, JsonTree> SCHEMAS =
            API.get("components").get("schemas").members();

    /** A name in letters and digits alone: what every language makes of it, whatever it does with case. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static List<String> twice(Collection<String> names) {
        Map<String, Set<String>> byPlain = new HashMap<>();
        names.forEach(name ->
                byPlain.computeIfAbsent(plain(name), _ -> new LinkedHashSet<>()).add(name));
        return byPlain.values().stream()
                .filter(same -> same.size() > 1)
                .map(String::valueOf)
                .toList();
    }

    private static JsonTree resolved(JsonTree schema) {
        String[] steps = schema.text("$ref").split("/", -1);
        return steps.length < 4 ? schema : API.get(steps[1]).get(steps[2]).get(steps[3]);
    }

    private static Set<String> members(JsonTree given) {
        JsonTree schema = resolved(given);
        Set<String> names =
                new LinkedHashSet<>(schema.get("properties").members().keySet());
        schema.list("allOf").forEach(part -> names.addAll(members(part)));
        return names;
    }

    /** Every schema of the document, at every depth, with its place. */
    private static void schemas(JsonTree at, String place, BiConsumer<JsonTree, String> each) {
        if (at.value() instanceof List<?>) {
            for (JsonTree item : at.items()) {
                schemas(item, place + "/-", each);
            }
            return;
        }
        each.accept(at, place);
        at.members().forEach((name, member) -> schemas(member, place + "/" + name, each));
    }

    private static List<JsonTree> operations() {
        return API.get("paths").members().values().stream()
                .flatMap(item -> item.members().entrySet().stream())
                .filter(entry -> METHODS.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    @Test
    void noTwoMembersOfAnObjectAreOneName() {
        List<String> faults = new ArrayList<>();
        schemas(API, "", (schema, place) -> {
            if (!place.endsWith("/properties")) {
                twice(members(schema)).forEach(same -> faults.add(place + " " + same));
            }
        });
        assertThat(faults).isEmpty();
    }

    @Test
    void noTwoSchemasCallsOrParametersAreOneName() {
        assertThat(twice(SCHEMAS.keySet())).isEmpty();
        assertThat(twice(operations().stream()
                        .map(operation -> operation.text("operationId"))
                        .toList()))
                .isEmpty();
        API.get("paths")
                .members()
                .forEach((path, item) -> item.members().values().stream()
                        .filter(operation -> operation.has("operationId"))
                        .forEach(operation -> {
                            List<String> names = Stream.concat(
                                            item.list("parameters").stream(), operation.list("parameters").stream())
                                    .map(each -> resolved(each).text("in") + " "
                                            + resolved(each).text("name"))
                                    .toList();
                            assertThat(twice(names)).as(path).isEmpty();
                        }));
    }

    /** Go has a constructor NewX of each X; others have NullableX, XResponse of a call x, and the like. */
    @Test
    void noSchemaHasANameThatAGeneratorMakesOfAnother() {
        Set<String> made = new LinkedHashSet<>();
        SCHEMAS.keySet().forEach(name -> made.addAll(List.of("New" + name, "Nullable" + name, name + "WithDefaults")));
        operations().forEach(operation -> {
            String id = operation.text("operationId");
            String name = id.substring(0, 1).toUpperCase(Locale.ROOT) + id.substring(1);
            made.addAll(List.of(name + "Request", name + "Response", name + "Params", name + "JSONRequestBody"));
        });
        assertThat(SCHEMAS.keySet()).doesNotContainAnyElementsOf(made).noneMatch(name -> name.matches("New[A-Z].*"));
    }

    @Test
    void whatIsSentToMakeOrChangeAnObjectIsNamedSo() {
        assertThat(SCHEMAS.keySet())
                .contains("CreateInbox", "UpdateInbox", "CreateDraft", "UpdateDraft", "CreateWebhook", "CreateApiKey")
                .noneMatch(name -> name.endsWith("Change"));
    }

    @Test
    void noTwoConstantsOfEnumerationsAreOneName() {
        List<String> constants = new ArrayList<>();
        SCHEMAS.values().stream().filter(schema -> schema.has("enum")).forEach(schema -> {
            List<String> names = schema.texts("x-enum-varnames");
            List<String> values = schema.texts("enum");
            if (!names.isEmpty()) {
                assertThat(names)
                        .containsExactlyElementsOf(values.stream()
                                .map(value -> "ERROR_" + value.toUpperCase(Locale.ROOT))
                                .toList());
            }
            constants.addAll((names.isEmpty() ? values : names)
                    .stream().map(DescriptionNamesTest::plain).toList());
        });
        assertThat(constants).hasSizeGreaterThan(80).doesNotHaveDuplicates();
    }

    /** A list or an object beside another type, but null, is no type of any typed language. */
    @Test
    void whatIsAListOrAnObjectIsNothingElse() {
        List<String> faults = new ArrayList<>();
        schemas(API, "", (schema, place) -> {
            if (place.endsWith("/properties")) {
                return;
            }
            Set<String> types = types(schema, 0);
            if (types.size() > 1 && types.contains("array")) {
                faults.add(place + " " + types);
            }
            Set<String> own = new LinkedHashSet<>(schema.texts("type"));
            own.remove("null");
            if (own.size() > 1 && own.contains("object")) {
                faults.add(place + " " + own);
            }
        });
        assertThat(faults).isEmpty();
    }

    private static Set<String> types(JsonTree given, int depth) {
        JsonTree schema = resolved(given);
        Set<String> types = new LinkedHashSet<>(schema.texts("type"));
        if (schema.get("type").value() instanceof String type) {
            types.add(type);
        }
        for (String several : List.of("anyOf", "oneOf")) {
            if (depth < 5) {
                schema.list(several).forEach(one -> types.addAll(types(one, depth + 1)));
            }
        }
        types.remove("null");
        return types;
    }
}
