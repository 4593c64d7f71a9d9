package dev.inboxd.observe.audit;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.server.World;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.testing.JsonText;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an entry of the audit log says, and how much all of them take (approvals.md §6). */
class AuditEntryHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static HttpProbe human;

    @BeforeAll
    static void start() {
        human = world.as(world.session());
    }

    private static Answer newest(int count) {
        return human.get("/v0/audit-log?limit=" + count).is(200);
    }

    private static List<String> actions(int count) {
        return newest(count).list("entries").stream()
                .map(entry -> String.valueOf(((Map<?, ?>) entry).get("action")))
                .toList();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static long stored() {
        return number(human);
    }

    /** A row as an earlier revision wrote it. */
    private static void old(String details) {
        UUID organization = world.organization();
        world.database()
                .write(
                        organization,
                        tx -> tx.sql(View.of(organization), """
                        insert into audit_entry (organization_id, entry_id, at, actor, action, details)
                        values ({organization}, :id, :at, 'operator', 'pod.created', :details)""")
                                .bind("id", Uuid7.next())
                                .bind("at", world.clock().instant())
                                .bind("details", details)
                                .run());
    }

    private static String members(int count, int size) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"" + "n".repeat(size) + i + "\"")
                .collect(Collectors.joining(","));
    }

    @Test
    @Proves("A43a")
    void namesThatNoRouteReadsAreNotKept() {
        String unknown = IntStream.range(0, 26_000)
                .mapToObj(i -> JsonText.members("n".repeat(20) + i, 1))
                .collect(Collectors.joining(","));
        String inbox = world.inbox("unknown");
        human.sloppy().patch("/v0/inboxes/" + inbox, """
                {"display_name":"p",%s}""".formatted(unknown)).is(200);
        assertThat(newest(1).at("entries.0.details.members")).isEqualTo(List.of("display_name"));
        human.sloppy()
                .post("/v0/pods", json("name", "p", "status", "approved by security@example.com", "by the operator", 1))
                .is(200);
        Answer pod = newest(1);
        assertThat(pod.at("entries.0.details")).isEqualTo(Map.of("members", List.of("name")));
        long rows = world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select max(octet_length(a.details)) as n from audit_entry a" + " where a.size > 0")
                        .single(row -> row.longer("n")));
        assertThat(rows).isLessThan(1_000);
    }

    @Test
    void onlyWhatTheRouteDidIsSaid() {
        human.sloppy().post("/v0/inboxes", """
                {"username":"asked","send_approval":"required","status":"paused","message_security":"hold"}""").is(200);
        assertThat(newest(1).at("entries.0.details")).isEqualTo(Map.of("members", List.of("username", "status")));
        human.patch("/v0/inboxes/asked@mail.localhost", json("status", "active", "send_approval", "required"))
                .is(200);
        assertThat(newest(1).text("entries.0.details.status")).isEqualTo("active");
        assertThat(newest(1).text("entries.0.details.send_approval")).isEqualTo("required");
        human.patch("/v0/inboxes/asked@mail.localhost", json("sending", "paused"))
                .is(200);
        assertThat(newest(1).at("entries.0.details"))
                .isEqualTo(Map.of("members", List.of("sending"), "sending", "paused"));
        human.post("/v0/api-keys", """
                        {"name":"k","permissions":{"draft_approve":false,"message_read":true}}""").is(200);
        assertThat(newest(1).at("entries.0.details.permissions"))
                .isEqualTo(Map.of("draft_approve", false, "message_read", true));
    }

    @Test
    void aRepetitionThatChangesNothingIsNoEntry() {
        String pod = json("name", "once", "client_id", "once");
        String id = human.post("/v0/pods", pod).is(200).text("pod_id");
        String before = newest(1).text("entries.0.entry_id");
        human.post("/v0/pods", pod).is(200);
        human.patch("/v0/pods/" + id, json("name", "once")).is(200);
        human.post("/v0/pods/" + id + "/resume", "{}").is(200);
        human.post("/v0/organizations/resume", "{}").is(200);
        String inbox = world.inbox("once");
        String made = newest(1).text("entries.0.entry_id");
        human.patch("/v0/inboxes/" + inbox, json("status", "active")).is(200);
        human.delete("/v0/inboxes/" + inbox + "/calendar/feed").is(202);
        assertThat(newest(1).text("entries.0.entry_id")).isEqualTo(made);
        assertThat(newest(2).text("entries.1.entry_id")).isEqualTo(before);
    }

    @Test
    void aStopIsKeptWhateverItsBodyIs() {
        String pod = world.pod("stopped");
        human.sloppy().send("POST", "/v0/pods/" + pod + "/stop", "{no JSON").is(200);
        human.post("/v0/pods/" + pod + "/resume", "{}").is(200);
        assertThat(actions(2)).containsExactly("pod.resumed", "pod.stopped");
        assertThat(newest(1).text("entries.0.target")).isEqualTo(pod);
    }

    @Test
    void theTargetIsTheIdAndNoNameThatSomebodyChose() {
        String inbox = human.post("/v0/inboxes", json("username", "target", "client_id", "approved-by-security"))
                .is(200)
                .text("inbox_id");
        human.patch("/v0/inboxes/approved-by-security", json("display_name", "x"))
                .is(200);
        human.delete("/v0/inboxes/approved-by-security").is(200);
        Answer log = newest(3);
        assertThat(log.text("entries.0.target")).isEqualTo(inbox);
        assertThat(log.text("entries.1.target")).isEqualTo(inbox);
        assertThat(log.text()).doesNotContain("approved-by-security");
    }

    @Test
    @Proves("P15")
    void rowsOfAnEarlierRevisionTakeNoMemoryAndSayNothingThatWasNotDone() {
        String large = """
                {"members":[%s]}""".formatted(members(26_000, 27));
        for (int i = 0; i < 60; i++) {
            old(large);
        }
        old("""
                {"members":[%s,"name","deleted by the operator"],\
                "status":"approved by somebody","other":"words"}""".formatted(members(200, 3)));
        Answer page = newest(62);
        assertThat(page.body().length).isLessThan(64 * 1024);
        assertThat(page.list("entries.0.details.members")).hasSize(64);
        assertThat(page.text()).doesNotContain("approved by").doesNotContain("words");
        assertThat(page.at("entries.1.details")).isNull();
    }

    @Test
    void aPageOfLongEntriesEndsEarlyAndItsTokenGoesOn() {
        String addresses = IntStream.range(0, 64)
                .mapToObj(i -> "\"" + "a".repeat(230) + i + "@example.com\"")
                .collect(Collectors.joining(","));
        for (int i = 0; i < 50; i++) {
            old("""
                    {"always_allow":[%s]}""".formatted(addresses));
        }
        int seen = 0;
        int pages = 0;
        String token = "";
        while (seen < 50 && pages < 10) {
            Answer page = human.get("/v0/audit-log?limit=50" + token).is(200);
            assertThat(page.body().length).isLessThan(2 * AuditPage.OCTETS);
            seen += page.list("entries").size();
            token = "&page_token=" + page.text("next_page_token");
            pages++;
        }
        assertThat(seen).isGreaterThanOrEqualTo(50);
        assertThat(pages).isBetween(2, 9);
    }

    @Test
    void entriesCountInTheStorageOfTheOrganizationUntilTheyGo() {
        long before = stored();
        world.pod("counted");
        long with = stored();
        assertThat(with - before).isBetween(100L, 1_000L);
        try (World other = World.start()) {
            HttpProbe person = other.as(other.session());
            other.pod("old");
            assertThat(number(person)).isPositive();
            other.advance(Duration.ofDays(370));
            other.sweepAfter(Duration.ZERO);
            HttpProbe again = other.as(other.session());
            assertThat(number(again)).isLessThan(500);
            assertThat(again.get("/v0/audit-log").is(200).list("entries")).hasSize(1);
        }
    }

    private static long number(HttpProbe person) {
        return Long.parseLong(
                String.valueOf(person.get("/v0/organizations").is(200).at("storage_bytes")));
    }

    @Test
    @Proves("A43a")
    void whatAKeyDoesBeyondTheMostOfADayIsOneEntryWithACount() {
        Answer made = human.post("/v0/api-keys", json("name", "busy")).is(200);
        UUID key = UUID.fromString(made.text("api_key_id"));
        HttpProbe busy = world.as(made.text("api_key"));
        busy.post("/v0/pods", json("name", "first")).is(200);
        UUID organization = world.organization();
        world.database()
                .write(
                        organization,
                        tx -> tx.sql(View.of(organization), """
                        update audit_day d set entries = :most
                        where d.organization_id = {organization} and d.actor_id = :key""")
                                .bind("most", AuditBook.MOST_A_DAY - 1)
                                .bind("key", key)
                                .run());
        for (int i = 0; i < 4; i++) {
            busy.post("/v0/pods", json("name", "further")).is(200);
        }
        Answer log = newest(3);
        assertThat(log.text("entries.0.action")).isEqualTo("audit_log.limited");
        assertThat(log.text("entries.0.actor.api_key_id")).isEqualTo(key.toString());
        assertThat(log.at("entries.0.details")).isEqualTo(Map.of("count", 3L));
        assertThat(log.text("entries.1.action")).isEqualTo("pod.created");
        assertThat(log.text("entries.2.action")).isEqualTo("pod.created");
        human.post("/v0/pods", json("name", "by somebody else")).is(200);
        assertThat(actions(1)).containsExactly("pod.created");
    }

    @Test
    void deletionsOfMailAreOneEntryForEachActorInboxAndMinute() {
        String one = world.inbox("deletions");
        String two = world.inbox("deletions2");
        String all = "?include_unauthenticated=true&include_spam=true";
        for (String inbox : List.of(one, one, one, two)) {
            world.mail(
                    "pat@example.com",
                    inbox,
                    "From: pat@example.com\nSubject: confidential\nMessage-ID: <" + Uuid7.next() + "@x>\n\nhello\n");
        }
        List<?> messages =
                human.get("/v0/inboxes/" + one + "/messages" + all).is(200).list("messages");
        messages.stream()
                .limit(2)
                .forEach(each -> human.delete("/v0/inboxes/" + one + "/messages/"
                                + encoded(String.valueOf(((Map<?, ?>) each).get("message_id"))))
                        .is(200));
        world.http()
                .delete("/v0/threads/"
                        + human.get("/v0/inboxes/" + two + "/threads" + all)
                                .is(200)
                                .text("threads.0.thread_id"))
                .is(200);
        List<Map<?, ?>> deleted = newest(50).list("entries").stream()
                .<Map<?, ?>>map(entry -> (Map<?, ?>) entry)
                .filter(entry -> String.valueOf(entry.get("action")).endsWith(".deleted")
                        && List.of(one, two).contains(String.valueOf(entry.get("target"))))
                .toList();
        Map<String, Long> counts = deleted.stream()
                .collect(Collectors.groupingBy(
                        entry -> entry.get("action") + " " + entry.get("target"),
                        Collectors.summingLong(entry -> count(entry.get("details")))));
        // A minute may end between two of them.
        assertThat(counts).isEqualTo(Map.of("message.deleted " + one, 2L, "thread.deleted " + two, 1L));
        assertThat(deleted).hasSizeLessThanOrEqualTo(3);
        assertThat(newest(50).text()).doesNotContain("confidential");
    }

    private static long count(@Nullable Object details) {
        return details instanceof Map<?, ?> map && map.get("count") instanceof Long number ? number : 0;
    }

    @Test
    void changesOfWhatWaitsAreKeptWithWhomTheyFree() {
        String inbox = world.inbox("waits");
        human.patch("/v0/inboxes/" + inbox, json("send_approval", "required")).is(200);
        String drafts = "/v0/inboxes/" + inbox + "/drafts/";
        String draft = waiting(inbox);
        human.patch(drafts + draft.toUpperCase(Locale.ROOT), json("text", "other words"))
                .is(200);
        Answer changed = newest(1);
        assertThat(changed.text("entries.0.action")).isEqualTo("draft.updated");
        assertThat(changed.text("entries.0.target")).isEqualTo(draft);
        assertThat(changed.at("entries.0.details")).isEqualTo(Map.of("members", List.of("text")));
        world.http().delete(drafts + draft).is(200);
        assertThat(newest(1).text("entries.0.action")).isEqualTo("draft.withdrawn");
        assertThat(newest(1).text("entries.0.actor.type")).isEqualTo("api_key");
        String next = waiting(inbox);
        String read = human.get(drafts + next).is(200).text("updated_at");
        String body = json("updated_at", read, "always_allow", List.of("x@example.com"));
        human.with("Idempotency-Key", "approval")
                .post(drafts + next + "/approve", body)
                .is(200);
        human.with("Idempotency-Key", "approval")
                .post(drafts + next + "/approve", body)
                .is(200);
        Answer approved = newest(2);
        assertThat(approved.text("entries.0.action")).isEqualTo("draft.approved");
        assertThat(approved.at("entries.0.details.always_allow")).isEqualTo(List.of("x@example.com"));
        assertThat(approved.text("entries.1.action")).isEqualTo("draft.withdrawn");
        world.http()
                .post("/v0/inboxes/" + inbox + "/drafts", json("text", "waits for nobody"))
                .is(200);
        assertThat(newest(1).text("entries.0.action")).isEqualTo("draft.approved");
    }

    private static String waiting(String inbox) {
        return world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "x@example.com", "text", "t"))
                .is(200)
                .text("draft_id");
    }

    @Test
    void sessionsAndLinksOfFeedsAreKept() {
        String token = world.session();
        HttpProbe person = world.as(token);
        Answer begun = newest(1);
        String session = person.get("/console/session").is(200).text("session_id");
        assertThat(begun.text("entries.0.action")).isEqualTo("session.created");
        assertThat(begun.text("entries.0.target")).isEqualTo(session);
        assertThat(begun.text("entries.0.actor.name")).contains("@people.test");
        assertThat(begun.text("entries.0.address")).isEqualTo("127.0.0.1");
        person.delete("/console/session").is(200);
        assertThat(newest(1).text("entries.0.action")).isEqualTo("session.deleted");
        assertThat(newest(1).text("entries.0.actor.name")).contains("@people.test");
        String inbox = world.inbox("feed");
        world.http().post("/v0/inboxes/" + inbox + "/calendar/feed", "{}").is(201);
        world.http().post("/v0/inboxes/" + inbox + "/calendar/feed", "{}").is(201);
        world.http().delete("/v0/inboxes/" + inbox + "/calendar/feed").is(202);
        Answer log = newest(3);
        assertThat(log.text("entries.0.action")).isEqualTo("calendar_feed.deleted");
        assertThat(log.at("entries.0.details")).isEqualTo(Map.of("count", 2L));
        assertThat(log.text("entries.1.action")).isEqualTo("calendar_feed.created");
        assertThat(log.text("entries.1.target")).isEqualTo(inbox);
    }

    @Test
    void whatWasGivenByNameIsNamedBesideEverythingElse() {
        Answer plain = world.http().post("/v0/api-keys", "{}").is(200);
        assertThat(plain.at("permissions")).isNull();
        UUID organization = world.organization();
        ApiKeys.IssuedKey named = world.database()
                .write(
                        organization,
                        tx -> ApiKeys.issue(
                                tx,
                                organization,
                                new ApiKeys.KeySpec(
                                        "named",
                                        ApiKey.Owner.ORGANIZATION,
                                        new ApiKey.Grant(null, Set.of(Permission.DRAFT_APPROVE, Permission.AUDIT_READ)),
                                        null,
                                        false),
                                tx.next().at()));
        Answer shown = world.http().get("/v0/api-keys/" + named.key().id()).is(200);
        assertThat(shown.at("permissions.draft_approve")).isEqualTo(true);
        assertThat(shown.at("permissions.audit_read")).isEqualTo(true);
        assertThat(shown.at("permissions.message_send")).isEqualTo(true);
        assertThat(shown.at("permissions.message_release")).isNull();
        world.as(named.secret())
                .patch("/v0/api-keys/" + plain.text("api_key_id"), json("name", "words of its own"))
                .is(200);
        assertThat(String.valueOf(newest(1).at("entries.0.details"))).doesNotContain("words of its own");
    }
}
