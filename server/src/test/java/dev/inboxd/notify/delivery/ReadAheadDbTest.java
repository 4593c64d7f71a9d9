package dev.inboxd.notify.delivery;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A backlog is read together, and each delivery of it is what it would be alone (decision 0042). */
class ReadAheadDbTest {
    private static final int MAILS = 30;

    private World world;
    private FakeEndpoint endpoint;
    private String inbox;
    private TestWebhook hook;
    /** What was told at once, from memory, by the mail's number. */
    private final Map<String, String> told = new HashMap<>();

    @BeforeEach
    void start() {
        world = World.start();
        endpoint = FakeEndpoint.start();
        inbox = world.inbox("ahead");
        hook = TestWebhook.of(world, endpoint, inbox);
    }

    @AfterEach
    void stop() throws IOException {
        world.close();
        endpoint.close();
    }

    /** Mail that was delivered at once, so that as many attempts as can be are dared now. */
    private void mailed(int number, String more, String body) {
        assertThat(world.mail("jo@example.com", inbox, TestMail.of("<m" + number + "@x.test>", more, body)))
                .startsWith("250");
        FakeEndpoint.Received post = endpoint.take();
        told.put(TestWebhook.field(post, "svix-id"), post.text());
    }

    private void mails() {
        for (int i = 0; i < MAILS; i++) {
            mailed(i, "", "Hello " + i + ".\n");
        }
        hook.settled();
    }

    /** All of them again, from the rows, due at one moment. */
    private void again(String payload) {
        world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(View.of(world.organization()), """
                insert into delivery (organization_id, seq, webhook_id, due_at, message_id, created_at, payload)
                select e.organization_id, e.seq, :webhook, {now}, e.message_id, e.at, ? from event e
                where {e} and e.type like 'message.received%'""".replace("?", payload))
                                .bind("webhook", hook.id())
                                .run());
    }

    private Map<String, String> repeated(int many) {
        Map<String, String> repeated = new HashMap<>();
        for (int i = 0; i < many; i++) {
            FakeEndpoint.Received post = endpoint.take();
            assertThat(repeated.put(TestWebhook.field(post, "svix-id"), post.text()))
                    .isNull();
        }
        return repeated;
    }

    private int changed(String sql) {
        return world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(View.of(world.organization()), sql).run());
    }

    @Test
    @Tag("long")
    @Proves("P8a")
    void whatIsReadTogetherIsWhatWasToldFromMemory() {
        for (int i = 0; i < MAILS; i++) {
            switch (i % 5) {
                case 0 -> mailed(i, "", "Opens.\n");
                case 1 -> mailed(i, "In-Reply-To: <m" + (i - 1) + "@x.test>\n", "Joins.\n");
                case 2 ->
                    mailed(
                            i,
                            "In-Reply-To: <m" + (i - 1) + "@x.test>\nMIME-Version: 1.0\n"
                                    + "Content-Type: multipart/mixed; boundary=b\n",
                            "--b\nContent-Type: text/html\n\n<p>Hi</p>\n--b\n"
                                    + "Content-Disposition: attachment; filename=f" + i + "\n\nfile\n--b--\n");
                case 3 -> mailed(i, "In-Reply-To: <m" + (i - 1) + "@x.test>\n", "After the file.\n");
                // Six of these are more than is read together.
                default -> mailed(i, "", ("z".repeat(63) + "\n").repeat(2_000));
            }
        }
        hook.settled();
        world.http()
                .patch("/v0/inboxes/" + inbox + "/messages/" + path(3), json("add_labels", List.of("later")))
                .is(200);
        again("null");
        assertThat(repeated(MAILS)).isEqualTo(told);
        hook.settled();
    }

    /** docs/decisions/0029-the-same-bytes.md: whatever a failed attempt stored goes before what would be read now. */
    @Test
    @Tag("long")
    @Proves("P8a")
    void whatAFailedAttemptStoredIsPostedAmongOthers() {
        mails();
        again("case when row_number() over (order by e.seq) % 2 = 0 then convert_to('stored ' || e.seq, 'UTF8') end");
        Map<String, String> posted = repeated(MAILS);
        assertThat(posted.values().stream().filter(text -> text.matches("stored \\d+")))
                .hasSize(MAILS / 2);
        posted.values().removeIf(text -> text.startsWith("stored "));
        assertThat(told).containsAllEntriesOf(posted);
        hook.settled();
    }

    /** It may be posted for a second after it was read; not later, however long the endpoint lets it wait. */
    @Test
    @Tag("long")
    @Proves("P8a")
    void whatIsDeletedAfterItWasReadIsNotTold() {
        mails();
        CountDownLatch opened = new CountDownLatch(1);
        endpoint.always(FakeEndpoint.after(opened, FakeEndpoint.status(200)));
        again("null");
        Set<String> posted = new HashSet<>();
        for (int i = 0; i < EndpointQueue.WIDEST; i++) {
            posted.add(endpoint.take().text());
        }
        Set<String> deleted = new HashSet<>();
        for (int i = 0; i < MAILS; i += 2) {
            String name = "<m" + i + "@x.test>";
            if (posted.stream().noneMatch(text -> text.contains(name))) {
                world.http()
                        .delete("/v0/inboxes/" + inbox + "/messages/" + path(i))
                        .is(200);
                deleted.add(name);
            }
        }
        world.advance(WebhookDelivery.HELD.plusSeconds(1));
        opened.countDown();
        for (int i = posted.size(); i < MAILS - deleted.size(); i++) {
            posted.add(endpoint.take().text());
        }
        hook.settled();
        assertThat(endpoint.received()).isEmpty();
        assertThat(posted)
                .hasSize(MAILS - deleted.size())
                .noneMatch(text -> deleted.stream().anyMatch(text::contains));
    }

    /** Nobody had to read what is told at once; and what waits in memory is looked at after a second like any other. */
    @Test
    @Tag("long")
    @Proves("P19")
    void whatIsDeletedWhileItWaitsInMemoryIsNotTold() {
        CountDownLatch opened = new CountDownLatch(1);
        endpoint.always(FakeEndpoint.after(opened, FakeEndpoint.status(200)));
        world.mail("jo@example.com", inbox, TestMail.of("<m0@x.test>", "Under way.\n"));
        String posted = endpoint.take().text();
        for (int i = 1; i <= MAILS; i++) {
            world.mail("jo@example.com", inbox, TestMail.of("<m" + i + "@x.test>", "Waits.\n"));
        }
        for (int i = 1; i <= MAILS; i += 2) {
            world.http().delete("/v0/inboxes/" + inbox + "/messages/" + path(i)).is(200);
        }
        world.advance(WebhookDelivery.HELD.plusSeconds(1));
        opened.countDown();
        Set<String> texts = new HashSet<>(Set.of(posted));
        for (int i = 2; i <= MAILS; i += 2) {
            texts.add(endpoint.take().text());
        }
        hook.settled();
        assertThat(endpoint.received()).isEmpty();
        for (int i = 0; i <= MAILS; i++) {
            String name = "<m" + i + "@x.test>";
            assertThat(texts.stream().filter(text -> text.contains(name)))
                    .as(name)
                    .hasSize(1 - i % 2);
        }
    }

    @Test
    @Tag("long")
    @Proves("P19")
    void ofADeletedMessageNoFileIsNamedInWhatWaitsInMemory() {
        CountDownLatch opened = new CountDownLatch(1);
        mailed(
                1,
                "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n",
                "--b\n" + "Content-Disposition: attachment; filename=secret.txt\n\nfile\n--b--\n");
        hook.settled();
        endpoint.always(FakeEndpoint.after(opened, FakeEndpoint.status(200)));
        world.mail("jo@example.com", inbox, TestMail.of("<m2@x.test>", "Under way.\n"));
        endpoint.take();
        for (int i = 3; i < 3 + EndpointQueue.WIDEST; i++) {
            world.mail(
                    "jo@example.com",
                    inbox,
                    TestMail.of("<m" + i + "@x.test>", "In-Reply-To: <m1@x.test>\n", "Joins.\n"));
        }
        assertThat(endpoint.take().text())
                .as("after one success two are under way")
                .contains("secret.txt");
        world.http().delete("/v0/inboxes/" + inbox + "/messages/" + path(1)).is(200);
        world.advance(WebhookDelivery.HELD.plusSeconds(1));
        opened.countDown();
        for (int i = 1; i < EndpointQueue.WIDEST; i++) {
            assertThat(endpoint.take().text()).contains("<m1@x.test>").doesNotContain("secret.txt");
        }
        hook.settled();
    }

    @Test
    @Proves("P8a")
    void whatIsReadForADeletedWebhookIsNotTold() {
        mails();
        CountDownLatch opened = new CountDownLatch(1);
        endpoint.always(FakeEndpoint.after(opened, FakeEndpoint.status(200)));
        again("null");
        for (int i = 0; i < EndpointQueue.WIDEST; i++) {
            endpoint.take();
        }
        world.http().delete("/v0/webhooks/" + hook.id()).is(200);
        opened.countDown();
        hook.settled();
        assertThat(endpoint.received()).isEmpty();
    }

    /** One that cannot be rendered, and one that cannot even be read with others. */
    @Test
    @Tag("long")
    @Proves("P8a")
    void oneThatCannotBeReadKeepsNoneOfTheOthers() {
        mails();
        assertThat(changed("update message_content c set shown = '\\x00' from message m"
                        + " where {m} and m.name = '<m7@x.test>' and c.organization_id = m.organization_id"
                        + " and c.message_id = m.message_id"))
                .isOne();
        again("null");
        assertThat(repeated(MAILS - 1)).isEqualTo(without("<m7@x.test>"));
        Eventually.await(() -> hook.lines().size() == 1);
        changed("delete from delivery d where {d}");
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("alter table message_content alter sha256 drop not null")
                        .run());
        assertThat(changed("update message_content c set sha256 = null from message m"
                        + " where {m} and m.name = '<m7@x.test>' and c.organization_id = m.organization_id"
                        + " and c.message_id = m.message_id"))
                .isOne();
        again("null");
        assertThat(repeated(MAILS - 1)).isEqualTo(without("<m7@x.test>"));
        Eventually.await(() -> hook.lines().size() == 1);
    }

    private Map<String, String> without(String name) {
        Map<String, String> rest = new HashMap<>(told);
        rest.values().removeIf(text -> text.contains(name));
        assertThat(rest).hasSize(MAILS - 1);
        return rest;
    }

    private static String path(int number) {
        return URLEncoder.encode("<m" + number + "@x.test>", StandardCharsets.UTF_8);
    }
}
