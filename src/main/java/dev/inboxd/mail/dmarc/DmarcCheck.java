package dev.inboxd.mail.dmarc;

import dev.inboxd.mail.auth.Answer;
import dev.inboxd.mail.auth.Outcome;
import dev.inboxd.mail.auth.Resolver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether an author's domain stands behind a message (RFC 9989 §5.3). One for each message: it asks everything once. */
public final class DmarcCheck {
    private final Resolver dns;
    private final TreeWalk tree;
    private final Map<String, Optional<Published>> published = new HashMap<>();

    /** What applies to an author's domain: the record, and whether another domain published it for those below. */
    private record Applying(DmarcRecord record, boolean inherited) {}

    /** What applies, and what it wants done. */
    private record Published(DmarcRecord record, Policy policy) {}

    /** Whether a domain counts for the author's, as far as the DNS tells. */
    private enum Alignment {
        YES,
        NO,
        OPEN
    }

    /** Checks that ask this resolver. */
    public DmarcCheck(Resolver dns) {
        this.dns = dns;
        this.tree = new TreeWalk(dns);
    }

    /**
     * Asks for the policy of an author's domain ahead of all that the message itself names: whose DNS is slow then has used
     * up no time that this needs.
     */
    public void askAhead(String domain) {
        try {
            published(domain);
        } catch (TreeWalk.NoAnswerException later) {
            // the result says so
        }
    }

    /**
     * Checks one author's domain.
     *
     * @param domain in lower case, in A-labels
     * @param authenticated the domains that others checks vouch for
     * @param undecided those they would vouch for, had the DNS answered: who might yet pass has not failed
     */
    public DmarcResult result(String domain, List<Authenticated> authenticated, List<Authenticated> undecided) {
        try {
            return published(domain)
                    .map(found -> new DmarcResult(
                            outcome(domain, found.record, authenticated, undecided), domain, found.policy))
                    .orElseGet(() -> new DmarcResult(Outcome.NONE, domain, null));
        } catch (TreeWalk.NoAnswerException unknown) {
            return new DmarcResult(Outcome.TEMPERROR, domain, null);
        }
    }

    private Optional<Published> published(String domain) {
        Optional<Published> known = published.get(domain);
        if (known == null) {
            Applying applying = applying(domain);
            known = applying == null || applying.record.policy() == null
                    ? Optional.empty()
                    : Optional.of(new Published(applying.record, policy(domain, applying)));
            published.put(domain, known);
        }
        return known;
    }

    private Outcome outcome(
            String domain, DmarcRecord record, List<Authenticated> authenticated, List<Authenticated> undecided) {
        boolean open = false;
        for (Authenticated each : authenticated) {
            Alignment alignment = alignment(domain, record, each);
            if (alignment == Alignment.YES) {
                return Outcome.PASS;
            }
            open |= alignment == Alignment.OPEN;
        }
        open |= undecided.stream().anyMatch(each -> alignment(domain, record, each) != Alignment.NO);
        return open ? Outcome.TEMPERROR : Outcome.FAIL;
    }

    private Alignment alignment(String domain, DmarcRecord record, Authenticated other) {
        try {
            return isAligned(domain, record, other) ? Alignment.YES : Alignment.NO;
        } catch (TreeWalk.NoAnswerException unknown) {
            return Alignment.OPEN;
        }
    }

    /** §4.10.1: the record of the domain itself, else of its organizational domain, else of its public suffix. */
    private @Nullable Applying applying(String domain) {
        DmarcRecord own = tree.at(domain);
        if (own != null) {
            return new Applying(own, false);
        }
        List<TreeWalk.Stop> stops = tree.from(domain);
        if (stops.isEmpty()) {
            return null;
        }
        String organizational = tree.organizationalDomain(domain);
        return stops.stream()
                .filter(stop -> stop.domain().equals(organizational))
                .findFirst()
                .or(() -> stops.stream()
                        .filter(stop -> stop.record().psd() == 'y')
                        .findFirst())
                .map(stop -> new Applying(stop.record(), true))
                .orElse(null);
    }

    private boolean isAligned(String domain, DmarcRecord record, Authenticated other) {
        if (other.domain().equals(domain)) {
            return true;
        }
        if (other.byDkim() ? record.strictDkim() : record.strictSpf()) {
            return false;
        }
        String organizational = tree.organizationalDomain(domain);
        // The tree of a stranger is not asked: its silence must not keep the author's policy from its mail.
        return isWithin(other.domain(), organizational)
                && tree.organizationalDomain(other.domain()).equals(organizational);
    }

    private static boolean isWithin(String domain, String above) {
        return domain.equals(above) || domain.endsWith("." + above);
    }

    private Policy policy(String domain, Applying applying) {
        DmarcRecord record = applying.record;
        Policy policy = record.policy();
        if (applying.inherited) {
            Policy missing = record.missing();
            policy = missing != null && !exists(domain) ? missing : record.subdomains();
        }
        if (policy == null) {
            throw new IllegalStateException("A record without a policy does not apply");
        }
        return record.testing() ? policy.milder() : policy;
    }

    /** RFC 8020: NXDOMAIN for any question means that there is no such name. */
    private boolean exists(String domain) {
        Answer<?> answer = dns.addresses(domain, false);
        if (answer.isFailed()) {
            throw new TreeWalk.NoAnswerException();
        }
        return answer.status() != Answer.Status.NO_NAME;
    }
}
