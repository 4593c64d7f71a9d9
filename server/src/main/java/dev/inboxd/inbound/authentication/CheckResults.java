package dev.inboxd.inbound.authentication;

import dev.inboxd.mail.arc.ArcResult;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.dkim.DkimResult;
import dev.inboxd.mail.dmarc.AuthenticatedDomain;
import dev.inboxd.mail.dmarc.DmarcResult;
import dev.inboxd.mail.spf.SpfCheck;
import dev.inboxd.mail.spf.SpfIdentity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of all checks.
 *
 * @param check explains a failure of SPF; null where it was not asked
 */
record CheckResults(
        @Nullable SpfCheck check,
        SpfIdentity identity,
        AuthResult spf,
        List<DkimResult> dkim,
        ArcResult arc,
        FromDomains authors,
        DmarcResult dmarc,
        boolean aligned) {
    CheckResults {
        dkim = List.copyOf(dkim);
    }

    boolean isUncertain() {
        return spf == AuthResult.TEMPERROR
                || dmarc.outcome() == AuthResult.TEMPERROR
                || dkim.stream().anyMatch(signature -> signature.outcome() == AuthResult.TEMPERROR);
    }

    /** The domains with an SPF or DKIM pass. */
    List<AuthenticatedDomain> authenticated() {
        return having(AuthResult.PASS, identity, spf, dkim);
    }

    /** Whether a check passed for the very domain of an author. */
    boolean isOwn() {
        return authenticated().stream().anyMatch(domain -> authors.domains().contains(domain.domain()));
    }

    /** The domains for which a check had that result. */
    static List<AuthenticatedDomain> having(
            AuthResult outcome, SpfIdentity identity, AuthResult spf, List<DkimResult> signatures) {
        List<AuthenticatedDomain> domains = new ArrayList<>();
        if (spf == outcome) {
            domains.add(new AuthenticatedDomain(identity.domain(), false));
        }
        for (DkimResult signature : signatures) {
            if (signature.outcome() == outcome && signature.domain() != null) {
                domains.add(new AuthenticatedDomain(signature.domain(), true));
            }
        }
        return domains;
    }
}
