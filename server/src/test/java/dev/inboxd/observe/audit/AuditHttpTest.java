package dev.inboxd.observe.audit;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.server.World;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The audit log, and the requests of keys (approvals.md §6, §7). */
class AuditHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static final UUID NOBODY = new UUID(0, 0);

    @Test
    void aChangeIsKeptWithWhoWhatAndFromWhere() {
        HttpProbe human = world.as(world.session());
        Answer key = human.post("/v0/api-keys", json("name", "robot", "permissions", object("message_read", true)))
                .is(200);
        human.patch("/v0/api-keys/" + key.text("api_key_id"), json("name", "secret name"))
                .is(200);
        world.http()
                .patch("/v0/api-keys/" + key.text("api_key_id"), json("oops", 1))
                .is(400);
        Answer log = human.get("/v0/audit-log?limit=2").is(200);
        assertThat(log.text("entries.0.action")).isEqualTo("api_key.updated");
        assertThat(log.text("entries.0.target")).isEqualTo(key.text("api_key_id"));
        assertThat(log.text("entries.0.actor.type")).isEqualTo("user");
        assertThat(log.text("entries.0.actor.name")).contains("@people.test");
        assertThat(log.text("entries.0.address")).isEqualTo("127.0.0.1");
        assertThat(log.text("entries.0.request_id")).startsWith("req_");
        assertThat(log.text("entries.1.action")).isEqualTo("api_key.created");
        assertThat(String.valueOf(log.at("entries.1.details.permissions"))).contains("message_read");
        assertThat(log.text()).doesNotContain("secret name").doesNotContain(key.text("api_key"));
    }

    @Test
    void anEntryOfAListIsKeptWithItsList() {
        HttpProbe human = world.as(world.session());
        human.post("/v0/lists/receive/block", json("entry", "spam.example", "reason", "private"))
                .is(200);
        human.delete("/v0/lists/receive/block/spam.example").is(200);
        Answer log = human.get("/v0/audit-log?limit=2").is(200);
        assertThat(log.text("entries.0.action")).isEqualTo("list_entry.deleted");
        assertThat(log.text("entries.0.details.list")).isEqualTo("receive/block");
        assertThat(log.text("entries.1.action")).isEqualTo("list_entry.created");
        assertThat(log.text("entries.1.target")).isEqualTo("spam.example");
        assertThat(log.text()).doesNotContain("private");
    }

    @Test
    void whatAToolChangesIsKept() {
        String inbox = world.inbox("byatool");
        world.http().post("/mcp", """
                {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_inbox",
                "arguments":{"inboxId":"%s"}}}""".formatted(inbox)).is(200);
        Answer log = world.as(world.session()).get("/v0/audit-log?limit=2").is(200);
        assertThat(log.text("entries.1.action")).isEqualTo("inbox.deleted");
        assertThat(log.text("entries.1.target")).isEqualTo(inbox);
        assertThat(log.text("entries.1.actor.type")).isEqualTo("api_key");
    }

    @Test
    void theLogIsNarrowedToWhoWhatAndWhen() {
        HttpProbe human = world.as(world.session());
        Answer named = human.post("/v0/api-keys", json("name", "Narrow")).is(200);
        String inbox = world.inbox("narrowed");
        world.as(named.text("api_key"))
                .patch("/v0/inboxes/" + inbox, json("display_name", "N"))
                .is(200);
        String log = "/v0/audit-log?actor=";
        Answer byName = human.get(log + "Narrow").is(200);
        assertThat(byName.list("entries")).hasSize(1);
        assertThat(byName.text("entries.0.action")).isEqualTo("inbox.updated");
        assertThat(byName.text()).doesNotContain("next_page_token");
        assertThat(human.get(log + named.text("api_key_id") + "&action=inbox")
                        .is(200)
                        .list("entries"))
                .hasSize(1);
        assertThat(human.get(log + "Narrow&action=webhook").is(200).list("entries"))
                .isEmpty();
        assertThat(human.get(log + "user&action=api_key.created&limit=1")
                        .is(200)
                        .text("entries.0.target"))
                .isEqualTo(named.text("api_key_id"));
        String at = byName.text("entries.0.created_at");
        assertThat(human.get(log + "Narrow&before=" + at).is(200).list("entries"))
                .isEmpty();
        assertThat(human.get("/v0/audit-log?actor=Narrow&after=" + at).is(200).list("entries"))
                .hasSize(1);
        assertThat(human.get("/v0/audit-log?after=2999-01-01").is(200).list("entries"))
                .isEmpty();
    }

    @Test
    void onlyWhoMayReadsIt() {
        assertThat(world.http().get("/v0/audit-log").is(403).text("fix")).contains("audit_read");
        world.http()
                .post("/v0/api-keys", json("permissions", object("audit_read", true)))
                .is(403);
        Answer given = world.as(world.session())
                .post("/v0/api-keys", json("permissions", object("audit_read", true)))
                .is(200);
        world.as(given.text("api_key")).get("/v0/audit-log").is(200);
    }

    @Test
    void theRequestsOfAKeyAreKeptWithoutWhatTheySaid() {
        Answer made = world.http().post("/v0/api-keys", "{}").is(200);
        HttpProbe agent = world.as(made.text("api_key"));
        agent.get("/v0/threads?subject=confidential").is(200);
        agent.get("/v0/inboxes/nobody@example.org").is(404);
        String path = "/v0/api-keys/" + made.text("api_key_id") + "/requests";
        await(() -> world.http().get(path).is(200).list("requests").size() == 2);
        Answer requests = world.http().get(path).is(200);
        assertThat(requests.text("requests.0.route")).isEqualTo("/v0/inboxes/{inbox_id}");
        assertThat(requests.at("requests.0.status")).isEqualTo(404L);
        assertThat(requests.text("requests.0.code")).isEqualTo("not_found");
        assertThat(requests.text("requests.1.route")).isEqualTo("/v0/threads");
        assertThat(requests.text()).doesNotContain("confidential").doesNotContain("nobody@");
        world.http()
                .get("/v0/api-keys/00000000-0000-7000-8000-000000000000/requests")
                .is(404);
    }

    @Test
    void aFullBufferDropsAndTheServerGoesOn() {
        try (RequestBuffer<KeyRequest> buffer =
                new RequestBuffer<>(world.database(), 1, AuditSql.INSERT_REQUESTS, KeyRequest::organization)) {
            Answer made = world.http().post("/v0/api-keys", "{}").is(200);
            java.util.UUID key = java.util.UUID.fromString(made.text("api_key_id"));
            for (int i = 0; i < 3; i++) {
                buffer.add(new KeyRequest(
                        world.organization(),
                        key,
                        "req_" + i,
                        world.clock().instant(),
                        "GET",
                        "/x",
                        200,
                        null,
                        1,
                        "::1"));
            }
            buffer.write();
            assertThat(world.http()
                            .get("/v0/api-keys/" + made.text("api_key_id") + "/requests")
                            .is(200)
                            .list("requests"))
                    .hasSize(1);
        }
    }

    @Test
    void aReadIsNewOnceAnHourForEachReaderAndAgainWhenItWasLost() {
        UUID account = Uuid7.next();
        Instant now = Instant.EPOCH;
        RecentReads reads = new RecentReads();
        assertThat(reads.isNew(read(account, now))).isTrue();
        assertThat(reads.isNew(read(account, now.plusSeconds(5))))
                .as("another payment of the same account")
                .isFalse();
        assertThat(reads.isNew(read(Uuid7.next(), now))).isTrue();
        assertThat(reads.isNew(read(account, now.plusSeconds(3_600)))).isTrue();
        reads.lost(read(account, now));
        assertThat(reads.isNew(read(account, now.plusSeconds(3_601)))).isTrue();
    }

    private static MessageCall read(UUID reader, Instant at) {
        return new MessageCall(NOBODY, NOBODY, "<a@b.test>", "req_1", Uuid7.next(), reader, at, "GET", "/v0/x");
    }
}
