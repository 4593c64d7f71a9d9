package dev.inboxd.mcp;

import dev.inboxd.platform.http.Level;
import dev.inboxd.platform.http.Route;
import dev.inboxd.platform.http.RouteTable;
import dev.inboxd.platform.module.ServiceModule;
import java.util.List;

/** The Model Context Protocol at {@code /mcp}. Its tools call routes of other modules, so it is mounted behind them. */
public final class McpModule implements ServiceModule {
    private final String version;

    /** @param version of this program, which clients show */
    public McpModule(String version) {
        this.version = version;
    }

    @Override
    public void mount(RouteTable routes) {
        List<Route> all = routes.routes();
        Route downloads = all.stream()
                .filter(route ->
                        route.method().equals("GET") && route.template().equals("/download/{token}"))
                .findFirst()
                .orElseThrow();
        new McpHttp(new McpMethods(ToolTable.of(all), new ToolAnswer(downloads), version)).mount(routes.at(Level.ROOT));
    }
}
