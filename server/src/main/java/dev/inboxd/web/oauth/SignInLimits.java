package dev.inboxd.web.oauth;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.ClientNetwork;
import dev.inboxd.base.rate.Rates;
import java.time.Duration;
import java.util.UUID;

/** How often a key may ask for sign-ins, and an address may call the public routes (apps.md §4 and §6). */
public final class SignInLimits {
    private final Budgets budgets;
    private final Rates.SignIn rates;

    /** Limits by these rates. */
    public SignInLimits(Budgets budgets, Rates.SignIn rates) {
        this.budgets = budgets;
        this.rates = rates;
    }

    /** Counts a connect or an authorize of a bearer key. */
    public void connecting(UUID organization, UUID bearer) {
        budgets.spend(rates.connects(), bearer.toString());
        budgets.spend(rates.connectsOfOrganization(), organization.toString());
    }

    /** Counts an activation of a sign-in key that a bearer asked for. */
    public void activating(UUID bearer) {
        budgets.spend(rates.activations(), bearer.toString());
    }

    /** Counts a request of an address to a public route. */
    public void calling(String address) {
        budgets.spend(rates.requests(), ClientNetwork.of(address));
    }

    /** Refuses one more link while a bearer has too many that nobody opened. */
    public void requireRoomForLink(int open) {
        if (open >= rates.openLinks()) {
            throw Problem.of(
                            ErrorCode.RATE_LIMIT_EXCEEDED,
                            "The key has " + open + " links that nobody has opened",
                            "Open one of them, or wait: a link lives five minutes.")
                    .retryAfter(Duration.ofMinutes(1));
        }
    }
}
