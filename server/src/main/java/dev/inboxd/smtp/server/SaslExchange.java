package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The SASL exchange of AUTH (RFC 4954 §4) with the mechanisms PLAIN (RFC 4616) and LOGIN. Its lines are never logged.
 */
final class SaslExchange {
    static final String OFFER = "AUTH PLAIN LOGIN";

    private final SmtpConnection connection;
    private final BiFunction<String, String, SmtpReply> login;

    /** Ends an exchange with a reply before the login is tried. */
    private static final class ExchangeEnd extends Exception {
        private static final long serialVersionUID = 1;
        private final transient SmtpReply reply;

        ExchangeEnd(SmtpReply reply) {
            super(reply.toString(), null, false, false);
            this.reply = reply;
        }
    }

    /** @param login checks user and password and returns the reply */
    SaslExchange(SmtpConnection connection, BiFunction<String, String, SmtpReply> login) {
        this.connection = connection;
        this.login = login;
    }

    /**
     * Sends challenges for the missing parts, then logs in; blocks.
     *
     * @return the reply to AUTH
     */
    SmtpReply run(SmtpCommand.Auth auth) throws IOException {
        try {
            return switch (auth.mechanism()) {
                case "PLAIN" -> plain(auth.initial() == null ? ask("") : decoded(auth.initial()));
                case "LOGIN" -> {
                    String user = auth.initial() == null ? ask("VXNlcm5hbWU6") : decoded(auth.initial());
                    yield login.apply(user, ask("UGFzc3dvcmQ6"));
                }
                default -> SmtpReplies.AUTH_MECHANISM;
            };
        } catch (ExchangeEnd ended) {
            return ended.reply;
        }
    }

    /**
     * RFC 4616 §2: authorization identity, authentication identity, password. Acting as another user is not supported.
     */
    private SmtpReply plain(String message) {
        int first = message.indexOf('\0');
        int second = message.indexOf('\0', first + 1);
        if (first < 0 || second < 0 || message.indexOf('\0', second + 1) >= 0) {
            return SmtpReplies.AUTH_UNREADABLE;
        }
        String actingAs = message.substring(0, first);
        String user = message.substring(first + 1, second);
        return actingAs.isEmpty() || actingAs.equalsIgnoreCase(user)
                ? login.apply(user, message.substring(second + 1))
                : SmtpReplies.AUTH_UNREADABLE;
    }

    private String ask(String challenge) throws IOException, ExchangeEnd {
        connection.send(SmtpReply.of(334, challenge));
        String answer = connection.readResponse();
        if (answer == null) {
            throw new ExchangeEnd(SmtpReplies.AUTH_TOO_LONG);
        }
        if (answer.equals("*")) {
            throw new ExchangeEnd(SmtpReplies.AUTH_CANCELLED);
        }
        return decoded(answer);
    }

    private static String decoded(@Nullable String base64) throws ExchangeEnd {
        try {
            // RFC 4954 §4: an equals sign alone is an empty initial response
            return base64 == null || base64.equals("=")
                    ? ""
                    : new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new ExchangeEnd(SmtpReplies.AUTH_UNREADABLE);
        }
    }
}
