package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The exchange of AUTH, RFC 4954 §4, with PLAIN (RFC 4616) and LOGIN. Nothing of it is ever logged. */
final class SaslExchange {
    static final String OFFER = "AUTH PLAIN LOGIN";

    private final SmtpConnection wire;
    private final BiFunction<String, String, SmtpReply> login;

    /** What ends an exchange before its login. */
    private static final class ExchangeEnd extends Exception {
        private static final long serialVersionUID = 1;
        private final transient SmtpReply reply;

        ExchangeEnd(SmtpReply reply) {
            super(reply.toString(), null, false, false);
            this.reply = reply;
        }
    }

    /** @param login takes user and password and gives the reply */
    SaslExchange(SmtpConnection wire, BiFunction<String, String, SmtpReply> login) {
        this.wire = wire;
        this.login = login;
    }

    /** Asks for what is still missing, and logs in. */
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

    /** RFC 4616 §2: whom to act as, who one is, the password; nobody acts as somebody else here. */
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
        wire.send(SmtpReply.of(334, challenge));
        String answer = wire.readResponse();
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
