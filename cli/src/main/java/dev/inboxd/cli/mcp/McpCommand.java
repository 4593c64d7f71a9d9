package dev.inboxd.cli.mcp;

import dev.inboxd.cli.InsecureOption;
import dev.inboxd.cli.ServerAddress;
import dev.inboxd.cli.Subcommand;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** {@code inboxd mcp}: the Model Context Protocol on standard input and output, for a server that runs elsewhere. */
public final class McpCommand {
    /** The variable that names the server, without a path. */
    public static final String URL = "INBOXD_URL";
    /** The variable with the API key. */
    public static final String KEY = "INBOXD_KEY";

    private static final String USUAL = "http://127.0.0.1:8080";

    private McpCommand() {}

    public static Subcommand mcp() {
        Subcommand command = Subcommand.of(
                "mcp", "Speaks the Model Context Protocol on standard input and output.", McpCommand::run);
        InsecureOption.add(command.spec());
        command.spec()
                .usageMessage()
                .footer("%nFor programs that start their MCP servers themselves. " + URL + " names the server that runs"
                        + "%n(" + USUAL + " otherwise), and " + KEY + " is an API key of it. Without a key the"
                        + "%nprogram offers the tools sign_up and verify, and goes on with the inbox that they give.");
        return command;
    }

    private static int run(ParseResult arguments) {
        Map<String, String> environment = System.getenv();
        CommandLine commandLine = arguments.commandSpec().commandLine();
        String key = environment.getOrDefault(KEY, "");
        URI server = server(environment.getOrDefault(URL, USUAL));
        if (server == null) {
            commandLine.getErr().println("inboxd mcp: " + URL + " must be like https://mail.example");
            return CommandLine.ExitCode.USAGE;
        }
        String fault = ServerAddress.fault(server, InsecureOption.environment(environment, arguments));
        if (fault != null) {
            commandLine.getErr().println("inboxd mcp: " + fault);
            return CommandLine.ExitCode.USAGE;
        }
        new StdioBridge(server, key.isBlank() ? null : key.strip(), System.out).run(System.in);
        return CommandLine.ExitCode.OK;
    }

    /** The address of the protocol for one inbox. */
    static URI ofInbox(URI server, String inbox) {
        String named = "inbox_id=" + URLEncoder.encode(inbox, StandardCharsets.UTF_8);
        return URI.create(server + (server.getRawQuery() == null ? "?" : "&") + named);
    }

    /** The address of the protocol at a server, with the query that chooses tools; null when the text is no URL. */
    static @Nullable URI server(String text) {
        String address = text.strip();
        int question = address.indexOf('?');
        String query = question < 0 ? "" : address.substring(question);
        String base = question < 0 ? address : address.substring(0, question);
        while (base.endsWith("/")) {
            base = base.substring(0, base.length() - 1);
        }
        try {
            URI uri = URI.create((base.endsWith("/mcp") ? base : base + "/mcp") + query);
            boolean isHttp = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            return isHttp && uri.getHost() != null ? uri : null;
        } catch (IllegalArgumentException notUri) {
            return null;
        }
    }
}
