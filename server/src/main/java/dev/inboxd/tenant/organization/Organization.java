package dev.inboxd.tenant.organization;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tenant.
 *
 * @param humanEmail the address of the human behind an agent's organization, in lower case, or null
 * @param labsEnabledAt when it joined the labs (experimental features), or null
 * @param messageSecurity the mode that it chose, or null for the server's
 * @param sendingStoppedAt since when no mail leaves it (approvals.md §5), or null
 * @param everythingStoppedAt since when its webhooks, polling links and feeds wait, too, or null
 */
public record Organization(
        UUID id,
        Type type,
        @Nullable String humanEmail,
        @Nullable Instant labsEnabledAt,
        @Nullable SecurityMode messageSecurity,
        @Nullable Instant sendingStoppedAt,
        @Nullable Instant everythingStoppedAt,
        Instant createdAt,
        Instant updatedAt) {
    /** Whether an agent created it and no human has verified it yet. */
    public boolean isUnverified() {
        return type == Type.AGENT_UNVERIFIED;
    }

    /** The origin of an organization, and whether a human has verified it. */
    public enum Type {
        /** Created by the operator or in the console. */
        CONSOLE,
        /** Created by an agent; no human has verified it yet. */
        AGENT_UNVERIFIED,
        /** Created by an agent and verified by its human. */
        AGENT_VERIFIED,
        /** Created by the first payment of an account (payments.md §5). */
        WALLET,
        /** The server's own organization, which receives postmaster's mail. */
        OPERATOR;

        /** The word on the wire and in the row. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The word for callers: what no program created is the console's. */
        String shownName() {
            return isAgents() || this == WALLET ? wireName() : CONSOLE.wireName();
        }

        /** Whether an agent created it by sign-up. */
        private boolean isAgents() {
            return this == AGENT_UNVERIFIED || this == AGENT_VERIFIED;
        }

        static Type ofWire(String wire) {
            return valueOf(wire.toUpperCase(Locale.ROOT));
        }
    }
}
