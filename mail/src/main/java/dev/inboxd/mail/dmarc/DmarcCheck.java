package dev.inboxd.mail.dmarc;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.ResolverAnswer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Evaluates DMARC for the author's domain of one message (RFC 9989 §5.3). Each DNS name is looked up once. */
public final class DmarcCheck {
    private final Resolver dns;
    private final TreeWalk tree;
    private final Map<String, Optional<ApplicablePolicy>> published = new HashMap<>();

    /** The record that applies to an author's domain, and whether a domain above published it. */
    private record ApplicableRecord(DmarcRecord record, boolean inherited) {}

    /** The record that applies, and the policy in it. */
    private record ApplicablePolicy(DmarcRecord record, DmarcPolicy policy) {}

    /** Whether a domain is aligned with the author's, as far as DNS gives answers. */
    private enum Alignment {
        YES,
        NO,
        OPEN
    }

    /**
     * A check of one message; it looks each name up once.
     *
     * @param dns answers the lookups of the policies
     */
    public DmarcCheck(Resolver dns) {
        this.dns = dns;
        this.tree = new TreeWalk(dns);
    }

    /**
     * Looks up the policy of an author's domain before all names that the message itself contains, so that a slow DNS
     * server of those cannot use up the time for it.
     */
    public void prefetch(String domain) {
        try {
            published(domain);
        } catch (TreeWalk.NoAnswerException later) {
            // the result reports it
        }
    }

    /**
     * Evaluates one author's domain.
     *
     * @param domain in lower case, in A-labels
     * @param authenticated domains that SPF and DKIM have authenticated
     * @param undecided domains whose check had no DNS answer: a message that might still pass has not failed
     * @return none when nothing is published, temperror when DNS gives no answer; never an exception
     */
    public DmarcResult result(
            String domain, List<AuthenticatedDomain> authenticated, List<AuthenticatedDomain> undecided) {
        try {
            return published(domain)
                    .map(applicable -> new DmarcResult(
                            outcome(domain, applicable.record, authenticated, undecided), domain, applicable.policy))
                    .orElseGet(() -> new DmarcResult(AuthResult.NONE, domain, null));
        } catch (TreeWalk.NoAnswerException unknown) {
            return new DmarcResult(AuthResult.TEMPERROR, domain, null);
        }
    }

    /**
     * Whether one of the authenticated domains is aligned with an author's (RFC 9989 §4.10.2), in relaxed mode, though
     * its owner may ask for more. Where nothing is published, only a domain above the author's own is known to be of
     * the same owner; a single label is nobody's. While the DNS gives no answer, only the very domain is.
     *
     * @param domain in lower case, in A-labels
     * @param authenticated domains that SPF and DKIM have authenticated
     */
    public boolean isAligned(String domain, List<AuthenticatedDomain> authenticated) {
        return authenticated.stream()
                .map(AuthenticatedDomain::domain)
                .anyMatch(candidate -> candidate.equals(domain) || isOfSameOwner(domain, candidate));
    }

    private boolean isOfSameOwner(String domain, String candidate) {
        try {
            return tree.from(domain).isEmpty()
                    ? candidate.indexOf('.') > 0 && isWithin(domain, candidate)
                    : isOfSameOrganization(domain, candidate);
        } catch (TreeWalk.NoAnswerException unknown) {
            return false;
        }
    }

    private Optional<ApplicablePolicy> published(String domain) {
        Optional<ApplicablePolicy> cached = published.get(domain);
        if (cached == null) {
            ApplicableRecord applying = applying(domain);
            cached = applying == null || applying.record.policy() == null
                    ? Optional.empty()
                    : Optional.of(new ApplicablePolicy(applying.record, policy(domain, applying)));
            published.put(domain, cached);
        }
        return cached;
    }

    private AuthResult outcome(
            String domain,
            DmarcRecord record,
            List<AuthenticatedDomain> authenticated,
            List<AuthenticatedDomain> undecided) {
        boolean open = false;
        for (AuthenticatedDomain candidate : authenticated) {
            Alignment alignment = alignment(domain, record, candidate);
            if (alignment == Alignment.YES) {
                return AuthResult.PASS;
            }
            open |= alignment == Alignment.OPEN;
        }
        open |= undecided.stream().anyMatch(candidate -> alignment(domain, record, candidate) != Alignment.NO);
        return open ? AuthResult.TEMPERROR : AuthResult.FAIL;
    }

    private Alignment alignment(String domain, DmarcRecord record, AuthenticatedDomain candidate) {
        try {
            return isAligned(domain, record, candidate) ? Alignment.YES : Alignment.NO;
        } catch (TreeWalk.NoAnswerException unknown) {
            return Alignment.OPEN;
        }
    }

    /** §4.10.1: the record of the domain itself, else of its organizational domain, else of its public suffix. */
    private @Nullable ApplicableRecord applying(String domain) {
        DmarcRecord own = tree.at(domain);
        if (own != null) {
            return new ApplicableRecord(own, false);
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
                .map(stop -> new ApplicableRecord(stop.record(), true))
                .orElse(null);
    }

    private boolean isAligned(String domain, DmarcRecord record, AuthenticatedDomain candidate) {
        if (candidate.domain().equals(domain)) {
            return true;
        }
        if (candidate.byDkim() ? record.strictDkim() : record.strictSpf()) {
            return false;
        }
        return isOfSameOrganization(domain, candidate.domain());
    }

    private boolean isOfSameOrganization(String domain, String candidate) {
        String organizational = tree.organizationalDomain(domain);
        // The tree of an unrelated domain is not looked up: its silence must not suppress the author's policy.
        return isWithin(candidate, organizational)
                && tree.organizationalDomain(candidate).equals(organizational);
    }

    private static boolean isWithin(String domain, String above) {
        return domain.equals(above) || domain.endsWith("." + above);
    }

    private DmarcPolicy policy(String domain, ApplicableRecord applying) {
        DmarcRecord record = applying.record;
        DmarcPolicy policy = record.policy();
        if (applying.inherited) {
            DmarcPolicy missing = record.missing();
            policy = missing != null && !exists(domain) ? missing : record.subdomains();
        }
        if (policy == null) {
            throw new IllegalStateException("A record without a policy does not apply");
        }
        return record.testing() ? policy.milder() : policy;
    }

    /** RFC 8020: NXDOMAIN for any question means that there is no such name. */
    private boolean exists(String domain) {
        ResolverAnswer<?> answer = dns.addresses(domain, false);
        if (answer.isFailed()) {
            throw new TreeWalk.NoAnswerException();
        }
        return answer.status() != ResolverAnswer.Status.NO_NAME;
    }
}
