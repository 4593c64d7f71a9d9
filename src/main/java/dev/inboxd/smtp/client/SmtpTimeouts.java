package dev.inboxd.smtp.client;

import java.time.Duration;

/**
 * How long to wait for what.
 *
 * @param connect for the connection itself
 * @param command for the greeting and the reply to any command but DATA
 * @param data for the reply to DATA
 * @param block for one block of the message to be taken
 * @param end for the reply to the message
 * @param whole for a message in all, from the connection or the message before it on
 */
public record SmtpTimeouts(
        Duration connect, Duration command, Duration data, Duration block, Duration end, Duration whole) {
    /**
     * The values of RFC 5321 §4.5.3.2; half a minute to connect, as the system's own limit is minutes. All hosts of a
     * message together have their time from its envelope ({@link SmtpEnvelope#until}).
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

    /** The same wait for everything, with no concern about the whole. */
    public static SmtpTimeouts all(Duration wait) {
        return new SmtpTimeouts(wait, wait, wait, wait, wait, Duration.ofHours(1));
    }
}
