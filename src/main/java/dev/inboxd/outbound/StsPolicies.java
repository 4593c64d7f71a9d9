package dev.inboxd.outbound;

import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.FetchRequest;
import dev.inboxd.net.HttpOutcome.Response;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.SecureDns;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policies of other domains, fetched when their record names a new one, and kept in the database for as long as they
 * say: an attacker who hides record or policy later achieves nothing (RFC 8461 §10). They are fetched again each day, so
 * that he would have to hide them for all of their age (§3.3).
 */
final class StsPolicies {
    private static final Logger LOG = LoggerFactory.getLogger(StsPolicies.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long AGAIN_NANOS = Duration.ofMinutes(5).toNanos(); // RFC 8461 §3.3
    private static final int REMEMBERED = 10_000;
    private static final Duration FRESH = Duration.ofDays(1);
    private static final Duration RETRY = Duration.ofHours(1);
    /** Where no mail has gone for so long, the policy may end. */
    private static final Duration IN_USE = Duration.ofDays(60);

    private static final int REFRESHED_AT_ONCE = 100;

    private final Database database;
    private final SecureDns dns;
    private final SafeHttp http;
    private final String port;
    /** When a policy could not be fetched last, by domain and id. */
    private final Map<String, Long> failed = new LinkedHashMap<>();

    /**
     * The policies that a database knows.
     *
     * @param http the certificates of policy hosts are checked by it, and redirects not followed (RFC 8461 §3.3)
     * @param port of policy hosts: empty for that of HTTPS, or {@code :8443}
     */
    StsPolicies(Database database, SecureDns dns, SafeHttp http, String port) {
        this.database = database;
        this.dns = dns;
        this.http = http;
        this.port = port;
    }

    private record StoredPolicy(String id, StsPolicy policy, boolean seenLately) {}

    /**
     * What holds for a domain now; blocks while it is fetched.
     *
     * @return nothing when it has no policy, or none that can be had
     */
    Optional<StsPolicy> of(String recipientDomain) {
        String domain = recipientDomain.toLowerCase(Locale.ROOT);
        Optional<StoredPolicy> kept = database.read(tx -> kept(tx, domain));
        if (kept.isPresent() && !kept.get().seenLately) {
            database.<Integer>writeGlobal(tx -> tx.sql("update sts_policy set used_at = {now} where domain = :domain")
                    .bind("domain", domain)
                    .run());
        }
        Optional<String> id = id(domain);
        if (id.isEmpty() || kept.map(StoredPolicy::id).equals(id) || failedLately(domain + " " + id.get())) {
            return kept.map(StoredPolicy::policy);
        }
        Optional<StsPolicy> fetched = fetched(domain, id.get());
        return fetched.isPresent() ? fetched : kept.map(StoredPolicy::policy);
    }

    /**
     * Fetches again what is older than a day, where mail went lately; blocks. What cannot be had now is asked for again in
     * an hour, and what was kept stays (RFC 8461 §3.3). Nodes share the work.
     */
    void refresh() {
        record Stale(String domain, String id) {}
        List<Stale> stale = database.writeGlobal(tx -> tx.sql("""
                update sts_policy s set refresh_at = {now} + make_interval(secs => :retry)
                where s.domain in (select p.domain from sts_policy p where p.refresh_at <= {now} and p.expires_at > {now}
                    and p.used_at > {now} - make_interval(secs => :in_use)
                    order by p.refresh_at limit :most for update skip locked)
                returning s.domain, s.policy_id""")
                .bind("retry", (double) RETRY.toSeconds())
                .bind("in_use", (double) IN_USE.toSeconds())
                .bind("most", REFRESHED_AT_ONCE)
                .list(row -> new Stale(row.text("domain"), row.text("policy_id"))));
        // The record may be hidden when the policy is not; what it says now matters when it is there.
        stale.forEach(one -> fetched(one.domain, id(one.domain).orElse(one.id)));
    }

    private Optional<String> id(String domain) {
        return dns.texts("_mta-sts." + domain) instanceof DnsAnswer.Records<String> found
                ? StsPolicy.id(found.records())
                : Optional.empty();
    }

    private Optional<StsPolicy> fetched(String domain, String id) {
        Optional<String> text = download("https://mta-sts." + domain + port + "/.well-known/mta-sts.txt");
        Optional<StsPolicy> policy = text.flatMap(StsPolicy::parse);
        if (policy.isEmpty()) {
            remember(domain + " " + id);
            LOG.info("The MTA-STS policy {} of {} cannot be had", id, domain);
            return policy;
        }
        database.<Integer>writeGlobal(tx -> {
            tx.sql("delete from sts_policy where expires_at < {now}").run();
            return tx.sql("""
                    insert into sts_policy (domain, policy_id, policy, expires_at, used_at, refresh_at)
                    values (:domain, :id, :policy, {now} + make_interval(secs => :seconds), {now},
                        {now} + make_interval(secs => :fresh))
                    on conflict (domain) do update set policy_id = excluded.policy_id, policy = excluded.policy,
                        expires_at = excluded.expires_at, refresh_at = excluded.refresh_at""")
                    .bind("domain", domain)
                    .bind("id", id)
                    .bind("policy", text.orElseThrow())
                    .bind("seconds", policy.get().maxAge().toSeconds())
                    .bind("fresh", (double) fresh(policy.get()))
                    .run();
        });
        return policy;
    }

    /** Seconds after which a policy is fetched again: a day, or half of its age when that ends before. */
    private static long fresh(StsPolicy policy) {
        return Math.min(FRESH.toSeconds(), policy.maxAge().toSeconds() / 2);
    }

    private static Optional<StoredPolicy> kept(Tx tx, String domain) {
        record Line(String id, String policy, boolean seenLately) {}
        return tx.sql(
                        "select s.policy_id, s.policy, s.used_at > {now} - interval '1 day' as seen_lately from sts_policy s"
                                + " where s.domain = :domain and s.expires_at > {now}")
                .bind("domain", domain)
                .first(row -> new Line(row.text("policy_id"), row.text("policy"), row.flag("seen_lately")))
                .flatMap(row ->
                        StsPolicy.parse(row.policy).map(policy -> new StoredPolicy(row.id, policy, row.seenLately)));
    }

    /** RFC 8461 §3.2 and §3.3: text/plain, status 200, nothing else. */
    private Optional<String> download(String url) {
        if (!(http.check(url) instanceof TargetCheck.Valid accepted)) {
            return Optional.empty();
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            boolean whole = http.fetch(new FetchRequest(accepted.target(), PATIENCE, StsPolicy.LARGEST), content)
                            instanceof Response answered
                    && answered.status() == 200
                    && !answered.truncated()
                    && answered.mediaType() != null
                    && answered.mediaType()
                            .toLowerCase(Locale.ROOT)
                            .split(";", 2)[0]
                            .strip()
                            .equals("text/plain");
            return whole ? Optional.of(content.toString(StandardCharsets.UTF_8).replace("\0", "")) : Optional.empty();
        } catch (IOException memoryFails) {
            throw new UncheckedIOException(memoryFails);
        }
    }

    private synchronized boolean failedLately(String key) {
        Long at = failed.get(key);
        return at != null && System.nanoTime() - at < AGAIN_NANOS;
    }

    private synchronized void remember(String key) {
        failed.remove(key);
        failed.put(key, System.nanoTime());
        if (failed.size() > REMEMBERED) {
            failed.remove(failed.keySet().iterator().next());
        }
    }
}
