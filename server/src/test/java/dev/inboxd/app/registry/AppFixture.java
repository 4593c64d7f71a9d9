package dev.inboxd.app.registry;

import dev.inboxd.base.error.Faults;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.server.World;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Registers apps as an operator does. */
public final class AppFixture {
    private AppFixture() {}

    /** The verbs of an operator on a service. */
    public static OperatorApps operator(World world) {
        return new OperatorApps(world.database(), world.clock(), _ -> null);
    }

    /** Registers an app with these fields, and returns its id. */
    public static UUID register(World world, String json) {
        return UUID.fromString(String.valueOf(
                read(Json.text(operator(world).create(body(json)))).get("app_id")));
    }

    /** Changes an app. */
    public static void change(World world, UUID app, String json) {
        operator(world).change(app.toString(), body(json));
    }

    /** An app as its row is now. */
    public static App find(World world, UUID app) {
        return world.database().read(tx -> AppSql.find(tx, app)).orElseThrow();
    }

    static JsonBody body(String json) {
        return JsonBody.read(json.getBytes(StandardCharsets.UTF_8), new Faults());
    }

    static Map<?, ?> read(String json) {
        return (Map<?, ?>) Objects.requireNonNull(Json.stored(json));
    }
}
