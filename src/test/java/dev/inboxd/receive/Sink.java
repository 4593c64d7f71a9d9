package dev.inboxd.receive;

import dev.inboxd.mail.smtp.Path;
import dev.inboxd.mail.smtp.Reply;
import dev.inboxd.mail.smtp.ReversePath;

/** Lets one server serve many tests: each starts over with an empty recorder. */
final class Sink implements Intake {
    private volatile RecordingIntake recorder = new RecordingIntake();

    RecordingIntake startOver() {
        recorder = new RecordingIntake();
        return recorder;
    }

    @Override
    public Verdict recipient(ReversePath reversePath, Path forwardPath, Peer peer) {
        return recorder.recipient(reversePath, forwardPath, peer);
    }

    @Override
    public Reply accept(Envelope envelope, Spool content) {
        return recorder.accept(envelope, content);
    }
}
