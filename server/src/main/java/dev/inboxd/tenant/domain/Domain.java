package dev.inboxd.tenant.domain;

import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A domain that an organization registered.
 *
 * @param name in lower case and A-labels; its public id
 * @param pod the pod whose inboxes alone may use it, or null for the inboxes of every pod
 * @param key the public half of its DKIM key
 * @param progress the state of its verification
 */
public record Domain(
        String name,
        @Nullable UUID pod,
        @Nullable String clientId,
        Options options,
        Key key,
        VerificationState progress,
        Instant createdAt,
        Instant updatedAt) {

    /**
     * The options that its owner chose.
     *
     * @param feedback whether reports of bounces and complaints go into the inbox that sent the mail
     * @param subdomains whether the registration covers all names below it
     * @param tracking whether opens can be tracked
     * @param allowsOtherMx whether MX records of another provider may stand beside those of this service
     */
    public record Options(boolean feedback, boolean subdomains, boolean tracking, boolean allowsOtherMx) {
        private JsonObject json() {
            return JsonObject.of("feedback_enabled", feedback)
                    .with("subdomains_enabled", subdomains)
                    .with("tracking_enabled", tracking);
        }
    }

    /** The public half of the DKIM key: the selector under which it is published, and its record. */
    public record Key(String selector, String dnsRecord) {}

    /** The verification status of a domain (identity.md §11.4). */
    public enum Status {
        /** Not checked yet. */
        NOT_STARTED,
        /** Records are missing. */
        PENDING,
        /** Records have other values. */
        INVALID,
        /** All records looked right, and could not be confirmed. */
        FAILED,
        /** All records look right; a second check will confirm them. */
        VERIFYING,
        /** Confirmed. */
        VERIFIED
    }

    /** This domain with other options and another verification state. */
    Domain with(Options newOptions, VerificationState newProgress) {
        return new Domain(name, pod, clientId, newOptions, key, newProgress, createdAt, updatedAt);
    }

    /** The form in lists (identity.md §11.1), with the status in addition. */
    public JsonObject item() {
        return head().withAll(options.json()).withAll(tail());
    }

    /** The full form, with the required records and the result of the last check for each. */
    public JsonObject json(ServiceHosts hosts) {
        Reason reason = progress.reason();
        return head().with("reason", reason == null ? null : reason.name().toLowerCase(Locale.ROOT))
                .withAll(options.json())
                .with(
                        "records",
                        hosts.records(this).stream()
                                .map(record -> record.json(progress.finding(record.kind())))
                                .toList())
                .withAll(tail());
    }

    private JsonObject head() {
        return JsonObject.of("domain_id", name)
                .with("domain", name)
                .with("pod_id", pod)
                .with("status", progress.status().name());
    }

    private JsonObject tail() {
        return JsonObject.of("client_id", clientId)
                .with("updated_at", updatedAt)
                .with("created_at", createdAt);
    }

    /** Why a domain is not verified. */
    enum Reason {
        DNS_RECORDS_MISSING,
        DNS_RECORDS_INVALID,
        CONFIRMATION_PENDING,
        DNS_LOOKUP_FAILED,
        RESOURCE_TAKEN
    }
}
