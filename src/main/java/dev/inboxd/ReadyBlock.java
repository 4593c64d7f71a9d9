package dev.inboxd;

/** What a newcomer reads when the service is ready: where it is, the first key, and three lines to try. */
final class ReadyBlock {
    private ReadyBlock() {}

    static String of(Settings settings, Server server) {
        String url = server.publicUrl().toString();
        String key = server.firstKey() == null ? "$KEY" : server.firstKey();
        String domain = settings.names().domain();
        StringBuilder block = new StringBuilder("\ninboxd is ready\n");
        block.append("  API      ").append(url).append("/v0\n");
        block.append("  SMTP     ").append(settings.network().bind().getHostAddress()).append(':')
                .append(server.smtpPort()).append("  (mail for ").append(domain).append(")\n");
        if (server.firstKey() != null) {
            block.append("  Key      ").append(key).append("   shown only now\n");
        }
        block.append("\nTry:\n");
        block.append("  curl -s ").append(url).append("/v0/inboxes -H 'Authorization: Bearer ").append(key)
                .append("' -d '{\"username\":\"hello\"}' -H 'Content-Type: application/json'\n");
        block.append("  printf 'Subject: Hi\\r\\n\\r\\nHello, agent.\\r\\n' | curl -s smtp://127.0.0.1:")
                .append(server.smtpPort()).append(" --mail-from me@example.com --mail-rcpt hello@").append(domain)
                .append(" -T -\n");
        block.append("  curl -s '").append(url).append("/v0/inboxes/hello@").append(domain)
                .append("/messages?include_unauthenticated=true' -H 'Authorization: Bearer ").append(key).append("'\n\n");
        return block.toString();
    }
}
