package dev.inboxd.account.signup;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.AddressText;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether an address can be a human's. In production, placeholder domains are refused, and so is the service's
 * own domain, where an agent could read its own code (identity.md §6.1; ruling 7).
 *
 * @param strict whether these domains are refused
 * @param domain the service's own domain
 */
public record HumanAddresses(boolean strict, String domain) {
    /** RFC 2606 §3 and §2, RFC 6761 §6. */
    private static final List<String> PLACEHOLDERS =
            List.of("example.com", "example.net", "example.org", "test", "invalid", "localhost");

    /**
     * Reads the required member {@code human_email}; see {@link #read}.
     *
     * @throws dev.inboxd.base.error.Problem {@code validation_error} with all faults of the body so far
     */
    public String required(JsonBody body) {
        String human = read(body);
        if (!body.has("human_email") || body.isNull("human_email")) {
            body.missing("human_email");
        }
        body.check();
        return Objects.requireNonNull(human);
    }

    /** Reads the member {@code human_email} in its canonical form; null when absent or faulty. */
    @Nullable
    String read(JsonBody body) {
        String text = body.string("human_email").keepEmpty().optional();
        if (text == null) {
            return null;
        }
        try {
            AddrSpec address = parse(text);
            if (strict && (address.hasAddressLiteral() || isRefused(address.domain()))) {
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
     * The canonical form of an address, without regard to its domain.
     *
     * @throws Problem {@code validation_error} when it is no address
     */
    public static String normal(String text) {
        try {
            return parse(text).toString();
        } catch (AddressSyntaxException refused) {
            throw Problem.invalid("human", text + " is not an email address: " + refused.getMessage());
        }
    }

    /**
     * The canonical form of the address of somebody outside this service.
     *
     * @throws Problem {@code validation_error} for any other
     */
    public String outside(String text) {
        try {
            AddrSpec address = parse(text);
            if (address.hasAddressLiteral()
                    || isWithin(address.domain(), domain)
                    || (strict && isRefused(address.domain()))) {
                throw Problem.invalid("address", text + " is no address of a person outside this service");
            }
            return address.toString();
        } catch (AddressSyntaxException refused) {
            throw Problem.invalid("address", text + " is not an email address: " + refused.getMessage());
        }
    }

    private static AddrSpec parse(String text) throws AddressSyntaxException {
        return AddrSpec.parse(AddressText.trimmed(text).toLowerCase(Locale.ROOT));
    }

    private boolean isRefused(String host) {
        return isWithin(host, domain) || PLACEHOLDERS.stream().anyMatch(name -> isWithin(host, name));
    }

    private static boolean isWithin(String host, String name) {
        return host.equals(name) || host.endsWith("." + name);
    }
}
