package dev.inboxd.mail.dmarc;

import dev.inboxd.mail.auth.Answer;
import dev.inboxd.mail.auth.Outcome;
import dev.inboxd.mail.auth.Resolver;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Whether an author's domain stands behind a message (RFC 9989 §5.3). One for each message: it asks everything once. */
public final class DmarcCheck {
    private final Resolver dns;
    private final TreeWalk tree;

    /** What applies to an author's domain: the record, and whether another domain published it for those below. */
    private record Applying(DmarcRecord record, boolean inherited) {}

    /** Checks that ask this resolver. */
    public DmarcCheck(Resolver dns) {
        this.dns = dns;
        this.tree = new TreeWalk(dns);
    }

    /**
     * Checks one author's domain.
     *
     * @param domain in lower case, in A-labels
     * @param authenticated the domains that others checks vouch for
     * @param undecided those they would vouch for, had the DNS answered: who might yet pass has not failed, and no policy
     *        is applied to it
     */
    public DmarcResult result(String domain, List<Authenticated> authenticated, List<Authenticated> undecided) {
        try {
            Applying applying = applying(domain);
            if (applying == null || applying.record.policy() == null) {
                return new DmarcResult(Outcome.NONE, domain, null);
            }
            Predicate<Authenticated> aligned = other -> isAligned(domain, applying.record, other);
            Outcome outcome = authenticated.stream().anyMatch(aligned) ? Outcome.PASS
                    : undecided.stream().anyMatch(aligned) ? Outcome.TEMPERROR : Outcome.FAIL;
            return new DmarcResult(outcome, domain, policy(domain, applying));
        } catch (TreeWalk.NoAnswerException unknown) {
            return new DmarcResult(Outcome.TEMPERROR, domain, null);
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
        return stops.stream().filter(stop -> stop.domain().equals(organizational)).findFirst()
                .or(() -> stops.stream().filter(stop -> stop.record().psd() == 'y').findFirst())
                .map(stop -> new Applying(stop.record(), true)).orElse(null);
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
        return isWithin(other.domain(), organizational) && tree.organizationalDomain(other.domain()).equals(organizational);
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
