package dev.inboxd.mailbox.storage;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.message.Message;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The ids of messages beside their public ones: those that senders wrote and that could not be public ids, and those
 * that relays gave to sent messages.
 */
public final class MessageAliases {
    private MessageAliases() {}

    /** A further id of a message. */
    public record MessageAlias(Message message, String id) {}

    private record Key(UUID inbox, ByteBuffer reference) {}

    /** Adds a look-up of the messages that have these ids beside their public ones. */
    public static RoundTrip.Result<MessageNames.ExistingName> prefetch(
            RoundTrip trip, View view, List<MessageNames.NameQuery> names) {
        return ReferenceSql.messages(trip, view, names);
    }

    /** Adds further ids of messages; one that another message has stays with that. */
    public static void appendTo(RoundTrip trip, View view, Collection<MessageAlias> aliases) {
        Map<Key, ReferenceSql.Reference> references = new LinkedHashMap<>();
        for (MessageAlias alias : aliases) {
            Message.Place place = alias.message.place();
            byte[] reference = ReferenceSql.reference(alias.id);
            references.putIfAbsent(
                    new Key(place.inbox(), ByteBuffer.wrap(reference)),
                    new ReferenceSql.Reference(place.inbox(), reference, place.thread(), alias.message.id()));
        }
        ReferenceSql.insertAliases(trip, view, List.copyOf(references.values()));
    }
}
