package dev.inboxd.mailbox.message;

import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.id.Digests;
import dev.inboxd.platform.id.Uuid7;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
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
    private static final int REFERENCE_BYTES = 16;

    private final View view;
    private final List<Messages.NameQuery> wanted = new ArrayList<>();
    private final Map<Key, UUID> byName = new HashMap<>();
    private final Map<Key, UUID> byReference = new HashMap<>();
    private final Map<UUID, MailThread> threads = new LinkedHashMap<>();
    private final Set<UUID> created = new LinkedHashSet<>();
    private final Set<UUID> changed = new LinkedHashSet<>();
    private final List<MessageSql.Reference> references = new ArrayList<>();
    private RoundTrip.Result<MessageSql.ThreadHit> named = RoundTrip.Result.none();
    private RoundTrip.Result<MessageSql.ThreadHit> referenced = RoundTrip.Result.none();

    private record Key(UUID inbox, ByteBuffer reference) {
        static Key of(UUID inbox, byte[] reference) {
            return new Key(inbox, ByteBuffer.wrap(reference));
        }
    }

    /** The references of a message that needs a thread, the nearest first. */
    record ThreadRequest(UUID inbox, List<String> candidates) {}

    ThreadAssignment(View view) {
        this.view = view;
    }

    /** Registers a message that will be added. */
    void require(ThreadRequest request) {
        request.candidates.forEach(name -> wanted.add(new Messages.NameQuery(request.inbox, name)));
    }

    /** Adds the look-ups for all requests to the round trip that takes the organization's clock. */
    void prefetch(RoundTrip opening) {
        named = MessageSql.threadsOfNames(opening, view, wanted);
        referenced = MessageSql.threadsOfReferences(opening, view, wanted);
    }

    /** Reads the results of the look-ups; after the opening round trip, before the first {@link #add}. */
    void applyPrefetched() {
        for (MessageSql.ThreadHit hit : named.rows()) {
            byName.put(Key.of(hit.thread().inbox(), hit.key()), hit.thread().id());
            threads.put(hit.thread().id(), hit.thread());
        }
        for (MessageSql.ThreadHit hit : referenced.rows()) {
            byReference.put(
                    Key.of(hit.thread().inbox(), hit.key()), hit.thread().id());
            threads.put(hit.thread().id(), hit.thread());
        }
    }

    /** The thread of a message with these candidates: a known one, or a new id. */
    UUID threadOf(ThreadRequest request) {
        for (Map<Key, UUID> known : List.of(byName, byReference)) {
            for (String candidate : request.candidates) {
                UUID thread = known.get(Key.of(request.inbox, reference(candidate)));
                if (thread != null) {
                    return thread;
                }
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
        byName.putIfAbsent(Key.of(inbox, reference(message.name())), id);
        for (String candidate : request.candidates) {
            byte[] reference = reference(candidate);
            if (byReference.putIfAbsent(Key.of(inbox, reference), id) == null) {
                references.add(new MessageSql.Reference(inbox, reference, id));
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
        MessageSql.insertReferences(trip, view, references);
    }

    /** The key of a Message-ID in the index of references. */
    static byte[] reference(String name) {
        return Arrays.copyOf(Digests.sha256(name), REFERENCE_BYTES);
    }
}
