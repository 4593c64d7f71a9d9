package dev.inboxd.sandbox.mail;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.OwnPages;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Shows the captured messages to a developer, with one-time codes and replies. Mounted where the server listens on
 * loopback alone (ruling 31).
 */
public final class CapturedMailHttp {
    private static final int MAX_MESSAGES = 100;

    private final Database database;
    private final Messages messages;
    private final MessageContents contents;

    /** The captured messages of a database. */
    public CapturedMailHttp(Database database, Messages messages, MessageContents contents) {
        this.database = database;
        this.messages = messages;
        this.contents = contents;
    }

    /** Mounts the route {@code GET /sandbox/messages}. */
    public void mount(Routes root) {
        root.page("/sandbox/messages", new OwnPages(this::list));
    }

    private Response list(Request request) {
        Query query = request.query();
        String organization = query.text("organization_id");
        CapturedMailSql.CapturedFilter filter = new CapturedMailSql.CapturedFilter(
                organization == null ? null : organization(query, organization),
                query.text("to"),
                query.instant("since"));
        query.check();
        List<JsonObject> list = database.read(tx -> CapturedMailSql.captured(tx, filter, MAX_MESSAGES)).stream()
                .map(this::json)
                .toList();
        return Response.ok(JsonObject.of("count", list.size()).with("messages", list));
    }

    private static @Nullable UUID organization(Query query, String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            query.fault("organization_id", "organization_id must be a UUID");
            return null;
        }
    }

    private JsonObject json(CapturedMailSql.CapturedMessage captured) {
        JsonObject json = JsonObject.of("organization_id", captured.organization())
                .with("from", captured.reversePath())
                .with("to", captured.recipient())
                .with("captured_at", captured.at());
        parsed(captured)
                .ifPresent(parsed -> json.with("subject", parsed.subject())
                        .with("message_id", parsed.identification().messageId())
                        .with("headers", parsed.headerMap())
                        .with("text", parsed.body().text())
                        .with("html", parsed.body().html()));
        return json;
    }

    private Optional<ParsedMessage> parsed(CapturedMailSql.CapturedMessage captured) {
        View view = View.of(captured.organization());
        if (captured.message() == null) {
            return database.read(tx -> CapturedMailSql.raw(tx, view, captured.submission()))
                    .map(bytes -> MessageParser.parse(new ByteArrayInputStream(bytes)));
        }
        return messages.find(view, captured.message()).flatMap(stored -> {
            try (InputStream in = contents.open(captured.organization(), stored.content())) {
                return Optional.of(MessageParser.parse(in));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            } catch (BlobException failure) {
                if (failure.kind() == BlobException.Kind.MISSING) {
                    return Optional.empty(); // deleted since the row was read
                }
                throw failure;
            }
        });
    }
}
