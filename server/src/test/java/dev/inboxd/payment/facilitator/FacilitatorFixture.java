package dev.inboxd.payment.facilitator;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.FakeDns;
import dev.inboxd.net.NetConfig;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetRules;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** Clients of services, with bounds that a test can reach. */
final class FacilitatorFixture implements AutoCloseable {
    static final ServiceLimits SHORT =
            new ServiceLimits(2, Duration.ofMillis(300), Duration.ofMillis(1_500), Duration.ofMillis(1_500));
    /** For a machine under load: none of these is reached where a service answers. */
    static final ServiceLimits LONG = ServiceLimits.USUAL;

    static final PaymentQuestion QUESTION = PaymentQuestion.exact(
            "pay_1",
            Map.of("x402Version", 2L, "payload", Map.of("authorization", Map.of("from", "0xAbC"))),
            Map.of("scheme", "exact"));

    final Metrics metrics = new Metrics();
    private final FakeDns dns = FakeDns.start().addresses("facilitator.example", "127.0.0.1");
    private final NetConfig net = new NetConfig(dns.servers(), TargetRules.DEVELOPMENT, "inboxd/test");
    private final SafeHttp anywhere = net.operatorHttp();
    private final SafeHttp nearby = net.operatorHttp(AddressPolicy.PRIVATE);

    FakeDns dns() {
        return dns;
    }

    NetConfig net() {
        return net;
    }

    ServiceClient service(String url, ServiceLimits limits) {
        return new ServiceClient(parts(anywhere, limits), URI.create(url), Map.of("x-key", "s3cret"));
    }

    ServiceClient.Parts anywhere() {
        return parts(anywhere, LONG);
    }

    ServiceClient.Parts nearby() {
        return parts(nearby, LONG);
    }

    private ServiceClient.Parts parts(SafeHttp http, ServiceLimits limits) {
        ServiceClient.Parts usual = ServiceClient.Parts.of(http, metrics);
        return new ServiceClient.Parts(http, limits, usual.times());
    }

    PaymentJudge facilitator(String url) {
        return new FacilitatorClient(service(url, LONG));
    }

    @Override
    public void close() {
        anywhere.close();
        nearby.close();
        dns.close();
    }
}
