package dev.inboxd.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

final class DnsTest {
    private final FakeDns server = FakeDns.start();
    private final Dns dns = new Dns(server.servers(), Duration.ofSeconds(5));

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void bothFamiliesAreFoundWithIpv4First() {
        server.addresses("both.example", "2606:2800:220::1", "93.184.216.34");
        assertThat(found("both.example")).containsExactly("93.184.216.34", "2606:2800:220:0:0:0:0:1");
    }

    @Test
    void aMappedIpv6AnswerStaysIpv6() {
        server.addresses("mapped.example", "::ffff:127.0.0.1");
        assertThat(((DnsAnswer.Records<InetAddress>) dns.addresses("mapped.example"))
                        .records()
                        .getFirst()
                        .getAddress())
                .hasSize(16);
    }

    @Test
    void anUnknownNameIsMissingAndAKnownOneWithoutAddressesExists() {
        server.mailExchangers("mail-only.example", "10 mx.example");
        assertThat(dns.addresses("unknown.example")).isEqualTo(new DnsAnswer.Missing<>(false));
        assertThat(dns.addresses("mail-only.example")).isEqualTo(new DnsAnswer.Missing<>(true));
    }

    @Test
    void whatIsNoDomainNameIsMissingWithoutAQuestion() {
        assertThat(dns.addresses("a..b")).isEqualTo(new DnsAnswer.Missing<>(false));
        assertThat(dns.mailExchangers("x".repeat(64) + ".example")).isEqualTo(new DnsAnswer.Missing<>(false));
        assertThat(server.questions()).isEmpty();
    }

    @Test
    void localhostIsLoopbackWithoutAQuestion() {
        assertThat(found("localhost")).containsExactly("127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(found("app.LOCALHOST")).hasSize(2);
        assertThat(server.questions()).isEmpty();
    }

    @Test
    void aFailingServerIsUnavailable() {
        server.failing("broken.example", Type.A).failing("broken.example", Type.AAAA);
        assertThat(dns.addresses("broken.example")).isInstanceOf(DnsAnswer.Unavailable.class);
    }

    @Test
    void aSilentServerIsUnavailableAfterTheDeadline() {
        server.silent("silent.example", Type.A).silent("silent.example", Type.AAAA);
        Dns hurried = new Dns(server.servers(), Duration.ofMillis(200));
        assertThat(hurried.addresses("silent.example")).isEqualTo(new DnsAnswer.Unavailable<>("no answer in time"));
    }

    @Test
    void oneFamilyFailingDoesNotHideTheOther() {
        server.addresses("half.example", "93.184.216.34").failing("other.example", Type.A);
        assertThat(found("half.example")).containsExactly("93.184.216.34");
    }

    @Test
    void aliasesAreFollowedAFewSteps() {
        server.alias("www.example", "web.example")
                .alias("web.example", "host.example")
                .addresses("host.example", "93.184.216.34");
        assertThat(found("www.example")).containsExactly("93.184.216.34");
    }

    @Test
    void anAliasLoopEnds() {
        server.alias("a.example", "b.example").alias("b.example", "a.example");
        assertThat(dns.addresses("a.example")).isInstanceOf(DnsAnswer.Unavailable.class);
    }

    @Test
    void anEndlessAliasChainEnds() {
        IntStream.range(0, 50).forEach(i -> server.alias("c" + i + ".example", "c" + (i + 1) + ".example"));
        server.addresses("c50.example", "93.184.216.34");
        assertThat(dns.addresses("c0.example")).isInstanceOf(DnsAnswer.Unavailable.class);
    }

    @Test
    void twoHundredAddressesAreTakenOverTcpAndTwoThousandRefused() {
        server.manyAddresses("many.example", 200).manyAddresses("flood.example", 2_000);
        assertThat(found("many.example")).hasSize(200);
        assertThat(dns.addresses("flood.example")).isEqualTo(new DnsAnswer.Unavailable<>("more than 256 records"));
    }

    @Test
    void mailExchangersComeInOrderOfPreference() {
        server.mailExchangers("domain.example", "20 second.example", "10 first.example", "30 third.example");
        assertThat(dns.mailExchangers("domain.example"))
                .isEqualTo(new DnsAnswer.Records<>(List.of(
                        new MailExchanger(10, "first.example"),
                        new MailExchanger(20, "second.example"),
                        new MailExchanger(30, "third.example"))));
    }

    @Test
    void aNullExchangerIsAnEmptyListAndNoExchangerIsMissing() {
        server.mailExchangers("never.example", "0 .").addresses("implicit.example", "93.184.216.34");
        assertThat(dns.mailExchangers("never.example")).isEqualTo(new DnsAnswer.Records<>(List.of()));
        assertThat(dns.mailExchangers("implicit.example")).isEqualTo(new DnsAnswer.Missing<>(true));
        assertThat(dns.mailExchangers("nowhere.example")).isEqualTo(new DnsAnswer.Missing<>(false));
    }

    @Test
    void serversAreReadFromTheSetting() {
        assertThat(DnsServers.parse("192.0.2.53, 192.0.2.54:5353,[2001:db8::53]:54,[2001:db8::1]").stream()
                        .map(InetSocketAddress::toString))
                .containsExactly(
                        "/192.0.2.53:53",
                        "/192.0.2.54:5353",
                        "/[2001:db8:0:0:0:0:0:53]:54",
                        "/[2001:db8:0:0:0:0:0:1]:53");
        assertThatIllegalArgumentException().isThrownBy(() -> DnsServers.parse("dns.example"));
        assertThatIllegalArgumentException().isThrownBy(() -> DnsServers.parse("192.0.2.53:"));
        assertThatIllegalArgumentException().isThrownBy(() -> DnsServers.parse("192.0.2.53:70000"));
        assertThatIllegalArgumentException().isThrownBy(() -> DnsServers.parse("192.0.2.53,"));
    }

    private List<String> found(String name) {
        return switch (dns.addresses(name)) {
            case DnsAnswer.Records<InetAddress>(List<InetAddress> addresses) ->
                addresses.stream().map(InetAddress::getHostAddress).toList();
            case DnsAnswer<InetAddress> other -> throw new AssertionError(other);
        };
    }
}
