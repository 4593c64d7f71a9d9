package dev.inboxd.smtp.submission;

import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.Level;
import dev.inboxd.platform.http.ScopeResolver;
import dev.inboxd.platform.log.LogLine;
import dev.inboxd.platform.memory.HeapShare;
import dev.inboxd.platform.rate.RequestLimits;
import dev.inboxd.sending.IdempotentSender;
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

/** Who may submit: the address of an inbox, and a key that may send from it (identity.md §18). */
public final class ApiKeySaslAuthenticator implements SaslAuthenticator {
    private static final SmtpReply FAILED = SmtpReply.of(535, "5.7.8", "Authentication failed");
    private static final SmtpReply MAY_NOT_SEND =
            SmtpReply.of(535, "5.7.8", "Authentication failed: the key lacks the permission message_send");
    private static final SmtpReply TOO_MANY =
            SmtpReply.of(454, "4.7.0", "Too many failed logins from your address, try later");
    private static final SmtpReply LATER = SmtpReply.of(454, "4.7.0", "Temporary failure, try again later");

    private final Parts parts;

    /**
     * What logins and the mail behind them stand on.
     *
     * @param authentication knows the keys
     * @param inboxes finds the inbox that is named
     * @param pacing counts bad keys by address, as those of requests (promises.md A29)
     * @param sending sends, once
     */
    public record Parts(
            CredentialAuthenticator authentication,
            ScopeResolver inboxes,
            RequestLimits pacing,
            IdempotentSender sending) {}

    /** What all sessions together may hold while it is composed and stored. */
    private final MessageMemory memory = MessageMemory.of(HeapShare.SUBMISSIONS);

    /** Logins by API keys. */
    public ApiKeySaslAuthenticator(Parts parts) {
        this.parts = parts;
    }

    @Override
    public LoginResult enter(String user, String password, InetAddress client) {
        String address = client.getHostAddress();
        try {
            parts.pacing.beforeLook(address);
            Caller caller = parts.authentication.authenticate(password, Permission.MESSAGE_SEND);
            UUID key = caller.requireKey();
            View view = view(caller, user);
            if (!caller.holds(Permission.MESSAGE_SEND)) {
                return refused(address, MAY_NOT_SEND);
            }
            return new LoginResult.Success(new SubmissionSession(parts, memory, view.organization(), key, user));
        } catch (Problem problem) {
            if (problem.code() == ErrorCode.RATE_LIMIT_EXCEEDED) {
                return refused(address, TOO_MANY);
            }
            return problem.code().status() >= 500 ? new LoginResult.Failure(LATER) : failed(address);
        }
    }

    @Override
    public Collection<MailHandler> ended(Collection<MailHandler> granted) {
        Map<UUID, UUID> keys = new HashMap<>();
        granted.forEach(
                intake -> keys.put(((SubmissionSession) intake).key(), ((SubmissionSession) intake).organization()));
        Set<UUID> ended = parts.authentication.ended(keys);
        return granted.stream()
                .filter(intake -> ended.contains(((SubmissionSession) intake).key()))
                .toList();
    }

    /** The inbox of that address, seen with the key. */
    private View view(Caller caller, String user) {
        if (user.indexOf('@') < 0) {
            throw Problem.notFound("Inbox"); // an alias of one's own is no address
        }
        return parts.inboxes.narrow(caller, Level.INBOX, user).view();
    }

    /** One answer, whether the address or the key is wrong. */
    private LoginResult failed(String address) {
        try {
            parts.pacing.refused(address);
            return refused(address, FAILED);
        } catch (Problem tooMany) {
            return refused(address, TOO_MANY);
        }
    }

    private static LoginResult refused(String address, SmtpReply reply) {
        LogLine.of("login_refused")
                .with("address", address)
                .with("reply", reply.code())
                .write();
        return new LoginResult.Failure(reply);
    }
}
