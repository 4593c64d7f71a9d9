package dev.inboxd.mailbox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.StatementRecorder;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Search where most of what the index names is not for the caller. */
class HiddenSearchHttpTest {
    private static final int HIDDEN = TestSize.of(400, 1_500);
    private static StatementRecorder recorder;
    private static World world;
    private static String inbox;

    @BeforeAll
    static void start() {
        recorder = StatementRecorder.start();
        world = World.start(Map.of(), recorder::before);
        inbox = world.inbox("mostly");
        for (int i = 0; i < 3; i++) {
            world.http()
                    .post("/v0/inboxes/" + inbox + "/messages/send", """
                    {"to":"jo@elsewhere.test","subject":"shown %s",
                    "text":"A curlew and a godwit."}""".formatted(i))
                    .is(200);
        }
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            for (int i = 0; i < HIDDEN; i++) {
                assertThat(probe.send(
                                "jo@example.com",
                                List.of(inbox),
                                "From: jo@example.com\r\nMessage-ID: <" + i
                                        + "@hidden.test>\r\nSubject: hidden\r\n\r\nA godwit, a curlew.\r\n"))
                        .startsWith("250");
            }
        }
        Eventually.value(Duration.ofMinutes(1), () -> IndexLag.behind(world), behind -> behind == 0);
    }

    @AfterAll
    static void stop() {
        world.close();
        recorder.close();
    }

    @Test
    @Proves("A40")
    void whatIsShownIsFoundBehindAnyNumberOfHiddenMessages() {
        for (String query : List.of("curlew", "curlew%20godwit", "cu", "shown")) {
            assertThat(search(query).list("messages").stream().<Object>map(each -> ((Map<?, ?>) each).get("subject")))
                    .as(query)
                    .containsExactly("shown 2", "shown 1", "shown 0");
        }
        assertThat(search("hidden").list("messages")).isEmpty();
    }

    @Test
    @Proves("A40")
    void hiddenMessagesAreLeftOutManyAtATimeAndTheirTextsAreNotRead() {
        for (String query : List.of("curlew", "curlew%20godwit")) {
            List<String> texts = recorder.during(() -> search(query));
            assertThat(texts.stream().filter(text -> text.contains("from message m")))
                    .as(query)
                    .hasSizeLessThan(8);
            assertThat(texts.stream().filter(text -> text.contains("from search_text x")))
                    .as(query)
                    .hasSizeLessThan(4);
        }
    }

    private static HttpProbe.Answer search(String query) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/search?q=" + query)
                .is(200);
    }
}
