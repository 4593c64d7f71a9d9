package dev.inboxd.tenant.inbox;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.ClientIds;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for a new inbox (mail.md §5.4).
 *
 * @param username null for a random one
 * @param domain null for the default one
 */
record NewInbox(
        @Nullable String username,
        @Nullable String domain,
        @Nullable String displayName,
        @Nullable String clientId,
        Metadata metadata,
        Inbox.Status status,
        boolean sendingPaused) {
    static final int LONGEST_DISPLAY_NAME = 255;

    /**
     * Reads a request's body.
     *
     * @throws Problem {@code validation_error} with all faults
     */
    static NewInbox read(JsonBody body) {
        String written = body.string("username").optional();
        String username = written == null ? null : written.strip();
        if (username != null) {
            username = username.toLowerCase(Locale.ROOT);
            String fault = Usernames.fault(username);
            if (fault != null) {
                body.fault("username", fault);
            }
        }
        String domain = body.string("domain").max(253).as(NewInbox::domain, "a domain like example.com");
        String displayName =
                body.string("display_name").max(LONGEST_DISPLAY_NAME).optional();
        String clientId = ClientIds.read(body);
        Metadata metadata = Metadata.read(body, false);
        Inbox.Status status = body.choice("status", Inbox.Status.values(), Inbox.Status::wireName);
        Inbox.Status sending = body.choice("sending", Inbox.Status.values(), Inbox.Status::wireName);
        body.check();
        return new NewInbox(
                username,
                domain,
                displayName == null || displayName.isEmpty() ? null : displayName,
                clientId,
                Objects.requireNonNullElse(metadata, Metadata.NONE),
                Objects.requireNonNullElse(status, Inbox.Status.ACTIVE),
                sending == Inbox.Status.PAUSED);
    }

    /** The domain in lower case and A-labels, as domains are stored; null when it is invalid. */
    private static @Nullable String domain(String written) {
        try {
            return DomainName.toAscii(written);
        } catch (AddressSyntaxException none) {
            return null;
        }
    }
}
