package dev.inboxd.calendar.content;

/**
 * The tag of the state of a calendar, an event or a date (RFC 9110 §8.8.3).
 *
 * @param opaque what stands between the quotes
 */
public record EntityTag(String opaque) {
    /** The tag of a calendar, a single event or a series. */
    public static EntityTag ofRevision(long revision) {
        return new EntityTag("rv-" + revision);
    }

    /** The tag of a date: any change of its series or of one of its dates changes it. */
    public static EntityTag ofDate(EventVersion series) {
        return new EntityTag("occ-" + series.revision() + "-" + series.counter());
    }

    /** With its quotes. */
    public String text() {
        return '"' + opaque + '"';
    }
}
