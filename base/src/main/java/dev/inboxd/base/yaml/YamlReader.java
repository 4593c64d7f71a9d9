package dev.inboxd.base.yaml;

import dev.inboxd.base.error.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;

/**
 * Reads one YAML 1.2 document of the core schema into plain values: maps with text as names, lists, texts, numbers,
 * booleans and null. It builds them from events by itself, because only events tell a tag that was written from one
 * that was resolved, and because what aliases repeat is counted while it is read.
 */
final class YamlReader {
    private static final int DEEPEST = 20;
    private static final int MOST_REPEATED = 10_000;

    private final Iterator<Event> events;
    private final CoreScalarResolver scalars = new CoreScalarResolver(false);
    private final Map<String, Anchored> anchors = new HashMap<>();
    private final Map<List<Object>, Integer> lines = new HashMap<>();
    private final List<Object> path = new ArrayList<>();
    private int values;
    private int repeated;

    /**
     * What an anchor names.
     *
     * @param size how many values it holds, itself included
     */
    private record Anchored(@Nullable Object value, int size) {}

    private YamlReader(Iterator<Event> events) {
        this.events = events;
    }

    /**
     * Reads a document.
     *
     * @throws Problem {@code validation_error} with the line of the first thing that is wrong
     */
    static YamlDocument read(String text) {
        try {
            LoadSettings settings =
                    LoadSettings.builder().setCodePointLimit(text.length() + 1).build();
            YamlReader reader =
                    new YamlReader(new Parse(settings).parseString(text).iterator());
            return new YamlDocument(reader.document(), reader.lines);
        } catch (MarkedYamlEngineException broken) {
            int line = broken.getProblemMark().map(YamlReader::line).orElse(1);
            throw wrong(line, "this is not YAML: " + broken.getProblem());
        } catch (YamlEngineException broken) {
            throw wrong(1, "this is not YAML: " + broken.getMessage());
        }
    }

    private @Nullable Object document() {
        events.next(); // the start of the stream
        Event start = events.next();
        if (start.getEventId() == Event.ID.StreamEnd) {
            return null;
        }
        Object root = value(events.next());
        events.next(); // the end of the document
        Event next = events.next();
        if (next.getEventId() != Event.ID.StreamEnd) {
            throw wrong(next, "the file must be one document");
        }
        return root;
    }

    private @Nullable Object value(Event event) {
        if (event instanceof AliasEvent alias) {
            return repeated(alias);
        }
        int before = values++;
        Object value = switch (event) {
            case ScalarEvent scalar -> scalar(scalar);
            case CollectionStartEvent start when start.getTag().isPresent() -> throw tagged(event);
            case CollectionStartEvent _
            when path.size() >= DEEPEST ->
                throw wrong(event, "the file is nested more than " + DEEPEST + " levels deep");
            case CollectionStartEvent _ when event.getEventId() == Event.ID.MappingStart -> mapping();
            default -> sequence();
        };
        if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
            anchors.put(node.getAnchor().get().getValue(), new Anchored(value, values - before));
        }
        return value;
    }

    private @Nullable Object repeated(AliasEvent alias) {
        Anchored anchored = anchors.get(alias.getAlias().getValue());
        if (anchored == null) {
            String name = alias.getAlias().getValue();
            throw wrong(alias, "the alias *" + name + " names nothing that is complete above it");
        }
        values += anchored.size;
        repeated += anchored.size;
        if (repeated > MOST_REPEATED) {
            throw wrong(alias, "aliases repeat more than " + MOST_REPEATED + " values");
        }
        return anchored.value;
    }

    private Map<String, @Nullable Object> mapping() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            if (!(event instanceof ScalarEvent key) || key.getTag().isPresent()) {
                throw wrong(event, "the name of a member must be a text");
            }
            String name = text(key);
            path.add(name);
            lines.put(List.copyOf(path), line(event));
            if (members.containsKey(name)) {
                throw wrong(event, name + " appears twice");
            }
            members.put(name, value(events.next()));
            path.removeLast();
        }
        return members;
    }

    private List<@Nullable Object> sequence() {
        List<@Nullable Object> items = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            path.add(items.size());
            lines.put(List.copyOf(path), line(event));
            items.add(value(event));
            path.removeLast();
        }
        return items;
    }

    private @Nullable Object scalar(ScalarEvent scalar) {
        if (scalar.getTag().isPresent()) {
            throw tagged(scalar);
        }
        String text = text(scalar);
        Tag tag = scalar.isPlain() ? scalars.resolve(text, true) : Tag.STR;
        if (tag.equals(Tag.NULL)) {
            return null;
        }
        if (tag.equals(Tag.BOOL)) {
            return text.toLowerCase(Locale.ROOT).equals("true");
        }
        if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            return number(text);
        }
        return text;
    }

    /** A number that no field takes stays a text, and is refused by the field. */
    private static Object number(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException notWhole) {
            return text;
        }
    }

    /** A text that PostgreSQL can store: escapes can name what it cannot. */
    private static String text(ScalarEvent scalar) {
        String text = scalar.getValue();
        if (text.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw wrong(scalar, "the text has U+0000 or half a surrogate pair");
        }
        return text;
    }

    private static Problem tagged(Event event) {
        return wrong(event, "tags are not allowed");
    }

    private static Problem wrong(Event event, String message) {
        return wrong(line(event), message);
    }

    private static Problem wrong(int line, String message) {
        return Problem.invalid("", "line " + line + ": " + message);
    }

    private static int line(Event event) {
        return event.getStartMark().map(YamlReader::line).orElse(1);
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }
}
