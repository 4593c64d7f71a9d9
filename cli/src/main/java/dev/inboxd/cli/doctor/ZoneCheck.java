package dev.inboxd.cli.doctor;

import dev.inboxd.config.SettingRules;
import dev.inboxd.config.Settings;
import dev.inboxd.net.Dns;
import dev.inboxd.server.ModuleConfigs;
import dev.inboxd.tenant.domain.signing.ServiceZone;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import java.net.URI;
import java.util.List;

/** Checks the records that other servers judge this domain's mail by: SPF, DKIM and DMARC. */
final class ZoneCheck {
    private final DoctorReport findings;
    private final Dns dns;

    ZoneCheck(DoctorReport findings, Dns dns) {
        this.findings = findings;
        this.dns = dns;
    }

    /** @param keys those that sign the domain's mail; none when the database could not be asked */
    void run(Settings settings, List<SigningKeys.PublishedKey> keys) {
        String domain = settings.names().domain();
        if (SettingRules.leadsNowhere(domain)) {
            return; // as the check of names says
        }
        if (keys.isEmpty()) {
            findings.warn(
                    "DKIM of " + domain,
                    "its keys are not known: the database does not run, or the service was never started",
                    "Start the service, then run this again");
        }
        boolean leaves = settings.delivery().way() != Settings.Delivery.Route.SANDBOX;
        URI publicUrl = settings.names().publicUrl().orElse(URI.create("http://127.0.0.1"));
        new ModuleConfigs(settings, publicUrl)
                .zone(keys).check(dns).stream()
                        .filter(finding -> finding.entry().type().equals("TXT"))
                        .forEach(finding -> report(finding, leaves));
    }

    private void report(ServiceZone.Finding finding, boolean leaves) {
        ServiceZone.Entry entry = finding.entry();
        String subject = switch (entry.purpose()) {
            case DKIM -> "DKIM at " + entry.name();
            case DMARC -> "DMARC at " + entry.name();
            default -> "SPF of " + entry.name();
        };
        if (finding.isValid()) {
            findings.ok(subject, "is published");
        } else if (finding.isUnknown()) {
            findings.warn(
                    subject,
                    "DNS does not answer: " + String.join(", ", finding.answers()),
                    "Check INBOXD_DNS_SERVERS and the network");
        } else {
            String words = finding.answers().isEmpty()
                    ? "there is none"
                    : finding.status() + ", found " + String.join(" | ", finding.answers());
            String remedy = "Publish: " + entry.line();
            if (leaves) {
                findings.fail(subject, words + "; other servers refuse mail without it, or take it for spam", remedy);
            } else {
                findings.warn(subject, words, remedy);
            }
        }
    }
}
