package dev.inboxd.mail.dkim;

import dev.inboxd.mail.auth.AuthResult;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tags of a signature (RFC 6376 §3.5, RFC 8617 §4.1), each parsed and checked when it is read. */
public final class SignatureTags {
    private static final int MOST_NAMES = 1_000;

    private final HeaderFields.Field field;
    private final TagList tags;
    private final Canonicalization usualForm;

    private SignatureTags(HeaderFields.Field field, TagList tags, Canonicalization usualForm) {
        this.field = field;
        this.tags = tags;
        this.usualForm = usualForm;
    }

    /**
     * The tags of a signature field.
     *
     * @param usualForm meaning of an absent c=: simple for DKIM (RFC 6376 §3.5), relaxed for ARC, as in the published
     *     test cases
     * @throws MalformedSignatureException when the field is not a tag list
     */
    public static SignatureTags of(HeaderFields.Field field, Canonicalization usualForm) {
        TagList tags = TagList.parse(field.value());
        if (tags == null) {
            throw MalformedSignatureException.syntax("no list of tags");
        }
        return new SignatureTags(field, tags, usualForm);
    }

    /** A tag's value, or null. */
    public @Nullable String get(String tag) {
        return tags.get(tag);
    }

    /** The first characters of b=, which tell signatures of one domain apart (RFC 6008 §3). */
    String start() {
        String b = Objects.requireNonNullElse(tags.compact("b"), "");
        return b.substring(0, Math.min(8, b.length()));
    }

    /** a=; SHA-1 and anything unknown are refused (RFC 8301 §3.1). */
    public SignatureAlgorithm algorithm() {
        String tag = required("a");
        SignatureAlgorithm algorithm = SignatureAlgorithm.ofTag(tag);
        if (algorithm == null) {
            throw tag.equals("rsa-sha1")
                    ? new MalformedSignatureException(AuthResult.POLICY, "rsa-sha1 is not secure")
                    : MalformedSignatureException.syntax("unknown algorithm");
        }
        return algorithm;
    }

    /** d=, a domain name in lower case. */
    public String domain() {
        return hostName("d");
    }

    /** s=, in lower case. */
    public String selector() {
        return hostName("s");
    }

    private String hostName(String tag) {
        String name = required(tag).toLowerCase(Locale.ROOT);
        boolean clean = name.length() <= 253
                && !name.startsWith(".")
                && !name.endsWith(".")
                && !name.contains("..")
                && name.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "-._".indexOf(c) >= 0);
        if (!clean) {
            throw MalformedSignatureException.syntax(tag + "= is no domain name");
        }
        return name;
    }

    /** b=, the signature itself. */
    public byte[] signature() {
        return base64("b");
    }

    /** bh=, the hash of the body. */
    public byte[] bodyHash() {
        return base64("bh");
    }

    private byte[] base64(String tag) {
        required(tag);
        try {
            byte[] octets = Base64.getDecoder().decode(Objects.requireNonNull(tags.compact(tag)));
            if (octets.length > 0) {
                return octets;
            }
        } catch (IllegalArgumentException malformed) {
            // thrown below
        }
        throw MalformedSignatureException.syntax(tag + "= is no base64");
    }

    /** c=, canonicalization of the header. */
    public Canonicalization headerForm() {
        return form(0);
    }

    /** c=, canonicalization of the body. */
    public Canonicalization bodyForm() {
        return form(1);
    }

    private Canonicalization form(int part) {
        String tag = tags.get("c");
        if (tag == null) {
            return usualForm;
        }
        String[] forms = tag.split("/", -1);
        return switch (forms.length > 2 ? "" : forms.length > part ? forms[part] : "simple") {
            case "simple" -> Canonicalization.SIMPLE;
            case "relaxed" -> Canonicalization.RELAXED;
            default -> throw MalformedSignatureException.syntax("unknown canonicalization");
        };
    }

    /** h=, the names of the signed fields in lower case, without empty names. */
    public List<String> signedNames() {
        String compact = tags.compact("h");
        if (compact == null) {
            throw MalformedSignatureException.syntax("h= is missing");
        }
        List<String> names = new ArrayList<>();
        for (String name : compact.toLowerCase(Locale.ROOT).split(":", -1)) {
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        if (names.size() > MOST_NAMES) {
            throw MalformedSignatureException.syntax("too many signed fields");
        }
        return names;
    }

    /** A number of seconds or octets, or null when the tag is absent. */
    public @Nullable Long number(String tag) {
        String digits = tags.get(tag);
        if (digits == null) {
            return null;
        }
        // RFC 6376 §3.5: 12 digits must be supported, 76 are permitted
        if (digits.isEmpty() || digits.length() > 76 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw MalformedSignatureException.syntax(tag + "= is no number");
        }
        return digits.length() > 18 ? BodyHash.NO_LIMIT - 1 : Long.parseLong(digits);
    }

    /** The canonical form of the signature's own field: without the value of b= and without the final CRLF (§3.7). */
    public String own(Canonicalization form) {
        String raw = field.raw();
        return form.header(raw.substring(0, raw.length() - field.value().length()) + tags.without("b"));
    }

    private String required(String tag) {
        String value = tags.get(tag);
        if (value == null || value.isEmpty()) {
            throw MalformedSignatureException.syntax(tag + "= is missing");
        }
        return value;
    }
}
