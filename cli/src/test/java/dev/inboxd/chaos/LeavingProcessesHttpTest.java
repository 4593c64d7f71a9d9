package dev.inboxd.chaos;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes of the service on one PostgreSQL, each with a relay of its own, when one of them ends amid a message.
 */
class LeavingProcessesHttpTest {

    @TempDir
    private Path folder;

    private final FakeMx firstRelay = new FakeMx();
    private final FakeMx secondRelay = new FakeMx();
    private final CountDownLatch held = new CountDownLatch(1);
    private Service first;
    private Service second;
    private String inbox;
    private HttpProbe http;

    @BeforeEach
    void start() {
        NodeCluster cluster = new NodeCluster(folder, TestPostgres.setting(TestPostgres.database()));
        first = cluster.start("first", relaying(firstRelay));
        second = cluster.start("second", relaying(secondRelay));
        http = HttpProbe.of(first.httpPort(), first.key());
        inbox = http.post("/v0/inboxes", json("username", "leaving")).is(200).text("inbox_id");
        firstRelay.at(At.CONTENT, FakeMx.hold(held, "250 2.0.0 taken"));
        secondRelay.at(At.CONTENT, FakeMx.hold(held, "250 2.0.0 taken"));
    }

    private static Map<String, String> relaying(FakeMx relay) {
        return Map.of("INBOXD_RELAY", "smtp://127.0.0.1:" + relay.port());
    }

    @AfterEach
    void stop() {
        held.countDown();
        for (Service each : Stream.of(first, second).filter(Objects::nonNull).toList()) {
            if (each.isAlive()) {
                each.terminate(Duration.ofSeconds(60));
            }
        }
        firstRelay.close();
        secondRelay.close();
    }

    /** Nobody can know whether the relay has the message: it goes again, as the same one. */
    @Test
    @Tag("long")
    @Proves("P2a")
    void whatAKilledProcessHadUnderWayIsSentByTheOther() throws Exception {
        String name = send();
        boolean byFirst = takenByTheFirst();
        (byFirst ? secondRelay : firstRelay).usual(At.CONTENT);
        (byFirst ? first : second).kill();
        assertThat((byFirst ? secondRelay : firstRelay).nextMail().content()).contains("Message-ID: " + name);
    }

    @Test
    @Tag("long")
    @Proves("P16")
    void whatAProcessThatIsToldToStopHasUnderWayComesToItsEndAndIsSentOnce() throws Exception {
        String name = send();
        boolean byFirst = takenByTheFirst();
        Service leaves = byFirst ? first : second;
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> leaves.terminate(Duration.ofSeconds(60)));
        await(() -> !leaves.isListening());
        held.countDown();
        assertThat((byFirst ? firstRelay : secondRelay).nextMail().content()).contains("Message-ID: " + name);
        assertThat(exit.get()).isZero();
        HttpProbe stays = HttpProbe.of((byFirst ? second : first).httpPort(), first.key());
        await(() -> stays.get("/v0/inboxes/" + inbox + "/messages?labels=delivered")
                        .is(200)
                        .list("messages")
                        .size()
                == 1);
        assertThat((byFirst ? secondRelay : firstRelay).commands()).doesNotContain("DATA");
    }

    private String send() {
        return http.post("/v0/inboxes/" + inbox + "/messages/send", json("to", "ann@elsewhere.test", "text", "Hi"))
                .is(200)
                .text("message_id");
    }

    private boolean takenByTheFirst() {
        await(() ->
                firstRelay.commands().contains("DATA") || secondRelay.commands().contains("DATA"));
        return firstRelay.commands().contains("DATA");
    }
}
