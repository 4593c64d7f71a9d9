package dev.inboxd.sending.feedback;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.report.Report;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who wrote a report, for one whose return path proves nothing.
 *
 * @param reversePath the reverse-path of the envelope, empty for notifications
 * @param author the author's address when it is certainly this author's word; else null
 */
public record ReportOrigin(String reversePath, @Nullable String author) {
    /** RFC 2142 §4 and §5, and what servers that send feedback loops use: no person's addresses. */
    private static final Set<String> ROLES = Set.of("postmaster", "abuse", "fbl");

    boolean isKnown() {
        return author != null;
    }

    /** Whether the author is of that domain, a host below it, or a domain above it that is not a whole top level. */
    boolean isOf(String domain) {
        String host = author == null ? "" : domain(author);
        return host.equals(domain)
                || host.endsWith("." + domain)
                || (host.indexOf('.') > 0 && domain.endsWith("." + host));
    }

    /**
     * Whether the author may complain for recipients of that domain: he is of it, or of a domain above it of the same
     * owner. A host below it proves nothing: whoever gives subdomains away would let their holders mark the mail of
     * others (ruling 171).
     */
    boolean mayComplainFor(String domain, SameOwner owners) {
        String host = author == null ? "" : domain(author);
        return host.equals(domain)
                || (host.indexOf('.') > 0 && domain.endsWith("." + host) && owners.areOfOne(domain, host));
    }

    /** Tells whether two domains have the same owner, as far as they publish it; may ask the DNS. */
    @FunctionalInterface
    public interface SameOwner {
        /**
         * Whether the owner of a domain is that of a domain above it: they have the same organizational domain (RFC
         * 9989 §4.10.2).
         */
        boolean areOfOne(String domain, String above);
    }

    /**
     * Whether a server may have written such a report. A DSN has a null reverse-path (RFC 3464 §2). A complaint comes
     * from a role, with that or a role's reverse-path. A recipient of the message knows all that a report would quote.
     *
     * @param recipients all recipients of the reported message
     */
    boolean mayWrite(Report report, List<String> recipients) {
        boolean server = switch (report) {
            case Report.Delivery _ -> reversePath.isEmpty();
            case Report.Feedback _ ->
                (reversePath.isEmpty() || isRole(reversePath)) && author != null && isRole(author);
        };
        return server
                && recipients.stream()
                        .noneMatch(recipient -> AddrSpec.areOfOnePerson(recipient, reversePath)
                                || (author != null && AddrSpec.areOfOnePerson(recipient, author)));
    }

    private static boolean isRole(String address) {
        int at = address.lastIndexOf('@');
        return at > 0 && ROLES.contains(address.substring(0, at).toLowerCase(Locale.ROOT));
    }

    private static String domain(String address) {
        return address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }
}
