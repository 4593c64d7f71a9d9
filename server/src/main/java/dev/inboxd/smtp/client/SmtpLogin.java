package dev.inboxd.smtp.client;

/**
 * Our credentials at a host (RFC 4954), sent only over TLS or to a loopback address.
 *
 * @param user the user name
 * @param password never printed
 */
public record SmtpLogin(String user, String password) {
    @Override
    public String toString() {
        return user + ":***";
    }
}
