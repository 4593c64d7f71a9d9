package dev.inboxd.base.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Gives each handshake the current identity, so that one SSLContext serves for the life of the process while the files
 * change.
 */
final class IdentityKeys extends X509ExtendedKeyManager {
    private final ServerTls tls;

    IdentityKeys(ServerTls tls) {
        this.tls = tls;
    }

    private @Nullable String named(String keyType) {
        TlsIdentity current = tls.current();
        return current.key().getAlgorithm().equals(keyType) ? current.name() : null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return named(keyType);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return named(keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String name = named(keyType);
        return name == null ? null : new String[] {name};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        TlsIdentity identity = tls.named(alias);
        return identity == null ? null : identity.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        TlsIdentity identity = tls.named(alias);
        return identity == null ? null : identity.key();
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
