package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.proxy.HostRule;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Refuses requests for a host that is not ours, and notes those of foreign pages (RFC 6454 §7). */
final class PageGuard extends Handler.Wrapper {
    /** Request attribute: the origin of a foreign page. */
    static final String FOREIGN = PageGuard.class.getName();

    private static final int LONGEST_SHOWN = 255;

    private final PageRule rule;
    private final ProtocolErrors errors;

    PageGuard(PageRule rule, ProtocolErrors errors, Handler handler) {
        super(handler);
        this.rule = rule;
        this.errors = errors;
    }

    @Override
    public boolean handle(Request in, Response out, Callback callback) throws Exception {
        String host = host(in);
        if (host != null && !rule.hosts().admits(host)) {
            return errors.answer(new ProtocolErrors.Answering(in, out, callback, false), misdirected(host));
        }
        String origin = in.getHeaders().get("Origin");
        if (rule.isForeign(origin)) {
            in.setAttribute(FOREIGN, origin);
        }
        return super.handle(in, out, callback);
    }

    private Problem misdirected(String host) {
        String shown = host.length() > LONGEST_SHOWN ? host.substring(0, LONGEST_SHOWN) + "…" : host;
        return Problem.of(
                ErrorCode.MISDIRECTED_REQUEST, "This server is not the host \"" + shown + "\"", rule.remedy());
    }

    /** The host of the target, else of the field; null for a request of HTTP/1.0 that has neither. */
    static @Nullable String host(Request in) {
        String target = in.getHttpURI().getHost();
        String field = in.getHeaders().get("Host");
        return target != null || field == null ? target : HostRule.withoutPort(field);
    }
}
