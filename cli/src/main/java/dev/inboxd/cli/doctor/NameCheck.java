package dev.inboxd.cli.doctor;

import dev.inboxd.config.SettingRules;
import dev.inboxd.config.Settings;
import dev.inboxd.net.Dns;
import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.MailExchanger;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/** Checks the DNS records of the service's names, and the names of its addresses. */
final class NameCheck {
    private final DoctorReport findings;
    private final Dns dns;

    NameCheck(DoctorReport findings, Dns dns) {
        this.findings = findings;
        this.dns = dns;
    }

    void run(Settings settings) {
        String domain = settings.names().domain();
        String host = settings.names().mxHost();
        if (SettingRules.leadsNowhere(domain)) {
            findings.ok("DNS", domain + " is not in the public DNS, so its records are not checked");
            return;
        }
        exchangers(domain, host);
        for (InetAddress address : addresses(host)) {
            pointer(address, host);
        }
        settings.names()
                .publicUrl()
                .map(URI::getHost)
                .filter(name -> !name.equals(host))
                .ifPresent(this::addresses);
        settings.payments().hosts().forEach(name -> addresses(name, findings::warn));
    }

    private void exchangers(String domain, String host) {
        String remedy = "Publish: " + domain + ". MX 10 " + host + ".";
        switch (dns.mailExchangers(domain)) {
            case DnsAnswer.Records<MailExchanger>(List<MailExchanger> exchangers) -> {
                if (exchangers.stream().anyMatch(exchanger -> same(exchanger.host(), host))) {
                    findings.ok("MX of " + domain, "names " + host);
                } else {
                    findings.fail(
                            "MX of " + domain,
                            "names "
                                    + (exchangers.isEmpty()
                                            ? "nobody"
                                            : exchangers.stream()
                                                    .map(MailExchanger::host)
                                                    .toList())
                                    + ", not " + host,
                            remedy);
                }
            }
            case DnsAnswer.Missing<MailExchanger> _ -> findings.fail("MX of " + domain, "there is none", remedy);
            case DnsAnswer.Unavailable<MailExchanger>(String reason) -> unavailable("MX of " + domain, reason);
        }
    }

    private List<InetAddress> addresses(String host) {
        return addresses(host, findings::fail);
    }

    /** What is said of a name that is not there. */
    @FunctionalInterface
    private interface Verdict {
        void of(String subject, String finding, String remedy);
    }

    private List<InetAddress> addresses(String host, Verdict missing) {
        switch (dns.addresses(host)) {
            case DnsAnswer.Records<InetAddress>(List<InetAddress> addresses) -> {
                findings.ok(
                        "address of " + host,
                        addresses.stream()
                                .map(InetAddress::getHostAddress)
                                .toList()
                                .toString());
                return addresses;
            }
            case DnsAnswer.Missing<InetAddress> _ ->
                missing.of(
                        "address of " + host,
                        "there is none",
                        "Publish: " + host + ". A (and AAAA) with the address of this machine");
            case DnsAnswer.Unavailable<InetAddress>(String reason) -> unavailable("address of " + host, reason);
        }
        return List.of();
    }

    /**
     * Checks reverse DNS. Most servers refuse mail from an address whose name does not resolve back to it (RFC 8499
     * §11, RFC 1912 §2.1).
     */
    private void pointer(InetAddress address, String host) {
        String subject = "PTR of " + address.getHostAddress();
        String remedy = "Have the provider of the address set it to " + host + "; many servers refuse mail without it";
        switch (dns.pointers(address)) {
            case DnsAnswer.Records<String>(List<String> names) -> {
                if (names.stream().anyMatch(name -> same(name, host))) {
                    findings.ok(subject, "names " + host);
                } else {
                    findings.warn(subject, "names " + names + ", not " + host, remedy);
                }
            }
            case DnsAnswer.Missing<String> _ -> findings.warn(subject, "there is none", remedy);
            case DnsAnswer.Unavailable<String>(String reason) -> unavailable(subject, reason);
        }
    }

    private void unavailable(String subject, String reason) {
        findings.warn(subject, "DNS does not answer: " + reason, "Check INBOXD_DNS_SERVERS and the network");
    }

    private static boolean same(String name, String host) {
        return name.toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT));
    }
}
