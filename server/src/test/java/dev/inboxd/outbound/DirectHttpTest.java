package dev.inboxd.outbound;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.queue.ReturnPath;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** Mail to the recipients' own servers: real DNS, real SMTP, several hosts at addresses of their own. */
class DirectHttpTest extends DirectFixture {
    @Test
    @Proves("P3a")
    void theMostPreferredHostIsTriedFirstAndTheNextWhenItIsAway() throws Exception {
        world.dns().mailExchangers("far.test", "20 mx2.far.test", "10 mx1.far.test");
        send("ann@far.test");
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<ann@far.test>");
        mx.answer(At.CONNECT, "421 4.3.2 closing").answer(At.RSET, "421 4.3.2 closing");
        send("bob@far.test");
        assertThat(second.nextMail().recipients()).containsExactly("RCPT TO:<bob@far.test>");
        await(() -> count("r.state = 'delivered'") == 2);
    }

    @Test
    void hostsOfEqualPreferenceShareTheMail() {
        world.dns().mailExchangers("far.test", "10 mx1.far.test", "10 mx2.far.test");
        for (int i = 0; i < 40; i++) {
            send("r" + i + "@far.test");
        }
        await(() -> mx.mails().size() + second.mails().size() == 40);
        assertThat(mx.mails()).isNotEmpty();
        assertThat(second.mails()).isNotEmpty();
    }

    /** RFC 5321 §5.1: a busy host is no failure; an equally preferred host takes the mail, a worse one does not. */
    @Test
    @Tag("long")
    @Proves("P3")
    void whereAHostHasAllItsSessionsInUseOneOfEqualPreferenceIsTriedAndNoOther() throws Exception {
        world.close();
        world = world(Map.of("INBOXD_LIMITS", "outbound_connections=1,requests=1000"));
        inbox = world.inbox("agent");
        world.dns()
                .addresses("mx1.far.test", "127.0.0.1")
                .addresses("mx2.far.test", "127.0.0.2")
                .mailExchangers("slow.test", "10 mx1.far.test")
                .mailExchangers("strict.test", "10 mx1.far.test", "20 mx2.far.test")
                .mailExchangers("far.test", "10 mx1.far.test", "10 mx2.far.test");
        CountDownLatch release = new CountDownLatch(1);
        mx.at(At.RCPT, FakeMx.hold(release, "250 2.1.5 now"));
        try {
            send("ann@slow.test");
            await(() -> mx.commands().stream().anyMatch(command -> command.startsWith("RCPT")));
            send("bob@strict.test");
            for (int i = 0; i < 8; i++) { // each finds the first host first half of the time
                send("r" + i + "@far.test");
                assertThat(second.nextMail().recipients()).containsExactly("RCPT TO:<r" + i + "@far.test>");
            }
        } finally {
            release.countDown();
        }
        await(() -> count("r.state = 'delivered'") == 10);
        assertThat(mx.mails())
                .extracting(mail -> mail.recipients().getFirst())
                .containsExactlyInAnyOrder("RCPT TO:<ann@slow.test>", "RCPT TO:<bob@strict.test>");
    }

    /** Of the three hosts of far.test, both of the better preference have all their sessions in use until then. */
    private void useBoth(CountDownLatch one, CountDownLatch two) {
        world.close();
        world = world(Map.of("INBOXD_LIMITS", "outbound_connections=1,requests=1000"));
        inbox = world.inbox("agent");
        world.dns()
                .addresses("mx1.far.test", "127.0.0.1")
                .addresses("mx2.far.test", "127.0.0.2")
                .addresses("mx3.far.test", "127.0.0.3")
                .mailExchangers("one.test", "10 mx1.far.test")
                .mailExchangers("two.test", "10 mx2.far.test")
                .mailExchangers("far.test", "10 mx1.far.test", "10 mx2.far.test", "20 mx3.far.test");
        mx.at(At.RCPT, FakeMx.hold(one, "250 2.1.5 now"));
        second.at(At.RCPT, FakeMx.hold(two, "250 2.1.5 now"));
        send("ann@one.test");
        send("bea@two.test");
        await(() -> mx.commands().stream().anyMatch(command -> command.startsWith("RCPT"))
                && second.commands().stream().anyMatch(command -> command.startsWith("RCPT")));
    }

    @Test
    void whereAllHostsAreInUseTheFirstThatIsFreeTakesTheMail() throws Exception {
        CountDownLatch one = new CountDownLatch(1);
        CountDownLatch two = new CountDownLatch(1);
        try (FakeMx worse = mx.beside("127.0.0.3", USUAL)) {
            useBoth(one, two);
            for (int i = 0; i < 8; i++) { // each finds the first host first half of the time
                send("r" + i + "@far.test");
            }
            second.usual(At.RCPT);
            two.countDown();
            for (int i = 0; i < 9; i++) {
                assertThat(second.nextMail().recipients()).hasSize(1);
            }
            await(() -> count("r.state = 'delivered'") == 9);
            assertThat(count("r.held > 0"))
                    .as("waited for the other one, and was put off")
                    .isZero();
            assertThat(mx.mails()).isEmpty();
            assertThat(worse.commands()).isEmpty();
        } finally {
            one.countDown();
        }
    }

    @Test
    void aHostThatWasWaitedForAndOpensNoSessionIsNotTheLastOfItsPreference() throws Exception {
        CountDownLatch one = new CountDownLatch(1);
        CountDownLatch two = new CountDownLatch(1);
        try (FakeMx worse = mx.beside("127.0.0.3", USUAL)) {
            useBoth(one, two);
            for (int i = 0; i < 5; i++) {
                send("r" + i + "@far.test");
            }
            mx.answer(At.CONNECT, "421 4.3.2 closing").answer(At.RSET, "421 4.3.2 closing");
            one.countDown();
            await(() -> mx.commands().stream().filter("CONNECT"::equals).count() > 1);
            two.countDown();
            for (int i = 0; i < 6; i++) {
                assertThat(second.nextMail().recipients()).hasSize(1);
            }
            assertThat(worse.commands()).isEmpty();
        } finally {
            one.countDown();
            two.countDown();
        }
    }

    @Test
    void aDomainWithoutMxRecordsIsItsOwnHostAlsoByAnotherName() throws Exception {
        world.dns().addresses("plain.test", "127.0.0.1").alias("other.test", "plain.test");
        send("ann@plain.test");
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<ann@plain.test>");
        send("ann@other.test");
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<ann@other.test>");
    }

    @Test
    @Proves("P3a")
    void whereNobodyTakesMailItBouncesAtOnceAndBlocksNobody() {
        world.dns()
                .mailExchangers("null.test", "0 .")
                .mailExchangers("empty.test", "10 gone.far.test")
                .mailExchangers("loop.test", "10 mx.mail.localhost", "20 mx1.far.test");
        send("a@null.test", "a@nowhere.test", "a@empty.test", "a@loop.test");
        await(() -> count("r.state = 'bounced'") == 4);
        assertThat(replies())
                .containsExactlyInAnyOrder(
                        "556 5.1.10 null.test takes no mail",
                        "550 5.1.2 There is no domain nowhere.test",
                        "550 5.4.4 gone.far.test has no address",
                        "554 5.4.6 The MX records of loop.test name this server, which has no inboxes of it");
        assertThat(world.http().get("/v0/lists/send/block").is(200).at("count")).isEqualTo(0L);
        assertThat(mx.commands()).isEmpty();
    }

    @Test
    void aHostAboveUsIsTriedAndOneBehindUsIsNot() throws Exception {
        world.dns().mailExchangers("backup.test", "5 mx2.far.test", "10 mx.mail.localhost", "20 mx1.far.test");
        second.answer(At.CONNECT, "421 4.3.2 closing");
        send("a@backup.test");
        await(() -> count("r.state = 'queued' and r.attempts = 1") == 1);
        assertThat(mx.commands()).isEmpty();
        assertThat(second.commands()).contains("CONNECT");
    }

    @Test
    @Proves("A21")
    void anInnerAddressIsNotConnectedToInProductionsWay() {
        world.close();
        world = world(Map.of("INBOXD_PRIVATE_TARGETS", "deny"));
        inbox = world.inbox("agent");
        world.dns()
                .mailExchangers("inner.test", "10 mx1.far.test", "20 localhost", "30 10.0.0.1")
                .addresses("mx1.far.test", "127.0.0.1", "169.254.169.254", "::1");
        send("a@inner.test", "a@[127.0.0.1]", "a@[IPv6:::1]");
        await(() -> count("r.state = 'bounced'") == 3);
        assertThat(replies())
                .contains("550 5.4.4 mx1.far.test has no public address", "550 5.4.4 [127.0.0.1] is no public address");
        assertThat(mx.commands()).isEmpty();
    }

    @Test
    @Proves("P3a")
    void aDnsThatIsSilentOrBrokenDelaysAndNeverBounces() {
        world.dns()
                .failing("broken.test", Type.MX)
                .mailExchangers("half.test", "10 lost.half.test")
                .failing("lost.half.test", Type.A)
                .failing("lost.half.test", Type.AAAA);
        send("a@broken.test", "a@half.test");
        await(() -> count("r.state = 'queued' and r.attempts = 1 and r.due_at > now() + interval '4 minutes'") == 2);
        assertThat(replies()).allMatch(reply -> reply.startsWith("451 4.4.3"));
    }

    @Test
    @Proves("P3a")
    void recipientsAtOneDomainHaveATransactionAReturnPathAndAResultEach() throws Exception {
        world.dns().mailExchangers("far.test", "10 mx1.far.test");
        mx.answerRecipient("bob@far.test", "550 5.1.1 nobody").answerRecipient("cat@far.test", "450 4.2.2 full");
        List<String> others =
                IntStream.range(0, 8).mapToObj(i -> "other" + i + "@far.test").toList();
        List<String> all = Stream.concat(Stream.of("bob@far.test", "cat@far.test"), others.stream())
                .toList();
        send(all.toArray(String[]::new));
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < others.size(); i++) {
            FakeMx.Received mail = mx.nextMail();
            assertThat(mail.recipients()).hasSize(1);
            positions.put(mail.recipients().getFirst(), returnPath(mail).position());
        }
        for (String other : others) {
            assertThat(positions).containsEntry("RCPT TO:<" + other + ">", all.indexOf(other) + 1);
        }
        await(() -> count("r.attempts = 1 and r.state = 'delivered'") == others.size());
        await(() -> count("r.state = 'sending'") == 0);
        assertThat(state("bob@far.test")).isEqualTo("bounced");
        assertThat(state("cat@far.test")).isEqualTo("queued");
        assertThat(told("message.sent")).as("it left once").isEqualTo(1);
        assertThat(told("message.delivered")).isEqualTo(others.size());
        assertThat(told("message.bounced")).isEqualTo(1);
    }

    @Test
    void recipientsAtDifferentDomainsHaveReturnPathsOfTheirOwn() throws Exception {
        world.dns().mailExchangers("far.test", "10 mx1.far.test").mailExchangers("near.test", "10 mx2.far.test");
        send("ann@far.test", "bob@near.test");
        ReturnPath ann = returnPath(mx.nextMail());
        ReturnPath bob = returnPath(second.nextMail());
        assertThat(ann.organization()).isEqualTo(world.organization());
        assertThat(ann.submission()).isEqualTo(bob.submission());
        assertThat(List.of(ann.position(), bob.position())).containsExactly(1, 2);
    }

    @Test
    @Proves("P2c")
    void aSlowDestinationDelaysNoOther() throws Exception {
        world.dns().mailExchangers("slow.test", "10 mx2.far.test").mailExchangers("far.test", "10 mx1.far.test");
        CountDownLatch held = new CountDownLatch(1);
        second.at(At.DATA, FakeMx.hold(held, "354 go on"));
        for (int i = 0; i < 30; i++) {
            send("r" + i + "@slow.test");
        }
        await(() -> count("r.state = 'sending'") == 5); // its share, as long as nothing has been taken
        send("ann@far.test");
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<ann@far.test>");
        assertThat(second.mails()).isEmpty();
        held.countDown();
        await(() -> count("r.state = 'delivered'") == 31);
    }

    @Test
    @Proves("P2c")
    void whoAsksForPatienceGetsNoMoreForAWhile() throws Exception {
        world.dns().mailExchangers("slow.test", "10 mx2.far.test").mailExchangers("far.test", "10 mx1.far.test");
        second.answer(At.MAIL, "421 4.7.0 too much mail");
        send("a@slow.test");
        await(() -> count("r.state = 'queued' and r.attempts = 1") == 1);
        second.usual(At.MAIL);
        second.commands().clear();
        send("b@slow.test");
        send("ann@far.test");
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<ann@far.test>");
        send("bob@far.test");
        assertThat(mx.nextMail().recipients()).containsExactly("RCPT TO:<bob@far.test>");
        assertThat(second.commands()).doesNotContain("CONNECT");
        assertThat(count("r.recipient = 'b@slow.test' and r.attempts = 0")).isEqualTo(1);
    }

    @Test
    void anAnswerThatWaitsToBeWrittenDownKeepsNobodyFromItsDestination() throws Exception {
        world.close();
        world = world(Map.of("INBOXD_LIMITS", "outbound_connections=1"));
        inbox = world.inbox("agent");
        world.dns().addresses("mx1.far.test", "127.0.0.1").mailExchangers("far.test", "10 mx1.far.test");
        HttpProbe other = world.as(world.otherOrganization());
        String neighbour = other.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        CountDownLatch answer = new CountDownLatch(1);
        mx.at(At.CONTENT, FakeMx.hold(answer, "250 2.0.0 taken"));
        send("ann@far.test");
        await(() -> mx.commands().contains("DATA"));
        world.database()
                .run(
                        world.organization(),
                        _ -> { // what becomes of Ann's mail is written after this
                            answer.countDown();
                            other.post(
                                            "/v0/inboxes/" + neighbour + "/messages/send",
                                            json("to", "bob@far.test", "text", "Hi"))
                                    .is(200);
                            await(() -> mx.mails().size() == 2);
                            assertThat(state("ann@far.test")).isEqualTo("sending");
                        });
        await(() -> count("r.state = 'delivered'") == 2);
    }

    @Test
    void anAddressBeyondAsciiBouncesFromAnOldHostAndKeepsTheMailFromNobodyElse() throws Exception {
        try (FakeMx old = mx.beside("127.0.0.3", "PIPELINING", "8BITMIME")) {
            world.dns().mailExchangers("old.test", "10 mx3.far.test").addresses("mx3.far.test", "127.0.0.3");
            world.http()
                    .post(
                            "/v0/inboxes/" + inbox + "/messages/send",
                            json("to", "ann@old.test", "bcc", List.of("jörg@old.test"), "text", "Hi"))
                    .is(200);
            assertThat(old.nextMail().recipients()).containsExactly("RCPT TO:<ann@old.test>");
            await(() -> count("r.state in ('bounced', 'delivered')") == 2);
            assertThat(replies()).anyMatch(reply -> reply.startsWith("553 5.6.7"));
        }
    }

    @Test
    void whatLeavesIsSignedTwiceAndBothSignaturesHold() throws Exception {
        world.dns().mailExchangers("far.test", "10 mx1.far.test");
        send("ann@far.test");
        String content = mx.nextMail().content();
        world.database()
                .<Integer>read(tx -> tx.sql("select s.dns_record, s.second_record from signing_key s")
                        .single(row -> {
                            world.dns()
                                    .longText("inboxd._domainkey.mail.localhost", row.text("dns_record"))
                                    .text("inboxd-ed25519._domainkey.mail.localhost", row.text("second_record"));
                            return 0;
                        }));
        String reader = world.inbox("reader");
        assertThat(world.mail("joe@relay.test", reader, content)).startsWith("250");
        HttpProbe.Answer list = world.http()
                .get("/v0/inboxes/" + reader + "/messages?include_unauthenticated=true")
                .is(200);
        String name = URLEncoder.encode(list.text("messages.0.message_id"), StandardCharsets.UTF_8);
        assertThat(world.http()
                        .get("/v0/inboxes/" + reader + "/messages/" + name)
                        .is(200)
                        .list("authentication.dkim"))
                .extracting("result", "algorithm")
                .containsExactlyInAnyOrder(tuple("pass", "rsa-sha256"), tuple("pass", "ed25519-sha256"));
    }

    private ReturnPath returnPath(FakeMx.Received mail) {
        String path =
                mail.mail().substring(mail.mail().indexOf('<') + 1, mail.mail().indexOf('>'));
        AddrSpec address = AddrSpec.parse(path);
        assertThat(address.domain()).isEqualTo("mail.localhost");
        return new ReturnPaths(world.vault().deriveAll("return paths"))
                .read(address.localPart())
                .orElseThrow();
    }

    private String state(String recipient) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select r.state from submission_recipient r" + " where r.recipient = :recipient")
                        .bind("recipient", recipient)
                        .single(row -> row.text("state")));
    }

    private int told(String type) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from event e where e.type = :type")
                        .bind("type", type)
                        .single(row -> row.integer("n")));
    }
}
