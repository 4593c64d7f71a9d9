package dev.inboxd.sending;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.ForwardingBlobs;
import dev.inboxd.server.World;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a message is made of may be deleted between the look at it and the reading of its files: no fault of the
 * service.
 */
class GoneMeanwhileHttpTest {
    private static final String TO = members("to", List.of("jo@elsewhere.test"));
    private static final AtomicReference<@Nullable Runnable> BEFORE = new AtomicReference<>();
    private static final AtomicReference<@Nullable Runnable> BEHIND = new AtomicReference<>();
    private static World world;

    @BeforeAll
    static void start() {
        world = World.storing(Disturbed::new);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @AfterEach
    void undisturbed() {
        BEFORE.set(null);
        BEHIND.set(null);
    }

    /** Something happens once, before or behind the opening of a blob. */
    private static final class Disturbed extends ForwardingBlobs {
        Disturbed(Blobs blobs) {
            super(blobs);
        }

        @Override
        public InputStream open(BlobKey key, long offset, long length) {
            once(BEFORE);
            InputStream opened = super.open(key, offset, length);
            once(BEHIND);
            return opened;
        }

        private static void once(AtomicReference<@Nullable Runnable> what) {
            Runnable now = what.getAndSet(null);
            if (now != null) {
                now.run();
            }
        }
    }

    @Test
    void aDraftWhoseBlobGoesIsNotFound() {
        String inbox = world.inbox("blob");
        String draft = draft(inbox, file("large.bin", 300_000));
        BEFORE.set(() -> world.http().delete(draft).is(200));
        assertThat(world.http().post(draft + "/send", "").is(404).text("message"))
                .isEqualTo("Draft not found");
        assertThat(BEFORE).hasNullValue();
        assertThat(messages(inbox)).isZero();
    }

    @Test
    void aDraftWhoseRowsGoIsNotFound() {
        String inbox = world.inbox("rows");
        String draft = draft(inbox, file("large.bin", 300_000) + "," + file("small.bin", 10));
        BEHIND.set(() -> world.http().delete(draft).is(200));
        assertThat(world.http().post(draft + "/send", "").is(404).text("message"))
                .isEqualTo("Draft not found");
        assertThat(messages(inbox)).isZero();
    }

    @Test
    void ofTwoWhoSendADraftOneSendsIt() {
        String inbox = world.inbox("two");
        String draft = draft(inbox, file("large.bin", 300_000));
        BEFORE.set(() -> world.http()
                .post(draft + "/send", json("add_labels", List.of("first")))
                .is(200));
        assertThat(world.http().post(draft + "/send", "").is(404).text("message"))
                .isEqualTo("Draft not found");
        assertThat(messages(inbox)).isOne();
    }

    @Test
    void aDraftThatLosesAFileIsSentWithoutIt() {
        String inbox = world.inbox("less");
        String draft = draft(inbox, file("large.bin", 300_000));
        String file = world.http().get(draft).is(200).text("attachments.0.attachment_id");
        BEFORE.set(() -> world.http()
                .patch(draft, json("remove_attachments", List.of(file)))
                .is(200));
        String sent = world.http().post(draft + "/send", "").is(200).text("message_id");
        assertThat(world.http().get(message(inbox, sent)).is(200).text()).doesNotContain("large.bin");
    }

    @Test
    void aMessageThatGoesIsNotForwarded() {
        String inbox = world.inbox("forward");
        String sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {%s,"attachments":[%s]}""".formatted(TO, file("large.bin", 600_000)))
                .is(200)
                .text("message_id");
        String message = message(inbox, sent);
        BEFORE.set(() -> world.http().delete(message).is(200));
        assertThat(world.http()
                        .post(message + "/forward", "{" + TO + "}")
                        .is(404)
                        .text("message"))
                .isEqualTo("Message not found");
        assertThat(messages(inbox)).isZero();
    }

    @Test
    void whatWasCapturedIsListedThoughItsMessageGoes() {
        String inbox = world.inbox("captured");
        String sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {%s,"attachments":[%s]}""".formatted(TO, file("large.bin", 600_000)))
                .is(200)
                .text("message_id");
        await(() -> world.anonymous().get("/sandbox/messages").is(200).text().contains(sent.substring(1, 20)));
        BEFORE.set(() -> world.http().delete(message(inbox, sent)).is(200));
        assertThat(world.anonymous().get("/sandbox/messages").is(200).text()).contains(inbox);
        assertThat(BEFORE).hasNullValue();
        world.http().get(message(inbox, sent)).is(404);
    }

    private static String draft(String inbox, String files) {
        String drafts = "/v0/inboxes/" + inbox + "/drafts";
        return drafts + "/"
                + world.http().post(drafts, """
                {%s,"attachments":[%s]}""".formatted(TO, files)).is(200).text("draft_id");
    }

    private static String message(String inbox, String name) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private static int messages(String inbox) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages")
                .is(200)
                .list("messages")
                .size();
    }

    private static String file(String name, int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return json("filename", name, "content", Base64.getEncoder().encodeToString(bytes));
    }
}
