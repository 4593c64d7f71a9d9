package dev.inboxd.payment.gate;

import dev.inboxd.base.http.PaidRequest;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.json.Json;
import dev.inboxd.payment.offer.Price;
import dev.inboxd.payment.offer.PriceList;
import java.util.Map;
import java.util.function.Supplier;

/** What requests cost (payments.md §2). */
public final class CallPrices {
    /** A longer body is not looked at for the time at which a draft is sent; it is taken to have one. */
    private static final int LONGEST = 262_144;

    private final Supplier<PriceList> now;

    /** @param now the prices of now; a file may change them */
    public CallPrices(Supplier<PriceList> now) {
        this.now = now;
    }

    /**
     * Whether a call costs something.
     *
     * @param body asked for where the price hangs on it
     */
    public boolean costs(Route route, Supplier<byte[]> body) {
        return !price(route.method(), route.template(), body).isFree();
    }

    /** The price of a request. */
    Price of(PaidRequest request) {
        return price(request.method(), request.template(), request::body);
    }

    private Price price(String method, String template, Supplier<byte[]> body) {
        PriceList prices = now.get();
        return mayBeScheduled(method, template) && isScheduled(body.get())
                ? prices.ofScheduling(method, template)
                : prices.of(method, template);
    }

    private static boolean mayBeScheduled(String method, String template) {
        return (method.equals("POST") && template.endsWith("/drafts"))
                || (method.equals("PATCH") && template.endsWith("/drafts/{draft_id}"));
    }

    private static boolean isScheduled(byte[] body) {
        if (body.length > LONGEST) {
            return true;
        }
        try {
            return Json.parse(body) instanceof Map<?, ?> members && members.get("send_at") != null;
        } catch (RuntimeException none) { // the route will say what is wrong with it
            return false;
        }
    }
}
