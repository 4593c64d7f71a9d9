package dev.inboxd.mcp;

import dev.inboxd.base.http.Route;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.mcp.schema.MemberForm;
import dev.inboxd.mcp.schema.SchemaWords;
import dev.inboxd.mcp.schema.ToolMember;
import dev.inboxd.mcp.schema.ToolShape;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the tools from the text that describes them; its first lines say how. */
final class ToolReader {
    private static final String EXCEPT_INBOX = "*";
    /** What any result may have besides its own members. */
    private static final String BESIDE = " fence? note? rest?";

    private static final String OWN_INBOX = "The address of the inbox. It is your own inbox when it is left out.";

    private final Map<String, Route> routes;
    private final Map<String, Tool> tools;
    private final Map<String, String> words = new HashMap<>();
    private final Map<String, ToolShape> shapes = new HashMap<>();

    /**
     * A reader.
     *
     * @param routes by method and template, with a space between them
     * @param tools receives the tools by name
     */
    ToolReader(Map<String, Route> routes, Map<String, Tool> tools) {
        this.routes = routes;
        this.tools = tools;
    }

    void read(String text) {
        List<String> block = new ArrayList<>();
        for (String line : (text + "\ntool").lines().toList()) {
            if (line.startsWith("tool") && !block.isEmpty()) {
                tool(block);
                block.clear();
            }
            if (line.startsWith("word ")) {
                words.put(line.substring(5, line.indexOf(':')), after(line, ':'));
            } else if (line.startsWith("shape ")) {
                shapes.put(line.substring(6, line.indexOf(':')), shape(after(line, ':')));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                block.add(line.strip());
            }
        }
    }

    private static String after(String line, char mark) {
        return line.substring(line.indexOf(mark) + 1).strip();
    }

    private void tool(List<String> lines) {
        List<String> head = words(lines.getFirst());
        if (head.size() < 6) {
            throw new IllegalStateException("A tool is in no toolset: " + head);
        }
        Map<String, String> said = new HashMap<>();
        lines.stream().skip(1).forEach(line -> said.put(words(line).getFirst(), after(line + " ", ' ')));
        String name = head.get(1);
        ToolShape arguments = shape(said(said, "in"));
        ToolShape result = shape(said(said, "out") + BESIDE);
        String ofInbox = said.get("inbox");
        Tool.Target target = new Tool.Target(
                route(head.get(2) + " " + head.get(3)),
                ofInbox == null ? null : route(head.get(2) + " " + ofInbox),
                fixed(said.get("fix")),
                said.get("wrap"));
        ToolListing.Summary summary = new ToolListing.Summary(name, said(said, "about"), head.get(4));
        List<String> sets = head.subList(5, head.size());
        ToolListing listing = new ToolListing(
                sets(sets),
                sets(sets.stream().filter(word -> word.endsWith(EXCEPT_INBOX)).toList()),
                forms(summary, arguments, result));
        tools.put(name, new Tool(name, target, arguments, result, listing));
    }

    private Route route(String methodAndTemplate) {
        Route route = routes.get(methodAndTemplate);
        if (route == null) {
            throw new IllegalStateException("A tool calls a route that is not there: " + methodAndTemplate);
        }
        return route;
    }

    private static Set<Toolset> sets(List<String> words) {
        Set<Toolset> sets = EnumSet.noneOf(Toolset.class);
        for (String word : words) {
            Toolset set = Toolset.of(word.endsWith(EXCEPT_INBOX) ? word.substring(0, word.length() - 1) : word);
            if (set == null) {
                throw new IllegalStateException("There is no toolset " + word);
            }
            sets.add(set);
        }
        return sets;
    }

    private Map<ToolListing.Form, RawJson> forms(ToolListing.Summary summary, ToolShape arguments, ToolShape result) {
        Map<ToolListing.Form, RawJson> forms = new HashMap<>();
        Map<String, String> ownWords = new HashMap<>(words);
        ownWords.put(Tool.INBOX, OWN_INBOX);
        SchemaWords own = new SchemaWords(ownWords, false);
        SchemaWords plain = new SchemaWords(words, false);
        SchemaWords answered = new SchemaWords(words, true);
        for (boolean isOfInbox : List.of(true, false)) {
            JsonObject schema = isOfInbox ? arguments.withOptional(Tool.INBOX).schema(own) : arguments.schema(plain);
            for (boolean hasResult : List.of(true, false)) {
                forms.put(
                        new ToolListing.Form(isOfInbox, hasResult),
                        summary.definition(schema, result.schema(answered), hasResult));
            }
        }
        return forms;
    }

    private static Map<String, String> fixed(@Nullable String parameter) {
        return parameter == null
                ? Map.of()
                : Map.of(parameter.substring(0, parameter.indexOf('=')), after(parameter, '='));
    }

    private static String said(Map<String, String> said, String key) {
        String text = said.get(key);
        if (text == null) {
            throw new IllegalStateException("A tool has no line \"" + key + "\": " + said);
        }
        return text;
    }

    private static List<String> words(String line) {
        return List.of(line.split(" ", -1));
    }

    private ToolShape shape(String notation) {
        return new ToolShape(words(notation).stream()
                .filter(word -> !word.isEmpty())
                .map(this::member)
                .toList());
    }

    /** One member: {@code &name?!:type}. */
    private ToolMember member(String notation) {
        ToolMember.Place place = switch (notation.charAt(0)) {
            case '&' -> ToolMember.Place.QUERY;
            case '#' -> ToolMember.Place.HEADER;
            case '%' -> ToolMember.Place.NONE;
            default -> ToolMember.Place.USUAL;
        };
        String text = place == ToolMember.Place.USUAL ? notation : notation.substring(1);
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        ToolMember.Presence presence = name.endsWith("?!")
                ? ToolMember.Presence.CLEARS
                : name.endsWith("?") ? ToolMember.Presence.OPTIONAL : ToolMember.Presence.REQUIRED;
        return new ToolMember(
                name.replaceFirst("[?]!?$", ""), place, presence, form(colon < 0 ? null : text.substring(colon + 1)));
    }

    private MemberForm form(@Nullable String type) {
        return switch (type) {
            case null -> new MemberForm.Scalar("string", null);
            case "int" -> new MemberForm.Scalar("integer", null);
            case "number" -> new MemberForm.Scalar("number", null);
            case "bool" -> new MemberForm.Scalar("boolean", null);
            case "time" -> new MemberForm.Scalar("string", "date-time");
            case "body" -> new MemberForm.Text(false);
            case "mail" -> new MemberForm.Text(true);
            case "strings" -> new MemberForm.Items(new MemberForm.Scalar("string", null));
            case "map" -> new MemberForm.Open(false);
            case "data" -> new MemberForm.Open(true);
            default -> {
                String name = type.substring(1, type.length() - 1);
                ToolShape shape = shapes.get(name);
                if (shape == null) {
                    throw new IllegalStateException("There is no shape " + name);
                }
                MemberForm nested = new MemberForm.Nested(shape);
                yield switch (type.charAt(0)) {
                    case '[' -> new MemberForm.Items(nested);
                    case '<' -> new MemberForm.Items(new MemberForm.Shortened(shape));
                    default -> nested;
                };
            }
        };
    }
}
