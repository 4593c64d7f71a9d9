package dev.inboxd.sending.draft;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Drafts as they are written, changed, found and sent by hand (mail.md §8). */
class DraftHttpTest extends DraftFixture {
    @Test
    void aPlainDraftMayBeEmptyAndIsTheSameAtEveryLevel() {
        String inbox = world.inbox("plain");
        HttpProbe.Answer draft = create(inbox, "").is(200);
        assertThat(draft.text("inbox_id")).isEqualTo(inbox);
        assertThat(draft.at("labels")).isEqualTo(List.of());
        assertThat(draft.at("to")).isNull();
        assertThat(draft.at("send_status")).isNull();
        String pod = world.http().get("/v0/inboxes/" + inbox).is(200).text("pod_id");
        for (String level : List.of("/v0", "/v0/pods/" + pod, "/v0/inboxes/" + inbox)) {
            assertThat(world.http()
                            .get(level + "/drafts/" + draft.text("draft_id"))
                            .is(200)
                            .at(""))
                    .isEqualTo(draft.at(""));
            assertThat(world.http().get(level + "/drafts").is(200).text()).contains(draft.text("draft_id"));
        }
    }

    @Test
    void aChangeKeepsWhatItLeavesOutAndEmptiesWhatItSaysIsNull() {
        String inbox = world.inbox("change");
        HttpProbe.Answer draft = create(inbox, """
                {"to":"Jo <jo@elsewhere.test>","cc":["a@elsewhere.test","b@elsewhere.test"],"bcc":"c@elsewhere.test",
                 "reply_to":"desk@elsewhere.test","subject":"One","text":"Text","html":"<b>Html</b>",
                 "labels":["Kept","Gone"]}
                """).is(200);
        HttpProbe.Answer changed = patch(inbox, draft, """
                {"subject":"Two","cc":null,"bcc":[],"html":null,
                "add_labels":"new","remove_labels":["gone"]}""").is(200);
        assertThat(changed.at("to")).isEqualTo(List.of("Jo <jo@elsewhere.test>"));
        assertThat(changed.at("reply_to")).isEqualTo(List.of("desk@elsewhere.test"));
        assertThat(changed.at("cc")).isNull();
        assertThat(changed.at("bcc")).isNull();
        assertThat(changed.text("subject")).isEqualTo("Two");
        assertThat(changed.text("text")).isEqualTo("Text");
        assertThat(changed.at("html")).isNull();
        assertThat(changed.list("labels")).map(Object::toString).containsExactlyInAnyOrder("kept", "new");
        assertThat(changed.text("updated_at")).isGreaterThanOrEqualTo(draft.text("updated_at"));
        assertThat(world.http().get(path(inbox, draft)).is(200).at("")).isEqualTo(changed.at(""));
        assertThat(patch(inbox, draft, "{}").is(200).at("")).isEqualTo(changed.at(""));
    }

    @Test
    void whatADraftAnswersIsFixedAndScheduledIsNoLabelOfTheCallers() {
        String inbox = world.inbox("fixed");
        HttpProbe.Answer draft = create(inbox, "{}").is(200);
        for (String body : List.of(
                json("in_reply_to", "<x@y.test>"),
                json("forward_of", "<x@y.test>"),
                json("reply_all", true),
                json("add_labels", List.of("scheduled")),
                json("remove_labels", "scheduled"),
                json("remove_attachments", List.of("01890000-0000-7000-8000-000000000000")))) {
            assertThat(patch(inbox, draft, body).is(400).text("code")).isEqualTo("validation_error");
        }
        for (String body : List.of(
                json("labels", List.of("scheduled")),
                json("labels", List.of("sent")),
                json("reply_all", true),
                json("in_reply_to", "<x@y.test>", "forward_of", "<x@y.test>"),
                json("in_reply_to", "<x@y.test>", "reply_all", true, "to", "jo@elsewhere.test"),
                json("to", "no address"),
                json("send_at", "soon"),
                json("client_id", "a b"))) {
            create(inbox, body).is(400);
        }
        assertThat(create(inbox, json("in_reply_to", "<nobody@y.test>")).is(404).text("message"))
                .isEqualTo("Message not found");
    }

    @Test
    void aReplyTakesItsRecipientsSubjectAndThreadWhenItIsMade() {
        String inbox = world.inbox("reply");
        String thread = receive(inbox, "<q1@x.test>").text("thread_id");
        HttpProbe.Answer reply =
                create(inbox, json("in_reply_to", "q1@x.test", "text", "Yes.")).is(200);
        assertThat(reply.at("to")).isEqualTo(List.of("desk@example.com"));
        assertThat(reply.text("subject")).isEqualTo("Re: Question");
        assertThat(reply.text("in_reply_to")).isEqualTo("<q1@x.test>");
        assertThat(reply.at("references")).isEqualTo(List.of("<root@x.test>", "<q1@x.test>"));
        HttpProbe.Answer all = create(inbox, json("in_reply_to", "<q1@x.test>", "reply_all", true))
                .is(200);
        assertThat(all.at("to")).isEqualTo(List.of("desk@example.com", "al@example.com"));
        assertThat(all.at("cc")).isEqualTo(List.of("cy@example.com"));
        HttpProbe.Answer own = create(inbox, """
                {"in_reply_to":"<q1@x.test>","to":"boss@example.com","subject":"Mine"}""").is(200);
        assertThat(own.at("to")).isEqualTo(List.of("boss@example.com"));
        assertThat(own.text("subject")).isEqualTo("Mine");
        HttpProbe.Answer sent = send(inbox, reply, "{}").is(200);
        assertThat(sent.text("thread_id")).isEqualTo(thread);
        HttpProbe.Answer message = message(inbox, sent.text("message_id")).is(200);
        assertThat(message.text("in_reply_to")).isEqualTo("<q1@x.test>");
        assertThat(message.at("references")).isEqualTo(List.of("<root@x.test>", "<q1@x.test>"));
    }

    @Test
    void aForwardTakesBodyAndFilesOfItsSourceWhenItIsSent() {
        String inbox = world.inbox("forward");
        String thread = receive(inbox, "<f1@x.test>").text("thread_id");
        HttpProbe.Answer draft = create(inbox, json("forward_of", "<f1@x.test>", "text", "Look:"))
                .is(200);
        assertThat(draft.text("subject")).isEqualTo("Fwd: Question");
        assertThat(draft.text("forward_of")).isEqualTo("<f1@x.test>");
        assertThat(draft.text("text")).isEqualTo("Look:");
        assertThat(send(inbox, draft, "{}").is(422).text("code")).isEqualTo("unprocessable");
        patch(inbox, draft, json("to", List.of("jo@elsewhere.test"))).is(200);
        HttpProbe.Answer sent = send(inbox, draft, "{}").is(200);
        assertThat(sent.text("thread_id")).isEqualTo(thread);
        assertThat(message(inbox, sent.text("message_id")).is(200).text("text"))
                .startsWith("Look:")
                .contains("Well?");
    }

    @Test
    void aDraftThatIsSentIsGoneAndItsMessageCarriesItsLabels() {
        String inbox = world.inbox("sent");
        HttpProbe.Answer draft = create(
                        inbox, """
                {"to":"jo@elsewhere.test","subject":"Grüße","text":"Hi",\
                "labels":["one","two"],"send_at":"%s"}""".formatted(world.clock().instant().plusSeconds(3600)))
                .is(200);
        HttpProbe.Answer sent = send(inbox, draft, json("add_labels", List.of("three"), "remove_labels", "two"))
                .is(200);
        HttpProbe.Answer message = message(inbox, sent.text("message_id")).is(200);
        assertThat(message.list("labels"))
                .map(Object::toString)
                .contains("sent", "one", "three")
                .doesNotContain("two", "scheduled");
        assertThat(message.text("subject")).isEqualTo("Grüße");
        world.http().get(path(inbox, draft)).is(404);
        assertThat(send(inbox, draft, "").is(404).text("message")).isEqualTo("Draft not found");
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/drafts").is(200).list("drafts"))
                .isEmpty();
    }

    @Test
    void aDraftThatCannotBeSentStaysAsItIs() {
        String inbox = world.inbox("stays");
        HttpProbe.Answer draft = create(inbox, json("text", "Nobody")).is(200);
        send(inbox, draft, "").is(422);
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        patch(inbox, draft, json("to", "jo@elsewhere.test")).is(200);
        assertThat(send(inbox, draft, "").is(403).text("code")).isEqualTo("inbox_paused");
        assertThat(send(inbox, draft, json("add_labels", "sent")).is(400).text("code"))
                .isEqualTo("validation_error");
        assertThat(world.http().get(path(inbox, draft)).is(200).at("to")).isEqualTo(List.of("jo@elsewhere.test"));
        world.http().delete(path(inbox, draft)).is(200);
        world.http().delete(path(inbox, draft)).is(404);
    }

    @Test
    void theListIsOrderedByTheLastChangeAndNarrowedByLabelsAndTime() {
        String inbox = world.inbox("list");
        HttpProbe.Answer first =
                create(inbox, json("subject", "1", "labels", List.of("a", "b"))).is(200);
        HttpProbe.Answer second =
                create(inbox, json("subject", "2", "labels", List.of("a"))).is(200);
        HttpProbe.Answer third =
                create(inbox, json("subject", "3", "client_id", "third")).is(200);
        world.advance(Duration.ofSeconds(1));
        HttpProbe.Answer changed = patch(inbox, first, json("subject", "1b")).is(200);
        assertThat(subjects(inbox, "")).containsExactly("1b", "3", "2");
        assertThat(subjects(inbox, "?ascending=true")).containsExactly("2", "3", "1b");
        assertThat(subjects(inbox, "?labels=a")).containsExactly("1b", "2");
        assertThat(subjects(inbox, "?labels=%5B%22A%22%2C%22b%22%5D")).containsExactly("1b");
        assertThat(subjects(inbox, "?after=" + changed.text("updated_at"))).containsExactly("1b");
        assertThat(subjects(inbox, "?before=" + changed.text("updated_at"))).containsExactly("3", "2");
        HttpProbe.Answer page =
                world.http().get("/v0/inboxes/" + inbox + "/drafts?limit=2").is(200);
        assertThat(page.text("drafts.0.draft_id")).isEqualTo(first.text("draft_id"));
        assertThat(page.at("drafts.1.client_id")).isNull();
        assertThat(third.text("client_id")).isEqualTo("third");
        assertThat(page.at("drafts.0.text")).isNull();
        HttpProbe.Answer rest = world.http()
                .get("/v0/inboxes/" + inbox + "/drafts?limit=2&page_token=" + page.text("next_page_token"))
                .is(200);
        assertThat(rest.text("drafts.0.draft_id")).isEqualTo(second.text("draft_id"));
        assertThat(rest.at("next_page_token")).isNull();
    }

    @Test
    void aClientIdMakesOneDraftAndIsFreeAgainWhenThatIsGone() {
        String inbox = world.inbox("alias");
        receive(inbox, "<c1@x.test>");
        String body = json("client_id", "order-1", "to", "jo@elsewhere.test", "in_reply_to", "<c1@x.test>");
        HttpProbe.Answer first = create(inbox, body).is(200);
        assertThat(create(inbox, body).is(200).text("draft_id")).isEqualTo(first.text("draft_id"));
        assertThat(create(inbox, json("client_id", "order-1")).is(200).text("draft_id"))
                .isEqualTo(first.text("draft_id"));
        assertThat(create(inbox, json("client_id", "order-1", "forward_of", "<c1@x.test>"))
                        .is(409)
                        .text("code"))
                .isEqualTo("idempotency_conflict");
        String other = world.inbox("alias2");
        assertThat(create(other, json("client_id", "order-1")).is(409).text("code"))
                .isEqualTo("idempotency_conflict");
        send(inbox, first, "").is(200);
        HttpProbe.Answer second = create(other, json("client_id", "order-1")).is(200);
        assertThat(second.text("draft_id")).isNotEqualTo(first.text("draft_id"));
        world.http().delete("/v0/inboxes/" + other).is(200);
        create(inbox, json("client_id", "order-1")).is(200);
    }

    @Test
    @Proves("P10")
    void aClientIdShowsNobodyADraftThatItsKeyMayNotSee() {
        String body = json("human_email", "kim@human.test", "username", "kim-agent");
        String inbox = "kim-agent@mail.localhost";
        HttpProbe first = world.as(
                world.anonymous().post("/v0/agent/sign-up", body).is(200).text("api_key"));
        String draft = json("client_id", "order-9", "text", "Secret");
        first.post("/v0/inboxes/" + inbox + "/drafts", draft).is(200);
        // Ruling 23: a key rotated before verification sees nothing older.
        HttpProbe second = world.as(
                world.anonymous().post("/v0/agent/sign-up", body).is(200).text("api_key"));
        assertThat(second.get("/v0/drafts").is(200).list("drafts")).isEmpty();
        assertThat(second.post("/v0/inboxes/" + inbox + "/drafts", draft)
                        .is(409)
                        .text("code"))
                .isEqualTo("idempotency_conflict");
    }

    @Test
    void quotingNeedsMessageReadAndSchedulingNeedsDraftSend() {
        String inbox = world.inbox("flags");
        receive(inbox, "<p1@x.test>");
        HttpProbe weak = key(json("draft_create", true, "draft_update", true, "draft_read", true));
        String path = "/v0/inboxes/" + inbox + "/drafts";
        String later = world.clock().instant().plusSeconds(3600).toString();
        assertThat(weak.post(path, json("in_reply_to", "<p1@x.test>")).is(403).text("fix"))
                .contains("message_read");
        assertThat(weak.post(path, json("forward_of", "<p1@x.test>")).is(403).text("fix"))
                .contains("message_read");
        assertThat(weak.post(path, json("send_at", later)).is(403).text("fix")).contains("draft_send");
        HttpProbe.Answer draft =
                weak.post(path, json("text", "Hi", "send_at", null)).is(200);
        assertThat(weak.patch(path(inbox, draft), json("send_at", later))
                        .is(403)
                        .text("fix"))
                .contains("draft_send");
        weak.patch(path(inbox, draft), json("send_at", null, "text", "Ho")).is(200);
        weak.delete(path(inbox, draft)).is(403);
        weak.post(path(inbox, draft) + "/send", "").is(403);
    }

    @Test
    @Proves("P19a")
    void theDraftsOfADeletedInboxGoWithIt() {
        String inbox = world.inbox("deleted");
        HttpProbe.Answer draft =
                create(inbox, """
                {"attachments":[%s]}""".formatted(file("a.txt", new byte[] {1}))).is(200);
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        world.http().get("/v0/drafts/" + draft.text("draft_id")).is(404);
        await(() -> rows("draft", draft) + rows("draft_attachment", draft) == 0);
    }

    private static int rows(String table, HttpProbe.Answer draft) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select count(*) as n from " + table + " d where d.draft_id = :id::uuid")
                        .bind("id", draft.text("draft_id"))
                        .single(row -> row.integer("n")));
    }

    private static List<String> subjects(String inbox, String query) {
        return world.http().get("/v0/inboxes/" + inbox + "/drafts" + query).is(200).list("drafts").stream()
                .map(each -> String.valueOf(((Map<?, ?>) each).get("subject")))
                .toList();
    }

    private static HttpProbe key(String permissions) {
        return world.as(world.http()
                .post("/v0/api-keys", json("name", "weak", "permissions", rawJson(permissions)))
                .is(200)
                .text("api_key"));
    }

    private static HttpProbe.Answer receive(String inbox, String name) {
        world.mail(
                "jo@example.com",
                inbox,
                "From: Jo <jo@example.com>\nReply-To: desk@example.com\nTo: " + inbox
                        + ", al@example.com\nCc: cy@example.com\nSubject: Question\nMessage-ID: " + name
                        + "\nReferences: <root@x.test>\n\nWell?\n");
        return message(inbox, name).is(200);
    }
}
