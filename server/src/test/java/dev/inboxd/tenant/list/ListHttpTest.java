package dev.inboxd.tenant.list;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lists over HTTP, at the three levels. */
class ListHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static String pod;

    @BeforeAll
    static void start() {
        pod = world.http()
                .post("/v0/inboxes", json("username", "first"))
                .is(200)
                .text("pod_id");
    }

    @Test
    void anEntryIsMadeReadListedAndDeletedAtEachLevel() {
        String inbox = world.inbox("levels");
        String organization = world.http().get("/v0/organizations").is(200).text("organization_id");
        for (String level : List.of("/v0", "/v0/pods/" + pod, "/v0/inboxes/" + inbox)) {
            String list = level + "/lists/receive/block";
            HttpProbe.Answer made = world.http()
                    .post(list, json("entry", "Spam@Bad.example", "reason", "Noise"))
                    .is(200);
            assertThat(made.text("entry")).isEqualTo("spam@bad.example");
            assertThat(made.text("organization_id")).isEqualTo(organization);
            assertThat(made.text("direction")).isEqualTo("receive");
            assertThat(made.text("list_type")).isEqualTo("block");
            assertThat(made.text("entry_type")).isEqualTo("email");
            assertThat(made.text("reason")).isEqualTo("Noise");
            assertThat(made.at("created_at")).isNotNull();
            assertThat(made.text()).doesNotContain("read_only");
            assertThat(made.at("pod_id")).isEqualTo(level.equals("/v0") ? null : pod);
            assertThat(made.at("inbox_id")).isEqualTo(level.contains("inboxes") ? inbox : null);

            assertThat(world.http().get(list + "/SPAM%40bad.example").is(200).text())
                    .contains("spam@bad.example");
            HttpProbe.Answer page = world.http().get(list).is(200);
            assertThat(entries(page)).containsExactly("spam@bad.example");
            assertThat(page.at("count")).isEqualTo(1L);
            world.http().delete(list + "/spam@bad.example").is(200);
            assertThat(world.http().get(list + "/spam@bad.example").is(404).text("message"))
                    .isEqualTo("ListEntry not found");
            world.http().delete(list + "/spam@bad.example").is(404);
        }
    }

    @Test
    void eachLevelShowsItsOwnEntriesAlone() {
        String inbox = world.inbox("own");
        world.http()
                .post("/v0/lists/reply/allow", json("entry", "wide.example"))
                .is(200);
        world.http()
                .post("/v0/pods/" + pod + "/lists/reply/allow", json("entry", "middle.example"))
                .is(200);
        world.http()
                .post("/v0/inboxes/" + inbox + "/lists/reply/allow", json("entry", "narrow.example"))
                .is(200);
        assertThat(entries(world.http().get("/v0/lists/reply/allow"))).containsExactly("wide.example");
        assertThat(entries(world.http().get("/v0/pods/" + pod + "/lists/reply/allow")))
                .containsExactly("middle.example");
        assertThat(entries(world.http().get("/v0/inboxes/" + inbox + "/lists/reply/allow")))
                .containsExactly("narrow.example");
        world.http()
                .get("/v0/inboxes/" + inbox + "/lists/reply/allow/wide.example")
                .is(404);
    }

    @Test
    void makingAnEntryTwiceChangesNothing() {
        HttpProbe.Answer first =
                world.http().post("/v0/lists/send/allow", json("entry", "twice.example", "reason", "A"));
        HttpProbe.Answer second =
                world.http().post("/v0/lists/send/allow", json("entry", "TWICE.example", "reason", "B"));
        assertThat(second.is(200).text()).isEqualTo(first.is(200).text());
        world.http().delete("/v0/lists/send/allow/twice.example").is(200);
    }

    @Test
    void pagesAreInTheOrderOfTheEntries() {
        String list = "/v0/inboxes/" + world.inbox("pages") + "/lists/send/block";
        for (String entry : List.of("m.example", "a@z.example", "z.example", "b.example", "a@a.example")) {
            world.http().post(list, json("entry", entry)).is(200);
        }
        List<String> walked = new ArrayList<>();
        HttpProbe.Answer page = world.http().get(list + "?limit=2").is(200);
        walked.addAll(entries(page));
        while (page.at("next_page_token") != null) {
            String token = page.text("next_page_token");
            assertThat(world.http()
                            .get(list.replace("block", "allow") + "?limit=2&page_token=" + token)
                            .is(400)
                            .at("errors.0.path"))
                    .isEqualTo(List.of("page_token"));
            page = world.http().get(list + "?limit=2&page_token=" + token).is(200);
            walked.addAll(entries(page));
        }
        assertThat(walked).containsExactly("a@a.example", "a@z.example", "b.example", "m.example", "z.example");
        assertThat(world.http().get(list + "?limit=1000").is(200).at("limit")).isEqualTo(100L);
        world.http().get(list + "?limit=0").is(400);
    }

    @Test
    void whatIsWrongIsToldAllAtOnce() {
        HttpProbe.Answer answer = world.http()
                .post("/v0/lists/send/block", json("entry", "*.example.com", "reason", "x".repeat(513)))
                .is(400);
        assertThat(answer.list("errors").stream()
                        .<Object>map(each -> ((Map<?, ?>) each).get("path"))
                        .toList())
                .containsExactlyInAnyOrder(List.of("entry"), List.of("reason"));
        assertThat(world.http().post("/v0/lists/send/block", "{}").is(400).at("errors.0.path"))
                .isEqualTo(List.of("entry"));
        assertThat(world.http()
                        .post("/v0/lists/sideways/block", json("entry", "a.example"))
                        .is(404)
                        .text("message"))
                .isEqualTo("Route not found");
        assertThat(world.http().get("/v0/lists/send/grey").is(404).text("message"))
                .isEqualTo("Route not found");
        world.http().get("/v0/lists/send/block/no%20entry").is(404);
    }

    @Test
    void aListHasAtMostTenThousandEntriesOfClients() {
        String inbox = world.inbox("full");
        UUID organization =
                UUID.fromString(world.http().get("/v0/organizations").text("organization_id"));
        View all = View.of(organization);
        world.database()
                .write(
                        organization,
                        tx -> tx.sql(all, """
                insert into list_entry (organization_id, direction, type, owner_id, entry, pod_id, inbox_id, read_only,
                                        created_at)
                select {organization}, 'receive', 'block', i.inbox_id, 'n' || n || '.example', i.pod_id, i.inbox_id,
                       n > 9999, {now}
                from inbox i, generate_series(1, 10010) as n
                where {i} and i.address = :address""").bind("address", inbox).run());
        String list = "/v0/inboxes/" + inbox + "/lists/receive/block";
        world.http().post(list, json("entry", "last.example")).is(200);
        assertThat(world.http()
                        .post(list, json("entry", "more.example"))
                        .is(403)
                        .text("code"))
                .isEqualTo("limit_exceeded");
        world.http().post(list, json("entry", "last.example")).is(200);
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        await(() -> world.database()
                        .read(tx -> tx.sql(
                                        all,
                                        "select count(*) as n from list_entry l where {l}"
                                                + " and l.entry like 'n%' and l.direction = 'receive'")
                                .single(row -> row.integer("n")))
                == 0);
    }

    private static List<String> entries(HttpProbe.Answer page) {
        return page.is(200).list("entries").stream()
                .map(each -> (String) ((Map<?, ?>) each).get("entry"))
                .toList();
    }
}
