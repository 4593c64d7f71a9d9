package dev.inboxd.cli;

import dev.inboxd.config.Settings;
import dev.inboxd.payment.PaymentConfig;
import dev.inboxd.payment.offer.PaymentsUse.FacilitatorKind;
import dev.inboxd.server.ModuleConfigs;
import dev.inboxd.server.Server;
import java.net.URI;

/** The text printed when the service is ready: its addresses, the first key, and three commands to try. */
final class StartupBanner {
    private static final String BLOCK = """

            inboxd is ready
              API      {url}/v0
            {console}  SMTP     {bind}:{smtp}  (mail for {domain}{trust})
              Submit   {bind}:{submission}  (STARTTLS; an inbox's address and a key)
            {payments}{held}{first}
              curl -sS{k} {url}/v0/inboxes -H "Authorization: Bearer {key}" -H 'Content-Type: application/json' \
            -d '{"username":"hello"}'
              printf 'From: Me <me@example.com>\\r\\nTo: hello@{domain}\\r\\n\
            Subject: Hi\\r\\n\\r\\nHello, agent.\\r\\n' \
            | curl -sS smtp://127.0.0.1:{smtp} --mail-from me@example.com --mail-rcpt hello@{domain} -T -
              curl -sS{k} '{url}/v0/inboxes/hello@{domain}/messages{all}' -H "Authorization: Bearer {key}"

            """;

    private static final String TRUST = "; from this machine it is taken as its author's, unchecked,"
            + "\n           so that you can try it out; set INBOXD_DNS_SERVERS to have SPF, DKIM and DMARC checked";

    private static final String HELD =
            "  Held     nothing leaves, and what is due waits: inboxd queue status tells why,"
                    + "\n           inboxd queue resume ends it\n";

    private StartupBanner() {}

    private static String console(Settings settings, Server server) {
        String address = server.consoleAddress().map(URI::toString).orElse("");
        return switch (settings.console().access()) {
            case OFF -> "";
            case SIGN_IN -> "  Console  " + address + "  (sign in with a code by mail)\n";
            case OPEN ->
                "  Console  " + address
                        + "\n           (open it in a browser: you act as the human behind your agents there. The token"
                        + "\n           is in it, so the address is for you alone; INBOXD_CONSOLE=sign-in or off"
                        + " changes that)\n";
        };
    }

    /** Where calls are paid for in development; nothing of it is money. */
    private static String payments(Settings settings, URI publicUrl) {
        PaymentConfig config = new ModuleConfigs(settings, publicUrl).payments();
        if (config.facilitator().kind() != FacilitatorKind.DEVELOPMENT) {
            return "";
        }
        StringBuilder lines = new StringBuilder();
        config.x402().ifPresent(at -> lines.append(payments("x402", at)));
        config.mpp().ifPresent(at -> lines.append(payments("mpp", at)));
        return lines.toString();
    }

    private static String payments(String variant, PaymentConfig.Address at) {
        return "  Payments " + variant + " at " + at.base() + ", test network, nothing is checked and no money moves\n";
    }

    static String of(Settings settings, Server server) {
        String first = server.firstKey();
        boolean trusted = ModuleConfigs.trustsLoopback(settings);
        return BLOCK.replace("{held}", server.isHeld() ? HELD : "")
                .replace("{payments}", payments(settings, server.publicUrl()))
                .replace(
                        "{first}",
                        first == null
                                ? "\nTry, with an API key in $KEY (./inboxd key create makes one):"
                                : "  Key      {key}  (shown only now)\n\nTry:")
                .replace("{key}", first == null ? "$KEY" : first)
                .replace(
                        "{k}",
                        settings.tls().http() && settings.tls().certificate().isEmpty() ? "k" : "")
                .replace("{console}", console(settings, server))
                .replace("{trust}", trusted ? TRUST : "")
                // Elsewhere the mail of a domain that vouches for nothing is hidden until asked for.
                .replace("{all}", trusted ? "" : "?include_unauthenticated=true")
                .replace("{url}", server.publicUrl().toString())
                .replace("{bind}", settings.network().bind().getHostAddress())
                .replace("{smtp}", String.valueOf(server.smtpPort()))
                .replace("{submission}", String.valueOf(server.submissionPort()))
                .replace("{domain}", settings.names().domain());
    }
}
