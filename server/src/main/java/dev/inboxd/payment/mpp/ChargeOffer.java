package dev.inboxd.payment.mpp;

import dev.inboxd.base.json.CanonicalJson;
import dev.inboxd.payment.authorization.ExactTransfer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one payment method wants for a call.
 *
 * @param method the name, lower-case letters such as {@code evm}
 * @param amount units of the currency, digits without leading zeros; "0" for a proof
 * @param currency the asset
 * @param recipient the account that is paid
 * @param details what the method says besides, {@code methodDetails} on the wire; such as {@code chainId}
 */
public record ChargeOffer(
        String method, String amount, String currency, String recipient, Map<String, Object> details) {
    /** The parameter {@code request} of a challenge: RFC 8785 JSON in base64url without padding. */
    public String request() {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("amount", amount);
        request.put("currency", currency);
        request.put("recipient", recipient);
        request.put("methodDetails", details);
        byte[] text = CanonicalJson.text(request).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    /** The same as a transfer: a method with a {@code chainId} is of that chain, another has its name for a network. */
    public ExactTransfer transfer() {
        Object chain = details.get("chainId");
        String network = chain instanceof Long || chain instanceof Integer ? "eip155:" + chain : method;
        return new ExactTransfer(network, currency, amount, recipient);
    }

    /** The same offer at another amount. */
    ChargeOffer at(String newAmount) {
        return new ChargeOffer(method, newAmount, currency, recipient, details);
    }
}
