package dev.inboxd.account.signup;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.tenant.inbox.Usernames;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request to sign up (identity.md §6.1). The members {@code source} and {@code referrer} are checked and not stored.
 *
 * @param humanEmail the human behind the agent, or null for an organization that only receives
 * @param username the local part of its first inbox
 * @param remoteAddress the IP address of the caller
 */
record SignUp(@Nullable String humanEmail, String username, String remoteAddress) {
    private static final int LONGEST_NOTE = 2_048;

    /**
     * Reads a request's body.
     *
     * @throws dev.inboxd.base.error.Problem {@code validation_error} with all faults
     */
    static SignUp read(Request request, HumanAddresses humans) {
        JsonBody body = request.body();
        String username = body.string("username").min(1).required().strip().toLowerCase(Locale.ROOT);
        String fault = username.isEmpty() ? null : Usernames.fault(username);
        if (fault != null) {
            body.fault("username", fault);
        }
        String humanEmail = humans.read(body);
        body.string("source").max(LONGEST_NOTE).optional();
        body.string("referrer").max(LONGEST_NOTE).optional();
        body.check();
        return new SignUp(humanEmail, username, request.remoteAddress());
    }
}
