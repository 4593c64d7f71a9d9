package dev.inboxd.mailbox.search;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.base.page.WeighedPage;
import dev.inboxd.mailbox.markdown.MarkdownItems;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.MessageLookup;
import dev.inboxd.mailbox.thread.MailFilter;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.ThreadTotals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Search in the mail of a view; restricted mail is never found (mail.md §10.3, §17). */
final class Searches {
    /** The time for a search; after it the caller gets an error that the database is busy (promise A40). */
    private static final Duration WITHIN = Duration.ofSeconds(2);

    private final Database database;
    private final MessageLookup lookup;

    Searches(Database database, MessageContents contents) {
        this.database = database;
        this.lookup = new MessageLookup(contents);
    }

    /** A search without its page; what is found has a message with the words that matches the filter. */
    record SearchRequest(SearchQuery query, MailFilter filter) {}

    /** A page of the messages that the view shows, as that caller may read them, the best first. */
    Slice<MarkdownItems.Item> messages(View view, Caller caller, SearchRequest search, PageRequest page) {
        return database.read(tx -> {
            PageSearch pageSearch = new PageSearch(tx, view, search, page);
            Slice<Hit> slice = pageSearch.page(
                    Hit::message,
                    candidates ->
                            lookup.fittingMessages(tx, view, candidates, page).size());
            List<UUID> ids = slice.items().stream().map(Hit::message).toList();
            Map<UUID, MessageLookup.ListItem<Message>> listed = lookup.messages(tx, view, caller, ids);
            IndexedTexts texts = new IndexedTexts(pageSearch.sql, ids);
            Highlights highlights = new Highlights(search.query);
            return new Slice<>(
                    slice.items().stream()
                            .filter(hit -> listed.containsKey(hit.message()))
                            .map(hit -> {
                                MessageLookup.ListItem<Message> item =
                                        Objects.requireNonNull(listed.get(hit.message()));
                                Message.People people = item.row().people();
                                JsonObject json = item.json()
                                        .with(
                                                "highlights",
                                                highlights.of(
                                                        people.authors(),
                                                        people.recipients(),
                                                        item.row().subject(),
                                                        texts.of(item.row().id())))
                                        .withAll(item.additions());
                                MarkdownItems.Key key = new MarkdownItems.Key(
                                        item.row().place().inbox(), item.row().name());
                                return new MarkdownItems.Item(
                                        json, key, item.row().size(), pageSearch.place(hit));
                            })
                            .toList(),
                    slice.next());
        });
    }

    /** A page of the threads that the view shows, each ranked by its best message. */
    Slice<MarkdownItems.Item> threads(View view, SearchRequest search, PageRequest page) {
        return database.read(tx -> {
            PageSearch pageSearch = new PageSearch(tx, view, search, page);
            Slice<Hit> slice = pageSearch.page(
                    Hit::thread,
                    candidates ->
                            lookup.fittingThreads(tx, view, candidates, page).size());
            Map<UUID, MessageLookup.ListItem<MailThread>> listed = lookup.threads(
                    tx, view, slice.items().stream().map(Hit::thread).toList());
            IndexedTexts texts = new IndexedTexts(
                    pageSearch.sql, slice.items().stream().map(Hit::message).toList());
            Highlights highlights = new Highlights(search.query);
            return new Slice<>(
                    slice.items().stream()
                            .filter(hit -> listed.containsKey(hit.thread()))
                            .map(hit -> {
                                MessageLookup.ListItem<MailThread> item =
                                        Objects.requireNonNull(listed.get(hit.thread()));
                                ThreadTotals totals = item.row().totals();
                                JsonObject json = item.json()
                                        .with(
                                                "highlights",
                                                highlights.of(
                                                        totals.senders(),
                                                        totals.recipients(),
                                                        totals.subject(),
                                                        texts.of(hit.message())))
                                        .withAll(item.additions());
                                MarkdownItems.Key key =
                                        new MarkdownItems.Key(item.row().inbox(), totals.lastMessage());
                                return new MarkdownItems.Item(json, key, totals.size(), pageSearch.place(hit));
                            })
                            .toList(),
                    slice.next());
        });
    }

    /** The search for one page. All pages of a walk search the mail that existed at the first page. */
    private static final class PageSearch {
        private final SearchSql sql;
        private final PageRequest page;
        private final RankedHits hits;

        PageSearch(Tx tx, View view, SearchRequest search, PageRequest page) {
            this.sql = new SearchSql(tx, view, search.filter, WITHIN);
            this.page = page;
            Cursor after = page.after();
            Instant until = after == null ? SearchSql.TimeWindow.ALWAYS : after.instant(0);
            SearchSql.TimeWindow times = new SearchSql.TimeWindow(until, search.filter.after(), search.filter.before());
            this.hits = RankedHits.of(sql, search.query, times, page.fetch() * 3 / 2); // some may be hidden
        }

        /**
         * The best hits of a page. A message or thread is on the page of its best hit only.
         *
         * @param identity the message or the thread of a hit
         * @param room how many of these, in their order, the page has room for
         */
        Slice<Hit> page(Function<Hit, UUID> identity, ToIntFunction<List<UUID>> room) {
            Cursor after = page.after();
            Set<UUID> distinctIds = new HashSet<>();
            List<Hit> fetched = new ArrayList<>();
            while (fetched.size() < page.fetch() && hits.hasNext()) {
                Hit hit = hits.next();
                if (distinctIds.add(identity.apply(hit)) && (after == null || isBehind(hit, after))) {
                    fetched.add(hit);
                }
            }
            // Mail that arrives later is newer than all hits.
            List<Hit> shown = fetched.subList(0, Math.min(fetched.size(), page.limit()));
            int fitting = room.applyAsInt(shown.stream().map(identity).toList());
            List<Hit> fits = fitting < shown.size() ? shown.subList(0, fitting) : fetched;
            return page.slice(new WeighedPage.Rows<>(fits, fetched.size()), this::place);
        }

        /** The place of a hit among all. */
        Cursor place(Hit hit) {
            Cursor after = page.after();
            return Cursor.of(after == null ? hits.youngest() : after.instant(0), hit.rank(), hit.at());
        }

        private static boolean isBehind(Hit hit, Cursor after) {
            return hit.rank() > after.number(1)
                    || (hit.rank() == after.number(1) && hit.at().isBefore(after.instant(2)));
        }
    }
}
