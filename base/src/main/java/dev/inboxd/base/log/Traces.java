package dev.inboxd.base.log;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Where the work of this process is traced; nowhere unless the operator configured it. */
public interface Traces {
    /** Traces nothing. */
    Traces OFF = new Traces() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public void ended(Span span) {}
    };

    /** Whether spans go anywhere, so that it is worth making them. */
    boolean isOn();

    /** Takes a piece of work that ended now; never blocks. */
    void ended(Span span);

    /** Which side of a call the work was. */
    enum Side {
        /** Somebody else called. */
        SERVER,
        /** We called. */
        CLIENT
    }

    /**
     * A piece of work. Never a body, a subject, an address or a secret.
     *
     * @param name one out of a few
     * @param nanos how long it took, in nanoseconds
     * @param attributes texts and numbers, by name
     * @param error what kind of error it ended with, in a word; null for none
     * @param caller the {@code traceparent} that a caller sent (W3C Trace Context §3.2), or null
     */
    record Span(
            String name,
            Side side,
            long nanos,
            SequencedMap<String, Object> attributes,
            @Nullable String error,
            @Nullable String caller) {
        /** Copies the attributes. */
        public Span {
            attributes = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(attributes));
        }

        /** A span without attributes that ended well. */
        public static Span of(String name, Side side, long nanos) {
            return new Span(name, side, nanos, new LinkedHashMap<>(), null, null);
        }

        /** The same with an attribute more, unless its value is null. */
        public Span with(String attribute, @Nullable Object value) {
            if (value == null) {
                return this;
            }
            SequencedMap<String, Object> more = new LinkedHashMap<>(attributes);
            more.put(attribute, value);
            return new Span(name, side, nanos, more, error, caller);
        }

        /** The same, ended with an error of that kind, or well when it is null. */
        public Span failed(@Nullable String kind) {
            return new Span(name, side, nanos, attributes, kind, caller);
        }

        /** The same, called by somebody who traces. */
        public Span calledBy(@Nullable String traceparent) {
            return new Span(name, side, nanos, attributes, error, traceparent);
        }
    }
}
