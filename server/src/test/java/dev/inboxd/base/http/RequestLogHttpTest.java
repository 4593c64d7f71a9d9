package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.RequestLog.Kind;
import dev.inboxd.base.log.LineLimit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What strangers ask for fills no disk, and hides neither one another nor callers. */
class RequestLogHttpTest {
    private static final int FLOOD = LineLimit.OF_ONE_SOURCE + 10;

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = (Logger) org.slf4j.LoggerFactory.getLogger("inboxd");

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void stop() {
        log.detachAppender(lines);
    }

    @Test
    void aFloodOfEachKindIsCutByItselfAndCallersHaveAllTheirLines() throws Exception {
        try (TestServer server = new TestServer(table -> {
            table.at(Level.ROOT).get(PUBLIC, "/open/{id}", _ -> Response.ok());
            table.at(Level.ROOT).get(Permission.MESSAGE_READ, "/closed/{id}", _ -> Response.ok());
        })) {
            for (int i = 0; i < FLOOD; i++) {
                server.as(null).get("/nowhere-" + i).is(404);
                server.as(null).get("/closed/" + i).is(401);
                server.as("wrong").get("/closed/" + i).is(401);
                server.as(null).get("/open/" + i).is(200);
                server.as("organization").get("/closed/" + i).is(200);
                try (RawSocket socket = new RawSocket(server.port())) {
                    socket.send("NO HTTP\r\n\r\n");
                    assertThat(socket.rest()).contains(" 400 ");
                }
            }
        }
        assertThat(requests("status=\"404\"")).hasSize(LineLimit.OF_ONE_SOURCE);
        assertThat(requests("status=\"401\"")).hasSize(LineLimit.OF_ONE_SOURCE);
        assertThat(requests("route=\"/open/{id}\"")).hasSize(LineLimit.OF_ONE_SOURCE);
        assertThat(requests("status=\"400\"")).hasSize(LineLimit.OF_ONE_SOURCE);
        assertThat(requests("status=\"200\"", "route=\"/closed/{id}\"")).hasSize(FLOOD);
    }

    @Test
    void whatWasLeftOutOfAKindIsToldInOneLine() {
        AtomicLong nanos = new AtomicLong();
        RequestLog requests = new RequestLog(nanos::get);
        for (int i = 0; i < 1_000; i++) {
            assertThat(requests.isAdmitted(Kind.UNKNOWN, "2001:db8::" + i)).isEqualTo(i < LineLimit.OF_ONE_SOURCE);
        }
        assertThat(requests.isAdmitted(Kind.PUBLIC, "2001:db8::1")).isTrue();
        requests.report();
        assertThat(lines.list).isEmpty();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        requests.report();
        requests.report();
        assertThat(List.copyOf(lines.list))
                .singleElement()
                .satisfies(line -> assertThat(line.getMessage() + line.getKeyValuePairs())
                        .contains("lines_left_out", "kind=\"request_unknown\"", "lines=\"970\""));
    }

    private List<String> requests(String... parts) {
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getMessage().equals("request"))
                .map(line -> String.valueOf(line.getKeyValuePairs()))
                .filter(line -> List.of(parts).stream().allMatch(line::contains))
                .toList();
    }
}
