package dev.inboxd.mail.spf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.PublishedCases;
import dev.inboxd.mail.auth.TestZone;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The form of the published test suite of SPF: zones, and for each transaction what must come of it. */
class SpfCasesTest {
    private static final Path OWN = Path.of("mail/src/test/resources/authentication/spf.yml");

    @Test
    @Proves("A11")
    void everyCaseOfOursEndsAsItSays() throws IOException {
        assertThat(wrong(OWN)).isEmpty();
    }

    @Test
    void everyCaseOfTheStandardsTestSuiteEndsAsItSays() throws IOException {
        Path file = PublishedCases.file("spf/rfc7208-tests.yml");
        List<String> wrong = wrong(file);
        int cases = count(file);
        System.out.println("SPF cases of others: " + (cases - wrong.size()) + " of " + cases);
        assertThat(wrong).isEmpty();
        assertThat(cases).isEqualTo(200);
    }

    private static int count(Path file) throws IOException {
        return PublishedCases.documents(file).stream()
                .mapToInt(document -> PublishedCases.map(document.get("tests")).size())
                .sum();
    }

    private static List<String> wrong(Path file) throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Map<String, Object> document : PublishedCases.documents(file)) {
            Map<String, Object> zonedata = PublishedCases.map(document.get("zonedata"));
            for (Map.Entry<String, Object> test :
                    PublishedCases.map(document.get("tests")).entrySet()) {
                String fault = fault(PublishedCases.map(test.getValue()), zone(zonedata));
                if (!fault.isEmpty()) {
                    wrong.add(test.getKey() + ": " + fault);
                }
            }
        }
        return wrong;
    }

    private static String fault(Map<String, Object> test, TestZone zone) {
        SpfIdentity identity = SpfIdentity.of(
                InetAddress.ofLiteral(text(test.get("host"))), text(test.get("helo")), text(test.get("mailfrom")));
        SpfCheck check = new SpfCheck(zone, identity);
        AuthResult outcome = check.outcome();
        List<?> expected = test.get("result") instanceof List<?> several ? several : List.of(text(test.get("result")));
        if (!expected.contains(outcome.wireName())) {
            return outcome.wireName() + " and not " + expected;
        }
        Object explained = test.get("explanation");
        if (explained == null || outcome != AuthResult.FAIL) {
            return "";
        }
        String explanation = check.explanation("mx.example.net", Instant.EPOCH).orElse("DEFAULT");
        return explanation.equals(explained) ? "" : "'" + explanation + "' and not '" + explained + "'";
    }

    private static String text(@Nullable Object value) {
        return String.valueOf(Objects.requireNonNull(value));
    }

    /** A record of type SPF stands for one of type TXT, unless the name has a TXT record of its own. */
    private static TestZone zone(Map<String, Object> zonedata) {
        TestZone zone = new TestZone();
        for (Map.Entry<String, Object> entry : zonedata.entrySet()) {
            List<?> records = (List<?>) entry.getValue();
            boolean texts = records.stream().anyMatch(one -> one instanceof Map<?, ?> map && map.containsKey("TXT"));
            List<List<?>> exchangers = new ArrayList<>();
            zone.exists(entry.getKey());
            for (Object record : records) {
                if (record instanceof Map<?, ?> map) {
                    Map.Entry<?, ?> one = map.entrySet().iterator().next();
                    if (one.getKey().equals("MX")) {
                        exchangers.add((List<?>) one.getValue());
                    } else {
                        add(zone, entry.getKey(), String.valueOf(one.getKey()), one.getValue(), texts);
                    }
                }
            }
            exchangers.stream()
                    .sorted(Comparator.comparingInt(one -> Integer.parseInt(text(one.get(0)))))
                    .filter(one -> !text(one.get(1)).isEmpty())
                    .forEach(one -> zone.add(entry.getKey(), "MX", text(one.get(1))));
            if (records.contains("TIMEOUT")) {
                zone.failingWhereEmpty(entry.getKey());
            }
        }
        return zone;
    }

    private static void add(TestZone zone, String name, String type, Object value, boolean texts) {
        String joined = value instanceof List<?> strings
                ? String.join("", strings.stream().map(String::valueOf).toList())
                : text(value);
        if (type.equals("SPF")) {
            if (!texts) {
                zone.add(name, "TXT", joined);
            }
        } else if (!joined.equals("NONE")) {
            zone.add(name, type, joined);
        }
    }
}
