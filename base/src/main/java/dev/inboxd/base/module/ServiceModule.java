package dev.inboxd.base.module;

import dev.inboxd.base.http.RouteTable;

/** One part of the service: its constructor makes the services of the part, and nothing runs before the start. */
public interface ServiceModule {
    /** Mounts the routes of this part. */
    default void mount(RouteTable routes) {}

    /** Registers what of this part is started and stopped. */
    default void register(Lifecycle lifecycle) {}
}
