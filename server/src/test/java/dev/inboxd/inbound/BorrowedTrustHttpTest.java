package dev.inboxd.inbound;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.tenant.domain.PublishedZone;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a sender would get by another's name, by a pass of another domain or by an id that he saw. The client is always
 * 127.0.0.1, which relay.test, friend.test and out.big.test name in SPF.
 */
class BorrowedTrustHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @BeforeAll
    static void start() {
        String here = "v=spf1 ip4:127.0.0.1 -all";
        world.dns()
                .text("relay.test", here)
                .text("friend.test", here)
                .text("out.big.test", here)
                .text("_dmarc.big.test", "v=DMARC1; p=reject")
                .text("out.plain.test", here);
    }

    @Test
    @Proves("A9d")
    void aPassOfAnotherDomainIsNotTheAuthorsWord() {
        String inbox = world.inbox("aligned");
        assertThat(aligned(inbox, "x@relay.test", "jo@relay.test")).isTrue();
        assertThat(aligned(inbox, "x@relay.test", "jo@friend.test")).isFalse();
        assertThat(aligned(inbox, "x@out.big.test", "jo@big.test"))
                .as("one owner, as DMARC finds")
                .isTrue();
        assertThat(aligned(inbox, "x@out.plain.test", "jo@plain.test"))
                .as("nobody says so")
                .isFalse();
        assertThat(aligned(inbox, "x@relay.test", "jo@news.relay.test"))
                .as("the domain above")
                .isTrue();
        assertThat(aligned(inbox, "x@relay.test", "jo@relay.test>, <al@relay.test"))
                .as("two authors")
                .isFalse();
        assertThat(aligned(inbox, "x@nowhere.test", "jo@relay.test")).isFalse();
    }

    /** Nothing of our own comes from outside, unless our own domain signed it. */
    @Test
    @Proves("A9c")
    void mailFromOutsideInTheNameOfTheServiceIsUnauthenticated() {
        String inbox = world.inbox("victim");
        String colleague = world.inbox("colleague");
        for (String author : List.of(colleague, "nobody@mail.localhost", "Boss@MAIL.LOCALHOST", "b+x@mail.localhost")) {
            assertThat(labels(inbox, "x@relay.test", author, "")).as(author).contains("unauthenticated");
        }
        assertThat(labels(inbox, "x@relay.test", "jo@friend.test", ""))
                .as("elsewhere a pass of another domain is enough for the label")
                .doesNotContain("unauthenticated");
        world.dns().text("mail.localhost", "v=spf1 ip4:127.0.0.1 -all");
        assertThat(labels(inbox, colleague, colleague, "")).doesNotContain("unauthenticated");
    }

    @Test
    @Proves("A9c")
    void mailFromOutsideInTheNameOfADomainOfACustomerIsUnauthenticatedUnlessThatVeryDomainVouches() {
        String inbox = world.inbox("customer");
        String path = "/v0/domains/firm.example";
        world.http().post("/v0/domains", json("domain", "firm.example")).is(200);
        assertThat(labels(inbox, "x@relay.test", "boss@firm.example", ""))
                .as("whoever registers a name changes nothing for it")
                .doesNotContain("unauthenticated");
        PublishedZone.publish(world.dns(), world.http().get(path).is(200));
        world.http().post(path + "/verify", "").is(200);
        world.advance(Duration.ofSeconds(61));
        world.http().post(path + "/verify", "").is(200);
        world.dns().text("out.firm.example", "v=spf1 ip4:127.0.0.1 -all");
        assertThat(labels(inbox, "x@relay.test", "boss@firm.example", "")).contains("unauthenticated");
        assertThat(labels(inbox, "x@out.firm.example", "boss@firm.example", ""))
                .as("a subdomain is not that very domain, though DMARC passes")
                .contains("unauthenticated");
    }

    @Test
    @Proves("A9d")
    void aNameOnTheAllowListLetsNobodyElseIn() {
        String inbox = world.inbox("listing");
        entry(inbox, "receive/allow", "friend.test");
        entry(inbox, "receive/allow", "jo@big.test");
        assertThat(labels(inbox, "jo@friend.test", "jo@friend.test", "")).doesNotContain("blocked", "spam");
        assertThat(labels(inbox, "x@out.big.test", "Jo@big.test", "")).doesNotContain("blocked", "spam");
        assertThat(labels(inbox, "x@relay.test", "jo@friend.test", ""))
                .contains("blocked", "spam")
                .doesNotContain("unauthenticated");
        assertThat(labels(inbox, "x@nowhere.test", "jo@friend.test", "")).contains("blocked", "spam");
        assertThat(labels(inbox, "x@friend.test", "jo@friend.test>, <x@relay.test", ""))
                .contains("blocked");
        assertThat(labels(inbox, "x@friend.test", "x@relay.test> (jo@friend.test", ""))
                .contains("blocked");
    }

    @Test
    @Proves({"A9d", "A13"})
    void anIdThatSomebodySawOpensNothingButTheThread() {
        String inbox = world.inbox("asking");
        entry(inbox, "receive/allow", "nobody.test");
        String copies = "," + members("cc", "al@relay.test", "bcc", "mo@out.big.test");
        String sent = send(inbox, members("to", "Jo <jo@friend.test>") + copies);
        String answer = "In-Reply-To: " + sent + "\n";
        for (String author : List.of("jo@friend.test", "JO+q@friend.test", "al@relay.test", "mo@out.big.test")) {
            String domain = author.substring(author.indexOf('@'));
            assertThat(labels(inbox, "x" + domain, author, answer)).as(author).doesNotContain("blocked", "spam");
        }
        assertThat(labels(inbox, "x@relay.test", "jo@friend.test", answer))
                .as("his name, and a pass of another domain")
                .contains("blocked", "spam");
        assertThat(labels(inbox, "x@nowhere.test", "jo@friend.test", answer)).contains("blocked", "spam");
        assertThat(labels(inbox, "eve@friend.test", "eve@friend.test", answer))
                .as("another of his domain")
                .contains("blocked", "spam");
        assertThat(labels(inbox, "jo@friend.test", "eve@friend.test", answer))
                .as("the envelope is not the author")
                .contains("blocked", "spam");
        HttpProbe.Answer message = world.http().get(path(inbox, sent)).is(200);
        assertThat(world.http()
                        .get("/v0/threads/" + message.text("thread_id"))
                        .is(200)
                        .list("messages"))
                .as("all of them are in the conversation")
                .hasSize(9);
    }

    @Test
    @Proves({"A9d", "P11a"})
    void whomAnInboxBlocksHeIsBlockedInHisAnswersToo() {
        String inbox = world.inbox("parting");
        String sent = send(inbox, members("to", "jo@friend.test"));
        assertThat(labels(inbox, "jo@friend.test", "jo@friend.test", "In-Reply-To: " + sent + "\n"))
                .doesNotContain("blocked");
        entry(inbox, "receive/block", "jo@friend.test");
        assertThat(labels(inbox, "jo@friend.test", "jo@friend.test", "In-Reply-To: " + sent + "\n"))
                .contains("blocked");
    }

    private static String send(String inbox, String recipients) {
        return world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {%s,"text":"Well?"}""".formatted(recipients))
                .is(200)
                .text("message_id");
    }

    private static void entry(String inbox, String list, String entry) {
        world.http()
                .post("/v0/inboxes/" + inbox + "/lists/" + list, json("entry", entry))
                .is(200);
    }

    private static List<String> labels(String inbox, String reversePath, String author, String more) {
        return receive(inbox, reversePath, author, more).list("labels").stream()
                .map(String::valueOf)
                .toList();
    }

    private static boolean aligned(String inbox, String reversePath, String author) {
        return Boolean.TRUE.equals(receive(inbox, reversePath, author, "").at("authentication.aligned"));
    }

    private static HttpProbe.Answer receive(String inbox, String reversePath, String author, String more) {
        String name = "<" + UUID.randomUUID() + "@x.test>";
        assertThat(world.mail(reversePath, inbox, lure(author, name, more))).startsWith("250");
        return world.http().get(path(inbox, name)).is(200);
    }

    private static String path(String inbox, String name) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private static String lure(String author, String name, String more) {
        return "From: \"service@bank.test\" <" + author + ">\nTo: a@b.test\nSubject: ACCOUNT LOCKED\nMessage-ID: "
                + name + "\n" + more + "\nSee http://198.51.100.7/login\n";
    }
}
