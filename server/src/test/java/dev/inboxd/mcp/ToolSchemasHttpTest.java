package dev.inboxd.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.server.World;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What models are told of the tools, and what models make of it: schemas for every host, and lists written as text. */
class ToolSchemasHttpTest {
    /** What the schemas of function declarations have at each host; a host drops or refuses the rest. */
    private static final Set<String> WORDS =
            Set.of("type", "properties", "required", "items", "description", "format", "enum", "additionalProperties");

    private static final Set<String> TYPES = Set.of("string", "integer", "number", "boolean", "array", "object");

    @RegisterExtension
    private static final World world = World.start();

    private static McpProbe client;

    @BeforeAll
    static void start() {
        client = McpProbe.of(world.http());
    }

    @Test
    void theSchemasOfAllToolsFollowTheRulesOfTheStrictestHosts() {
        List<JsonTree> tools = JsonTree.of(client.query("output_schemas=true")
                        .request("tools/list", new JsonObject())
                        .is(200)
                        .text()
                        .getBytes(StandardCharsets.UTF_8))
                .get("result")
                .list("tools");
        List<String> faults = new ArrayList<>();
        for (JsonTree tool : tools) {
            String name = tool.text("name");
            if (!name.matches("[a-zA-Z_][a-zA-Z0-9_-]{0,62}")
                    || tool.text("description").length() > 1_024) {
                faults.add(name);
            }
            for (String schema : List.of("inputSchema", "outputSchema")) {
                if (!tool.get(schema).text("type").equals("object")) {
                    faults.add(name + " " + schema + " is no object");
                }
                walk(tool.get(schema), name + " " + schema, 0, faults);
            }
        }
        assertThat(tools).hasSizeGreaterThan(35);
        assertThat(faults).isEmpty();
    }

    private static void walk(JsonTree schema, String at, int depth, List<String> faults) {
        if (!(schema.get("type").value() instanceof String type) || !TYPES.contains(type)) {
            faults.add(at + " has the type " + schema.get("type").value());
            return;
        }
        schema.members().keySet().stream()
                .filter(word -> !WORDS.contains(word))
                .forEach(word -> faults.add(at + " has " + word));
        if (depth > (at.contains(" inputSchema") ? 5 : 10)) {
            faults.add(at + " is too deep");
        }
        if (schema.has("format")
                && !(type.equals("string") && schema.text("format").equals("date-time"))) {
            faults.add(at + " has the format " + schema.text("format"));
        }
        if (type.equals("array") != schema.has("items")) {
            faults.add(at + " has items, or has none");
        }
        if (!type.equals("object") && (schema.has("properties") || schema.has("required"))) {
            faults.add(at + " has properties");
        }
        if (!schema.get("properties").members().keySet().containsAll(schema.texts("required"))) {
            faults.add(at + " requires what it does not have");
        }
        if (type.equals("array")) {
            walk(schema.get("items"), at + "[]", depth + 1, faults);
        }
        schema.get("properties").members().forEach((name, form) -> {
            if (!name.matches("[a-zA-Z][a-zA-Z0-9_]{0,63}")) {
                faults.add(at + " has a property " + name);
            }
            walk(form, at + "." + name, depth + 1, faults);
        });
    }

    private static Answer done(String tool, String arguments) {
        Answer answer = client.call(tool, arguments.replace('\'', '"')).is(200);
        assertThat(answer.at("result.isError")).as(answer::text).isEqualTo(false);
        return answer;
    }

    private static String error(String tool, String arguments) {
        Answer answer = client.call(tool, arguments.replace('\'', '"')).is(200);
        assertThat(answer.at("result.isError")).as(answer::text).isEqualTo(true);
        return answer.text("result.content.0.text");
    }

    private static Object member(Answer answer, String path) {
        Object value = answer.at("result.structuredContent." + path);
        return value == null ? "absent" : value;
    }

    @Test
    void anEmptyStringAndAnEmptyListClearAsNullDoes() {
        String inbox = world.inbox("clear");
        for (String nothing : List.of("null", "''")) {
            done("update_inbox", "{'inboxId':'%s','displayName':'Ann','metadata':{'a':1}}".formatted(inbox));
            Answer cleared =
                    done("update_inbox", "{'inboxId':'%s','displayName':%s,'metadata':%2$s}".formatted(inbox, nothing));
            assertThat(member(cleared, "inbox.displayName")).isEqualTo("absent");
            assertThat(member(cleared, "inbox.metadata")).isEqualTo("absent");
        }
        for (String nothing : List.of("null", "''", "[]")) {
            String draft = member(
                            done(
                                    "create_draft",
                                    ("{'inboxId':'%s','to':['a@example.com'],'cc':['c@example.com'],"
                                                    + "'bcc':['b@example.com'],'replyTo':['r@example.com'],"
                                                    + "'subject':'S','text':'T','html':'<p>T</p>',"
                                                    + "'sendAt':'%s'}")
                                            .formatted(inbox, Instant.now().plus(Duration.ofDays(30)))),
                            "draftId")
                    .toString();
            String text = nothing.equals("[]") ? "''" : nothing;
            Answer cleared = done(
                    "update_draft",
                    ("{'inboxId':'%s','draftId':'%s','to':%s,'cc':%3$s,'bcc':%3$s,'replyTo':%3$s,"
                                    + "'subject':%4$s,'text':%4$s,'html':%4$s,'sendAt':%4$s}")
                            .formatted(inbox, draft, nothing, text));
            for (String name : List.of("to", "cc", "bcc", "replyTo")) {
                assertThat(member(cleared, "draft." + name)).as(name).isIn("absent", List.of());
            }
            for (String name : List.of("subject", "text", "html", "sendAt")) {
                assertThat(member(cleared, "draft." + name)).as(name).isEqualTo("absent");
            }
        }
    }

    @Test
    void anEventIsClearedByEmptyValuesToo() {
        String inbox = world.inbox("clearevent");
        for (String nothing : List.of("null", "''")) {
            String event = member(
                            done(
                                    "create_event",
                                    ("{'inboxId':'%s','title':'T',"
                                                    + "'start':'2099-10-15T10:00:00','end':'2099-10-15T11:00:00',"
                                                    + "'description':'D','location':'L','metadata':{'a':[1]},"
                                                    + "'recurrence':{'rule':'FREQ=DAILY;COUNT=3'},"
                                                    + "'attendees':[{'email':'jo@example.com'}]}")
                                            .formatted(inbox)),
                            "event.eventId")
                    .toString();
            Answer cleared = done(
                    "update_event",
                    ("{'inboxId':'%s','eventId':'%s','description':%s,'location':%3$s,'metadata':%3$s,"
                                    + "'attendees':%4$s}")
                            .formatted(inbox, event, nothing, nothing.equals("''") ? "[]" : nothing));
            for (String name : List.of("description", "location", "metadata")) {
                assertThat(member(cleared, "event." + name)).as(name).isEqualTo("absent");
            }
            assertThat(member(cleared, "event.attendeeCount")).isEqualTo(0L);
            Answer single = done(
                    "update_event", "{'inboxId':'%s','eventId':'%s','recurrence':%s}".formatted(inbox, event, nothing));
            assertThat(member(single, "event.recurrence")).isEqualTo("absent");
            assertThat(member(single, "event.kind")).isEqualTo("single");
        }
    }

    @Test
    void theDescriptionSaysWhatClears() {
        String tools = client.request("tools/list", new JsonObject()).is(200).text();
        assertThat(tools)
                .contains("An empty list clears it.", "An empty string clears it.", "clears, as null does")
                .doesNotContain("null\"]");
    }

    @Test
    void aListThatIsWrittenAsTextIsThatList() {
        String inbox = world.inbox("written");
        Answer sent = done("send_message", """
                {"inboxId":"%s","to":"[\\"x@example.com\\",\\"y@example.com\\"]","cc":" [\\"c@example.com\\"] ",
                 "bcc":"[]","replyTo":"[\\"r@example.com\\"]","labels":"[\\"one\\",\\"two\\"]","text":"t",
                 "attachments":"[{\\"filename\\":\\"a.txt\\",\\"content\\":\\"QQ==\\"}]"}
                """.formatted(inbox));
        String id = member(sent, "messageId").toString();
        Answer read = done("get_message", "{'inboxId':'%s','messageId':'%s'}".formatted(inbox, id));
        assertThat(member(read, "message.to")).isEqualTo(List.of("x@example.com", "y@example.com"));
        assertThat(member(read, "message.cc")).isEqualTo(List.of("c@example.com"));
        assertThat(member(read, "message.replyTo")).isEqualTo(List.of("r@example.com"));
        assertThat(member(read, "message.labels").toString()).contains("one", "two");
        assertThat(member(read, "message.attachments.0.filename")).isEqualTo("a.txt");
        Answer labelled = done("update_message", """
                {"inboxId":"%s","messageId":"%s","addLabels":"[\\"three\\"]","removeLabels":"[\\"one\\",\\"two\\"]"}
                """.formatted(inbox, id));
        assertThat(member(labelled, "labels").toString())
                .contains("three")
                .doesNotContain("one")
                .doesNotContain("two");
        for (String filter : List.of("labels\":\"[\\\"three\\\"]", "to\":\"[\\\"y@example.com\\\"]")) {
            Answer found = done("list_messages", "{\"inboxId\":\"%s\",\"%s\"}".formatted(inbox, filter));
            assertThat(found.list("result.structuredContent.messages"))
                    .as(filter)
                    .hasSize(1);
        }
    }

    @Test
    void datesAndGuestsThatAreWrittenAsTextAreRead() {
        String inbox = world.inbox("dates");
        Answer made = done("create_event", """
                {"inboxId":"%s","title":"T","start":"2099-10-15T10:00:00","end":"2099-10-15T11:00:00",
                 "attendees":"[{\\"email\\":\\"jo@example.com\\"}]","metadata":"{\\"a\\":1}",
                 "recurrence":{"rule":"FREQ=DAILY;COUNT=3","exdates":"[\\"2099-10-16T10:00:00\\"]",
                   "rdates":"[\\"2099-11-01T10:00:00\\",{\\"start\\":\\"2099-11-02T10:00:00\\"}]"}}
                """.formatted(inbox));
        assertThat(member(made, "event.attendees.0.email")).isEqualTo("jo@example.com");
        assertThat(member(made, "event.metadata")).isEqualTo(Map.of("a", 1L));
        assertThat(member(made, "event.recurrence.exdates")).isEqualTo(List.of("2099-10-16T10:00:00"));
        assertThat(member(made, "event.recurrence.rdates"))
                .isEqualTo(List.of(Map.of("start", "2099-11-01T10:00:00"), Map.of("start", "2099-11-02T10:00:00")));
        Answer own = done("create_event", """
                {"inboxId":"%s","title":"T","start":"2099-10-15T10:00:00","end":"2099-10-15T11:00:00",
                 "recurrence":"{\\"rule\\":\\"FREQ=DAILY\\",\\"rdates\\":[%s]}"}
                """.formatted(
                        inbox, "{\\\"start\\\":\\\"2099-11-02T10:00:00\\\",\\\"duration\\\":\\\"PT2H\\\"}"));
        assertThat(member(own, "event.recurrence.rdates.0.duration")).isEqualTo("PT2H");
    }

    @Test
    void anyOtherStringIsWhatItWas() {
        String inbox = world.inbox("strings");
        done("send_message", "{'inboxId':'%s','to':'jo@example.com','labels':'[urgent]','text':'t'}".formatted(inbox));
        done("send_message", "{'inboxId':'%s','to':'jo@example.com','labels':'[1]','text':'t'}".formatted(inbox));
        Answer found = done("list_messages", "{'inboxId':'%s','labels':'[urgent]'}".formatted(inbox));
        assertThat(found.list("result.structuredContent.messages")).hasSize(1);
        String broken = "{\"inboxId\":\"%s\",\"to\":\"[\\\"jo@example.com\\\"\",\"text\":\"t\"}".formatted(inbox);
        assertThat(error("send_message", broken)).contains("validation_error", "Not an address");
        assertThat(error("send_message", "{'inboxId':'%s','to':'[[[','text':'t'}".formatted(inbox)))
                .contains("validation_error");
        assertThat(error(
                        "send_message",
                        "{'inboxId':'%s','to':'jo@example.com','attachments':'a.txt'}".formatted(inbox)))
                .contains("attachments must be a list of objects");
    }

    @Test
    void metadataOfAnEventThatIsNoObjectIsAMemberOfOne() {
        String inbox = world.inbox("meta");
        Answer made = done(
                "create_event",
                "{'inboxId':'%s','title':'T','start':'2099-10-15','end':'2099-10-15','allDay':true,'metadata':[1,2]}"
                        .formatted(inbox));
        assertThat(member(made, "event.metadata")).isEqualTo(Map.of("value", List.of(1L, 2L)));
    }
}
