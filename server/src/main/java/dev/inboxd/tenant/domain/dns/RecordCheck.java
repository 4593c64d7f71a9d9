package dev.inboxd.tenant.domain.dns;

import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.net.MailExchanger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares the published records with the required ones (identity.md §11.4). Called only when records were found. */
public final class RecordCheck {
    private static final Set<String> POLICIES = Set.of("none", "quarantine", "reject");

    private RecordCheck() {}

    /**
     * Checks MX records.
     *
     * @param besideOthers whether records of other providers are allowed
     */
    public static RecordResult exchangers(List<MailExchanger> exchangers, String expected, boolean besideOthers) {
        boolean ours = exchangers.stream().anyMatch(exchanger -> isSameHost(exchanger.host(), expected));
        boolean others = exchangers.stream().anyMatch(exchanger -> !isSameHost(exchanger.host(), expected));
        if (!ours) {
            return RecordResult.MISMATCH;
        }
        return others && !besideOthers ? RecordResult.DUPLICATE : RecordResult.VALID;
    }

    /**
     * Checks TXT records: exactly one must be an SPF record (RFC 7208 §4.5) with the mechanism of the expected one.
     */
    public static RecordResult spf(List<String> texts, String expected) {
        List<String> records = texts.stream().filter(RecordCheck::isSpf).toList();
        if (records.isEmpty()) {
            return RecordResult.MISSING;
        }
        if (records.size() > 1) {
            return RecordResult.DUPLICATE;
        }
        String mechanism = expected.split(" ", -1)[1];
        boolean ours = List.of(records.getFirst().split(" ", -1)).stream()
                .anyMatch(term -> term.equalsIgnoreCase(mechanism) || term.equalsIgnoreCase("+" + mechanism));
        return ours ? RecordResult.VALID : RecordResult.MISMATCH;
    }

    /** Checks TXT records: exactly one must be an SPF record, with any mechanisms. */
    public static RecordResult anySpf(List<String> texts) {
        return switch ((int) texts.stream().filter(RecordCheck::isSpf).count()) {
            case 0 -> RecordResult.MISSING;
            case 1 -> RecordResult.VALID;
            default -> RecordResult.DUPLICATE;
        };
    }

    private static boolean isSpf(String text) {
        return text.equalsIgnoreCase("v=spf1") || text.regionMatches(true, 0, "v=spf1 ", 0, 7);
    }

    /** Checks TXT records for the public half of a key (RFC 6376 §3.6.1); other tags may have any value. */
    public static RecordResult dkim(List<String> texts, DkimKey key) {
        boolean ours = texts.stream().map(RecordCheck::tags).anyMatch(tags -> {
            String published = tags.get("p");
            return published != null && key.isPublishedAs(published);
        });
        if (!ours) {
            return RecordResult.MISMATCH;
        }
        return texts.size() > 1
                ? RecordResult.DUPLICATE
                : RecordResult.VALID; // §3.6.2.2: with several, a verifier may take any
    }

    /** The same, when only the record of the key is at hand. */
    public static RecordResult dkim(List<String> texts, String expected) {
        @Nullable String ours = tags(expected).get("p");
        boolean matches = texts.stream()
                .map(record -> tags(record).get("p"))
                .anyMatch(published ->
                        published != null && published.replace(" ", "").equals(ours));
        return !matches ? RecordResult.MISMATCH : texts.size() > 1 ? RecordResult.DUPLICATE : RecordResult.VALID;
    }

    /** Checks TXT records: exactly one must be a DMARC record (RFC 9989), with any policy. */
    public static RecordResult dmarc(List<String> texts) {
        List<Map<String, String>> records = texts.stream()
                .filter(RecordCheck::isDmarc)
                .map(RecordCheck::tags)
                .toList();
        if (records.isEmpty()) {
            return RecordResult.MISSING;
        }
        if (records.size() > 1) {
            return RecordResult.DUPLICATE;
        }
        @Nullable String policy = records.getFirst().get("p");
        return policy != null && POLICIES.contains(policy.toLowerCase(Locale.ROOT))
                ? RecordResult.VALID
                : RecordResult.MISMATCH;
    }

    private static boolean isDmarc(String text) {
        int end = text.indexOf(';');
        String first = (end < 0 ? text : text.substring(0, end)).replace(" ", "");
        return first.equals("v=DMARC1");
    }

    /** Checks an alias (CNAME). */
    static RecordResult alias(List<String> aliases, String expected) {
        return isSameHost(aliases.getFirst(), expected) ? RecordResult.VALID : RecordResult.MISMATCH;
    }

    private static boolean isSameHost(String host, String expected) {
        return host.equalsIgnoreCase(expected) || host.equalsIgnoreCase(expected + ".");
    }

    /** The tags of a record (RFC 6376 §3.2), the first of each name. */
    private static Map<String, String> tags(String record) {
        Map<String, String> tags = new TreeMap<>();
        for (String tag : record.split(";", -1)) {
            int equals = tag.indexOf('=');
            if (equals > 0) {
                tags.putIfAbsent(
                        tag.substring(0, equals).strip(),
                        tag.substring(equals + 1).strip());
            }
        }
        return tags;
    }
}
