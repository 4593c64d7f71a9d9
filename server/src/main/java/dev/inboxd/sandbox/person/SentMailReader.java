package dev.inboxd.sandbox.person;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.sandbox.mail.CapturedMailSql;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.UUID;

/** Reads mail that was sent: of an inbox, or of the service itself. */
public final class SentMailReader {
    private final Database database;
    private final Messages messages;
    private final MessageContents contents;

    /** A reader of the mail in a database. */
    public SentMailReader(Database database, Messages messages, MessageContents contents) {
        this.database = database;
        this.messages = messages;
        this.contents = contents;
    }

    /** The mail; empty when it was deleted. */
    Optional<SentMail> read(UUID organization, ReactionSql.Mail mail) {
        View all = View.of(organization);
        UUID message = mail.message();
        if (message == null) {
            return database.read(tx -> CapturedMailSql.raw(tx, all, mail.submission()))
                    .map(SentMail::of);
        }
        return messages.find(all, message).map(stored -> {
            try (InputStream in = contents.open(organization, stored.content())) {
                return SentMail.of(in.readAllBytes());
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
    }
}
