package dev.inboxd.tenant.domain;

import dev.inboxd.base.json.ClientIds;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import org.jspecify.annotations.Nullable;

/**
 * A request for a new domain (identity.md §11.2).
 *
 * @param name in lower case and A-labels
 */
public record NewDomain(String name, @Nullable String clientId, Domain.Options options) {
    /** The longest name below which the longest of the required records still fits. */
    private static final int LONGEST = 253 - "inboxd._domainkey.".length();

    /**
     * Reads a request's body.
     *
     * @throws dev.inboxd.base.error.Problem {@code validation_error} with all faults
     */
    public static NewDomain read(JsonBody body, ReservedNames own) {
        String written = body.string("domain").min(1).max(1_000).required().strip();
        String name = written.isEmpty() ? null : ofWritten(written);
        if (name == null && !written.isEmpty()) {
            body.fault(
                    "domain",
                    "domain must be a name like example.com, of two labels at least and " + LONGEST
                            + " characters at most, without a dot at its end");
        } else if (name != null && own.include(name)) {
            body.fault("domain", "domain is a name of this service itself; inboxes there need no domain of your own");
        }
        Domain.Options options = new Domain.Options(
                body.flag("feedback_enabled", true),
                body.flag("subdomains_enabled", false),
                body.flag("tracking_enabled", false),
                body.flag("allow_conflicting_provider", false));
        String clientId = ClientIds.read(body);
        body.check();
        return new NewDomain(String.valueOf(name), clientId, options);
    }

    /** The canonical form of a name, or null when it cannot be registered. */
    public static @Nullable String ofWritten(String written) {
        try {
            String name = DomainName.toAscii(written);
            boolean usable = name.indexOf('.') > 0
                    && !name.startsWith("[")
                    && !name.endsWith(".")
                    && name.length() <= LONGEST
                    && name.indexOf('_') < 0
                    && isTopLevel(name.substring(name.lastIndexOf('.') + 1));
            return usable ? name : null;
        } catch (AddressSyntaxException noDomain) {
            return null;
        }
    }

    /** RFC 3696 §2: a top-level domain is not all digits, so that no name looks like an IP address. */
    private static boolean isTopLevel(String label) {
        return label.chars().anyMatch(c -> c < '0' || c > '9') && !label.startsWith("-") && !label.endsWith("-");
    }
}
