package dev.inboxd.mail.compose;

import dev.inboxd.mail.io.BulkReadStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sections of a message as one stream; each is opened when the previous one is closed. */
final class ComposedStream extends BulkReadStream {
    private final Iterator<ComposedMessage.Section> pieces;
    private @Nullable InputStream piece;

    ComposedStream(List<ComposedMessage.Section> pieces) {
        this.pieces = pieces.iterator();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (piece != null || pieces.hasNext()) {
            if (piece == null) {
                piece = pieces.next().open();
            }
            int count = piece.read(buffer, offset, length);
            if (count >= 0) {
                return count;
            }
            close();
        }
        return -1;
    }

    /** Closes the current section. */
    @Override
    public void close() throws IOException {
        if (piece != null) {
            piece.close();
            piece = null;
        }
    }
}
