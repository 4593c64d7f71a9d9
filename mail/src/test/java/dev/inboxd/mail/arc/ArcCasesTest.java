package dev.inboxd.mail.arc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.PublishedCases;
import dev.inboxd.mail.auth.TestZone;
import dev.inboxd.mail.dkim.VerificationInput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The published cases of chains: a message, the keys, and what a validator must say. */
class ArcCasesTest {
    @Test
    void everyPublishedChainIsJudgedAsItsCaseSays() throws IOException {
        Path file = PublishedCases.file("arc/arc-draft-validation-tests.yml");
        List<String> wrong = new ArrayList<>();
        int cases = 0;
        for (Map<String, Object> document : PublishedCases.documents(file)) {
            TestZone zone = new TestZone();
            PublishedCases.map(document.get("txt-records"))
                    .forEach((name, text) -> zone.add(name, "TXT", String.valueOf(text)));
            for (Map.Entry<String, Object> test :
                    PublishedCases.map(document.get("tests")).entrySet()) {
                Map<String, Object> details = PublishedCases.map(test.getValue());
                // Without a word: a relay before said cv=fail, so the chain is not asked about any more. It has failed.
                String word = String.valueOf(details.get("cv")).toLowerCase(Locale.ROOT);
                String expected = word.isEmpty() ? "fail" : word;
                ArcResult result = result(String.valueOf(details.get("message")), zone);
                cases++;
                if (!result.outcome().wireName().equals(expected)) {
                    wrong.add(test.getKey() + ": " + result + " and not " + expected);
                }
            }
        }
        System.out.println("ARC cases of others: " + (cases - wrong.size()) + " of " + cases);
        assertThat(wrong).isEmpty();
        assertThat(cases).isEqualTo(171);
    }

    static ArcResult result(String message, TestZone zone) throws IOException {
        byte[] octets = message.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        VerificationInput signed = VerificationInput.read(new ByteArrayInputStream(octets));
        ArcCheck check = new ArcCheck(signed);
        signed.readBody();
        return check.result(zone);
    }
}
