package dev.inboxd.screening;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.inbound.InboundParts;
import dev.inboxd.inbound.InboundStore;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.mail.screen.ScreenInput;
import dev.inboxd.mail.screen.ScreenVerdict;
import dev.inboxd.server.World;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.organization.SecurityMode;
import dev.inboxd.testing.Eventually;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A mail that breaks its judge is stored in time, and is looked at by somebody (ruling 82). */
class BrokenJudgeDbTest {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_MESSAGE_SECURITY", "hold"));

    private static Blobs blobs;

    @BeforeAll
    static void start() {
        blobs = Blobs.at(folder.resolve("blobs").toString());
    }

    @AfterAll
    static void stop() {
        blobs.close();
    }

    private static InboundStore store(MessageScreen screen) {
        return new InboundStore(InboundParts.of(world, blobs, screen));
    }

    private static String deliver(InboundStore store, String inbox, String body) throws Exception {
        String name = "<" + UUID.randomUUID() + "@x.test>";
        byte[] octets = ("From: Jo <jo@x.test>\r\nTo: " + inbox + "\r\nSubject: Hello\r\nMessage-ID: " + name + "\r\n"
                        + body)
                .getBytes(StandardCharsets.UTF_8);
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
        AddressDirectory.Resolution found = new AddressDirectory(world.database(), "mail.localhost", "")
                .resolve(inbox.substring(0, inbox.indexOf('@')), "mail.localhost");
        assertThat(found).isInstanceOf(AddressDirectory.Resolution.LocalInbox.class);
        AddressDirectory.Destination to = ((AddressDirectory.Resolution.LocalInbox) found).destination();
        RawMessage raw =
                new RawMessage("id-" + name, octets.length, digest, () -> new ByteArrayInputStream(octets), false);
        assertThat(store.deliverLocally("jo@mail.localhost", to, List.of(inbox), raw)
                        .code())
                .isEqualTo(250);
        return name;
    }

    private static HttpProbe.Answer shown(String inbox, String name) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + SecuredWorld.encoded(name))
                .is(200);
    }

    private static void checkFailed(String inbox, String name) {
        HttpProbe.Answer shown = shown(inbox, name);
        assertThat(shown.at("security.verdict")).isEqualTo("review");
        assertThat(shown.at("security.reasons")).isEqualTo(List.of("scan_failed"));
        assertThat(shown.list("labels")).asString().contains("held");
    }

    @Test
    void aJudgeThatThrowsOrNeedsMemory() throws Exception {
        String inbox = world.inbox("broken");
        List<Function<ScreenInput, ScreenVerdict>> judges = List.of(
                _ -> {
                    throw new IllegalStateException("xylophone");
                },
                _ -> {
                    throw new StackOverflowError();
                },
                _ -> new byte[2][Integer.MAX_VALUE].length == 2 ? ScreenVerdict.CLEAR : ScreenVerdict.FAILED);
        for (Function<ScreenInput, ScreenVerdict> judge : judges) {
            try (MessageScreen screen = MessageScreen.of(SecurityMode.HOLD, judge, PATIENCE)) {
                checkFailed(inbox, deliver(store(screen), inbox, "\r\nHello.\r\n"));
            }
        }
    }

    /** However many hang, each session gets its answer; when all places are taken, too, and those that end are free. */
    @Test
    void judgesThatHang() throws Exception {
        String inbox = world.inbox("hanging");
        CountDownLatch end = new CountDownLatch(1);
        Function<ScreenInput, ScreenVerdict> hanging = _ -> {
            boolean hangs = true;
            while (hangs) {
                try {
                    end.await();
                    hangs = false;
                } catch (InterruptedException deaf) {
                    // a loop in a judge does not hear either
                }
            }
            return ScreenVerdict.CLEAR;
        };
        try (MessageScreen screen = MessageScreen.of(SecurityMode.HOLD, hanging, PATIENCE)) {
            InboundStore store = store(screen);
            List<String> names = new CopyOnWriteArrayList<>();
            List<Thread> sessions = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                sessions.add(Thread.ofVirtual().start(() -> {
                    try {
                        names.add(deliver(store, inbox, "\r\nHello.\r\n"));
                    } catch (Exception failed) {
                        throw new IllegalStateException(failed);
                    }
                }));
            }
            for (Thread session : sessions) {
                session.join();
            }
            assertThat(names).hasSize(20).allSatisfy(name -> checkFailed(inbox, name));
            end.countDown();
            Eventually.await(() -> {
                try {
                    return "clear"
                            .equals(shown(inbox, deliver(store, inbox, "\r\nHello.\r\n"))
                                    .at("security.verdict"));
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            });
        }
    }

    @Test
    void whileScanningIsOffNobodyJudges() throws Exception {
        String key = world.otherOrganization();
        String inbox = world.as(key)
                .post("/v0/inboxes", json("username", "off"))
                .is(200)
                .text("inbox_id");
        AtomicInteger asked = new AtomicInteger();
        Function<ScreenInput, ScreenVerdict> judge = _ -> {
            asked.incrementAndGet();
            return ScreenVerdict.CLEAR;
        };
        try (MessageScreen screen = MessageScreen.of(SecurityMode.OFF, judge, PATIENCE)) {
            InboundStore store = store(screen);
            deliver(store, inbox, "\r\nHello.\r\n");
            assertThat(asked).hasValue(0);
            world.as(key)
                    .patch("/v0/organizations", json("message_security", "hold"))
                    .is(200);
            deliver(store, inbox, "\r\nHello.\r\n");
            deliver(store, inbox, "\r\nHello.\r\n");
            assertThat(asked).hasValue(2);
        }
    }

    /** What the judge is given: the beginnings of the texts, and of all parts that are text, 640 KiB together. */
    @Test
    void theJudgeReadsBoundedTexts() throws Exception {
        String inbox = world.inbox("texts");
        List<ScreenInput> read = new CopyOnWriteArrayList<>();
        Function<ScreenInput, ScreenVerdict> judge = input -> {
            read.add(input);
            return ScreenVerdict.CLEAR;
        };
        StringBuilder body =
                new StringBuilder("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n"
                        + "text ".repeat(100_000) + "\r\n");
        for (int i = 0; i < 500; i++) {
            body.append("--b\r\nContent-Type: text/csv; name=f")
                    .append(i)
                    .append(".csv\r\nContent-Disposition: attachment\r\n\r\n")
                    .append(i < 3 ? "row ".repeat(30_000) : "row")
                    .append("\r\n");
        }
        body.append("--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b--\r\n");
        try (MessageScreen screen = MessageScreen.of(SecurityMode.HOLD, judge, Duration.ofSeconds(20))) {
            deliver(store(screen), inbox, body.toString());
        }
        ScreenInput input = read.getFirst();
        assertThat(input.subject()).isEqualTo("Hello");
        assertThat(input.fromName()).isEqualTo("Jo");
        assertThat(input.text()).hasSize(256 * 1024);
        assertThat(input.attachments()).hasSize(501);
        assertThat(input.attachments().getFirst().name()).isEqualTo("f0.csv");
        assertThat(input.attachments().getFirst().text()).hasSize(64 * 1024);
        assertThat(input.attachments().get(500).text()).isEqualTo("x");
        assertThat(input.attachments().stream()
                        .mapToInt(each -> each.text().length())
                        .sum())
                .isLessThanOrEqualTo(640 * 1024);
    }
}
