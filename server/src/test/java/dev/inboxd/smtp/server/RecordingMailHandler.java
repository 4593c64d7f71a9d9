package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Serves {@code inbox.example}: local parts beginning with {@code u}, and postmaster. {@code full@} has no room, {@code
 * crash@} and {@code crash-late@} show a bug, {@code later@} is accepted but fails at the end of the data.
 */
final class RecordingMailHandler implements MailHandler {
    /** All mail goes to one place. */
    private static final Recipient ONE = new Recipient() {};

    static final String DOMAIN = "inbox.example";

    /** One message that was taken, its octets as ISO 8859-1; the spool itself will be gone. */
    record Mail(Envelope envelope, String octets, boolean inFile, String contentDigest, int clientStart) {
        /** What the client sent. */
        String body() {
            return octets.substring(clientStart);
        }
    }

    private final List<Mail> mails = new CopyOnWriteArrayList<>();

    @Override
    public Verdict recipient(SmtpCommand.Mail mail, SmtpPath forwardPath, Peer peer) {
        if (!forwardPath.domain().equals(DOMAIN) && !forwardPath.isBarePostmaster()) {
            return Verdict.refused(SmtpReply.RELAY_DENIED);
        }
        String name = forwardPath.localPart();
        if (name.equals("crash")) {
            throw new IllegalStateException("planted");
        }
        if (name.equals("full")) {
            return Verdict.refused(SmtpReply.of(452, "4.2.2", "Mailbox full"));
        }
        boolean known = name.startsWith("u")
                || name.startsWith("ü")
                || name.equalsIgnoreCase("postmaster")
                || name.equals("later")
                || name.equals("crash-late");
        // what hides another host in its local part is nobody we know
        boolean routed = name.chars().anyMatch(c -> c == '%' || c == '!' || c == '@');
        return known && !routed ? Verdict.accepted(ONE) : Verdict.refused(SmtpReply.NO_SUCH_MAILBOX);
    }

    @Override
    public Outcome accept(Envelope envelope, Spool content) {
        if (envelope.forwardPaths().getFirst().localPart().equals("crash-late")) {
            throw new IllegalStateException("planted");
        }
        if (envelope.forwardPaths().getFirst().localPart().equals("later")) {
            return Outcome.of(SmtpReply.TRY_LATER);
        }
        try {
            String octets = new String(octets(content), StandardCharsets.ISO_8859_1);
            mails.add(
                    new Mail(envelope, octets, content.file() != null, content.contentDigest(), content.clientStart()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Outcome.of(SmtpReply.of(250, "2.6.0", "Stored as " + envelope.id()));
    }

    private static byte[] octets(Spool content) throws IOException {
        try (InputStream in = content.open()) {
            return in.readAllBytes();
        }
    }

    List<Mail> mails() {
        return mails;
    }
}
