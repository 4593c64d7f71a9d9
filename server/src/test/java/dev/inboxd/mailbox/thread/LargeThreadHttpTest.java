package dev.inboxd.mailbox.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a thread says of the people and labels of its messages has a bound, whoever wrote them. */
class LargeThreadHttpTest {
    private static final int MOST_OCTETS = 128 << 10;
    private static final int PEOPLE = 150;

    @RegisterExtension
    private static final World world = World.start();

    private static String id(int number) {
        return "<large-" + number + "@x.test>";
    }

    private static Stream<String> people(int mail) {
        return IntStream.range(0, PEOPLE)
                .mapToObj(i -> "p" + i + "-" + mail + "e".repeat(400) + " <p" + i + "." + mail + "@x.test>");
    }

    private static void receive(String inbox, int number, Stream<String> people) {
        String cc = people.map(person -> "\"" + person.replace(" <", "\" <")).collect(Collectors.joining(",\n "));
        assertThat(world.mail("jo@example.com", inbox, """
                        From: Jo <jo@example.com>
                        To: %s
                        %sSubject: Large
                        Message-ID: %s
                        References: <large-0@x.test>

                        Hello.
                        """.formatted(
                                inbox, cc.isEmpty() ? "" : "Cc: " + cc + "\n", id(number))))
                .startsWith("250");
    }

    private static Answer thread(String inbox, String thread) {
        return world.http().get("/v0/inboxes/" + inbox + "/threads/" + thread).is(200);
    }

    private static void assertBounded(Answer thread, Set<String> known) {
        List<String> recipients =
                thread.list("recipients").stream().map(String::valueOf).toList();
        int octets = recipients.stream()
                .mapToInt(each -> each.getBytes(StandardCharsets.UTF_8).length)
                .sum();
        assertThat(octets).isBetween(MOST_OCTETS - 1_000, MOST_OCTETS);
        assertThat(recipients).doesNotHaveDuplicates();
        assertThat(known).containsAll(recipients);
    }

    @Test
    @Proves("P15")
    void theAddressesOfAThreadHaveABoundInOctetsAndEachIsWhole() {
        String inbox = world.inbox("people");
        Set<String> known = new HashSet<>(Set.of(inbox));
        for (int i = 0; i < 4; i++) {
            receive(inbox, i, people(i));
            people(i).forEach(known::add);
        }
        String messages = "/v0/inboxes/" + inbox + "/messages/";
        Answer last = world.http().get(messages + encoded(3)).is(200);
        known.addAll(last.list("cc").stream().map(String::valueOf).toList());
        String thread = last.text("thread_id");
        assertBounded(thread(inbox, thread), known);
        // A deletion counts all of it anew.
        world.http().delete(messages + encoded(1)).is(200);
        assertBounded(thread(inbox, thread), known);
    }

    @Test
    @Proves("P15")
    void theLabelsOfAThreadHaveABoundThatLeavesOutNoneOfTheService() {
        String inbox = world.inbox("labels");
        String messages = "/v0/inboxes/" + inbox + "/messages/";
        for (int i = 0; i < 14; i++) {
            receive(inbox, i, Stream.of());
            int mail = i;
            String labels = IntStream.range(0, 90)
                    .mapToObj(label -> "\"label-" + mail + "-" + label + "\"")
                    .collect(Collectors.joining(","));
            world.http().patch(messages + encoded(i), """
                    {"add_labels":[%s]}""".formatted(labels)).is(200);
        }
        String thread = world.http().get(messages + encoded(0)).is(200).text("thread_id");
        assertLabels(thread(inbox, thread));
        world.http().delete(messages + encoded(0)).is(200);
        assertLabels(thread(inbox, thread));
    }

    private static void assertLabels(Answer thread) {
        List<String> labels = Objects.requireNonNull(thread.list("labels")).stream()
                .map(String::valueOf)
                .toList();
        assertThat(labels).hasSize(1_000).doesNotHaveDuplicates().contains("received", "unread");
    }

    private static String encoded(int number) {
        return id(number).replace("<", "%3C").replace(">", "%3E").replace("@", "%40");
    }
}
