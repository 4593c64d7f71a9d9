package dev.inboxd.account.signup;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.json.JsonBody;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses can be a human's. In production, names that belong to nobody are refused, and our own domain, where
 * an agent would read its own code (identity.md §6.1; ruling 7).
 *
 * @param strict whether the list applies
 * @param domain our own domain
 */
public record HumanAddresses(boolean strict, String domain) {
    /** RFC 2606 §3 and §2, RFC 6761 §6. */
    private static final List<String> PLACEHOLDERS =
            List.of("example.com", "example.net", "example.org", "test", "invalid", "localhost");

    /**
     * The member {@code human_email}, as {@link #read} reads it, where it must be there.
     *
     * @throws dev.inboxd.platform.error.Problem {@code validation_error} with everything that is wrong with the body so far
     */
    public String required(JsonBody body) {
        String human = read(body);
        if (!body.has("human_email") || body.isNull("human_email")) {
            body.fault("human_email", "human_email is required");
        }
        body.check();
        return Objects.requireNonNull(human);
    }

    /** The member {@code human_email}, in the one form that makes it unique; null when absent or faulty. */
    @Nullable
    String read(JsonBody body) {
        String text = body.string("human_email").optional();
        if (text == null) {
            return null;
        }
        try {
            AddrSpec address = parse(text);
            if (strict && (address.hasAddressLiteral() || isNobodys(address.domain()))) {
                body.fault("human_email", "human_email must be the address of a human outside this service");
                return null;
            }
            return address.toString();
        } catch (AddressSyntaxException refused) {
            body.fault("human_email", "human_email must be an email address: " + refused.getMessage());
            return null;
        }
    }

    /**
     * An address in the one form that makes it unique, whosever it is.
     *
     * @throws Problem {@code validation_error} for what is no address
     */
    public static String normal(String text) {
        try {
            return parse(text).toString();
        } catch (AddressSyntaxException refused) {
            throw Problem.invalid("human", text + " is not an email address: " + refused.getMessage());
        }
    }

    private static AddrSpec parse(String text) throws AddressSyntaxException {
        return AddrSpec.parse(text.strip().toLowerCase(Locale.ROOT));
    }

    private boolean isNobodys(String host) {
        return isWithin(host, domain) || PLACEHOLDERS.stream().anyMatch(name -> isWithin(host, name));
    }

    private static boolean isWithin(String host, String name) {
        return host.equals(name) || host.endsWith("." + name);
    }
}
