package dev.inboxd.inbound.authentication;

import dev.inboxd.mail.arc.ArcResult;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.dkim.DkimResult;
import dev.inboxd.mail.dmarc.DmarcPolicy;
import dev.inboxd.mail.dmarc.DmarcResult;
import dev.inboxd.mail.spf.SpfIdentity;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Results that somebody chose for a mail in development, in place of those of the checks (sandbox.md §2).
 *
 * @param policy of the author's domain for mail that fails DMARC; null without one
 */
public record ChosenResults(
        DomainResult spf,
        List<DomainResult> dkim,
        AuthResult dmarc,
        @Nullable DmarcPolicy policy,
        AuthResult arc) {
    /** What stands behind the name of this server in the results. */
    public static final String COMMENT = " (sandbox)";

    public ChosenResults {
        dkim = List.copyOf(dkim);
    }

    /**
     * A result for a domain.
     *
     * @param domain null for that of the author
     */
    public record DomainResult(AuthResult result, @Nullable String domain) {}

    /** The same results by one word: both checks of the author's domain, and what its policy makes of them. */
    public static ChosenResults of(AuthResult result, AuthResult dmarc, @Nullable DmarcPolicy policy) {
        DomainResult own = new DomainResult(result, null);
        return new ChosenResults(
                own, result == AuthResult.NONE ? List.of() : List.of(own), dmarc, policy, AuthResult.NONE);
    }

    CheckResults applied(MessageAuthentication.Origin origin, FromDomains authors) {
        String author = authors.domains().isEmpty()
                ? origin.identity().domain()
                : authors.domains().getFirst();
        SpfIdentity identity = SpfIdentity.of(
                origin.client(), origin.helo(), "postmaster@" + Objects.requireNonNullElse(spf.domain, author));
        List<DkimResult> signatures = dkim.stream()
                .map(signature -> new DkimResult(
                        signature.result, Objects.requireNonNullElse(signature.domain, author), null, null, "", ""))
                .toList();
        boolean aligned = dmarc == AuthResult.PASS
                || CheckResults.having(AuthResult.PASS, identity, spf.result, signatures).stream()
                        .anyMatch(authenticated -> areRelated(authenticated.domain(), author));
        return new CheckResults(
                null,
                identity,
                spf.result,
                signatures,
                new ArcResult(arc, arc == AuthResult.NONE ? 0 : 1, null, ""),
                authors,
                new DmarcResult(dmarc, author, policy),
                aligned);
    }

    private static boolean areRelated(String domain, String author) {
        return domain.equals(author) || domain.endsWith("." + author) || author.endsWith("." + domain);
    }
}
