package dev.inboxd.agent;

import dev.inboxd.rate.Budgets;
import dev.inboxd.rate.Origin;
import dev.inboxd.rate.Rates;
import java.util.UUID;

/**
 * How often agents may come on their own (contract: identity.md §4.2).
 *
 * @param budgets where it is counted
 * @param rates how often
 */
public record Pace(Budgets budgets, Rates rates) {
    private static final String THIS_SERVER = "";

    /** Counts a call to sign up, whatever comes of it. */
    void signingUp(String address) {
        budgets.spend(rates.signUpsPerAddress(), Origin.of(address));
    }

    /** Counts a sign-up that is in order: it may write to its human, and make an organization. */
    void signingUp(SignUp wanted) {
        if (wanted.humanEmail() != null) {
            budgets.spend(rates.signUpsPerHuman(), wanted.humanEmail());
        }
        budgets.spend(rates.signUps(), THIS_SERVER);
    }

    /** Counts an attempt to verify an organization. */
    void verifying(UUID organization) {
        budgets.spend(rates.verifications(), organization.toString());
    }
}
