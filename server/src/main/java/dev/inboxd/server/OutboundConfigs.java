package dev.inboxd.server;

import dev.inboxd.base.tls.Certificates;
import dev.inboxd.config.RelayServer;
import dev.inboxd.config.Settings;
import dev.inboxd.net.NetModule;
import dev.inboxd.net.SecureDns;
import dev.inboxd.outbound.DeliveryQueue;
import dev.inboxd.outbound.OutboundConfig;
import dev.inboxd.outbound.Routing;
import dev.inboxd.sandbox.SandboxConfig;
import dev.inboxd.sandbox.mail.MailIntake;
import dev.inboxd.smtp.client.ClientTls;
import dev.inboxd.smtp.client.SmtpLogin;
import dev.inboxd.smtp.client.TlsRule;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;

/** The settings of mail that leaves. */
final class OutboundConfigs {
    private OutboundConfigs() {}

    /** How mail leaves, and how this server appears to others. */
    static OutboundConfig of(Settings settings, NetModule net) {
        Settings.Limits limits = settings.policy().limits();
        return new OutboundConfig(
                routing(settings, net),
                new DeliveryQueue.Config(
                        settings.names().mxHost(),
                        new ClientTls(authorities(settings)),
                        limits.of("outbound_connections", 20),
                        limits.of("outbound_per_minute", Integer.MAX_VALUE)));
    }

    /** The world to test in; captured mail is shown to this machine alone. */
    static SandboxConfig sandbox(Settings settings) {
        return new SandboxConfig(
                new MailIntake.Config(
                        settings.names().mxHost(), settings.policy().maxMessage()),
                settings.network().httpBind().isLoopbackAddress());
    }

    private static Routing routing(Settings settings, NetModule net) {
        Settings.Delivery delivery = settings.delivery();
        return switch (delivery.way()) {
            case SANDBOX -> new Routing.Sandbox(SandboxConsole.of(settings)::show);
            case RELAY -> relay(delivery.relay().orElseThrow());
            case DIRECT ->
                new Routing.Direct(
                        new SecureDns(net.config().dns(), delivery.dane()),
                        net.http(),
                        delivery.outboundSmtpPort(),
                        ModuleConfigs.addresses(settings));
        };
    }

    private static Routing relay(RelayServer relay) {
        return new Routing.Relay(
                relay.server().host(),
                relay.server().port(),
                relay.tlsRequired() ? new TlsRule.Verified(relay.implicitTls()) : new TlsRule.Opportunistic(),
                relay.login()
                        .map(login ->
                                new SmtpLogin(login.user(), login.password().value()))
                        .orElse(null));
    }

    private static List<X509Certificate> authorities(Settings settings) {
        return settings.delivery()
                .authorities()
                .map(file -> {
                    try {
                        return Certificates.readAll(file);
                    } catch (IOException | GeneralSecurityException unusable) {
                        throw new IllegalStateException(
                                "INBOXD_OUTBOUND_CA: " + file + " holds no certificates in PEM", unusable);
                    }
                })
                .orElse(List.of());
    }
}
