package dev.inboxd.submit;

import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.Fetch;
import dev.inboxd.net.Outcome.Answered;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.SecureDns;
import dev.inboxd.net.TargetCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policies of other domains, fetched when their record names a new one, and kept in the database for as long as they
 * say: an attacker who hides record or policy later achieves nothing (RFC 8461 §10).
 */
final class StsPolicies {
    private static final Logger LOG = LoggerFactory.getLogger(StsPolicies.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long AGAIN_NANOS = Duration.ofMinutes(5).toNanos(); // RFC 8461 §3.3
    private static final int REMEMBERED = 10_000;

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

    private record Kept(String id, StsPolicy policy) {}

    /**
     * What holds for a domain now; blocks while it is fetched.
     *
     * @return nothing when it has no policy, or none that can be had
     */
    Optional<StsPolicy> of(String recipientDomain) {
        String domain = recipientDomain.toLowerCase(Locale.ROOT);
        Optional<Kept> kept = database.read(tx -> kept(tx, domain));
        Optional<String> id = dns.texts("_mta-sts." + domain) instanceof DnsAnswer.Found<String> found
                ? StsPolicy.id(found.records()) : Optional.empty();
        if (id.isEmpty() || kept.map(Kept::id).equals(id) || failedLately(domain + " " + id.get())) {
            return kept.map(Kept::policy);
        }
        Optional<StsPolicy> fetched = fetched(domain, id.get());
        return fetched.isPresent() ? fetched : kept.map(Kept::policy);
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
                    insert into sts_policy (domain, policy_id, policy, expires_at)
                    values (:domain, :id, :policy, {now} + make_interval(secs => :seconds))
                    on conflict (domain) do update set policy_id = excluded.policy_id, policy = excluded.policy,
                        expires_at = excluded.expires_at""").bind("domain", domain).bind("id", id)
                    .bind("policy", text.orElseThrow()).bind("seconds", policy.get().maxAge().toSeconds()).run();
        });
        return policy;
    }

    private static Optional<Kept> kept(Tx tx, String domain) {
        return tx.sql("select s.policy_id, s.policy from sts_policy s where s.domain = :domain and s.expires_at > {now}")
                .bind("domain", domain).first(row -> Map.entry(row.text("policy_id"), row.text("policy")))
                .flatMap(row -> StsPolicy.parse(row.getValue()).map(policy -> new Kept(row.getKey(), policy)));
    }

    /** RFC 8461 §3.2 and §3.3: text/plain, status 200, nothing else. */
    private Optional<String> download(String url) {
        if (!(http.check(url) instanceof TargetCheck.Accepted accepted)) {
            return Optional.empty();
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            boolean whole = http.fetch(new Fetch(accepted.target(), PATIENCE, StsPolicy.LARGEST), content)
                    instanceof Answered answered && answered.status() == 200 && !answered.cut()
                    && answered.mediaType() != null
                    && answered.mediaType().toLowerCase(Locale.ROOT).split(";", 2)[0].strip().equals("text/plain");
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
