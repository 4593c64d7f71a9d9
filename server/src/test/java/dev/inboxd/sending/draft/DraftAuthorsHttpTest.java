package dev.inboxd.sending.draft;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.calendar.CalendarProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nobody approves his own words, and what a key under approval wrote needs approval (ruling 164). */
class DraftAuthorsHttpTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @RegisterExtension
    private static final World world = World.start();

    private static HttpProbe human;

    @BeforeAll
    static void start() {
        human = world.as(world.session());
    }

    private static Answer key(String more) {
        return human.post("/v0/api-keys", "{" + more + "}").is(200);
    }

    private static HttpProbe bound() {
        return world.as(key(members("send_approval", "required")).text("api_key"));
    }

    private static HttpProbe reviewer(String more) {
        return world.as(
                key(members("permissions", object("draft_approve", true, "draft_read", true, "draft_update", true))
                                + more)
                        .text("api_key"));
    }

    private static String inbox() {
        return world.inbox("authors" + NUMBER.incrementAndGet());
    }

    private static String waiting(HttpProbe who, String inbox) {
        Answer asked = who.post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "Bob <Bob@example.org>", "subject", "S", "text", "Hello"))
                .is(200);
        assertThat(asked.text("status")).isEqualTo("awaiting_approval");
        return "/v0/inboxes/" + inbox + "/drafts/" + asked.text("draft_id");
    }

    private static Answer approve(HttpProbe who, String draft, String more) {
        String read = human.get(draft).is(200).text("updated_at");
        return who.post(draft + "/approve", """
                {"updated_at":"%s"%s}""".formatted(read, more));
    }

    @Test
    @Proves("A45")
    void aKeyThatChangedAWaitingDraftDoesNotApproveIt() {
        String draft = waiting(bound(), inbox());
        HttpProbe reviewer = reviewer("");
        reviewer.patch(draft, json("to", List.of("eve@example.org"), "text", "All mine"))
                .is(200);
        reviewer.patch(draft, json("subject", "Mine, too")).is(200);
        assertThat(approve(reviewer, draft, "").is(403).text("code")).isEqualTo("forbidden");
        assertThat(human.get(draft).is(200).text("send_status")).isEqualTo("awaiting_approval");
        approve(reviewer(""), draft, "").is(200);
    }

    @Test
    void aKeyThatAddedOrRemovedAFileIsAnAuthor() {
        String draft = waiting(bound(), inbox());
        HttpProbe adds = reviewer("");
        Answer changed = adds.patch(
                        draft, json("add_attachments", List.of(object("content", "aGk=", "filename", "a.txt"))))
                .is(200);
        assertThat(approve(adds, draft, "").is(403).text("code")).isEqualTo("forbidden");
        HttpProbe removes = reviewer("");
        removes.patch(draft, json("remove_attachments", List.of(changed.text("attachments.0.attachment_id"))))
                .is(200);
        assertThat(approve(removes, draft, "").is(403).text("code")).isEqualTo("forbidden");
    }

    @Test
    void aKeyThatWroteInADraftBeforeItWaitedIsAnAuthor() {
        String inbox = inbox();
        Answer made = world.http()
                .post("/v0/inboxes/" + inbox + "/drafts", json("to", List.of("bob@example.org"), "text", "One"))
                .is(200);
        String draft = "/v0/inboxes/" + inbox + "/drafts/" + made.text("draft_id");
        HttpProbe early = reviewer("");
        early.patch(draft, json("text", "Two")).is(200);
        HttpProbe bound = bound();
        bound.patch(draft, json("text", "Three")).is(200);
        bound.post(draft + "/send", "{}").is(200);
        assertThat(approve(early, draft, "").is(403).text("code")).isEqualTo("forbidden");
        human.patch(draft, json("text", "Four")).is(200);
        approve(human, draft, "").is(200);
    }

    @Test
    void alwaysAllowTakesRecipientsOfTheDraftAlone() {
        String inbox = inbox();
        HttpProbe bound = bound();
        String draft = waiting(bound, inbox);
        Answer refused = approve(
                        human, draft, "," + members("always_allow", List.of("bob@example.org", "eve@example.org")))
                .is(400);
        assertThat(refused.text()).contains("always_allow").contains("recipients");
        assertThat(human.get("/v0/inboxes/" + inbox + "/approval-exemptions")
                        .is(200)
                        .list("exemptions"))
                .isEmpty();
        approve(human, draft, "," + members("always_allow", List.of("BOB@example.org")))
                .is(200);
        assertThat(bound.post("/v0/inboxes/" + inbox + "/messages/send", json("to", "bob@example.org", "text", "Again"))
                        .is(200)
                        .at("status"))
                .isNull();
    }

    @Test
    void aKeyUnderApprovalFreesNobody() {
        String draft = waiting(bound(), inbox());
        HttpProbe reviewer = reviewer("," + members("send_approval", "required"));
        assertThat(approve(reviewer, draft, "," + members("always_allow", List.of("bob@example.org")))
                        .is(403)
                        .text("code"))
                .isEqualTo("forbidden");
        approve(reviewer, draft, "").is(200);
    }

    @Test
    void aWaitingDraftIsChangedAsItWasRead() {
        String draft = waiting(bound(), inbox());
        String read = human.get(draft).is(200).text("updated_at");
        human.patch(draft, json("text", "One", "updated_at", read)).is(200);
        assertThat(human.patch(draft, json("text", "Two", "updated_at", read))
                        .is(409)
                        .text("code"))
                .isEqualTo("conflict");
        assertThat(human.get(draft).is(200).text("text")).isEqualTo("One");
    }

    @Test
    @Proves("A45a")
    void aDraftInWhichSuchAKeyWroteWaitsWhoeverSendsIt() {
        String inbox = inbox();
        Answer bound = key(members("send_approval", "required"));
        String drafts = "/v0/inboxes/" + inbox + "/drafts";
        String mail = json("to", List.of("bob@example.org"), "text", "Hello");
        HttpProbe agent = world.as(bound.text("api_key"));
        String first = drafts + "/" + agent.post(drafts, mail).is(200).text("draft_id");
        String second = drafts + "/" + agent.post(drafts, mail).is(200).text("draft_id");
        String third = drafts + "/" + world.http().post(drafts, mail).is(200).text("draft_id");
        agent.patch(third, json("subject", "Mine")).is(200);
        world.http().patch(third, json("text", "And mine")).is(200);
        assertThat(world.http().post(first + "/send", "{}").is(200).text("status"))
                .isEqualTo("awaiting_approval");
        human.patch("/v0/api-keys/" + bound.text("api_key_id"), json("send_approval", null))
                .is(200);
        assertThat(human.post(second + "/send", "{}").is(200).text("status")).isEqualTo("awaiting_approval");
        human.delete("/v0/api-keys/" + bound.text("api_key_id")).is(200);
        assertThat(world.http().post(third + "/send", "{}").is(200).text("status"))
                .isEqualTo("awaiting_approval");
    }

    @Test
    void aDraftOfAKeyThatCameToNeedApprovalWaits() {
        String inbox = inbox();
        Answer free = key(members("name", "free"));
        Answer made = world.as(free.text("api_key"))
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        json(
                                "to",
                                List.of("bob@example.org"),
                                "text",
                                "Hello",
                                "send_at",
                                world.clock().instant().plusSeconds(3_600).toString()))
                .is(200);
        human.patch("/v0/api-keys/" + free.text("api_key_id"), json("send_approval", "required"))
                .is(200);
        world.advance(Duration.ofHours(1));
        Eventually.await(() -> "awaiting_approval"
                .equals(world.http()
                        .get("/v0/inboxes/" + inbox + "/drafts/" + made.text("draft_id"))
                        .at("send_status")));
        human = world.as(world.session()); // the former one is over by now
    }

    /** What a key wrote before it came to need approval waits also when the key is gone, or free again. */
    @Test
    @Proves("A45a")
    void theEndOfAKeyThatCameToNeedApprovalFreesNothing() {
        String drafts = "/v0/inboxes/" + inbox() + "/drafts";
        String mail = json("to", List.of("bob@example.org"), "text", "Hello");
        Answer key = key(members("name", "early"));
        HttpProbe agent = world.as(key.text("api_key"));
        String first = drafts + "/" + agent.post(drafts, mail).is(200).text("draft_id");
        String second = drafts + "/" + world.http().post(drafts, mail).is(200).text("draft_id");
        agent.patch(second, json("subject", "Mine")).is(200);
        String path = "/v0/api-keys/" + key.text("api_key_id");
        human.patch(path, json("send_approval", "required")).is(200);
        human.patch(path, json("send_approval", null)).is(200);
        assertThat(world.http().post(first + "/send", "{}").is(200).text("status"))
                .isEqualTo("awaiting_approval");
        human.delete(path).is(200);
        assertThat(world.http().post(second + "/send", "{}").is(200).text("status"))
                .isEqualTo("awaiting_approval");
        String third = drafts + "/" + world.http().post(drafts, mail).is(200).text("draft_id");
        assertThat(world.http().post(third + "/send", "{}").is(200).at("status"))
                .isNull();
    }

    @Test
    void aDraftWithMoreAuthorsThanAreNamedWaits() {
        String drafts = "/v0/inboxes/" + inbox() + "/drafts";
        String draft = drafts + "/"
                + world.http()
                        .post(drafts, json("to", List.of("bob@example.org"), "text", "Hello"))
                        .is(200)
                        .text("draft_id");
        for (int i = 0; i < 65; i++) {
            world.as(key(members("name", "one of many")).text("api_key"))
                    .patch(draft, json("text", "Text " + i))
                    .is(200);
        }
        assertThat(world.http().post(draft + "/send", "{}").is(200).text("status"))
                .isEqualTo("awaiting_approval");
    }

    @Test
    void anEventInWhichSuchAKeyWroteWaitsWhoeverInvites() {
        CalendarProbe calendar = new CalendarProbe(world);
        HttpProbe agent = bound();
        String made = agent.post(calendar.path("/events"), """
                        {"title":"Secret words","start":"2099-01-15T14:00:00","end":"2099-01-15T15:00:00",
                        "timezone":"Europe/Berlin"}""").is(201).text("event.event_id");
        calendar.patch("/events/" + made, "{'attendees':[{'email':'jo@else.test'}],'send_invites':true}")
                .is(200);
        Eventually.await(() -> human.get("/v0/inboxes/" + calendar.inbox() + "/drafts?send_status=awaiting_approval")
                        .is(200)
                        .list("drafts")
                        .size()
                == 1);
        assertThat(world.http()
                        .get("/v0/inboxes/" + calendar.inbox() + "/messages")
                        .is(200)
                        .list("messages"))
                .isEmpty();
    }

    @Test
    void anEventOfAKeyThatCameToNeedApprovalAndIsGoneWaits() {
        CalendarProbe calendar = new CalendarProbe(world);
        Answer key = key(members("name", "early"));
        String made = world.as(key.text("api_key"))
                .post(calendar.path("/events"), """
                        {"title":"Secret words","start":"2099-01-15T14:00:00","end":"2099-01-15T15:00:00",
                        "timezone":"Europe/Berlin"}""")
                .is(201)
                .text("event.event_id");
        String path = "/v0/api-keys/" + key.text("api_key_id");
        human.patch(path, json("send_approval", "required")).is(200);
        human.delete(path).is(200);
        calendar.patch("/events/" + made, "{'attendees':[{'email':'jo@else.test'}],'send_invites':true}")
                .is(200);
        Eventually.await(() -> human.get("/v0/inboxes/" + calendar.inbox() + "/drafts?send_status=awaiting_approval")
                        .is(200)
                        .list("drafts")
                        .size()
                == 1);
    }
}
