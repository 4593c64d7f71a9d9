package dev.inboxd.base.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The server's identity towards a TLS client.
 *
 * @param name distinguishes it from earlier and later ones
 * @param key the private key of the first certificate
 * @param chain the server's certificate, then those up to its root; never empty
 */
record TlsIdentity(String name, PrivateKey key, List<X509Certificate> chain) {
    TlsIdentity {
        chain = List.copyOf(chain);
    }

    @Override
    public String toString() {
        return "Identity[" + name + "]";
    }
}
