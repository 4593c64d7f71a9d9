package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads single messages with their texts. A long text is read and inflated only after memory for the answer was
 * reserved. Each request reserves once, so that none waits for more memory while it holds some (promise P15).
 */
public final class FullMessageReads {
    /** The memory for a heavy message, in octets: its texts of 1 MiB each, and what is extracted of them. */
    private static final long MOST = 4L << 20;

    private final Database database;

    /** Reads from a database. */
    public FullMessageReads(Database database) {
        this.database = database;
    }

    private record LoadedMessage(FullMessage message, boolean heavy) {}

    /**
     * One message by its public id, as the request's view shows it.
     *
     * @throws Problem {@code service_unavailable} when other requests do not free memory in
     *     time
     */
    public Optional<FullMessage> find(Request request, String name) {
        return read(request, request.view(), tx -> MessageReads.light(tx, request.view(), name));
    }

    /** One message by its internal id, as that view shows it; see {@link #find(Request, String)}. */
    public Optional<FullMessage> find(Request request, View view, UUID id) {
        return read(request, view, tx -> MessageReads.light(tx, view, id));
    }

    /** The error for a message that the view does not show; it names the draft of one that waits for approval. */
    public Problem missing(View view, String name) {
        return database.read(tx -> PromisedMessages.missing(tx, view, name));
    }

    private Optional<FullMessage> read(Request request, View view, Function<Tx, Optional<MessageReads.Light>> query) {
        return database.read(tx -> query.apply(tx)
                        .map(light -> new LoadedMessage(
                                MessageReads.withAttachments(tx, view, List.of(light.full()))
                                        .getFirst(),
                                light.heavy())))
                .flatMap(lightMessage -> {
                    FullMessage message = lightMessage.message;
                    request.reserveText(
                            lightMessage.heavy ? MOST : 2 * message.content().textOctets());
                    return lightMessage.heavy
                            ? database.read(tx -> MessageReads.full(
                                            tx, view, message.message().id())
                                    .map(full -> new FullMessage(
                                            full.message(),
                                            full.content(),
                                            message.attachments(),
                                            message.draft(),
                                            message.calendar(),
                                            message.claim())))
                            : Optional.of(message);
                });
    }
}
