package dev.inboxd.mailbox.message;

import dev.inboxd.mailbox.thread.MailFilter;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.DatabaseFailure;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.http.Query;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

    private final Database database;
    private final FullMessageReads whole;
    private final MessageContents contents;

    /** The received messages of a database. */
    public ReceivedMessages(Database database, MessageContents contents) {
        this.database = database;
        this.whole = new FullMessageReads(database);
        this.contents = contents;
    }

    /**
     * The criteria for the message that a client waits for.
     *
     * @param filter sender and subject, as in a list
     * @param originals the ids, with their angle brackets, of the message that it answers; none for any message
     */
    public record Criteria(MailFilter filter, Set<String> originals) {
        public Criteria {
            originals = Set.copyOf(originals);
        }

        /** Whether they say from when on messages count, so that those that are there already are looked at. */
        public boolean reachBack() {
            return filter.after() != null || !originals.isEmpty();
        }
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
     * Reads the criteria from a query: {@code from}, {@code subject}, {@code since}, {@code in_reply_to} and the flags
     * of lists.
     */
    public static Criteria criteria(Query query) {
        MailFilter filter = MessageHttp.filter(query)
                .with(new MailFilter.Texts(query.list("from"), List.of(), query.list("subject")));
        Instant since = query.instant("since");
        String inReplyTo = query.text("in_reply_to");
        return new Criteria(
                since == null ? filter : filter.notBefore(following(since)),
                inReplyTo == null || inReplyTo.isEmpty() ? Set.of() : Set.of(MessageHttp.named(inReplyTo)));
    }

    /**
     * The first time behind one that a client gives. Times are shown in milliseconds: behind the time of a message that
     * a client was shown, that message is not.
     */
    private static Instant following(Instant since) {
        return since.equals(since.truncatedTo(ChronoUnit.MILLIS)) ? since.plusMillis(1) : since.plusNanos(1_000);
    }

    /**
     * The criteria without what is older than the message that an answer is wanted for, because nothing older answers
     * it, and with the id that its sender gave it. They stay as they are when the view does not show such a message.
     */
    public Criteria behindOriginal(View view, Criteria criteria) {
        return criteria.originals.stream()
                .findFirst()
                .flatMap(name -> database.read(tx -> MessageReads.light(tx, view, name)))
                .map(original -> behind(criteria, original.full()))
                .orElse(criteria);
    }

    private Criteria behind(Criteria criteria, MessageReads.Full original) {
        Set<String> ids = new HashSet<>(criteria.originals);
        String written = contents.readable(original.content()).messageId();
        if (written != null) {
            ids.add(written);
        }
        return new Criteria(criteria.filter.notBefore(original.message().createdAt()), ids);
    }

    /**
     * The first message received after a sequence number that matches the criteria.
     *
     * @param request its view is one inbox; the message is rendered in its share of the memory
     */
    public ScanResult next(Request request, Criteria criteria, long after) {
        View inbox = request.view();
        long at = after;
        Window window;
        do {
            long from = at;
            window = database.read(tx -> window(tx, inbox, criteria, from));
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
    private Optional<JsonObject> matching(Request request, Criteria criteria, MessageReads.Full full) {
        try {
            return isReply(criteria, full) ? whole(request, full.message()) : Optional.empty();
        } catch (RuntimeException broken) {
            if (DatabaseFailure.isRetryable(broken)) {
                throw broken;
            }
            LOG.error(
                    "long poll skipped a message that cannot be rendered: message={}",
                    full.message().id(),
                    broken);
            return Optional.empty();
        }
    }

    private boolean isReply(Criteria criteria, MessageReads.Full full) {
        return criteria.originals.isEmpty() || contents.readable(full.content()).isReplyTo(criteria.originals);
    }

    private Optional<JsonObject> whole(Request request, Message message) {
        View view = request.view();
        return whole.find(request, view, message.id()).map(found -> contents.json(view.organization(), found));
    }

    /**
     * Some rows, and the last sequence number before they were read.
     *
     * @param head every event up to this number was looked at, unless there are more rows
     */
    private record Window(long head, List<ReceivedRow> rows) {}

    private static Window window(Tx tx, View view, Criteria criteria, long after) {
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<Long> head = trip.query(
                View.of(view.organization()),
                "select k.event_seq from organization_clock k where {k}",
                row -> row.longer("event_seq"));
        RoundTrip.Result<ReceivedRow> rows = prefetch(trip, view, criteria, after);
        trip.run();
        return new Window(head.rows().getFirst(), rows.rows());
    }

    private static RoundTrip.Result<ReceivedRow> prefetch(RoundTrip trip, View view, Criteria criteria, long after) {
        MailFilter filter = criteria.filter();
        return trip.query(
                view,
                "select e.seq, " + MessageReads.COLUMNS + MessageReads.HEADER + """
                 from event e
                join message m on m.organization_id = e.organization_id and m.message_id = e.message_id
                join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id and not i.deleting
                join message_content c on c.organization_id = m.organization_id and c.message_id = m.message_id
                where {e} and e.seq > :after and {m visible}
                  and (e.type like 'message.received%'
                       or (e.type = 'message.security.review' and 'held' = any (m.labels)))
                  and m.restricted & :excluded = 0 and\s"""
                        + filter.wanted(MessageLists.COLUMNS)
                        + (filter.after() == null ? "" : " and m.created_at >= :since")
                        + (filter.before() == null ? "" : " and m.created_at < :before")
                        + " order by e.seq limit :window",
                row -> new ReceivedRow(row.longer("seq"), MessageReads.full(row)),
                "after",
                after,
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
