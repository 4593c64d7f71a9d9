package dev.inboxd.smtp.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** TLS could not be established: no common version, or a certificate that is not trusted. */
final class TlsFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    TlsFailedException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
