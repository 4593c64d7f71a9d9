package dev.inboxd.payment.authorization;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object in a payment, each of the type that it has to have. A member that is null reads as absent.
 */
public final class PaymentMembers {
    /** Maximum length of a header field with a payment, in characters (payments.md §6.2). */
    public static final int LONGEST = 16 * 1024;

    private static final int DEPTH = 16;

    private final Map<String, Object> members;
    private final String path;

    private PaymentMembers(Map<String, Object> members, String path) {
        this.members = members;
        this.path = path;
    }

    /**
     * Reads an object from its encoded text.
     *
     * @param text at most {@value #LONGEST} characters
     * @param alphabet the base64 that the protocol asks for (RFC 4648 §4 or §5), with or without padding
     * @throws PaymentFormException when it is too long, not in that alphabet, no JSON object, or deeper than 16 levels
     */
    public static PaymentMembers decode(String text, Base64.Decoder alphabet) throws PaymentFormException {
        if (text.length() > LONGEST) {
            throw new PaymentFormException("must have at most " + LONGEST + " characters");
        }
        try {
            if (Json.parse(alphabet.decode(text)) instanceof Map<?, ?> object && isShallow(object, DEPTH)) {
                return new PaymentMembers(named(object), "");
            }
        } catch (Problem | IllegalArgumentException _) {
            // Their messages quote what was sent, which is a secret.
        }
        throw new PaymentFormException(
                "must be the base64 form of a JSON object that is nested at most " + DEPTH + " levels deep");
    }

    /** The members of an object that was read already. */
    public static PaymentMembers of(Map<String, Object> members, String path) {
        return new PaymentMembers(members, path);
    }

    /** All of them, as they were sent. */
    public Map<String, Object> all() {
        return members;
    }

    /** Whether there is such a member, other than null. */
    public boolean has(String name) {
        return members.get(name) != null;
    }

    /** A string; absent, it is a fault. */
    public String text(String name) throws PaymentFormException {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw fault(name, "must be a string");
    }

    /** A string, or null when absent. */
    public @Nullable String optionalText(String name) throws PaymentFormException {
        return has(name) ? text(name) : null;
    }

    /** An object; absent, it is a fault. */
    public PaymentMembers object(String name) throws PaymentFormException {
        if (members.get(name) instanceof Map<?, ?> object) {
            return new PaymentMembers(named(object), path + name + ".");
        }
        throw fault(name, "must be an object");
    }

    /** An object, or null when absent. */
    public @Nullable PaymentMembers optionalObject(String name) throws PaymentFormException {
        return has(name) ? object(name) : null;
    }

    /** A fault of a member. */
    public PaymentFormException fault(String name, String message) {
        return new PaymentFormException(path + name + " " + message);
    }

    private static boolean isShallow(@Nullable Object value, int levels) {
        return switch (value) {
            case Map<?, ?> object ->
                levels > 0 && object.values().stream().allMatch(member -> isShallow(member, levels - 1));
            case List<?> list -> levels > 0 && list.stream().allMatch(item -> isShallow(item, levels - 1));
            case null, default -> true;
        };
    }

    /** Casts an object of the parser, whose names are always strings. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> named(Map<?, ?> object) {
        return (Map<String, Object>) object;
    }
}
