package dev.inboxd.tenant.organization;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tenant.
 *
 * @param humanEmail the human behind an agent's organization, in lower case, or null
 * @param labsEnabledAt since when it uses what is still tried out, or null
 */
public record Organization(
        UUID id,
        Type type,
        @Nullable String humanEmail,
        @Nullable Instant labsEnabledAt,
        Instant createdAt,
        Instant updatedAt) {
    /** Whether an agent made it and no human has confirmed it yet. */
    public boolean isUnverified() {
        return type == Type.AGENT_UNVERIFIED;
    }

    /** How an organization came to be, and whether a human stands behind it. */
    public enum Type {
        /** Made by its operator or in the console. */
        CONSOLE,
        /** Made by an agent; no human has confirmed it yet. */
        AGENT_UNVERIFIED,
        /** Made by an agent and confirmed by its human. */
        AGENT_VERIFIED,
        /** The server's own, for postmaster's mail. */
        OPERATOR;

        /** The word on the wire and in the row. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether an agent made it by signing up. */
        boolean isAgents() {
            return this == AGENT_UNVERIFIED || this == AGENT_VERIFIED;
        }

        static Type ofWire(String wire) {
            return valueOf(wire.toUpperCase(Locale.ROOT));
        }
    }
}
