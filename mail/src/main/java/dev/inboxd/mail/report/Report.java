package dev.inboxd.mail.report;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A machine's report about a sent message. */
public sealed interface Report {
    /** The reported message, as far as the report quotes it. */
    ReportedMessage original();

    /**
     * A delivery report.
     *
     * @param recipients at least one, at most 100
     * @param original the reported message, as far as the report quotes it
     */
    record Delivery(List<RecipientStatus> recipients, ReportedMessage original) implements Report {
        public Delivery {
            recipients = List.copyOf(recipients);
        }
    }

    /**
     * Feedback of a recipient, or of the recipient's provider (RFC 5965).
     *
     * @param type the Feedback-Type in lower case, such as {@code abuse}
     * @param recipients the complaining recipients, unless redacted; at most 100
     * @param original the reported message, as far as the report quotes it
     */
    record Feedback(String type, List<String> recipients, ReportedMessage original) implements Report {
        /** Types that do not mean that the mail was unwanted: RFC 6430, RFC 6591. */
        private static final Set<String> NO_COMPLAINT = Set.of("not-spam", "auth-failure");

        public Feedback {
            type = type.toLowerCase(Locale.ROOT);
            recipients = List.copyOf(recipients);
        }

        /** Whether a recipient reported the mail as unwanted. */
        public boolean isComplaint() {
            return !NO_COMPLAINT.contains(type);
        }
    }
}
