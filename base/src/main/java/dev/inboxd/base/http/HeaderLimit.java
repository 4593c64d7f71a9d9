package dev.inboxd.base.http;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses a header of HTTP/2 that is too large on its own stream (RFC 6585 §5, ruling 147). A header of HTTP/1.1 is
 * refused while it is read.
 */
final class HeaderLimit extends Handler.Wrapper {
    /** What a field counts beside its name and value (RFC 9113 §6.5.2). */
    private static final int FIELD = 32;

    private final ProtocolErrors errors;

    HeaderLimit(ProtocolErrors errors, Handler handler) {
        super(handler);
        this.errors = errors;
    }

    @Override
    public boolean handle(Request in, Response out, Callback callback) throws Exception {
        if (in.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2 && size(in) > HttpServer.HEADER) {
            return errors.answer(
                    new ProtocolErrors.Answering(in, out, callback, false),
                    HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431);
        }
        return super.handle(in, out, callback);
    }

    private static long size(Request in) {
        long size = (long) in.getMethod().length() + in.getHttpURI().asString().length();
        for (HttpField field : in.getHeaders()) {
            String value = field.getValue();
            size += field.getName().length() + (value == null ? 0 : value.length()) + FIELD;
        }
        return size;
    }
}
