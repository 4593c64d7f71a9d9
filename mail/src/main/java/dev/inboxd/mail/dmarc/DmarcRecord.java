package dev.inboxd.mail.dmarc;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A DMARC record (RFC 9989 §4.7). A malformed tag counts as absent, except the version.
 *
 * @param policy p=; null when the record asks for no action (§4.10.1)
 * @param subdomains sp=, or its default
 * @param missing np=; null when it is absent, and sp= applies
 * @param psd psd=: y, n or u
 */
record DmarcRecord(
        @Nullable DmarcPolicy policy,
        DmarcPolicy subdomains,
        @Nullable DmarcPolicy missing,
        boolean strictDkim,
        boolean strictSpf,
        char psd,
        boolean testing) {
    /** Parses a TXT record; null when it is not a DMARC record. */
    static @Nullable DmarcRecord parse(String text) {
        String[] specs = text.split(";", -1);
        if (!isVersion(specs[0])) {
            return null;
        }
        Map<String, String> tags = new HashMap<>();
        for (String spec : specs) {
            int equals = spec.indexOf('=');
            if (equals > 0) {
                tags.putIfAbsent(
                        spec.substring(0, equals).strip().toLowerCase(Locale.ROOT),
                        spec.substring(equals + 1).strip());
            }
        }
        DmarcPolicy policy = policy(tags, "p");
        DmarcPolicy subdomains = policy(tags, "sp");
        DmarcPolicy missing = policy(tags, "np");
        boolean faulty = policy == null
                || (subdomains == null && tags.containsKey("sp"))
                || (missing == null && tags.containsKey("np"));
        if (faulty) {
            // §4.10.1: a malformed policy with a report address means none; without one the record is ignored.
            policy =
                    tags.getOrDefault("rua", "").toLowerCase(Locale.ROOT).contains("mailto:") ? DmarcPolicy.NONE : null;
            subdomains = DmarcPolicy.NONE;
            missing = null;
        }
        return new DmarcRecord(
                policy,
                subdomains != null ? subdomains : policy == null ? DmarcPolicy.NONE : policy,
                missing,
                is(tags, "adkim", 's'),
                is(tags, "aspf", 's'),
                psd(tags),
                is(tags, "t", 'y'));
    }

    /** The version comes first and is case-sensitive. */
    private static boolean isVersion(String spec) {
        int equals = spec.indexOf('=');
        return equals > 0
                && spec.substring(0, equals).strip().equals("v")
                && spec.substring(equals + 1).strip().equals("DMARC1");
    }

    private static @Nullable DmarcPolicy policy(Map<String, String> tags, String name) {
        return DmarcPolicy.parse(tags.getOrDefault(name, ""));
    }

    private static boolean is(Map<String, String> tags, String name, char value) {
        return tags.getOrDefault(name, "").equalsIgnoreCase(String.valueOf(value));
    }

    private static char psd(Map<String, String> tags) {
        return is(tags, "psd", 'y') ? 'y' : is(tags, "psd", 'n') ? 'n' : 'u';
    }
}
