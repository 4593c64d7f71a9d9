package dev.inboxd.inbound.authentication;

import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.arc.ArcCheck;
import dev.inboxd.mail.arc.ArcResult;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.AuthResultsParser;
import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.dkim.DkimCheck;
import dev.inboxd.mail.dkim.DkimResult;
import dev.inboxd.mail.dkim.VerificationInput;
import dev.inboxd.mail.dmarc.AuthenticatedDomain;
import dev.inboxd.mail.dmarc.DmarcCheck;
import dev.inboxd.mail.dmarc.DmarcPolicy;
import dev.inboxd.mail.dmarc.DmarcResult;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mail.spf.SpfCheck;
import dev.inboxd.mail.spf.SpfIdentity;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.net.MailDns;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Authenticates received messages with SPF, DKIM, DMARC and ARC, and decides what follows (ruling 2; mail.md §16). */
public final class MessageAuthentication {
    private static final SmtpReply DNS_UNAVAILABLE =
            SmtpReply.of(451, "4.4.3", "Our DNS does not answer, try again later");
    private static final DmarcResult NO_AUTHOR = new DmarcResult(AuthResult.PERMERROR, "", null);

    /** Of several authors, the worst DMARC result counts (attack A9). */
    private static final Comparator<DmarcResult> WORST = Comparator.comparingInt(MessageAuthentication::severity);

    private final MailDns dns;
    private final String host;
    private final InstantSource clock;
    private final boolean deferOnDnsFailure;
    private final Predicate<String> isServed;
    private final LoopbackTrust loopback;
    private final LookupFaults faults;

    /** The authentication of received mail. */
    public MessageAuthentication(MailDns dns, Policy policy, InstantSource clock) {
        this.dns = dns;
        this.host = policy.host;
        this.clock = clock;
        this.deferOnDnsFailure = policy.deferOnDnsFailure;
        this.isServed = policy.isServed;
        this.loopback = policy.loopback;
        this.faults = policy.faults;
    }

    /**
     * How this server authenticates.
     *
     * @param host our host name, the authserv-id of the results
     * @param deferOnDnsFailure whether messages are refused temporarily while our own DNS does not answer; otherwise
     *     they are accepted as unauthenticated
     * @param isServed whether a domain, in A-labels, is served here: its mail comes from here, and its owner trusts us
     * @param loopback whose mail is not checked
     * @param faults look-ups that fail in development
     */
    public record Policy(
            String host,
            boolean deferOnDnsFailure,
            Predicate<String> isServed,
            LoopbackTrust loopback,
            LookupFaults faults) {}

    /**
     * The identities that SPF checks.
     *
     * @param client the client's address
     * @param helo the client's name in EHLO
     * @param reversePath the reverse-path, empty for notifications
     * @param organizations those of the recipients
     */
    public record Origin(InetAddress client, String helo, String reversePath, Set<UUID> organizations) {
        /** Of a mail to inboxes of these organizations. */
        public Origin {
            organizations = Set.copyOf(organizations);
        }

        SpfIdentity identity() {
            int at = reversePath.lastIndexOf('@');
            String domain = at < 0 ? null : FromDomains.ascii(reversePath.substring(at + 1));
            return SpfIdentity.of(
                    client, helo, domain == null ? reversePath : reversePath.substring(0, at + 1) + domain);
        }
    }

    /**
     * Authenticates a message. Blocks while the DNS is queried, for a little over 20 seconds at most.
     *
     * @param message the client's octets from the first on; the caller closes it
     * @param chosen results in place of those of the checks, or null
     * @throws IOException when the message cannot be read
     */
    public AuthenticationVerdict check(Origin origin, InputStream message, @Nullable ChosenResults chosen)
            throws IOException {
        Instant now = clock.instant();
        VerificationInput signed = VerificationInput.read(message);
        FromDomains authors = FromDomains.of(signed.header());
        CheckResults checks = chosen != null
                ? chosen.applied(origin, authors)
                : loopback.covers(origin.client(), authors)
                        ? vouched(origin, authors)
                        : authenticate(origin, signed, authors);
        AuthenticationResults results = results(checks);
        boolean authenticated = isAuthenticated(checks);
        return new AuthenticationVerdict(
                refusal(checks, now),
                labels(checks, authenticated),
                results.field(chosen == null ? host : host + ChosenResults.COMMENT),
                mayContainForgedResults(signed) ? host : null,
                authenticated ? author(checks) : null,
                results);
    }

    /** The results as if the author's domain had signed: no query is made, so that it needs no network either. */
    private static CheckResults vouched(Origin origin, FromDomains authors) {
        String domain = authors.domains().getFirst();
        return new CheckResults(
                null,
                origin.identity(),
                AuthResult.NONE,
                List.of(new DkimResult(AuthResult.PASS, domain, null, null, "", "")),
                ArcResult.NONE,
                authors,
                new DmarcResult(AuthResult.PASS, domain, null),
                true);
    }

    private CheckResults authenticate(Origin origin, VerificationInput signed, FromDomains authors) throws IOException {
        Resolver bounded = new BoundedDns(new FaultyDns(dns, faults, origin.organizations()));
        DmarcCheck dmarc = new DmarcCheck(bounded);
        authors.domains().forEach(dmarc::prefetch);
        DkimCheck dkim = new DkimCheck(signed, clock.instant());
        ArcCheck arc = new ArcCheck(signed);
        signed.readBody();
        SpfIdentity identity = origin.identity();
        SpfCheck spf = new SpfCheck(bounded, identity);
        AuthResult outcome = spf.outcome();
        List<DkimResult> signatures = dkim.results(bounded);
        List<AuthenticatedDomain> authenticated = CheckResults.having(AuthResult.PASS, identity, outcome, signatures);
        List<AuthenticatedDomain> undecided = CheckResults.having(AuthResult.TEMPERROR, identity, outcome, signatures);
        DmarcResult worst = authors.domains().stream()
                .map(domain -> dmarc.result(domain, authenticated, undecided))
                .max(WORST)
                .orElse(NO_AUTHOR);
        AddrSpec author = authors.author();
        boolean aligned = author != null && dmarc.isAligned(author.domain(), authenticated);
        return new CheckResults(spf, identity, outcome, signatures, arc.result(bounded), authors, worst, aligned);
    }

    private static int severity(DmarcResult result) {
        return switch (result.outcome()) {
            case FAIL -> result.demands(DmarcPolicy.REJECT) ? 5 : result.demands(DmarcPolicy.QUARANTINE) ? 4 : 3;
            case TEMPERROR, PERMERROR -> 2;
            case PASS -> 0;
            default -> 1;
        };
    }

    /**
     * A permanent refusal when the author's domain demands it, a temporary one when our DNS does not answer; else null.
     */
    private @Nullable SmtpReply refusal(CheckResults checks, Instant now) {
        if (checks.dmarc().demands(DmarcPolicy.REJECT)) {
            String explained = Optional.ofNullable(checks.check())
                    .flatMap(check -> check.explanation(host, now))
                    .map(text -> "\n" + checks.identity().domain() + " explains: " + text)
                    .orElse("");
            return SmtpReply.of(
                    550,
                    "5.7.1",
                    "Refused as the DMARC policy of " + checks.dmarc().domain() + " demands" + explained);
        }
        return deferOnDnsFailure && checks.isUncertain() && dns.isAway() ? DNS_UNAVAILABLE : null;
    }

    private static List<String> labels(CheckResults checks, boolean authenticated) {
        List<String> labels = new ArrayList<>();
        // A forger can name a subdomain whose DNS is broken: that must not be better than a failed check.
        if (checks.dmarc().demands(DmarcPolicy.QUARANTINE) || checks.dmarc().mayDemand()) {
            labels.add(Labels.SPAM);
        }
        if (!authenticated) {
            labels.add(Labels.UNAUTHENTICATED);
        }
        return labels;
    }

    /**
     * Whether the message is authenticated: it has one author, a check passed, and the author's domain does not
     * contradict it. For a domain that is served here, and while the DNS gives no answer on the domain's policy, the
     * check that passed must be for the domain itself: mail of such a domain comes from here, unless its owner says
     * otherwise.
     */
    private boolean isAuthenticated(CheckResults checks) {
        AddrSpec author = checks.authors().author();
        if (author == null || checks.authenticated().isEmpty() || checks.dmarc().demands(DmarcPolicy.NONE)) {
            return false;
        }
        return checks.isOwn() || (checks.dmarc().outcome() != AuthResult.TEMPERROR && !isServed.test(author.domain()));
    }

    /** The author, when it is the author's word: aligned, and not disowned by a stricter mode of that domain. */
    private static @Nullable String author(CheckResults checks) {
        AddrSpec author = checks.authors().author();
        return author != null && checks.aligned() && checks.dmarc().outcome() != AuthResult.FAIL
                ? author.toString()
                : null;
    }

    private static AuthenticationResults results(CheckResults checks) {
        DmarcPolicy policy = checks.dmarc().policy();
        return new AuthenticationResults(
                new AuthenticationResults.Spf(
                        checks.spf(),
                        checks.identity().mailFrom(),
                        checks.identity().domain()),
                checks.dkim().stream()
                        .map(signature -> new AuthenticationResults.Dkim(
                                signature.outcome(),
                                signature.domain(),
                                signature.selector(),
                                signature.algorithm(),
                                signature.start()))
                        .toList(),
                new AuthenticationResults.Dmarc(
                        checks.dmarc().outcome(),
                        checks.dmarc().domain(),
                        policy == null ? null : policy.wireName(),
                        checks.aligned()),
                new AuthenticationResults.Arc(
                        checks.arc().outcome(), checks.arc().sealer()));
    }

    /**
     * Whether the message may contain Authentication-Results fields in our name (RFC 8601 §5), also in the part that
     * was not read.
     */
    private boolean mayContainForgedResults(VerificationInput signed) {
        return !signed.isWhole()
                || signed.header().all(AuthenticationResults.NAME.toLowerCase(Locale.ROOT)).stream()
                        .anyMatch(field -> AuthResultsParser.claims(field.value(), host));
    }
}
