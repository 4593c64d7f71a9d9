package dev.inboxd.cli.doctor;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.config.Settings;
import dev.inboxd.payment.HostRoutes;
import dev.inboxd.payment.PaymentConfig;
import dev.inboxd.payment.facilitator.PaymentJudges;
import dev.inboxd.payment.facilitator.SupportedKinds;
import dev.inboxd.payment.metric.OpenPayments;
import dev.inboxd.payment.offer.ChargeMethod;
import dev.inboxd.payment.offer.ExactOffer;
import dev.inboxd.payment.offer.PaymentTerms;
import dev.inboxd.reference.ApiDescription;
import dev.inboxd.server.ModuleConfigs;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the hosts where calls are paid for: what is offered there, who settles it, and what has no outcome yet. */
final class PaymentCheck {
    /** A payment usually has an outcome by then. */
    private static final Duration USUAL = Duration.ofMinutes(1);

    private final DoctorReport report;
    private final Settings settings;
    private final PaymentConfig config;

    PaymentCheck(DoctorReport report, Settings settings) {
        this.report = report;
        this.settings = settings;
        URI publicUrl = settings.names().publicUrl().orElse(URI.create("http://127.0.0.1"));
        this.config = new ModuleConfigs(settings, publicUrl).payments();
    }

    /** The offers and the facilitator. */
    void run() {
        PaymentTerms terms = config.isEnabled() ? terms() : null;
        if (terms == null) {
            return;
        }
        config.x402().ifPresent(at -> report.ok("x402 at " + at.base(), exact(terms.x402())));
        config.mpp().ifPresent(at -> report.ok("mpp at " + at.base(), charges(terms.mpp())));
        if (!networks(terms).isEmpty()) {
            facilitator(terms);
        }
    }

    private @Nullable PaymentTerms terms() {
        try {
            return config.terms(routes());
        } catch (Problem wrong) {
            report.fail("payments file", wrong.message(), "Correct it: the next start stops with the same words");
            return null;
        }
    }

    /** Those that there are at the host of a variant, by the description of the API. */
    private static Set<String> routes() {
        Set<String> routes = new TreeSet<>();
        if (ApiDescription.openApi().get("paths") instanceof Map<?, ?> paths) {
            paths.forEach((path, item) -> {
                if (item instanceof Map<?, ?> calls && HostRoutes.isThere(String.valueOf(path))) {
                    calls.keySet()
                            .forEach(
                                    method -> routes.add(String.valueOf(method).toUpperCase(Locale.ROOT) + " " + path));
                }
            });
        }
        return routes;
    }

    private static String exact(List<ExactOffer> offers) {
        return counted(
                offers.stream().map(offer -> offer.network() + " " + name(offer) + " to " + cut(offer.payTo())),
                "offer");
    }

    private static String name(ExactOffer offer) {
        return offer.extra().get("name") instanceof String name ? name : cut(offer.asset());
    }

    private static String charges(List<ChargeMethod> methods) {
        return counted(
                methods.stream()
                        .map(method ->
                                method.method() + " " + cut(method.currency()) + " to " + cut(method.recipient())),
                "method");
    }

    private static String counted(Stream<String> parts, String word) {
        List<String> all = parts.toList();
        return all.size() + " " + word + (all.size() == 1 ? "" : "s")
                + all.stream().collect(Collectors.joining(", ", " (", ")"));
    }

    /** An address in short: its begin and its end. */
    private static String cut(String address) {
        return address.length() <= 10
                ? address
                : address.substring(0, 4) + "…" + address.substring(address.length() - 2);
    }

    private void facilitator(PaymentTerms terms) {
        try (PaymentJudges judges =
                new PaymentJudges(ModuleConfigs.net(settings), config.facilitator(), new Metrics())) {
            if (judges.isDevelopment()) {
                report.warn(
                        "facilitator",
                        "development, nothing is checked and no money moves",
                        "Name another one in INBOXD_X402_FACILITATOR to be paid");
                return;
            }
            String subject = "facilitator "
                    + config.facilitator().url().map(URI::toString).orElse("");
            SupportedKinds supported = judges.ask().orElse(null);
            if (supported == null) {
                report.fail(
                        subject,
                        "does not answer GET /supported",
                        "Correct INBOXD_X402_FACILITATOR or its headers, or start it: paid calls are answered 503");
            } else {
                compare(subject, terms, supported);
            }
        }
    }

    private void compare(String subject, PaymentTerms terms, SupportedKinds supported) {
        List<String> networks = networks(terms);
        List<String> missing = networks.stream()
                .filter(network -> !supported.supports(network))
                .toList();
        if (missing.isEmpty()) {
            report.ok(subject, "answers, supports exact on " + String.join(", ", networks));
        } else {
            report.warn(
                    subject,
                    "does not name exact on " + String.join(", ", missing),
                    "Take the offer out of the payments file, or use a facilitator that settles there");
        }
    }

    /** Those on which the facilitator settles: of x402, and of the methods of MPP that it judges. */
    private List<String> networks(PaymentTerms terms) {
        Stream<String> exact = config.x402().isPresent() ? terms.x402().stream().map(ExactOffer::network) : Stream.of();
        Stream<String> charges = config.mpp().isPresent()
                ? terms.mpp().stream()
                        .filter(PaymentCheck::isOfFacilitator)
                        .map(method -> method.asExact().network())
                : Stream.of();
        return Stream.concat(exact, charges).distinct().toList();
    }

    private static boolean isOfFacilitator(ChargeMethod method) {
        return method.verifier() instanceof ChargeMethod.Verifier.Facilitator;
    }

    /** What waits, or is to be paid back. */
    void open(Optional<Database.Location> location, InstantSource clock) {
        OpenPayments open = location.map(PaymentCheck::read).orElse(null);
        if (open == null) {
            return;
        }
        boolean isLate = open.since() != null && open.since().plus(USUAL).isBefore(clock.instant());
        if (isLate || open.owed() > 0) {
            report.warn(
                    "payments",
                    verb(open.open()) + " without an outcome"
                            + (open.since() == null ? "" : ", the oldest since " + open.since()) + "; "
                            + verb(open.owed()) + " owed",
                    "See: inboxd payment list --status pending, and --status owed");
        }
    }

    private static String verb(long number) {
        return number + (number == 1 ? " is" : " are");
    }

    /** Null when the database is away, or without the table, as other checks say. */
    private static @Nullable OpenPayments read(Database.Location location) {
        try (Database database = new Database(location, null)) {
            return OpenPayments.read(database);
        } catch (RuntimeException unusable) {
            return null;
        }
    }
}
