package dev.inboxd.mcp;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.module.ServiceModule;
import java.util.List;
import java.util.function.Predicate;

/** The Model Context Protocol at {@code /mcp}. Its tools call routes of other modules, so it is mounted behind them. */
public final class McpModule implements ServiceModule {
    private final String version;
    private final Predicate<Caller> isProgramKey;

    /**
     * The protocol of this program.
     *
     * @param version of this program, which clients show
     * @param isProgramKey whether a caller's key is one that a person gave to a program
     */
    public McpModule(String version, Predicate<Caller> isProgramKey) {
        this.version = version;
        this.isProgramKey = isProgramKey;
    }

    @Override
    public void mount(RouteTable routes) {
        List<Route> all = routes.routes();
        Route downloads = all.stream()
                .filter(route ->
                        route.method().equals("GET") && route.template().equals("/download/{token}"))
                .findFirst()
                .orElseThrow();
        Route organization = all.stream()
                .filter(route ->
                        route.method().equals("GET") && route.template().equals("/v0/organizations"))
                .findFirst()
                .orElse(null);
        Route extracted = all.stream()
                .filter(route -> route.method().equals("GET")
                        && route.template().equals("/v0/inboxes/{inbox_id}/messages/{message_id}/extracted"))
                .findFirst()
                .orElse(null);
        McpMethods methods = new McpMethods(
                ToolTable.of(all),
                new OrganizationTools(isProgramKey, organization),
                new ToolAnswer(new FurtherMembers(downloads, extracted)),
                version);
        new McpHttp(methods).mount(routes.at(Level.ROOT));
    }
}
