package dev.inboxd.console.approval;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.server.World;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Drafts that wait, as somebody sees, edits and decides them at the console. */
class ConsoleApprovalHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static ConsoleProbe console;
    private static String inboxPath;

    @BeforeAll
    static void start() {
        console = ConsoleProbe.of(world, "approved");
        inboxPath = "/v0/inboxes/" + console.inbox();
        console.sends("/inboxes/" + console.inbox(), "do", "approval-on").is(303);
    }

    private static Answer asks(String path, String body) {
        Answer waits = world.http().post(inboxPath + path, body).is(200);
        assertThat(waits.text("status")).isEqualTo("awaiting_approval");
        return waits;
    }

    private static String draftPath(Answer waits) {
        return "/inboxes/" + console.inbox() + "/drafts/" + waits.text("draft_id");
    }

    private static String waitingPath(Answer waits) {
        return "/approvals/draft/" + console.inbox() + "/" + waits.text("draft_id");
    }

    private static String shownTime(String page) {
        return ConsoleProbe.between(page, "name=\"updated_at\" value=\"", "\"");
    }

    @Test
    void whoIsOutsideTheConversationIsMarkedAndWhoWroteItIsNamed() {
        console.received("question", "Subject: Your question\r\n\r\nWhat does it cost?\r\n");
        Answer waits = asks("/messages/%3Cquestion@shop.test%3E/reply", """
                {"to":["Jo <jo@shop.test>","eve@evil.test"],"text":"See http://pay.test/now <b>"}""");
        String page = console.page(draftPath(waits));
        assertThat(page)
                .contains(
                        "<b>Jo &lt;jo@shop.test&gt;</b></li>",
                        "<b>eve@evil.test</b> <span class=\"chip held\">not in the conversation</span>"
                                + " <span class=\"chip held\">never written to before</span>",
                        "See http://pay.test/now &lt;b&gt;",
                        "Your question</a> from Jo: What does it cost?",
                        "written with the key <a href=\"/console/keys/")
                .doesNotContain("href=\"http://pay.test");
        assertThat(console.page(waitingPath(waits)))
                .contains("not in the conversation", "Always allow eve@evil.test", "1 of 1");
        world.http().delete("/v0" + draftPath(waits)).is(200);
    }

    @Test
    void whereAnswersGoAndTheFieldsOfTheMessageAreShown() {
        Answer waits = asks("/messages/send", """
                {"to":"jo@shop.test","text":"Hi","reply_to":"eve@evil.test",\
                "headers":{"X-Campaign":"spring <b>"}}""");
        assertThat(console.page(draftPath(waits)))
                .contains("replies go to</span> <b>eve@evil.test</b>", "X-Campaign:</span> <code>spring &lt;b&gt;")
                .contains("Always allow jo@shop.test")
                .doesNotContain("Always allow eve@evil.test");
        world.http().delete("/v0" + draftPath(waits)).is(200);
    }

    @Test
    void whatTheFormattedTextSaysHidesAndLeadsToIsShown() {
        Answer waits = asks("/messages/send", """
                {"to":"jo@shop.test","subject":"Both","text":"All is well","html":"<p>Pay\
                 <a href='https://evil.test/pay'>here</a> today</p><p style='font-size:0'>Account 4711</p>"}""");
        assertThat(console.page(draftPath(waits)))
                .contains(
                        "Starts a new conversation",
                        "All is well",
                        "Formatted text</summary><pre class=\"text\" dir=\"auto\">Pay here today",
                        "<code>https://evil.test/pay</code>",
                        "<mark>Account 4711</mark>");
        world.http().delete("/v0" + draftPath(waits)).is(200);
    }

    @Test
    void aDraftIsEditedAndLeavesAsEdited() {
        Answer waits = asks("/messages/send", """
                {"to":["jo@shop.test","eve@evil.test"],"subject":"The price","text":"\\nIt costs 5.\\n",\
                "html":"<p>It costs 5.</p>"}""");
        String page = console.page(draftPath(waits));
        assertThat(page)
                .contains("value=\"jo@shop.test, eve@evil.test\"", "<textarea name=\"text\" rows=\"10\">\n\nIt");
        String read = shownTime(page);
        console.sends(draftPath(waits), edit("save", read, "The price", "\r\nIt costs 5.\r\n"))
                .is(303);
        Answer saved = world.http().get("/v0" + draftPath(waits)).is(200);
        assertThat(saved.text("text")).isEqualTo("\nIt costs 5.\n");
        assertThat(saved.text("html")).isEqualTo("<p>It costs 5.</p>"); // the text is the same
        assertThat(saved.list("to")).asString().doesNotContain("eve@evil.test");
        assertThat(console.sends(draftPath(waits), edit("approve", read, "The price", "It costs 7."))
                        .is(409)
                        .text())
                .contains("Somebody changed the draft since you opened it");
        String current = shownTime(console.page(draftPath(waits)));
        console.sends(draftPath(waits), edit("approve", current, "The new price", "It costs 7."))
                .is(303);
        Answer sent = world.http()
                .get(inboxPath + "/messages/" + ConsoleProbe.encoded(waits.text("message_id")))
                .is(200);
        assertThat(sent.text("subject")).isEqualTo("The new price");
        assertThat(sent.text("text")).startsWith("It costs 7.");
        assertThat(sent.text()).doesNotContain("It costs 5");
    }

    private static String[] edit(String what, String read, String subject, String text) {
        return new String[] {
            "do", what, "updated_at", read, "to", "jo@shop.test", "cc", "", "bcc", "", "subject", subject, "text", text
        };
    }

    @Test
    void aLongDraftIsApprovedWhereAllOfItIsShown() {
        Answer waits = asks(
                "/messages/send",
                json("to", "jo@shop.test", "subject", "Long", "text", "word ".repeat(300) + "the end"));
        assertThat(console.page("/approvals"))
                .contains("approved → jo@shop.test", "message to approve", waitingPath(waits))
                .doesNotContain("word word", "name=\"do\" value=\"approve\"");
        assertThat(console.page(waitingPath(waits)))
                .contains("the end</pre>", "Approve and send <kbd>a</kbd>", "Reject <kbd>x</kbd>");
        assertThat(console.page(draftPath(waits)))
                .contains("the end</pre>", ">Approve and send</button>")
                .doesNotContain("data-key=\"a\"");
        world.http().delete("/v0" + draftPath(waits)).is(200);
        assertThat(world.operator().get("/console" + waitingPath(waits)).is(404).text())
                .contains("Draft not found");
    }

    private Answer decides(Answer waits, String what, String read) {
        return console.sends(
                "/approvals",
                "do",
                what,
                "inbox_id",
                console.inbox(),
                "draft_id",
                waits.text("draft_id"),
                "updated_at",
                read);
    }

    @Test
    void theNextOneComesByItselfAndWhatChangedIsRefused() {
        String pages = "/console/approvals/draft/" + console.inbox() + "/";
        Answer first = asks("/messages/send", json("to", "jo@shop.test", "subject", "One", "text", "1"));
        Answer second = asks("/messages/send", json("to", "jo@shop.test", "subject", "Two", "text", "2"));
        Answer third = asks("/messages/send", json("to", "jo@shop.test", "subject", "Three", "text", "3"));
        String page = console.page(waitingPath(second));
        assertThat(page)
                .contains("2 of 3", pages + first.text("draft_id") + "\" data-key=\"k\"")
                .contains(pages + third.text("draft_id") + "\" data-key=\"j\"", "data-still");
        console.sends(draftPath(second), edit("save", shownTime(page), "Two", "4"))
                .is(303);
        assertThat(decides(second, "approve", shownTime(page)).status()).isEqualTo(409);
        page = console.page(waitingPath(second));
        assertThat(decides(second, "reject", shownTime(page)).is(303).header("Location"))
                .isEqualTo(pages + third.text("draft_id") + "?done=rejected");
        page = console.page(waitingPath(third));
        assertThat(page).contains("2 of 2");
        assertThat(decides(third, "approve", shownTime(page)).is(303).header("Location"))
                .isEqualTo(pages + first.text("draft_id") + "?done=approved");
        assertThat(console.page(waitingPath(first) + "?done=approved"))
                .contains("Approved. The message is on its way.", "1 of 1")
                .doesNotContain("never written to before");
        assertThat(decides(first, "approve", shownTime(console.page(waitingPath(first))))
                        .is(303)
                        .header("Location"))
                .isEqualTo("/console/approvals?done=approved");
        assertThat(console.page("/approvals?done=approved")).contains("Nothing to approve.");
        world.http().delete("/v0" + draftPath(second)).is(200);
    }

    @Test
    void whoIsAlwaysAllowedNeedsNoApprovalAnyMore() {
        String mail = json("to", "friend@shop.test", "subject", "Hi", "text", "Hello");
        Answer waits = asks("/messages/send", mail);
        console.sends(
                        "/approvals",
                        "do",
                        "approve",
                        "inbox_id",
                        console.inbox(),
                        "draft_id",
                        waits.text("draft_id"),
                        "updated_at",
                        shownTime(console.page(draftPath(waits))),
                        "always",
                        "friend@shop.test")
                .is(303);
        Answer second = world.http().post(inboxPath + "/messages/send", mail).is(200);
        assertThat(second.at("status")).isNull();
        assertThat(console.page("/inboxes/" + console.inbox())).contains("friend@shop.test", "Require approval again");
        console.sends("/inboxes/" + console.inbox(), "do", "exemption-off", "address", "friend@shop.test")
                .is(303);
        Answer third = asks("/messages/send", mail);
        world.http().delete("/v0" + draftPath(third)).is(200);
    }
}
