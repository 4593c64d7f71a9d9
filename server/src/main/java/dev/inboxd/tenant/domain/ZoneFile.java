package dev.inboxd.tenant.domain;

import dev.inboxd.tenant.domain.dns.ZoneRecord;
import java.util.ArrayList;
import java.util.List;

/** A domain's records as lines of a zone file (RFC 1035 §5, identity.md §11.5). */
public final class ZoneFile {
    /** The longest string of a TXT record (RFC 1035 §3.3). */
    private static final int STRING = 255;

    private ZoneFile() {}

    public static String of(Domain domain, ServiceHosts hosts) {
        StringBuilder lines = new StringBuilder("; DNS records for " + domain.name() + "\n$TTL 3600\n");
        for (ZoneRecord record : hosts.records(domain)) {
            lines.append(record.name())
                    .append(".\tIN\t")
                    .append(record.kind().type())
                    .append('\t')
                    .append(value(record))
                    .append('\n');
        }
        return lines.toString();
    }

    private static String value(ZoneRecord record) {
        if (record.isMx()) {
            return ZoneRecord.PRIORITY + " " + record.value() + ".";
        }
        return record.kind().type().equals("CNAME") ? record.value() + "." : strings(record.value());
    }

    /** The strings of one TXT record; readers join them without anything between them (RFC 6376 §3.6.2.2). */
    public static String strings(String text) {
        List<String> strings = new ArrayList<>();
        for (int i = 0; i < text.length(); i += STRING) {
            String string = text.substring(i, Math.min(text.length(), i + STRING));
            strings.add('"' + string.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
        }
        return String.join(" ", strings);
    }
}
