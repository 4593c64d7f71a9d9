package dev.inboxd.inbound;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Digests;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Remembers the messages of the last days by a digest of inbox, reverse-path, tags and content. A sender that did not
 * receive our 250 repeats the same message; the repetition is dropped, even when the message was deleted (ruling 3).
 */
final class DuplicateFilter {
    private static final RowStatement<byte[]> INSERT = RowStatement.of(
            "insert into redelivery (organization_id, digest, at)"
                    + " select {organization}, r.digest, {now} from {rows} as r on conflict do nothing",
            RowStatement.bytes("digest", digest -> digest));

    private static final RowStatement<byte[]> REDELIVERED = RowStatement.of(
            "select {tenant}k.digest from {rows} as r" + " join redelivery k on {k} and k.digest = r.digest",
            RowStatement.bytes("digest", digest -> digest));

    private DuplicateFilter() {}

    /** A digest that was stored before. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Digest(byte[] bytes) {}

    static byte[] digest(UUID inbox, IncomingMessage message) {
        // Tags tell conversations apart: the same mail to another tag is another message.
        String tags = message.deliveredTo(inbox).stream()
                .filter(address -> address.indexOf('+') >= 0)
                .map(address -> "\n" + address.toLowerCase(Locale.ROOT))
                .sorted()
                .collect(Collectors.joining());
        return Digests.sha256(
                inbox + "\n" + message.reversePath() + "\n" + message.origin().contentDigest() + tags);
    }

    /** Whether all of these were stored before. */
    static boolean areKnown(Tx tx, View view, List<byte[]> digests) {
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<Digest> redelivered = prefetch(trip, view, digests);
        trip.run();
        return redelivered.rows().size() == digests.size();
    }

    static RoundTrip.Result<Digest> prefetch(RoundTrip trip, View view, List<byte[]> digests) {
        return trip.query(view, REDELIVERED, digests, row -> new Digest(row.bytes("digest")));
    }

    static void insert(RoundTrip trip, View view, List<byte[]> digests) {
        trip.change(view, INSERT, digests);
    }
}
