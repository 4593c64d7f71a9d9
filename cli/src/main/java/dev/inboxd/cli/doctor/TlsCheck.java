package dev.inboxd.cli.doctor;

import dev.inboxd.base.tls.Certificates;
import dev.inboxd.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/** Checks the certificate: readable, valid, and for the names of this server. */
final class TlsCheck {
    private static final Duration EXPIRY_WARNING = Duration.ofDays(21);
    private static final String RENEW = "Renew it; inboxd reads new files without a restart";

    private final DoctorReport findings;
    private final InstantSource clock;

    TlsCheck(DoctorReport findings, InstantSource clock) {
        this.findings = findings;
        this.clock = clock;
    }

    void run(Settings settings) {
        Optional<Path> file = settings.tls().certificate();
        Optional<Path> key = settings.tls().key();
        if (file.isEmpty() || key.isEmpty()) {
            ownCertificate(settings);
            return;
        }
        String subject = "certificate " + file.get();
        X509Certificate certificate;
        try {
            certificate = Certificates.read(file.get(), key.get());
        } catch (IOException | GeneralSecurityException e) {
            findings.fail(
                    subject,
                    "cannot be used with " + key.get() + ": " + e.getMessage(),
                    "Provide a PEM chain and its key as PKCS#8 in PEM");
            return;
        }
        age(subject, certificate);
        name(subject, certificate, settings.names().mxHost());
        if (settings.tls().http()) {
            settings.names().publicUrl().ifPresent(url -> name(subject, certificate, url.getHost()));
            for (String host : settings.payments().hosts()) {
                if (Certificates.names(certificate, host)) {
                    findings.ok(subject, "names " + host);
                } else {
                    findings.warn(subject, "does not name " + host, "Get one with that name, or let a proxy have it");
                }
            }
        }
        privacy(key.get());
    }

    private void ownCertificate(Settings settings) {
        if (settings.mode() == Settings.Mode.PRODUCTION) {
            findings.warn(
                    "certificate",
                    "a self-signed one is used",
                    "Most mail servers accept it; mail clients at the submission port do not. Set INBOXD_TLS_CERT and"
                            + " INBOXD_TLS_KEY to a certificate of a public authority");
        } else {
            findings.ok("certificate", "a self-signed one is used, as usual in dev");
        }
    }

    private void age(String subject, X509Certificate certificate) {
        Instant now = clock.instant();
        Instant end = certificate.getNotAfter().toInstant();
        if (now.isBefore(certificate.getNotBefore().toInstant())) {
            findings.fail(
                    subject,
                    "is not valid before " + certificate.getNotBefore().toInstant(),
                    "Set the clock, or use another certificate");
        } else if (now.isAfter(end)) {
            findings.fail(subject, "has expired at " + end, RENEW);
        } else if (now.plus(EXPIRY_WARNING).isAfter(end)) {
            findings.warn(subject, "expires at " + end, RENEW);
        } else {
            findings.ok(subject, "is valid until " + end);
        }
    }

    private void name(String subject, X509Certificate certificate, String host) {
        if (Certificates.names(certificate, host)) {
            findings.ok(subject, "names " + host);
        } else {
            findings.fail(subject, "does not name " + host, "Get one with that name among its alternative names");
        }
    }

    private void privacy(Path key) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(key);
            if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
                findings.warn("key " + key, "every account on this machine can read it", "Run: chmod o-r " + key);
            }
        } catch (IOException | UnsupportedOperationException unknown) {
            findings.warn(
                    "key " + key, "its permissions are unknown", "Make it readable to the account of inboxd only");
        }
    }
}
