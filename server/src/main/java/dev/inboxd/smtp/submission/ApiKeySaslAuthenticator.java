package dev.inboxd.smtp.submission;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.database.WriteGate;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.ScopeResolver;
import dev.inboxd.base.log.LineLimit;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.base.memory.HeapShare;
import dev.inboxd.base.rate.RequestLimits;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.sending.MailSender;
import dev.inboxd.sending.idempotency.Idempotency;
import dev.inboxd.smtp.server.MailHandler;
import dev.inboxd.smtp.server.MessageMemory;
import dev.inboxd.smtp.server.SaslAuthenticator;
import dev.inboxd.tenant.apikey.CredentialAuthenticator;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Authenticates mail submission: the user name is the address of an inbox, the password an API key that may send from
 * it (identity.md §18).
 */
public final class ApiKeySaslAuthenticator implements SaslAuthenticator {
    private static final SmtpReply FAILED = SmtpReply.of(535, "5.7.8", "Authentication failed");
    private static final SmtpReply MAY_NOT_SEND =
            SmtpReply.of(535, "5.7.8", "Authentication failed: the key lacks the permission message_send");
    private static final SmtpReply TOO_MANY_LOGINS =
            SmtpReply.of(454, "4.7.0", "Too many failed logins from your address, try later");
    private static final SmtpReply UNAVAILABLE = SmtpReply.of(454, "4.7.0", "Temporary failure, try again later");

    private final LineLimit lines = new LineLimit("login_refused", System::nanoTime);
    private final Parts parts;

    /**
     * The services behind logins and submissions.
     *
     * @param authentication checks API keys
     * @param inboxes finds the inbox of the user name
     * @param requestLimits counts bad keys by client address, together with those of HTTP requests (promises.md A29)
     * @param sender sends the messages
     * @param idempotency lets each be sent once
     * @param gate knows whose calls come again later
     */
    public record Parts(
            CredentialAuthenticator authentication,
            ScopeResolver inboxes,
            RequestLimits requestLimits,
            MailSender sender,
            Idempotency idempotency,
            WriteGate gate) {}

    /** Memory of all submissions being composed and stored. */
    private final MessageMemory memory = MessageMemory.of(HeapShare.SUBMISSIONS);

    /** An authenticator with these services. */
    public ApiKeySaslAuthenticator(Parts parts) {
        this.parts = parts;
    }

    @Override
    public LoginResult enter(String user, String password, InetAddress client) {
        String address = client.getHostAddress();
        try {
            parts.requestLimits.beforeLook(address);
            Caller caller = parts.authentication.authenticate(password, Permission.MESSAGE_SEND);
            UUID key = caller.requireKey();
            View view = view(caller, user);
            if (!caller.holds(Permission.MESSAGE_SEND)) {
                return refused(address, MAY_NOT_SEND);
            }
            return new LoginResult.Success(new SubmissionSession(parts, memory, view.organization(), key, user));
        } catch (Problem problem) {
            if (problem.code() == ErrorCode.RATE_LIMIT_EXCEEDED) {
                return refused(address, TOO_MANY_LOGINS);
            }
            return problem.code().status() >= 500 ? new LoginResult.Failure(UNAVAILABLE) : failed(address);
        }
    }

    @Override
    public Collection<MailHandler> ended(Collection<MailHandler> granted) {
        Map<UUID, UUID> keys = new HashMap<>();
        granted.forEach(
                handler -> keys.put(((SubmissionSession) handler).key(), ((SubmissionSession) handler).organization()));
        Set<UUID> ended = parts.authentication.ended(keys);
        return granted.stream()
                .filter(handler -> ended.contains(((SubmissionSession) handler).key()))
                .toList();
    }

    /** The inbox of that address, as the key may see it. */
    private View view(Caller caller, String user) {
        if (user.indexOf('@') < 0) {
            throw Problem.notFound("Inbox"); // an inbox's alias is not an address
        }
        return parts.inboxes.narrow(caller, Level.INBOX, user).view();
    }

    /** The reply to a failed login; the same for a wrong address and a wrong key. */
    private LoginResult failed(String address) {
        try {
            parts.requestLimits.refused(address);
            return refused(address, FAILED);
        } catch (Problem tooMany) {
            return refused(address, TOO_MANY_LOGINS);
        }
    }

    private LoginResult refused(String address, SmtpReply reply) {
        if (lines.admit(address)) {
            LogLine.of("login_refused")
                    .with("address", address)
                    .with("reply", reply.code())
                    .write();
        }
        return new LoginResult.Failure(reply);
    }
}
