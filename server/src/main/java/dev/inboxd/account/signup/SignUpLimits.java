package dev.inboxd.account.signup;

import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.ClientNetwork;
import dev.inboxd.base.rate.Rates;
import dev.inboxd.mail.address.AddrSpec;
import java.util.UUID;

/**
 * The rate limits of sign-up and sign-in (identity.md §4.2), and of mail to humans about them (promises.md A31). A
 * human is one mailbox: addresses that differ only in the detail behind a plus sign share each limit. Otherwise one
 * person could get any number of letters, under as many names.
 *
 * @param budgets counts
 * @param rates the limits
 */
public record SignUpLimits(Budgets budgets, Rates rates) {
    private static final String THIS_SERVER = "";

    /** Counts a sign-up call from an address, whatever its result. */
    void signingUp(String address) {
        budgets.spend(rates.signUpsPerAddress(), ClientNetwork.of(address));
    }

    /** Counts a valid sign-up, which may send mail to its human and create an organization. */
    void signingUp(SignUp signUp) {
        if (signUp.humanEmail() != null) {
            budgets.spend(rates.signUpsPerHuman(), mailbox(signUp.humanEmail()));
        }
        budgets.spend(rates.signUps(), THIS_SERVER);
    }

    /** Counts an attempt to verify an organization. */
    void verifying(UUID organization) {
        budgets.spend(rates.verifications(), organization.toString());
    }

    /** Counts a sign-in call from an address, with or without a code, whatever its result. */
    public void signingIn(String address) {
        budgets.spend(rates.signInsPerAddress(), ClientNetwork.of(address));
    }

    /**
     * Counts a mail with a code to a human, whatever its purpose; never inside a transaction.
     *
     * @throws dev.inboxd.base.error.Problem {@code rate_limit_exceeded}
     */
    void writing(String human) {
        spend(mailbox(human));
    }

    private void spend(String subject) {
        budgets.spend(rates.lettersPerHour(), subject);
        budgets.spend(rates.lettersPerDay(), subject);
    }

    /**
     * Counts an invitation of an organization, and the mail to the human; never inside a transaction. Invitations have
     * a limit of their own, so that nobody is kept from a code by them.
     *
     * @throws dev.inboxd.base.error.Problem {@code rate_limit_exceeded}
     */
    public void inviting(UUID organization, String human) {
        budgets.spend(rates.invitations(), organization.toString());
        spend("invitation " + mailbox(human));
    }

    /**
     * Counts a sign-in code for an address, and returns whether it may be sent. An unknown address has a count of its
     * own, so that it uses up nothing and takes as long.
     *
     * @param isKnown whether the human is behind an organization
     */
    public boolean maySignIn(String human, boolean isKnown) {
        return mayWrite(isKnown ? mailbox(human) : "stranger " + mailbox(human));
    }

    /** Counts a notice to a human. Codes and notices have separate limits. */
    boolean mayWriteTo(String human) {
        return mayWrite("notice " + mailbox(human));
    }

    private boolean mayWrite(String subject) {
        return budgets.take(rates.lettersPerHour(), subject).isAllowed()
                && budgets.take(rates.lettersPerDay(), subject).isAllowed();
    }

    private static String mailbox(String human) {
        return AddrSpec.parse(human).withoutDetail().toString();
    }
}
