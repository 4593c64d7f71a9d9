package dev.inboxd.tenant.domain.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.net.Dns;
import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.FetchRequest;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.tenant.domain.Domain;
import dev.inboxd.tenant.domain.MailProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the DNS provider of a domain by the Domain Connect protocol (identity.md §11.6). A link that sets the records
 * up needs a template registered with that provider and a signing key, which a self-hosted server does not have. So no
 * link is offered, and the answer names the provider.
 */
public final class SetupLinks {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int LARGEST = 64 * 1024;
    private static final int LONGEST_NAME = 256;

    private final Dns dns;
    private final SafeHttp http;
    private final String scheme;

    /** Finds providers by these look-ups and requests. */
    public SetupLinks(Dns dns, SafeHttp http) {
        this(dns, http, "https");
    }

    SetupLinks(Dns dns, SafeHttp http, String scheme) {
        this.dns = dns;
        this.http = http;
        this.scheme = scheme;
    }

    /**
     * The answer about the setup of a domain.
     *
     * @throws Problem {@code unprocessable} when the domain is verified
     */
    JsonObject json(Domain domain) {
        if (domain.progress().status() == Domain.Status.VERIFIED) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "The domain " + domain.name() + " is verified already",
                    "Nothing is left to set up.");
        }
        MailProvider mail = MailProvider.of(dns, domain.name());
        return JsonObject.of("supported", false)
                .with("provider_name", provider(domain.name()))
                .with("conflicting_provider", mail == null ? null : mail.title());
    }

    private @Nullable String provider(String domain) {
        if (dns.texts("_domainconnect." + domain) instanceof DnsAnswer.Records<String>(List<String> hosts)
                && http.check(scheme + "://" + hosts.getFirst() + "/v2/" + domain + "/settings")
                        instanceof TargetCheck.Valid(Target target)) {
            return name(settings(target));
        }
        return null;
    }

    private byte[] settings(Target target) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try {
            boolean complete = http.fetch(new FetchRequest(target, TIMEOUT, LARGEST), content)
                            instanceof HttpOutcome.Response answer
                    && answer.successful()
                    && !answer.truncated();
            return complete ? content.toByteArray() : new byte[0];
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
    }

    private static @Nullable String name(byte[] settings) {
        try {
            return settings.length > 0
                            && Json.parse(settings) instanceof Map<?, ?> members
                            && members.get("providerName") instanceof String name
                            && !name.isBlank()
                            && name.length() <= LONGEST_NAME
                    ? name.strip()
                    : null;
        } catch (Problem noJson) {
            return null;
        }
    }
}
