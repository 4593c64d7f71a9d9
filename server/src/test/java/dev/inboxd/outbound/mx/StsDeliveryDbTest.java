package dev.inboxd.outbound.mx;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.Dns;
import dev.inboxd.net.FakeDns;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.SecureDns;
import dev.inboxd.net.TrustingHttp;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.ClientTls;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.smtp.client.MessageSource;
import dev.inboxd.smtp.client.SmtpClient;
import dev.inboxd.smtp.client.SmtpEnvelope;
import dev.inboxd.smtp.client.SmtpPool;
import dev.inboxd.smtp.client.SmtpResult;
import dev.inboxd.smtp.client.SmtpTimeouts;
import dev.inboxd.smtp.client.TestAuthority;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** MTA-STS from the record in the DNS over the policy by HTTPS to the session with the mail host, all on sockets. */
class StsDeliveryDbTest {
    private static final SmtpEnvelope ENVELOPE =
            new SmtpEnvelope(null, AddrSpec.parse("a@far.test"), 3, SmtpEnvelope.Content.SEVEN_BIT);
    private static final MessageSource MESSAGE = out -> out.write("x\r\n".getBytes(StandardCharsets.US_ASCII));
    private static TestAuthority authority;
    private static TestAuthority.Server policyHost;
    private static TestAuthority.Server mailHost;
    private static TestAuthority.Server foreign;

    private final FakeDns zone = FakeDns.start();
    private final FakeMx mx = new FakeMx("PIPELINING", "STARTTLS");
    private final AtomicInteger fetched = new AtomicInteger();
    private volatile String policy = "";
    private volatile String type = "text/plain; charset=utf-8";
    private volatile int status = 200;

    @RegisterExtension
    private final World world = World.start();

    private HttpsServer web;
    private SafeHttp http;
    private SmtpPool pool;

    @BeforeAll
    static void certificates(@TempDir Path folder) {
        authority = new TestAuthority(folder);
        policyHost = authority.server("dns:mta-sts.far.test");
        mailHost = authority.server("dns:mx.far.test");
        foreign = authority.server("dns:mx.near.test");
    }

    @BeforeEach
    void start() throws Exception {
        mx.tls(mailHost.context());
        serve(policyHost);
        http = TrustingHttp.of(
                new Dns(zone.servers(), Duration.ofSeconds(5)), ClientTls.together(List.of(authority.certificate())));
        pool = new SmtpPool(
                new SmtpClient(
                        "mail.inboxd.example",
                        SmtpTimeouts.all(Duration.ofSeconds(20)),
                        new ClientTls(List.of(authority.certificate()))),
                1,
                20,
                Duration.ofSeconds(10));
        zone.mailExchangers("far.test", "10 mx.far.test")
                .addresses("mx.far.test", "127.0.0.1")
                .addresses("mta-sts.far.test", "127.0.0.1");
        zone.text("_mta-sts.far.test", "v=STSv1; id=1;");
        policy("enforce", "mx.far.test", 86_400);
    }

    private void serve(TestAuthority.Server certified) throws IOException {
        web = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.setHttpsConfigurator(new HttpsConfigurator(certified.context()));
        web.createContext("/.well-known/mta-sts.txt", exchange -> {
            fetched.incrementAndGet();
            byte[] body = policy.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        web.start();
    }

    @AfterEach
    void stop() {
        pool.close();
        http.close();
        web.stop(0);
        mx.close();
        zone.close();
    }

    private void policy(String mode, String host, int maxAge) {
        policy = "version: STSv1\r\nmode: " + mode + "\r\nmx: " + host + "\r\nmax_age: " + maxAge + "\r\n";
    }

    private SecureDns dns() {
        return new SecureDns(new Dns(zone.servers(), Duration.ofSeconds(5)), false);
    }

    private StsPolicies policies() {
        return new StsPolicies(
                world.database(), dns(), http, ":" + web.getAddress().getPort());
    }

    /** A service that was just started. */
    private SmtpResult deliver() {
        SecureDns dns = dns();
        StsPolicies policies = policies();
        MxResolver hosts = new MxResolver(dns, new MxResolver.Config("mx.here.test", mx.port(), AddressPolicy.ANY));
        return new MxDelivery(hosts, policies, pool)
                .deliver("far.test", ENVELOPE, MESSAGE)
                .result();
    }

    private void isTaken() {
        assertThat(deliver()).isInstanceOf(SmtpResult.Success.class);
    }

    private void waits() {
        int before = mx.mails().size();
        assertThat(deliver()).isInstanceOf(SmtpResult.TransientFailure.class);
        assertThat(mx.mails()).hasSize(before);
    }

    @Test
    @Proves("P2d")
    void anEnforcedPolicyWantsTheNamedHostsOwnCertificate() {
        isTaken();
        mx.tls(foreign.context());
        waits();
    }

    @Test
    void aHostThatTheEnforcedPolicyDoesNotNameGetsNothing() {
        policy("enforce", "*.near.test", 86_400);
        waits();
        assertThat(mx.commands()).isEmpty();
    }

    @Test
    void aPolicyThatIsTestedHoldsNothingUp() {
        policy("testing", "mx.far.test", 86_400);
        mx.tls(foreign.context());
        isTaken();
        policy("testing", "*.near.test", 86_400);
        zone.forget("_mta-sts.far.test").text("_mta-sts.far.test", "v=STSv1; id=2;");
        isTaken();
    }

    @Test
    @Proves("P2d")
    void thePolicyIsKeptThoughItsRecordAndItsHostAreHidden() {
        isTaken();
        assertThat(fetched).hasValue(1);
        isTaken();
        assertThat(fetched).hasValue(1); // the same id
        zone.forget("_mta-sts.far.test");
        web.stop(0);
        mx.tls(foreign.context());
        waits();
    }

    @Test
    void theAgeOfAPolicyEnds() {
        isTaken();
        zone.forget("_mta-sts.far.test");
        mx.tls(foreign.context());
        world.advance(Duration.ofDays(2));
        isTaken();
    }

    /** RFC 8461 §3.3: else who hides the policy in the moment it ends is rid of it. */
    @Test
    @Proves("P2d")
    void aPolicyIsFetchedAgainBeforeItEndsAlsoWhereNoMailGoesJustNow() {
        policy("enforce", "mx.far.test", 7 * 86_400);
        isTaken();
        policies().refresh();
        assertThat(fetched).hasValue(1);
        for (int day = 2; day <= 20; day++) {
            world.advance(Duration.ofHours(25));
            policies().refresh();
            assertThat(fetched).hasValue(day);
        }
        mx.tls(foreign.context());
        zone.forget("_mta-sts.far.test");
        waits();
        world.advance(Duration.ofDays(8)); // nobody looked after it
        isTaken();
    }

    @Test
    @Proves("P2d")
    void aPolicyThatCannotBeFetchedAgainHoldsToItsEndAndIsAskedForAgainInAnHour() {
        policy("enforce", "mx.far.test", 7 * 86_400);
        isTaken();
        mx.tls(foreign.context());
        status = 500;
        world.advance(Duration.ofHours(25));
        policies().refresh();
        policies().refresh();
        assertThat(fetched).hasValue(2);
        waits();
        world.advance(Duration.ofMinutes(61));
        status = 200;
        policies().refresh();
        assertThat(fetched).hasValue(3);
        world.advance(Duration.ofDays(6).plusHours(20));
        status = 500;
        waits(); // the new age counts from the second answer
    }

    @Test
    void wherePastMailWentAPolicyEnds() {
        policy("enforce", "mx.far.test", 300 * 86_400);
        isTaken();
        world.advance(Duration.ofDays(61));
        policies().refresh();
        assertThat(fetched).hasValue(1);
    }

    @Test
    void anotherIdFetchesAnotherPolicyAndTheOldOneHoldsWhenThatFails() {
        isTaken();
        zone.forget("_mta-sts.far.test").text("_mta-sts.far.test", "v=STSv1; id=2;");
        status = 500;
        mx.tls(foreign.context());
        waits();
        status = 200;
        policy("none", "mx.far.test", 86_400);
        isTaken();
    }

    @Test
    void whatIsNotServedAsAPolicyIsNone() throws Exception {
        mx.tls(foreign.context()); // taken only where there is no policy
        status = 301;
        isTaken();
        status = 200;
        type = "text/html";
        isTaken();
        type = "text/plain";
        policy = "x".repeat(StsPolicy.LARGEST + 1);
        isTaken();
        policy("enforce", "mx.far.test", 86_400);
        web.stop(0);
        serve(foreign); // whose certificate is not the policy host's
        isTaken();
        web.stop(0);
        serve(policyHost);
        waits();
    }
}
