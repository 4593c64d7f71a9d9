package dev.inboxd.config;

/**
 * Host and port of another server.
 *
 * @param host a name or an address, an IPv6 address without brackets
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {
    /**
     * Parses {@code host:port}, {@code host} or {@code [IPv6 address]:port}.
     *
     * @param defaultPort used when the text has no port
     * @throws IllegalArgumentException when the text has none of these forms
     */
    static HostPort parse(String text, int defaultPort) {
        int bracket = text.indexOf(']');
        if (text.startsWith("[") && bracket > 0) {
            return new HostPort(text.substring(1, bracket), port(text.substring(bracket + 1), defaultPort));
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            return new HostPort(text, defaultPort);
        }
        // Two colons: an IPv6 address, which needs no brackets when no port follows.
        return colon == text.lastIndexOf(':')
                ? new HostPort(text.substring(0, colon), port(text.substring(colon), defaultPort))
                : new HostPort(text, defaultPort);
    }

    public HostPort {
        if (host.isEmpty() || host.length() > 255 || port < 1 || port > 65535) {
            throw new IllegalArgumentException("no host and port");
        }
        if (!host.chars().allMatch(HostPort::isOfHosts)) {
            throw new IllegalArgumentException("no host name");
        }
    }

    private static boolean isOfHosts(int character) {
        return character < 128 && (Character.isLetterOrDigit(character) || ".-_:%".indexOf(character) >= 0);
    }

    private static int port(String colonAndPort, int defaultPort) {
        if (colonAndPort.isEmpty()) {
            return defaultPort;
        }
        if (colonAndPort.charAt(0) != ':') {
            throw new IllegalArgumentException("no port");
        }
        return Integer.parseInt(colonAndPort.substring(1));
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
