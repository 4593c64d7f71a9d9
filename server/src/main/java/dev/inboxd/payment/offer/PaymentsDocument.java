package dev.inboxd.payment.offer;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.error.Suggestion;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.yaml.YamlDocument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The text of a payments file, read into terms. */
final class PaymentsDocument {
    private static final int MOST_OFFERS = 16;
    /** Characters of all offers of a call as JSON. In base64, with the rest, they fit into a field of 8 KiB. */
    private static final int LONGEST_OFFERS = 4_096;

    private final String name;
    private final PaymentsUse use;
    private final Faults faults = new Faults();
    private final List<JsonBody> offerBodies = new ArrayList<>();
    private final List<JsonBody> methodBodies = new ArrayList<>();
    private final Map<String, Price> named = new LinkedHashMap<>();
    private YamlDocument document = YamlDocument.EMPTY;
    private Price otherwise = Price.FREE;

    private PaymentsDocument(String name, PaymentsUse use) {
        this.name = name;
        this.use = use;
    }

    /**
     * The terms of a file.
     *
     * @param name of the file, for the faults
     * @throws Problem {@code validation_error} whose message has the file, the line and the member of each fault
     */
    static PaymentTerms read(String name, byte[] bytes, PaymentsUse use) {
        PaymentsDocument reader = new PaymentsDocument(name, use);
        return reader.explained(() -> {
            reader.document = YamlDocument.read(bytes);
            PaymentTerms terms = reader.terms();
            reader.faults.check();
            return terms;
        });
    }

    private PaymentTerms terms() {
        if (!(document.root() instanceof Map<?, ?> root)) {
            throw Problem.invalid("", "it must have x402, mpp or prices");
        }
        JsonBody body = JsonBody.of(root, List.of(), faults);
        OfferFields.rejectUnknown(body, List.of("x402", "mpp", "prices"), "the file");
        OfferFields fields = new OfferFields(use);
        List<ExactOffer> offers = entries(body, "x402", "accepts", offerBodies).stream()
                .map(fields::offer)
                .toList();
        List<ChargeMethod> methods = entries(body, "mpp", "methods", methodBodies).stream()
                .map(fields::method)
                .toList();
        needed(use.x402() && offers.isEmpty(), List.of("x402", "accepts"), "INBOXD_X402_HOST is set", "an offer");
        needed(use.mpp() && methods.isEmpty(), List.of("mpp", "methods"), "INBOXD_MPP_HOST is set", "a method");
        different(offers, methods);
        PaymentTerms terms = new PaymentTerms(offers, methods, prices(body.object("prices")));
        if (faults.none()) {
            requireWholeUnits(terms);
            fitting(terms);
        }
        return terms;
    }

    private static List<JsonBody> entries(JsonBody body, String section, String list, List<JsonBody> bodies) {
        JsonBody of = body.object(section);
        if (of == null) {
            return List.of();
        }
        OfferFields.rejectUnknown(of, List.of(list), section);
        bodies.addAll(of.objects(list, MOST_OFFERS));
        return bodies;
    }

    private void needed(boolean isMissing, List<Object> path, String why, String what) {
        if (isMissing && !faults.isFaulty(path)) {
            faults.add(new Fault(path, why + ", so the file must have " + what + " here"));
        }
    }

    /** One offer for an asset, one method of a name: a payment must say which of them it is for. */
    private void different(List<ExactOffer> offers, List<ChargeMethod> methods) {
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < offers.size(); i++) {
            if (!keys.add((offers.get(i).network() + " " + offers.get(i).asset()).toLowerCase(Locale.ROOT))) {
                offerBodies.get(i).fault("asset", "another offer has this network and asset");
            }
        }
        for (int i = 0; i < methods.size(); i++) {
            if (!keys.add(methods.get(i).method())) {
                methodBodies.get(i).fault("method", "another entry has this method");
            }
        }
    }

    private PriceList prices(@Nullable JsonBody body) {
        PriceList shipped = PriceList.shipped(use.routes());
        if (body == null) {
            return shipped;
        }
        OfferFields.rejectUnknown(body, List.of("default", "routes"), "prices");
        Price fallback = price(body.any("default"), message -> body.fault("default", message));
        otherwise = fallback == null ? Price.FREE : fallback;
        if (body.any("routes") instanceof Map<?, ?> routes) {
            routes.forEach((route, price) -> named(body, String.valueOf(route), price));
        } else if (body.any("routes") != null) {
            body.fault("routes", "routes must have prices by routes, as in POST /v0/inboxes: 2.00");
        }
        return shipped.with(named, otherwise);
    }

    private void named(JsonBody body, String route, @Nullable Object value) {
        if (!use.routes().contains(route)) {
            body.fault("routes", route, "no such route" + Suggestion.question(route, use.routes()));
            return;
        }
        Price price = price(value, message -> body.fault("routes", route, message));
        if (value == null) {
            body.fault("routes", route, "it has no price");
        }
        if (price != null && !price.isFree() && route.equals(PriceList.SOCKET)) {
            body.fault("routes", route, "a socket costs nothing: clients connect again with the proof that they have");
        } else if (price != null) {
            named.put(route, price);
        }
    }

    private static @Nullable Price price(@Nullable Object value, Consumer<String> fault) {
        if (value == null) {
            return null;
        }
        try {
            return Price.ofDollars(String.valueOf(value));
        } catch (IllegalArgumentException malformed) {
            fault.accept("a price is a number of US dollars with at most 6 decimals, up to 1000000, such as 0.01");
            return null;
        }
    }

    /** Nothing is rounded: each price is a whole number of the units of each asset. */
    private void requireWholeUnits(PaymentTerms terms) {
        Map<String, Price> all = new HashMap<>(terms.prices().named());
        all.put("", terms.prices().otherwise());
        List<Integer> decimals = new ArrayList<>();
        terms.x402().forEach(offer -> decimals.add(offer.decimals()));
        terms.mpp().forEach(method -> decimals.add(method.decimals()));
        List<JsonBody> bodies = new ArrayList<>(offerBodies);
        bodies.addAll(methodBodies);
        all.forEach((route, price) -> {
            for (int i = 0; i < bodies.size(); i++) {
                if (!price.isWhole(decimals.get(i))) {
                    broken(route, price, bodies.get(i), decimals.get(i));
                    return;
                }
            }
        });
    }

    private void broken(String route, Price price, JsonBody entry, int decimals) {
        String message = price + " is no whole number of the units of an asset with " + decimals + " decimals";
        if (route.isEmpty()) {
            faults.add(new Fault(List.of("prices", "default"), message));
        } else if (named.containsKey(route)) {
            faults.add(new Fault(List.of("prices", "routes", route), message));
        } else {
            entry.fault("decimals", "the price of " + route + ", " + message);
        }
    }

    private void fitting(PaymentTerms terms) {
        List<Map<String, Object>> longest = terms.x402().stream()
                .map(offer -> offer.accepted(new Price(Price.MOST_UNITS), Map.of()))
                .toList();
        if (Json.text(longest).length() > LONGEST_OFFERS) {
            faults.add(new Fault(
                    List.of("x402", "accepts"), "the offers have more than 4,096 characters, too many for one header"));
        }
        List<Map<String, Object>> all = terms.mpp().stream()
                .map(method -> Map.of(
                        "method",
                        method.method(),
                        "recipient",
                        method.recipient(),
                        "currency",
                        method.currency(),
                        "methodDetails",
                        method.details()))
                .toList();
        if (Json.text(all).length() > LONGEST_OFFERS) {
            faults.add(new Fault(
                    List.of("mpp", "methods"), "the methods have more than 4,096 characters, too many for one header"));
        }
    }

    /** Runs some work, and adds file, line and member to the faults that it throws. */
    private <T> T explained(Supplier<T> work) {
        try {
            return work.get();
        } catch (Problem problem) {
            if (problem.faults().isEmpty()) {
                throw problem;
            }
            throw Problem.invalid(
                    "payments", problem.faults().stream().map(this::explained).collect(Collectors.joining("; ")));
        }
    }

    private String explained(Fault fault) {
        String file = "payments file " + name + ":";
        if (!YamlDocument.isWhole(fault)) {
            return file + document.line(fault.path()) + ": " + YamlDocument.member(fault.path()) + ": "
                    + fault.message();
        }
        return file + (fault.message().startsWith("line ") ? fault.message().substring(5) : " " + fault.message());
    }
}
