package dev.inboxd.sending.limit;

import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.sending.tracking.TrackingHosts;

/**
 * What the settings say of sending.
 *
 * @param quota how much an organization may send
 * @param storage how much an organization may keep
 * @param loops when an agent that answers machines is stopped
 * @param largest octets of a message that is composed, at most
 * @param tracking the names of this server that are for pixels
 */
public record SendingConfig(
        SendQuota quota, StorageQuota storage, LoopBreaker loops, long largest, TrackingHosts tracking) {}
