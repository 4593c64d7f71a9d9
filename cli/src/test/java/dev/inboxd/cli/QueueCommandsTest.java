package dev.inboxd.cli;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.Main;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.Json;
import dev.inboxd.inbound.FakeClamd;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator looks at the outgoing queue, and lets it be tried again, beside a running service. */
class QueueCommandsTest {
    private final FakeMx mx = new FakeMx();
    private final FakeClamd clamd = new FakeClamd();
    private World world;

    @BeforeEach
    void start() {
        world = World.start(Map.of(
                "INBOXD_DELIVERY",
                "direct",
                "INBOXD_OUTBOUND_SMTP_PORT",
                String.valueOf(mx.port()),
                "INBOXD_CLAMAV",
                "127.0.0.1:" + clamd.address().getPort()));
        world.dns()
                .addresses("mx.far.test", "127.0.0.1")
                .mailExchangers("far.test", "10 mx.far.test")
                .mailExchangers("other.test", "10 mx.far.test");
    }

    @AfterEach
    void stop() {
        world.close();
        mx.close();
        clamd.close();
    }

    @Test
    @Proves("P3")
    void whatWaitsIsSeenWithItsNextAttemptAndTriedAtOnceWhenTheOperatorSaysSo() throws Exception {
        String inbox = world.inbox("waits");
        mx.answer(At.CONNECT, "421 4.3.2 Secret closing of far.test");
        Instant before = world.clock().instant().minusSeconds(1);
        world.http().post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":["ann@far.test","bob@far.test"],
                "subject":"hidden subject","text":"hidden text"}""").is(200);
        Eventually.await(() -> queued("far.test") == 2);

        List<?> domains = list("queue", "list");
        assertThat(domains).hasSize(1);
        Map<?, ?> domain = (Map<?, ?>) domains.getFirst();
        assertThat(domain.get("domain")).isEqualTo("far.test");
        assertThat(domain.get("waiting")).isEqualTo(2L);
        assertThat(domain.get("organizations")).isEqualTo(1L);
        assertThat(Instant.parse(String.valueOf(domain.get("since")))).isAfter(before);
        assertThat(Instant.parse(String.valueOf(domain.get("next_attempt_at"))))
                .isAfter(world.clock().instant());
        assertThat(String.valueOf(domain.get("last_reply"))).contains("421 4.3.2");
        assertThat(list("queue", "show", "FAR.test").stream()
                        .map(each -> String.valueOf(((Map<?, ?>) each).get("recipient"))))
                .containsExactlyInAnyOrder("ann@far.test", "bob@far.test");
        assertThat(list("queue", "show", "other.test")).isEmpty();
        assertThat(say("queue", "show", "far.test", "--json"))
                .contains("421")
                .contains("next_attempt_at")
                .doesNotContain("hidden");

        mx.usual(At.CONNECT); // its rest has just begun, and its next attempt is minutes away
        assertThat(retried("other.test")).isEqualTo(0L);
        assertThat(queued("far.test")).isEqualTo(2);
        assertThat(retried("far.test")).isEqualTo(2L);
        assertThat(List.of(mx.nextMail().recipients(), mx.nextMail().recipients()))
                .containsExactlyInAnyOrder(List.of("RCPT TO:<ann@far.test>"), List.of("RCPT TO:<bob@far.test>"));
        Eventually.await(() -> list("queue", "list").isEmpty());
        assertThat(say("queue", "list")).isEmpty();
    }

    /** What we held up ourselves was counted when that was written down, and is not counted again. */
    @Test
    void whatWeHeldUpIsRetriedAndHasItsWholeScheduleBeforeIt() {
        clamd.saying("INSTREAM: Can't allocate memory ERROR");
        world.http()
                .post(
                        "/v0/inboxes/" + world.inbox("held") + "/messages/send",
                        json("to", List.of("ann@far.test"), "subject", "s", "text", "t"))
                .is(200);
        Eventually.await(() -> putOff() == 1);
        clamd.saying("stream: OK");
        mx.answer(At.CONNECT, "421 4.3.2 Closing");
        assertThat(retried("far.test")).isEqualTo(1L);
        Eventually.await(() -> world.database()
                        .read(tx -> tx.sqlAcrossTenants("select count(*) as n from submission_recipient r"
                                        + " where r.state = 'queued' and r.last_reply like '%421 4.3.2%'"
                                        + " and r.attempts = r.held + 1"
                                        + " and r.due_at between {now} + interval '4 minutes' and {now} +"
                                        + " interval '6 minutes'")
                                .single(row -> row.integer("n")))
                == 1);
    }

    /** Takes what we hold up out of the way of its own next attempt. */
    private int putOff() {
        return world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(
                                        View.of(world.organization()),
                                        "update submission_recipient r set due_at = {now} + interval '1 hour'"
                                                + " where r.organization_id = {organization}"
                                                + " and r.state = 'queued' and r.attempts = r.held and r.attempts > 0")
                                .run());
    }

    private Object retried(String domain) {
        Map<?, ?> said = (Map<?, ?>) Objects.requireNonNull(Json.stored(say("queue", "retry", domain, "--json")));
        return Objects.requireNonNull(said.get("recipients"));
    }

    private int queued(String destination) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from submission_recipient r"
                                + " where r.state = 'queued' and r.attempts = 1 and r.destination = :domain")
                        .bind("domain", destination)
                        .single(row -> row.integer("n")));
    }

    private List<?> list(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        return (List<?>) Objects.requireNonNull(Json.stored(say(all.toArray(String[]::new))));
    }

    private String say(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data-dir", world.folder().toString(), "--database-url", world.databaseUrl()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        assertThat(status).as(err.toString()).isZero();
        return out.toString();
    }
}
