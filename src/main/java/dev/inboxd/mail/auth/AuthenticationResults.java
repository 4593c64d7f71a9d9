package dev.inboxd.mail.auth;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about a message's origin: the Authentication-Results field (RFC 8601) that stands on top of what we
 * store, and what that field says. No text of the sender's gets into it but domains and selectors of plain letters.
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
     * @param domain null when it was none
     */
    public record Spf(
            AuthResult result, boolean mailFrom, @Nullable String domain) {
        /** Keeps nothing but what is plain. */
        public Spf {
            domain = plain(domain);
        }
    }

    /** A signature's result; {@code start} are the first characters of b= (RFC 6008). */
    public record Dkim(
            AuthResult result,
            @Nullable String domain,
            @Nullable String selector,
            @Nullable String algorithm,
            @Nullable String start) {
        /** Keeps nothing but what is plain. */
        public Dkim {
            domain = plain(domain);
            selector = plain(selector);
            algorithm = plain(algorithm);
            start = plain(start);
        }
    }

    /** DMARC's result for the author's domain, and the policy that counts when it fails. */
    public record Dmarc(
            AuthResult result,
            @Nullable String domain,
            @Nullable String policy) {
        /** Keeps nothing but what is plain. */
        public Dmarc {
            domain = plain(domain);
            policy = plain(policy);
        }
    }

    /** The result of a chain of seals, and who sealed last. */
    public record Arc(AuthResult result, @Nullable String domain) {
        /** Keeps nothing but what is plain. */
        public Arc {
            domain = plain(domain);
        }
    }

    /** What may stand in the field without quotes and can never be taken for something else; null for all other text. */
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

    /** The field in the name of that host, folded, with its CRLF. */
    public String field(String authservId) {
        return NAME + ": " + value(authservId, "\r\n\t") + "\r\n";
    }

    /** What stands behind the name of the field; {@code fold} separates one result from the next. */
    public String value(String authservId, String fold) {
        List<String> results = new ArrayList<>();
        results.add(authservId);
        results.add(
                "spf=" + spf.result.wireName() + property(spf.mailFrom ? "smtp.mailfrom" : "smtp.helo", spf.domain));
        for (Dkim one : dkim) {
            results.add("dkim=" + one.result.wireName() + property("header.d", one.domain)
                    + property("header.s", one.selector) + property("header.a", one.algorithm)
                    + property("header.b", one.start));
        }
        if (dkim.isEmpty()) {
            results.add("dkim=none");
        }
        results.add("dmarc=" + dmarc.result.wireName() + property("header.from", dmarc.domain)
                + property("policy.dmarc", dmarc.policy));
        results.add("arc=" + arc.result.wireName() + property("header.d", arc.domain));
        return String.join(";" + fold, results);
    }

    private static String property(String name, @Nullable String value) {
        // RFC 2045 §5.1: a slash is no part of a token.
        return value == null ? "" : " " + name + "=" + (value.indexOf('/') < 0 ? value : '"' + value + '"');
    }
}
