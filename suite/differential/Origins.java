import dev.inboxd.mail.arc.ArcCheck;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.ResolverAnswer;
import dev.inboxd.mail.dkim.DkimCheck;
import dev.inboxd.mail.dkim.DkimResult;
import dev.inboxd.mail.dkim.VerificationInput;
import dev.inboxd.mail.dmarc.AuthenticatedDomain;
import dev.inboxd.mail.dmarc.DmarcCheck;
import dev.inboxd.mail.dmarc.DmarcResult;
import dev.inboxd.mail.spf.SpfCheck;
import dev.inboxd.mail.spf.SpfIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Prints what inboxd finds out about the origin of each case in a file, one JSON object in a line; see origins.js. */
final class Origins {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Origins() {}

    /** Arguments: a file of cases, one JSON object in a line. */
    public static void main(String[] arguments) throws IOException {
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            System.out.println(JSON.writeValueAsString(found(JSON.readTree(line))));
        }
    }

    private static Map<String, Object> found(JsonNode one) throws IOException {
        Resolver dns = new Zone(one.get("zone"));
        SpfIdentity identity =
                SpfIdentity.of(InetAddress.ofLiteral(text(one, "ip")), text(one, "helo"), text(one, "sender"));
        AuthResult spf = new SpfCheck(dns, identity).outcome();
        VerificationInput message = VerificationInput.read(
                new ByteArrayInputStream(Base64.getDecoder().decode(text(one, "message"))));
        DkimCheck dkim =
                new DkimCheck(message, Instant.ofEpochSecond(one.get("now").asLong()));
        ArcCheck arc = new ArcCheck(message);
        message.readBody();
        List<DkimResult> signatures = dkim.results(dns);
        DmarcResult dmarc = new DmarcCheck(dns)
                .result(
                        text(one, "from"),
                        having(AuthResult.PASS, identity, spf, signatures),
                        having(AuthResult.TEMPERROR, identity, spf, signatures));
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("spf", spf.wireName());
        found.put(
                "dkim",
                signatures.stream().map(each -> each.outcome().wireName()).toList());
        found.put("arc", arc.result(dns).outcome().wireName());
        found.put("dmarc", dmarc.outcome().wireName());
        found.put("policy", dmarc.policy() == null ? "" : dmarc.policy().wireName());
        return found;
    }

    private static List<AuthenticatedDomain> having(
            AuthResult wanted, SpfIdentity identity, AuthResult spf, List<DkimResult> signatures) {
        List<AuthenticatedDomain> domains = new ArrayList<>();
        if (spf == wanted) {
            domains.add(new AuthenticatedDomain(identity.domain(), false));
        }
        signatures.stream()
                .filter(each -> each.outcome() == wanted)
                .forEach(each -> domains.add(new AuthenticatedDomain(String.valueOf(each.domain()), true)));
        return domains;
    }

    private static String text(JsonNode one, String name) {
        return one.get(name).asString();
    }

    /** Records by {@code "name TYPE"}; the value null is a question that nobody answers. */
    private record Zone(JsonNode records) implements Resolver {
        @Override
        public ResolverAnswer<String> texts(String name) {
            return answer(name, "TXT");
        }

        @Override
        public ResolverAnswer<InetAddress> addresses(String name, boolean ipv6) {
            ResolverAnswer<String> answer = answer(name, ipv6 ? "AAAA" : "A");
            return new ResolverAnswer<>(
                    answer.status(),
                    answer.records().stream().map(InetAddress::ofLiteral).toList());
        }

        @Override
        public ResolverAnswer<String> mailExchangers(String name) {
            return answer(name, "MX");
        }

        @Override
        public ResolverAnswer<String> names(InetAddress address) {
            StringBuilder name = new StringBuilder();
            byte[] octets = address.getAddress();
            for (int i = octets.length - 1; i >= 0; i--) {
                name.append(
                        octets.length == 4
                                ? (octets[i] & 0xFF) + "."
                                : Integer.toHexString(octets[i] & 15) + "." + Integer.toHexString((octets[i] >> 4) & 15)
                                        + ".");
            }
            return answer(name + (octets.length == 4 ? "in-addr.arpa" : "ip6.arpa"), "PTR");
        }

        private ResolverAnswer<String> answer(String name, String type) {
            String bare = (name.endsWith(".") ? name.substring(0, name.length() - 1) : name).toLowerCase(Locale.ROOT);
            JsonNode values = records.get(bare + " " + type);
            if (values != null && values.isNull()) {
                return ResolverAnswer.without(ResolverAnswer.Status.FAILED);
            }
            if (values != null) {
                List<String> texts = new ArrayList<>();
                values.forEach(value -> texts.add(value.asString()));
                return ResolverAnswer.of(texts);
            }
            return ResolverAnswer.without(
                    records.has(bare + " *") ? ResolverAnswer.Status.NO_DATA : ResolverAnswer.Status.NO_NAME);
        }
    }
}
