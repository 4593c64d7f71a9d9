package dev.inboxd.payment.authorization;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Header fields that public clients wrote. */
public final class PaymentVectors {
    private static final Path FILE = Path.of("server/src/test/resources/payments.txt");

    private PaymentVectors() {}

    /** The value of the field of this name. */
    public static String field(String name) {
        try (var lines = Files.lines(FILE)) {
            return lines.filter(line -> line.startsWith(name + " "))
                    .findFirst()
                    .orElseThrow()
                    .substring(name.length() + 1);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
