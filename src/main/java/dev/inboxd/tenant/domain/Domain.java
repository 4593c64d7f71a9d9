package dev.inboxd.tenant.domain;

import dev.inboxd.platform.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A domain that an organization registered.
 *
 * @param name in lower case and A-labels; its public id
 * @param pod whose inboxes alone may use it, or null for those of every pod
 * @param key what its mail is signed with
 * @param progress what is known of its records
 */
record Domain(
        String name,
        @Nullable UUID pod,
        @Nullable String clientId,
        Options options,
        Key key,
        VerificationState progress,
        Instant createdAt,
        Instant updatedAt) {

    /**
     * What its owner chose.
     *
     * @param feedback whether reports of bounces and complaints go into the inbox that sent
     * @param subdomains whether it stands for all names below it too
     * @param tracking whether opens can be tracked
     * @param allowsOtherMx whether another provider's MX records may stand beside ours
     */
    record Options(boolean feedback, boolean subdomains, boolean tracking, boolean allowsOtherMx) {}

    /** The public half of its key: where it is published, and as what. */
    record Key(String selector, String dnsRecord) {}

    /** Where a domain stands (identity.md §11.4). */
    enum Status {
        /** Not checked yet. */
        NOT_STARTED,
        /** Records are missing. */
        PENDING,
        /** Records say something else. */
        INVALID,
        /** All looked right, and could not be confirmed. */
        FAILED,
        /** All look right; a second look will confirm it. */
        VERIFYING,
        /** Confirmed. */
        VERIFIED
    }

    /** The same with other options and another progress. */
    Domain with(Options newOptions, VerificationState newProgress) {
        return new Domain(name, pod, clientId, newOptions, key, newProgress, createdAt, updatedAt);
    }

    /** What a list shows (identity.md §11.1); the status in addition. */
    JsonObject item() {
        return JsonObject.of("domain_id", name)
                .with("domain", name)
                .with("pod_id", pod)
                .with("status", progress.status().name())
                .with("feedback_enabled", options.feedback())
                .with("subdomains_enabled", options.subdomains())
                .with("tracking_enabled", options.tracking())
                .with("client_id", clientId)
                .with("updated_at", updatedAt)
                .with("created_at", createdAt);
    }

    /** All of it, with the records it needs and what the last check found of each. */
    JsonObject json(ServiceHosts hosts) {
        Reason reason = progress.reason();
        return item().with("reason", reason == null ? null : reason.name().toLowerCase(Locale.ROOT))
                .with(
                        "records",
                        hosts.records(this).stream()
                                .map(record -> record.json(progress.finding(record.kind())))
                                .toList());
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
