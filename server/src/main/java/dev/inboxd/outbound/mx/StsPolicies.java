package dev.inboxd.outbound.mx;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.FetchRequest;
import dev.inboxd.net.HttpOutcome.Response;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.SecureDns;
import dev.inboxd.net.TargetCheck;
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
 * The MTA-STS policies of other domains: fetched when a domain's record names a new policy, and cached in the database
 * for the policy's age, so that an attacker who hides record or policy later achieves nothing (RFC 8461 §10). Fetched
 * again each day, so that an attacker would have to hide them for their whole age (§3.3).
 */
public final class StsPolicies {
    private static final Logger LOG = LoggerFactory.getLogger(StsPolicies.class);
    private static final Duration FETCH_TIMEOUT = Duration.ofSeconds(20);
    private static final long FAILURE_LIFETIME_NANOS = Duration.ofMinutes(5).toNanos(); // RFC 8461 §3.3
    private static final int MAX_FAILURES = 10_000;
    private static final Duration REFRESH_INTERVAL = Duration.ofDays(1);
    private static final Duration RETRY_INTERVAL = Duration.ofHours(1);
    /** A policy of a domain without mail for this time is not refreshed. */
    private static final Duration IN_USE = Duration.ofDays(60);

    private static final int REFRESH_BATCH = 100;

    private final Database database;
    private final SecureDns dns;
    private final SafeHttp http;
    private final String port;
    /** Time of the last failed fetch, by domain and policy id. */
    private final Map<String, Long> failed = new LinkedHashMap<>();

    /**
     * The policies in a database.
     *
     * @param http verifies the certificates of policy hosts and follows no redirects (RFC 8461 §3.3)
     * @param port of policy hosts: empty for that of HTTPS, or {@code :8443}
     */
    public StsPolicies(Database database, SecureDns dns, SafeHttp http, String port) {
        this.database = database;
        this.dns = dns;
        this.http = http;
        this.port = port;
    }

    private record StoredPolicy(String id, StsPolicy policy, boolean usedRecently) {}

    /**
     * The policy of a domain; blocks while it is fetched.
     *
     * @return empty when the domain has no policy, or none that can be fetched
     */
    Optional<StsPolicy> of(String recipientDomain) {
        String domain = recipientDomain.toLowerCase(Locale.ROOT);
        Optional<StoredPolicy> stored = database.read(tx -> stored(tx, domain));
        if (stored.isPresent() && !stored.get().usedRecently) {
            database.<Integer>writeGlobal(tx -> tx.sql("update sts_policy set used_at = {now} where domain = :domain")
                    .bind("domain", domain)
                    .run());
        }
        Optional<String> id = id(domain);
        if (id.isEmpty() || stored.map(StoredPolicy::id).equals(id) || failedRecently(domain + " " + id.get())) {
            return stored.map(StoredPolicy::policy);
        }
        Optional<StsPolicy> fetch = fetch(domain, id.get());
        return fetch.isPresent() ? fetch : stored.map(StoredPolicy::policy);
    }

    /**
     * Refreshes the policies older than a day whose domains had mail recently; blocks. A policy that cannot be fetched
     * is tried again in an hour, and the cached one stays (RFC 8461 §3.3). Nodes share the work.
     */
    void refresh() {
        record Stale(String domain, String id) {}
        List<Stale> stale = database.writeGlobal(tx -> tx.sql("""
                update sts_policy s set refresh_at = {now} + make_interval(secs => :retry)
                where s.domain in (select p.domain from sts_policy p
                    where p.refresh_at <= {now} and p.expires_at > {now}
                      and p.used_at > {now} - make_interval(secs => :in_use)
                    order by p.refresh_at limit :most for update skip locked)
                returning s.domain, s.policy_id""")
                .bind("retry", (double) RETRY_INTERVAL.toSeconds())
                .bind("in_use", (double) IN_USE.toSeconds())
                .bind("most", REFRESH_BATCH)
                .list(row -> new Stale(row.text("domain"), row.text("policy_id"))));
        // The record may be missing while the policy can be fetched; when there is a record, its id counts.
        stale.forEach(
                stalePolicy -> fetch(stalePolicy.domain, id(stalePolicy.domain).orElse(stalePolicy.id)));
    }

    private Optional<String> id(String domain) {
        return dns.texts("_mta-sts." + domain) instanceof DnsAnswer.Records<String> records
                ? StsPolicy.id(records.records())
                : Optional.empty();
    }

    private Optional<StsPolicy> fetch(String domain, String id) {
        Optional<String> text = download("https://mta-sts." + domain + port + "/.well-known/mta-sts.txt");
        Optional<StsPolicy> policy = text.flatMap(StsPolicy::parse);
        if (policy.isEmpty()) {
            rememberFailure(domain + " " + id);
            LOG.info("MTA-STS policy not fetched or invalid domain={} id={}", domain, id);
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
                    .bind("fresh", (double) refreshSeconds(policy.get()))
                    .run();
        });
        return policy;
    }

    /** Seconds after which a policy is refreshed: a day, or half of its age when that is shorter. */
    private static long refreshSeconds(StsPolicy policy) {
        return Math.min(REFRESH_INTERVAL.toSeconds(), policy.maxAge().toSeconds() / 2);
    }

    private static Optional<StoredPolicy> stored(Tx tx, String domain) {
        record Line(String id, String policy, boolean usedRecently) {}
        return tx.sql("select s.policy_id, s.policy, s.used_at > {now} - interval '1 day' as seen_lately"
                        + " from sts_policy s where s.domain = :domain and s.expires_at > {now}")
                .bind("domain", domain)
                .first(row -> new Line(row.text("policy_id"), row.text("policy"), row.flag("seen_lately")))
                .flatMap(row ->
                        StsPolicy.parse(row.policy).map(policy -> new StoredPolicy(row.id, policy, row.usedRecently)));
    }

    /** Fetches a policy's text: media type text/plain, status 200, nothing else (RFC 8461 §3.2 and §3.3). */
    private Optional<String> download(String url) {
        if (!(http.check(url) instanceof TargetCheck.Valid accepted)) {
            return Optional.empty();
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            boolean isFetched =
                    http.fetch(new FetchRequest(accepted.target(), FETCH_TIMEOUT, StsPolicy.LARGEST), content)
                                    instanceof Response answered
                            && answered.status() == 200
                            && !answered.truncated()
                            && answered.fields().mediaType() != null
                            && answered.fields()
                                    .mediaType()
                                    .toLowerCase(Locale.ROOT)
                                    .split(";", 2)[0]
                                    .strip()
                                    .equals("text/plain");
            return isFetched
                    ? Optional.of(content.toString(StandardCharsets.UTF_8).replace("\0", ""))
                    : Optional.empty();
        } catch (IOException memoryFails) {
            throw new UncheckedIOException(memoryFails);
        }
    }

    private synchronized boolean failedRecently(String key) {
        Long at = failed.get(key);
        return at != null && System.nanoTime() - at < FAILURE_LIFETIME_NANOS;
    }

    private synchronized void rememberFailure(String key) {
        failed.remove(key);
        failed.put(key, System.nanoTime());
        if (failed.size() > MAX_FAILURES) {
            failed.remove(failed.keySet().iterator().next());
        }
    }
}
