package dev.inboxd.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.ResolverAnswer;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

class MailDnsTest {
    private final FakeDns server = FakeDns.start();
    private final MailDns dns = new MailDns(server.servers(), Duration.ofSeconds(5));

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyKindOfRecordIsReadAsItIs() {
        server.text("t.example", "v=spf1 ", "-all")
                .addresses("a.example", "192.0.2.1", "2001:db8::1")
                .mailExchangers("m.example", "20 b.example", "10 a.example")
                .mailExchangers("null.example", "0 .");
        assertThat(dns.texts("T.example.")).isEqualTo(ResolverAnswer.of(List.of("v=spf1 -all")));
        assertThat(dns.addresses("a.example", false).records()).containsExactly(InetAddress.ofLiteral("192.0.2.1"));
        assertThat(dns.addresses("a.example", true).records()).containsExactly(InetAddress.ofLiteral("2001:db8::1"));
        assertThat(dns.mailExchangers("m.example").records()).containsExactly("a.example", "b.example");
        assertThat(dns.mailExchangers("null.example"))
                .isEqualTo(new ResolverAnswer<>(ResolverAnswer.Status.DATA, List.of()));
        assertThat(dns.texts("a.example").status()).isEqualTo(ResolverAnswer.Status.NO_DATA);
        assertThat(dns.texts("no.example").status()).isEqualTo(ResolverAnswer.Status.NO_NAME);
        assertThat(dns.texts("a..example").status()).isEqualTo(ResolverAnswer.Status.NO_NAME);
        assertThat(dns.names(InetAddress.ofLiteral("192.0.2.1")).status()).isEqualTo(ResolverAnswer.Status.NO_NAME);
        assertThat(dns.addresses("localhost", false).status()).isEqualTo(ResolverAnswer.Status.NO_NAME);
    }

    @Test
    void anAnswerIsAskedForOnceAndAFailureAgain() {
        server.text("t.example", "x").failing("f.example", Type.TXT);
        for (int i = 0; i < 3; i++) {
            assertThat(dns.texts("t.example").records()).containsExactly("x");
            assertThat(dns.texts("no.example").isVoid()).isTrue();
        }
        assertThat(server.questions())
                .filteredOn(question -> !question.equals(". NS"))
                .containsExactly("t.example. TXT", "no.example. TXT");
        assertThat(dns.texts("f.example").isFailed()).isTrue();
        int before = server.questions().size();
        assertThat(dns.texts("f.example").isFailed()).isTrue();
        assertThat(server.questions().size()).isGreaterThan(before);
    }

    /** Attack A11: a sender's DNS that fails says nothing about ours. */
    @Test
    @Proves("A11")
    void aDomainThatFailsDoesNotMakeOurServersAway() {
        server.failing("f.example", Type.TXT).silent("s.example", Type.TXT);
        MailDns hurried = new MailDns(server.servers(), Duration.ofMillis(300));
        assertThat(hurried.texts("f.example").isFailed()).isTrue();
        assertThat(hurried.isAway()).isFalse();
        assertThat(hurried.texts("s.example").isFailed()).isTrue();
        assertThat(hurried.isAway()).isFalse();
        server.text("t.example", "x");
        assertThat(hurried.texts("t.example").records()).containsExactly("x");
    }

    @Test
    void serversThatSayNothingAreAwayAndAskedNoMoreForAMoment() throws IOException {
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            MailDns away = new MailDns(
                    List.of(new InetSocketAddress(silent.getLocalAddress(), silent.getLocalPort())),
                    Duration.ofMillis(200));
            assertThat(away.texts("a.example").isFailed()).isTrue();
            assertThat(away.isAway()).isTrue();
            assertThat(away.texts("b.example").isFailed()).isTrue();
        }
    }

    @Test
    void withoutAnyServerNothingIsKnown() {
        MailDns none = new MailDns(List.of(), Duration.ofSeconds(5));
        assertThat(none.texts("a.example").isFailed()).isTrue();
        assertThat(none.isAway()).isTrue();
    }

    @Test
    void theCacheForgetsInTimeAndKeepsToItsRoom() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L); // nanoseconds may turn over
        AnswerCache<String, String> cache = new AnswerCache<>(640, now::get);
        cache.put("a", "1", 10, 10);
        now.addAndGet(9_999_999_999L);
        assertThat(cache.get("a")).isEqualTo("1");
        now.addAndGet(1);
        assertThat(cache.get("a")).isNull();
        cache.put("giant", "x", 11, 60);
        cache.put("never", "x", 1, 0);
        assertThat(cache.get("giant")).as("one may not take it all").isNull();
        assertThat(cache.get("never")).isNull();
        for (int i = 0; i < 65; i++) {
            cache.put("k" + i, "v", 10, 60);
            assertThat(cache.get("k0")).as("what is used stays").isEqualTo("v");
        }
        assertThat(cache.get("k1")).as("what was not used the longest goes").isNull();
        assertThat(cache.get("k2")).isEqualTo("v");
    }
}
