package dev.inboxd.sending.tracking;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import java.util.Base64;

/** The HTTP route of the pixel: it answers every request alike. */
public final class OpenHttp {
    /** A GIF of one transparent pixel. */
    private static final byte[] PIXEL =
            Base64.getDecoder().decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

    private final TrackingPixels pixels;
    private final Opens opens;

    /** A route that records loads of pixels. */
    public OpenHttp(TrackingPixels pixels, Opens opens) {
        this.pixels = pixels;
        this.opens = opens;
    }

    /** Mounts the route, which needs no API key. */
    public void mount(Routes root) {
        root.page(TrackingPixels.PATH + "{token}", this::load);
    }

    private Response load(Request request) {
        TrackedMessage message = pixels.open(request.path("token"));
        if (message != null && !request.isHead()) {
            opens.record(message);
        }
        return Response.bytes(200, "image/gif", PIXEL).header("Cache-Control", "no-store");
    }
}
