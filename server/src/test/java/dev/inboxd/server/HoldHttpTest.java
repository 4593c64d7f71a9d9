package dev.inboxd.server;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What leaves an installation, held by its operator, a restore or a move: a mail server and an endpoint witness it. */
class HoldHttpTest {
    private static final String RECEIVED = "message.received.unauthenticated";
    private static final String STARTING = "calendar.event.starting";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeMx mx = new FakeMx();
    private final FakeEndpoint endpoint = FakeEndpoint.start();
    private World world;
    private MarkChanges marks;

    @BeforeEach
    void start() {
        world = World.start(
                Map.of("INBOXD_DELIVERY", "direct", "INBOXD_OUTBOUND_SMTP_PORT", String.valueOf(mx.port())));
        world.dns().addresses("mx.far.test", "127.0.0.1").mailExchangers("far.test", "10 mx.far.test");
        marks = new MarkChanges(world.database());
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        mx.close();
        endpoint.close();
    }

    private void send(String inbox, String subject) {
        world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "ann@far.test", "subject", subject, "text", "t"))
                .is(200);
    }

    private void webhook() {
        world.http()
                .post("/v0/webhooks", json("url", endpoint.url("/hook"), "event_types", List.of(RECEIVED, STARTING)))
                .is(200);
    }

    private void receive(String inbox, String subject) {
        assertThat(world.mail(
                        "bob@near.test",
                        inbox,
                        "From: bob@near.test\nTo: " + inbox + "\nSubject: " + subject + "\nMessage-ID: <" + subject
                                + "@near.test>\n\nHi\n"))
                .startsWith("250");
    }

    private void draftDueAtOnce(String inbox, String subject) {
        world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        json(
                                "to",
                                "ann@far.test",
                                "subject",
                                subject,
                                "text",
                                "t",
                                "send_at",
                                world.clock().instant().plusSeconds(600).toString()))
                .is(200);
    }

    private void eventDueAtOnce(CalendarProbe calendar) {
        LocalDateTime start = LocalDateTime.ofInstant(world.clock().instant(), ZoneOffset.UTC)
                .plusMinutes(10)
                .truncatedTo(ChronoUnit.SECONDS);
        calendar.create("{'title':'Held','start':'" + start + "','end':'" + start.plusHours(1) + "','timezone':'UTC'}")
                .is(201);
    }

    /** Each worker has looked several times by then: none rests longer than two of these signs. */
    private void pass(int signsOfLife) {
        for (int i = 0; i < signsOfLife; i++) {
            Instant last = seenAt();
            await(() -> seenAt().isAfter(last));
        }
    }

    private Instant seenAt() {
        return world.database()
                .read(tx -> tx.sql("select n.seen_at from node n").list(row -> row.instant("seen_at")).stream()
                        .min(Comparator.naturalOrder())
                        .orElseThrow());
    }

    private Map<String, Integer> mails(int count) throws InterruptedException {
        Map<String, Integer> subjects = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String content = mx.nextMail().content();
            String subject = content.lines()
                    .filter(line -> line.startsWith("Subject: "))
                    .findFirst()
                    .orElseThrow();
            subjects.merge(subject.substring("Subject: ".length()), 1, Integer::sum);
        }
        return subjects;
    }

    /** The type of the event that the endpoint got next. */
    private String posted() {
        String body = endpoint.take(PATIENCE).text();
        return body.contains(STARTING) ? STARTING : body.contains(RECEIVED) ? RECEIVED : body;
    }

    private List<?> events(String type) {
        return world.http()
                .get("/v0/events?limit=100&event_types=" + type)
                .is(200)
                .list("events");
    }

    @Test
    @Proves("P2h")
    void nothingLeavesWhileHeldAndEverythingLeavesOnceWhenItIsResumed() throws Exception {
        String inbox = world.inbox("held");
        CalendarProbe calendar = new CalendarProbe(world);
        webhook();
        assertThat(marks.hold("hold")).isTrue();
        assertThat(marks.hold("restore")).as("the first reason stays").isFalse();
        assertThat(marks.awaitAll(PATIENCE)).isTrue();
        send(inbox, "sent");
        receive(inbox, "received");
        draftDueAtOnce(inbox, "draft");
        eventDueAtOnce(calendar);
        world.advance(Duration.ofMinutes(11));
        pass(3);
        assertThat(mx.mails()).isEmpty();
        assertThat(endpoint.received()).isEmpty();
        assertThat(events(STARTING)).isEmpty();
        assertThat(events(RECEIVED)).as("mail comes in").hasSize(1);
        Answer health = world.anonymous().get("/healthz?deep").is(503);
        assertThat(health.text("reason")).contains("inboxd queue resume");
        world.anonymous().get("/healthz").is(200);
        assertThat(world.anonymous().get("/metrics").is(200).text()).contains("inboxd_held 1");

        assertThat(marks.resume()).isTrue();
        assertThat(mails(2)).isEqualTo(Map.of("sent", 1, "draft", 1));
        assertThat(List.of(posted(), posted())).containsExactlyInAnyOrder(RECEIVED, STARTING);
        pass(2);
        assertThat(mx.mails()).as("nothing leaves twice").isEmpty();
        assertThat(endpoint.received()).isEmpty();
        world.anonymous().get("/healthz?deep").is(200);
        assertThat(world.anonymous().get("/metrics").is(200).text()).contains("inboxd_held 0");
    }

    @Test
    @Tag("long")
    void aHoldSurvivesARestart() {
        String inbox = world.inbox("held");
        marks.hold("restore");
        assertThat(marks.awaitAll(PATIENCE)).isTrue();
        send(inbox, "sent");
        world.restart();
        pass(2);
        assertThat(mx.mails()).isEmpty();
        new MarkChanges(world.database()).resume();
        await(() -> mx.mails().size() == 1);
    }
}
