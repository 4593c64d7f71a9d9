package dev.inboxd.reference;

import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.module.ServiceModule;
import java.net.URI;

/** The description of the API: {@code /openapi.json}, {@code /asyncapi.json}, {@code /docs}, texts for models. */
public final class ReferenceModule implements ServiceModule {
    private final ReferenceHttp http;

    /**
     * The description of one server.
     *
     * @param publicUrl where its clients find it
     * @param version of this program
     */
    public ReferenceModule(URI publicUrl, String version) {
        this.http = new ReferenceHttp(publicUrl, version);
    }

    @Override
    public void mount(RouteTable routes) {
        http.mount(routes.at(Level.ROOT));
    }
}
