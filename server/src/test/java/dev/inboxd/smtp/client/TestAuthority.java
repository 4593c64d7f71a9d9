package dev.inboxd.smtp.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An authority for certificates and what it has signed, made for a test class by the JDK's own tool. */
public final class TestAuthority {
    private static final String PASSWORD = "changeit";

    private final Path folder;
    private int issued;

    public TestAuthority(Path folder) {
        this.folder = folder;
        keytool(
                "-genkeypair",
                "-alias",
                "ca",
                "-keyalg",
                "EC",
                "-dname",
                "CN=Test authority",
                "-ext",
                "bc:c",
                "-validity",
                "2",
                "-keystore",
                file("ca.p12"));
    }

    /**
     * A server with a certificate of this authority.
     *
     * @param chain its own certificate, then the authority's
     */
    public record Server(SSLContext context, List<X509Certificate> chain) {
        public Server {
            chain = List.copyOf(chain);
        }

        public X509Certificate own() {
            return chain.getFirst();
        }
    }

    /** A server whose certificate is for these, such as {@code dns:mx.example}. */
    public Server server(String subjects) {
        String alias = "server" + issued++;
        keytool(
                "-genkeypair",
                "-alias",
                alias,
                "-signer",
                "ca",
                "-keyalg",
                "EC",
                "-dname",
                "CN=server",
                "-ext",
                "san=" + subjects,
                "-validity",
                "2",
                "-keystore",
                file("ca.p12"));
        return loaded(file("ca.p12"), alias);
    }

    private static Server loaded(String file, String alias) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            KeyStore all = KeyStore.getInstance("PKCS12");
            all.load(in, PASSWORD.toCharArray());
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "own",
                    all.getKey(alias, PASSWORD.toCharArray()),
                    PASSWORD.toCharArray(),
                    all.getCertificateChain(alias));
            List<X509Certificate> chain = new ArrayList<>();
            for (var certificate : store.getCertificateChain("own")) {
                chain.add((X509Certificate) certificate);
            }
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return new Server(context, chain);
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The authority's own certificate. */
    public X509Certificate certificate() {
        try (InputStream in = Files.newInputStream(Path.of(file("ca.p12")))) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            return (X509Certificate) store.getCertificate("ca");
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** A file with the authority's certificate, in PEM. */
    public Path pem() {
        try {
            return Files.writeString(
                    folder.resolve("ca.pem"),
                    "-----BEGIN CERTIFICATE-----\n"
                            + Base64.getMimeEncoder()
                                    .encodeToString(certificate().getEncoded()) + "\n-----END CERTIFICATE-----\n");
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private static void keytool(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool " + arguments[0] + " failed");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
