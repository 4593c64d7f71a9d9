package dev.inboxd.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.mail.markdown.TokenEstimate;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The results of all tools are of the form that the list of tools says, also where they are cut. */
class ToolFormsHttpTest {
    /** Tools that only programs have that a person let in. */
    private static final Set<String> OF_PROGRAMS = Set.of("list_organizations", "select_organization");

    private static final String LONG = "Words that fill a body. ".repeat(6_000);

    @RegisterExtension
    private static final World world = World.start();

    private static final Map<String, JsonTree> schemas = new HashMap<>();
    private static final Set<String> called = new HashSet<>();
    private static McpProbe client;
    private static McpProbe author;

    @BeforeAll
    static void start() {
        world.dns().text("example.com", "v=spf1 ip4:127.0.0.1 -all");
        HttpProbe session = world.as(world.session());
        client = McpProbe.of(session).query("output_schemas=true");
        author = McpProbe.of(world.as(session.post("/v0/api-keys", """
                        {"name":"author","send_approval":"required"}""").is(200).text("api_key")))
                .query("output_schemas=true");
        for (McpProbe each : List.of(client, McpProbe.of(world.http()).query("output_schemas=true"))) {
            JsonTree.of(each.request("tools/list", new JsonObject())
                            .is(200)
                            .text()
                            .getBytes(StandardCharsets.UTF_8))
                    .get("result")
                    .list("tools")
                    .forEach(tool -> schemas.put(tool.text("name"), tool.get("outputSchema")));
        }
        OF_PROGRAMS.forEach(schemas::remove);
    }

    private static Map<String, Object> arguments(Object... pairs) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            arguments.put((String) pairs[i], pairs[i + 1]);
        }
        return arguments;
    }

    private static JsonTree call(String tool, Object... pairs) {
        return call(client, tool, pairs);
    }

    /** The result of a tool, which has the form of its schema and is within the bound. */
    private static JsonTree call(McpProbe by, String tool, Object... pairs) {
        called.add(tool);
        Answer answer = by.call(tool, Json.text(arguments(pairs))).is(200);
        assertThat(answer.at("result.isError")).as(tool + " " + answer.text()).isEqualTo(false);
        String text = answer.text("result.content.0.text");
        assertThat(TokenEstimate.of(text)).isLessThanOrEqualTo(25_000);
        List<String> faults = new ArrayList<>();
        Object result = Json.parse(text.getBytes(StandardCharsets.UTF_8));
        check(result, Objects.requireNonNull(schemas.get(tool)), tool, faults);
        assertThat(faults).isEmpty();
        return JsonTree.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void check(@Nullable Object value, JsonTree schema, String at, List<String> faults) {
        boolean isOfType = switch (schema.text("type")) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "integer" -> value instanceof Long;
            case "number" -> value instanceof Number;
            default -> false;
        };
        if (!isOfType) {
            faults.add(at + " is no " + schema.text("type") + ": " + value);
        } else if (value instanceof List<?> list) {
            list.forEach(each -> check(each, schema.get("items"), at + "[]", faults));
        } else if (value instanceof Map<?, ?> map && schema.has("properties")) {
            Map<String, JsonTree> properties = schema.get("properties").members();
            schema.texts("required").stream()
                    .filter(name -> !map.containsKey(name))
                    .forEach(name -> faults.add(at + " has no " + name));
            map.forEach((name, member) -> {
                JsonTree property = properties.get(name.toString());
                if (property == null) {
                    faults.add(at + " has a member " + name + " that is not declared");
                } else {
                    check(member, property, at + "." + name, faults);
                }
            });
        }
    }

    private static void mail(String inbox, String header, String body) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nMIME-Version: 1.0\n" + header + "\n\n" + body
                                + "\n"))
                .startsWith("250");
    }

    /** A mail with many recipients, files and links, and a long text. */
    private static void largeMail(String inbox) {
        String cc = String.join(
                ",\n ",
                IntStream.range(0, 900)
                        .mapToObj(i -> "person-" + i + "@host-" + i + ".example")
                        .toList());
        StringBuilder body = new StringBuilder("--b\nContent-Type: text/html\n\n<p>Your code is 482913</p>\n<p>")
                .append(LONG)
                .append("</p>\n");
        for (int i = 0; i < 200; i++) {
            body.append("<p><a href=\"https://www.example.com/")
                    .append(i)
                    .append("/")
                    .append("path/".repeat(60))
                    .append("\">Link ")
                    .append(i)
                    .append("</a></p>\n");
        }
        for (int i = 0; i < 40; i++) {
            body.append("--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=f")
                    .append(i)
                    .append(".txt\n\n")
                    .append(i == 0 ? LONG : "x")
                    .append("\n");
        }
        mail(
                inbox,
                "Subject: Large variant\nMessage-ID: <large@example.com>\nCc: " + cc
                        + "\nContent-Type: multipart/mixed; boundary=b",
                body + "--b--");
    }

    @Test
    @Tag("long")
    @Proves("P23a")
    void eachToolGivesWhatItsSchemaSays() {
        String inbox = inboxes();
        received(inbox);
        sent(inbox);
        drafts(inbox);
        calendar(inbox);
        apps(inbox);
        call("delete_inbox", "inboxId", inbox);
        assertThat(called).containsAll(schemas.keySet());
    }

    private static String inboxes() {
        call("auth_me");
        Map<String, Object> metadata = new LinkedHashMap<>();
        IntStream.range(0, 200).forEach(i -> metadata.put("n" + i, "é".repeat(256)));
        String inbox = call("create_inbox", "displayName", "Agent", "metadata", metadata)
                .get("inbox")
                .text("inboxId");
        assertThat(call("get_inbox", "inboxId", inbox).has("metadataCount")).isTrue();
        call("update_inbox", "inboxId", inbox, "displayName", "Other");
        call("list_inboxes");
        call("search_inboxes", "q", inbox);
        Object[] entry = {"inboxId", inbox, "direction", "receive", "type", "block", "entry", "spam.example"};
        call("create_list_entry", entry);
        call("get_list_entry", entry);
        call("list_list_entries", "inboxId", inbox, "direction", "receive", "type", "block");
        call("delete_list_entry", entry);
        return inbox;
    }

    private static void received(String inbox) {
        largeMail(inbox);
        mail(inbox, "Subject: Re: Large variant\nReferences: <large@example.com>", "A short variant.");
        JsonTree message = call("get_message", "inboxId", inbox, "messageId", "<large@example.com>")
                .get("message");
        assertThat(message.get("truncated").value()).isEqualTo(true);
        JsonTree extracted = call("get_message", "inboxId", inbox, "messageId", "<large@example.com>", "extract", true)
                .get("message");
        assertThat(extracted.get("linksCount").value()).isEqualTo(200L);
        assertThat(extracted.get("ccCount").value()).isEqualTo(900L);
        assertThat(extracted.list("codes").getFirst().text("code")).isEqualTo("482913");
        call("get_message", "inboxId", inbox, "messageId", "<large@example.com>", "format", "plain");
        String thread = message.text("threadId");
        for (String format : List.of("markdown", "plain")) {
            call("list_messages", "inboxId", inbox, "format", format);
            call("list_threads", "inboxId", inbox, "format", format, "waiting", "me", "order", "waiting_since");
            call("get_thread", "inboxId", inbox, "threadId", thread, "format", format);
            call("wait_for_message", "inboxId", inbox, "since", "2000-01-01T00:00:00Z", "format", format);
        }
        call("get_thread", "inboxId", inbox, "threadId", thread, "maxChars", 500_000L);
        Object[] file = {
            "inboxId",
            inbox,
            "threadId",
            thread,
            "attachmentId",
            message.list("attachments").getFirst().text("attachmentId")
        };
        Eventually.await(() -> call("get_attachment", file).has("markdown"));
        assertThat(call("get_attachment", file).has("nextOffset")).isTrue();
        Object[] plain = {file[0], file[1], file[2], file[3], file[4], file[5], "format", "plain"};
        assertThat(call("get_attachment", plain).has("text")).isTrue();
        Eventually.await(world::isIndexed);
        call("search_messages", "inboxId", inbox, "q", "variant");
        call("search_threads", "inboxId", inbox, "q", "variant");
        call("update_message", "inboxId", inbox, "messageId", "<large@example.com>", "addLabels", List.of("seen"));
        call("update_thread", "inboxId", inbox, "threadId", thread, "addLabels", List.of("blue"));
    }

    private static void sent(String inbox) {
        Object[] again = {
            "inboxId", inbox, "messageId", "<large@example.com>", "to", List.of("jo@example.com"), "text", "x"
        };
        call("send_message", "inboxId", inbox, "to", List.of("jo@example.com"), "subject", "S", "text", "T");
        call("reply_to_message", again);
        JsonTree forwarded = call("forward_message", again);
        call("delete_thread", "inboxId", inbox, "threadId", forwarded.text("threadId"));
    }

    private static void drafts(String inbox) {
        Object[] long0 = {"inboxId", inbox, "to", List.of("jo@example.com"), "subject", "D", "text", LONG, "html", LONG
        };
        JsonTree draft = call("create_draft", long0);
        assertThat(draft.get("truncated").value()).isEqualTo(true);
        assertThat(draft.has("nextOffset")).isTrue();
        Object[] its = {"inboxId", inbox, "draftId", draft.text("draftId")};
        call("get_draft", its);
        call("get_draft", its[0], its[1], its[2], its[3], "format", "plain");
        call("update_draft", its[0], its[1], its[2], its[3], "subject", "E");
        call("list_drafts", "inboxId", inbox);
        call("send_draft", its);
        call(
                "delete_draft",
                "inboxId",
                inbox,
                "draftId",
                call("create_draft", long0).text("draftId"));
        for (String decision : List.of("approve_draft", "reject_draft")) {
            String waiting = call(
                            author, "send_message", "inboxId", inbox, "to", List.of("jo@example.com"), "text", LONG)
                    .text("draftId");
            call("list_approvals");
            String changed = call("get_draft", "inboxId", inbox, "draftId", waiting)
                    .get("draft")
                    .text("updatedAt");
            call(decision, "inboxId", inbox, "draftId", waiting, "updatedAt", changed);
        }
    }

    private static void calendar(String inbox) {
        List<Map<String, Object>> attendees = IntStream.range(0, 100)
                .mapToObj(i -> arguments("email", "guest-" + i + "@example.com", "name", "é".repeat(250)))
                .toList();
        JsonTree made = call(
                "create_event",
                "inboxId",
                inbox,
                "title",
                "T",
                "start",
                "2099-10-15T10:00:00",
                "end",
                "2099-10-15T11:00:00",
                "description",
                "é".repeat(30_000),
                "metadata",
                Map.of("list", IntStream.range(0, 2_000).boxed().toList()),
                "attendees",
                attendees,
                "recurrence",
                Map.of("rule", "FREQ=DAILY;COUNT=60"));
        assertThat(made.get("event").get("truncated").value()).isEqualTo(true);
        Object[] its = {"inboxId", inbox, "eventId", made.get("event").text("eventId")};
        assertThat(call("get_event", its).get("event").get("attendeesCount").value())
                .isEqualTo(100L);
        call("list_events", "inboxId", inbox);
        call("get_agenda", "inboxId", inbox, "after", "2099-10-01T00:00:00Z", "before", "2099-11-01T00:00:00Z");
        call("update_event", its[0], its[1], its[2], its[3], "title", "U");
        call("delete_event", its);
        mail(inbox, "Subject: Invited\nContent-Type: text/calendar; method=REQUEST", """
                BEGIN:VCALENDAR
                VERSION:2.0
                PRODID:-//t//t//EN
                METHOD:REQUEST
                BEGIN:VEVENT
                UID:u1
                DTSTAMP:20260101T000000Z
                DTSTART:20990101T100000Z
                DTEND:20990101T110000Z
                SUMMARY:Invited
                ORGANIZER:mailto:jo@example.com
                ATTENDEE:mailto:%s
                END:VEVENT
                END:VCALENDAR""".formatted(inbox));
        Eventually.await(
                () -> !call("list_events", "inboxId", inbox).list("events").isEmpty());
        String invited =
                call("list_events", "inboxId", inbox).list("events").getFirst().text("eventId");
        call("respond_to_event", "inboxId", inbox, "eventId", invited, "status", "accepted");
    }

    private static void apps(String inbox) {
        UUID app = AppFixture.register(world, """
                {"name":"Example","redirect_uris":["https://app.example/cb"],\
                "initiate_login_uri":"https://app.example/start"}""");
        call("list_apps");
        call("search_apps", "q", "exam");
        call("get_app", "appId", app.toString());
        call("list_accounts");
        JsonTree link = call(
                McpProbe.of(world.http()).query("output_schemas=true"),
                "connect_app",
                "appId",
                app.toString(),
                "inboxId",
                inbox);
        assertThat(link.text("magicUrl")).startsWith("http");
    }
}
