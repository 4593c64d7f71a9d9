package dev.inboxd.outbound;

import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A service for each test whose mail leaves through one relay. */
public abstract class RelayService {
    protected final FakeMx mx = new FakeMx();
    protected World world;
    protected String inbox;

    @BeforeEach
    void start() {
        world = World.start(Map.of("INBOXD_RELAY", "smtp://127.0.0.1:" + mx.port()));
        inbox = world.inbox("agent");
    }

    @AfterEach
    void stop() {
        world.close();
        mx.close();
    }
}
