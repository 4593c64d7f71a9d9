package dev.inboxd.tenant.inbox;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Inboxes over HTTP (mail.md §5). */
class InboxHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void anInboxWithoutAnyWishGetsARandomName() {
        HttpProbe.Answer inbox = world.http().post("/v0/inboxes", "").is(200);
        assertThat(inbox.text("inbox_id")).isEqualTo(inbox.text("email")).endsWith("@mail.localhost");
        assertThat(inbox.text("status")).isEqualTo("active");
        assertThat(inbox.at("display_name")).isNull();
    }

    @Test
    void aTakenOrReservedNameIsRefused() {
        world.inbox("taken");
        assertThat(world.http()
                        .post("/v0/inboxes", json("username", "TAKEN"))
                        .is(403)
                        .text("code"))
                .isEqualTo("resource_taken");
        assertThat(world.http()
                        .post("/v0/inboxes", json("username", "postmaster"))
                        .is(403)
                        .text("code"))
                .isEqualTo("resource_taken");
        assertThat(world.http()
                        .post("/v0/inboxes", json("username", "x", "domain", "other.test"))
                        .is(404)
                        .text("message"))
                .isEqualTo("Domain not found");
    }

    @Test
    @Proves("A35")
    void badMembersAreToldTogether() {
        HttpProbe.Answer answer = world.http().post("/v0/inboxes", """
                {"username":"a..b","client_id":"a@b","metadata":{"k":null},
                "display_name":"a\\nb","status":"gone"}""").is(400);
        List<Object> paths = answer.list("errors").stream()
                .<Object>map(each -> ((Map<?, ?>) each).get("path"))
                .toList();
        assertThat(paths)
                .contains(
                        List.of("username"),
                        List.of("client_id"),
                        List.of("metadata"),
                        List.of("display_name"),
                        List.of("status"));
    }

    @Test
    void aClientIdMakesOneInboxOfManyCreatesAndNamesItAfterwards() {
        String body = json("client_id", "alias-1", "username", "alias");
        String first = world.http().post("/v0/inboxes", body).is(200).text("inbox_id");
        assertThat(world.http().post("/v0/inboxes", body).is(200).text("inbox_id"))
                .isEqualTo(first);
        assertThat(world.http()
                        .post("/v0/inboxes", json("client_id", "alias-1"))
                        .is(200)
                        .text("inbox_id"))
                .isEqualTo(first);
        assertThat(world.http()
                        .post("/v0/inboxes", json("client_id", "alias-1", "username", "other"))
                        .is(409)
                        .text("code"))
                .isEqualTo("idempotency_conflict");
        assertThat(world.http().get("/v0/inboxes/alias-1").is(200).text("inbox_id"))
                .isEqualTo(first);
        assertThat(world.http()
                        .get("/v0/inboxes/ALIAS%40mail.localhost")
                        .is(200)
                        .text("inbox_id"))
                .isEqualTo(first);
    }

    @Test
    void metadataIsMergedAndCleared() {
        String path = "/v0/inboxes/"
                + world.http()
                        .post("/v0/inboxes", json("metadata", object("a", 1, "b", "x")))
                        .is(200)
                        .text("inbox_id");
        assertThat(world.http()
                        .patch(path, json("metadata", object("b", null, "c", true)))
                        .is(200)
                        .at("metadata"))
                .isEqualTo(Map.of("a", 1L, "c", true));
        world.http().patch(path, json("metadata", Map.of())).is(400);
        world.http().patch(path, "{}").is(400);
        assertThat(world.http()
                        .patch(path, json("metadata", null, "display_name", "Ada"))
                        .is(200)
                        .at("metadata"))
                .isNull();
        assertThat(world.http().patch(path, json("display_name", null)).is(200).at("display_name"))
                .isNull();
    }

    @Test
    @Proves("A5")
    void aPausedInboxDropsMailAndSaysNothing() {
        String inbox = world.inbox("paused");
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        assertThat(world.mail("jo@example.com", inbox, "Message-ID: <p@x.test>\n\nLost.\n"))
                .startsWith("250");
        assertThat(world.http()
                        .patch("/v0/inboxes/" + inbox, json("status", "active"))
                        .is(200)
                        .text("status"))
                .isEqualTo("active");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=1")
                        .is(200)
                        .list("messages"))
                .isEmpty();
    }

    /** Attack A5: whoever runs the server can tell where the mail went. */
    @Test
    @Proves("A5")
    void whatIsDroppedLeavesALineInTheLog() {
        String inbox = world.inbox("traced");
        Logger log = (Logger) LoggerFactory.getLogger("inboxd");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try {
            world.mail("jo@example.com", inbox, "Message-ID: <t@x.test>\n\nOnce.\n");
            world.mail("jo@example.com", inbox, "Message-ID: <t@x.test>\n\nOnce.\n");
            world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
            world.mail("jo@example.com", inbox, "Message-ID: <u@x.test>\n\nLost.\n");
        } finally {
            log.detachAppender(lines);
        }
        assertThat(List.copyOf(lines.list))
                .filteredOn(line -> line.getKeyValuePairs() != null)
                .flatExtracting(ILoggingEvent::getKeyValuePairs)
                .filteredOn(pair -> pair.key.equals("dropped"))
                .extracting(pair -> pair.value)
                .containsExactly("repeated", "paused");
    }

    @Test
    @Proves({"P19a", "A36"})
    void aDeletedInboxLeavesNothingBehindAndItsAddressStaysWithItsOrganization() {
        String inbox = world.inbox("deleted");
        for (int i = 0; i < 3; i++) {
            world.mail("jo@example.com", inbox, "Message-ID: <d" + i + "@x.test>\nIn-Reply-To: <r@x.test>\n\nGone.\n");
        }
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        world.http().get("/v0/inboxes/" + inbox).is(404);
        assertThat(world.mail("jo@example.com", inbox, "\nHello?\n")).startsWith("550 5.1.1");
        Eventually.value(InboxHttpTest::rows, left -> left == 0);
        world.inbox("deleted");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=1")
                        .is(200)
                        .list("messages"))
                .isEmpty();
    }

    private static int rows() {
        return world.database().read(tx -> tx.sqlAcrossTenants("""
                select (select count(*) from inbox i where i.deleting)
                     + (select count(*) from message m where not exists (
                           select 1 from inbox i where i.organization_id = m.organization_id
                               and i.inbox_id = m.inbox_id and not i.deleting))
                     + (select count(*) from event e where not exists (
                           select 1 from inbox i where i.organization_id = e.organization_id
                               and i.inbox_id = e.inbox_id and not i.deleting))
                     + (select count(*) from thread t where not exists (
                           select 1 from inbox i where i.organization_id = t.organization_id
                               and i.inbox_id = t.inbox_id and not i.deleting))
                     as n""").single(row -> row.integer("n")));
    }

    @Test
    void theListPagesThroughEveryInboxOnce() {
        for (int i = 0; i < 5; i++) {
            world.inbox("page" + i);
        }
        Set<Object> seen = new HashSet<>();
        int count = 0;
        String token = "";
        do {
            HttpProbe.Answer page = world.http()
                    .get("/v0/inboxes?limit=2&ascending=true" + (token.isEmpty() ? "" : "&page_token=" + token))
                    .is(200);
            for (Object inbox : page.list("inboxes")) {
                seen.add(((Map<?, ?>) inbox).get("inbox_id"));
                count++;
            }
            token = page.at("next_page_token") == null ? "" : page.text("next_page_token");
        } while (!token.isEmpty());
        assertThat(seen).hasSize(count).contains("page0@mail.localhost", "page4@mail.localhost");
    }
}
