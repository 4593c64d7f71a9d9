package dev.inboxd.search;

import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.json.JsonObject;
import dev.inboxd.message.Contents;
import dev.inboxd.message.Message;
import dev.inboxd.message.Selection;
import dev.inboxd.page.Cursor;
import dev.inboxd.page.Page;
import dev.inboxd.page.Slice;
import dev.inboxd.thread.MailThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Search in what a view shows; restricted mail is never found (contract: mail.md §10.3, §17). */
final class Searches {
    /** Then the caller hears that the database is busy (promise A40). */
    private static final Duration WITHIN = Duration.ofSeconds(2);
    private static final Comparator<Search.Hit> BEST_FIRST = Comparator.comparingInt(Search.Hit::rank)
            .thenComparing(Search.Hit::at, Comparator.reverseOrder());

    private final Database database;
    private final Selection selection;

    Searches(Database database, Contents contents) {
        this.database = database;
        this.selection = new Selection(contents);
    }

    /** What is wanted, but for its page. */
    record Wish(SearchQuery query, @Nullable Instant after, @Nullable Instant before) {}

    /** A page of the messages that the view shows, the best first. */
    Slice<JsonObject> messages(View view, Wish wish, Page page) {
        return database.read(tx -> {
            Reading reading = new Reading(tx, view, wish, page);
            Slice<Search.Hit> slice = reading.page(reading.hits);
            List<UUID> ids = slice.items().stream().map(Search.Hit::message).toList();
            Map<UUID, Selection.Listed<Message>> listed = selection.messages(tx, view, ids);
            Map<UUID, String> texts = reading.sql.texts(ids);
            Highlights highlights = new Highlights(wish.query);
            return new Slice<>(ids.stream().map(listed::get).filter(Objects::nonNull).map(item -> {
                Message.People people = item.row().people();
                return item.json().with("highlights", highlights.of(List.of(people.from()), people.recipients(),
                        item.row().subject(), texts.getOrDefault(item.row().id(), "")));
            }).toList(), slice.next());
        });
    }

    /** A page of the threads that the view shows, each by the message in it that fits best. */
    Slice<JsonObject> threads(View view, Wish wish, Page page) {
        return database.read(tx -> {
            Reading reading = new Reading(tx, view, wish, page);
            Map<UUID, Search.Hit> best = new LinkedHashMap<>();
            reading.hits.forEach(hit -> best.merge(hit.thread(), hit, (a, b) -> a.rank() <= b.rank() ? a : b));
            Slice<Search.Hit> slice = reading.page(List.copyOf(best.values()));
            Map<UUID, Selection.Listed<MailThread>> listed =
                    selection.threads(tx, view, slice.items().stream().map(Search.Hit::thread).toList());
            Map<UUID, String> texts = reading.sql.texts(slice.items().stream().map(Search.Hit::message).toList());
            Highlights highlights = new Highlights(wish.query);
            return new Slice<>(slice.items().stream().filter(hit -> listed.containsKey(hit.thread())).map(hit -> {
                Selection.Listed<MailThread> item = Objects.requireNonNull(listed.get(hit.thread()));
                return item.json().with("highlights", highlights.of(item.row().senders(), item.row().recipients(),
                        item.row().subject(), texts.getOrDefault(hit.message(), "")));
            }).toList(), slice.next());
        });
    }

    /** The search behind one page. All pages of a walk search the mail that was there at the first. */
    private static final class Reading {
        private final SearchSql sql;
        private final Page page;
        private final Instant snapshot;
        private final List<Search.Hit> hits;

        Reading(Tx tx, View view, Wish wish, Page page) {
            this.sql = new SearchSql(tx, view, WITHIN);
            this.page = page;
            List<List<Run>> runs = sql.runs();
            Cursor after = page.after();
            Instant until = after == null ? SearchSql.Times.ALWAYS : after.instant(0);
            this.hits = Search.run(sql, runs, wish.query, new SearchSql.Times(until, wish.after, wish.before));
            // What comes later is younger than all hits. It says nothing of mail that the view does not show (promise P11).
            this.snapshot = after != null || hits.isEmpty() ? until : hits.getFirst().at();
        }

        Slice<Search.Hit> page(List<Search.Hit> found) {
            Cursor after = page.after();
            List<Search.Hit> sorted = new ArrayList<>(found);
            sorted.sort(BEST_FIRST);
            return page.slice(sorted.stream().filter(hit -> after == null || isBehind(hit, after)).limit(page.fetch())
                    .toList(), hit -> Cursor.of(snapshot, hit.rank(), hit.at()));
        }

        private static boolean isBehind(Search.Hit hit, Cursor after) {
            return hit.rank() > after.number(1)
                    || (hit.rank() == after.number(1) && hit.at().isBefore(after.instant(2)));
        }
    }
}
