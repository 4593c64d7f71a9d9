package dev.inboxd.mailbox.storage;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mail.message.MessageIds;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the threads of the new messages of one transaction, by references alone, and holds the changed threads until
 * they are written (mail.md §12).
 */
final class ThreadAssignment {
    private final View view;
    private final List<MessageNames.NameQuery> nameQueries = new ArrayList<>();
    private final Map<Key, Parent> byName = new HashMap<>();
    private final Map<Key, Parent> byReference = new HashMap<>();
    private final Map<UUID, MailThread> threads = new LinkedHashMap<>();
    private final Set<UUID> created = new LinkedHashSet<>();
    private final Set<UUID> changed = new LinkedHashSet<>();
    private final List<ReferenceSql.Reference> references = new ArrayList<>();
    private RoundTrip.Result<ReferenceSql.ThreadHit> named = RoundTrip.Result.none();
    private RoundTrip.Result<ReferenceSql.ThreadHit> referenced = RoundTrip.Result.none();

    private record Key(UUID inbox, ByteBuffer reference) {
        static Key of(UUID inbox, byte[] reference) {
            return new Key(inbox, ByteBuffer.wrap(reference));
        }
    }

    /**
     * What an id leads to.
     *
     * @param restricted the bits of the labels that hide it
     */
    private record Parent(UUID thread, int restricted) {
        static Parent of(ReferenceSql.ThreadHit hit) {
            return new Parent(hit.thread().id(), hit.restricted());
        }
    }

    /**
     * What a message refers to that needs a thread.
     *
     * @param candidates the keys of the ids, the nearest first
     * @param hidden the bits of the labels that its sender may not read
     */
    record ThreadRequest(UUID inbox, List<String> candidates, int hidden) {
        ThreadRequest(UUID inbox, NewMessage.Parents parents) {
            this(
                    inbox,
                    parents.candidates().stream()
                            .map(MessageIds::key)
                            .distinct()
                            .toList(),
                    parents.hidden());
        }
    }

    ThreadAssignment(View view) {
        this.view = view;
    }

    /** Registers a message that will be added. */
    void require(ThreadRequest request) {
        request.candidates.forEach(name -> nameQueries.add(new MessageNames.NameQuery(request.inbox, name)));
    }

    /** Adds the look-ups for all requests to the round trip that takes the organization's clock. */
    void prefetch(RoundTrip opening) {
        named = ReferenceSql.threadsOfNames(opening, view, nameQueries);
        referenced = ReferenceSql.threadsOfReferences(opening, view, nameQueries);
    }

    /** Reads the results of the look-ups; after the opening round trip, before the first {@link #add}. */
    void applyPrefetched() {
        read(named, byName);
        read(referenced, byReference);
    }

    private void read(RoundTrip.Result<ReferenceSql.ThreadHit> hits, Map<Key, Parent> parents) {
        for (ReferenceSql.ThreadHit hit : hits.rows()) {
            parents.put(Key.of(hit.thread().inbox(), hit.key()), Parent.of(hit));
            threads.put(hit.thread().id(), hit.thread());
        }
    }

    /** The thread of a message with these candidates: a known one, or a new id. */
    UUID threadOf(ThreadRequest request) {
        for (String candidate : request.candidates) {
            Parent parent = byName.get(Key.of(request.inbox, ReferenceSql.name(candidate)));
            if (parent != null && (parent.restricted & request.hidden) == 0) {
                return parent.thread;
            }
        }
        for (String candidate : request.candidates) {
            Parent parent = byReference.get(Key.of(request.inbox, ReferenceSql.reference(candidate)));
            if (parent != null && (parent.restricted & request.hidden) == 0) {
                return parent.thread;
            }
        }
        return Uuid7.next();
    }

    /** Makes a thread known that was found in another way, such as the thread of the message replied to. */
    void include(MailThread thread) {
        threads.put(thread.id(), thread);
    }

    /** Whether the thread is known to this object. */
    boolean includes(UUID thread) {
        return threads.containsKey(thread);
    }

    /** Adds the message to its thread, which is created when it is new, and returns the thread with the message. */
    MailThread add(Message message, ThreadRequest request) {
        UUID id = message.place().thread();
        MailThread before = threads.get(id);
        MailThread after = before == null
                ? MailThread.of(id, message.place().inbox(), message.place().pod(), message.totals())
                : before.plus(message.totals());
        threads.put(id, after);
        (before == null || created.contains(id) ? created : changed).add(id);
        UUID inbox = message.place().inbox();
        byName.putIfAbsent(Key.of(inbox, ReferenceSql.name(message.name())), new Parent(id, message.restricted()));
        for (String candidate : request.candidates) {
            byte[] reference = ReferenceSql.reference(candidate);
            if (byReference.putIfAbsent(Key.of(inbox, reference), new Parent(id, message.restricted())) == null) {
                references.add(new ReferenceSql.Reference(inbox, reference, id, null));
            }
        }
        return after;
    }

    /** Adds the inserts and updates of threads and references to a round trip. */
    void appendTo(RoundTrip trip) {
        Threads.appendTo(
                trip,
                view,
                created.stream().map(threads::get).toList(),
                changed.stream().map(threads::get).toList());
        ReferenceSql.insertReferences(trip, view, references);
    }
}
