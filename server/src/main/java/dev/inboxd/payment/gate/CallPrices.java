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

    /** Whether a route costs something, for some requests at least. */
    public boolean costs(Route route) {
        PriceList prices = now.get();
        String method = route.method();
        String template = route.template();
        return !prices.of(method, template).isFree()
                || (mayBeScheduled(method, template)
                        && !prices.ofScheduling(method, template).isFree());
    }

    /** The price of a request. */
    Price of(PaidRequest request) {
        PriceList prices = now.get();
        String method = request.method();
        String template = request.template();
        return mayBeScheduled(method, template) && isScheduled(request.body())
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
