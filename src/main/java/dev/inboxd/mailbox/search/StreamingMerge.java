package dev.inboxd.mailbox.search;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Merges runs of one scope however large they are: a few blocks of each are in memory. The new run is written in slices
 * that nobody sees, and takes the place of the others in one commit; so whatever a crash leaves half done is only garbage,
 * and goes.
 */
final class StreamingMerge {
    private static final int SLICE = 200;
    private static final int READ_AHEAD = 64;
    private static final int ASKED = 1_000;

    private final Database database;

    StreamingMerge(Database database) {
        this.database = database;
    }

    /**
     * Makes one run of some.
     *
     * @param runs oldest first
     * @throws IllegalStateException when another node has merged them; nothing is changed then
     */
    void merge(UUID organization, List<Segment> runs) {
        Map<Long, List<PostingsBlock>> documents = database.read(tx -> SegmentSql.documents(tx, organization, runs));
        Map<Long, List<UUID>> all = runs.stream()
                .collect(Collectors.toMap(
                        Segment::number,
                        run -> DocumentBlocks.messages(documents.getOrDefault(run.number(), List.of()))));
        DocumentMap members =
                DocumentMap.of(runs, run -> all.getOrDefault(run.number(), List.of()), gone(organization, runs, all));
        Segment newest = runs.getLast();
        SegmentWriter slices = new SegmentWriter(
                organization, new Segment(newest.scope(), 0, members.messages().size(), newest.newest()));
        DocumentBlocks.blocks(members.messages()).forEach(slices::add);
        SegmentMerger.write(
                runs.stream()
                        .map(run -> new SegmentMerger.Source(new SegmentReader(organization, run), members.of(run)))
                        .toList(),
                new PostingsWriter(slices::add));
        slices.write(runs);
    }

    /** What was deleted of runs that count something as deleted; each counts all that goes. */
    private Set<UUID> gone(UUID organization, List<Segment> runs, Map<Long, List<UUID>> all) {
        List<UUID> asked = runs.stream().anyMatch(run -> run.deleted() > 0)
                ? all.values().stream().flatMap(List::stream).toList()
                : List.of();
        Set<UUID> gone = new HashSet<>(asked);
        for (int from = 0; from < asked.size(); from += ASKED) {
            List<UUID> some = asked.subList(from, Math.min(from + ASKED, asked.size()));
            database.read(tx -> tx.sql(
                                    View.of(organization),
                                    "select m.message_id from message m" + " where {m} and m.message_id = any (:ids)")
                            .bind("ids", some.toArray(UUID[]::new))
                            .list(row -> row.uuid("message_id")))
                    .forEach(gone::remove);
        }
        return gone;
    }

    /** A run's blocks of terms, a few at a time. */
    private final class SegmentReader implements Iterator<PostingsBlock> {
        private final UUID organization;
        private final Segment run;
        private PostingsBlock last = new PostingsBlock(-1, Integer.MAX_VALUE, new byte[0]);
        private Iterator<PostingsBlock> ahead = Collections.emptyIterator();
        private boolean ended;

        SegmentReader(UUID organization, Segment run) {
            this.organization = organization;
            this.run = run;
        }

        @Override
        public boolean hasNext() {
            if (!ahead.hasNext() && !ended) {
                List<PostingsBlock> some =
                        database.read(tx -> SegmentSql.blocksAfter(tx, organization, run, last, READ_AHEAD));
                ended = some.size() < READ_AHEAD;
                ahead = some.iterator();
            }
            return ahead.hasNext();
        }

        @Override
        public PostingsBlock next() {
            last = ahead.next();
            return last;
        }
    }

    /** A run that is being written. */
    private final class SegmentWriter {
        private final UUID organization;
        private final List<PostingsBlock> waiting = new ArrayList<>();
        private Segment run;

        SegmentWriter(UUID organization, Segment unnumbered) {
            this.organization = organization;
            this.run = unnumbered;
        }

        void add(PostingsBlock block) {
            waiting.add(block);
            if (waiting.size() == SLICE) {
                more();
                waiting.clear();
            }
        }

        private void more() {
            if (run.number() == 0) {
                write(List.of());
            } else if (!database.writeGlobal(tx -> SegmentSql.readMore(tx, View.of(organization), run, waiting))) {
                throw new IllegalStateException("it took too long and was given up");
            }
        }

        /** Writes what waits, and publishes the run when it replaces others. */
        void write(List<Segment> replaced) {
            View view = View.of(organization);
            database.<@Nullable Void>write(organization, 1, (tx, opening) -> {
                opening.run();
                long own = tx.next().number();
                RoundTrip trip = tx.roundTrip();
                IndexProgressSql.skipOwn(trip, view, own);
                if (run.number() == 0) {
                    run = new Segment(run.scope(), own, run.documents(), run.newest());
                    SegmentSql.insertHidden(trip, view, List.of(run));
                }
                SegmentSql.blocks(trip, view, run, waiting);
                trip.run();
                if (!replaced.isEmpty() && !SegmentSql.publish(tx, view, run, replaced)) {
                    throw new IllegalStateException("another node has merged them"); // and nothing of ours is kept
                }
                return null;
            });
            waiting.clear();
        }
    }
}
