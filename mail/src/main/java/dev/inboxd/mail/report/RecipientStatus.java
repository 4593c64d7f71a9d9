package dev.inboxd.mail.report;

import dev.inboxd.mail.smtp.EnhancedStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Status of one recipient in a report.
 *
 * @param address as the sender wrote it, if the report contains that; null when it names none
 * @param action whether it was delivered, or is still tried
 * @param status the reason (RFC 3463); null when neither a code nor the words give it
 * @param answer what the other server said
 */
public record RecipientStatus(
        @Nullable String address,
        DsnAction action,
        @Nullable EnhancedStatus status,
        Answer answer) {
    private static final int MAX_DIAGNOSTIC = 1_000;

    /**
     * What the other server said of the recipient.
     *
     * @param text its reply, at most 1,000 characters, perhaps empty
     * @param refusesAddress whether it refused the address itself for good, so that further mail to it is useless
     */
    public record Answer(String text, boolean refusesAddress) {
        public Answer {
            text = text.substring(0, Math.min(text.length(), MAX_DIAGNOSTIC));
        }
    }

    /** Reply of the other server, perhaps empty. */
    public String diagnostic() {
        return answer.text;
    }

    /** Whether the address itself was refused for good. */
    public boolean refusesAddress() {
        return answer.refusesAddress;
    }

    /** Its address as a list, empty without one. */
    List<String> named() {
        return address == null ? List.of() : List.of(address);
    }

    /** The same with another reason. */
    RecipientStatus because(@Nullable EnhancedStatus reason, boolean refuses) {
        return new RecipientStatus(address, action, reason, new Answer(answer.text, refuses));
    }
}
