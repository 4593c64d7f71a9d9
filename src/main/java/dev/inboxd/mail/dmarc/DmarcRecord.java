package dev.inboxd.mail.dmarc;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A published policy (RFC 9989 §4.7). What is wrong in it counts as absent, beyond the version that makes it one.
 *
 * @param policy p=; null when the record asks for nothing that can be done (§4.10.1)
 * @param subdomains sp=, or what stands in for it
 * @param missing np=; null when it is absent, and sp= counts
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
    /** Reads a TXT record; null when it is no policy. */
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
            // §4.10.1: a faulty record still asks for reports; without that it asks for nothing.
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

    /** The version stands first and counts with its case. */
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
