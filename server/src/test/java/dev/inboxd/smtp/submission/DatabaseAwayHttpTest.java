package dev.inboxd.smtp.submission;

import static dev.inboxd.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.DatabaseProxy;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The database is away and comes back (promise P15): every door says so, loses nothing, and opens again by itself. */
class DatabaseAwayHttpTest {
    private static final String MAIL = "From: jo@x.test\nSubject: %s\nMessage-ID: <%1$s@x.test>\n\nHello\n";

    @Test
    @Tag("long")
    @Proves("P15")
    void everyDoorAsksToComeBackLaterAndOpensAgainByItself() {
        try (DatabaseProxy cable = new DatabaseProxy();
                World world = World.start(Map.of(), cable::before)) {
            String inbox = world.inbox("away");
            assertThat(world.mail("jo@x.test", inbox, MAIL.formatted("before"))).startsWith("250");
            try (SmtpProbe inData = new SmtpProbe(world.smtpPort());
                    SubmissionProbe program = new SubmissionProbe(world.submissionPort())) {
                assertThat(program.login(inbox, world.key())).startsWith("235");
                assertThat(inData.command("MAIL FROM:<jo@x.test>")).startsWith("250");
                assertThat(inData.command("RCPT TO:<" + inbox + ">")).startsWith("250");
                assertThat(inData.command("DATA")).startsWith("354");
                cable.cut();
                assertThat(inData.command(MAIL.formatted("during").replace("\n", "\r\n") + "."))
                        .as("in DATA")
                        .startsWith("451 4.3.0");
                assertThat(inData.command("NOOP")).as("the session goes on").startsWith("250");
                assertThat(world.mail("jo@x.test", "unseen@mail.localhost", MAIL.formatted("x")))
                        .as("RCPT")
                        .startsWith("451 4.3.0");
                assertThat(program.send(inbox, List.of("jo@elsewhere.test"), "From: " + inbox + "\n\nHi\n"))
                        .as("submission")
                        .startsWith("451");
            }
            try (SubmissionProbe program = new SubmissionProbe(world.submissionPort())) {
                assertThat(program.login(inbox, world.key())).as("login").startsWith("454");
            }
            Answer refused = world.http().get("/v0/inboxes").is(503);
            assertThat(refused.text("code")).isEqualTo("service_unavailable");
            assertThat(refused.header("Retry-After")).isNotNull();

            cable.mend();
            await(() -> world.mail("jo@x.test", inbox, MAIL.formatted("during")).startsWith("250"));
            await(() -> world.http().get("/v0/inboxes").status() == 200);
            try (SubmissionProbe program = new SubmissionProbe(world.submissionPort())) {
                assertThat(program.login(inbox, world.key())).startsWith("235");
                assertThat(program.send(inbox, List.of("jo@elsewhere.test"), "From: " + inbox + "\n\nHi\n"))
                        .startsWith("250");
            }
            assertThat(world.http()
                            .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&labels=received")
                            .is(200)
                            .list("messages"))
                    .hasSize(2);
        }
    }
}
