package dev.inboxd.payment;

import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.PaymentGate;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.payment.authorization.PaymentVariant;
import dev.inboxd.payment.gate.ExactOffers;
import dev.inboxd.payment.offer.CallDescription;
import dev.inboxd.payment.offer.ChargeMethod;
import dev.inboxd.payment.offer.ExactOffer;
import dev.inboxd.payment.offer.PaymentTerms;
import dev.inboxd.payment.offer.Price;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What there is at the hosts where calls are paid for, and how it is described there (payments.md §3, §10). */
public final class HostRoutes {
    /** What hangs on a key, or is at the public URL alone. */
    private static final Set<String> ELSEWHERE =
            Set.of("/v0/agent/sign-up", "/v0/organizations/labs", "/v0/token", "/v0/userinfo", "/v0/jwks.json");

    private static final String OPEN_API = "/openapi.json";
    private static final List<String> ELSEWHERE_BELOW = List.of("/v0/authorize/", "/v0/sign-in/");
    private static final List<String> ELSEWHERE_ENDS = List.of("/connect", "/authorize");

    private final RouteTable routes;
    private final CallDescription description;
    private final Supplier<PaymentTerms> terms;

    /** Those of these routes, at the terms of now. */
    HostRoutes(RouteTable routes, CallDescription description, Supplier<PaymentTerms> terms) {
        this.routes = routes;
        this.description = description;
        this.terms = terms;
    }

    /** Whether routes of a template are there. */
    public static boolean isThere(String path) {
        boolean isApi =
                path.equals("/v0") || path.startsWith("/v0/") || path.equals("/healthz") || path.equals(OPEN_API);
        return isApi
                && !ELSEWHERE.contains(path)
                && ELSEWHERE_BELOW.stream().noneMatch(path::startsWith)
                && ELSEWHERE_ENDS.stream().noneMatch(path::endsWith);
    }

    static boolean isThere(Route route) {
        return isThere(route.template());
    }

    /** Serves a host with what stands before it. */
    void serve(PaymentConfig.Address at, PaymentVariant variant, PaymentGate gate) {
        List<Route> available =
                routes.routes().stream().filter(HostRoutes::isThere).toList();
        boolean isMpp = variant == PaymentVariant.MPP;
        HostDescription described = new HostDescription(
                new HostDescription.Host(
                        new CallDescription.Place(at.base(), isMpp),
                        available,
                        isMpp ? HostRoutes::charges : HostRoutes::exact),
                description,
                terms);
        RouteTable all =
                routes.paid(route -> isThere(route) && !route.template().equals(OPEN_API), gate);
        all.at(Level.ROOT).page(OPEN_API, described::answer);
        routes.serveAt(at.host()::equals, all);
        at.sockets()
                .ifPresent(host -> routes.serveAt(
                        host::equals, routes.paid(route -> ExactOffers.isSocket(route.template()), gate)));
    }

    private static List<Map<String, Object>> exact(PaymentTerms terms, Route route) {
        Price price = terms.prices().of(route.method(), route.template());
        return terms.x402().stream()
                .map(offer -> offered(
                        "scheme", ExactOffer.SCHEME,
                        "network", offer.network(),
                        "amount", offer.amount(price),
                        "asset", offer.asset()))
                .toList();
    }

    private static List<Map<String, Object>> charges(PaymentTerms terms, Route route) {
        Price price = terms.prices().of(route.method(), route.template());
        return terms.mpp().stream()
                .map(method -> offered(
                        "intent", ChargeMethod.INTENT,
                        "method", method.method(),
                        "amount", method.amount(price),
                        "currency", method.currency()))
                .toList();
    }

    private static Map<String, Object> offered(String... members) {
        Map<String, Object> offered = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            offered.put(members[i], members[i + 1]);
        }
        return offered;
    }
}
