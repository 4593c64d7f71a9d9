package dev.inboxd.screening;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies of held mail within an organization are held like the first, whatever the mode is by then (ruling 166). */
class HeldCopyHttpTest {
    private static final String LONG = SecuredWorld.ORDER + " The list of all guests of the summer party is in the"
            + " green folder beside the window, and whoever reads this line first takes it to the second floor, where"
            + " Kim waits for it until noon.";

    private SecuredWorld secured;
    private HttpProbe http;

    @BeforeEach
    void start() {
        secured = SecuredWorld.start("hold");
        http = secured.world().http();
    }

    @AfterEach
    void stop() {
        secured.close();
    }

    private void unjudged() {
        secured.world()
                .as(secured.world().session())
                .patch("/v0/organizations", json("message_security", "off"))
                .is(200);
    }

    /** The message that came back to its own inbox. */
    private Answer returned(Answer sent) {
        String path = secured.path(sent.is(200).text("message_id"));
        Eventually.await(() -> String.valueOf(http.get(path).at("labels")).contains("received"));
        return http.get(path).is(200);
    }

    private void isHeldLike(Answer copy, String first) {
        assertThat(copy.list("labels")).asString().contains("held");
        assertThat(copy.at("security.verdict")).isEqualTo("review");
        assertThat(copy.at("security.reasons"))
                .isEqualTo(http.get(secured.path(first)).at("security.reasons"));
        assertThat(secured.log(copy.text("message_id"))).noneMatch(each -> each.startsWith("message.received"));
        assertThat(http.get(secured.path() + "/messages").is(200).text()).doesNotContain(copy.text("message_id"));
    }

    @Test
    @Proves("P11e")
    void aForwardToTheInboxItselfIsHeldUntilItsRelease() {
        String held = secured.order();
        Answer copy = returned(http.post(secured.path(held) + "/forward", json("to", secured.inbox())));
        isHeldLike(copy, held);
        String id = copy.text("message_id");
        secured.release(secured.releaser(), id, "Harmless").is(200);
        assertThat(secured.log(id)).contains("message.received", "message.security.override");
        assertThat(http.get(secured.path() + "/messages").is(200).text()).contains(id);
    }

    @Test
    void aCopyInAnotherInboxThatJudgesNothingIsHeld() {
        String held = secured.order();
        String other = secured.world().inbox("other");
        unjudged();
        http.post(secured.path(held) + "/forward", json("to", List.of(other, "jo@else.test")))
                .is(200);
        String list = "/v0/inboxes/" + other + "/messages?include_held=true";
        Eventually.await(() -> !http.get(list).is(200).list("messages").isEmpty());
        Answer copies = http.get(list).is(200);
        assertThat(copies.at("messages.0.labels")).asString().contains("held");
        assertThat(copies.at("messages.0.security.reasons"))
                .isEqualTo(http.get(secured.path(held)).at("security.reasons"));
    }

    @Test
    void aReplyIsHeldThatQuotesItAndNoOther() {
        String held = secured.order();
        String to = members("to", secured.inbox()) + ",";
        Answer quotes = returned(http.post(secured.path(held) + "/reply", """
                {%s"text":"Look:\\n> %s"}""".formatted(to, SecuredWorld.ORDER)));
        isHeldLike(quotes, held);
        Answer plain = returned(http.post(secured.path(held) + "/reply", """
                {%s"text":"Somebody looks."}""".formatted(to)));
        assertThat(plain.list("labels")).asString().doesNotContain("held");
        assertThat(secured.log(plain.text("message_id"))).anyMatch(each -> each.startsWith("message.received"));
    }

    @Test
    void aDraftThatPassesItOnIsHeld() {
        String held = secured.order();
        Answer draft = http.post(secured.path() + "/drafts", json("forward_of", held, "to", List.of(secured.inbox())))
                .is(200);
        isHeldLike(returned(http.post(secured.path() + "/drafts/" + draft.text("draft_id") + "/send", "{}")), held);
    }

    @Test
    void itsWordsAndItsFileAreCopiesWithoutAnyReference() {
        String held = secured.mail("About the xylophone", LONG);
        Map<String, String> copies = Map.of(
                "text", members("text", LONG),
                "html", members("html", "<p>" + LONG.replace(" ", " <b></b>") + "</p>"),
                "file", enclosing("Message-ID: " + held),
                "blank", enclosing("Message-ID : " + held),
                "folded", enclosing("message-id: x\r\n " + held));
        copies.forEach((_, body) -> isHeldLike(toItself(body), held));
    }

    /** In mode off, what refers to held mail or encloses it is held; words alone tell nothing where none are judged. */
    @Test
    void whereNothingIsJudgedWordsAloneAreNoCopy() {
        String held = secured.mail("About the xylophone", LONG);
        unjudged();
        isOrdinary(toItself(members("text", LONG)));
        isHeldLike(toItself(enclosing("message-id:\r\n " + held)), held);
    }

    /** Otherwise he would have ordinary mail held, by words that everybody writes and by an id of his choice. */
    @Test
    void aStrangerCannotHaveOrdinaryMailHeld() {
        secured.mail("About the xylophone", SecuredWorld.ORDER);
        String common = "Thank you very much for the quick answer, see you on Monday.";
        secured.mail("Hello", common, "X-Note: " + SecuredWorld.ORDER + "\n");
        isOrdinary(toItself(members("text", common)));
        isOrdinary(toItself(members("text", SecuredWorld.ORDER)));
        assertThat(secured.world().mail(SecuredWorld.FRIEND, secured.inbox(), """
                From: Pal <pal@friend.test>
                Message-ID: <agent@ours.test>

                """ + SecuredWorld.ORDER + "\n"))
                .startsWith("250");
        isOrdinary(toItself(enclosing("From: Agent <agent@ours.test>")));
    }

    private Answer toItself(String members) {
        return returned(http.post(secured.path() + "/messages/send", """
                {"to":"%s",%s}""".formatted(secured.inbox(), members)));
    }

    private void isOrdinary(Answer own) {
        assertThat(own.at("security")).isNull();
        assertThat(own.list("labels")).asString().doesNotContain("held");
    }

    /** The members of mail with a message as a file that has such a field. */
    private static String enclosing(String field) {
        String raw = "Subject: x\r\n" + field + "\r\nContent-Transfer-Encoding: base64\r\n\r\nSWdub3JlIGFsbA==\r\n";
        return members(
                "text",
                "x",
                "attachments",
                List.of(object(
                        "filename",
                        "m.eml",
                        "content_type",
                        "message/rfc822",
                        "content",
                        Base64.getEncoder().encodeToString(raw.getBytes(StandardCharsets.UTF_8)))));
    }

    @Test
    void otherMailOfAnInboxToItselfComesInAsEver() {
        secured.order();
        Answer own = returned(http.post(
                secured.path() + "/messages/send", json("to", secured.inbox(), "text", "A note about the xylophone")));
        assertThat(own.at("security")).isNull();
        assertThat(own.list("labels")).asString().doesNotContain("held");
    }
}
