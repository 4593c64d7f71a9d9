package dev.inboxd.payment.facilitator;

import dev.inboxd.payment.offer.PaymentsUse.FacilitatorKind;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * The facilitators of a server.
 *
 * @param kind the facilitator that there is
 * @param url its base; present for {@link FacilitatorKind#OPERATOR} alone
 * @param headers fields of each request to it, which are secret
 * @param proofUrl the base of another that judges proofs; it gets no header fields
 * @param production whether plain http is for private addresses alone
 */
public record FacilitatorConfig(
        FacilitatorKind kind,
        Optional<URI> url,
        Map<String, String> headers,
        Optional<URI> proofUrl,
        boolean production) {
    public FacilitatorConfig {
        headers = Map.copyOf(headers);
    }

    /** Nothing of the header fields. */
    @Override
    public String toString() {
        return "FacilitatorConfig[" + kind + ", " + url + ", " + proofUrl + "]";
    }
}
