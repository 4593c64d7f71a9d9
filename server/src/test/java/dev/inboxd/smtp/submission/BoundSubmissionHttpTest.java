package dev.inboxd.smtp.submission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mailbox.claim.ClaimFixture;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What mail programs submit in threads that others answer (mail.md §18.2, §18.3). */
@Proves({"P4c", "P4d"})
class BoundSubmissionHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static String submit(String inbox, String fields) {
        try (SubmissionProbe probe = new SubmissionProbe(world.submissionPort())) {
            assertThat(probe.login(inbox, world.key())).startsWith("235");
            return probe.send(
                    inbox,
                    List.of("kim@x.test"),
                    "From: " + inbox + "\nTo: kim@x.test\nSubject: Re: Chair\n" + fields + "\n80\n");
        }
    }

    @Test
    void anAnswerInAClaimedThreadIsRefusedForGood() {
        String inbox = world.inbox("program");
        ClaimFixture mail = new ClaimFixture(world, inbox);
        String path = mail.mail("claimed", "");
        String until = mail.claim(path, "w1").is(200).text("expires_at");
        assertThat(submit(inbox, "In-Reply-To: <claimed@x.test>\n"))
                .isEqualTo("550 5.7.1 w1 is answering this until " + until);
        assertThat(submit(inbox, "References: <claimed@x.test>\n")).startsWith("550 5.7.1 ");
        assertThat(submit(inbox, "")).startsWith("250 ");
        world.http().delete(path + "/claim").is(200);
        assertThat(submit(inbox, "In-Reply-To: <claimed@x.test>\n")).startsWith("250 ");
    }

    @Test
    void aFieldRefusesASecondAnswerAndIsTakenOff() {
        String inbox = world.inbox("once");
        ClaimFixture mail = new ClaimFixture(world, inbox);
        mail.mail("once", "");
        String fields = "In-Reply-To: <once@x.test>\nIf-Unanswered: yes\n";
        assertThat(submit(inbox, fields + "Message-ID: <first@program.test>\n")).startsWith("250 ");
        assertThat(submit(inbox, fields + "Message-ID: <second@program.test>\n"))
                .isEqualTo("550 5.7.1 This is answered");
        assertThat(String.valueOf(world.http()
                        .get(mail.path("/messages/%3Cfirst@program.test%3E"))
                        .is(200)
                        .at("headers")))
                .doesNotContainIgnoringCase("if-unanswered");
        assertThat(submit(inbox, "In-Reply-To: <once@x.test>\n")).startsWith("250 ");
    }
}
