package dev.inboxd.mail.report;

import dev.inboxd.mail.smtp.EnhancedStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parses the part {@code message/delivery-status} (RFC 3464 §2; RFC 6533 §3 for addresses beyond ASCII). */
final class StatusPart {
    private StatusPart() {}

    /** The recipients in it, in order; empty when it contains only fields of the message. */
    static List<RecipientStatus> recipients(String text, int most) {
        List<RecipientStatus> recipients = new ArrayList<>();
        for (ReportFields group : ReportFields.groups(text)) {
            boolean ofRecipient =
                    group.has("final-recipient") || group.has("original-recipient") || group.has("action");
            if (ofRecipient && recipients.size() < most) {
                recipients.add(recipient(group));
            }
        }
        return recipients;
    }

    private static RecipientStatus recipient(ReportFields group) {
        String address = address(group.first("original-recipient"));
        if (address == null) {
            address = address(group.first("final-recipient"));
        }
        String diagnostic = diagnostic(group);
        EnhancedStatus written = status(group.first("status"));
        DsnAction action = DsnAction.of(Objects.requireNonNullElse(group.first("action"), ""));
        if (action == null) {
            action = written == null || written.kind() == 5
                    ? DsnAction.FAILED
                    : written.kind() == 4 ? DsnAction.DELAYED : DsnAction.DELIVERED;
        }
        boolean bad = action == DsnAction.FAILED || action == DsnAction.DELAYED;
        boolean refuses = action == DsnAction.FAILED && AddressRefusal.isMeantBy(written, diagnostic, addresses(group));
        return new RecipientStatus(
                address,
                action,
                bad ? NoticePhrases.refined(written, diagnostic) : written,
                new RecipientStatus.Answer(diagnostic, refuses));
    }

    /** RFC 3464 §2.3.6: {@code smtp; 550 5.1.1 …}; some servers use fields of their own. */
    private static String diagnostic(ReportFields group) {
        StringBuilder said = new StringBuilder();
        for (String value : group.all("diagnostic-code", "x-supplementary-info", "x-display-status")) {
            int semicolon = value.indexOf(';');
            boolean typed = semicolon > 0
                    && semicolon < 40
                    && value.substring(0, semicolon).strip().indexOf(' ') < 0;
            said.append(said.isEmpty() ? "" : " ")
                    .append(typed ? value.substring(semicolon + 1).strip() : value);
        }
        return said.toString();
    }

    /** RFC 3464 §2.3.1: {@code rfc822; address}; some servers leave the type out. */
    private static @Nullable String address(@Nullable String value) {
        List<String> addresses = value == null ? List.of() : Mentions.addresses(value, 1);
        return addresses.isEmpty() ? null : addresses.getFirst();
    }

    private static List<String> addresses(ReportFields group) {
        return Stream.of("original-recipient", "final-recipient")
                .map(name -> address(group.first(name)))
                .filter(Objects::nonNull)
                .toList();
    }

    private static @Nullable EnhancedStatus status(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return null;
        }
        if (value.charAt(0) == '2') { // a status of success; its other digits do not matter
            return new EnhancedStatus(2, 0, 0);
        }
        return StatusCodes.enhanced(value);
    }
}
