package dev.inboxd.outbound;

import static dev.inboxd.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.smtp.client.TestAuthority;
import dev.inboxd.testing.Proves;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Type;

/** Which TLS mail leaves over: with DANE (RFC 7672), and to a relay that gets a password. */
class DirectTlsHttpTest extends DirectFixture {
    private static TestAuthority authority;
    private static TestAuthority.Server certified;

    @BeforeAll
    static void certificates(@TempDir Path folder) {
        authority = new TestAuthority(folder);
        certified = authority.server("dns:mx1.far.test");
    }

    @Test
    @Proves("P2d")
    void withDaneMailTravelsOverTheTlsThatTheZoneProvesOrNotAtAll() throws Exception {
        mx.tls(certified.context());
        second.tls(certified.context());
        world.dns()
                .proving("far.test")
                .mailExchangers("far.test", "10 mx1.far.test")
                .certificates(
                        "mx1.far.test",
                        mx.port(),
                        "3 1 1 "
                                + HexFormat.of()
                                        .formatHex(MessageDigest.getInstance("SHA-256")
                                                .digest(certified
                                                        .own()
                                                        .getPublicKey()
                                                        .getEncoded())));
        send("ann@far.test");
        mx.nextMail();
        assertThat(mx.commands()).contains("TLS [mx1.far.test]");

        world.dns()
                .proving("wrong.test")
                .mailExchangers("wrong.test", "10 mx2.wrong.test")
                .addresses("mx2.wrong.test", "127.0.0.2")
                .certificates("mx2.wrong.test", mx.port(), "3 1 1 " + "00".repeat(32));
        world.dns()
                .proving("hidden.test")
                .mailExchangers("hidden.test", "10 mx2.hidden.test")
                .addresses("mx2.hidden.test", "127.0.0.2")
                .failing("_" + mx.port() + "._tcp.mx2.hidden.test", Type.TLSA);
        send("a@wrong.test", "a@hidden.test");
        await(() -> count("r.state = 'queued' and r.attempts = 1") == 2);
        assertThat(second.mails()).isEmpty();

        world.dns()
                .mailExchangers("unproven.test", "10 mx2.unproven.test")
                .addresses("mx2.unproven.test", "127.0.0.2")
                .certificates("mx2.unproven.test", mx.port(), "3 1 1 " + "00".repeat(32));
        send("a@unproven.test");
        assertThat(second.nextMail().recipients()).containsExactly("RCPT TO:<a@unproven.test>");
    }

    /** RFC 7671 §7, RFC 7672 §2.2.2. */
    @Test
    @Proves("P2d")
    void withDaneTheNameThatAnAliasLeadsToCountsWhereAllIsProvenAndElseTheFirst() throws Exception {
        mx.tls(certified.context());
        second.tls(certified.context());
        String right = "3 1 1 "
                + HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256")
                                .digest(certified.own().getPublicKey().getEncoded()));
        String wrong = "3 1 1 " + "00".repeat(32);
        world.dns()
                .proving("proven.test")
                .mailExchangers("proven.test", "10 alias.proven.test")
                .alias("alias.proven.test", "end.proven.test")
                .addresses("end.proven.test", "127.0.0.1")
                .certificates("alias.proven.test", mx.port(), wrong)
                .certificates("end.proven.test", mx.port(), right);
        send("a@proven.test");
        mx.nextMail();
        assertThat(mx.commands()).contains("TLS [end.proven.test]");

        world.dns()
                .proving("half.test")
                .mailExchangers("half.test", "10 alias.half.test")
                .alias("alias.half.test", "end.half.test")
                .addresses("end.half.test", "127.0.0.1")
                .certificates("alias.half.test", mx.port(), right);
        send("a@half.test");
        mx.nextMail();
        assertThat(mx.commands()).contains("TLS [alias.half.test]");

        // An alias that is proven leads out of what is: who stands there must still be the one whom the alias names.
        world.dns()
                .proving("out.test")
                .mailExchangers("out.test", "10 alias.out.test")
                .alias("alias.out.test", "elsewhere.unproven.test")
                .canonicalName("alias.out.test", "elsewhere.unproven.test")
                .addresses("elsewhere.unproven.test", "127.0.0.2")
                .certificates("alias.out.test", mx.port(), wrong)
                .certificates("elsewhere.unproven.test", mx.port(), right);
        send("a@out.test");
        await(() -> count("r.state = 'queued' and r.attempts = 1 and r.recipient = 'a@out.test'") == 1);
        assertThat(replies()).anyMatch(reply -> reply.contains("No TLS with alias.out.test"));
        assertThat(second.mails()).isEmpty();
    }

    @Test
    @Tag("long")
    void aRelayIsToldThePasswordOverTlsThatItsAuthorityVouchesForOnly() throws Exception {
        world.close();
        try (FakeMx relay = new FakeMx("STARTTLS", "AUTH PLAIN").tls(certified.context())) {
            String url = "smtp://joe:secret@localhost:" + relay.port() + "?tls=required";
            world = World.start(Map.of(
                    "INBOXD_RELAY", url, "INBOXD_OUTBOUND_CA", authority.pem().toString()));
            inbox = world.inbox("agent");
            send("ann@far.test");
            await(() -> count("r.state = 'queued' and r.attempts = 1") == 1);
            assertThat(relay.commands()).noneMatch(command -> command.startsWith("AUTH"));
            relay.tls(authority.server("dns:localhost").context());
            send("bob@far.test");
            assertThat(relay.nextMail().recipients()).containsExactly("RCPT TO:<bob@far.test>");
            assertThat(relay.commands()).containsSubsequence("TLS [localhost]", "AUTH PLAIN AGpvZQBzZWNyZXQ=", "DATA");
        }
    }
}
