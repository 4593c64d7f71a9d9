package dev.inboxd.tenant.domain;

import dev.inboxd.tenant.domain.dns.RecordKind;
import dev.inboxd.tenant.domain.dns.ZoneRecord;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The host names of this service that customers' records lead to.
 *
 * @param mx receives mail
 * @param bounce receives mail for return paths
 * @param spf is included in SPF records
 * @param tracking serves the pixels of tracked mail
 */
public record ServiceHosts(String mx, String bounce, String spf, String tracking) {
    private static final String RETURN_PATH = "mail.";
    private static final String TRACKING = "link.";

    /** The records that a domain must publish, in the documented order (identity.md §11.3). */
    List<ZoneRecord> records(Domain domain) {
        String name = domain.name();
        List<ZoneRecord> records = new ArrayList<>();
        records.add(new ZoneRecord(RecordKind.MX, name, mx));
        records.add(new ZoneRecord(RecordKind.BOUNCE_MX, returnName(name), bounce));
        records.add(new ZoneRecord(RecordKind.SPF, returnName(name), "v=spf1 include:" + spf + " -all"));
        records.add(new ZoneRecord(
                RecordKind.DKIM,
                domain.key().selector() + "._domainkey." + name,
                domain.key().dnsRecord()));
        // Ruling 29: no policy until the owner chooses one, and no reports to an address that did not agree to them.
        records.add(new ZoneRecord(RecordKind.DMARC, "_dmarc." + name, "v=DMARC1; p=none"));
        if (domain.options().subdomains()) {
            records.add(new ZoneRecord(RecordKind.SUBDOMAIN_MX, "*." + name, mx));
        }
        if (domain.options().tracking()) {
            records.add(new ZoneRecord(RecordKind.TRACKING, trackingName(name), tracking));
        }
        return records;
    }

    /** The kinds of the required records. */
    static Set<RecordKind> required(Domain.Options options) {
        Set<RecordKind> kinds = EnumSet.allOf(RecordKind.class);
        if (!options.subdomains()) {
            kinds.remove(RecordKind.SUBDOMAIN_MX);
        }
        if (!options.tracking()) {
            kinds.remove(RecordKind.TRACKING);
        }
        return kinds;
    }

    /** The host of a domain's return paths. */
    public static String returnName(String domain) {
        return RETURN_PATH + domain;
    }

    /** The host of a domain's pixels. */
    public static String trackingName(String domain) {
        return TRACKING + domain;
    }
}
