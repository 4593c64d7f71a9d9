package dev.inboxd.account.signup;

import dev.inboxd.platform.rate.Budgets;
import dev.inboxd.platform.rate.ClientNetwork;
import dev.inboxd.platform.rate.Rates;
import java.util.UUID;

/**
 * How often agents, and the humans who sign in, may come on their own (identity.md §4.2), and how often a human
 * is written to for it (promises.md A31).
 *
 * @param budgets where it is counted
 * @param rates how often
 */
public record SignUpLimits(Budgets budgets, Rates rates) {
    private static final String THIS_SERVER = "";

    /** Counts a call to sign up, whatever comes of it. */
    void signingUp(String address) {
        budgets.spend(rates.signUpsPerAddress(), ClientNetwork.of(address));
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

    /** Counts a call to sign in, for a code or with one, whatever comes of it. */
    public void signingIn(String address) {
        budgets.spend(rates.signInsPerAddress(), ClientNetwork.of(address));
    }

    /**
     * Counts a letter with a code to a human, for whatever reason; not in a transaction.
     *
     * @throws dev.inboxd.platform.error.Problem {@code rate_limit_exceeded}
     */
    void writing(String human) {
        budgets.spend(rates.lettersPerHour(), human);
        budgets.spend(rates.lettersPerDay(), human);
    }

    /**
     * Counts a sign-in code to whoever is named, and says whether it may be sent. Naming somebody who gets no letter costs
     * him nothing, and takes as long.
     *
     * @param known whether the human stands behind an organization
     */
    public boolean maySignIn(String human, boolean known) {
        return mayWrite(known ? human : "stranger " + human);
    }

    /** Counts a notice to a human. Codes and notices do not use up each other's number. */
    boolean mayWriteTo(String human) {
        return mayWrite("notice " + human);
    }

    private boolean mayWrite(String subject) {
        return budgets.take(rates.lettersPerHour(), subject).isAllowed()
                && budgets.take(rates.lettersPerDay(), subject).isAllowed();
    }
}
