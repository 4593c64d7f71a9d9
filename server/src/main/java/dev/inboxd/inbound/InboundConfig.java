package dev.inboxd.inbound;

import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.inbound.authentication.LoopbackTrust;
import dev.inboxd.inbound.filter.VirusScanner;
import dev.inboxd.net.NetConfig;
import dev.inboxd.screening.ScreenConfig;
import java.net.URI;
import java.util.Optional;

/**
 * What the settings say of received mail.
 *
 * @param net how DNS and the scanners are asked
 * @param authentication how it is authenticated
 * @param scanner searches for viruses; none when there is no search
 * @param rspamd judges in addition to the built-in classifier
 * @param machines what becomes of mail that no person wrote
 * @param storage how much an organization may keep
 * @param screen how it is judged whether mail may steer an agent
 */
public record InboundConfig(
        NetConfig net,
        Authentication authentication,
        Optional<VirusScanner> scanner,
        Optional<URI> rspamd,
        AutoReplyLabel machines,
        StorageQuota storage,
        ScreenConfig screen) {
    /**
     * How received mail is authenticated.
     *
     * @param host this server
     * @param deferring whether mail waits while DNS gives no answer. In development there may be no DNS at all: mail is
     *     taken then, as mail that nobody vouches for. In production it is put off, so that none is taken for a
     *     stranger's because of us.
     * @param trustingLoopback whether mail from this machine is taken as its author's, see {@link LoopbackTrust}
     */
    public record Authentication(String host, boolean deferring, boolean trustingLoopback) {}
}
