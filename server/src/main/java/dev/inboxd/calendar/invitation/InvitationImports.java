package dev.inboxd.calendar.invitation;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.calendar.intake.CalendarImport;
import dev.inboxd.calendar.intake.ImportOutcome;
import dev.inboxd.calendar.intake.ImportWrites;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.mail.calendar.ICalendarReader;
import dev.inboxd.mail.calendar.ReadResult;
import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.CalendarMessages;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes calendars of received mail in, by a job behind the commit of the mail: nothing in a calendar can cost or delay
 * the mail that it came in (ruling 44). Only mail whose author is certain is taken (ruling 67).
 */
public final class InvitationImports implements Jobs.Handler {
    /** The kind of the job; its subject is the internal id of the message. */
    static final String KIND = "calendar.import";

    private static final Logger LOG = LoggerFactory.getLogger(InvitationImports.class);
    private static final int MOST_OCTETS = 1 << 20;
    private static final int MOST_PARTS = 10;
    private static final Set<String> TYPES = Set.of("text/calendar", "application/ics");
    private static final Set<String> UNTRUSTED = Set.of(Labels.SPAM, Labels.BLOCKED, Labels.UNAUTHENTICATED);

    private final Database database;
    private final Jobs jobs;
    private final CalendarLog log;
    private final Messages messages;
    private final MessageContents contents;
    private final boolean enabled;

    /** What it works with. */
    record Parts(Database database, Jobs jobs, CalendarLog log, Messages messages, MessageContents contents) {}

    InvitationImports(Parts parts, boolean enabled) {
        this.database = parts.database;
        this.jobs = parts.jobs;
        this.log = parts.log;
        this.messages = parts.messages;
        this.contents = parts.contents;
        this.enabled = enabled;
    }

    /** Whether a message with these parts has a calendar. */
    public static boolean hasCalendar(List<AttachmentPart> parts) {
        return parts.stream().anyMatch(part -> isCalendar(part.mediaType(), part.filename()));
    }

    private static boolean isCalendar(String type, @Nullable String filename) {
        return TYPES.contains(type)
                || (filename != null && filename.toLowerCase(Locale.ROOT).endsWith(".ics"));
    }

    /**
     * Has the calendar of a message taken in soon, in the transaction that stores the message.
     *
     * @param author whose word the message is, for certain; null when it is not
     */
    public void received(Tx tx, View all, Message message, @Nullable String author) {
        if (!enabled || message.labels().stream().anyMatch(UNTRUSTED::contains)) {
            return;
        }
        boolean isHeld = message.labels().contains(Labels.HELD);
        CalendarMessages.insert(tx, all, message.id(), author == null ? "" : author);
        if (author == null) {
            record(tx, all, message.id(), ImportOutcome.ignored(ImportOutcome.Reason.NOT_THE_ORGANIZER));
            return;
        }
        if (isHeld) {
            record(tx, all, message.id(), ImportOutcome.ignored(ImportOutcome.Reason.HELD));
        }
        if (!isHeld) { // it waits for released()
            jobs.add(tx, all.organization(), KIND, message.id().toString());
        }
    }

    private static void record(Tx tx, View all, UUID message, ImportOutcome outcome) {
        CalendarMessages.setOutcome(
                tx,
                all,
                new CalendarMessages.MailedCalendar(
                        message, outcome.event(), outcome.reason().wireName()));
    }

    /** Has the calendar of a message taken in that was held, in the transaction that releases it. */
    public void released(Tx tx, View all, Message message) {
        if (enabled && CalendarMessages.author(tx, all, message.id()).isPresent()) {
            jobs.add(tx, all.organization(), KIND, message.id().toString());
        }
    }

    @Override
    public boolean run(UUID organization, String subject) {
        View all = View.of(organization);
        UUID id = UUID.fromString(subject);
        Optional<String> author = database.read(tx -> CalendarMessages.author(tx, all, id));
        Optional<FullMessage> fullMessage = author.isEmpty() ? Optional.empty() : messages.find(all, id);
        if (fullMessage.isEmpty()
                || fullMessage.get().message().labels().stream().anyMatch(UNTRUSTED::contains)) {
            return true;
        }
        Message message = fullMessage.get().message();
        View inbox = all.inbox(message.place().inbox());
        switch (read(inbox, fullMessage.get())) {
            case ReadResult.Calendar calendar ->
                apply(inbox, message, new ImportWrites.Mail(author.get(), message.name(), calendar));
            case ReadResult.Refusal refusal -> {
                LOG.debug(
                        "calendar not taken in organization_id={} inbox_id={}: {}",
                        inbox.organization(),
                        inbox.inbox(),
                        refusal.reason());
                ImportOutcome.Reason reason =
                        ImportOutcome.Reason.valueOf(refusal.kind().name());
                database.write(organization, tx -> {
                    record(tx, all, id, ImportOutcome.ignored(reason));
                    return 0;
                });
            }
        }
        return true;
    }

    private void apply(View view, Message message, ImportWrites.Mail mail) {
        int numbers = CalendarImport.numbers(database, view, mail.calendar());
        database.write(view.organization(), numbers, (tx, opening) -> {
            RoundTrip.Result<Inbox> inbox =
                    Inboxes.prefetch(opening, view, List.of(message.place().inbox()));
            opening.run();
            if (inbox.rows().isEmpty()) {
                return false;
            }
            ImportWrites.Target target =
                    new ImportWrites.Target(tx, view, inbox.rows().getFirst());
            ImportOutcome outcome = new CalendarImport(target, log, mail).run();
            View all = View.of(view.organization());
            record(tx, all, message.id(), outcome);
            return true;
        });
    }

    /** A part of a message with its octets. */
    @SuppressWarnings("ArrayRecordComponent") // compared by its text
    private record Part(byte[] octets, @Nullable String charset) {
        /** Line ends and blanks at the end make no difference. */
        String text() {
            return new String(octets, StandardCharsets.ISO_8859_1)
                    .replace("\r\n", "\n")
                    .strip();
        }
    }

    /** The one calendar of a message; parts that say the same are one (ruling 65). */
    private ReadResult read(View inbox, FullMessage message) {
        List<Part> parts = parts(inbox, message);
        if (parts.isEmpty()) {
            return new ReadResult.Refusal("It has more than 1 MiB", ReadResult.Kind.TOO_LARGE);
        }
        if (parts.stream().map(Part::text).distinct().count() > 1) {
            return new ReadResult.Refusal("Its parts differ", ReadResult.Kind.MALFORMED);
        }
        Part part = parts.getFirst();
        return ICalendarReader.read(part.octets, part.charset, CalendarImport.zone(database, inbox));
    }

    private List<Part> parts(View inbox, FullMessage message) {
        List<Attachment> calendars = message.attachments().stream()
                .filter(attachment -> isCalendar(attachment.mediaType(), attachment.filename()))
                .toList();
        boolean isLarge = calendars.stream().anyMatch(attachment -> attachment.size() > MOST_OCTETS);
        if (isLarge || calendars.size() > MOST_PARTS) {
            return List.of();
        }
        Map<Integer, String> types = contents.mediaTypes(inbox.organization(), message.content());
        List<Part> parts = new ArrayList<>();
        for (Attachment attachment : calendars) {
            int index = attachment.part();
            try (InputStream in = PartReader.open(contents.open(inbox.organization(), message.content()), index)) {
                parts.add(new Part(in.readNBytes(MOST_OCTETS + 1), charset(types.get(index))));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
        return parts;
    }

    /** The charset in a media type as {@link PartReader#mediaTypes} writes it. */
    private static @Nullable String charset(@Nullable String type) {
        if (type == null) {
            return null;
        }
        String name = "charset=\"";
        int start = type.toLowerCase(Locale.ROOT).indexOf(name);
        int end = start < 0 ? -1 : type.indexOf('"', start + name.length());
        return end < 0 ? null : type.substring(start + name.length(), end);
    }
}
