package dev.inboxd.http;

import java.time.Duration;

/**
 * Where and how the server listens.
 *
 * @param host the address to bind
 * @param port the port; 0 for any free one
 * @param docsUrl the documentation that errors link to, without a slash at the end
 * @param drain how long a stop waits for requests in flight
 */
public record HttpSettings(String host, int port, String docsUrl, Duration drain) {}
