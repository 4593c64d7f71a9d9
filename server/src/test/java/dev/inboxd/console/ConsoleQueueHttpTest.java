package dev.inboxd.console;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.queue.WaitingMail;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What waits to leave at the console, and the next attempt that a person makes now. */
class ConsoleQueueHttpTest {
    private static final String LATER = "451 4.2.1 Greylisted";

    private final FakeMx mx = new FakeMx();
    private World world;
    private ConsoleProbe console;

    @BeforeEach
    void start() {
        world = World.start(
                Map.of("INBOXD_DELIVERY", "direct", "INBOXD_OUTBOUND_SMTP_PORT", String.valueOf(mx.port())));
        world.dns().addresses("mx.far.test", "127.0.0.1").mailExchangers("far.test", "10 mx.far.test");
        console = ConsoleProbe.of(world, "queued");
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        mx.close();
    }

    private void sends(String recipient, String subject) {
        sends(world.http(), console.inbox(), recipient, subject);
    }

    private static void sends(HttpProbe http, String inbox, String recipient, String subject) {
        http.post("/v0/inboxes/" + inbox + "/messages/send", json("to", recipient, "subject", subject, "text", "t"))
                .is(200);
    }

    private Answer retries(String row) {
        return console.sends(
                "/queue",
                "do",
                "retry",
                "submission_id",
                field(row, "submission_id"),
                "position",
                field(row, "position"));
    }

    /** The row of a recipient; nothing when it does not wait. */
    private String row(String recipient) {
        String page = console.page("/queue");
        int at = page.indexOf("<td>" + recipient + "</td>");
        return at < 0 ? "" : page.substring(page.lastIndexOf("<tr>", at), page.indexOf("</tr>", at));
    }

    private static String field(String row, String name) {
        return ConsoleProbe.between(row, "name=\"" + name + "\" value=\"", "\"");
    }

    @Test
    void whatWaitsIsTriedNowAndWhatLeftIsNotThere() {
        mx.answerRecipient("later@far.test", LATER);
        sends("later@far.test", "Your <offer>");
        sends("ok@far.test", "Arrived");
        await(() -> row("later@far.test").contains(LATER) && row("ok@far.test").isEmpty());
        String row = row("later@far.test");
        assertThat(row).contains("Your &lt;offer&gt;", "<td>1</td>", "Retry now", "/inboxes/" + "queued");
        mx.answerRecipient("later@far.test", "250 2.1.5 ok");
        retries(row).is(303);
        await(() -> console.page("/queue").contains("The queue is empty"));
        assertThat(world.as(world.session()).get("/v0/audit-log").is(200).text())
                .contains("queue.retried", field(row, "submission_id"));
    }

    @Test
    @Tag("long")
    void allThatWaitsIsTriedNowButNotWhileTheOperatorHoldsIt() {
        mx.answerRecipient("a@far.test", LATER).answerRecipient("b@far.test", LATER);
        sends("a@far.test", "One");
        sends("b@far.test", "Two");
        await(() -> row("a@far.test").contains(LATER) && row("b@far.test").contains(LATER));
        MarkChanges marks = new MarkChanges(world.database());
        marks.hold("hold");
        await(() -> !console.page("/queue").contains("Retry all now"));
        console.sends("/queue", "do", "retry-all").is(409);
        marks.resume();
        await(() -> console.page("/queue").contains("Retry all now"));
        mx.answerRecipient("a@far.test", "250 2.1.5 ok").answerRecipient("b@far.test", "250 2.1.5 ok");
        console.sends("/queue", "do", "retry-all").is(303);
        await(() -> console.page("/queue").contains("The queue is empty"));
        assertThat(console.sends("/queue", "do", "retry-all").is(303).header("Location"))
                .contains("done=settled");
        assertThat(console.page("/queue?done=retried&tried=1000&of=1200")).contains("1000 of 1200 recipients");
        assertThat(console.page("/queue?done=retried&tried=%3Cb&of=1"))
                .contains("Due now")
                .doesNotContain("&lt;b");
    }

    @Test
    void aRecipientIsTriedOnceInFiveMinutesAndKeepsItsNumberOfAttempts() {
        mx.answerRecipient("later@far.test", LATER);
        sends("later@far.test", "Again");
        await(() -> row("later@far.test").contains(LATER));
        String row = row("later@far.test");
        retries(row).is(303);
        await(() -> row("later@far.test").contains("<td>2</td>")
                && row("later@far.test").contains("Retry now"));
        retries(row).is(429);
        assertThat(row("later@far.test")).contains("<td>2</td>");
        console.sends("/queue", "do", "retry-all").is(303);
        await(() -> row("later@far.test").contains("<td>3</td>")
                && row("later@far.test").contains("Retry now"));
        console.sends("/queue", "do", "retry-all").is(429);
    }

    @Test
    void mailOfAnotherOrganizationKeepsTheRestOfItsDestination() {
        world.dns().addresses("mx.near.test", "127.0.0.1").mailExchangers("near.test", "10 mx.near.test");
        mx.answerRecipient("a@far.test", "421 4.3.2 Closing");
        sends("a@far.test", "Mine");
        await(() -> row("a@far.test").contains("Closing"));
        String mine = row("a@far.test");
        retries(mine).is(303);
        assertThat(row("a@far.test"))
                .as("it is due already")
                .contains("as soon as the destination accepts mail")
                .doesNotContain("Retry now");
        assertThat(retries(mine).is(303).header("Location")).contains("done=due");
        HttpProbe other = world.as(world.otherOrganization());
        String theirs =
                other.post("/v0/inboxes", json("username", "theirs")).is(200).text("inbox_id");
        sends(other, theirs, "b@far.test", "Theirs");
        sends("c@near.test", "Near");
        await(() -> mx.commands().stream().anyMatch(line -> line.contains("c@near.test")));
        assertThat(mx.commands())
                .as("the destination rests for everybody")
                .noneMatch(line -> line.contains("b@far.test"))
                .filteredOn(line -> line.contains("a@far.test"))
                .hasSize(1);
    }

    @Test
    void nothingIsTriedWhileSendingIsStopped() {
        mx.answerRecipient("later@far.test", LATER);
        sends("later@far.test", "Stopped");
        await(() -> row("later@far.test").contains(LATER));
        String row = row("later@far.test");
        HttpProbe person = world.as(world.session());
        person.post("/v0/organizations/stop", "{}").is(200);
        assertThat(row("later@far.test")).contains("when sending is resumed").doesNotContain("Retry now");
        assertThat(retries(row).is(409).text()).contains("Sending is stopped");
        assertThat(console.sends("/queue", "do", "retry-all").is(409).text()).contains("Sending is stopped");
        person.post("/v0/organizations/resume", "{}").is(200);
        String pod = world.http().get("/v0/inboxes/" + console.inbox()).is(200).text("pod_id");
        person.post("/v0/pods/" + pod + "/stop", "{}").is(200);
        assertThat(retries(row).is(409).text()).contains("Sending is stopped");
        person.post("/v0/pods/" + pod + "/resume", "{}").is(200);
        assertThat(retries(row).is(303).header("Location")).contains("done=retried");
    }

    @Test
    @Tag("long")
    void mailOfAnotherOrganizationIsNotTried() {
        mx.answerRecipient("later@far.test", LATER);
        sends("later@far.test", "Theirs");
        await(() -> row("later@far.test").contains(LATER));
        String row = row("later@far.test");
        console.sends("/queue", "do", "retry", "submission_id", "nothing", "position", "1")
                .is(400);
        assertThat(console.sends("/queue", "do", "retry", "submission_id", field(row, "submission_id"), "position", "2")
                        .is(303)
                        .header("Location"))
                .contains("done=settled");
        assertThat(row("later@far.test")).as("another recipient was named").contains("<td>1</td>");
        UUID submission = UUID.fromString(field(row, "submission_id"));
        UUID other = UUID.fromString(world.as(world.otherOrganization())
                .get("/v0/organizations")
                .is(200)
                .text("organization_id"));
        WaitingMail.Recipient one = new WaitingMail.Recipient(submission, 1);
        assertThat(world.database().<WaitingMail.Standing>read(tx -> WaitingMail.standing(tx, other, one)))
                .isEqualTo(new WaitingMail.Standing(0, 0, 0));
        assertThat(world.database().<Integer>write(other, tx -> WaitingMail.retry(tx, other, one)))
                .isZero();
        assertThat(world.database().<Integer>write(other, tx -> WaitingMail.retryAll(tx, other, 9)))
                .isZero();
    }
}
