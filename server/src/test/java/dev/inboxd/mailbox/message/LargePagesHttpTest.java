package dev.inboxd.mailbox.message;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.RawHttp2;
import dev.inboxd.base.memory.HeapShare;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages of many or large messages, in a heap that is small. */
class LargePagesHttpTest {
    private static final int MEGABYTE = 1 << 20;

    @RegisterExtension
    private static final World world = World.start();

    @Test
    @Tag("long")
    @Proves("P15")
    void aListOfLargeMessagesReadsNothingOfTheirBodies() {
        String inbox = world.inbox("large");
        String text = text(MEGABYTE);
        for (int i = 0; i < 6; i++) {
            assertThat(receive(inbox, i, "", text)).startsWith("250");
            world.http()
                    .post(
                            "/v0/inboxes/" + inbox + "/messages/send",
                            json("to", "jo@elsewhere.test", "text", text.replace("\r\n", "\n")))
                    .is(200);
        }
        String list = "/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&limit=500";
        assertThat(world.http().get(list).is(200).list("messages")).hasSize(12);
        List<String> names = names(world.http().get(list));
        indexed();
        assertThat(allocated(() -> world.http().get(list).is(200))).isLessThan(8 * MEGABYTE);
        assertThat(allocated(() -> world.http()
                        .get("/v0/inboxes/" + inbox + "/threads?include_unauthenticated=true&limit=500")
                        .is(200)))
                .isLessThan(8 * MEGABYTE);
        assertThat(allocated(() -> world.http()
                        .post("/v0/inboxes/" + inbox + "/messages/batch-get", """
                {"message_ids":[%s]}""".formatted(String.join(
                                ",",
                                names.stream().map(name -> '"' + name + '"').toList())))
                        .is(200)))
                .isLessThan(8 * MEGABYTE);
        String path = "/v0/inboxes/" + inbox + "/messages/";
        names.forEach(name -> assertThat(world.http()
                        .get(path + name.replace("<", "").replace(">", ""))
                        .is(200)
                        .text("text")
                        .length())
                .isGreaterThan(1_000_000));
    }

    @Test
    @Tag("long")
    @Proves("P15")
    void aPageOfLargeMarkdownEndsEarlyAndTheWalkHasEachMessageOnce() {
        String inbox = world.inbox("markdown");
        String text = text(MEGABYTE);
        for (int i = 0; i < 8; i++) {
            assertThat(receive(inbox, i, "", text)).startsWith("250");
        }
        String messages = "/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&format=markdown&max_chars=";
        assertThat(world.http().get(messages + "400").is(200).list("messages")).hasSize(8);
        List<String> walked = new ArrayList<>();
        String next = "";
        while (next != null) {
            HttpProbe.Answer page = world.http()
                    .get(messages + "1000000" + (next.isEmpty() ? "" : "&page_token=" + next))
                    .is(200);
            assertThat(page.list("messages")).hasSizeBetween(1, 3);
            walked.addAll(names(page));
            next = page.at("next_page_token") == null ? null : page.text("next_page_token");
        }
        assertThat(walked).hasSize(8).doesNotHaveDuplicates();
    }

    /** Answers that nobody takes keep their memory; the next one of long texts waits for it, a short one does not. */
    @Test
    @Tag("long")
    @Proves("P15")
    void aMessageWithLongTextsIsReadWhenThereIsRoomForItsAnswer() throws IOException {
        String inbox = world.inbox("whole");
        assertThat(receive(inbox, 1, "", text(MEGABYTE))).startsWith("250");
        assertThat(receive(inbox, 2, "", "Short.\r\n")).startsWith("250");
        String path = "/v0/inboxes/" + inbox + "/messages/";
        int free = MEGABYTE / 4;
        int answer = world.http().get(path + "1@large.test").is(200).text().length();
        long room = Math.max(HeapShare.ANSWERS.octets(), 6 * MEGABYTE);
        long needed = Math.min(12 * MEGABYTE - free, room);
        int held = (int) ((room - needed) / (answer - free)) + 1;
        String[] key = {"authorization", "Bearer " + world.key()};
        try (RawHttp2 client = new RawHttp2(world.httpPort())) {
            client.window(0);
            int stream = 1;
            for (; stream < 2 * held; stream += 2) {
                client.get(stream, path + "1@large.test", key);
                assertThat(client.begun()).isEqualTo(stream);
            }
            int waiting = stream;
            client.get(waiting, path + "1@large.test", key);
            for (int i = 0; i < 30; i++) {
                stream += 2;
                client.get(stream, path + "2@large.test", key);
                assertThat(client.begun()).isEqualTo(stream);
            }
            client.open(0, Integer.MAX_VALUE - (1 << 16));
            for (int each = 1; each < waiting; each += 2) {
                client.open(each, answer);
            }
            assertThat(client.begun()).isEqualTo(waiting);
        }
    }

    /** By all threads of this Java, the least of several times: now and then the service has something else to do. */
    private static long allocated(Runnable request) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return IntStream.range(0, 5)
                .mapToLong(_ -> {
                    long before = threads.getTotalThreadAllocatedBytes();
                    request.run();
                    return threads.getTotalThreadAllocatedBytes() - before;
                })
                .min()
                .orElseThrow();
    }

    /** The index reads the bodies too, once. */
    private static void indexed() {
        Eventually.value(Duration.ofMinutes(1), LargePagesHttpTest::unread, left -> left == 0);
    }

    private static int unread() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from message m where not exists (select 1"
                                + " from search_text x where x.organization_id = m.organization_id"
                                + " and x.message_id = m.message_id)")
                        .single(row -> row.integer("n")));
    }

    @Test
    @Tag("long")
    @Proves("P15")
    void aPageOfLongHeadersEndsEarlyAndTheWalkHasEachMessageOnce() {
        String inbox = world.inbox("headers");
        String header = "X-Long: " + text(50_000).replace("\r\n", "\r\n ").strip() + "\r\n";
        for (int i = 0; i < 120; i++) {
            assertThat(receive(inbox, i, header, "-\r\n")).startsWith("250");
        }
        for (String direction : List.of("false", "true")) {
            String list =
                    "/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&limit=500&ascending=" + direction;
            HttpProbe.Answer first = world.http().get(list).is(200);
            assertThat(first.list("messages")).hasSizeBetween(50, 100);
            List<String> walked = new ArrayList<>(names(first));
            while (first.at("next_page_token") != null) {
                first = world.http()
                        .get(list + "&page_token=" + first.text("next_page_token"))
                        .is(200);
                walked.addAll(names(first));
            }
            assertThat(walked).hasSize(120).doesNotHaveDuplicates();
        }
        Set<String> all = new HashSet<>(names(world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&limit=20")
                .is(200)));
        assertThat(all).hasSizeBetween(3, 5);
    }

    private static List<String> names(HttpProbe.Answer page) {
        return page.list("messages").stream()
                .map(each -> String.valueOf(((Map<?, ?>) each).get("message_id")))
                .toList();
    }

    private static String receive(String inbox, int number, String header, String text) {
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            return probe.send(
                    "jo@example.com",
                    List.of(inbox),
                    header + "From: jo@example.com\r\nMessage-ID: <" + number + "@large.test>\r\nSubject: " + number
                            + "\r\n\r\n" + text);
        }
    }

    /** Words that hardly deflate, in lines. */
    private static String text(int length) {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            IntStream.range(0, 6)
                    .forEach(_ -> text.append(Long.toString(random.nextLong(1L << 50), 36))
                            .append(' '));
            text.append("\r\n");
        }
        return text.toString();
    }
}
