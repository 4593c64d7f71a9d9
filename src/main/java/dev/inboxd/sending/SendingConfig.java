package dev.inboxd.sending;

import dev.inboxd.platform.rate.StorageQuota;
import java.util.Optional;

/**
 * What the settings say of sending.
 *
 * @param quota how much an organization may send
 * @param storage how much an organization may keep
 * @param loops when an agent that answers machines is stopped
 * @param largest octets of a message that is composed, at most
 * @param trackingHost where the pixels of the service's own domain are served; none when opens are not tracked from it
 */
public record SendingConfig(
        SendQuota quota, StorageQuota storage, LoopBreaker loops, long largest, Optional<String> trackingHost) {}
