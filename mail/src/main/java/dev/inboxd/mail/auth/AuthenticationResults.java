package dev.inboxd.mail.auth;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of the origin checks of a message: the Authentication-Results field (RFC 8601) on top of the stored message,
 * and its parsed content. It contains no text of the sender but domains and selectors of plain letters.
 *
 * @param dkim one for each signature, from the top of the message down
 */
public record AuthenticationResults(Spf spf, List<Dkim> dkim, Dmarc dmarc, Arc arc) {
    /** The name of the field. */
    public static final String NAME = "Authentication-Results";

    public AuthenticationResults {
        dkim = List.copyOf(dkim);
    }

    /**
     * SPF's result.
     *
     * @param mailFrom whether the domain is that of MAIL FROM; else that of HELO
     * @param domain null when there was none
     */
    public record Spf(
            AuthResult result, boolean mailFrom, @Nullable String domain) {
        /** Replaces a domain that is not plain by null. */
        public Spf {
            domain = plain(domain);
        }
    }

    /** Result of a signature; {@code start} are the first characters of b= (RFC 6008). */
    public record Dkim(
            AuthResult result,
            @Nullable String domain,
            @Nullable String selector,
            @Nullable String algorithm,
            @Nullable String start) {
        /** Replaces texts that are not plain by null. */
        public Dkim {
            domain = plain(domain);
            selector = plain(selector);
            algorithm = plain(algorithm);
            start = plain(start);
        }
    }

    /**
     * DMARC's result for the author's domain.
     *
     * @param policy the policy that applies when it fails
     * @param aligned whether a domain that passed is the author's, or aligned with it in relaxed mode; also without a
     *     policy
     */
    public record Dmarc(
            AuthResult result,
            @Nullable String domain,
            @Nullable String policy,
            boolean aligned) {
        /** Replaces a domain that is not plain by null. */
        public Dmarc {
            domain = plain(domain);
            policy = plain(policy);
        }
    }

    /** The result of an ARC chain, and the domain of its last seal. */
    public record Arc(AuthResult result, @Nullable String domain) {
        /** Replaces a domain that is not plain by null. */
        public Arc {
            domain = plain(domain);
        }
    }

    /**
     * The text if it may be written to the field without quotes and can never be mistaken for another element; else
     * null.
     */
    private static @Nullable String plain(@Nullable String text) {
        boolean clean = text != null
                && !text.isEmpty()
                && text.length() <= 253
                && text.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || "-._+/".indexOf(c) >= 0);
        return clean ? text : null;
    }

    /**
     * The field as it stands in a message (RFC 8601 §2.2).
     *
     * @param authservId the name of the server that made the checks
     * @return the field, folded, with its CRLF
     */
    public String field(String authservId) {
        return NAME + ": " + value(authservId, "\r\n\t") + "\r\n";
    }

    /**
     * The value of the field, without its name.
     *
     * @param authservId the name of the server that made the checks
     * @param fold separates one result from the next, such as a space
     */
    public String value(String authservId, String fold) {
        List<String> results = new ArrayList<>();
        results.add(authservId);
        results.add(
                "spf=" + spf.result.wireName() + property(spf.mailFrom ? "smtp.mailfrom" : "smtp.helo", spf.domain));
        for (Dkim signature : dkim) {
            results.add("dkim=" + signature.result.wireName() + property("header.d", signature.domain)
                    + property("header.s", signature.selector) + property("header.a", signature.algorithm)
                    + property("header.b", signature.start));
        }
        if (dkim.isEmpty()) {
            results.add("dkim=none");
        }
        results.add("dmarc=" + dmarc.result.wireName() + property("header.from", dmarc.domain)
                + property("policy.dmarc", dmarc.policy) + property("policy.aligned", dmarc.aligned ? "yes" : "no"));
        results.add("arc=" + arc.result.wireName() + property("header.d", arc.domain));
        return String.join(";" + fold, results);
    }

    private static String property(String name, @Nullable String value) {
        // RFC 2045 §5.1: a token contains no slash.
        return value == null ? "" : " " + name + "=" + (value.indexOf('/') < 0 ? value : '"' + value + '"');
    }
}
