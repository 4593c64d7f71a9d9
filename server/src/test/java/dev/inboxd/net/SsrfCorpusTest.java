package dev.inboxd.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Every case of the shared SSRF corpus (see its LICENSE), under its default policy. */
final class SsrfCorpusTest {
    @TestFactory
    @Proves("A21")
    Stream<DynamicTest> addressesAreJudgedAsTheCorpusSays() {
        return Stream.of("allowed", "blocked", "boundaries")
                .flatMap(file -> cases(file, test -> {
                    boolean allowed = test.path("policies")
                            .path("default")
                            .stringValue("")
                            .equals("allowed");
                    assertThat(AddressPolicy.PUBLIC.permits(address(host(test))))
                            .isEqualTo(allowed);
                    assertThat(accepted(host(test))).isEqualTo(allowed);
                }));
    }

    @TestFactory
    @Proves("A21")
    Stream<DynamicTest> legacySpellingsAreTheAddressTheyDenote() {
        return cases("legacy_numeric", test -> {
            assertThat(address(host(test)).getHostAddress())
                    .isEqualTo(test.path("canonical").stringValue(""));
            assertThat(accepted(host(test))).isEqualTo(!test.path("blocked").booleanValue());
        });
    }

    @TestFactory
    Stream<DynamicTest> malformedNumericHostsAreRefused() {
        return Stream.of("malformed_numeric_hosts", "non_host_prefixes")
                .flatMap(file -> cases(file, test -> {
                    assertThat(Host.classify(host(test))).isInstanceOf(Host.Malformed.class);
                    assertThat(accepted(host(test))).isFalse();
                }));
    }

    @TestFactory
    Stream<DynamicTest> namesThatOnlyLookNumericAreLeftToDns() {
        return cases("dns_hostnames", test -> {
            assertThat(Host.classify(host(test))).isInstanceOf(Host.Name.class);
            assertThat(accepted(host(test))).isTrue();
        });
    }

    private static String host(JsonNode test) {
        String input = test.path("input").stringValue("");
        return input.indexOf(':') >= 0 ? "[" + input + "]" : input;
    }

    private static InetAddress address(String host) {
        assertThat(Host.classify(host)).isInstanceOf(Host.Address.class);
        return ((Host.Address) Host.classify(host)).address();
    }

    private static boolean accepted(String host) {
        return Target.check("https://" + host, TargetRules.PRODUCTION) instanceof TargetCheck.Valid;
    }

    private static Stream<DynamicTest> cases(String file, Consumer<JsonNode> check) {
        try (InputStream in = SsrfCorpusTest.class.getResourceAsStream("/corpora/ssrf/" + file + ".json")) {
            return new ObjectMapper()
                            .readTree(Objects.requireNonNull(in))
                            .path("cases")
                            .valueStream()
                            .map(test -> dynamicTest(
                                    file + " " + test.path("input").stringValue(""), () -> check.accept(test)))
                            .toList()
                            .stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
