package dev.inboxd.queue;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.smtp.SmtpReply;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Answers in place of other servers, in development (sandbox.md §3). What it answers does not leave. */
public interface ScriptedRecipients {
    /** Nobody is scripted, as in production. */
    ScriptedRecipients NONE = _ -> Optional.empty();

    /**
     * Answers a mail for one recipient.
     *
     * @return what a server would say: positive when the mail is taken; empty when the mail leaves as usual
     */
    Optional<SmtpReply> answer(HandOver mail);

    /**
     * A mail that is about to be handed over.
     *
     * @param position of the recipient in the submission
     * @param message null for mail of the service itself
     * @param inbox whose mail it is, or null
     * @param returnPath where reports on it go; null for mail that must not bounce
     */
    record HandOver(
            UUID organization,
            UUID submission,
            int position,
            @Nullable UUID message,
            @Nullable UUID inbox,
            AddrSpec recipient,
            @Nullable AddrSpec returnPath,
            Instant queuedAt) {}
}
