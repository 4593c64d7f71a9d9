package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.Command;
import dev.inboxd.mail.smtp.Path;
import dev.inboxd.mail.smtp.Reply;

/** Lets one server serve many tests: each starts over with an empty recorder. */
final class Sink implements Intake {
    private volatile RecordingIntake recorder = new RecordingIntake();

    RecordingIntake startOver() {
        recorder = new RecordingIntake();
        return recorder;
    }

    @Override
    public Verdict recipient(Command.Mail mail, Path forwardPath, Peer peer) {
        return recorder.recipient(mail, forwardPath, peer);
    }

    @Override
    public Reply accept(Envelope envelope, Spool content) {
        return recorder.accept(envelope, content);
    }
}
