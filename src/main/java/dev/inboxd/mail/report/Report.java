package dev.inboxd.mail.report;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a machine says about a message that was sent. */
public sealed interface Report {
    /** The message it is about, as far as it is quoted. */
    ReportedMessage original();

    /**
     * How recipients fared.
     *
     * @param recipients at least one, at most 100
     */
    record Delivery(List<RecipientStatus> recipients, ReportedMessage original) implements Report {
        public Delivery {
            recipients = List.copyOf(recipients);
        }
    }

    /**
     * What a recipient, or the recipient's provider, thinks of it (RFC 5965).
     *
     * @param type the Feedback-Type in lower case, such as {@code abuse}
     * @param recipients who reports, where that was not blacked out; at most 100
     */
    record Feedback(String type, List<String> recipients, ReportedMessage original) implements Report {
        /** Types that do not say that the mail was unwanted: RFC 6430, RFC 6591. */
        private static final Set<String> NO_COMPLAINT = Set.of("not-spam", "auth-failure");

        public Feedback {
            type = type.toLowerCase(Locale.ROOT);
            recipients = List.copyOf(recipients);
        }

        /** Whether somebody did not want the mail. */
        public boolean isComplaint() {
            return !NO_COMPLAINT.contains(type);
        }
    }
}
