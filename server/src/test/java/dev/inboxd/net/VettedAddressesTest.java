package dev.inboxd.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.net.HttpOutcome.Failure;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.util.Promise;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Type;

/** What DNS can do to an exchange: rebinding, mixed answers, floods and loops. */
final class VettedAddressesTest {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final FakeDns server = FakeDns.start();
    private final FakeEndpoint endpoint = FakeEndpoint.start();
    private final Dns dns = new Dns(server.servers(), Duration.ofSeconds(5));

    @AfterEach
    void stop() throws IOException {
        endpoint.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.1.2.3",
                "169.254.169.254",
                "::1",
                "::ffff:127.0.0.1",
                "fd00:ec2::254",
                "64:ff9b::7f00:1"
            })
    void aNameThatLeadsInsideIsRefusedBeforeAnyConnection(String address) {
        server.addresses("inside.example", address);
        assertThat(failure(post(AddressPolicy.PUBLIC, "inside.example"))).isEqualTo(Failure.REFUSED_ADDRESS);
        assertThat(endpoint.connections()).isZero();
    }

    @Test
    @Proves("A21")
    void oneForbiddenAnswerAmongPublicOnesRefusesAll() {
        server.addresses("mixed.example", "93.184.216.34", "2606:2800:220::1", "127.0.0.1")
                .addresses("mixed6.example", "93.184.216.34", "::1");
        assertThat(failure(post(AddressPolicy.PUBLIC, "mixed.example"))).isEqualTo(Failure.REFUSED_ADDRESS);
        assertThat(failure(post(AddressPolicy.PUBLIC, "mixed6.example"))).isEqualTo(Failure.REFUSED_ADDRESS);
        assertThat(endpoint.connections()).isZero();
    }

    @Test
    @Proves("A39a")
    void aNameThatLeadsToAPortOfThisServerIsRefused() {
        server.addresses("self.example", "127.0.0.1").addresses("both.example", "93.184.216.34", "127.0.0.1");
        OwnPorts own = new OwnPorts();
        own.add(URI.create(endpoint.url("x.example", "/")).getPort());
        TargetRules rules = new TargetRules(AddressPolicy.ANY, true, true, own);
        try (SafeHttp http = new SafeHttp(rules, dns, "inboxd/test")) {
            for (String name : List.of("self.example", "both.example")) {
                assertThat(failure(post(http, name, http.lookUp(target(http, name)))))
                        .isEqualTo(Failure.REFUSED_ADDRESS);
            }
        }
        assertThat(endpoint.connections()).isZero();
    }

    @Test
    void theReasonDoesNotTellWhatAnInnerNameLeadsTo() {
        server.addresses("inside.example", "10.1.2.3");
        assertThat(((HttpOutcome.NoResponse) post(AddressPolicy.PUBLIC, "inside.example")).detail())
                .doesNotContain("10.1.2.3");
    }

    @Test
    @Proves("A22")
    void theAddressesOfOneLookupAreAllThereIsToConnectTo() throws ExecutionException, InterruptedException {
        server.addresses("rebind.example", "93.184.216.34").addresses("rebind.example", "127.0.0.1");
        VettedAddresses addresses = new VettedAddresses(dns, TargetRules.PRODUCTION, Runnable::run);
        assertThat(resolve(addresses, "rebind.example").get())
                .extracting(address -> address.getAddress().getHostAddress())
                .containsExactly("93.184.216.34");
        assertThat(server.questions()).hasSize(2); // A and AAAA, once
        assertThatThrownBy(() -> resolve(addresses, "rebind.example").get())
                .hasCauseInstanceOf(VettedAddresses.Unreachable.class);
    }

    @Test
    @Proves("A22")
    void aRebindingNameIsAskedOnceAndReachedWhereItWasVetted() {
        server.addresses("rebind.example", "127.0.0.1").addresses("rebind.example", "127.0.0.99");
        assertThat(post(AddressPolicy.ANY, "rebind.example")).isInstanceOf(HttpOutcome.Response.class);
        assertThat(endpoint.take().fields().get("Host")).startsWith("rebind.example:");
        assertThat(server.questions()).hasSize(2);
    }

    /**
     * Whoever was given a place at an address gets there and nowhere else, however long that took (promises.md A25).
     */
    @Test
    @Proves("A25")
    void aPostGoesToWhatWasSeenWhenItsPlaceWasGivenWhateverTheDnsSaysByThen() {
        server.addresses("moves.example", "127.0.0.1").addresses("moves.example", "127.0.0.99");
        DnsAnswer<InetAddress> seen = look("moves.example");
        assertThat(look("moves.example")).isNotEqualTo(seen);
        try (SafeHttp http = http(AddressPolicy.ANY)) {
            assertThat(post(http, "moves.example", seen)).isInstanceOf(HttpOutcome.Response.class);
            assertThat(server.questions()).hasSize(4);
            // Nor over the connection of others of its lane, which is kept.
            assertThat(failure(post(http, "moves.example", look("moves.example"))))
                    .isEqualTo(Failure.CONNECT);
            assertThat(post(http, "moves.example", seen)).isInstanceOf(HttpOutcome.Response.class);
        }
        assertThat(endpoint.connections()).isEqualTo(1);
    }

    @Test
    void whatLedNowhereWhenItsPlaceWasGivenReachesNobody() {
        server.addresses("later.example")
                .addresses("later.example", "127.0.0.1")
                .failing("broken.example", Type.A)
                .failing("broken.example", Type.AAAA)
                .addresses("broken.example", "127.0.0.1");
        try (SafeHttp http = http(AddressPolicy.ANY)) {
            for (String name : List.of("later.example", "broken.example")) {
                assertThat(failure(post(http, name, http.lookUp(target(http, name)))))
                        .isEqualTo(Failure.DNS);
            }
        }
        assertThat(endpoint.connections()).isZero();
    }

    @Test
    void whatLedInsideWhenItsPlaceWasGivenIsRefusedAlthoughItLeadsOutsideByThen() {
        server.addresses("inside.example", "93.184.216.34", "10.1.2.3").addresses("inside.example", "93.184.216.34");
        try (SafeHttp http = http(AddressPolicy.PUBLIC)) {
            assertThat(failure(post(http, "inside.example", http.lookUp(target(http, "inside.example")))))
                    .isEqualTo(Failure.REFUSED_ADDRESS);
        }
    }

    @Test
    void aFloodOfAnswersAndALoopOfAliasesAreDnsFailures() {
        server.manyAddresses("flood.example", 2_000)
                .alias("a.example", "b.example")
                .alias("b.example", "a.example");
        assertThat(failure(post(AddressPolicy.PUBLIC, "flood.example"))).isEqualTo(Failure.DNS);
        assertThat(failure(post(AddressPolicy.PUBLIC, "a.example"))).isEqualTo(Failure.DNS);
    }

    @Test
    void anAliasToAnInnerNameIsRefused() {
        server.alias("outer.example", "inner.example").addresses("inner.example", "192.168.0.1");
        assertThat(failure(post(AddressPolicy.PUBLIC, "outer.example"))).isEqualTo(Failure.REFUSED_ADDRESS);
    }

    @Test
    void anAddressInTheUrlIsReachedWithoutDns() {
        try (SafeHttp http = http(AddressPolicy.ANY)) {
            for (String host : List.of("127.0.0.1", "2130706433", "0x7f.1")) {
                assertThat(post(http, host)).isInstanceOf(HttpOutcome.Response.class);
                assertThat(endpoint.take().fields().get("Host")).startsWith("127.0.0.1:");
            }
        }
        assertThat(server.questions()).isEmpty();
    }

    private static CompletableFuture<List<InetSocketAddress>> resolve(VettedAddresses addresses, String host) {
        Promise.Completable<List<InetSocketAddress>> promise = new Promise.Completable<>();
        addresses.resolve(host, 443, Map.of(), promise);
        return promise;
    }

    private HttpOutcome post(AddressPolicy policy, String host) {
        try (SafeHttp http = http(policy)) {
            return post(http, host);
        }
    }

    private HttpOutcome post(SafeHttp http, String host) {
        return http.post(new PostRequest(target(http, host), List.of(), "{}".getBytes(UTF_8), DEADLINE, "ep"));
    }

    private HttpOutcome post(SafeHttp http, String host, DnsAnswer<InetAddress> found) {
        return http.post(new PostRequest(
                target(http, host),
                List.of(),
                "{}".getBytes(UTF_8),
                DEADLINE,
                new PostRequest.ConnectionGroup("ep", found)));
    }

    private Target target(SafeHttp http, String host) {
        return ((TargetCheck.Valid) http.check(endpoint.url(host, "/"))).target();
    }

    /** As of now: nobody remembers anything. */
    private DnsAnswer<InetAddress> look(String host) {
        try (SafeHttp http = http(AddressPolicy.ANY)) {
            return http.lookUp(target(http, host));
        }
    }

    private SafeHttp http(AddressPolicy policy) {
        return new SafeHttp(new TargetRules(policy, true, true), dns, "inboxd/test");
    }

    private static Failure failure(HttpOutcome outcome) {
        assertThat(outcome).isInstanceOf(HttpOutcome.NoResponse.class);
        return ((HttpOutcome.NoResponse) outcome).kind();
    }
}
