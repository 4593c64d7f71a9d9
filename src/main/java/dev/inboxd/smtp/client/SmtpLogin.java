package dev.inboxd.smtp.client;

/**
 * A name and a password at a host (RFC 4954), sent over TLS only, or to this machine itself.
 *
 * @param user the name
 * @param password never shown
 */
public record SmtpLogin(String user, String password) {
    @Override
    public String toString() {
        return user + ":***";
    }
}
