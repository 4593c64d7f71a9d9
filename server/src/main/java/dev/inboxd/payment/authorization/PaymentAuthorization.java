package dev.inboxd.payment.authorization;

import dev.inboxd.base.id.Digests;
import dev.inboxd.base.json.CanonicalJson;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a payer signed. It moves nothing by itself: who holds it can have it executed once. Its text form leaves out the
 * payload, so that no log has a signature.
 *
 * @param variant the protocol that brought it
 * @param method {@code exact} of x402, else the method of the challenge, such as {@code evm}
 * @param transfer what it is for, as the payer claims: it is an offer of ours only after the checks of its protocol
 * @param payload what the facilitator or verifier judges
 * @param evm the payload as an authorization of {@code eip155}; null for any other
 * @param source the payer as claimed beside the payload, a DID; null without one
 * @param keys the texts by which it counts once, each to be kept as unique (payments.md §7)
 * @param end when it can no longer be executed, as far as the payload says; null when it does not
 */
public record PaymentAuthorization(
        PaymentVariant variant,
        String method,
        ExactTransfer transfer,
        Map<String, Object> payload,
        @Nullable EvmAuthorization evm,
        @Nullable String source,
        List<String> keys,
        @Nullable Instant end) {
    private static final int LONGEST_ACCOUNT = 128;

    /** An authorization with the key of its payload, and further keys. */
    public static PaymentAuthorization of(
            PaymentVariant variant, String method, ExactTransfer transfer, SignedPayload signed) {
        EvmAuthorization evm = signed.evm();
        String key = evm == null ? digest(signed.payload()) : key(transfer, evm);
        return new PaymentAuthorization(
                variant,
                method,
                transfer,
                signed.payload(),
                evm,
                signed.source(),
                Stream.concat(Stream.of(key), signed.keys().stream()).toList(),
                evm == null ? null : evm.end());
    }

    /**
     * What a payer sent beside the transfer. Its text form leaves out all of it.
     *
     * @param payload what was signed, with the signature
     * @param evm the payload as an authorization of {@code eip155}; null for any other
     * @param source a DID of the payer; null without one
     * @param keys further texts by which it counts once
     */
    public record SignedPayload(
            Map<String, Object> payload,
            @Nullable EvmAuthorization evm,
            @Nullable String source,
            List<String> keys) {
        @Override
        public String toString() {
            return "SignedPayload[" + payload.size() + " members]";
        }
    }

    /** The payer that an authorization of {@code eip155} names, in lower case; null for any other. */
    public @Nullable String from() {
        return evm == null ? null : evm.from();
    }

    /**
     * The digest of all that was signed, and of the signature: the same for the same authorization with the same bytes.
     * The keys are the same for another signature too, and all of them can be read on a public chain.
     */
    public byte[] payloadDigest() {
        return Digests.sha256(CanonicalJson.text(payload));
    }

    /**
     * The account that pays (payments.md §6.2, check 8).
     *
     * @param judged the payer that the facilitator or verifier named; null when it named none
     * @return the address, of {@code eip155} in lower case; null when there is none, or when two of them differ
     */
    public @Nullable String payer(@Nullable String judged) {
        String named = judged == null || judged.isEmpty() ? null : address(judged);
        if (judged != null && !judged.isEmpty() && named == null) {
            return null;
        }
        String account = named == null ? from() : named;
        boolean agrees = account != null
                && (from() == null || account.equals(from()))
                && (source == null || !isComparable(source) || account.equals(sourceAddress()));
        return agrees ? account : null;
    }

    /** Whether {@code source}, where given, is the payer that an authorization of {@code eip155} names. */
    public boolean sourceAgrees() {
        return source == null || Objects.equals(sourceAddress(), from());
    }

    /** The account of the payer in CAIP-10 form, with an address that {@link #payer} gave. */
    public String account(String address) {
        return transfer.network() + ":" + address;
    }

    private boolean isComparable(String did) {
        return transfer.isEvm() && did.startsWith("did:pkh:");
    }

    private @Nullable String sourceAddress() {
        String prefix = "did:pkh:" + transfer.network() + ":";
        return source != null && source.startsWith(prefix) ? address(source.substring(prefix.length())) : null;
    }

    /** An address in its only spelling; null when it is none. A name in CAIP-10 form is taken, too. */
    private @Nullable String address(String text) {
        String prefix = transfer.network() + ":";
        String address = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
        if (transfer.isEvm()) {
            return EvmAuthorization.isAddress(address) ? address.toLowerCase(Locale.ROOT) : null;
        }
        boolean isPlain = !address.isEmpty()
                && address.length() <= LONGEST_ACCOUNT
                && address.chars().allMatch(c -> c > ' ' && c < 0x7F);
        return isPlain ? address : null;
    }

    /** By the nonce and not by the signature, which can be written in two ways (payments.md §7). */
    private static String key(ExactTransfer transfer, EvmAuthorization evm) {
        return String.join("|", transfer.network(), transfer.asset(), evm.from(), evm.nonce())
                .toLowerCase(Locale.ROOT);
    }

    private static String digest(Map<String, Object> payload) {
        byte[] digest = Digests.sha256(CanonicalJson.text(payload));
        return "sha-256:" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    @Override
    public String toString() {
        return "PaymentAuthorization[" + variant + ", " + method + ", " + transfer + "]";
    }
}
