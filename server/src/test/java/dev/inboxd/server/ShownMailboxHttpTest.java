package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.address.GeneratedNames;
import dev.inboxd.mail.address.StrictMailbox;
import dev.inboxd.notify.stream.SocketProbe;
import dev.inboxd.testing.JsonText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Whoever writes under whatever name: every string that shows a mailbox, in answers, events and frames of sockets, is
 * that one mailbox for a strict reader, and reaches it alone when it is given back, in every member that takes one.
 */
class ShownMailboxHttpTest {
    private static final int ROUNDS = 1;
    private static final int LONG_ROUNDS = 16;
    private static final int NAMES = 4;
    private static final Set<String> MEMBERS =
            Set.of("from", "from_", "from_address", "to", "cc", "bcc", "reply_to", "senders", "recipients");

    private static final String TYPES = """
            ["message.received","message.received.spam","message.received.unauthenticated","message.sent",\
            "message.delivered"]""";

    @RegisterExtension
    private final World world = World.start();

    @Test
    @Tag("long")
    void whatComesIsShownAsOneMailboxAndGivenBackItReachesIt() {
        shownAndGivenBack(world.inbox("shown"), ROUNDS);
    }

    @Test
    @Tag("long")
    void whatComesUnderManyNamesIsShownAsOneMailbox() {
        shownAndGivenBack(world.inbox("shown-long"), LONG_ROUNDS);
    }

    private void shownAndGivenBack(String inbox, int rounds) {
        GeneratedNames names = new GeneratedNames(7);
        try (SocketProbe socket = SocketProbe.open(world.httpPort(), world.key())
                .subscribe("," + JsonText.members("event_types", rawJson(TYPES), "inbox_ids", List.of(inbox)))) {
            for (int round = 0; round < rounds; round++) {
                received(inbox, round, names);
                SocketProbe.Frame frame = socket.next();
                while (!frame.text("event_type").startsWith("message.received")) {
                    frame = socket.next();
                }
                check(frame.json(), "bob@example.com", "rob@example.com", "ann@example.com", inbox);
                String name = "<" + round + "@shown.test>";
                Answer message =
                        world.http().get(messages(inbox) + "/" + path(name)).is(200);
                Set<String> from = check(message.at("from"), "bob@example.com");
                Set<String> all = check(message.at(""), "bob@example.com", "rob@example.com", "ann@example.com", inbox);
                assertThat(all).hasSizeGreaterThanOrEqualTo(3).containsAll(from);
                lists(inbox, message.text("thread_id"));
                for (String shown : all) {
                    givenBack(inbox, name, shown);
                }
                repliesAreOnlyTo(inbox, name, "ann@example.com");
                while (sent > 0) {
                    SocketProbe.Frame next = socket.next();
                    check(next.json(), "bob@example.com", "rob@example.com", "ann@example.com", inbox);
                    sent -= next.text("event_type").equals("message.sent") ? 1 : 0;
                }
            }
        }
        check(
                world.http()
                        .get("/v0/events?limit=100&inbox_ids=" + inbox)
                        .is(200)
                        .at(""),
                "bob@example.com",
                "rob@example.com",
                "ann@example.com",
                inbox);
    }

    @Test
    void whatIsGivenUnderAnyNameIsShownAsOneMailbox() {
        String inbox = world.inbox("given");
        GeneratedNames names = new GeneratedNames(11);
        for (int round = 0; round < NAMES; round++) {
            String given = names.next().replaceAll("[\\p{Cntrl}&&[^\t]]|\u0085", "") + " <bob@example.com>";
            String body = members("to", List.of(given)).text();
            Answer draft = world.http().post(drafts(inbox), body).is(200);
            check(draft.at(""), "bob@example.com", inbox);
            String path = drafts(inbox) + "/" + draft.text("draft_id");
            check(
                    world.http()
                            .patch(path, members("cc", List.of(given)).text())
                            .is(200)
                            .at(""),
                    "bob@example.com",
                    inbox);
            check(world.http().get(path).is(200).at(""), "bob@example.com", inbox);
            check(world.http().get(drafts(inbox)).is(200).at("drafts.0"), "bob@example.com", inbox);
            String id = world.http().post(path + "/send", "").is(200).text("message_id");
            check(sentAs(inbox, id).at(""), "bob@example.com", inbox);
        }
        GeneratedNames own = new GeneratedNames(13);
        for (int round = 0; round < NAMES; round++) {
            String name = own.next().replaceAll("\\p{Cntrl}", "");
            Answer changed = world.http().patch("/v0/inboxes/" + inbox, Json.text(JsonObject.of("display_name", name)));
            if (changed.status() == 200) {
                check(
                        sentAs(inbox, send(inbox, members("to", "bob@example.com")))
                                .at(""),
                        "bob@example.com",
                        inbox);
            }
        }
    }

    /** Sends that were acknowledged since frames of them were read. */
    private int sent;

    private void givenBack(String inbox, String name, String shown) {
        String address = StrictMailbox.of(shown).address();
        List<Body> bodies = List.of(members("to", shown), members("to", List.of(shown)), members("cc", List.of(shown)));
        for (Body body : bodies) {
            onlyTo(inbox, send(inbox, body), address);
            Answer draft = world.http().post(drafts(inbox), body.text()).is(200);
            assertThat(check(draft.at(body.member), address)).hasSize(1);
            onlyTo(inbox, sendDraft(inbox, draft), address);
        }
        Body again = members("to", List.of(shown));
        for (String call : List.of("/reply", "/forward")) {
            Answer answer = world.http()
                    .post(messages(inbox) + "/" + path(name) + call, again.text())
                    .is(200);
            onlyTo(inbox, answer.text("message_id"), address);
            sent++;
        }
        String block = "/v0/inboxes/" + inbox + "/lists/receive/block";
        String entry = Json.text(JsonObject.of("entry", shown));
        assertThat(world.http().post(block, entry).is(200).text("entry")).isEqualTo(address);
        world.http().delete(block + "/" + path(shown)).is(200);
        Answer draft =
                world.http().post(drafts(inbox), members("bcc", shown).text()).is(200);
        world.http()
                .patch(drafts(inbox) + "/" + draft.text("draft_id"), again.text())
                .is(200);
        onlyTo(inbox, sendDraft(inbox, draft), address);
    }

    /** A reply without recipients of its own, by a call and by a draft, goes where the fields of the original say. */
    private void repliesAreOnlyTo(String inbox, String name, String address) {
        Answer reply = world.http()
                .post(messages(inbox) + "/" + path(name) + "/reply", json("text", "t"))
                .is(200);
        sent++;
        onlyTo(inbox, reply.text("message_id"), address);
        String body = Json.text(JsonObject.of("in_reply_to", name).with("text", "t"));
        Answer draft = world.http().post(drafts(inbox), body).is(200);
        check(draft.at("to"), address);
        onlyTo(inbox, sendDraft(inbox, draft), address);
    }

    private String send(String inbox, Body body) {
        sent++;
        return world.http().post(messages(inbox) + "/send", body.text()).is(200).text("message_id");
    }

    private String sendDraft(String inbox, Answer draft) {
        sent++;
        return world.http()
                .post(drafts(inbox) + "/" + draft.text("draft_id") + "/send", "")
                .is(200)
                .text("message_id");
    }

    private void onlyTo(String inbox, String id, String address) {
        Answer message = sentAs(inbox, id);
        List<String> shown = new ArrayList<>();
        for (String member : List.of("to", "cc", "bcc")) {
            collect(message.at(member), shown);
        }
        assertThat(shown)
                .allSatisfy(each -> assertThat(StrictMailbox.of(each).address()).isEqualTo(address));
        assertThat(message.list("deliveries"))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each)
                        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                        .containsEntry("recipient", address));
    }

    private Answer sentAs(String inbox, String id) {
        return world.http().get(messages(inbox) + "/" + path(id)).is(200);
    }

    private void lists(String inbox, String thread) {
        for (String list : List.of(
                messages(inbox) + "?limit=3&include_unauthenticated=true&include_spam=true",
                "/v0/threads?limit=3&include_unauthenticated=true&include_spam=true",
                "/v0/inboxes/" + inbox + "/threads/" + thread)) {
            check(
                    world.http().get(list).is(200).at(""),
                    "bob@example.com",
                    "rob@example.com",
                    "ann@example.com",
                    inbox);
        }
    }

    /** Every string that shows a mailbox, each read strictly: it must be one of these addresses. */
    private static Set<String> check(@Nullable Object json, String... addresses) {
        List<String> shown = new ArrayList<>();
        if (json instanceof Map<?, ?>
                || (json instanceof List<?> list && !list.isEmpty() && list.getFirst() instanceof Map)) {
            walk(json, shown);
        } else {
            collect(json, shown);
        }
        assertThat(shown)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(StrictMailbox.of(each).address()).isIn((Object[]) addresses));
        return new TreeSet<>(shown);
    }

    private static void walk(@Nullable Object json, List<String> shown) {
        if (json instanceof Map<?, ?> object) {
            object.forEach((name, value) -> {
                if (MEMBERS.contains(String.valueOf(name))) {
                    collect(value, shown);
                } else if (!"headers".equals(name)) {
                    walk(value, shown);
                }
            });
        } else if (json instanceof List<?> list) {
            list.forEach(each -> walk(each, shown));
        }
    }

    private static void collect(@Nullable Object value, List<String> shown) {
        if (value instanceof String text) {
            shown.add(text);
        } else if (value instanceof List<?> list) {
            list.forEach(each -> collect(each, shown));
        }
    }

    private void received(String inbox, int round, GeneratedNames names) {
        String mail =
                "From: " + encoded(names.next()) + " <bob@example.com>\nTo: " + encoded(names.next()) + " <" + inbox
                        + ">\nCc: " + encoded(names.next()) + " <rob@example.com>\nReply-To: " + encoded(names.next())
                        + " <ann@example.com>\nSubject: s\nMessage-ID: <" + round + "@shown.test>\n\nHi\n";
        assertThat(world.mail("bob@example.com", inbox, mail)).startsWith("250");
    }

    private static String encoded(String name) {
        StringBuilder words = new StringBuilder();
        for (int at = 0; at < name.length(); ) {
            int end = Math.min(name.length(), at + 12);
            end -= end < name.length() && Character.isHighSurrogate(name.charAt(end - 1)) ? 1 : 0;
            byte[] piece = name.substring(at, end).getBytes(StandardCharsets.UTF_8);
            words.append(words.isEmpty() ? "" : "\n ")
                    .append("=?utf-8?B?")
                    .append(Base64.getEncoder().encodeToString(piece))
                    .append("?=");
            at = end;
        }
        return words.toString();
    }

    /** The body of a request with one member that names recipients. */
    private record Body(String member, Object recipients) {
        String text() {
            return Json.text(JsonObject.of(member, recipients).with("text", "t"));
        }
    }

    private static Body members(String member, Object recipients) {
        return new Body(member, recipients);
    }

    private static String messages(String inbox) {
        return "/v0/inboxes/" + inbox + "/messages";
    }

    private static String drafts(String inbox) {
        return "/v0/inboxes/" + inbox + "/drafts";
    }

    private static String path(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
