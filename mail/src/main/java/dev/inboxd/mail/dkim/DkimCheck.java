package dev.inboxd.mail.dkim;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.Resolver;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the signatures of one message (RFC 6376 §6): at most ten, each by itself. A signature that permits
 * additions to the message does not pass. Create it before the body is read, and ask for the results afterwards.
 */
public final class DkimCheck {
    /** Maximum number of signatures verified, from the top of the message; further ones are ignored. */
    public static final int MOST_SIGNATURES = 10;

    /**
     * Fields that occur once only (RFC 5322 §3.6, RFC 2045 §3): a second one that no signature covers was added by
     * somebody else.
     */
    private static final List<String> SINGLE = List.of(
            "from",
            "sender",
            "reply-to",
            "to",
            "cc",
            "subject",
            "date",
            "message-id",
            "in-reply-to",
            "references",
            "mime-version",
            "content-type",
            "content-transfer-encoding");

    private final VerificationInput message;
    private final Instant now;
    private final List<Candidate> candidates = new ArrayList<>();

    /** A signature: its tags, or the reason why they are invalid. */
    private record Candidate(
            @Nullable SignatureTags tags, @Nullable MalformedSignatureException fault) {}

    /**
     * Parses the signatures and requests the body hashes that they need.
     *
     * @param message its body not read yet
     * @param now the time for their expiry
     */
    public DkimCheck(VerificationInput message, Instant now) {
        this.message = message;
        this.now = now;
        message.header().all("dkim-signature").stream().limit(MOST_SIGNATURES).forEach(this::read);
    }

    private void read(HeaderFields.Field field) {
        SignatureTags tags = null;
        try {
            tags = SignatureTags.of(field, Canonicalization.SIMPLE);
            require(tags);
            message.requireHash(tags);
            candidates.add(new Candidate(tags, null));
        } catch (MalformedSignatureException fault) {
            candidates.add(new Candidate(tags, fault));
        }
    }

    /** §6.1.1: checks that need neither the body nor the key. */
    private void require(SignatureTags tags) {
        if (!message.isWhole()) {
            throw MalformedSignatureException.syntax("the header section is too large");
        }
        if (!"1".equals(tags.get("v"))) {
            throw MalformedSignatureException.syntax("no v=1");
        }
        tags.algorithm();
        String domain = tags.domain();
        tags.selector();
        tags.signature();
        tags.bodyHash();
        tags.headerForm();
        tags.bodyForm();
        tags.number("l");
        if (!tags.signedNames().contains("from")) {
            throw MalformedSignatureException.syntax("From is not signed");
        }
        String identity = identityDomain(tags);
        if (!identity.equals(domain) && !identity.endsWith("." + domain)) {
            throw MalformedSignatureException.syntax("i= is not within d=");
        }
        Long signed = tags.number("t");
        Long expires = tags.number("x");
        if (expires != null && signed != null && expires < signed) {
            throw MalformedSignatureException.syntax("expired before it was signed");
        }
        if (expires != null && expires < now.getEpochSecond()) {
            throw new MalformedSignatureException(AuthResult.NEUTRAL, "expired");
        }
    }

    private static String identityDomain(SignatureTags tags) {
        String identity = tags.get("i");
        return identity == null
                ? tags.domain()
                : identity.substring(identity.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }

    /**
     * Verifies each signature. {@link VerificationInput#readBody} must have been called before.
     *
     * @param dns answers the lookups of the keys
     * @return one result for each signature, from the top of the message down; empty for a message without one
     */
    public List<DkimResult> results(Resolver dns) {
        return candidates.stream().map(candidate -> result(candidate, dns)).toList();
    }

    private DkimResult result(Candidate candidate, Resolver dns) {
        SignatureTags tags = candidate.tags;
        try {
            if (candidate.fault != null || tags == null) {
                throw candidate.fault == null ? MalformedSignatureException.syntax("no signature") : candidate.fault;
            }
            verify(tags, dns);
            return of(tags, AuthResult.PASS, "");
        } catch (MalformedSignatureException fault) {
            return of(tags, fault.outcome(), String.valueOf(fault.getMessage()));
        }
    }

    private void verify(SignatureTags tags, Resolver dns) {
        DkimPublicKey key = DkimPublicKey.find(dns, tags);
        if (key.strict() && !identityDomain(tags).equals(tags.domain())) {
            throw MalformedSignatureException.syntax("i= is not d=, as the key demands");
        }
        if (!message.hasBody(tags)) {
            throw failing(key, "the body was changed");
        }
        if (!message.verifies(tags, key)) {
            throw failing(key, "the signature does not verify");
        }
        // The remaining signatures verify, but the message can be made to say something else (RFC 6376 §8.2 and
        // §8.15).
        if (message.unsigned(tags) > 0) {
            throw new MalformedSignatureException(AuthResult.POLICY, "the end of the body is not signed");
        }
        String doubled = doubled(tags);
        if (doubled != null) {
            throw new MalformedSignatureException(AuthResult.POLICY, "a second " + doubled + " is not signed");
        }
    }

    /** §3.6.1: a domain in testing mode is treated like one that does not sign. */
    private static MalformedSignatureException failing(DkimPublicKey key, String reason) {
        return new MalformedSignatureException(key.testing() ? AuthResult.NEUTRAL : AuthResult.FAIL, reason);
    }

    private @Nullable String doubled(SignatureTags tags) {
        List<String> names = tags.signedNames();
        for (String name : SINGLE) {
            int occurs = message.header().all(name).size();
            if (occurs > 1 && names.stream().filter(name::equals).count() < occurs) {
                return name;
            }
        }
        return null;
    }

    private static DkimResult of(@Nullable SignatureTags tags, AuthResult outcome, String reason) {
        if (tags == null) {
            return new DkimResult(outcome, null, null, null, "", reason);
        }
        return new DkimResult(
                outcome, readable(tags::domain), readable(tags::selector), tags.get("a"), tags.start(), reason);
    }

    private static @Nullable String readable(Supplier<String> name) {
        try {
            return name.get();
        } catch (MalformedSignatureException unreadable) {
            return null;
        }
    }
}
