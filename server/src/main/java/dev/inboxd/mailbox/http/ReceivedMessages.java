package dev.inboxd.mailbox.http;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mailbox.markdown.MarkdownQuery;
import dev.inboxd.mailbox.markdown.MessageMarkdown;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.FullMessageReads;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.MessageLists;
import dev.inboxd.mailbox.message.MessageReads;
import dev.inboxd.mailbox.thread.MailFilter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The messages received in an inbox, in the order of the event log, for clients that wait for a message. */
public final class ReceivedMessages {
    private static final Logger LOG = LoggerFactory.getLogger(ReceivedMessages.class);
    private static final int WINDOW = 50;
    /** Windows that are looked through for a code or a link: nobody uses one behind a thousand messages. */
    private static final int NEWEST_WINDOWS = 20;

    private final Database database;
    private final FullMessageReads fullReads;
    private final MessageContents contents;
    private final MessageMarkdown markdown;

    /** The received messages of a database. */
    public ReceivedMessages(Database database, MessageContents contents) {
        this.database = database;
        this.fullReads = new FullMessageReads(database);
        this.contents = contents;
        this.markdown = new MessageMarkdown(contents);
    }

    /**
     * The result of a scan.
     *
     * @param upTo the sequence number of the message's event, or the last number of the organization
     * @param message in the form of GET, or null when none matches
     */
    public record ScanResult(long upTo, @Nullable JsonObject message) {}

    private record ReceivedRow(long number, MessageReads.Full full) {}

    /**
     * The criteria without what is older than the message that an answer is wanted for, because nothing older answers
     * it, and with the id that its sender gave it. They stay as they are when the view does not show such a message.
     */
    public ArrivalCriteria behindOriginal(View view, ArrivalCriteria criteria) {
        return criteria.originals().stream()
                .findFirst()
                .flatMap(name -> database.read(tx -> MessageReads.light(tx, view, name)))
                .map(original -> behind(criteria, original.full()))
                .orElse(criteria);
    }

    private ArrivalCriteria behind(ArrivalCriteria criteria, MessageReads.Full original) {
        Set<String> ids = new HashSet<>(criteria.originals());
        String written = contents.readable(original.content()).messageId();
        if (written != null) {
            ids.add(written);
        }
        return criteria.behind(original.message().createdAt(), ids);
    }

    /**
     * The first message received after a sequence number that matches the criteria; the last one where a code or a link
     * is wanted, because a newer one replaced the older.
     *
     * @param request its view is one inbox; the message is rendered in its share of the memory
     */
    public ScanResult next(Request request, ArrivalCriteria criteria, long after) {
        return criteria.challenges().isEmpty() ? first(request, criteria, after) : last(request, criteria, after);
    }

    private ScanResult last(Request request, ArrivalCriteria criteria, long after) {
        View inbox = request.view();
        long head = after;
        long below = Long.MAX_VALUE;
        for (int i = 0; i < NEWEST_WINDOWS; i++) {
            long end = below;
            Window window = database.read(tx -> window(tx, inbox, criteria, Stretch.back(after, end)));
            head = Math.max(head, window.head);
            for (ReceivedRow row : window.rows) {
                below = row.number;
                head = Math.max(head, row.number);
                Optional<JsonObject> message = matching(request, criteria, row.full);
                if (message.isPresent()) {
                    return new ScanResult(head, message.get());
                }
            }
            if (window.rows.size() < WINDOW) {
                break;
            }
        }
        return new ScanResult(head, null);
    }

    private ScanResult first(Request request, ArrivalCriteria criteria, long after) {
        View inbox = request.view();
        long at = after;
        Window window;
        do {
            long from = at;
            window = database.read(tx -> window(tx, inbox, criteria, Stretch.on(from)));
            for (ReceivedRow row : window.rows) {
                at = row.number;
                Optional<JsonObject> message = matching(request, criteria, row.full);
                if (message.isPresent()) {
                    return new ScanResult(row.number, message.get());
                }
            }
        } while (window.rows.size() == WINDOW);
        return new ScanResult(Math.max(window.head, at), null);
    }

    /** The message, if it matches. A message that cannot be parsed must not hide those after it. */
    private Optional<JsonObject> matching(Request request, ArrivalCriteria criteria, MessageReads.Full full) {
        try {
            return isReply(criteria, full) ? fullJson(request, criteria, full.message()) : Optional.empty();
        } catch (RuntimeException broken) {
            boolean isBusy = broken instanceof Problem problem && problem.code() == ErrorCode.SERVICE_UNAVAILABLE;
            if (isBusy || DatabaseFailure.isRetryable(broken)) {
                throw broken;
            }
            LOG.error(
                    "long poll skipped a message that cannot be rendered: message={}",
                    full.message().id(),
                    broken);
            return Optional.empty();
        }
    }

    private boolean isReply(ArrivalCriteria criteria, MessageReads.Full full) {
        return criteria.originals().isEmpty()
                || contents.readable(full.content()).isReplyTo(criteria.originals());
    }

    private Optional<JsonObject> fullJson(Request request, ArrivalCriteria criteria, Message message) {
        View view = request.view();
        Optional<FullMessage> fullMessage = fullReads.find(request, view, message.id());
        if (criteria.challenges().isEmpty()) {
            return fullMessage.map(all -> json(request, criteria, all));
        }
        return fullMessage.flatMap(all -> contents.challenges(all, criteria.challenges())
                .map(held -> json(request, criteria, all).with("extracted", held)));
    }

    private JsonObject json(Request request, ArrivalCriteria criteria, FullMessage fullMessage) {
        MarkdownQuery markdownQuery = criteria.markdown();
        return markdownQuery == null
                ? contents.json(request.caller(), fullMessage)
                : markdown.single(request.caller(), fullMessage, markdownQuery, null);
    }

    /**
     * Some rows, and the last sequence number before they were read.
     *
     * @param head every event up to this number was looked at, unless there are more rows
     */
    private record Window(long head, List<ReceivedRow> rows) {}

    /**
     * Sequence numbers in which to look.
     *
     * @param after where they begin, exclusive
     * @param below where they end, exclusive; null to look from the beginning on
     */
    private record Stretch(long after, @Nullable Long below) {
        static Stretch on(long after) {
            return new Stretch(after, null);
        }

        static Stretch back(long after, long below) {
            return new Stretch(after, below);
        }
    }

    private static Window window(Tx tx, View view, ArrivalCriteria criteria, Stretch stretch) {
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<Long> head = trip.query(
                View.of(view.organization()),
                "select k.event_seq from organization_clock k where {k}",
                row -> row.longer("event_seq"));
        RoundTrip.Result<ReceivedRow> rows = prefetch(trip, view, criteria, stretch);
        trip.run();
        return new Window(head.rows().getFirst(), rows.rows());
    }

    /**
     * {@code offset 0} keeps the planner at the events in their order, each with one look-up of its message, instead of
     * all messages of the inbox with their contents.
     */
    private static final String OF_EVENT = """
             from message m
            join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id and not i.deleting
            join message_content c on c.organization_id = m.organization_id and c.message_id = m.message_id
            where {m visible} and m.message_id = e.message_id
              and (e.type like 'message.received%' or 'held' = any (m.labels))
              and m.restricted & :excluded = 0 and\s""";

    private static RoundTrip.Result<ReceivedRow> prefetch(
            RoundTrip trip, View view, ArrivalCriteria criteria, Stretch stretch) {
        MailFilter filter = criteria.filter();
        boolean back = stretch.below != null;
        return trip.query(
                view,
                "select e.seq, f.* from event e cross join lateral (select " + MessageReads.COLUMNS
                        + MessageReads.HEADER + OF_EVENT + filter.condition(MessageLists.COLUMNS)
                        + (filter.after() == null ? "" : " and m.created_at >= :since")
                        + (filter.before() == null ? "" : " and m.created_at < :before")
                        + " offset 0) as f where {e} and e.seq > :after"
                        + " and (e.type like 'message.received%' or e.type = 'message.security.review')"
                        + (back ? " and e.seq < :below order by e.seq desc" : " order by e.seq")
                        + " limit :window",
                row -> new ReceivedRow(row.longer("seq"), MessageReads.full(row)),
                "after",
                stretch.after,
                "below",
                stretch.below,
                "excluded",
                filter.excluded(),
                "labels",
                filter.labels(),
                "senders",
                filter.texts().senders(),
                "subject",
                filter.texts().subject(),
                "since",
                filter.after(),
                "before",
                filter.before(),
                "window",
                WINDOW);
    }
}
