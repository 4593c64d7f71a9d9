package dev.inboxd.tenant.domain;

import dev.inboxd.net.Dns;
import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.MailExchanger;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A provider that may receive a domain's mail already (identity.md §11.2).
 *
 * @param title its name for people
 * @param hosts suffixes of the names of its mail exchangers
 */
public record MailProvider(String title, List<String> hosts) {
    private static final List<MailProvider> PROVIDERS = List.of(
            new MailProvider("Google Workspace", List.of("google.com", "googlemail.com")),
            new MailProvider("Microsoft 365", List.of("mail.protection.outlook.com", "mx.microsoft")),
            new MailProvider("Zoho Mail", List.of("zoho.com", "zoho.eu", "zoho.in", "zoho.com.au", "zoho.jp")),
            new MailProvider("Proton Mail", List.of("protonmail.ch")),
            new MailProvider("Fastmail", List.of("messagingengine.com")),
            new MailProvider("iCloud Mail", List.of("mail.icloud.com")));

    public MailProvider {
        hosts = List.copyOf(hosts);
    }

    /**
     * The provider that receives a domain's mail now. Null when it is none of the known ones, or the look-up failed.
     */
    public static @Nullable MailProvider of(Dns dns, String domain) {
        if (dns.mailExchangers(domain) instanceof DnsAnswer.Records<MailExchanger>(List<MailExchanger> exchangers)) {
            for (MailProvider provider : PROVIDERS) {
                if (exchangers.stream().anyMatch(exchanger -> provider.runs(exchanger.host()))) {
                    return provider;
                }
            }
        }
        return null;
    }

    private boolean runs(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return hosts.stream().anyMatch(own -> lower.equals(own) || lower.endsWith("." + own));
    }
}
