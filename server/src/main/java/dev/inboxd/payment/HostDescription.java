package dev.inboxd.payment;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Route;
import dev.inboxd.payment.offer.CallDescription;
import dev.inboxd.payment.offer.PaymentTerms;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code GET /openapi.json} at a host where calls are paid for (payments.md §10): made anew when the terms change. */
final class HostDescription {
    private final Host host;
    private final CallDescription description;
    private final Supplier<PaymentTerms> terms;
    private @Nullable PaymentTerms described;
    private byte[] rendered = {};

    HostDescription(Host host, CallDescription description, Supplier<PaymentTerms> terms) {
        this.host = host;
        this.description = description;
        this.terms = terms;
    }

    /**
     * A host.
     *
     * @param routes that there are
     * @param offers what a route wants at given terms
     */
    record Host(
            CallDescription.Place place,
            List<Route> routes,
            BiFunction<PaymentTerms, Route, List<Map<String, Object>>> offers) {
        Host {
            routes = List.copyOf(routes);
        }
    }

    Response answer(Request request) {
        request.query().flag("webhooks", true);
        return Response.bytes(200, "application/json; charset=utf-8", document())
                .header("Cache-Control", "no-cache")
                .header("Access-Control-Allow-Origin", "*");
    }

    private synchronized byte[] document() {
        PaymentTerms now = terms.get();
        if (!now.equals(described)) {
            rendered = render(now);
            described = now;
        }
        return rendered;
    }

    private byte[] render(PaymentTerms now) {
        Map<String, Route> byName = host.routes.stream()
                .collect(Collectors.toMap(HostDescription::name, route -> route, (first, _) -> first));
        Set<String> names = byName.keySet();
        return description.of(host.place, names, name -> {
            Route route = byName.get(name);
            return route == null || route.access() == Gate.PUBLIC ? List.of() : host.offers.apply(now, route);
        });
    }

    /** How a route is called in descriptions and in the prices. */
    static String name(Route route) {
        return route.method() + " " + route.template();
    }
}
