package dev.inboxd.mail.dmarc;

import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.ResolverAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Searches policies from a domain up to the root (RFC 9989 §4.10): at most eight lookups for a domain, each made once.
 */
final class TreeWalk {
    private static final int MOST_LABELS = 8;

    private final Resolver dns;
    private final Map<String, Answered> answers = new HashMap<>();

    /** A domain with a policy. */
    record Stop(String domain, DmarcRecord record) {}

    private record Answered(@Nullable DmarcRecord record) {}

    /** DNS gave no answer, so there is no result (§5.3.6). */
    static final class NoAnswerException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoAnswerException() {
            super("no answer for a policy", null, false, false);
        }
    }

    TreeWalk(Resolver dns) {
        this.dns = dns;
    }

    /** The policy of exactly this domain, or null. */
    @Nullable
    DmarcRecord at(String domain) {
        return answers.computeIfAbsent(domain, name -> new Answered(ask(name))).record;
    }

    private @Nullable DmarcRecord ask(String domain) {
        ResolverAnswer<String> answer = dns.texts("_dmarc." + domain);
        if (answer.isFailed()) {
            throw new NoAnswerException();
        }
        List<DmarcRecord> records = answer.records().stream()
                .map(DmarcRecord::parse)
                .filter(Objects::nonNull)
                .toList();
        return records.size() == 1 ? records.getFirst() : null; // several records count as none
    }

    /** The policies on the way up, the longest name first; a record with psd=y or psd=n ends the walk. */
    List<Stop> from(String domain) {
        List<Stop> stops = new ArrayList<>();
        String name = domain;
        while (!name.isEmpty()) {
            DmarcRecord record = at(name);
            if (record != null) {
                stops.add(new Stop(name, record));
                if (record.psd() != 'u') {
                    break;
                }
            }
            name = next(name);
        }
        return stops;
    }

    /** The name without its first label; of a long name, only the last seven labels. */
    private static String next(String name) {
        String ancestor = parent(name);
        while (ancestor.chars().filter(c -> c == '.').count() >= MOST_LABELS - 1) {
            ancestor = parent(ancestor);
        }
        return ancestor;
    }

    private static String parent(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1);
    }

    /** The organizational domain of a domain (§4.10.2). */
    String organizationalDomain(String domain) {
        List<Stop> stops = from(domain);
        for (Stop stop : stops) {
            if (stop.record.psd() == 'n') {
                return stop.domain;
            }
            if (stop.record.psd() == 'y' && !stop.domain.equals(domain)) {
                return below(stop.domain, domain);
            }
        }
        return stops.isEmpty() ? domain : stops.getLast().domain;
    }

    /** The name one label longer than a suffix, on the way to a domain. */
    private static String below(String suffix, String domain) {
        int end = domain.length() - suffix.length() - 1;
        return domain.substring(domain.lastIndexOf('.', end - 1) + 1);
    }
}
