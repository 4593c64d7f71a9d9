package dev.inboxd.screening;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.mail.message.Identification;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.screen.MailScreen;
import dev.inboxd.mail.screen.ScreenInput;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.hold.HeldMessages;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.MessageSecurity;
import dev.inboxd.mailbox.message.Messages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the held mail that mail within an organization passes on: its copy is held like the first (ruling 166). A
 * forward of it is a copy, a reply that quotes it, mail that encloses it, and mail that has most of its words, where
 * these are many. Compared are the held messages that the mail refers to, and the newest of the organization. Safe for
 * concurrent use.
 */
public final class HeldCopies {
    private static final Logger LOG = LoggerFactory.getLogger(HeldCopies.class);
    /** Held messages that a mail is compared with. */
    private static final int MOST = 50;
    /** What stands before the id of a message that is enclosed (RFC 5322 §3.6.4). */
    private static final String ID_FIELD = "Message-ID";
    /** Characters before an id that are read to find the name of its field. */
    private static final int MOST_FIELD = 1000;

    private final Database database;
    private final Messages messages;
    private final MessageContents contents;

    /** Copies of the held messages of a database. */
    public HeldCopies(Database database, Messages messages, MessageContents contents) {
        this.database = database;
        this.messages = messages;
        this.contents = contents;
    }

    /**
     * Held mail that is passed on.
     *
     * @param verdict on the first
     * @param isByWordsAlone whether only what it says tells: nothing refers to the first or encloses it
     */
    public record HeldCopy(MessageSecurity.Verdict verdict, boolean isByWordsAlone) {}

    /**
     * The held message that a mail passes on, rather one that it refers to or encloses; null when it passes on none.
     * Reads the database.
     *
     * @param copy mail from an inbox of the organization to another, or to itself
     * @throws IOException when its octets cannot be read
     */
    public @Nullable HeldCopy find(UUID organization, ParsedMessage copy, MessageScreen.Octets octets)
            throws IOException {
        View all = View.of(organization);
        Identification ids = copy.identification();
        Set<String> references = new LinkedHashSet<>(ids.inReplyTo());
        references.addAll(ids.references());
        Set<UUID> held =
                new LinkedHashSet<>(database.read(tx -> HeldMessages.find(tx, all, List.copyOf(references), MOST)));
        if (held.isEmpty()) {
            return null;
        }
        Mail mail = Mail.of(references, !ids.inReplyTo().isEmpty(), ScreenSource.of(copy, octets));
        HeldCopy byWords = null;
        for (UUID id : held) {
            FullMessage first = messages.find(all, id)
                    .filter(stored -> stored.message().isHeld())
                    .orElse(null);
            Likeness likeness = first == null ? Likeness.NONE : likeness(mail, first);
            if (first != null && likeness == Likeness.CERTAIN) {
                return new HeldCopy(verdict(first.message().security()), false);
            }
            if (first != null && byWords == null && likeness == Likeness.WORDS) {
                byWords = new HeldCopy(verdict(first.message().security()), true);
            }
        }
        return byWords;
    }

    /** What tells that a mail passes on another one. */
    private enum Likeness {
        NONE,
        /** Its words alone. */
        WORDS,
        /** It refers to it or encloses it. */
        CERTAIN
    }

    private Likeness likeness(Mail mail, FullMessage held) {
        try {
            return mail.likeness(held.message().name(), contents.readable(held.content()));
        } catch (RuntimeException unreadable) { // one that cannot be read must not keep other mail from its inbox
            LOG.warn(
                    "held message not compared with a copy message_id={}",
                    held.message().id(),
                    unreadable);
            return mail.references.contains(held.message().name()) ? Likeness.CERTAIN : Likeness.NONE;
        }
    }

    private static MessageSecurity.Verdict verdict(@Nullable MessageSecurity first) {
        return first == null
                ? new MessageSecurity.Verdict(true, List.of(), MailScreen.MODEL, true)
                : new MessageSecurity.Verdict(true, first.reasons(), first.model(), true);
    }

    /**
     * A mail that may pass on held mail.
     *
     * @param references the ids that it refers to
     * @param isReply whether it has In-Reply-To, which a forward does not have (RFC 5322 §3.6.4)
     * @param enclosed the beginnings of its attachments
     * @param words everything that it says
     */
    private record Mail(Set<String> references, boolean isReply, List<String> enclosed, WordRuns.Words words) {
        static Mail of(Set<String> references, boolean isReply, ScreenInput input) {
            List<String> enclosed = input.attachments().stream()
                    .map(attachment -> attachment.text())
                    .toList();
            List<@Nullable String> texts = new ArrayList<>(enclosed);
            texts.add(input.text());
            texts.add(input.html());
            return new Mail(references, isReply, enclosed, WordRuns.words(texts));
        }

        Likeness likeness(String name, ReadableContent held) {
            Set<String> ids = new HashSet<>(Set.of(name));
            String written = held.messageId();
            if (written != null) {
                ids.add(written);
            }
            if (ids.stream().anyMatch(id -> enclosed.stream().anyMatch(text -> hasMessage(text, id)))) {
                return Likeness.CERTAIN;
            }
            if (ids.stream().anyMatch(references::contains)) {
                boolean isQuoted = WordRuns.share(held.text(), words) > 0 || WordRuns.share(held.html(), words) > 0;
                return !isReply || isQuoted ? Likeness.CERTAIN : Likeness.NONE;
            }
            boolean isSaid = WordRuns.isMostOf(held.text(), words) || WordRuns.isMostOf(held.html(), words);
            return isSaid ? Likeness.WORDS : Likeness.NONE;
        }

        /** Whether a text has the field of that id. The id alone may be anything: its sender chose it. */
        private static boolean hasMessage(String text, String id) {
            for (int at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
                if (isOfField(text.substring(Math.max(0, at - MOST_FIELD), at))) {
                    return true;
                }
            }
            return false;
        }

        /** Whether a text ends in that field; a line that begins with a blank belongs to the one before. */
        private static boolean isOfField(String before) {
            int start = before.lastIndexOf('\n') + 1;
            while (start > 0 && start < before.length() && " \t".indexOf(before.charAt(start)) >= 0) {
                start = before.lastIndexOf('\n', start - 2) + 1;
            }
            int colon = before.indexOf(':', start);
            return colon >= 0
                    && before.substring(start, colon).replace('>', ' ').strip().equalsIgnoreCase(ID_FIELD);
        }
    }
}
