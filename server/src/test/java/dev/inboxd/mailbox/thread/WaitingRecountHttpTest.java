package dev.inboxd.mailbox.thread;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.server.World;
import dev.inboxd.testing.TestSize;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** After anything that changes threads, who waits in them is what a plain count of their messages says. */
class WaitingRecountHttpTest {
    private static final List<String> LABELS =
            List.of("settled", "settled", "auto-reply", "trash", "spam", "unauthenticated", "own");
    private static final int STEPS = TestSize.of(50, 120);

    @RegisterExtension
    private static final World world = World.start();

    private final Random random = new Random(37);
    private final String inbox = world.inbox("recount");

    private record Line(UUID thread, String name, List<String> labels, boolean outgoing, Instant at) {
        boolean counts() {
            return RestrictedLabel.bits(labels) == 0 && !labels.contains("auto-reply") && !labels.contains("rejected");
        }
    }

    private record Side(
            @Nullable String direction, @Nullable Instant since) {}

    /** The rule in words, without a database: over the messages of a thread in their order. */
    private static Side plain(List<Line> messages) {
        Side side = new Side(null, null);
        for (Line each : messages) {
            if (!each.counts()) {
                continue;
            }
            if (each.outgoing) {
                side = new Side("sent", each.at);
            } else {
                Instant since = "received".equals(side.direction) ? side.since : null;
                side = new Side("received", since == null && !each.labels.contains("settled") ? each.at : since);
            }
        }
        return side;
    }

    private static Map<UUID, List<Line>> messages() {
        View all = View.of(world.organization());
        return world
                .database()
                .read(tx -> tx.sql(
                                all,
                                "select m.thread_id, m.name, m.labels, m.outgoing, m.created_at from message m"
                                        + " where {m} order by m.created_at")
                        .list(row -> new Line(
                                row.uuid("thread_id"),
                                row.text("name"),
                                row.texts("labels"),
                                row.flag("outgoing"),
                                row.instant("created_at"))))
                .stream()
                .collect(Collectors.groupingBy(Line::thread, TreeMap::new, Collectors.toList()));
    }

    @Test
    void afterAnyChangeWhoWaitsIsWhatAPlainCountSays() {
        Conversation.trust(world);
        for (int step = 0; step < STEPS; step++) {
            String done = change();
            Map<UUID, List<Line>> messages = messages();
            messages.forEach((thread, some) -> {
                HttpProbe.Answer shown =
                        world.http().get("/v0/threads/" + thread).is(200);
                Object since = shown.at("waiting_since");
                Side side = plain(some);
                assertThat(shown.at("last_direction")).as("%s: %s", done, some).isEqualTo(side.direction);
                assertThat(since)
                        .as("%s: %s", done, some)
                        .isEqualTo(side.since == null ? null : Timestamps.format(side.since));
            });
            if (step % 8 == 0) {
                lists(messages);
            }
        }
    }

    private void lists(Map<UUID, List<Line>> messages) {
        for (String side : List.of("me", "them")) {
            String direction = side.equals("me") ? "received" : "sent";
            Map<Instant, String> longest = new TreeMap<>();
            messages.forEach((thread, some) -> {
                Side plain = plain(some);
                if (plain.since != null && direction.equals(plain.direction)) {
                    longest.put(plain.since, thread.toString());
                }
            });
            for (String level : List.of("/v0/", "/v0/inboxes/" + inbox + "/")) {
                String list = level + "threads?limit=500&waiting=" + side;
                assertThat(Conversation.ids(world.http().get(list + "&order=waiting_since")))
                        .containsExactlyElementsOf(longest.values());
                assertThat(Conversation.ids(world.http().get(list + "&include_spam=true&include_trash=true")))
                        .containsExactlyInAnyOrderElementsOf(longest.values());
            }
        }
    }

    private String change() {
        List<Line> all = messages().values().stream().flatMap(List::stream).toList();
        int what = all.size() < 6 ? 0 : random.nextInt(10);
        Line one = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
        if (what < 3 || one == null) {
            return received(random.nextInt(4) == 0 ? null : one);
        }
        return switch (what) {
            case 3, 4 -> {
                world.http()
                        .post(message(one.name) + "/reply", json("text", "Yes"))
                        .is(200);
                yield "answer to " + one;
            }
            case 5 -> {
                world.http().delete(message(one.name)).is(200);
                yield "deletion of " + one;
            }
            case 6 -> {
                List<String> some = new ArrayList<>(all.stream()
                        .filter(_ -> random.nextInt(3) == 0)
                        .limit(50)
                        .map(Line::name)
                        .toList());
                some.add(one.name);
                String change = labels();
                world.http()
                        .post(
                                "/v0/inboxes/" + inbox + "/messages/batch-update",
                                json("message_ids", some.stream().distinct().toList())
                                                .replaceFirst("}$", "")
                                        + "," + change.substring(1))
                        .is(200);
                yield change + " of " + some;
            }
            case 7 -> {
                String change = labels();
                world.http().patch("/v0/threads/" + one.thread, change).is(200);
                yield change + " of the thread of " + one;
            }
            default -> {
                String change = labels();
                world.http().patch(message(one.name), change).is(200);
                yield change + " of " + one;
            }
        };
    }

    private String received(@Nullable Line parent) {
        String id = "<" + UUID.randomUUID() + "@elsewhere.test>";
        String author = random.nextInt(5) == 0 ? "jo@nowhere.test" : "kim@elsewhere.test";
        String machine = random.nextInt(5) == 0 ? "Auto-Submitted: auto-replied\n" : "";
        assertThat(world.mail(
                        author,
                        inbox,
                        "From: " + author + "\nTo: " + inbox + "\nSubject: Chair\nMessage-ID: " + id + "\n" + machine
                                + (parent == null ? "" : "In-Reply-To: " + parent.name + "\n") + "\nHello.\n"))
                .startsWith("250");
        return "mail of " + author + " " + machine + id + " to " + parent;
    }

    private String labels() {
        String label = LABELS.get(random.nextInt(LABELS.size()));
        boolean adds = !label.equals("unauthenticated") && random.nextInt(3) > 0;
        return json(adds ? "add_labels" : "remove_labels", label);
    }

    private String message(String name) {
        return "/v0/inboxes/" + inbox + "/messages/"
                + URLEncoder.encode(Objects.requireNonNull(name), StandardCharsets.UTF_8);
    }
}
