package dev.inboxd.base.rate;

import java.time.Duration;
import java.util.List;

/**
 * The documented rates, or the operator's settings of them (identity.md §4.2).
 *
 * @param requests authenticated requests of a key
 * @param refusals requests of an address without a valid key (promises.md A29)
 * @param searches searches of a key
 * @param signUpsPerAddress sign-ups from an address
 * @param signUpsPerHuman sign-ups in the name of one human
 * @param signUps sign-ups at this server
 * @param signInsPerAddress console sign-in calls of an address, for a code or with one
 * @param lettersPerHour mails with a code, and notices, to one human in an hour
 * @param lettersPerDay the same in a day
 * @param verifications attempts of an organization to verify itself
 * @param invitations people whom an organization invites in a day
 * @param domainChecks verifications and setup links of a domain
 * @param calendarFeeds reads of a link to a calendar's feed
 * @param mail mail from other servers
 * @param signIn signing in to apps
 * @param payments paying for calls
 */
public record Rates(
        Rate requests,
        Rate refusals,
        Rate searches,
        Rate signUpsPerAddress,
        Rate signUpsPerHuman,
        Rate signUps,
        Rate signInsPerAddress,
        Rate lettersPerHour,
        Rate lettersPerDay,
        Rate verifications,
        Rate invitations,
        Rate domainChecks,
        Rate calendarFeeds,
        Mail mail,
        SignIn signIn,
        Payments payments) {
    /** Names of the rates in the setting. */
    public static final List<String> NAMES = List.of(
            "requests",
            "refusals",
            "searches",
            "sign_ups_per_address",
            "sign_ups_per_human",
            "sign_ups",
            "sign_ins_per_address",
            "letters_per_hour",
            "letters_per_day",
            "verifications",
            "invitations",
            "domain_checks",
            "calendar_feeds",
            "mail_per_address",
            "mail_per_inbox",
            "mail_per_organization",
            "connects",
            "connects_organization",
            "open_links",
            "activations",
            "sign_in_requests",
            "challenges",
            "payments",
            "wallets");

    /** No limits. */
    public static final Rates NONE = of((_, _) -> Integer.MAX_VALUE);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    /**
     * Rates of incoming mail in a minute, by recipients; unlimited unless the operator sets them (promises.md A43).
     *
     * @param perAddress from an address
     * @param perInbox for an inbox
     * @param perOrganization for all inboxes of an organization
     */
    public record Mail(Rate perAddress, Rate perInbox, Rate perOrganization) {
        private static Mail of(Amounts amounts) {
            return new Mail(
                    rate("mail_per_address", amounts),
                    rate("mail_per_inbox", amounts),
                    rate("mail_per_organization", amounts));
        }

        private static Rate rate(String name, Amounts amounts) {
            return Rate.of(name, amounts.of(name, Integer.MAX_VALUE), MINUTE);
        }
    }

    /**
     * Signing in to apps (apps.md §4 and §6).
     *
     * @param connects links and authorizations of a bearer key
     * @param connectsOfOrganization the same of an organization
     * @param openLinks how many links of a bearer key may be unopened at a time
     * @param activations sign-in keys of a bearer key
     * @param requests of an address to the public routes
     */
    public record SignIn(Rate connects, Rate connectsOfOrganization, int openLinks, Rate activations, Rate requests) {
        private static SignIn of(Amounts amounts) {
            return new SignIn(
                    Rate.of("connects", amounts.of("connects", 20), HOUR),
                    Rate.of("connects_organization", amounts.of("connects_organization", 100), HOUR),
                    amounts.of("open_links", 5),
                    Rate.of("activations", amounts.of("activations", 20), DAY),
                    Rate.of("sign_in_requests", amounts.of("sign_in_requests", 60), MINUTE));
        }
    }

    /**
     * Paying for calls in place of a key (docs/operating/payments.md).
     *
     * @param challenges answers to an address that ask for a payment
     * @param requests with a payment, of a payer; of an address while nobody has verified who pays
     * @param wallets organizations that first payments from an address make
     */
    public record Payments(Rate challenges, Rate requests, Rate wallets) {
        private static Payments of(Amounts amounts) {
            return new Payments(
                    Rate.of("challenges", amounts.of("challenges", 600), MINUTE),
                    Rate.of("payments", amounts.of("payments", 300), MINUTE),
                    Rate.of("wallets", amounts.of("wallets", 10), HOUR));
        }
    }

    /** The amounts of the settings. */
    @FunctionalInterface
    public interface Amounts {
        /**
         * The amount of a rate.
         *
         * @param name one of {@link #NAMES}
         * @param contract the documented amount
         * @return {@link Integer#MAX_VALUE} for no limit
         */
        int of(String name, int contract);
    }

    /** The rates with these amounts and the documented windows. */
    public static Rates of(Amounts amounts) {
        Rate requests = Rate.of("requests", amounts.of("requests", 50), SECOND);
        Rate refusals = Rate.of("refusals", amounts.of("refusals", 30), MINUTE);
        return new Rates(
                requests.burst(2 * requests.amount()),
                refusals.burst(refusals.amount() * 2 / 3),
                Rate.of("searches", amounts.of("searches", 10), SECOND),
                Rate.of("sign_ups_per_address", amounts.of("sign_ups_per_address", 10), HOUR),
                Rate.of("sign_ups_per_human", amounts.of("sign_ups_per_human", 5), HOUR),
                Rate.of("sign_ups", amounts.of("sign_ups", 200), HOUR),
                Rate.of("sign_ins_per_address", amounts.of("sign_ins_per_address", 30), HOUR),
                Rate.of("letters_per_hour", amounts.of("letters_per_hour", 3), HOUR),
                Rate.of("letters_per_day", amounts.of("letters_per_day", 5), DAY),
                Rate.of("verifications", amounts.of("verifications", 20), HOUR),
                Rate.of("invitations", amounts.of("invitations", 20), DAY),
                Rate.of("domain_checks", amounts.of("domain_checks", 10), MINUTE),
                Rate.of("calendar_feeds", amounts.of("calendar_feeds", 60), MINUTE),
                Mail.of(amounts),
                SignIn.of(amounts),
                Payments.of(amounts));
    }
}
