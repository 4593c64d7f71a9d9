package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;

/** Lets one server serve many tests: each starts over with an empty recorder. */
final class SharedServer implements MailHandler {
    private volatile RecordingMailHandler recorder = new RecordingMailHandler();

    RecordingMailHandler startOver() {
        recorder = new RecordingMailHandler();
        return recorder;
    }

    @Override
    public Verdict recipient(SmtpCommand.Mail mail, SmtpPath forwardPath, Peer peer) {
        return recorder.recipient(mail, forwardPath, peer);
    }

    @Override
    public Outcome accept(Envelope envelope, Spool content) {
        return recorder.accept(envelope, content);
    }
}
