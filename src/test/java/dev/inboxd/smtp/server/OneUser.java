package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.Command;
import dev.inboxd.mail.smtp.Path;
import dev.inboxd.mail.smtp.Reply;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;

/** Lets {@code uma@inbox.example} in with the password {@code secret}, who may write to anybody. */
record OneUser(Intake intake) implements Logins {
    @Override
    public Entry enter(String user, String password, InetAddress client) {
        if (user.startsWith("later@")) {
            return new Entry.Refused(Reply.of(454, "4.7.0", "Cannot be checked now"));
        }
        return user.equalsIgnoreCase("uma@inbox.example") && password.equals("secret")
                ? new Entry.Granted(anywhere())
                : new Entry.Refused(Reply.of(535, "5.7.8", "Authentication failed"));
    }

    @Override
    public Collection<Intake> ended(Collection<Intake> granted) {
        return List.of();
    }

    private Intake anywhere() {
        return new Intake() {
            @Override
            public Verdict recipient(Command.Mail mail, Path forwardPath, Peer peer) {
                return Verdict.taken();
            }

            @Override
            public Reply accept(Envelope envelope, Spool content) {
                return intake.accept(envelope, content);
            }
        };
    }
}
