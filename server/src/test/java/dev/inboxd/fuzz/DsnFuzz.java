package dev.inboxd.fuzz;

import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.StatusReport;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** A report of ours about what another server said. */
final class DsnFuzz {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

    private DsnFuzz() {}

    static byte[] of(RecipientDsn dsn, String said, byte[] original) {
        String reply = new String(said.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        StatusReport report = new StatusReport(
                new StatusReport.Message(reply, "mx.test", NOW),
                List.of(new StatusReport.Recipient(
                        dsn.originalRecipient(),
                        RecipientDsn.typed("jo@b.test"),
                        "failed",
                        "5.0.0",
                        "smtp; " + reply,
                        NOW,
                        null)),
                new StatusReport.ReturnedContent(original, true));
        return report.composed(new Composition(
                        new Composition.Addresses(
                                new Mailbox(null, "postmaster@a.test"),
                                List.of(new Mailbox(null, "a@a.test")),
                                List.of(),
                                List.of()),
                        new Composition.Identification(
                                "<r" + Arrays.hashCode(original) + "@a.test>", List.of(), List.of()),
                        "Report",
                        NOW,
                        List.of(),
                        new Composition.Body(reply, null, List.of())))
                .bytes();
    }
}
