package dev.inboxd.mail.arc;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.dkim.Canonicalization;
import dev.inboxd.mail.dkim.DkimPublicKey;
import dev.inboxd.mail.dkim.MalformedSignatureException;
import dev.inboxd.mail.dkim.SignatureTags;
import dev.inboxd.mail.dkim.VerificationInput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Validates the ARC chain of one message (RFC 8617 §5.2): the last signature over the message, and every seal. Create
 * it before the body is read, and ask for the result afterwards.
 */
public final class ArcCheck {
    private final VerificationInput message;
    private final boolean present;
    private final @Nullable List<ArcSet> sets;

    /**
     * Reads the chain and requests the body hash that it needs.
     *
     * @param message its body not read yet
     */
    public ArcCheck(VerificationInput message) {
        this.message = message;
        this.present = ArcChain.isIn(message.header());
        this.sets = message.isWhole() ? ArcChain.of(message.header()) : null;
        if (sets != null && !sets.isEmpty()) {
            try {
                SignatureTags last = sets.getLast().messageTags();
                last.bodyForm();
                message.requireHash(last);
            } catch (MalformedSignatureException saidAgainWhenAsked) {
                return;
            }
        }
    }

    /**
     * Whether the chain is valid. {@link VerificationInput#readBody} must have been called before.
     *
     * @param dns answers the lookups of the keys
     * @return {@link ArcResult#NONE} for a message without a chain; else the reason when it is not valid
     */
    public ArcResult result(Resolver dns) {
        if (!present) {
            return ArcResult.NONE;
        }
        if (sets == null) {
            return new ArcResult(AuthResult.FAIL, 0, null, "the sets are incomplete");
        }
        try {
            for (ArcSet set : sets) {
                requireStatus(set);
            }
            requireMessage(dns, sets.getLast());
            for (ArcSet set : sets.reversed()) {
                requireSeal(dns, sets, set);
            }
            return new ArcResult(
                    AuthResult.PASS, sets.size(), sets.getLast().sealTags().domain(), "");
        } catch (MalformedSignatureException fault) {
            AuthResult outcome = fault.outcome() == AuthResult.TEMPERROR ? AuthResult.TEMPERROR : AuthResult.FAIL;
            return new ArcResult(outcome, sets.size(), null, String.valueOf(fault.getMessage()));
        }
    }

    /**
     * The first relay must state that there was no chain, and all others that it was valid; a stated fail ends the
     * validation (§5.2, steps 2 and 3).
     */
    private static void requireStatus(ArcSet set) {
        SignatureTags seal = set.sealTags();
        String expected = set.instance() == 1 ? "none" : "pass";
        if (!expected.equals(seal.get("cv")) || seal.get("h") != null) {
            throw fault("seal " + set.instance() + " lacks cv=" + expected);
        }
    }

    private void requireMessage(Resolver dns, ArcSet set) {
        SignatureTags tags = set.messageTags();
        tags.number("t");
        if (tags.signedNames().contains(ArcChain.SEAL)) {
            throw fault("a message signature covers a seal"); // §4.1.2
        }
        if (!message.verifies(tags, DkimPublicKey.find(dns, tags))) {
            throw fault("message signature " + set.instance() + " does not verify");
        }
    }

    private static void requireSeal(Resolver dns, List<ArcSet> sets, ArcSet set) {
        SignatureTags tags = set.sealTags();
        tags.number("t");
        StringBuilder signed = new StringBuilder();
        for (ArcSet before : sets.subList(0, set.instance() - 1)) {
            before.appendWhole(signed);
        }
        set.appendBeforeSeal(signed);
        signed.append(tags.own(Canonicalization.RELAXED));
        DkimPublicKey key = DkimPublicKey.find(dns, tags);
        if (!key.verifies(signed.toString().getBytes(StandardCharsets.ISO_8859_1), tags.signature())) {
            throw fault("seal " + set.instance() + " does not verify");
        }
    }

    private static MalformedSignatureException fault(String reason) {
        return MalformedSignatureException.failing(reason);
    }
}
