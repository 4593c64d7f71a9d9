package dev.inboxd.net;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The content codings of a response (RFC 9110 §8.4). None is asked for, but some servers and stores compress all the
 * same, and compressed octets are not the file.
 *
 * @param names in the order in which they were applied, {@code identity} left out
 */
record ContentCodings(List<String> names) {
    /** More codings than this are an attack: each multiplies what an octet can become. */
    private static final int MOST = 2;

    ContentCodings {
        names = List.copyOf(names);
    }

    /** The codings that the fields name; the names are without regard to case. */
    static ContentCodings of(List<String> fields) {
        List<String> names = new ArrayList<>();
        for (String field : fields) {
            String name = field.strip().toLowerCase(Locale.ROOT);
            if (!name.isEmpty() && !name.equals("identity")) {
                names.add(name);
            }
        }
        return new ContentCodings(names);
    }

    /** Why the content cannot be read, as a sentence; null when it can. */
    @Nullable
    String fault() {
        for (String name : names) {
            if (!List.of("gzip", "x-gzip", "deflate").contains(name)) {
                return "The server sent a content coding that was not asked for and is not known here.";
            }
        }
        return names.size() > MOST ? "The server compressed the content more than twice." : null;
    }

    /**
     * The content without its codings. The caller limits what is read.
     *
     * @throws java.util.zip.ZipException when the content does not begin as the coding does
     */
    InputStream undone(InputStream content) throws IOException {
        InputStream in = content;
        for (String name : names.reversed()) {
            PushbackInputStream start = new PushbackInputStream(new ToItsEnd(in), 2);
            int first = start.read();
            if (first < 0) {
                return start; // an empty content is empty under any coding
            }
            start.unread(first);
            in = name.equals("deflate") ? inflated(start) : new GZIPInputStream(start);
        }
        return in;
    }

    /** RFC 9110 §8.4.1.2: the zlib format; some servers leave its header away. */
    private static InputStream inflated(PushbackInputStream in) throws IOException {
        byte[] start = in.readNBytes(2);
        in.unread(start);
        // RFC 1950 §2.2: method 8, and both octets together a multiple of 31
        boolean zlib =
                start.length == 2 && (start[0] & 0x0f) == 8 && ((start[0] & 0xff) << 8 | (start[1] & 0xff)) % 31 == 0;
        return new InflaterInputStream(in, new Inflater(!zlib)) {
            @Override
            public void close() throws IOException {
                super.close();
                inf.end();
            }
        };
    }

    /** Never says that nothing is available: then a second gzip member (RFC 1952 §2.2) would be taken for the end. */
    private static final class ToItsEnd extends FilterInputStream {
        ToItsEnd(InputStream in) {
            super(in);
        }

        @Override
        public int available() {
            return 1;
        }
    }
}
