package dev.inboxd.tenant.domain.signing;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.net.Dns;
import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.MailExchanger;
import dev.inboxd.tenant.domain.ServiceHosts;
import dev.inboxd.tenant.domain.ZoneFile;
import dev.inboxd.tenant.domain.dns.RecordCheck;
import dev.inboxd.tenant.domain.dns.RecordResult;
import dev.inboxd.tenant.domain.dns.ZoneRecord;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The DNS records of the service's own domain and hosts, as {@code inboxd dns} prints and compares them.
 *
 * @param domain the domain of inboxes
 * @param hosts the hosts that records of customers lead to
 * @param keys the keys that sign the domain's mail
 * @param webHosts further names of this server
 * @param relayed whether mail leaves by a relay, whose addresses only its operator knows
 */
public record ServiceZone(
        String domain, ServiceHosts hosts, List<SigningKeys.PublishedKey> keys, Set<String> webHosts, boolean relayed) {
    /** Copies the lists. */
    public ServiceZone {
        keys = List.copyOf(keys);
        webHosts = Set.copyOf(webHosts);
    }

    /** What a record is for, which says what must be found. */
    public enum Purpose {
        MAIL,
        ADDRESS,
        SPF,
        SENDERS,
        DKIM,
        DMARC
    }

    /**
     * A record to publish.
     *
     * @param name without a dot at the end
     * @param value empty for an address, which only the operator knows
     */
    public record Entry(String name, String type, String value, Purpose purpose) {
        /** The line of a zone file (RFC 1035 §5). */
        public String line() {
            String data = switch (type) {
                case "MX" -> ZoneRecord.PRIORITY + " " + value + ".";
                case "TXT" -> ZoneFile.strings(value);
                default -> "<the address of this machine, and AAAA if it has one>";
            };
            return (value.isEmpty() ? "; " : "") + name + ".\tIN\t" + type + "\t" + data;
        }
    }

    /**
     * What DNS answers for a record.
     *
     * @param status {@code valid}, {@code missing}, {@code invalid}, or {@code unknown} when DNS does not answer
     * @param answers what DNS answers; the reason alone where it does not answer
     */
    public record Finding(Entry entry, String status, List<String> answers) {
        static final String VALID = "valid";
        private static final String MISSING = "missing";
        private static final String UNKNOWN = "unknown";

        /** Whether the record is as it should be. */
        public boolean isValid() {
            return status.equals(VALID);
        }

        /** Whether DNS gave no answer. */
        public boolean isUnknown() {
            return status.equals(UNKNOWN);
        }

        /** The JSON form. */
        public JsonObject json() {
            return JsonObject.of("status", status)
                    .with("type", entry.type)
                    .with("name", entry.name)
                    .with("value", entry.value.isEmpty() ? null : entry.value)
                    .with("found", answers);
        }
    }

    /** The records, those of the domain first. */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry(domain, "MX", hosts.mx(), Purpose.MAIL));
        entries.add(new Entry(domain, "TXT", "v=spf1 include:" + hosts.spf() + " -all", Purpose.SPF));
        keys.forEach(key ->
                entries.add(new Entry(key.selector() + "._domainkey." + domain, "TXT", key.record(), Purpose.DKIM)));
        // No policy until the operator chooses one, as for customers' domains.
        entries.add(new Entry("_dmarc." + domain, "TXT", "v=DMARC1; p=none", Purpose.DMARC));
        if (!hosts.spf().equals(domain)) {
            entries.add(new Entry(hosts.spf(), "TXT", "v=spf1 a:" + hosts.mx() + " -all", Purpose.SENDERS));
        }
        if (!hosts.mx().equals(domain)) {
            // RFC 7208 §2.3: the name in EHLO is checked too, and alone for reports, which have no sender.
            entries.add(new Entry(hosts.mx(), "TXT", "v=spf1 a -all", Purpose.SENDERS));
        }
        Set<String> names = new TreeSet<>(webHosts);
        names.addAll(List.of(hosts.mx(), hosts.bounce()));
        names.forEach(name -> entries.add(new Entry(name, "A", "", Purpose.ADDRESS)));
        return entries;
    }

    /** The lines of a zone file, with what the operator has to fill in as comments. */
    public String text() {
        StringBuilder lines = new StringBuilder("; DNS records of the service at " + domain + "\n$TTL 3600\n");
        entries().forEach(entry -> lines.append(entry.line()).append('\n'));
        if (relayed) {
            lines.append("; Mail leaves by a relay: add what its operator names for SPF to the record of ")
                    .append(hosts.spf())
                    .append('\n');
        }
        return lines.append("; The provider of the address sets its PTR record: to ")
                .append(hosts.mx())
                .append(".\n")
                .toString();
    }

    /** Compares every record with what DNS answers. */
    public List<Finding> check(Dns dns) {
        return entries().stream().map(entry -> check(entry, dns)).toList();
    }

    private static Finding check(Entry entry, Dns dns) {
        String name = entry.name;
        return switch (entry.purpose) {
            case MAIL ->
                finding(
                        entry,
                        dns.mailExchangers(name),
                        MailExchanger::host,
                        exchangers -> RecordCheck.exchangers(exchangers, entry.value, true));
            case ADDRESS -> finding(entry, dns.addresses(name), InetAddress::getHostAddress, _ -> RecordResult.VALID);
            case SPF -> texts(entry, dns, texts -> RecordCheck.spf(texts, entry.value));
            case SENDERS -> texts(entry, dns, RecordCheck::anySpf);
            case DKIM -> texts(entry, dns, texts -> RecordCheck.dkim(texts, entry.value));
            case DMARC -> texts(entry, dns, RecordCheck::dmarc);
        };
    }

    private static Finding texts(Entry entry, Dns dns, Function<List<String>, RecordResult> judgement) {
        return finding(entry, dns.texts(entry.name), text -> text, judgement);
    }

    private static <T> Finding finding(
            Entry entry, DnsAnswer<T> answer, Function<T, String> shown, Function<List<T>, RecordResult> judgement) {
        return switch (answer) {
            case DnsAnswer.Records<T>(List<T> records) ->
                new Finding(
                        entry,
                        judgement.apply(records).state().name().toLowerCase(Locale.ROOT),
                        records.stream().map(shown).toList());
            case DnsAnswer.Missing<T> _ -> new Finding(entry, Finding.MISSING, List.of());
            case DnsAnswer.Unavailable<T>(String reason) -> new Finding(entry, Finding.UNKNOWN, List.of(reason));
        };
    }
}
