package dev.inboxd.sandbox.mail;

import dev.inboxd.inbound.authentication.ChosenResults;
import dev.inboxd.mail.smtp.ReversePath;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.screening.Judgment;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mail that is handed in.
 *
 * @param to its recipients here
 * @param octets with CRLF at the end of each line
 * @param choices what is not found out, but chosen
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HandedMail(List<SmtpPath> to, Origin origin, byte[] octets, Choices choices) {
    public HandedMail {
        to = List.copyOf(to);
    }

    /**
     * Where it comes from.
     *
     * @param helo the name of the client
     */
    public record Origin(ReversePath mailFrom, String helo, InetAddress client) {}

    /**
     * What is chosen.
     *
     * @param spam null: the filters decide
     * @param security null: it is judged, where mail is
     */
    public record Choices(
            ChosenResults authentication,
            @Nullable Boolean spam,
            @Nullable Judgment security) {}
}
