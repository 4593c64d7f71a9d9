package dev.inboxd.sandbox.fault;

import dev.inboxd.base.error.Faults;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import dev.inboxd.mail.smtp.EnhancedStatus;
import dev.inboxd.sandbox.access.RecipientPattern;
import dev.inboxd.sandbox.fault.FaultKind.Extent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads what is to fail: exactly the members of its kind. */
final class FaultTermsReader {
    static final int MOST_TIMES = 1_000;
    static final int MOST_SECONDS = 300;
    private static final int MOST_MILLIS = 30_000;
    private static final int MOST_NAMES = 100;
    private static final List<Integer> STATUSES = List.of(408, 429, 500, 502, 503, 504);
    private static final String[] METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"};
    private static final String[] LOOKUPS = {"servfail", "nxdomain"};

    private final JsonBody body;
    private final FaultKind kind;
    private final Predicate<String> isRoute;

    private FaultTermsReader(JsonBody body, FaultKind kind, Predicate<String> isRoute) {
        this.body = body;
        this.kind = kind;
        this.isRoute = isRoute;
    }

    /**
     * Reads a request.
     *
     * @param isRoute whether there is a route of that template
     */
    static FaultTerms read(JsonBody body, Predicate<String> isRoute) {
        FaultKind kind = body.choice("kind", FaultKind.values(), FaultKind::wireName);
        if (kind == null) {
            if (!body.isGiven("kind")) {
                body.missing("kind");
            }
            body.check();
        }
        FaultTerms terms = new FaultTermsReader(body, Objects.requireNonNull(kind), isRoute).read();
        body.check();
        return terms;
    }

    /** Terms as they were stored. */
    static FaultTerms of(String json) {
        return read(
                JsonBody.of((Map<?, ?>) Objects.requireNonNull(Json.stored(json)), List.of(), new Faults()), _ -> true);
    }

    private FaultTerms read() {
        Integer times = extent(Extent.TIMES, "times", MOST_TIMES);
        Integer seconds = extent(Extent.SECONDS, "seconds", MOST_SECONDS);
        if (kind.lasts(Extent.EITHER) && (times == null) == (seconds == null)) {
            body.fault("times", "A fault of kind " + kind.wireName() + " has times or seconds, and not both");
        }
        Map<String, Object> members = new LinkedHashMap<>();
        for (String name : kind.members()) {
            Object value = value(name);
            if (value != null) {
                members.put(name, value);
            } else if (kind.requires(name) && !body.isGiven(name)) {
                body.missing(name);
            }
        }
        for (String name : body.names()) {
            boolean isKnown = name.equals("kind")
                    || kind.members().contains(name)
                    || (name.equals("times") && kind.lasts(Extent.TIMES))
                    || (name.equals("seconds") && kind.lasts(Extent.SECONDS));
            if (!isKnown) {
                body.fault(name, "A fault of kind " + kind.wireName() + " has no " + name);
            }
        }
        return new FaultTerms(kind, times, seconds, members);
    }

    private @Nullable Integer extent(Extent by, String name, int most) {
        if (!kind.lasts(by)) {
            return null;
        }
        Long number = body.integer(name, 1, most);
        if (number == null && !kind.lasts(Extent.EITHER) && !body.isGiven(name)) {
            body.missing(name);
        }
        return number == null ? null : number.intValue();
    }

    private @Nullable Object value(String name) {
        return switch (name) {
            case "answer" ->
                kind == FaultKind.DNS ? body.choice(name, LOOKUPS, String::valueOf) : webhookAnswer(body.any(name));
            case "webhook_id" -> body.string(name).max(100).optional();
            case "code" -> body.integer(name, 400, 599);
            case "enhanced" -> enhanced();
            case "recipient" -> body.string(name).as(RecipientPattern::parse, RecipientPattern.EXPECTED);
            case "names" -> names();
            case "status" -> status();
            case "method" -> body.choice(name, METHODS, String::valueOf);
            case "route" -> body.string(name).as(this::route, "the template of a route outside of /sandbox");
            case "ms" -> body.integer(name, 1, MOST_MILLIS);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private @Nullable Object webhookAnswer(@Nullable Object answer) {
        boolean isGood = (answer instanceof Long status && status >= 300 && status <= 599)
                || "refused".equals(answer)
                || "timeout".equals(answer);
        if (answer != null && !isGood) {
            body.fault("answer", "answer must be a status from 300 to 599, refused or timeout");
        }
        return isGood ? answer : null;
    }

    private @Nullable String enhanced() {
        String enhanced = body.string("enhanced").max(12).optional();
        if (enhanced != null && body.any("code") instanceof Long code && !isOf(enhanced, code)) {
            body.fault("enhanced", "enhanced must be a status code like " + code / 100 + ".3.0");
            return null;
        }
        return enhanced;
    }

    private static boolean isOf(String status, long code) {
        try {
            return EnhancedStatus.parse(status) != null && status.charAt(0) - '0' == code / 100;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private @Nullable List<String> names() {
        List<String> values = body.strings("names").most(MOST_NAMES).list();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            try {
                names.add(DomainName.toAscii(values.get(i)));
            } catch (AddressSyntaxException malformed) {
                body.fault("names", i, "names has names of domains");
            }
        }
        return names.isEmpty() ? null : names;
    }

    private @Nullable Long status() {
        Long status = body.integer("status", 400, 599);
        if (status != null && !STATUSES.contains(status.intValue())) {
            body.fault("status", "status must be one of 408, 429, 500, 502, 503, 504");
            return null;
        }
        return status;
    }

    private @Nullable String route(String template) {
        return isRoute.test(template) ? template : null;
    }
}
