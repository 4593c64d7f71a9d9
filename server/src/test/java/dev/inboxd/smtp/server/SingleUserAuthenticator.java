package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;

/** Lets {@code uma@inbox.example} in with the password {@code secret}, who may write to anybody. */
record SingleUserAuthenticator(MailHandler intake) implements SaslAuthenticator {
    @Override
    public LoginResult enter(String user, String password, InetAddress client) {
        if (user.startsWith("later@")) {
            return new LoginResult.Failure(SmtpReply.of(454, "4.7.0", "Cannot be checked now"));
        }
        return user.equalsIgnoreCase("uma@inbox.example") && password.equals("secret")
                ? new LoginResult.Success(anywhere())
                : new LoginResult.Failure(SmtpReply.of(535, "5.7.8", "Authentication failed"));
    }

    @Override
    public Collection<MailHandler> ended(Collection<MailHandler> granted) {
        return List.of();
    }

    private MailHandler anywhere() {
        return new MailHandler() {
            @Override
            public Verdict recipient(SmtpCommand.Mail mail, SmtpPath forwardPath, Peer peer) {
                return Verdict.accepted();
            }

            @Override
            public Outcome accept(Envelope envelope, Spool content) {
                return intake.accept(envelope, content);
            }
        };
    }
}
