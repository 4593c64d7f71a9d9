package dev.inboxd.notify.stream;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.http.RawWebSocket;
import dev.inboxd.base.json.Json;
import dev.inboxd.notify.stream.SocketProbe.Frame;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The WebSocket, rule by rule (events.md §5, ruling 20), with a second node on the same database. */
class SocketHttpTest {
    /** Mail from outside is not authenticated here. */
    private static final String TYPES =
            "," + members("event_types", List.of("message.received", "message.received.unauthenticated"));

    private static final String READER =
            json("permissions", object("message_read", true, "label_unauthenticated_read", true));

    @RegisterExtension
    private static final World world = World.start();

    private static World beside;

    @BeforeAll
    static void start() {
        beside = world.beside();
    }

    @AfterAll
    static void stop() {
        beside.close();
    }

    private static void mail(World node, String inbox, String subject) {
        assertThat(node.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: " + subject + "\n\nHello.\n"))
                .startsWith("250");
    }

    private static SocketProbe open() {
        return SocketProbe.open(world.httpPort(), world.key());
    }

    private static Answer key(String body) {
        return world.http().post("/v0/api-keys", body).is(200);
    }

    @Test
    void mailIsAFrameThatTellsWhatTheFeedTells() {
        String inbox = world.inbox("frames");
        try (SocketProbe socket = open().subscribe(TYPES + "," + members("inbox_ids", List.of(inbox)))) {
            mail(world, inbox, "Hello");
            Frame frame = socket.next();
            assertThat(frame.type()).isEqualTo("event");
            assertThat(frame.text("event_type")).isEqualTo("message.received.unauthenticated");
            assertThat(frame.text("event_id")).startsWith("evt_");
            assertThat(frame.subject()).isEqualTo("Hello");
            assertThat(frame.json().get("thread")).isInstanceOf(Map.class);
            Answer feed = world.http()
                    .get("/v0/events?event_types=message.received.unauthenticated&inbox_ids=" + inbox)
                    .is(200);
            assertThat(feed.at("events.0")).isEqualTo(Json.parse(frame.text().getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void theKeyComesInTheHeaderOrInTheQuery() {
        int port = world.httpPort();
        SocketProbe.openWith(port, "?api_key=" + world.key()).subscribe("").close();
        SocketProbe.openWith(port, "?api_key=nonsense", "Authorization", "Bearer " + world.key())
                .subscribe("")
                .close();
        assertThat(SocketProbe.refusal(port, "")).isEqualTo(401);
        assertThat(SocketProbe.refusal(port, "?api_key=")).isEqualTo(401);
        assertThat(SocketProbe.refusal(port, "?api_key=inb_nobodys")).isEqualTo(401);
        assertThat(SocketProbe.refusal(port, "?api_key=" + world.key(), "Authorization", "Bearer inb_nobodys"))
                .isEqualTo(401);
        assertThat(SocketProbe.refusal(port, "?api_key=a.b.c"))
                .as("a session token")
                .isEqualTo(401);
        String lesser = key(json("permissions", object("inbox_read", true))).text("api_key");
        assertThat(SocketProbe.refusal(port, "?api_key=" + lesser)).isEqualTo(403);
    }

    @Test
    @Proves("A44")
    void elsewhereAKeyInTheQueryIsNoKey() {
        world.anonymous().get("/v0/inboxes?api_key=" + world.key()).is(401);
    }

    @Test
    void withoutAnUpgradeThePathNamesTheProtocol() {
        Answer answer = world.http().get("/v0").is(426);
        assertThat(answer.text("code")).isEqualTo("upgrade_required");
        assertThat(answer.header("Upgrade")).isEqualTo("websocket");
    }

    @Test
    @Proves("A44")
    void aPageOfAnotherOriginIsRefusedWhereOriginsAreListed() {
        try (World strict = World.start(Map.of("INBOXD_CORS_ORIGINS", "https://app.example"))) {
            int port = strict.httpPort();
            String query = "?api_key=" + strict.key();
            assertThat(SocketProbe.refusal(port, query, "Origin", "https://evil.example"))
                    .isEqualTo(403);
            SocketProbe.openWith(port, query, "Origin", "https://app.example")
                    .subscribe("")
                    .close();
            SocketProbe.openWith(port, query).subscribe("").close();
        }
    }

    @Test
    void whatIsInForceIsEchoedWithoutWhatWasNotGiven() {
        String inbox = world.inbox("echo");
        try (SocketProbe socket = open()) {
            socket.say(json("type", "subscribe"));
            assertThat(socket.next().json()).isEqualTo(Map.of("type", "subscribed"));
            socket.say("""
                    {"type":"subscribe","inbox_ids":["%s"],\
                    "event_types":["message.sent"]}""".formatted(inbox));
            assertThat(socket.next().json())
                    .isEqualTo(Map.of(
                            "type", "subscribed", "inbox_ids", List.of(inbox), "event_types", List.of("message.sent")));
        }
    }

    @Test
    void onlyWhatIsSubscribedToIsTold() {
        String mine = world.inbox("mine");
        String other = world.inbox("other");
        try (SocketProbe socket = open()) {
            mail(world, mine, "too early");
            socket.subscribe(TYPES + "," + members("inbox_ids", List.of(mine)));
            mail(world, other, "not mine");
            mail(world, mine, "mine");
            assertThat(socket.next().subject()).isEqualTo("mine");
            socket.subscribe(TYPES + "," + members("inbox_ids", List.of(other)));
            socket.subscribe("," + members("inbox_ids", List.of(mine), "event_types", List.of("message.sent")));
            mail(world, mine, "replaced types");
            mail(world, other, "added inbox");
            assertThat(socket.next().subject()).isEqualTo("added inbox");
            assertThat(socket.rest()).isEmpty();
        }
    }

    @Test
    void aPodIsASubscriptionToo() {
        String pod = world.pod("socket pod");
        String inbox = world.http()
                .post("/v0/pods/" + pod + "/inboxes", json("username", "in-a-pod"))
                .is(200)
                .text("inbox_id");
        String outside = world.inbox("outside-the-pod");
        try (SocketProbe socket = open().subscribe(TYPES + "," + members("pod_ids", List.of(pod)))) {
            mail(world, outside, "outside");
            mail(world, inbox, "inside");
            assertThat(socket.next().subject()).isEqualTo("inside");
        }
    }

    @Test
    void whatIsWrongIsAFrameAndTheConnectionStays() {
        String reader = key(json("permissions", object("message_read", true))).text("api_key");
        try (SocketProbe socket = SocketProbe.open(world.httpPort(), reader)) {
            String many = IntStream.range(0, 11)
                    .mapToObj(i -> "\"a" + i + "@x.test\"")
                    .reduce((a, b) -> a + "," + b)
                    .orElseThrow();
            error(socket, "nonsense", "ValidationError");
            error(socket, json("type", "ping"), "ValidationError");
            error(socket, json("type", "subscribe", "event_types", List.of("label.added")), "ValidationError");
            error(socket, json("type", "subscribe", "cursor", "evt_0"), "ValidationError");
            error(socket, json("type", "subscribe", "inbox_ids", List.of("nobody@mail.localhost")), "NotFoundError");
            error(socket, json("type", "subscribe", "pod_ids", List.of("nowhere")), "NotFoundError");
            error(socket, """
                    {"type":"subscribe","inbox_ids":[%s]}""".formatted(many), "LimitExceededError");
            Frame frame = error(
                    socket,
                    json("type", "subscribe", "event_types", List.of("message.received.spam")),
                    "ForbiddenError");
            assertThat(frame.text("message")).isEqualTo("label_spam_read is forbidden");
            assertThat(frame.text("code")).isEqualTo("missing_permission");
            socket.subscribe("");
        }
    }

    private static Frame error(SocketProbe socket, String said, String name) {
        Frame frame = socket.say(said).next();
        assertThat(frame.type()).as(said).isEqualTo("error");
        assertThat(frame.text("name")).as(said).isEqualTo(name);
        assertThat(frame.json().get("message")).as(said).isInstanceOf(String.class);
        return frame;
    }

    @Test
    @Proves("A44")
    void whoTalksNonsenseAllTheTimeIsLetGo() {
        try (SocketProbe socket = open()) {
            for (int i = 0; i < 101; i++) {
                socket.say("nonsense");
            }
            assertThat(socket.closeCode()).isEqualTo(1008);
        }
    }

    @Test
    @Proves("A44")
    void aFrameOverSixtyFourKilobytesClosesAndSoDoBytes() {
        try (SocketProbe socket = open()) {
            socket.say(json("type", "subscribe", "x", "x".repeat(66_000)));
            assertThat(socket.closeCode()).isEqualTo(1009);
        }
        try (SocketProbe socket = open()) {
            socket.sayBytes(new byte[] {1});
            assertThat(socket.closeCode()).isEqualTo(1003);
        }
    }

    @Test
    void anotherNodeTellsInTheSameOrder() {
        String inbox = world.inbox("nodes");
        try (SocketProbe socket = SocketProbe.open(beside.httpPort(), world.key())
                .subscribe(TYPES + "," + members("inbox_ids", List.of(inbox)))) {
            List<String> subjects = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                subjects.add("mail " + i);
                mail(i % 3 == 0 ? beside : world, inbox, "mail " + i);
            }
            assertThat(socket.subjects(20)).isEqualTo(subjects);
        }
    }

    /** Nothing missed, nothing doubled, however often and wherever a client connects again while mail comes in. */
    @Test
    @Proves("P7")
    void aClientThatResumesMissesNothingAndHearsNothingTwice() {
        String inbox = world.inbox("resume");
        List<String> sent = IntStream.range(0, 200).mapToObj(i -> "mail " + i).toList();
        List<Frame> heard = new ArrayList<>();
        String filter = TYPES + "," + members("inbox_ids", List.of(inbox));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                SocketProbe first = open().subscribe(filter)) {
            CompletableFuture<?> mails = CompletableFuture.runAsync(
                    () -> sent.forEach(subject -> mail(subject.hashCode() % 2 == 0 ? world : beside, inbox, subject)),
                    threads);
            heard.add(first.next());
            first.vanish();
            while (heard.size() < sent.size()) {
                World node = heard.size() % 2 == 0 ? world : beside;
                try (SocketProbe again = SocketProbe.open(node.httpPort(), world.key())
                        .subscribe(
                                filter + "," + members("cursor", heard.getLast().text("event_id")))) {
                    for (int i = 0; i < 13 && heard.size() < sent.size(); i++) {
                        heard.add(again.next());
                    }
                    again.vanish();
                }
            }
            mails.join();
        }
        assertThat(heard.stream().map(Frame::subject).toList()).isEqualTo(sent);
    }

    @Test
    @Proves("P7")
    void aSecondSubscribeWithACursorAddsWhatTheFirstDidNotTell() {
        String one = world.inbox("second-a");
        String two = world.inbox("second-b");
        try (SocketProbe start = open().subscribe(TYPES + "," + members("inbox_ids", List.of(one, two)))) {
            mail(world, one, "0");
            String cursor = "," + members("cursor", start.next().text("event_id"));
            for (int i = 1; i <= 6; i++) {
                mail(world, i % 2 == 0 ? one : two, Integer.toString(i));
            }
            try (SocketProbe socket = open().subscribe(TYPES + "," + members("inbox_ids", List.of(one)) + cursor)) {
                assertThat(socket.subjects(3)).containsExactly("2", "4", "6");
                socket.subscribe(TYPES + "," + members("inbox_ids", List.of(two, one)) + cursor);
                mail(world, one, "7");
                assertThat(socket.subjects(4)).containsExactly("1", "3", "5", "7");
            }
        }
    }

    /** Promise P12. */
    @Test
    @Proves("P12")
    void aRevokedKeyClosesItsSocketsOnEveryNode() {
        Answer key = key(json("permissions", object("message_read", true)));
        try (SocketProbe here =
                        SocketProbe.open(world.httpPort(), key.text("api_key")).subscribe("");
                SocketProbe there = SocketProbe.open(beside.httpPort(), key.text("api_key"));
                SocketProbe others = open().subscribe("")) {
            world.http().delete("/v0/api-keys/" + key.text("api_key_id")).is(200);
            assertThat(here.closeCode()).isEqualTo(1008);
            assertThat(there.closeCode())
                    .as("without any subscription, on another node")
                    .isEqualTo(1008);
            assertThat(others.isOpen()).isTrue();
        }
    }

    /** Promise P12. */
    @Test
    @Proves("P12")
    void aKeyThatExpiresClosesItsSockets() {
        try (World own = World.start()) {
            String at = own.clock().instant().plus(Duration.ofMinutes(30)).toString();
            String key = own.http()
                    .post("/v0/api-keys", json("expires_at", at))
                    .is(200)
                    .text("api_key");
            try (SocketProbe socket = SocketProbe.open(own.httpPort(), key).subscribe("")) {
                own.advance(Duration.ofMinutes(31));
                assertThat(socket.closeCode()).isEqualTo(1008);
                assertThat(SocketProbe.refusal(own.httpPort(), "?api_key=" + key))
                        .isEqualTo(401);
            }
        }
    }

    /** Ruling 20: permissions are those at the event. */
    @Test
    @Proves("P11")
    void aKeyThatIsNarrowedSeesNoMoreFromTheNextEventOn() {
        String inbox = world.inbox("narrowed");
        Answer key = key(READER);
        String filter = TYPES + "," + members("inbox_ids", List.of(inbox));
        try (SocketProbe socket =
                        SocketProbe.open(beside.httpPort(), key.text("api_key")).subscribe(filter);
                SocketProbe other =
                        SocketProbe.open(beside.httpPort(), world.key()).subscribe(filter)) {
            mail(world, inbox, "seen");
            assertThat(socket.next().subject()).isEqualTo("seen");
            world.http()
                    .patch("/v0/api-keys/" + key.text("api_key_id"), json("permissions", object("inbox_read", true)))
                    .is(200);
            mail(world, inbox, "unseen");
            assertThat(other.subjects(2)).as("both are told, or not, at once").containsExactly("seen", "unseen");
            world.http().patch("/v0/api-keys/" + key.text("api_key_id"), READER).is(200);
            mail(world, inbox, "seen again");
            assertThat(socket.next().subject()).isEqualTo("seen again");
        }
    }

    /** promises.md A44: what a peer does not read is bounded, and it can go on where it was. */
    @Test
    @Tag("long")
    @Proves("A44")
    void aPeerThatDoesNotReadIsClosedAndGoesOnFromItsCursor() throws IOException {
        String inbox = world.inbox("slow");
        String filter = TYPES + "," + members("inbox_ids", List.of(inbox));
        int mails =
                200; // more than all buffers on the way hold; few, as whoever is given up has five seconds to hear of
        // it
        String body = "word ".repeat(6_000);
        try (RawWebSocket slow = RawWebSocket.small(world.httpPort(), "/v0", world.key());
                SocketProbe quick = open().subscribe(filter)) {
            slow.say("""
                    {"type":"subscribe"%s}""".formatted(filter));
            for (int i = 0; i < mails; i++) {
                assertThat(world.mail("jo@example.com", inbox, "From: jo@example.com\nSubject: " + i + "\n\n" + body))
                        .startsWith("250");
                assertThat(quick.next().subject()).as("others are told as ever").isEqualTo(Integer.toString(i));
            }
            List<Map<?, ?>> read = slow.readAll();
            assertThat(slow.closeCode()).isEqualTo(1013);
            assertThat(read.removeFirst()).extracting("type").isEqualTo("subscribed");
            assertThat(read).isNotEmpty().hasSizeLessThan(mails);
            try (SocketProbe again = open().subscribe(filter + ","
                    + members("cursor", String.valueOf(read.getLast().get("event_id"))))) {
                assertThat(again.subjects(mails - read.size()))
                        .isEqualTo(IntStream.range(read.size(), mails)
                                .mapToObj(Integer::toString)
                                .toList());
            }
        }
    }

    @Test
    void aServerThatStopsSaysSo() {
        World third = world.beside();
        try (SocketProbe socket =
                SocketProbe.open(third.httpPort(), world.key()).subscribe("")) {
            third.close();
            assertThat(socket.closeCode()).isEqualTo(1012);
        }
    }

    /** The client library, and every browser page of ours, comes over TLS. */
    @Test
    void overTlsItIsTheSame() {
        String inbox = world.inbox("secure");
        try (World secure = world.beside(Map.of("INBOXD_HTTP_TLS", "on"))) {
            try (SocketProbe socket = SocketProbe.openSecure(secure.httpPort(), "?api_key=" + secure.key());
                    SocketProbe header =
                            SocketProbe.openSecure(secure.httpPort(), "", "Authorization", "Bearer " + secure.key())) {
                socket.subscribe(TYPES);
                header.subscribe(TYPES);
                mail(secure, inbox, "one");
                Frame told = socket.next();
                assertThat(told.subject()).isEqualTo("one");
                assertThat(header.next().text()).isEqualTo(told.text());
                String large = "word ".repeat(12_000);
                assertThat(secure.mail("jo@example.com", inbox, "From: jo@example.com\nSubject: large\n\n" + large))
                        .startsWith("250");
                assertThat(socket.next().subject()).isEqualTo("large");
                try (SocketProbe later = SocketProbe.openSecure(secure.httpPort(), "?api_key=" + secure.key())) {
                    later.subscribe(TYPES + "," + members("cursor", told.text("event_id")));
                    assertThat(later.next().subject()).isEqualTo("large");
                }
            }
        }
    }
}
