package dev.inboxd.chaos;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while it sends invitations, and the one that goes on (ruling 77). */
class InvitationProcessesHttpTest {
    private static final int GUESTS = 30;
    private static final Pattern MESSAGE_ID = Pattern.compile("(?m)^Message-ID: (\\S+)");

    @TempDir
    private Path folder;

    private final FakeMx relay = new FakeMx();
    private final List<FakeMx.Received> mails = new ArrayList<>();
    private NodeCluster cluster;
    private Service service;
    private String key;

    @BeforeEach
    void start() {
        cluster = new NodeCluster(folder, TestPostgres.setting(TestPostgres.database()));
        service = node();
        key = service.key();
    }

    private Service node() {
        return cluster.start("node", Map.of("INBOXD_RELAY", "smtp://127.0.0.1:" + relay.port()));
    }

    @AfterEach
    void stop() {
        if (service.isAlive()) {
            service.terminate(Duration.ofSeconds(60));
        }
        relay.close();
    }

    private HttpProbe http() {
        return HttpProbe.of(service.httpPort(), key);
    }

    @Test
    @Tag("long")
    void everyGuestGetsOneInvitationWhereverTheProcessIsKilled() {
        String inbox =
                http().post("/v0/inboxes", json("username", "host")).is(200).text("inbox_id");
        for (int round = 0; round < 3; round++) {
            String name = "r" + round;
            String guests = IntStream.range(0, GUESTS)
                    .mapToObj(number -> json("email", name + "g" + number + "@elsewhere.test"))
                    .collect(Collectors.joining(","));
            http().post("/v0/inboxes/" + inbox + "/calendar/events", """
                    {"title":"%s","start":"2099-01-15T14:00:00","end":"2099-01-15T15:00:00","send_invites":true,
                    "attendees":[%s]}""".formatted(name, guests))
                    .is(201);
            int more = took() + round * 7; // at once, amid the mails, and later
            await(() -> took() >= more);
            service.kill();
            service = node();
        }
        // What the killed process had claimed is claimed again when its time is over.
        Eventually.value(Duration.ofMinutes(2), this::reached, reached -> reached.size() >= 3 * GUESTS);
        assertThat(reached()).hasSize(3 * GUESTS);
        assertThat(reached().values())
                .as("the same mail, if it went twice")
                .allSatisfy(ids -> assertThat(ids.stream().distinct()).hasSize(1));
        for (int round = 0; round < 3; round++) {
            assertThat(sent(inbox, "r" + round))
                    .as("kept among the sent")
                    .hasSize(GUESTS)
                    .doesNotHaveDuplicates();
        }
    }

    private int took() {
        relay.mails().drainTo(mails);
        return mails.size();
    }

    /** The Message-IDs that each guest got. */
    private Map<String, List<String>> reached() {
        took();
        Map<String, List<String>> reached = new HashMap<>();
        for (FakeMx.Received mail : mails) {
            Matcher id = MESSAGE_ID.matcher(mail.content());
            assertThat(id.find()).isTrue();
            reached.computeIfAbsent(mail.recipients().getFirst(), _ -> new ArrayList<>())
                    .add(id.group(1));
        }
        return reached;
    }

    private List<String> sent(String inbox, String title) {
        List<String> found = new ArrayList<>();
        http().get("/v0/inboxes/" + inbox + "/messages?labels=sent&limit=100")
                .is(200)
                .list("messages")
                .forEach(item -> {
                    Map<?, ?> message = (Map<?, ?>) item;
                    if (("Invitation: " + title).equals(message.get("subject"))) {
                        found.add(String.valueOf(message.get("to")));
                    }
                });
        return found;
    }
}
