package dev.inboxd.smtp.client;

import java.time.Duration;

/**
 * The time limits of the SMTP client.
 *
 * @param connect for the TCP connection
 * @param command for the greeting and the reply to any command but DATA
 * @param data for the reply to DATA
 * @param block for one block of the message to be written
 * @param end for the reply to the end of data
 * @param message for one message, from the connection or the end of the message before it
 */
public record SmtpTimeouts(
        Duration connect, Duration command, Duration data, Duration block, Duration end, Duration message) {
    /**
     * The values of RFC 5321 §4.5.3.2, and half a minute to connect, because the system's own limit is minutes. The
     * deadline of a message over all its hosts is in its envelope ({@link SmtpEnvelope#until}).
     */
    public static SmtpTimeouts standard() {
        return new SmtpTimeouts(
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2),
                Duration.ofMinutes(3),
                Duration.ofMinutes(10),
                Duration.ofMinutes(25));
    }

    /** The same limit for every wait, and an hour for a message. */
    public static SmtpTimeouts all(Duration wait) {
        return new SmtpTimeouts(wait, wait, wait, wait, wait, Duration.ofHours(1));
    }
}
