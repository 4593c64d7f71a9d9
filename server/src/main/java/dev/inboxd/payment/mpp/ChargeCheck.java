package dev.inboxd.payment.mpp;

import dev.inboxd.payment.authorization.EvmAuthorization;
import dev.inboxd.payment.authorization.ExactTransfer;
import dev.inboxd.payment.authorization.PaymentAuthorization;
import dev.inboxd.payment.authorization.PaymentAuthorization.SignedPayload;
import dev.inboxd.payment.authorization.PaymentFormException;
import dev.inboxd.payment.authorization.PaymentMembers;
import dev.inboxd.payment.authorization.PaymentVariant;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What of a credential can be judged without asking anybody (payments.md §10, checks 3 and 4), in two steps: first
 * whether it answers a challenge of ours, and what was signed; then whether it pays for this call now. Between them
 * stands the question whether it was used: a payment that was taken is known again after it has expired.
 */
public final class ChargeCheck {
    private static final String AUTHORIZATION = "authorization";

    private final ChallengeSeal seal;
    private final String realm;

    /** @param realm the host name of the variant, without a port */
    public ChargeCheck(ChallengeSeal seal, String realm) {
        this.seal = seal;
        this.realm = realm;
    }

    /**
     * What a call wants.
     *
     * @param offers one of each method, as they are now
     * @param digest {@link ContentDigest} of its body; null without a body
     */
    public record Call(List<ChargeOffer> offers, @Nullable String digest) {}

    /**
     * Reads what was signed, if the challenge is one of ours. It may be for another call, and expired.
     *
     * @throws ChargeException {@link ProblemType#INVALID_CHALLENGE}, or {@link ProblemType#MALFORMED_CREDENTIAL} for a
     *     payload of another form
     */
    public PaymentAuthorization authentic(ChargeCredential credential) throws ChargeException {
        ChargeChallenge challenge = credential.challenge();
        if (!seal.knows(challenge)
                || !challenge.realm().equals(realm)
                || !challenge.intent().equals(ChargeChallenge.CHARGE)) {
            throw new ChargeException(
                    ProblemType.INVALID_CHALLENGE, "The credential does not answer a challenge of this service.");
        }
        try {
            ExactTransfer transfer = offer(challenge).transfer();
            EvmAuthorization evm = evm(credential, transfer);
            SignedPayload signed =
                    new SignedPayload(credential.payload(), evm, credential.source(), List.of("mpp:" + challenge.id()));
            return PaymentAuthorization.of(PaymentVariant.MPP, challenge.method(), transfer, signed);
        } catch (PaymentFormException malformed) {
            throw new ChargeException(
                    ProblemType.MALFORMED_CREDENTIAL, "Authorization: Payment: payload." + malformed.message() + ".");
        }
    }

    /**
     * Checks that an authentic credential pays for a call now.
     *
     * @param authorization what {@link #authentic} gave for it
     * @throws ChargeException with the type of what is wrong
     */
    public void current(ChargeCredential credential, PaymentAuthorization authorization, Call call, Instant now)
            throws ChargeException {
        ChargeChallenge challenge = credential.challenge();
        if (!challenge.end().isAfter(now)) {
            throw new ChargeException(ProblemType.PAYMENT_EXPIRED, "The challenge has expired.");
        }
        ChargeOffer offer = offered(challenge, call.offers());
        if (!Objects.equals(challenge.digest(), call.digest())) {
            throw new ChargeException(ProblemType.INVALID_CHALLENGE, "The challenge was for another body.");
        }
        String fault = fault(credential, authorization, offer);
        EvmAuthorization evm = authorization.evm();
        if (fault == null && evm != null) {
            fault = evm.refusal(authorization.transfer(), now);
        }
        if (fault != null) {
            throw new ChargeException(ProblemType.VERIFICATION_FAILED, "The payment cannot be verified: " + fault);
        }
    }

    private static ChargeOffer offered(ChargeChallenge challenge, List<ChargeOffer> offers) throws ChargeException {
        List<ChargeOffer> ofMethod = offers.stream()
                .filter(offer -> offer.method().equals(challenge.method()))
                .toList();
        if (ofMethod.isEmpty()) {
            throw new ChargeException(
                    ProblemType.METHOD_UNSUPPORTED, "The method of the challenge is not offered any more.");
        }
        String amount = offer(challenge).amount();
        for (ChargeOffer offer : ofMethod) {
            if (offer.request().equals(challenge.request())) {
                return offer;
            }
        }
        if (ofMethod.stream().anyMatch(offer -> offer.at(amount).request().equals(challenge.request()))) {
            throw new ChargeException(
                    ProblemType.PAYMENT_INSUFFICIENT, "The challenge was for another amount than this call costs.");
        }
        throw new ChargeException(ProblemType.INVALID_CHALLENGE, "The challenge was for another offer.");
    }

    /** What does not fit in the payload, but for what an authorization of x402 would be checked for, too. */
    private @Nullable String fault(ChargeCredential credential, PaymentAuthorization authorization, ChargeOffer offer) {
        Object type = credential.payload().get("type");
        boolean isOffered = offer.details().get("credentialTypes") instanceof List<?> types
                ? types.contains(type)
                : !offer.method().equals("evm") || AUTHORIZATION.equals(type);
        if (!isOffered) {
            return "its type is not offered";
        }
        if (!authorization.sourceAgrees() && authorization.evm() != null) {
            return "its source is another account";
        }
        EvmAuthorization evm = authorization.evm();
        return evm == null || evm.nonce().equals(nonce(credential.challenge()))
                ? null
                : "its nonce is not that of the challenge";
    }

    /** draft-evm-charge-00, Challenge Binding: the nonce is the Keccak-256 of id and realm. */
    private static String nonce(ChargeChallenge challenge) {
        byte[] bound = (challenge.id() + challenge.realm()).getBytes(StandardCharsets.UTF_8);
        return "0x" + HexFormat.of().formatHex(Keccak256.of(bound));
    }

    private static @Nullable EvmAuthorization evm(ChargeCredential credential, ExactTransfer transfer)
            throws PaymentFormException {
        PaymentMembers payload = PaymentMembers.of(credential.payload(), "");
        boolean isTransfer = credential.challenge().method().equals("evm")
                && transfer.isEvm()
                && payload.text("type").equals(AUTHORIZATION);
        if (!isTransfer) {
            return null;
        }
        payload.text("signature");
        return EvmAuthorization.transfer(payload);
    }

    /** The offer in a challenge of ours: what was written by {@link ChargeOffer#request()}. */
    private static ChargeOffer offer(ChargeChallenge challenge) {
        try {
            PaymentMembers request = PaymentMembers.decode(challenge.request(), Base64.getUrlDecoder());
            Map<String, Object> details = request.object("methodDetails").all();
            return new ChargeOffer(
                    challenge.method(),
                    request.text("amount"),
                    request.text("currency"),
                    request.text("recipient"),
                    details);
        } catch (PaymentFormException impossible) {
            throw new IllegalStateException("a challenge of ours cannot be read", impossible);
        }
    }
}
