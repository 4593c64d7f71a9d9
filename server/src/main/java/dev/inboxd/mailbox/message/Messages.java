package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.thread.MailFilter;
import dev.inboxd.queue.DeliveryStatuses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads messages through a view. Each method runs its own transaction, unless it takes the caller's. */
public final class Messages {
    private final Database database;

    /** The messages of a database. */
    public Messages(Database database) {
        this.database = database;
    }

    /** A page of an inbox. */
    public Slice<FullMessage> list(View view, MailFilter filter, PageRequest page) {
        return database.read(tx -> {
            Slice<MessageReads.Full> slice = MessageLists.page(tx, view, filter, page);
            return new Slice<>(MessageReads.withAttachments(tx, view, slice.items()), slice.next());
        });
    }

    /**
     * The messages of these public ids that the view shows, in the order of the ids.
     *
     * @param names without duplicates
     */
    public List<FullMessage> list(View view, List<String> names) {
        return database.read(tx -> MessageReads.withAttachments(
                tx,
                view,
                inOrder(
                        names,
                        MessageReads.headed(tx, view, names),
                        full -> full.message().name())));
    }

    /**
     * A message of a thread.
     *
     * @param isHeavy whether its bodies were left out, which {@link #withBodies} reads
     */
    public record ThreadMessage(FullMessage message, boolean isHeavy) {}

    /** The newest page of a thread's messages, newest first. */
    public Slice<ThreadMessage> ofThread(View view, UUID thread, int excluded, PageRequest page) {
        return database.read(tx -> {
            Slice<MessageReads.Light> slice = page.slice(
                    ThreadMessageReads.ofThread(tx, view, thread, excluded, page),
                    light -> Cursor.of(light.full().message().createdAt()));
            List<FullMessage> fullMessages = MessageReads.withAttachments(
                    tx,
                    view,
                    slice.items().stream().map(MessageReads.Light::full).toList());
            return new Slice<>(
                    IntStream.range(0, fullMessages.size())
                            .mapToObj(i -> new ThreadMessage(
                                    fullMessages.get(i), slice.items().get(i).heavy()))
                            .toList(),
                    slice.next());
        });
    }

    /** The message with its bodies; as it is when it went meanwhile. */
    public FullMessage withBodies(View view, FullMessage light) {
        return database.read(tx -> MessageReads.full(tx, view, light.message().id()))
                .map(full -> new FullMessage(
                        full.message(),
                        full.content(),
                        light.attachments(),
                        light.draft(),
                        light.calendar(),
                        light.claim()))
                .orElse(light);
    }

    /**
     * One message by its public id, as the view shows it.
     *
     * @throws Problem {@code not_found}
     */
    public FullMessage get(View view, String name) {
        return database.read(tx -> MessageReads.full(tx, view, name)
                        .map(full -> MessageReads.withAttachments(tx, view, List.of(full))
                                .getFirst()))
                .orElseThrow(() -> Problem.notFound("Message"));
    }

    /** The delivery statuses of a message's recipients; null for a message that no inbox of this service sent. */
    @Nullable
    public List<JsonObject> deliveries(View view, Message message) {
        return message.outgoing() ? database.read(tx -> DeliveryStatuses.of(tx, view, message.id())) : null;
    }

    /**
     * One message's row by its public id, as the view shows it.
     *
     * @throws Problem {@code not_found}
     */
    public Message row(View view, String name) {
        return database.read(tx -> MessageReads.find(tx, view, name)).orElseThrow(() -> Problem.notFound("Message"));
    }

    /**
     * An attachment of a message, or of any visible message of a thread.
     *
     * @param id the id in the path, unchecked
     * @param message the message, or null for any of the thread's
     * @param thread the thread, or null for the message's
     * @throws Problem {@code not_found}
     */
    public Attachment attachment(View view, String id, @Nullable UUID message, @Nullable UUID thread) {
        UUID parsed = Uuid7.parse(id);
        if (parsed == null) {
            throw Problem.notFound("Attachment");
        }
        return database.read(tx -> Attachments.find(tx, view, parsed)
                        .filter(attachment ->
                                message == null || attachment.owner().message().equals(message))
                        .filter(attachment ->
                                thread == null || attachment.owner().thread().equals(thread))
                        .filter(attachment -> MessageReads.find(
                                        tx, view, attachment.owner().message())
                                .isPresent()))
                .orElseThrow(() -> Problem.notFound("Attachment"));
    }

    /** One message by its internal id, as the view shows it. */
    public Optional<FullMessage> find(View view, UUID id) {
        return database.read(tx -> MessageReads.full(tx, view, id)
                .map(full ->
                        MessageReads.withAttachments(tx, view, List.of(full)).getFirst()));
    }

    /** One message's row by its public id, in the caller's transaction. */
    public static Optional<Message> find(Tx tx, View view, String name) {
        return MessageReads.find(tx, view, name);
    }

    /** One message's row by its internal id, in the caller's transaction. */
    public static Optional<Message> find(Tx tx, View view, UUID id) {
        return MessageReads.find(tx, view, id);
    }

    /** What was found, in the order of these names. */
    public static <T> List<T> inOrder(List<String> names, List<T> items, Function<T, String> name) {
        Map<String, T> byName = new HashMap<>();
        items.forEach(item -> byName.put(name.apply(item), item));
        return names.stream().filter(byName::containsKey).map(byName::get).toList();
    }
}
