package dev.inboxd.payment.facilitator;

import org.jspecify.annotations.Nullable;

/**
 * What an answer to the request to settle means (docs/operating/payments.md, "What an answer means"). At a first
 * attempt nothing of ours has reached the service before; at a repeat an earlier attempt may have settled the payment,
 * so that less can be told.
 */
final class SettlementRules {
    private static final int TOO_MANY_REQUESTS = 429;

    private SettlementRules() {}

    /** What the JSON of an answer says, in whichever words. */
    sealed interface Claim {
        /** It is settled. */
        record Done(@Nullable String transaction, @Nullable String payer) implements Claim {}

        /**
         * It is not.
         *
         * @param reason the reason as it was told; null without one
         */
        record Failed(@Nullable Object reason) implements Claim {}

        /** Not yet. */
        record Open() implements Claim {}

        /** Nothing of the kind. */
        record None() implements Claim {}
    }

    /**
     * What an answer means.
     *
     * @param claim what its JSON says
     * @param repeat whether there was an attempt before
     */
    static Settlement of(ServiceAnswer answer, Claim claim, boolean repeat) {
        return switch (answer) {
            case ServiceAnswer.Unsent(String detail) -> notSent(detail, repeat);
            case ServiceAnswer.Lost(String detail) -> new Settlement.Unknown(detail);
            case ServiceAnswer.Answered answered -> of(answered, claim, repeat);
        };
    }

    private static Settlement of(ServiceAnswer.Answered answered, Claim claim, boolean repeat) {
        return switch (claim) {
            case Claim.Done(String transaction, String payer) ->
                new Settlement.Settled(transaction == null ? "" : transaction, payer);
            case Claim.Open _ -> new Settlement.Unknown("the service says that it is not done yet");
            case Claim.Failed(Object reason) -> failed(answered, reason, repeat);
            case Claim.None _ -> silent(answered, repeat);
        };
    }

    private static Settlement failed(ServiceAnswer.Answered answered, @Nullable Object reason, boolean repeat) {
        String word = Reasons.word(reason);
        if (Reasons.isPending(word)) {
            return new Settlement.Unknown("the service says " + word);
        }
        // A service that wants fewer requests, or that failed and gives no reason, has not judged this one.
        boolean isUnjudged = answered.status() == TOO_MANY_REQUESTS || (answered.status() >= 500 && reason == null);
        if (isUnjudged) {
            return silent(answered, repeat);
        }
        if (repeat && Reasons.isUsed(word)) {
            // The nonce is the payer's own, so it was an attempt of ours that used it.
            return new Settlement.Settled("", null);
        }
        // A settled one that expired since reads the same.
        return repeat && Reasons.isOver(word)
                ? new Settlement.Unknown("the service says " + word)
                : new Settlement.Refused(word);
    }

    /** Of an answer without a word about the payment the status decides: 4xx refuses the request itself. */
    private static Settlement silent(ServiceAnswer.Answered answered, boolean repeat) {
        boolean isOfRequest = answered.status() >= 400 && answered.status() < 500;
        return isOfRequest ? notSent(answered.detail(), repeat) : new Settlement.Unknown(answered.detail());
    }

    private static Settlement notSent(String detail, boolean repeat) {
        return repeat ? new Settlement.Unknown(detail) : new Settlement.NotSent(detail);
    }
}
