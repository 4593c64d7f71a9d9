package dev.inboxd.base.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** A collector on a port of this machine, which keeps what it was sent by OTLP over HTTP in protobuf. */
final class OtlpReceiver implements AutoCloseable {
    private final HttpServer server;
    private final Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();

    /** A request. */
    @SuppressWarnings("ArrayRecordComponent")
    record Delivery(String path, Map<String, List<String>> headers, byte[] body) {}

    /** A span as it was sent. */
    record SentSpan(ProtobufMessage message) {
        String name() {
            return message.text(5);
        }

        Map<String, String> attributes() {
            return message.attributes(9);
        }

        long nanos() {
            return message.number(8) - message.number(7);
        }
    }

    OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            deliveries.add(
                    new Delivery(exchange.getRequestURI().getPath(), Map.copyOf(exchange.getRequestHeaders()), body));
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/base";
    }

    List<Delivery> deliveries(String path) {
        return deliveries.stream().filter(one -> one.path.equals(path)).toList();
    }

    /** All octets that came, as far as they are text. */
    String everything() {
        StringBuilder text = new StringBuilder();
        deliveries.forEach(one -> text.append(new String(one.body, StandardCharsets.ISO_8859_1)));
        return text.toString();
    }

    /** ExportTraceServiceRequest, down to its spans. */
    List<SentSpan> spans() {
        return deliveries("/base/v1/traces").stream()
                .flatMap(one -> ProtobufMessage.read(one.body).messages(1).stream())
                .flatMap(resource -> resource.messages(2).stream())
                .flatMap(scope -> scope.messages(2).stream())
                .map(SentSpan::new)
                .toList();
    }

    List<SentSpan> spans(String name) {
        return spans().stream().filter(span -> span.name().equals(name)).toList();
    }

    /** The attributes of those who sent. */
    Stream<Map<String, String>> resources() {
        return deliveries.stream()
                .flatMap(one -> ProtobufMessage.read(one.body).messages(1).stream())
                .map(resource -> resource.message(1).attributes(1));
    }

    /** The metrics of that name, from the first report to the last. */
    List<ProtobufMessage> metrics(String name) {
        return deliveries("/base/v1/metrics").stream()
                .flatMap(one -> ProtobufMessage.read(one.body).messages(1).stream())
                .flatMap(resource -> resource.messages(2).stream())
                .flatMap(scope -> scope.messages(2).stream())
                .filter(metric -> metric.text(1).equals(name))
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
