package dev.inboxd.webhook;

import dev.inboxd.net.SafeHttp;
import dev.inboxd.vault.Vault;
import java.time.InstantSource;

/**
 * How deliveries leave.
 *
 * @param http posts them
 * @param vault opens secrets and custom headers
 * @param clock the time of an attempt
 */
public record Outgoing(SafeHttp http, Vault vault, InstantSource clock) {}
