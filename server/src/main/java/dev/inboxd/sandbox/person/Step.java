package dev.inboxd.sandbox.person;

import dev.inboxd.mail.smtp.SmtpReply;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one mail meets.
 *
 * @param reply the answer of SMTP; positive: it is taken
 * @param lasting how long that answer is given before the mail is taken; null: always
 * @param then what is done once it is taken
 * @param json the step as it is stored
 */
record Step(SmtpReply reply, @Nullable Duration lasting, List<Reaction> then, String json) {
    Step {
        then = List.copyOf(then);
    }

    /** The answer to a mail that was queued so long ago. */
    SmtpReply after(Duration age) {
        return lasting != null && age.compareTo(lasting) >= 0 ? SmtpReply.OK : reply;
    }
}
