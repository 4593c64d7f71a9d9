package dev.inboxd.payment.offer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** The routes that there are, and files of payments. */
final class PaymentFixture {
    /** Every route of the API. */
    static final Set<String> ROUTES = routes();

    static final PaymentsUse USE = new PaymentsUse(ROUTES, false, false, PaymentsUse.FacilitatorKind.OPERATOR, false);

    private PaymentFixture() {}

    private static Set<String> routes() {
        try {
            return Files.readAllLines(Path.of("server/src/test/resources/access-matrix.txt")).stream()
                    .filter(line -> !line.startsWith("#") && line.contains("|"))
                    .map(line -> line.substring(0, line.indexOf('|')).strip().replaceAll(" +", " "))
                    .filter(route -> route.contains(" /v0"))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static PaymentTerms read(String yaml, PaymentsUse use) {
        return PaymentsDocument.read("pay.yaml", yaml.getBytes(UTF_8), use);
    }

    /** What is said of a file that is wrong. */
    static String fault(String yaml, PaymentsUse use) {
        try {
            read(yaml, use);
        } catch (Problem problem) {
            if (problem.code() != ErrorCode.VALIDATION_ERROR) {
                throw problem;
            }
            return problem.message();
        }
        return "none";
    }
}
