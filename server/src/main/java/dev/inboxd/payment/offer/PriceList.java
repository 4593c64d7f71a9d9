package dev.inboxd.payment.offer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What each route costs. A route is named by its method and the template of its path, such as {@code POST
 * /v0/inboxes/{inbox_id}/drafts}.
 */
public final class PriceList {
    /** The route of sockets. Clients connect again with the proof that they have, so it never costs anything. */
    public static final String SOCKET = "GET /v0";

    private static final Price SENDING = new Price(10_000);

    /** The prices as shipped, by the end of a template: they hold at every level at which there is such a route. */
    private static final Map<String, Price> SHIPPED = Map.ofEntries(
            Map.entry("/inboxes", new Price(2_000_000)),
            Map.entry("/domains", new Price(10_000_000)),
            Map.entry("/messages/send", SENDING),
            Map.entry("/messages/{message_id}/reply", SENDING),
            Map.entry("/messages/{message_id}/reply-all", SENDING),
            Map.entry("/messages/{message_id}/forward", SENDING),
            Map.entry("/drafts", SENDING),
            Map.entry("/drafts/{draft_id}/send", SENDING),
            Map.entry("/calendar/events", SENDING),
            Map.entry("/lists/{direction}/{type}", new Price(10_000)),
            Map.entry("/webhooks", new Price(10_000)),
            Map.entry("/webhooks/polling", new Price(10_000)),
            Map.entry("/pods", new Price(10_000)));

    private static final List<String> LEVELS = List.of("/v0", "/v0/pods/{pod_id}", "/v0/inboxes/{inbox_id}");

    private final Map<String, Price> prices;
    private final Price otherwise;

    private PriceList(Map<String, Price> prices, Price otherwise) {
        this.prices = Map.copyOf(prices);
        this.otherwise = otherwise;
    }

    /**
     * The prices as shipped.
     *
     * @param routes those that there are
     */
    public static PriceList shipped(Set<String> routes) {
        Map<String, Price> prices = new HashMap<>();
        SHIPPED.forEach((end, price) -> LEVELS.forEach(level -> {
            String route = "POST " + level + end;
            if (routes.contains(route)) {
                prices.put(route, price);
            }
        }));
        return new PriceList(prices, Price.FREE);
    }

    /**
     * These prices, with an operator's own.
     *
     * @param named by routes
     * @param fallback of every route that has no price by then
     */
    PriceList with(Map<String, Price> named, Price fallback) {
        Map<String, Price> all = new HashMap<>(prices);
        all.putAll(named);
        return new PriceList(all, fallback);
    }

    /** Every price of a route that is named here, by the route. */
    public Map<String, Price> named() {
        return prices;
    }

    /** The price of a route that is not named here. */
    public Price otherwise() {
        return otherwise;
    }

    /**
     * The price of a route. HEAD costs what GET costs.
     *
     * @param method of the request
     * @param template of the path
     */
    public Price of(String method, String template) {
        String route = (method.equals("HEAD") ? "GET" : method) + " " + template;
        return route.equals(SOCKET) ? Price.FREE : prices.getOrDefault(route, otherwise);
    }

    /** Whether a request makes something that costs as shipped; an operator may have made it free. */
    public static boolean isSoldAsShipped(String method, String template) {
        return method.equals("POST")
                && LEVELS.stream()
                        .anyMatch(level ->
                                template.startsWith(level) && SHIPPED.containsKey(template.substring(level.length())));
    }

    /**
     * The price of a request that sets {@code send_at} of a draft. Scheduling is sending, so it costs at least what
     * sending a draft costs.
     *
     * @param method of the request
     * @param template of the path, at {@code …/drafts} or below
     */
    public Price ofScheduling(String method, String template) {
        int drafts = template.indexOf("/drafts");
        Price sending = drafts < 0 ? Price.FREE : of("POST", template.substring(0, drafts) + "/drafts/{draft_id}/send");
        return of(method, template).atLeast(sending);
    }
}
