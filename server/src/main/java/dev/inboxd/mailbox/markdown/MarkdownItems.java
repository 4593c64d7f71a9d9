package dev.inboxd.mailbox.markdown;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.Slice;
import dev.inboxd.base.page.WeighedPage;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.claim.ShownClaim;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.MessageReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Adds the beginning of its Markdown to each item of a page. The bodies are read a few at a time and rendered one after
 * another, so that a page takes no memory by what its messages hold (promise P15). A page ends early when its Markdown
 * is large, or takes long.
 */
public final class MarkdownItems {
    /** Octets of messages that are read together. */
    private static final long ROOM = 1 << 20;
    /** The octets of the bodies of one message: 1 MiB of text, and of HTML. */
    private static final long LARGEST = 2 << 20;
    /** Characters of a page, the last item apart. */
    private static final long MOST_CHARACTERS = 2 << 20;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private static final String OF_KEY = " join message m on m.organization_id = {organization}"
            + " and m.message_id = k.message_id join message_content c on c.organization_id = {organization}"
            + " and c.message_id = k.message_id";
    private static final String KEYS = "select m.message_id, w.place" + MessageReads.FROM
            + " join unnest(:inboxes::uuid[], :names::text[]) with ordinality as w (inbox_id, name, place)"
            + " on w.inbox_id = m.inbox_id and w.name = m.name where {m visible}";
    private static final String BODIES = "select " + MessageReads.COLUMNS + MessageReads.LIGHT_COLUMNS
            + ", x.place, x.found from "
            + WeighedPage.within(KEYS, OF_KEY, MessageReads.WEIGHT_WITH_BODIES, "place")
            + " as x" + OF_KEY.replace("k.", "x.")
            + " join inbox i on i.organization_id = {organization} and i.inbox_id = m.inbox_id"
            + " where x.ahead < :room order by x.place";

    private final Database database;
    private final MessageMarkdown markdown;

    /** Reads the bodies from a database. */
    public MarkdownItems(Database database, MessageContents contents) {
        this.database = database;
        this.markdown = new MessageMarkdown(contents);
    }

    /**
     * An item of a page.
     *
     * @param json its shipped members
     * @param message the message whose Markdown it has
     * @param octets of the message without its files, at most
     * @param place of the item in the list
     */
    public record Item(JsonObject json, Key message, long octets, Cursor place) {}

    /**
     * A message.
     *
     * @param inbox the internal id of its inbox
     * @param name its public id
     */
    public record Key(UUID inbox, String name) {}

    /** A message, and its number among those that were asked for. */
    private record Numbered(int number, FullMessage message, boolean isHeavy) {}

    /** The page with the Markdown of each item, perhaps shorter. Memory for the answer is reserved first. */
    public Slice<RawJson> of(Request request, Slice<Item> page, MarkdownQuery query) {
        List<Item> items = page.items();
        request.reserveText(octets(items, query.most()));
        List<RawJson> rendered = new ArrayList<>(items.size());
        long end = System.nanoTime() + PATIENCE;
        long characters = 0;
        while (rendered.size() < items.size()) {
            WeighedPage.Rows<Numbered> portion = bodies(request.view(), items, rendered.size());
            for (Numbered numbered : portion.rows()) {
                fill(rendered, items, numbered.number);
                rendered.add(item(request.view(), items.get(numbered.number), numbered, query));
                characters += rendered.getLast().text().length();
                boolean isFull = characters > MOST_CHARACTERS || System.nanoTime() > end;
                if (isFull && rendered.size() < items.size()) {
                    return new Slice<>(rendered, items.get(rendered.size() - 1).place);
                }
            }
            if (portion.rows().size() == portion.total()) {
                fill(rendered, items, items.size());
            }
        }
        return new Slice<>(rendered, page.next());
    }

    /** The memory for one message with what is made of it, and for the answer. */
    private static long octets(List<Item> items, long most) {
        long largest = items.stream().mapToLong(Item::octets).max().orElse(0);
        long answer = items.stream()
                .mapToLong(item -> Math.min(item.octets, 2 * most))
                .sum();
        return 2 * Math.min(largest, LARGEST) + Math.min(answer, 2 * MOST_CHARACTERS);
    }

    /** Items before this number whose messages are gone by now: nothing of them can be seen. */
    private static void fill(List<RawJson> rendered, List<Item> items, int number) {
        while (rendered.size() < number) {
            rendered.add(shown(items.get(rendered.size()), MarkdownAnswer.NOTHING));
        }
    }

    private RawJson item(View view, Item item, Numbered numbered, MarkdownQuery query) {
        FullMessage message = numbered.isHeavy ? withBodies(view, numbered.message) : numbered.message;
        return shown(item, markdown.rendered(view.organization(), message, query));
    }

    /** Rendered to text at once, so that the parsed message is freed before the next is read. */
    private static RawJson shown(Item item, MarkdownAnswer rendered) {
        return new RawJson(Json.text(item.json.without("headers").withAll(rendered.membersOfItem())));
    }

    private FullMessage withBodies(View view, FullMessage light) {
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

    private WeighedPage.Rows<Numbered> bodies(View view, List<Item> items, int from) {
        List<Key> keys =
                items.subList(from, items.size()).stream().map(Item::message).toList();
        return database.read(tx -> {
            WeighedPage.Rows<NumberedRow> rows = rows(tx, view, keys);
            List<UUID> withFiles = rows.rows().stream()
                    .map(row -> row.light.full().message())
                    .filter(message -> message.attachments() > 0)
                    .map(message -> message.id())
                    .toList();
            Map<UUID, List<Attachment>> files = Attachments.ofMessages(tx, view, withFiles);
            return new WeighedPage.Rows<>(
                    rows.rows().stream()
                            .map(row -> new Numbered(
                                    from + row.place - 1, full(row.light.full(), files), row.light.heavy()))
                            .toList(),
                    rows.total());
        });
    }

    private static FullMessage full(MessageReads.Full read, Map<UUID, List<Attachment>> files) {
        List<Attachment> attachments = files.getOrDefault(read.message().id(), List.of());
        return new FullMessage(read.message(), read.content(), attachments, null, null, ShownClaim.NONE);
    }

    /** @param place among the keys, from 1 on */
    private record NumberedRow(int place, MessageReads.Light light) {}

    private static WeighedPage.Rows<NumberedRow> rows(Tx tx, View view, List<Key> keys) {
        return WeighedPage.Rows.of(tx.sql(view, BODIES)
                .bind("inboxes", keys.stream().map(Key::inbox).toArray(UUID[]::new))
                .bind("names", keys.stream().map(Key::name).toArray(String[]::new))
                .bind("room", ROOM)
                .list(row -> new WeighedPage.Counted<>(
                        new NumberedRow((int) row.longer("place"), MessageReads.light(row)), row.integer("found"))));
    }
}
