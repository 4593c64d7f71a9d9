package dev.inboxd.payment;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.http.AdminToken;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.mailbox.attachment.KeptFileMemory;
import dev.inboxd.net.NetConfig;
import dev.inboxd.payment.authorization.PaymentVariant;
import dev.inboxd.payment.facilitator.PaymentJudge;
import dev.inboxd.payment.facilitator.PaymentJudges;
import dev.inboxd.payment.gate.CallPrices;
import dev.inboxd.payment.gate.ChargeGate;
import dev.inboxd.payment.gate.ChargeOffers;
import dev.inboxd.payment.gate.ExactGate;
import dev.inboxd.payment.gate.ExactOffers;
import dev.inboxd.payment.gate.GateParts;
import dev.inboxd.payment.gate.PaymentLimits;
import dev.inboxd.payment.ledger.Payers;
import dev.inboxd.payment.ledger.Payment;
import dev.inboxd.payment.metric.PaymentMeters;
import dev.inboxd.payment.mpp.ChallengeSeal;
import dev.inboxd.payment.offer.CallDescription;
import dev.inboxd.payment.offer.ExactOffer;
import dev.inboxd.payment.offer.PaymentTerms;
import dev.inboxd.payment.offer.PaymentsFile;
import dev.inboxd.payment.offer.PriceList;
import dev.inboxd.payment.operator.OperatorPayments;
import dev.inboxd.payment.operator.PaymentAdminHttp;
import dev.inboxd.payment.purchase.PaymentProofs;
import dev.inboxd.payment.purchase.PaymentWork;
import dev.inboxd.payment.purchase.Purchases;
import dev.inboxd.payment.purchase.Settlements;
import dev.inboxd.payment.purchase.StoredRequests;
import dev.inboxd.payment.view.PaymentHttp;
import dev.inboxd.tenant.organization.Organizations;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The hosts where calls are paid for, and what was paid. */
public final class PaymentModule implements ServiceModule {
    private final PlatformModule platform;
    private final PaymentConfig config;
    private final Parts parts;
    private final Payers payers;
    private final PaymentJudges judges;
    private @Nullable PaymentsFile file;

    /**
     * What the hosts are made from.
     *
     * @param trials calls of the routes that nobody is told of
     * @param calls calls of the routes, of which the audit log is told
     * @param fetcher fetches files by URL
     * @param description describes the API at each host
     */
    public record Parts(
            Organizations organizations,
            NetConfig net,
            LocalCalls trials,
            LocalCalls calls,
            AttachmentFetcher fetcher,
            CallDescription description) {}

    /** The payments of this platform; without a host there are none. */
    public PaymentModule(PaymentConfig config, PlatformModule platform, Parts parts) {
        this.config = config;
        this.platform = platform;
        this.parts = parts;
        this.payers = new Payers(platform.database(), parts.organizations);
        this.judges = new PaymentJudges(parts.net, config.facilitator(), platform.metrics());
    }

    @Override
    public void mount(RouteTable routes) {
        new PaymentHttp(platform.database()).mount(routes.at(Level.ORGANIZATION_ITSELF));
        Set<String> routeNames = routes.routes().stream()
                .filter(HostRoutes::isThere)
                .map(route -> route.method() + " " + route.template())
                .collect(Collectors.toSet());
        if (!config.isEnabled()) { // keys of accounts that paid once can pay here no more than anywhere
            PriceList shipped = PaymentConfig.usual(routeNames).prices();
            routes.sell(
                    new CallPrices(() -> shipped)::costs,
                    "The operator has switched off the address where it was paid for.");
            PaymentTerms before = config.termsBefore(routeNames);
            finishing(purchases(new PaymentMeters(new Metrics()), () -> before));
            return;
        }
        file = config.open(routeNames);
        PaymentTerms usual = file == null ? PaymentConfig.usual(routeNames) : file.terms();
        Supplier<PaymentTerms> terms = file == null ? () -> usual : file::terms;
        CallPrices prices = new CallPrices(() -> terms.get().prices());
        routes.sell(prices::costs, "Make it at " + config.anyBase() + ", where it is paid for.");
        GateParts gate = gate(prices, terms);
        HostRoutes hosts = new HostRoutes(routes, parts.description, terms);
        config.x402().ifPresent(at -> hosts.serve(at, PaymentVariant.X402, exactGate(at, gate, terms)));
        config.mpp().ifPresent(at -> hosts.serve(at, PaymentVariant.MPP, chargeGate(at, gate, terms)));
    }

    private ExactGate exactGate(PaymentConfig.Address at, GateParts gate, Supplier<PaymentTerms> terms) {
        return new ExactGate(
                gate,
                new ExactOffers(
                        platform.clock(),
                        new ExactOffers.Host(at.base(), parts.description.words()),
                        () -> terms.get().x402(),
                        judges));
    }

    private ChargeGate chargeGate(PaymentConfig.Address at, GateParts gate, Supplier<PaymentTerms> terms) {
        ChallengeSeal seal = new ChallengeSeal(platform.vault().deriveAll("payment challenges"));
        ChargeOffers.Realm realm = new ChargeOffers.Realm(at.host(), seal);
        return new ChargeGate(
                gate,
                new ChargeOffers(platform.clock(), realm, () -> terms.get().mpp(), judges));
    }

    private PaymentMeters meters(PaymentTerms terms) {
        PaymentMeters meters = new PaymentMeters(platform.metrics());
        config.x402()
                .ifPresent(_ -> meters.with(
                        PaymentVariant.X402.wireName(),
                        terms.x402().stream()
                                .map(ExactOffer::network)
                                .distinct()
                                .toList()));
        config.mpp().ifPresent(_ -> meters.with(PaymentVariant.MPP.wireName(), List.of()));
        return meters;
    }

    private GateParts gate(CallPrices prices, Supplier<PaymentTerms> terms) {
        PaymentMeters meters = meters(terms.get());
        PaymentMeters.watch(platform.metrics(), platform.database(), platform.clock());
        Purchases.Parts purchaseParts = finishing(purchases(meters, terms));
        Purchases purchases = new Purchases(purchaseParts);
        Supplier<String> remedy = () -> "The first payment makes it; an inbox costs "
                + terms.get().prices().of("POST", "/v0/inboxes").text() + " USD: POST /v0/inboxes.";
        return new GateParts(
                platform.clock(),
                prices,
                payers,
                purchases,
                new PaymentProofs(purchaseParts, purchases, remedy),
                new PaymentLimits(platform.config().rates().payments(), platform.budgets()),
                meters);
    }

    private Purchases.Parts purchases(PaymentMeters meters, Supplier<PaymentTerms> terms) {
        StoredRequests requests = new StoredRequests(platform.vault());
        Settlements settlements = new Settlements(
                new Settlements.Parts(platform.database(), platform.clock(), parts.calls, requests, meters),
                payment -> judge(payment, terms.get()));
        return new Purchases.Parts(
                platform.database(),
                platform.clock(),
                platform.nodes(),
                payers,
                parts.trials,
                requests,
                settlements,
                parts.fetcher,
                new KeptFileMemory(),
                config.mostOpen());
    }

    /** Lets payments without an outcome be finished, also where nobody can begin one any more. */
    private Purchases.Parts finishing(Purchases.Parts purchaseParts) {
        PaymentWork work = new PaymentWork(purchaseParts);
        work.findBy(platform.due());
        platform.takeOver().add(work.claims());
        return purchaseParts;
    }

    /**
     * Mounts the operator's routes on the admin port, when there is a token that opens them.
     *
     * @param token empty for none
     */
    public void mountAdmin(RouteTable routes, Optional<String> token) {
        PaymentAdminHttp admin = new PaymentAdminHttp(new OperatorPayments(platform.database()));
        token.ifPresent(opens -> admin.mount(routes.at(Level.ROOT), new AdminToken(opens)));
    }

    private PaymentJudge judge(Payment payment, PaymentTerms terms) {
        Payment.Terms paid = payment.terms();
        return (paid.variant().equals("mpp")
                        ? terms.method(paid.method()).flatMap(method -> judges.of(method, false))
                        : judges.facilitator(false))
                .filter(judge -> paid.test() || !judge.isTest()) // it knows nothing of money that moved
                .orElseThrow(() -> new IllegalStateException("nobody settles payments of " + paid.method()));
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.add(Phase.JOBS, judges::start, judges::close);
        lifecycle.add(Phase.JOBS, this::watch, this::stop);
    }

    private void watch() {
        if (file != null) {
            file.start();
        }
    }

    private void stop() {
        if (file != null) {
            file.close();
        }
    }
}
